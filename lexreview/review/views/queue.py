from datetime import datetime

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from lexreview.accounts.models import User
from lexreview.questions.models import Benchmark
from lexreview.review.actions import TooManyViews, assign_cards, delete_view, release_claims, save_view
from lexreview.review.claiming import holdings, take_next_card
from lexreview.review.models import Card
from lexreview.review.paging import LAST, page_of
from lexreview.review.piles import PILE_LABELS, Desk, Pile, cards_in, narrowed
from lexreview.review.queue import ORDERS, filter_choices, listed, rows_of
from lexreview.review.queue_forms import AssignForm, QueueForm, SavedViewForm
from lexreview.review.views.rendering import ReviewRequest, card_address, is_fragment, leave, sent, varied

PER_PAGE = 50


@require_safe
def queue(request: ReviewRequest) -> HttpResponse:
    now, desk = timezone.now(), Desk.of(request.user)
    choices = filter_choices(desk, benchmark=request.GET.get("benchmark", ""))
    form = QueueForm(request.GET, choices=choices)
    pile, sort = form.chosen_pile, form.chosen_sort
    benchmarks = desk.chosen(form.chosen.get("benchmark", ""))
    cards = cards_in(pile, desk.cards(benchmarks), user=request.user, now=now)
    page = page_of(
        listed(narrowed(cards, form.chosen, desk=desk), sort),
        order=ORDERS[sort],
        size=PER_PAGE,
        after=request.GET.get("after", ""),
        before=request.GET.get("before", ""),
    )
    context = {
        "form": form,
        "pile": pile,
        "piles": [(each, words, form.query(pile=each)) for each, words in PILE_LABELS.items()],
        "rows": rows_of(page.rows, desk=desk),
        "pages": _addresses(form, before=page.before, after=page.after),
        "views": choices["view"],
        "people": choices["person"],
        "query": form.query(),
        "is_filtered": bool(form.chosen),
        "several_benchmarks": len(benchmarks) > 1,
        "with_systems": desk.sees_systems(benchmarks) or pile in (Pile.APPROVED, Pile.ALL),
        "leads": desk.leads(benchmarks),
        "benchmark": benchmarks[0] if len(benchmarks) == 1 else None,
        **_who_has_them(pile, benchmarks, shown=bool(page.rows) or bool(form.chosen.keys() - {"benchmark"}), now=now),
    }
    return varied(render(request, "review/_queue.html" if is_fragment(request) else "review/queue.html", context))


def _addresses(form: QueueForm, *, before: str, after: str) -> dict[str, str]:
    """Where the pages beside this one are; "" for those that are not there."""
    return {
        "first": form.query() if before else "",
        "before": form.query(before=before) if before else "",
        "after": form.query(after=after) if after else "",
        "last": form.query(before=LAST) if after else "",
    }


def _who_has_them(pile: Pile, benchmarks: list[Benchmark], *, shown: bool, now: datetime) -> dict[str, object]:
    """For a list that has nothing to take: in whose hands the open cards are."""
    if shown or pile not in (Pile.MINE, Pile.UNASSIGNED):
        return {"holdings": []}
    return {"holdings": holdings(benchmarks, now=now)}


@require_POST
def take_next(request: ReviewRequest) -> HttpResponse:
    """Open the next card of the person; a free one becomes theirs by it."""
    after, benchmark = sent(request, "after"), sent(request, "benchmark")
    known = Card.objects.visible_to(request.user)
    card = take_next_card(
        user=request.user,
        now=timezone.now(),
        after=known.filter(pk=after).first() if after.isdecimal() and len(after) < 18 else None,
        benchmark=benchmark,
    )
    if card is None:
        return nothing_left(request, benchmark)
    return leave(request, card_address(card))


def nothing_left(request: ReviewRequest, benchmark: str) -> HttpResponse:
    """Say that no card is left, on the page that says who has the others."""
    messages.info(request, _("No card is left for you: none of yours is open and none is free."))
    query = f"&benchmark={benchmark}" if benchmark in Desk.of(request.user).benchmarks else ""
    return leave(request, f"{reverse('review:queue')}?pile={Pile.UNASSIGNED}{query}")


@require_POST
def keep_view(request: ReviewRequest) -> HttpResponse:
    form = SavedViewForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Give the view a name of at most 60 characters."))
        return _to_queue(request.POST.get("query", ""))
    try:
        save_view(name=form.cleaned_data["name"], query=form.cleaned_data["query"], by=request.user, now=timezone.now())
    except TooManyViews as refusal:
        messages.error(request, str(refusal))
    return _to_queue(form.cleaned_data["query"])


@require_POST
def forget_view(request: ReviewRequest) -> HttpResponse:
    delete_view(name=sent(request, "name"), by=request.user, now=timezone.now())
    return _to_queue(request.POST.get("query", ""))


@require_POST
def assign(request: ReviewRequest) -> HttpResponse:
    """Give the ticked cards to somebody, or to nobody."""
    form = AssignForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(str(error) for errors in form.errors.values() for error in errors))
        return _to_queue(request.POST.get("query", ""))
    visible = Card.objects.visible_to(request.user).filter(pk__in=form.cleaned_data["card"])
    name = form.cleaned_data["person"]
    person = get_object_or_404(User, username=name, is_active=True) if name else None
    keys = dict.fromkeys(visible.values_list("pk", flat=True), person)
    changed = assign_cards(cards=keys, by=request.user, now=timezone.now())
    words = ngettext("%(n)s card changed hands.", "%(n)s cards changed hands.", changed) % {"n": changed}
    messages.success(request, words)
    return _to_queue(request.POST.get("query", ""))


@require_POST
def release(request: ReviewRequest) -> HttpResponse:
    """Make free what somebody claimed in a benchmark and does not get to."""
    visible = Benchmark.objects.visible_to(request.user)
    benchmark = get_object_or_404(visible, slug=sent(request, "benchmark"))
    person = get_object_or_404(User, username=sent(request, "person"))
    freed = release_claims(benchmark=benchmark, person=person, by=request.user, now=timezone.now())
    messages.success(request, ngettext("%(n)s card is free now.", "%(n)s cards are free now.", freed) % {"n": freed})
    return _to_queue(request.POST.get("query", ""))


def _to_queue(query: str) -> HttpResponseRedirect:
    kept = SavedViewForm({"name": "kept", "query": query})
    known = kept.cleaned_data["query"] if kept.is_valid() else ""
    return redirect(f"{reverse('review:queue')}?{known}" if known else reverse("review:queue"))
