from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from lexreview.questions.models import Benchmark
from lexreview.review.actions.giving_out import assign_batch, set_batch_masking
from lexreview.review.actions.sent_once import SentBefore
from lexreview.review.batch_form import BatchForm
from lexreview.review.batches import BatchChanged, BatchPlan
from lexreview.review.changing import sent_form
from lexreview.review.forms import form_key_of
from lexreview.review.models import Batch
from lexreview.review.piles import Desk
from lexreview.review.queue import filter_choices
from lexreview.review.rules import check_can_lead_review
from lexreview.review.views.rendering import ReviewRequest

SHOWN = 50


@require_http_methods(["GET", "HEAD", "POST"])
def batches(request: ReviewRequest) -> HttpResponse:
    """Reading shows the split that the address asks for; sending the same form gives the cards out."""
    desk, now = Desk.of(request.user), timezone.now()
    asked = request.POST if request.method == "POST" else request.GET
    benchmark = _chosen(desk, asked.get("benchmark", ""))
    check_can_lead_review(request.user, benchmark)
    choices = filter_choices(desk, benchmark=benchmark.slug)
    form = BatchForm(asked if "seed" in asked else None, benchmark=benchmark, choices=choices)
    plan = BatchPlan(form.order, by=request.user, now=now) if form.is_bound and form.is_valid() else None
    status = 422 if form.is_bound and plan is None else 200
    if request.method == "POST":
        if plan is None:
            raise BadRequest("a batch is sent from the page that shows its split")
        try:
            shown = request.POST.get("fingerprint", "")
            with sent_form(form_key_of(request)):
                return _given(request, benchmark, assign_batch(plan=plan, fingerprint=shown, by=request.user, now=now))
        except SentBefore as before:
            return _given(request, benchmark, sum(before.after["cards"].values()))
        except BatchChanged as refusal:
            messages.error(request, str(refusal))
            status = 409
            plan = BatchPlan(plan.order, by=request.user, now=now)
    leads = [row for row in desk.benchmarks.values() if desk.leads([row])]
    context = {
        "form": form,
        "plan": plan,
        "benchmark": benchmark,
        "benchmarks": leads,
        "sent": form.sent,
        "given": Batch.objects.of_benchmark(benchmark).with_left().newest_first()[:SHOWN],
    }
    return render(request, "review/batches.html", context, status=status)


@require_POST
def mask_batch(request: ReviewRequest, slug: str, number: int) -> HttpResponse:
    """Hide from reviewers which systems answered in a batch, or show it."""
    benchmark = get_object_or_404(Benchmark.objects.visible_to(request.user), slug=slug)
    check_can_lead_review(request.user, benchmark)
    batch = get_object_or_404(Batch.objects.of_benchmark(benchmark), number=number)
    masked = request.POST.get("masked") == "1"
    set_batch_masking(batch=batch, masked=masked, by=request.user, now=timezone.now())
    if masked:
        words = _("Reviewers do not see which system answered in batch %(number)s.")
    elif benchmark.masks_systems:
        words = _("Batch %(number)s no longer hides which system answered; the benchmark still does.")
    else:
        words = _("Reviewers see which system answered in batch %(number)s.")
    messages.success(request, words % {"number": batch.number})
    return redirect(f"{reverse('review:batches')}?benchmark={benchmark.slug}#given")


def _given(request: ReviewRequest, benchmark: Benchmark, number: int) -> HttpResponse:
    text = ngettext("%(n)s card was given out.", "%(n)s cards were given out.", number)
    messages.success(request, text % {"n": number})
    return redirect(f"{reverse('review:progress')}?benchmark={benchmark.slug}")


def _chosen(desk: Desk, slug: str) -> Benchmark:
    """The benchmark of the address; without one, the first that the person leads. 404 where there is none."""
    leads = [row for row in desk.benchmarks.values() if desk.leads([row])]
    found = desk.benchmarks.get(slug) if slug else next(iter(leads), None)
    if found is None:
        raise Http404
    return found
