"""Pages around the queue: what I decided, how far we are, and the beat of an open card."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from lexreview.core.methods.reference_card.label import Label
from lexreview.questions.actions import set_system_masking
from lexreview.questions.models import Benchmark
from lexreview.review.claiming import prolong, warning_of
from lexreview.review.models import LABEL_LABELS
from lexreview.review.my_decisions import NEWEST_FIRST, decisions_of
from lexreview.review.paging import LAST, page_of
from lexreview.review.piles import Desk
from lexreview.review.presence import beat, others_at
from lexreview.review.progress import progress_of
from lexreview.review.queue import offered_as
from lexreview.review.queue_forms import BeatForm, DecisionsForm
from lexreview.review.views.rendering import ReviewRequest, card_for, is_fragment, sent, varied

DECISIONS_PER_PAGE = 20


@require_safe
def my_decisions(request: ReviewRequest) -> HttpResponse:
    desk = Desk.of(request.user)
    choices = {
        "benchmark": [(row.slug, row.title) for row in desk.benchmarks.values()],
        "label": [(label.value, str(words)) for label, words in LABEL_LABELS.items() if label is not Label.NONE],
        "approved_as": offered_as(),
    }
    form = DecisionsForm(request.GET, choices=choices)
    benchmarks = desk.chosen(form.wanted.benchmark)
    page = page_of(
        decisions_of(request.user, form.wanted, benchmarks=[row.pk for row in benchmarks]),
        order=NEWEST_FIRST,
        size=DECISIONS_PER_PAGE,
        after=request.GET.get("after", ""),
        before=request.GET.get("before", ""),
    )
    pages = {
        "first": form.query() if page.before else "",
        "before": form.query(before=page.before) if page.before else "",
        "after": form.query(after=page.after) if page.after else "",
        "last": form.query(before=LAST) if page.after else "",
    }
    context = {
        "form": form,
        "rows": page.rows,
        "pages": pages,
        "is_filtered": any(form.cleaned_data.values()),
        "several_benchmarks": len(benchmarks) > 1,
        "leads": desk.leads(benchmarks),
    }
    template = "review/_my_decisions.html" if is_fragment(request) else "review/my_decisions.html"
    return varied(render(request, template, context))


@require_safe
def progress(request: ReviewRequest) -> HttpResponse:
    desk = Desk.of(request.user)
    slug = request.GET.get("benchmark", "")
    chosen = slug if slug in desk.benchmarks else ""
    rows = progress_of(desk, benchmark=chosen, now=timezone.now())
    context = {"rows": rows, "slug": chosen, "leads": desk.leads(desk.chosen(chosen))}
    return render(request, "review/progress.html", context)


@require_POST
def set_masking(request: ReviewRequest) -> HttpResponse:
    """Hide the names of the systems from reviewers, or show them."""
    visible = Benchmark.objects.visible_to(request.user)
    benchmark = get_object_or_404(visible, slug=sent(request, "benchmark"))
    masked = request.POST.get("masked") == "1"
    set_system_masking(benchmark=benchmark, masked=masked, by=request.user, now=timezone.now())
    words = _("Reviewers no longer see which system answered.") if masked else _("Reviewers see which system answered.")
    messages.success(request, words)
    return redirect(f"{reverse('review:progress')}?benchmark={benchmark.slug}")


@require_POST
def heartbeat(request: ReviewRequest, pk: int) -> HttpResponse:
    """The page of a card says that it is open and how long it was worked on; answered with who else has it open."""
    card, now = card_for(request, pk), timezone.now()
    form = BeatForm(request.POST)
    form.is_valid()
    active, leaving = form.cleaned_data.get("active") or 0, bool(form.cleaned_data.get("leaving"))
    beat(card=card, person=request.user, active_seconds=active, now=now, leaving=leaving)
    if leaving:
        return HttpResponse(status=204)
    if active:
        prolong(card, by=request.user, now=now)
    context = {
        "card": card,
        "people": others_at(card, person=request.user, now=now),
        "claim_ends": warning_of(card, person=request.user, now=now),
    }
    return render(request, "review/_presence.html", context)
