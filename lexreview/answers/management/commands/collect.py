from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from lexreview.answers.actions import start_collecting
from lexreview.answers.collecting import CannotCollect, Plan, make_plan
from lexreview.core.words import counted
from lexreview.jobs.actions import NotPossible
from lexreview.providers.confirming import NotConfirmed
from lexreview.providers.terminal import add_spending_arguments, do_job, spending_of
from lexreview.questions.models import Benchmark


class Command(BaseCommand):
    help = (
        "Collects the answers that are missing: systems × conditions × repetitions × questions. Cells that have an "
        "answer are left alone, so the same command goes on where an earlier one ended."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--benchmark", required=True)
        parser.add_argument("--systems", required=True, nargs="+", metavar="CODE")
        parser.add_argument("--conditions", required=True, nargs="+", metavar="CODE")
        parser.add_argument("--sets", nargs="+", default=[], metavar="CODE", help="question sets; all without it")
        parser.add_argument("--repetitions", type=int, default=1, metavar="N", help="runs 1 to N of every system")
        add_spending_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            plan = make_plan(
                benchmark=self._benchmark(options["benchmark"]),
                systems=options["systems"],
                conditions=options["conditions"],
                repetitions=options["repetitions"],
                sets=options["sets"],
            )
        except CannotCollect as error:
            raise CommandError("\n".join(error.problems)) from error
        self._print(plan)
        if options["dry_run"] or not plan.missing:
            return
        try:
            job = start_collecting(plan=plan, by=None, now=timezone.now(), **spending_of(options))
        except NotConfirmed as error:
            raise CommandError(f"{error} (--yes)") from error
        except NotPossible as error:
            raise CommandError(str(error)) from error
        if options["no_wait"]:
            self.stdout.write(f"Job {job.pk} is queued.")
            return
        if not do_job(job, stdout=self.stdout):
            raise CommandError("Not all answers were collected; run the command again, or resume the job.")

    def _benchmark(self, slug: str) -> Benchmark:
        benchmark = Benchmark.objects.filter(slug=slug).first()
        if benchmark is None:
            raise CommandError(f"There is no benchmark {slug}.")
        return benchmark

    def _print(self, plan: Plan) -> None:
        for row in plan.estimate:
            known = f", usage of {row.recorded} on record" if row.recorded else ""
            name = f"{row.system.code} {row.condition.code}"
            self.stdout.write(
                f"{name}: {counted(row.calls, 'call')}, about {counted(row.tokens, 'token')}, {row.usd} USD{known}"
            )
        cost = plan.usd if plan.missing else "0"
        self.stdout.write(f"In all {counted(len(plan.missing), 'call')}, {cost} USD.")
