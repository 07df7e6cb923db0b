"""What this room adds to the page of a job and of its items: what was spent, and every call with its outcome."""

from dataclasses import dataclass
from decimal import Decimal

from lexreview.jobs.models import Job, JobItem
from lexreview.jobs.sections import JobSection, add_item_section, add_job_section
from lexreview.providers.actions import budget_of
from lexreview.providers.budgets import Spent, spent_by_model
from lexreview.providers.models import Call
from lexreview.providers.money import money
from lexreview.providers.pricing import Cost


@dataclass(frozen=True, slots=True)
class ModelRow:
    """Calls of one model in a job."""

    provider: str
    model: str
    calls: int
    tokens: int
    cost: str


@dataclass(frozen=True, slots=True)
class Spending:
    """What a job has spent, per model and in all; `expected`: the whole job at the present cost per finished item;
    `unpriced`: models whose price, or a part of it, is not known."""

    spent: Spent
    cost: str
    expected: str
    budget_usd: str
    budget_tokens: int | None
    rows: list[ModelRow]
    unpriced: list[str]


@dataclass(frozen=True, slots=True)
class CallRow:
    call: Call
    cost: str
    has_raw: bool


def spending_section(job: Job) -> JobSection | None:
    by_model = spent_by_model(job)
    if not by_model:
        return None
    spent = sum(by_model.values(), Spent())
    tokens, usd = budget_of(job.params)
    content = Spending(
        spent=spent,
        cost=_cost(spent),
        expected=_expected(job, spent),
        budget_usd="" if usd is None else money(usd),
        budget_tokens=tokens,
        rows=[
            ModelRow(provider, model, each.calls, each.tokens, _cost(each))
            for (provider, model), each in by_model.items()
        ],
        unpriced=[f"{provider} {model}" for (provider, model), each in by_model.items() if each.unpriced],
    )
    return JobSection("providers/_spending.html", content)


def calls_section(item: JobItem) -> JobSection | None:
    calls = Call.objects.filter(job=item.job_id, item_key=item.key).select_related("raw").order_by("pk")
    rows = [CallRow(call, money(call.cost_usd, lower=call.cost_is_lower_bound), hasattr(call, "raw")) for call in calls]
    return JobSection("providers/_calls.html", rows) if rows else None


def _cost(spent: Spent) -> str:
    """Of nothing but unknown costs no amount is shown."""
    known = Cost(spent.usd if spent.usd or not spent.is_lower_bound else None, spent.is_lower_bound)
    return money(known.usd, lower=known.is_lower_bound)


def _expected(job: Job, spent: Spent) -> str:
    if not job.is_live or not job.done or not spent.usd:
        return ""
    return money((spent.usd / job.done * job.total).quantize(Decimal("0.0001")), lower=spent.is_lower_bound)


add_job_section(position=10, make=spending_section)
add_item_section(position=10, make=calls_section)
