from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from lexreview.accounts.models import Membership, User
from lexreview.accounts.rules import NotAllowed
from lexreview.core.workflow import Role, Round
from lexreview.ledger.actions import EventDraft, record_events
from lexreview.questions.models import Benchmark
from lexreview.review.models import GIVEN_OUT, Batch, Card
from lexreview.review.rules import check_can_lead_review, check_is_new_to

LOT = 500


@transaction.atomic
def assign_cards(
    *, cards: Mapping[int, User | None], by: User, now: datetime, reason: str = "", batch: Batch | None = None
) -> int:
    """Give each card (by primary key) to a person or to nobody, for good. Returns how many changed hands.

    `batch`: of which they are from now on; without one they stay in the batch that they were given out in before.

    A few queries for any number of cards, an event for each. Only a lead of every card's benchmark may, and only
    people who review there get cards. Approved cards and those in a blind round are passed over: what is done is
    given back by returning it.
    """
    changed: list[EventDraft] = []
    people = {person.pk: person for person in cards.values() if person is not None}
    checked: set[int] = set()
    keys = sorted(cards)
    for start in range(0, len(keys), LOT):
        lot = _locked(keys[start : start + LOT])
        for benchmark in {card.queue_benchmark for card in lot if card.queue_benchmark_id not in checked}:
            _check(by, benchmark, people)
            checked.add(benchmark.pk)
        changed += _assign_lot(lot, cards, reason=reason, batch=batch)
    record_events(by=by, drafts=changed, now=now)
    return len(changed)


@transaction.atomic
def release_claims(*, benchmark: Benchmark, person: User, by: User, now: datetime) -> int:
    """Make free what the person claimed in the benchmark; cards that a lead assigned stay theirs. Returns how many.

    A lead may do so for anybody, and everybody for themselves. What was typed and not sent stays in their browser.
    """
    if by != person:
        check_can_lead_review(by, benchmark)
    claimed = Card.objects.open().filter(queue_benchmark=benchmark, assigned_to=person, claimed_until__isnull=False)
    keys = list(claimed.values_list("pk", flat=True))
    nobody: dict[int, User | None] = dict.fromkeys(keys)
    drafts: list[EventDraft] = []
    for start in range(0, len(keys), LOT):
        lot = [card for card in _locked(keys[start : start + LOT]) if card.assigned_to_id == person.pk]
        drafts += _assign_lot(lot, nobody, reason="", batch=None)
    record_events(by=by, drafts=drafts, now=now)
    return len(drafts)


def _locked(keys: list[int]) -> list[Card]:
    # A rehearsal stays with the person whom it measures.
    cards = Card.objects.filter(pk__in=keys, state__in=GIVEN_OUT).exclude(round=Round.REHEARSAL)
    rows = cards.select_for_update(of=("self",))
    return list(
        rows.select_related("queue_benchmark", "answer__question__benchmark", "assigned_to")
        .only("version", "scoring_pass", "round", "seat", "specification_id", "key_version_id", "claimed_until",
              "answer__identifier",
              "answer__question__benchmark__slug", "queue_benchmark__slug", "assigned_to__username")
        .order_by("pk")
    )  # fmt: skip


def _check(by: User, benchmark: Benchmark, people: Mapping[int, User]) -> None:
    check_can_lead_review(by, benchmark)
    assessors = Membership.objects.of_benchmark(benchmark.slug).filter(
        user__in=people, user__is_active=True, role__in=(Role.REVIEWER, Role.LEAD)
    )
    for missing in set(people) - set(assessors.values_list("user_id", flat=True)):
        raise NotAllowed(_("%(person)s does not review in this benchmark.") % {"person": people[missing]})


def _assign_lot(
    lot: list[Card], cards: Mapping[int, User | None], *, reason: str, batch: Batch | None
) -> list[EventDraft]:
    moved = [card for card in lot if card.assigned_to != cards[card.pk] or card.claimed_until is not None]
    for card in moved:
        person = cards[card.pk]
        if person is not None and card.round != Round.FIRST:
            check_is_new_to(person, card)
    by_person: dict[User | None, list[int]] = {}
    for card in moved:
        by_person.setdefault(cards[card.pk], []).append(card.pk)
    of_batch = {} if batch is None else {"batch": batch}
    for person, keys in by_person.items():
        Card.objects.filter(pk__in=keys).update(
            assigned_to=person, claimed_until=None, version=F("version") + 1, **of_batch
        )
    return [_event(card, cards[card.pk], reason=reason, batch=batch) for card in moved]


def _event(card: Card, to: User | None, *, reason: str, batch: Batch | None) -> EventDraft:
    before = card.assigned_to
    return EventDraft(
        verb="assign",
        object_type="card",
        object_id=card.ledger_id,
        before={"assigned_to": before.username if before else None},
        after={
            "assigned_to": to.username if to else None,
            "version": card.version + 1,
            **({} if batch is None else {"batch": batch.number}),
        },
        reason=reason,
    )
