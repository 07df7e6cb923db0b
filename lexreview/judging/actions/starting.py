"""Starting the job of judges."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from lexreview.accounts.models import User
from lexreview.jobs.actions import start_job
from lexreview.jobs.models import Job
from lexreview.judging.actions.panels import settle_panel
from lexreview.judging.planning import Plan
from lexreview.providers.actions import limits_as_params
from lexreview.providers.confirming import check_confirmed
from lexreview.questions.rules import check_can_operate

JUDGE = "judge"


def start_judging(
    *,
    plan: Plan,
    budget_usd: Decimal | None = None,
    budget_tokens: int | None = None,
    concurrency: int | None = None,
    confirmed: bool = False,
    by: User | None,
    now: datetime,
) -> Job:
    """Start the job that asks for the plan's missing verdicts; what follows from those that are there is settled now.

    Raises NotConfirmed where the estimate is above COLLECT_CONFIRM_USD, or not known, and `confirmed` is False;
    NotAllowed, and what start_job raises.
    """
    check_can_operate(by, plan.benchmark.slug)
    if plan.missing:
        check_confirmed(plan.cost, confirmed=confirmed)
    if plan.panel is not None:
        for questions in plan.panel_questions:
            settle_panel(panel=plan.panel, questions=questions, by=by, now=now)
    chosen: dict[str, Any] = (
        {"panel": plan.panel.code} if plan.panel else {"judges": [judge.code for judge in plan.judges]}
    )
    params: dict[str, Any] = {"benchmark": plan.benchmark.slug, **chosen, "repeats": plan.repeats}
    if plan.named:
        params["answers"] = plan.named
    params |= limits_as_params(budget_usd=budget_usd, budget_tokens=budget_tokens, concurrency=concurrency)
    return start_job(kind=JUDGE, benchmark_slug=plan.benchmark.slug, params=params, by=by, now=now)
