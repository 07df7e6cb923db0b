import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from lexreview.core.stats.intervals import Proportion
from lexreview.core.words import counted
from lexreview.questions.models import Benchmark
from lexreview.reports.advice_metrics import AdviceMetrics
from lexreview.reports.layer_metrics import VersionMetrics, layer_metrics


class Command(BaseCommand):
    help = "Measures the citation layer against a benchmark's approved cards, for every version that checked answers."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("benchmark", help="slug of the benchmark")
        parser.add_argument("--json", action="store_true", help="one JSON object instead of lines")

    def handle(self, *args: Any, benchmark: str, **options: Any) -> None:
        found = Benchmark.objects.filter(slug=benchmark).select_related("specification").first()
        if found is None:
            raise CommandError(f"There is no benchmark {benchmark}.")
        metrics = layer_metrics(found)
        if options["json"]:
            self.stdout.write(json.dumps(metrics.as_json(), indent=1))
            return
        self.stdout.write(f"{benchmark}: {metrics.approved} approved cards, {metrics.without} never checked")
        for version in metrics.versions:
            self.stdout.writelines(f"{line}\n" for line in _lines(version))
        for advice in metrics.advice:
            self.stdout.writelines(f"{line}\n" for line in _advice_lines(advice))


def _lines(version: VersionMetrics) -> list[str]:
    figures = version.figures
    cards = counted(figures.cards, "card")
    return [
        f"layer {version.version}: {cards}, {version.reviewed} of them reviewed with its results",
        *(f"  errors of class {line.code} detected: {_words(line.detected)}" for line in version.classes),
        f"  errors detected: {_words(version.detected)}",
        f"  false alarms, of citations that a person confirmed: {_words(version.false_alarms)}",
        f"  undetermined or ambiguous, of citations found: {_words(version.undetermined)}",
        f"  out of scope, of citations found: {_words(version.out_of_scope)}",
        f"  found, of citations on the cards: {_words(version.found)}",
    ]


def _advice_lines(advice: AdviceMetrics) -> list[str]:
    return [
        f"advice of {advice.model}, prompt {advice.prompt_version}",
        f"  contradicted, of citations with an error of class T: {_words(advice.detected)}",
        f"  false alarms, of citations that a person confirmed: {_words(advice.false_alarms)}",
        f"  unsure, of citations with advice: {_words(advice.unsure)}",
        f"  on words that are not in the source, of citations with advice: {_words(advice.unfounded)}",
    ]


def _words(figure: Proportion) -> str:
    if figure.share is None or figure.wilson is None:
        return f"0 of 0, n/a ({figure.reason})"
    low, high = figure.wilson.low, figure.wilson.high
    return f"{figure.successes} of {figure.n} = {float(figure.share):.1%} [{low:.1%} to {high:.1%}]"
