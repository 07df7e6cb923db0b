"""The citation layer against the approved cards of a benchmark, version by version: for members, not for publication.

Unlike in a publication, undisclosed questions count: whoever sees these figures may see those questions.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Prefetch

from lexreview.core.methods.reference_card.facts import CheckResult
from lexreview.core.methods.reference_card.specification import specification_from_dict
from lexreview.core.stats.intervals import Proportion, proportion
from lexreview.questions.models import Benchmark
from lexreview.reports.advice_metrics import AdviceMetrics, advice_metrics
from lexreview.reports.freezing.numbers import Json, proportion_json
from lexreview.reports.freezing.verification import layer_card
from lexreview.reports.layer_figures import LayerCard, LayerFigures, layer_figures
from lexreview.review.models import Card, CardCitation, Finding
from lexreview.verification.models import Citation, Verification


@dataclass(frozen=True, slots=True)
class ClassLine:
    """An error class with the share of its recorded errors on which the layer raised an alarm."""

    code: str
    names: Mapping[str, str]
    detected: Proportion


@dataclass(frozen=True, slots=True)
class VersionMetrics:
    """What one version of the layer said of the answers whose cards are approved, measured against these cards.

    `reviewed` of its `cards` were reviewed with the results of this very version; for the others its results are laid
    beside what people decided with those of another version in view.
    """

    version: str
    figures: LayerFigures
    names: Mapping[str, Mapping[str, str]]
    reviewed: int

    @property
    def classes(self) -> list[ClassLine]:
        return [
            ClassLine(code, self.names.get(code, {}), proportion(*count))
            for code, count in self.figures.detected.items()
        ]

    @property
    def detected(self) -> Proportion:
        return proportion(*self.figures.detected_all)

    @property
    def false_alarms(self) -> Proportion:
        return proportion(*self.figures.false_alarms)

    @property
    def undetermined(self) -> Proportion:
        return self._of_found(CheckResult.UNDETERMINED, CheckResult.AMBIGUOUS)

    @property
    def out_of_scope(self) -> Proportion:
        return self._of_found(CheckResult.OUT_OF_SCOPE)

    @property
    def found(self) -> Proportion:
        return proportion(*self.figures.found)

    def _of_found(self, *results: CheckResult) -> Proportion:
        return proportion(sum(self.figures.results[result] for result in results), self.figures.found.n)

    def as_json(self) -> Json:
        return {
            "layer_version": self.version,
            "cards": self.figures.cards,
            "questions": self.figures.questions,
            "reviewed_with_this_version": self.reviewed,
            "detected": [
                {"code": line.code, "names": line.names, **proportion_json(line.detected)} for line in self.classes
            ],
            "detected_all": proportion_json(self.detected),
            "false_alarms": proportion_json(self.false_alarms),
            "undetermined": proportion_json(self.undetermined),
            "out_of_scope": proportion_json(self.out_of_scope),
            "found": proportion_json(self.found),
            "results": [{"result": result.value, "n": number} for result, number in self.figures.results.items()],
        }


@dataclass(frozen=True, slots=True)
class LayerMetrics:
    """`versions`, the newest first. `without`: approved cards whose answer was never checked; they are in no figure.

    `advice`: the support check, by model and prompt.
    """

    benchmark: Benchmark
    approved: int
    without: int
    versions: Sequence[VersionMetrics]
    advice: Sequence[AdviceMetrics]

    def as_json(self) -> Json:
        return {
            "benchmark": self.benchmark.slug,
            "approved_cards": self.approved,
            "without_verification": self.without,
            "versions": [each.as_json() for each in self.versions],
            "advice": [each.as_json() for each in self.advice],
        }


def layer_metrics(benchmark: Benchmark) -> LayerMetrics:
    """The figures of every layer version that checked an answer with an approved card; a fixed number of queries."""
    cards = approved_cards(benchmark)
    passes = _passes(cards)
    names = _class_names(benchmark)
    by_version: dict[str, list[tuple[LayerCard, bool]]] = defaultdict(list)
    for card in cards:
        for version, verification in passes.get(card.answer_id, {}).items():
            by_version[version].append(_card_under(card, verification))
    versions = [
        VersionMetrics(
            version=version,
            figures=layer_figures([card for card, _ in measured], classes=list(names)),
            names=names,
            reviewed=sum(own for _, own in measured),
        )
        for version, measured in by_version.items()
    ]
    checked = sum(card.answer_id in passes for card in cards)
    in_order = sorted(versions, key=lambda each: version_key(each.version), reverse=True)
    return LayerMetrics(benchmark, len(cards), len(cards) - checked, in_order, advice_metrics(benchmark, cards))


def approved_cards(benchmark: Benchmark) -> list[Card]:
    """The card that counts of every answer, in order of the answers."""
    parts = (
        Prefetch("citations", CardCitation.objects.in_text_order().select_related("checked__verification")),
        Prefetch("findings", Finding.objects.standing().select_related("citation").in_order()),
    )
    found = Card.objects.of_benchmark(benchmark).counting().select_related("answer__question")
    return list(found.defer("answer__text", "answer__trace").prefetch_related(*parts).order_by("answer_id"))


def _passes(cards: Iterable[Card]) -> dict[int, dict[str, Verification]]:
    """By answer and layer version the newest verification, with its citations."""
    citations = Citation.objects.in_text_order().defer("source_text", "diff", "explanation")
    rows = Verification.objects.filter(answer__in=[card.answer_id for card in cards])
    found: dict[int, dict[str, Verification]] = defaultdict(dict)
    for row in rows.prefetch_related(Prefetch("citations", citations)).order_by("verified_at", "pk"):
        found[row.answer_id][row.layer_version] = row
    return found


def _card_under(card: Card, verification: Verification) -> tuple[LayerCard, bool]:
    """The card with what that verification said of its citations, and whether it was reviewed with these results."""
    own = layer_card(card)
    if card.verification_id == verification.pk:
        return own, True
    said: dict[tuple[int, int, str], CheckResult] = {}
    by_place: dict[tuple[int, int], list[CheckResult]] = defaultdict(list)
    for found in verification.citations.all():
        said[found.start, found.end, found.unit_key] = CheckResult(found.result)
        by_place[found.start, found.end].append(CheckResult(found.result))
    citations = []
    for row, citation in zip(card.citations.all(), own.citations, strict=True):
        unit = row.checked.unit_key if row.checked else ""
        at_place = by_place.get((row.start, row.end), [])
        alone = at_place[0] if len(at_place) == 1 else None
        citations.append(replace(citation, result=said.get((row.start, row.end, unit), alone)))
    return replace(own, citations=tuple(citations)), False


def _class_names(benchmark: Benchmark) -> dict[str, dict[str, str]]:
    specification = specification_from_dict(benchmark.specification.content)
    return {each.code: dict(each.name) for each in specification.error_classes}


def version_key(version: str) -> tuple[int, ...]:
    """Versions in the order of their numbers; parts that are no numbers count as 0."""
    return tuple(int(part) if part.isdigit() else 0 for part in version.split("."))
