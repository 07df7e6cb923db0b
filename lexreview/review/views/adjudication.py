"""Views of the lead's work on several reviews of one answer."""

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from lexreview.accounts.rules import NotAllowed
from lexreview.core.methods.reference_card.scoring import PointsRefused
from lexreview.core.workflow import Round, TransitionRefused
from lexreview.review.actions import CannotApprove, StaleCard
from lexreview.review.actions.adjudicating import (
    begin_adjudication,
    choose,
    finish_adjudication,
    made_card_of,
    merge_again,
    reopen_adjudication,
)
from lexreview.review.actions.second_review import RoundRefused
from lexreview.review.adjudication_page import AdjudicationPage
from lexreview.review.changing import sent_form
from lexreview.review.forms import form_key_of
from lexreview.review.lead_forms import ChoiceForm, VersionedReasonForm, first_error
from lexreview.review.models import Card
from lexreview.review.rules import can_adjudicate, can_plan_reviews
from lexreview.review.views.rendering import ReviewRequest, card_for, sent
from lexreview.translating import translated

SHOWN_AGAIN = ("kind", "target", "take", "own", "reason")
REFUSALS = (RoundRefused, PointsRefused, CannotApprove, TransitionRefused)


def address_of(card: Card, anchor: str = "") -> str:
    return reverse("rounds:adjudication", args=[card.pk]) + (f"#{anchor}" if anchor else "")


@require_safe
def adjudication(request: ReviewRequest, pk: int) -> HttpResponse:
    """For leads, and once the card is settled for those who may see its reviews."""
    return _page(request, _first(request, pk))


@require_POST
def begin(request: ReviewRequest, pk: int) -> HttpResponse:
    first = _first(request, pk)
    return _done(
        request, first, lambda: begin_adjudication(card=first, by=request.user, now=timezone.now())
    )  # fmt: skip


@require_POST
def decide(request: ReviewRequest, pk: int) -> HttpResponse:
    """Take one side of one difference, or a value of one's own."""
    first, made = _both(request, pk)
    form = ChoiceForm(request.POST, reviews=AdjudicationPage(first, user=request.user).reviews)
    if not form.is_valid():
        return _page(request, first, error=first_error(form), status=422)

    def act() -> Card:
        return choose(card=made, **form.values, by=request.user, now=timezone.now())

    return _done(request, first, act, to_next=True)


@require_POST
def merge(request: ReviewRequest, pk: int) -> HttpResponse:
    first, made = _both(request, pk)
    form = VersionedReasonForm(request.POST)
    form.fields["reason"].required = False
    if not form.is_valid():
        return _page(request, first, error=first_error(form), status=422)
    version = form.cleaned_data["version"]
    return _done(
        request, first, lambda: merge_again(card=made, version=version, by=request.user, now=timezone.now())
    )  # fmt: skip


@require_POST
def finish(request: ReviewRequest, pk: int) -> HttpResponse:
    return _with_reason(request, pk, finish_adjudication)


@require_POST
def reopen(request: ReviewRequest, pk: int) -> HttpResponse:
    return _with_reason(request, pk, reopen_adjudication)


def _with_reason(request: ReviewRequest, pk: int, action: Callable[..., Card]) -> HttpResponse:
    first, made = _both(request, pk)
    form = VersionedReasonForm(request.POST)
    if not form.is_valid():
        return _page(request, first, error=first_error(form), status=422)
    values = form.cleaned_data
    return _done(
        request,
        first,
        lambda: action(
            card=made, reason=values["reason"], version=values["version"], by=request.user, now=timezone.now()
        ),
    )


def _first(request: ReviewRequest, pk: int) -> Card:
    """The first review, by the key of any card of the answer that the person sees."""
    card = card_for(request, pk)
    if card.round == Round.FIRST:
        return card
    firsts = Card.objects.visible_to(request.user).with_answer()
    return get_object_or_404(
        firsts, answer=card.answer_id, scoring_pass=card.scoring_pass, round=Round.FIRST
    )  # fmt: skip


def _both(request: ReviewRequest, pk: int) -> tuple[Card, Card]:
    first = _first(request, pk)
    if not can_adjudicate(request.user, first):
        raise NotAllowed
    made = made_card_of(first)
    if made is None:
        raise Http404
    return first, made


def _done(request: ReviewRequest, first: Card, act: Callable[[], Card], *, to_next: bool = False) -> HttpResponse:
    """Back to the page; `to_next`: at the next difference that is open, or at its end."""
    try:
        with sent_form(form_key_of(request)):
            act()
    except StaleCard as stale:
        if not stale.is_repeat:
            return _page(request, card_for(request, first.pk), error=str(stale), status=409)
    except REFUSALS as refusal:
        return _page(request, card_for(request, first.pk), error=translated(refusal), status=422)
    left = AdjudicationPage(first, user=request.user).differences if to_next else []
    open_ = next((each.anchor for each in left if not each.is_chosen), "finish-reason")
    return redirect(address_of(first, open_ if to_next else ""))


def _page(request: ReviewRequest, first: Card, *, error: str = "", status: int = 200) -> HttpResponse:
    entered = {name: sent(request, name) for name in SHOWN_AGAIN if name in request.POST} if error else {}
    page = AdjudicationPage(first, user=request.user, entered=entered)
    if not page.is_open and page.made is None:
        messages.info(request, _("No reviews of this answer stand against each other."))
        return redirect("review:card", first.pk)
    context = {
        "page": page,
        "card": first,
        "benchmark": page.benchmark,
        "error": error,
        "may_plan": can_plan_reviews(request.user, page.benchmark),
    }
    return render(request, "review/adjudication.html", context, status=status)
