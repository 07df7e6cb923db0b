"""The blind second review: asked for, taken, called off, and closed once everybody asked has approved."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from lexreview.accounts.models import User
from lexreview.accounts.rules import NotAllowed, check_has_role
from lexreview.core.workflow import CardState, CardVerb, Role, Round
from lexreview.ledger.actions import record_event
from lexreview.questions.models import Benchmark
from lexreview.review.actions.moving import move_card
from lexreview.review.actions.prefilling import prefill_card
from lexreview.review.actions.sent_once import check_not_sent_before, done_before, with_key
from lexreview.review.changing import locked_card
from lexreview.review.differences import differing
from lexreview.review.models import Card
from lexreview.review.recording import fields_since, values_of, versions_of
from lexreview.review.rounds import Sampling, Seat, Selection, select
from lexreview.review.rules import check_can_assign, check_can_plan_reviews, siblings_of

ASK = "ask_second_reviews"
UNTOUCHED = (CardState.EMPTY, CardState.PREFILLED)


class RoundRefused(ValueError):
    """The round cannot be opened, joined or called off so; the text says why."""


class SelectionChanged(RoundRefused):
    """Other cards or people would be chosen than when the sample was shown; nobody was asked."""

    def __init__(self) -> None:
        super().__init__(_("Meanwhile other cards can be chosen than when you looked. This is the sample now."))


@transaction.atomic
def select_for_second_review(
    *, benchmark: Benchmark, sampling: Sampling, by: User, now: datetime, fingerprint: str | None = None
) -> Selection:
    """Ask for blind second reviews as `select` would choose them now; a form that was sent twice asks once.

    Every chosen card waits in the state of second review; each seat gets a card of its own, pre-filled from the answer
    alone. `fingerprint`: of the selection that the lead saw, None where code asks. Raises SentBefore,
    SelectionChanged where another selection was shown, RoundRefused where nothing can be chosen.
    """
    check_can_plan_reviews(by, benchmark)
    check_not_sent_before(benchmark, verb=ASK, by=by)
    list(Card.objects.of_benchmark(benchmark).select_for_update(of=("self",)).only("pk").order_by("pk"))
    selection = select(benchmark, sampling)
    if fingerprint is not None and selection.fingerprint != fingerprint:
        raise SelectionChanged
    if not selection.cards:
        raise RoundRefused(_("No card can be chosen: none is approved, or nobody is left who could review it."))
    for card in selection.cards:
        move_card(card, CardVerb.SELECT_FOR_SECOND_REVIEW, by=by, now=now, after={"seed": sampling.seed})
    for seat in selection.seats:
        _open_seat(seat, blind=sampling.blind, by=by, now=now)
    record_event(
        by=by, verb=ASK, object_type="benchmark", object_id=benchmark.slug, now=now,
        after=with_key({"sample": _sample(sampling, selection)}),
    )  # fmt: skip
    return selection


def _sample(sampling: Sampling, selection: Selection) -> dict[str, Any]:
    return {
        "cards": len(selection.cards),
        "of": selection.candidates,
        "size": sampling.size,
        "share": sampling.share,
        "seats": sampling.seats,
        "seed": sampling.seed,
        "blind": sampling.blind,
        "people": {person.username if person else "": number for person, number in selection.by_person},
    }


def _open_seat(seat: Seat, *, blind: bool, by: User, now: datetime) -> Card:
    """A card that holds nothing of the first review."""
    first = seat.card
    if seat.person is not None:
        check_has_role(seat.person, first.benchmark.slug, Role.REVIEWER, Role.LEAD)
    taken = siblings_seats(first)
    card = Card.objects.create(
        answer=first.answer,
        scoring_pass=first.scoring_pass,
        round=Round.SECOND,
        seat=max(taken, default=0) + 1,
        specification=first.specification,
        key_version=first.key_version,
        batch_id=first.batch_id,
        assigned_to=seat.person,
        blind=blind,
    )
    record_event(
        by=by,
        verb="open_card",
        object_type="card",
        object_id=card.ledger_id,
        after={
            **versions_of(card),
            "assigned_to": seat.person.username if seat.person else None,
            **fields_since(None, card),
        },
        now=now,
    )
    return prefill_card(card=card, by=None, now=now)


def siblings_seats(first: Card) -> list[int]:
    """Seats of second reviews of the answer in this pass, under whatever specification."""
    rows = Card.objects.filter(answer=first.answer_id, scoring_pass=first.scoring_pass, round=Round.SECOND)
    return list(rows.values_list("seat", flat=True))


@transaction.atomic
def take_seat(*, card: Card, by: User, now: datetime) -> Card:
    """Take a free seat of the round to which `card` (its first review, or a seat) belongs.

    Seats are locked before they are looked at, so there are never more reviews than were asked for. Raises RoundRefused
    where no seat is free, NotAllowed for whoever already takes part. Who holds a seat gets that one again.
    """
    seats = list(siblings_of(card).filter(round=Round.SECOND).select_for_update(of=("self",)).order_by("pk"))
    if (own := next((each for each in seats if each.assigned_to_id == by.pk), None)) is not None:
        return own
    free = next((each for each in seats if each.assigned_to_id is None and each.approved_by_id is None), None)
    if free is None:
        raise RoundRefused(_("Everybody asked for is found: no seat of this second review is free."))
    check_can_assign(by, free, by)
    values = values_of(free)
    free.assigned_to = by
    free.version += 1
    free.save(update_fields=["assigned_to", "version"])
    record_event(
        by=by,
        verb="assign",
        object_type="card",
        object_id=free.ledger_id,
        before={"assigned_to": None},
        after={"assigned_to": by.username, "version": free.version, **fields_since(values, free)},
        now=now,
    )
    return free


@transaction.atomic
def cancel_second_review(*, card: Card, reason: str, by: User, now: datetime) -> Card:
    """Call the round to which `card` (its first review, or a seat) belongs off before anybody began it; its empty seats
    go. Returns the first review. Raises RoundRefused once somebody began, and where there is no round. A form that was
    sent twice calls off once."""
    check_can_plan_reviews(by, card.benchmark)
    found = siblings_of(card).filter(round=Round.FIRST).with_answer().first()
    if found is None or card.round not in (Round.FIRST, Round.SECOND):
        raise RoundRefused(_("This card belongs to no second review."))
    first = locked_card(found)
    if done_before("card", first.ledger_id, verb=CardVerb.CANCEL_SECOND_REVIEW, by=by):
        return first
    seats = list(siblings_of(first).filter(round=Round.SECOND).select_for_update(of=("self",)).order_by("pk"))
    if any(seat.state not in UNTOUCHED for seat in seats):
        raise RoundRefused(_("The second review has begun. Let it be finished; its result can be adjudicated."))
    removed = [seat.identifier for seat in seats]
    for seat in seats:
        seat.findings.all().delete()
        seat.delete()
    return move_card(
        first, CardVerb.CANCEL_SECOND_REVIEW, by=by, now=now, reason=reason, after={"seats_removed": removed}
    )


def lock_round(card: Card) -> None:
    """Lock every card of the answer in one order, so that two who approve at once do not wait for each other."""
    rows = Card.objects.filter(answer=card.answer_id, scoring_pass=card.scoring_pass).order_by("pk")
    list(rows.select_for_update(of=("self",)).only("pk"))


def close_round(*, card: Card, by: User, now: datetime) -> None:
    """After the approval of a second review: when all are handed in, record agreement or conflict on the first.

    A card that was adjudicated under the same specification and key is not called into question again.
    """
    siblings = siblings_of(card).with_answer().order_by("round", "seat")
    first = next((each for each in siblings if each.round == Round.FIRST), None)
    seconds = [each for each in siblings if each.round == Round.SECOND]
    if first is None or first.state != CardState.SECOND_REVIEW:
        return
    if any(each.state != CardState.APPROVED for each in seconds):
        return
    items = differing([first, *seconds])
    adjudicated = any(each.round == Round.ADJUDICATED and each.state == CardState.APPROVED for each in siblings)
    verb = CardVerb.RECORD_CONFLICT if items and not adjudicated else CardVerb.RECORD_AGREEMENT
    move_card(first, verb, by=by, now=now, after={"reviews": 1 + len(seconds), "differences": len(items)})


def check_first_can_change(card: Card) -> None:
    """Raises NotAllowed for a review that an adjudicated card has replaced: that one is reopened instead."""
    replaced = siblings_of(card).filter(round=Round.ADJUDICATED, state=CardState.APPROVED)
    if card.round in (Round.FIRST, Round.SECOND) and replaced.exists():
        raise NotAllowed(_("This card was adjudicated. Open the adjudication again to change its result."))
