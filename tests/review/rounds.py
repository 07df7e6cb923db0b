"""Steps of a second review for the tests: reviews as two people would write them."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from lexreview.accounts.models import User
from lexreview.review.actions import approve_card, decide_score, set_note
from lexreview.review.actions.second_review import select_for_second_review
from lexreview.review.models import Card
from lexreview.review.rounds import Sampling
from tests.remembering import remembered
from tests.review.factories import fill_card


def fresh(card: Card) -> Card:
    return Card.objects.with_answer().get(pk=card.pk)


@remembered
def review(card: Card, *, by: User, now: datetime, points: dict[str, Any] | None = None, note: str = "") -> Card:
    """Fill the card, then give the criteria of `points` other points, and approve."""
    card = fill_card(fresh(card), by=by, now=now)
    for code, value in (points or {}).items():
        card = decide_score(
            card=card, criterion=code, points=Decimal(str(value)), evidence=f"Evidence of {by.username} for {code}.",
            reason=f"Reason of {by.username}.", version=card.version, by=by, now=now,
        )  # fmt: skip
    if note:
        card = set_note(card=card, note=note, version=card.version, by=by, now=now)
    return approve_card(card=card, version=card.version, confirm_unchecked=True, by=by, now=now)


@remembered
def ask(*people: User, by: User, card: Card, now: datetime, **options: Any) -> list[Card]:
    """Ask for a second review of the card's benchmark by these people; the seats, each with its answer."""
    sampling = Sampling(reviewers=people, **{"size": 1, **options})
    selection = select_for_second_review(benchmark=card.benchmark, sampling=sampling, by=by, now=now)
    answers = [chosen.answer_id for chosen in selection.cards]
    return list(Card.objects.with_answer().filter(answer__in=answers, round=2).order_by("pk"))


@remembered
def adjudicating(card: Card, *, first: User, second: User, lead: User, now: datetime) -> tuple[Card, Card]:
    """Two reviews that differ in B1, and in the note, which is no difference."""
    review(card, by=first, now=now, points={"B1": 2}, note="First.")
    [seat] = ask(second, by=lead, card=card, now=now)
    review(seat, by=second, now=now, points={"B1": 1}, note="Second.")
    return fresh(card), fresh(seat)
