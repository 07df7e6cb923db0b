from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from lexreview.core.words import counted
from lexreview.jobs.actions import NothingToDo, NotPossible
from lexreview.judging.actions import start_judging
from lexreview.judging.planning import CannotJudge, Plan, make_plan
from lexreview.providers.confirming import NotConfirmed
from lexreview.providers.terminal import add_spending_arguments, do_job, spending_of
from lexreview.questions.models import Benchmark


class Command(BaseCommand):
    help = (
        "Asks judges, or a panel of judges, for the verdicts that are missing. A verdict that is there is left alone, "
        "so the same command goes on where an earlier one ended, and asks again only where votes failed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--benchmark", required=True)
        who = parser.add_mutually_exclusive_group(required=True)
        who.add_argument("--judges", nargs="+", default=[], metavar="CODE")
        who.add_argument("--panel", default="", metavar="CODE")
        parser.add_argument("--repeat", type=int, default=1, metavar="K", help="ask for verdicts 1 to K of each answer")
        parser.add_argument("--answers", nargs="+", default=[], metavar="IDENTIFIER", help="all without it")
        add_spending_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        benchmark = Benchmark.objects.select_related("specification").filter(slug=options["benchmark"]).first()
        if benchmark is None:
            raise CommandError(f"There is no benchmark {options['benchmark']}.")
        try:
            plan = make_plan(
                benchmark=benchmark,
                judges=options["judges"],
                panel=options["panel"],
                repeats=options["repeat"],
                answers=options["answers"],
            )
        except CannotJudge as error:
            raise CommandError("\n".join(error.problems)) from error
        self._print(plan)
        if options["dry_run"]:
            return
        try:
            job = start_judging(plan=plan, by=None, now=timezone.now(), **spending_of(options))
        except NotConfirmed as error:
            raise CommandError(f"{error} (--yes)") from error
        except NothingToDo:
            return
        except NotPossible as error:
            raise CommandError(str(error)) from error
        if options["no_wait"]:
            self.stdout.write(f"Job {job.pk} is queued.")
            return
        if not do_job(job, stdout=self.stdout):
            raise CommandError("Not all verdicts are there; run the command again, or resume the job.")

    def _print(self, plan: Plan) -> None:
        for row in plan.estimate:
            known = f", usage of {row.recorded} on record" if row.recorded else ""
            most = "at most " if row.at_most else ""
            asked = f"{counted(row.calls, 'call')}, about {counted(row.tokens, 'token')}"
            self.stdout.write(f"{row.judge.code}: {most}{asked}, {row.usd} USD{known}")
        cost = plan.usd if plan.missing else "0"
        most = "at most " if plan.is_upper_bound else ""
        self.stdout.write(f"In all {most}{counted(len(plan.missing), 'call')}, {cost} USD.")
