"""Recomputing a benchmark's cards under other rules: first shown, then asked for as a job."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from lexreview.accounts.models import User
from lexreview.jobs.actions import AlreadyRunning, NothingToDo, start_job
from lexreview.methodology.models import Specification
from lexreview.questions.actions import AdoptionRefused, adopt_specification
from lexreview.questions.models import Benchmark
from lexreview.review.recompute_job import RECOMPUTE
from lexreview.review.recompute_page import RecomputePage
from lexreview.review.rules import check_can_recompute


class MemberRequest(HttpRequest):
    user: User


@require_http_methods(["GET", "HEAD", "POST"])
def recompute(request: MemberRequest, slug: str) -> HttpResponse:
    visible = Benchmark.objects.visible_to(request.user).select_related("specification")
    benchmark = get_object_or_404(visible, slug=slug)
    check_can_recompute(request.user, benchmark)
    target = _target(request, benchmark)
    if request.method == "POST":
        return _started(request, benchmark, target)
    page = RecomputePage(benchmark, user=request.user, target=target)
    return render(request, "review/recompute.html", {"page": page, "benchmark": benchmark})


def _target(request: MemberRequest, benchmark: Benchmark) -> Specification:
    """The version that was asked for; the benchmark's own where none was."""
    version = (request.POST if request.method == "POST" else request.GET).get("to", "")
    if not version:
        return benchmark.specification
    return get_object_or_404(Specification.objects.named(benchmark.specification.name).with_version(version))


def _started(request: MemberRequest, benchmark: Benchmark, target: Specification) -> HttpResponse:
    now = timezone.now()
    try:
        adopt_specification(benchmark=benchmark, specification=target, by=request.user, now=now)
        job = start_job(
            kind=RECOMPUTE,
            benchmark_slug=benchmark.slug,
            params={"benchmark": benchmark.slug},
            by=request.user,
            now=now,
        )
    except AdoptionRefused as refusal:
        messages.error(request, str(refusal))
        return redirect("review:recompute", benchmark.slug)
    except NothingToDo:
        messages.success(request, _("No card has to be recomputed."))
        return redirect("review:recompute", benchmark.slug)
    except AlreadyRunning as running:
        messages.warning(request, str(running))
        return redirect("review:recompute", benchmark.slug)
    return redirect("jobs:page", job.pk)
