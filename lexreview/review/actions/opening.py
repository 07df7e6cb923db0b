from datetime import datetime

from django.db import transaction

from lexreview.accounts.models import User
from lexreview.answers.models import Answer
from lexreview.ledger.actions import EventDraft, record_event, record_events
from lexreview.questions.models import Benchmark
from lexreview.review.actions.sent_once import lock_benchmark
from lexreview.review.changing import locked_card
from lexreview.review.drawing import drawn
from lexreview.review.models import Card, ReviewPlan, is_rehearsal
from lexreview.review.recording import fields_since, values_of, versions_of
from lexreview.review.rules import check_can_assign, check_can_prefill


@transaction.atomic
def open_cards(*, benchmark: Benchmark, by: User | None, now: datetime) -> int:
    """An empty card for every scored answer that has none, under the benchmark's specification and approved key.

    Returns how many were made; a second call makes none. Answers whose question has no approved key are passed over.
    A rehearsal has the cards that were given to somebody and no others.
    The benchmark's plan says what share comes without pre-fill, and what share comes back later as a repeat.
    """
    check_can_prefill(by, benchmark)
    lock_benchmark(benchmark.pk)
    if is_rehearsal(benchmark):
        return 0
    answers = Answer.objects.of_benchmark(benchmark).scored().filter(cards__isnull=True).with_run().in_order()
    keys = {
        key.question_id: key
        for question in benchmark.questions.prefetch_related("key_versions")
        for key in question.key_versions.all()
        if key.state == "approved"
    }
    plan = ReviewPlan.of(benchmark)
    cards = [
        Card(
            answer=answer,
            specification=benchmark.specification,
            key_version=keys[answer.question_id],
            blind=drawn(plan.blind_share, seed=plan.seed, what="blind", name=answer.identifier),
            to_repeat=drawn(plan.repeat_share, seed=plan.seed, what="repeat", name=answer.identifier),
        )
        for answer in answers
        if answer.question_id in keys
    ]
    Card.objects.bulk_create(cards, batch_size=200)
    drafts = [
        EventDraft(
            verb="open_card",
            object_type="card",
            object_id=card.ledger_id,
            after={**versions_of(card), **fields_since(None, card)},
        )
        for card in cards
    ]
    record_events(by=by, drafts=drafts, now=now)
    return len(cards)


@transaction.atomic
def assign_card(*, card: Card, to: User | None, by: User, now: datetime) -> Card:
    """Give the card to a person, or to nobody, for good: only a card that a person takes lapses.

    Assigning it again to the same person changes nothing.
    """
    current = locked_card(card)
    check_can_assign(by, current, to)
    before, values = current.assigned_to, values_of(current)
    if before == to:
        return current
    current.assigned_to, current.claimed_until = to, None
    current.version += 1
    current.save(update_fields=["assigned_to", "claimed_until", "version"])
    record_event(
        by=by,
        verb="assign",
        object_type="card",
        object_id=current.ledger_id,
        before={"assigned_to": before.username if before else None},
        after={
            "assigned_to": to.username if to else None,
            "version": current.version,
            **fields_since(values, current),
        },
        now=now,
    )
    return current
