from datetime import datetime

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from lexreview.accounts.models import User
from lexreview.questions.models import Benchmark
from lexreview.review.actions import TooManyViews, assign_cards, delete_view, release_claims, save_view
from lexreview.review.card_lists import CardList
from lexreview.review.claiming import holdings, take_next_card
from lexreview.review.models import Card
from lexreview.review.paging import LAST, page_by
from lexreview.review.piles import PILE_LABELS, Desk, Pile
from lexreview.review.queue import ORDERS, filter_choices, rows_of
from lexreview.review.queue_forms import AssignForm, QueueFilters, SavedViewForm
from lexreview.review.views.rendering import ReviewRequest, card_address, is_fragment, leave, sent, varied

PER_PAGE = 50
CARDS = "cards"
"""The id of the element that holds the cards."""


@require_safe
def queue(request: ReviewRequest) -> HttpResponse:
    now, desk = timezone.now(), Desk.of(request.user)
    choices = filter_choices(desk, benchmark=request.GET.get("benchmark", ""))
    form = QueueFilters(request.GET, choices=choices)
    pile, sort = form.chosen_pile, form.chosen_sort
    benchmarks = desk.chosen(form.chosen.get("benchmark", ""))
    page = page_by(
        CardList(desk, pile, form.chosen, sort, now).rows,
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
        "with_systems": desk.sees_some_systems(benchmarks) or pile in (Pile.APPROVED, Pile.ALL),
        "leads": desk.leads(benchmarks),
        "benchmark": benchmarks[0] if len(benchmarks) == 1 else None,
        **_who_has_them(pile, benchmarks, shown=bool(page.rows) or bool(form.chosen.keys() - {"benchmark"}), now=now),
    }
    response = varied(render(request, _template(request), context))
    patch_vary_headers(response, ["HX-Target"])
    return response


def _template(request: ReviewRequest) -> str:
    """The whole page; for htmx what of it can have changed: the cards where a page was turned, all but the frame where
    another list was asked for."""
    if not is_fragment(request):
        return "review/queue.html"
    return "review/_queue_cards.html" if request.htmx.target == CARDS else "review/_queue.html"


def _addresses(form: QueueFilters, *, before: str, after: str) -> dict[str, str]:
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
