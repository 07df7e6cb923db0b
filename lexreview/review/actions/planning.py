from dataclasses import asdict, dataclass
from datetime import datetime
from decimal import Decimal

from django.db import transaction

from lexreview.accounts.models import User
from lexreview.ledger.actions import record_event
from lexreview.questions.models import Benchmark
from lexreview.review.models import ReviewPlan
from lexreview.review.rules import check_can_plan_reviews


@dataclass(frozen=True, kw_only=True)
class PlanDraft:
    """What a plan says; see the model. Shares in [0, 1]."""

    blind_share: Decimal = Decimal("0.1")
    repeat_share: Decimal = Decimal("0.05")
    repeat_after: int = 20
    names_hidden: bool = False
    model_hidden: bool = False
    seed: int = 1


@transaction.atomic
def save_review_plan(*, benchmark: Benchmark, draft: PlanDraft, by: User | None, now: datetime) -> ReviewPlan:
    """Set how new cards are reviewed; cards that are there stay as they were drawn. The same plan changes nothing."""
    check_can_plan_reviews(by, benchmark)
    Benchmark.objects.select_for_update(of=("self",)).get(pk=benchmark.pk)
    row = ReviewPlan.objects.filter(benchmark=benchmark).first()
    fields = asdict(draft)
    before = {name: getattr(row, name) for name in fields} if row else None
    if before == fields:
        return ReviewPlan.of(benchmark)
    row, _created = ReviewPlan.objects.update_or_create(benchmark=benchmark, defaults=fields)
    record_event(
        by=by,
        verb="plan_reviews",
        object_type="benchmark",
        object_id=benchmark.slug,
        before=before,
        after=fields,
        now=now,
    )
    return row
