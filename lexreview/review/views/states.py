"""Views that move a card as a whole: taken, approved, opened again, parked, waiting for a ruling."""

from collections.abc import Callable

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_POST

from lexreview.core.workflow import CardState
from lexreview.methodology.models import Decision
from lexreview.review.actions import (
    approve_card,
    ask_ruling,
    give_ruling,
    park_card,
    revise_card,
    undo_change,
    unpark_card,
)
from lexreview.review.claiming import take_card, take_next_card
from lexreview.review.forms import ApprovalForm, CardForm, ReasonForm, RulingForm, RulingQuestionForm
from lexreview.review.models import Card
from lexreview.review.views.queue import nothing_left
from lexreview.review.views.rendering import (
    ReviewRequest,
    card_address,
    card_for,
    card_to_change,
    leave,
    next_card_response,
    save,
)


@require_POST
def approve(request: ReviewRequest, pk: int) -> HttpResponse:
    """Approve, and open the next card."""
    card = card_to_change(request, pk)

    def act(*, confirm_unchecked: bool, version: int) -> Card:
        return approve_card(
            card=card, version=version, confirm_unchecked=confirm_unchecked, by=request.user, now=timezone.now()
        )

    return save(request, card, ApprovalForm(request.POST), act, target="approval", done=_to_next(request))


@require_POST
def undo(request: ReviewRequest, pk: int) -> HttpResponse:
    """Take back the last change of the card."""
    card = card_to_change(request, pk)

    def act(*, version: int) -> Card:
        return undo_change(card=card, version=version, by=request.user, now=timezone.now())

    return save(request, card, CardForm(request.POST), act, target="undo")


@require_POST
def revise(request: ReviewRequest, pk: int) -> HttpResponse:
    card = card_to_change(request, pk)

    def act(*, reason: str, version: int) -> Card:
        return revise_card(card=card, reason=reason, version=version, by=request.user, now=timezone.now())

    return save(
        request, card, ReasonForm(request.POST), act, target="revise",
        as_asked=lambda current: current.state == CardState.IN_REVIEW,
    )  # fmt: skip


@require_POST
def park(request: ReviewRequest, pk: int) -> HttpResponse:
    card = card_to_change(request, pk)

    def act(*, reason: str, version: int) -> Card:
        return park_card(card=card, reason=reason, version=version, by=request.user, now=timezone.now())

    return save(
        request, card, ReasonForm(request.POST), act, target="park", done=_to_next(request),
        as_asked=lambda current: current.state == CardState.PARKED,
    )  # fmt: skip


@require_POST
def unpark(request: ReviewRequest, pk: int) -> HttpResponse:
    card = card_to_change(request, pk)

    def act(*, version: int) -> Card:
        return unpark_card(card=card, version=version, by=request.user, now=timezone.now())

    return save(
        request, card, CardForm(request.POST), act, target="card",
        as_asked=lambda current: current.state == CardState.IN_REVIEW,
    )  # fmt: skip


@require_POST
def ask(request: ReviewRequest, pk: int) -> HttpResponse:
    card = card_to_change(request, pk)

    def act(*, question: str, version: int) -> Card:
        return ask_ruling(card=card, question=question, version=version, by=request.user, now=timezone.now())

    return save(
        request, card, RulingQuestionForm(request.POST), act, target="ruling",
        as_asked=lambda current: current.ruling_question == request.POST.get("question"),
    )  # fmt: skip


@require_POST
def rule(request: ReviewRequest, pk: int) -> HttpResponse:
    card = card_to_change(request, pk)

    def act(*, decision: Decision, version: int) -> Card:
        return give_ruling(card=card, decision=decision, version=version, by=request.user, now=timezone.now())

    form = RulingForm(request.POST, benchmark_slug=card.benchmark.slug)
    return save(request, card, form, act, target="ruling")


@require_POST
def take(request: ReviewRequest, pk: int) -> HttpResponse:
    """Take a free card, or for a lead any card, for oneself."""
    card = card_for(request, pk)
    take_card(card, user=request.user, now=timezone.now())
    return leave(request, card_address(card))


def _to_next(request: ReviewRequest) -> Callable[[Card], HttpResponse]:
    def go(card: Card) -> HttpResponse:
        following = take_next_card(user=request.user, now=timezone.now(), after=card, benchmark=card.benchmark.slug)
        if following is None:
            return nothing_left(request, card.benchmark.slug)
        return next_card_response(request, following)

    return go
