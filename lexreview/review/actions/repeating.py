"""Cards that come back to their reviewer unannounced, for the agreement of a person with themselves."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from lexreview.accounts.models import User
from lexreview.core.workflow import CardState, Round
from lexreview.ledger.actions import record_event
from lexreview.prepared import Prepared
from lexreview.questions.models import Benchmark
from lexreview.review.actions.prefilling import prefill_card
from lexreview.review.models import Card, ReviewPlan
from lexreview.review.models.card import CardQuerySet
from lexreview.review.recording import fields_since
from lexreview.review.rules import check_can_plan_reviews


def bring_back_due(*, benchmark: Benchmark, reviewer: User, now: datetime) -> list[Card]:
    """The reviewer's cards that were drawn to come back and after which they approved enough others."""
    waiting = _waiting_for(benchmark.pk, reviewer.pk)
    if not waiting:
        return []
    after = ReviewPlan.of(benchmark).repeat_after
    approved = Card.objects.of_benchmark(benchmark).first_round().approved().filter(approved_by=reviewer)
    due = [card for card in waiting if approved.filter(approved_at__gt=card.approved_at).count() >= after]
    return _brought_back(due, now=now)


@transaction.atomic
def bring_back_all(*, benchmark: Benchmark, by: User, now: datetime) -> list[Card]:
    """Every approved card that was drawn to come back, at once: for the end of the work."""
    check_can_plan_reviews(by, benchmark)
    return _brought_back(_waiting(benchmark.pk), now=now)


def _waiting(benchmark: int) -> CardQuerySet:
    cards = Card.objects.in_benchmark(benchmark).first_round().filter(to_repeat=True, state=CardState.APPROVED)
    return cards.with_answer().order_by("approved_at", "pk")


_waiting_for = Prepared(lambda benchmark, reviewer: _waiting(benchmark).filter(approved_by=reviewer), int, int)
"""Asked at each approval; nearly always there are none."""


def _brought_back(cards: Iterable[Card], *, now: datetime) -> list[Card]:
    """Each once, however many ask for it at the same moment; a card that somebody is changing comes back another time.

    Nobody waits for a card here: the ledger may be locked already, for which whoever has the card waits.
    """
    due = list(cards)
    with transaction.atomic():
        rows = Card.objects.filter(pk__in=[card.pk for card in due]).order_by("pk")
        free = set(rows.select_for_update(of=("self",), skip_locked=True).values_list("pk", flat=True))
        made = [_bring_back(card, now=now) for card in due if card.pk in free]
    return [repeat for repeat in made if repeat is not None]


@transaction.atomic
def _bring_back(card: Card, *, now: datetime) -> Card | None:
    """A card as the first was before anybody touched it; None where it came back meanwhile. Its history begins anew, so
    that nothing tells it apart."""
    if not Card.objects.filter(pk=card.pk, to_repeat=True, state=CardState.APPROVED).update(to_repeat=False):
        return None
    repeat = Card.objects.create(
        answer=card.answer,
        scoring_pass=card.scoring_pass,
        round=Round.REPEAT,
        specification=card.specification,
        key_version=card.key_version,
        batch_id=card.batch_id,
        assigned_to=card.approved_by,
        blind=card.blind,
    )
    record_event(
        by=None,
        verb="open_card",
        object_type="card",
        object_id=repeat.ledger_id,
        after={
            "specification": card.specification.version,
            "key_version": card.key_version.number,
            **fields_since(None, repeat),
        },
        now=now,
    )
    return prefill_card(card=repeat, by=None, now=now)
