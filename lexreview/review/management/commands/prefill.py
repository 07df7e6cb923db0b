from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from lexreview.core.words import counted
from lexreview.jobs.actions import NothingToDo, NotPossible
from lexreview.jobs.models import Job
from lexreview.providers.confirming import NotConfirmed
from lexreview.providers.connecting import NotConfigured
from lexreview.providers.money import money
from lexreview.providers.terminal import add_spending_arguments, do_job, spending_of
from lexreview.questions.models import Benchmark
from lexreview.review.model_prefill_job import ModelPrefillPlan
from lexreview.review.models import Card
from lexreview.review.starting import start_model_prefill, start_prefill


class Command(BaseCommand):
    help = (
        "Pre-fills the cards of a benchmark: by code, then, where a model is named here or in PREFILL_MODEL, by that "
        "model. Cards that the model was asked about in the same words are left alone."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--benchmark", required=True)
        parser.add_argument("--model", metavar="PROVIDER:MODEL", help="in place of PREFILL_MODEL; empty: code alone")
        add_spending_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        benchmark = Benchmark.objects.filter(slug=options["benchmark"]).first()
        if benchmark is None:
            raise CommandError(f"There is no benchmark {options['benchmark']}.")
        model = settings.PREFILL_MODEL if options["model"] is None else options["model"]
        try:
            self._print(benchmark, model)
            if not options["dry_run"]:
                self._pre_fill(benchmark, model, options)
        except NotConfirmed as error:
            raise CommandError(f"{error} (--yes)") from error
        except (NotConfigured, NotPossible) as error:
            raise CommandError(str(error)) from error

    def _pre_fill(self, benchmark: Benchmark, model: str, options: Mapping[str, Any]) -> None:
        """The model is asked once the code pass is over, so that one never runs without the other."""
        self._do(lambda: start_prefill(benchmark=benchmark, by=None, now=timezone.now()))
        if not model:
            return

        def start() -> Job:
            return start_model_prefill(
                benchmark=benchmark, model=model, by=None, now=timezone.now(), **spending_of(options)
            )

        if options["no_wait"]:
            self.stdout.write(f"Job {start().pk} is queued.")
        else:
            self._do(start)

    def _do(self, start: Callable[[], Job]) -> None:
        try:
            job = start()
        except NothingToDo as nothing:
            self.stdout.write(str(nothing))
            return
        if not do_job(job, stdout=self.stdout):
            raise CommandError("Not all cards were pre-filled; run the command again, or resume the job.")

    def _print(self, benchmark: Benchmark, model: str) -> None:
        waiting = Card.objects.of_benchmark(benchmark).pending_prefill().count()
        if waiting:
            self.stdout.write(f"Not in the estimate: {counted(waiting, 'card')} without the pre-fill by code.")
        if not model:
            self.stdout.write("No model is named: pre-filling by code alone.")
            return
        plan = ModelPrefillPlan(benchmark=benchmark, name=model)
        calls = len(plan.calls)
        usd = money(plan.cost.usd, lower=plan.cost.is_lower_bound) if calls else "0"
        self.stdout.write(f"{model}: {counted(len(plan.cards), 'card')}, {counted(calls, 'call')}, about {usd} USD.")
