from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from lexreview.core.words import counted
from lexreview.jobs.actions import NotPossible
from lexreview.providers.confirming import NotConfirmed
from lexreview.providers.terminal import add_spending_arguments, do_job, spending_of
from lexreview.questions.models import Benchmark
from lexreview.verification.actions import start_support_check
from lexreview.verification.support_planning import CannotCheckSupport, SupportPlan, make_support_plan


class Command(BaseCommand):
    help = (
        "Asks a model for every citation with a source text whether the source supports the claim. What was asked "
        "before is not asked again. Its opinions are advice and change no result."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--benchmark", required=True)
        parser.add_argument("--model", metavar="PROVIDER:MODEL", help="in place of SUPPORT_MODEL")
        add_spending_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        benchmark = Benchmark.objects.filter(slug=options["benchmark"]).first()
        if benchmark is None:
            raise CommandError(f"There is no benchmark {options['benchmark']}.")
        try:
            plan = make_support_plan(benchmark=benchmark, model=options["model"] or settings.SUPPORT_MODEL)
        except CannotCheckSupport as error:
            raise CommandError(str(error)) from error
        self._print(plan)
        if options["dry_run"] or not plan.waiting:
            return
        try:
            job = start_support_check(plan=plan, by=None, now=timezone.now(), **spending_of(options))
        except NotConfirmed as error:
            raise CommandError(f"{error} (--yes)") from error
        except NotPossible as error:
            raise CommandError(str(error)) from error
        if options["no_wait"]:
            self.stdout.write(f"Job {job.pk} is queued.")
        elif not do_job(job, stdout=self.stdout):
            raise CommandError("Not every citation was checked; run the command again, or resume the job.")

    def _print(self, plan: SupportPlan) -> None:
        known = (
            f", from the usage of {counted(plan.recorded, 'call')} on record" if plan.recorded and plan.calls else ""
        )
        self.stdout.write(
            f"{plan.name}: {counted(len(plan.waiting), 'citation')} to check, {counted(len(plan.calls), 'call')}, "
            f"about {counted(plan.tokens, 'token')}, {plan.usd} USD{known}."
        )
