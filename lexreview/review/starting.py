"""Starting the jobs that pre-fill cards."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from lexreview.accounts.models import User
from lexreview.jobs.actions import start_job
from lexreview.jobs.models import Job
from lexreview.jobs.rules import check_can_start
from lexreview.providers.actions import limits_as_params
from lexreview.providers.confirming import check_confirmed
from lexreview.questions.models import Benchmark
from lexreview.review.model_prefill_job import PREFILL_BY_MODEL, ModelPrefillPlan
from lexreview.review.prefill_job import PREFILL


def start_prefill(*, benchmark: Benchmark, by: User | None, now: datetime) -> Job:
    """Pre-fill by code the cards of all answers that have none. Raises what start_job raises."""
    return start_job(kind=PREFILL, benchmark_slug=benchmark.slug, params={"benchmark": benchmark.slug}, by=by, now=now)


def start_model_prefill(
    *,
    benchmark: Benchmark,
    model: str,
    budget_usd: Decimal | None = None,
    budget_tokens: int | None = None,
    concurrency: int | None = None,
    confirmed: bool = False,
    by: User | None,
    now: datetime,
) -> Job:
    """Ask a model (provider:model) about the open cards.

    Raises NotConfigured; NotConfirmed where the estimate is above COLLECT_CONFIRM_USD, or not known, and `confirmed` is
    False; what start_job raises.
    """
    check_can_start(by, PREFILL_BY_MODEL, benchmark.slug)
    plan = ModelPrefillPlan(benchmark=benchmark, name=model)
    if plan.calls:
        check_confirmed(plan.cost, confirmed=confirmed)
    params: dict[str, Any] = {"benchmark": benchmark.slug, "model": model}
    params |= limits_as_params(budget_usd=budget_usd, budget_tokens=budget_tokens, concurrency=concurrency)
    return start_job(kind=PREFILL_BY_MODEL, benchmark_slug=benchmark.slug, params=params, by=by, now=now)
