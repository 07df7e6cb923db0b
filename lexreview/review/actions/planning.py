from dataclasses import asdict, dataclass
from datetime import datetime
from decimal import Decimal
from hashlib import sha256

from django.db import transaction
from django.utils.translation import gettext as _

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


class PlanChanged(Exception):
    """Somebody saved another plan since the page was made; nothing was overwritten. `plan`: as it is now."""

    def __init__(self, plan: ReviewPlan) -> None:
        super().__init__(_("The plan was changed meanwhile. Nothing was overwritten."))
        self.plan = plan


def fingerprint_of(plan: ReviewPlan) -> str:
    """The same for plans that say the same."""
    values = [getattr(plan, name) for name in sorted(asdict(PlanDraft()))]
    said = [str(value.normalize()) if isinstance(value, Decimal) else str(value) for value in values]
    return sha256("|".join(said).encode()).hexdigest()[:16]


@transaction.atomic
def save_review_plan(
    *, benchmark: Benchmark, draft: PlanDraft, by: User | None, now: datetime, base: str | None = None
) -> ReviewPlan:
    """Set how new cards are reviewed; cards that are there stay as they were drawn. The same plan changes nothing.

    `base`: the fingerprint of the plan that the lead saw, None where code sets it. Raises PlanChanged where it is
    another by now.
    """
    check_can_plan_reviews(by, benchmark)
    Benchmark.objects.select_for_update(of=("self",)).get(pk=benchmark.pk)
    row = ReviewPlan.objects.filter(benchmark=benchmark).first()
    fields = asdict(draft)
    before = {name: getattr(row, name) for name in fields} if row else None
    if before == fields:
        return ReviewPlan.of(benchmark)
    current = row or ReviewPlan(benchmark=benchmark)
    if base is not None and fingerprint_of(current) != base:
        raise PlanChanged(current)
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
