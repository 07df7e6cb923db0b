from datetime import datetime

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from lexreview.accounts.models import User
from lexreview.ledger.actions import record_event
from lexreview.review.actions.assigning import assign_cards
from lexreview.review.actions.sent_once import check_not_sent_before, with_key
from lexreview.review.batches import BatchChanged, BatchPlan
from lexreview.review.models import Batch
from lexreview.review.rules import check_can_lead_review

ASSIGN = "assign_batch"
MASK = "set_batch_masking"


@transaction.atomic
def assign_batch(*, plan: BatchPlan, fingerprint: str, by: User, now: datetime) -> int:
    """Give out the cards as the plan shows: an event for each, and one for the batch. Returns how many.

    `fingerprint`: of the split that the lead saw. Raises BatchChanged when the free cards make another one now,
    SentBefore for a form that was sent twice.
    """
    check_can_lead_review(by, plan.order.benchmark)
    check_not_sent_before(plan.order.benchmark, verb=ASSIGN, by=by)
    plan = BatchPlan(plan.order, by=by, now=now)
    if plan.fingerprint != fingerprint:
        raise BatchChanged
    hands = {item.key: person for person, items in plan.dealt.items() for item in items}
    if not hands:
        return 0
    batch = _new_batch(plan, by=by, now=now)
    reason = _("batch %(number)s, seed %(seed)s") % {"number": batch.number, "seed": batch.seed}
    given = assign_cards(cards=hands, batch=batch, by=by, now=now, reason=reason)
    record_event(
        by=by,
        verb=ASSIGN,
        object_type="benchmark",
        object_id=plan.order.benchmark.slug,
        after=with_key(
            {
                "batch": batch.number,
                "masks_systems": batch.masks_systems,
                "filters": batch.filters,
                "seed": batch.seed,
                "cards": {hand.person.username: hand.cards for hand in plan.hands},
                "of": len(plan.pool),
            }
        ),
        now=now,
    )
    return given


def _new_batch(plan: BatchPlan, *, by: User, now: datetime) -> Batch:
    """The benchmark is locked, so its number is nobody else's."""
    order = plan.order
    newest = Batch.objects.of_benchmark(order.benchmark).aggregate(newest=Max("number"))["newest"]
    return Batch.objects.create(
        benchmark=order.benchmark,
        number=(newest or 0) + 1,
        seed=order.seed,
        filters=dict(order.filters),
        size=sum(len(items) for items in plan.dealt.values()),
        masks_systems=order.masks_systems,
        given_by=by,
        given_at=now,
    )


@transaction.atomic
def set_batch_masking(*, batch: Batch, masked: bool, by: User, now: datetime) -> Batch:
    """Hide from reviewers which systems answered in the batch until its cards are approved, or show it. Leads decide.

    What the benchmark masks stays masked. Setting what is set changes nothing and records nothing.
    """
    current = Batch.objects.select_for_update(of=("self",)).select_related("benchmark").get(pk=batch.pk)
    check_can_lead_review(by, current.benchmark)
    if current.masks_systems == masked:
        return current
    current.masks_systems = masked
    current.save(update_fields=["masks_systems"])
    record_event(
        by=by,
        verb=MASK,
        object_type="benchmark",
        object_id=current.benchmark.slug,
        before={"batch": current.number, "masks_systems": not masked},
        after={"batch": current.number, "masks_systems": masked},
        now=now,
    )
    return current
