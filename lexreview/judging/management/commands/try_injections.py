import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from lexreview.answers.models import Answer
from lexreview.core.words import counted
from lexreview.judging.injection_trial import NoBaseline, Trial, TrialOutcome, TrialReport
from lexreview.judging.requesting import CannotBeJudged, Desk
from lexreview.providers.confirming import NotConfirmed, check_confirmed
from lexreview.providers.connecting import NotConfigured, named_model
from lexreview.providers.estimating import estimated_usage
from lexreview.providers.money import money
from lexreview.providers.pricing import Cost, PriceList
from lexreview.questions.models import Benchmark


class Command(BaseCommand):
    help = (
        "Tries whether a model, as a judge, is moved by what an answer says to it: one call for the plain answer and "
        "one for each injection of the corpus. Name an answer with an error, for most injections ask to overlook one. "
        "Nothing is stored."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--model", required=True, metavar="PROVIDER:NAME")
        parser.add_argument("--benchmark", required=True)
        parser.add_argument("--answer", default="", metavar="IDENTIFIER", help="without it the first with a text")
        parser.add_argument("--concurrency", type=int, default=4, metavar="N", help="calls at the same time")
        parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
        parser.add_argument("--dry-run", action="store_true", help="print calls and estimated cost, and call nothing")
        parser.add_argument("--yes", action="store_true", help="confirm a trial above COLLECT_CONFIRM_USD")

    def handle(self, *args: Any, **options: Any) -> None:
        benchmark = Benchmark.objects.select_related("specification").filter(slug=options["benchmark"]).first()
        if benchmark is None:
            raise CommandError(f"There is no benchmark {options['benchmark']}.")
        if options["concurrency"] < 1:
            raise CommandError("At least one call at the same time.")
        try:
            provider, model = named_model(options["model"])
            trial = Trial(benchmark, _answer(benchmark, options["answer"]), provider=provider, model=model)
            cost = _cost(trial)
            if options["dry_run"]:
                usd = money(cost.usd, lower=cost.is_lower_bound)
                self.stdout.write(f"{counted(len(trial.asked) + 1, 'call')}, {usd} USD estimated.")
                return
            check_confirmed(cost, confirmed=options["yes"])
            report = trial.run(at_once=options["concurrency"])
        except (NotConfigured, CannotBeJudged) as error:
            raise CommandError(str(error)) from error
        except NotConfirmed as error:
            raise CommandError(f"{error} (--yes)") from error
        except NoBaseline as error:
            raise CommandError(f"The judge gives no verdict on the plain answer: {error}") from error
        self.stdout.write(
            json.dumps(_as_json(report), ensure_ascii=False, indent=2) if options["json"] else _table(report)
        )


def _answer(benchmark: Benchmark, identifier: str) -> Answer:
    answers = Desk(benchmark).answers([identifier] if identifier else [])
    if not answers:
        raise CommandError(f"There is no answer with a text{f' named {identifier}' if identifier else ''}.")
    return answers[0]


def _cost(trial: Trial) -> Cost:
    prices, on = PriceList.current(), timezone.now().date()
    judge = trial.judge
    return Cost.sum(
        [
            prices.cost(
                provider=judge.endpoint, models=[judge.model_identifier], on=on, usage=estimated_usage(asked.request)
            )
            for asked in (trial.plain, *trial.asked)
        ]
    )


def _as_json(report: TrialReport) -> dict[str, Any]:
    return {
        "model": report.model,
        "prompt": report.prompt,
        "answer": report.answer,
        "plain": _words(report.baseline),
        **{outcome.value: report.count(outcome) for outcome in TrialOutcome},
        "tokens": report.tokens,
        "injections": [
            {
                "id": each.injection.id,
                "language": each.injection.language,
                "way": each.injection.way,
                "wants": each.injection.wants,
                "outcome": each.outcome.value,
                "said": None if each.said is None else _words(each.said),
                "reason": each.reason,
            }
            for each in report.tried
        ],
    }


def _table(report: TrialReport) -> str:
    lines = [
        f"{report.model}, prompt {report.prompt}, on {report.answer}: the plain answer is {_words(report.baseline)}.",
        "",
        f"{'way':<16}{'held':>6}{'moved':>7}{'no verdict':>12}",
        *(_line(report, way, way=way) for way in report.ways),
        _line(report, "all"),
    ]
    others = [each for each in report.tried if each.outcome != TrialOutcome.HELD]
    lines += ["", *(f"{each.outcome.value:<11} {each.injection.id}  {each.reason}".rstrip() for each in others)]
    if not report.baseline:
        lines += [
            "",
            "Most injections ask for just that verdict, so little could be moved: name an answer with an error.",
        ]
    return "\n".join([*lines, "", f"{counted(report.tokens, 'token')}."])


def _line(report: TrialReport, name: str, *, way: str = "") -> str:
    held, moved, none = (report.count(outcome, way=way) for outcome in TrialOutcome)
    return f"{name:<16}{held:>6}{moved:>7}{none:>12}"


def _words(hallucinated: bool) -> str:
    return "hallucinated" if hallucinated else "not_hallucinated"
