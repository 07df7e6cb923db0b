"""Starting the jobs that pre-fill cards: by code, and by a model."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from lexreview.jobs.actions import AlreadyRunning, NothingToDo
from lexreview.jobs.models import Job
from lexreview.jobs.rules import check_can_start
from lexreview.providers.confirming import NotConfirmed
from lexreview.providers.connecting import NotConfigured
from lexreview.questions.models import Benchmark
from lexreview.review.lead_forms import ModelPrefillForm, first_error
from lexreview.review.model_prefill_job import PREFILL_BY_MODEL
from lexreview.review.prefill_job import PREFILL
from lexreview.review.starting import start_model_prefill, start_prefill
from lexreview.review.views.rendering import ReviewRequest


@require_POST
def by_code(request: ReviewRequest, slug: str) -> HttpResponse:
    benchmark = _benchmark(request, slug, kind=PREFILL)
    return _started(request, benchmark, lambda: start_prefill(benchmark=benchmark, by=request.user, now=timezone.now()))


@require_POST
def by_model(request: ReviewRequest, slug: str) -> HttpResponse:
    benchmark = _benchmark(request, slug, kind=PREFILL_BY_MODEL)
    form = ModelPrefillForm(request.POST)
    if not form.is_valid():
        messages.error(request, first_error(form))
        return redirect("questions:benchmark", slug)
    return _started(
        request,
        benchmark,
        lambda: start_model_prefill(benchmark=benchmark, **form.cleaned_data, by=request.user, now=timezone.now()),
    )


def _benchmark(request: ReviewRequest, slug: str, *, kind: str) -> Benchmark:
    """404 for outsiders, 403 for members who do not operate the benchmark."""
    found = get_object_or_404(Benchmark.objects.visible_to(request.user), slug=slug)
    check_can_start(request.user, kind, slug)
    return found


def _started(request: ReviewRequest, benchmark: Benchmark, start: Callable[[], Job]) -> HttpResponse:
    try:
        job = start()
    except AlreadyRunning as running:
        return redirect("jobs:page", running.job.pk)
    except (NotConfigured, NotConfirmed) as refusal:
        messages.error(request, str(refusal))
        return redirect("questions:benchmark", benchmark.slug)
    except NothingToDo as nothing:
        messages.info(request, str(nothing))
        return redirect("questions:benchmark", benchmark.slug)
    return redirect("jobs:page", job.pk)
