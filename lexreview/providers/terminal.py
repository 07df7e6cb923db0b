"""What the commands that call models have in common: limits and confirmation, and what became of the job."""

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.core.management.base import OutputWrapper

from lexreview.core.words import counted
from lexreview.jobs.models import Job
from lexreview.jobs.terminal import run_job_inline
from lexreview.providers.budgets import spent_by
from lexreview.providers.money import amount, money


def add_spending_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--budget-usd", type=amount, metavar="USD", help="stop before more than this is spent")
    parser.add_argument("--budget-tokens", type=int, metavar="N")
    parser.add_argument("--concurrency", type=int, metavar="N", help="calls at the same time")
    parser.add_argument("--dry-run", action="store_true", help="print calls and estimated cost, and call nothing")
    parser.add_argument("--yes", action="store_true", help="confirm a run above COLLECT_CONFIRM_USD")
    parser.add_argument("--no-wait", action="store_true", help="leave the job to the workers")


def spending_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """The limits and the confirmation, as the actions that start such jobs take them."""
    chosen = {name: options[name] for name in ("budget_usd", "budget_tokens", "concurrency")}
    return {**chosen, "confirmed": options["yes"]}


def do_job(job: Job, *, stdout: OutputWrapper) -> bool:
    """Do the job here and print what became of it and what was spent; whether every item is done."""
    job = run_job_inline(job)
    spent = spent_by(job)
    stdout.write(
        f"Job {job.pk} {job.state}: {job.done - job.failed} done, {job.failed} failed, {job.left} left; "
        f"{counted(spent.calls, 'call')}, {money(spent.usd, lower=spent.is_lower_bound)} USD."
    )
    if job.has_reason:
        what = str(job.in_the_way.what) if job.in_the_way else ""
        stdout.write(": ".join(part for part in (what, job.error) if part))
    return not (job.failed or job.left)
