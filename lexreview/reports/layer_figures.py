"""How well the citation layer does, measured against what people decided on the approved cards."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from lexreview.core.methods.reference_card.card_rows import Count
from lexreview.core.methods.reference_card.facts import CheckResult
from lexreview.core.workflow import CitationState

ALARMS = frozenset(
    {CheckResult.WORDING_DIFFERS, CheckResult.WRONG_IDENTIFIER, CheckResult.NOT_FOUND, CheckResult.NOT_IN_FORCE}
)
"""Results that point at a fault in the answer. That a thing cannot be established is no alarm."""


@dataclass(frozen=True, slots=True)
class LayerCitation:
    """A citation of an approved card: its place in the answer, what the layer said (None where it did not find it)
    and what a person said."""

    start: int
    end: int
    result: CheckResult | None
    state: CitationState


@dataclass(frozen=True, slots=True)
class LayerFinding:
    """An accepted finding: the place of its claim and, where it has one, of its citation."""

    error_class: str
    start: int
    end: int
    citation: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class LayerCard:
    question: str
    citations: tuple[LayerCitation, ...]
    findings: tuple[LayerFinding, ...]


@dataclass(frozen=True, slots=True)
class LayerFigures:
    """`detected` counts findings, by class and together: those on which the layer raised an alarm, of all recorded.

    `false_alarms`: citations with an alarm, of those that a person confirmed. `undetermined`: citations on which the
    layer established nothing, of all that it checked. `found`: citations that the layer found, of all on the cards.
    `results` counts what it said of those. Shares are None where there is nothing to count.
    """

    detected: Mapping[str, Count]
    detected_all: Count
    false_alarms: Count
    undetermined: Count
    found: Count
    results: Mapping[CheckResult, int]
    cards: int
    questions: int

    @property
    def share_detected(self) -> Fraction | None:
        return Fraction(*self.detected_all) if self.detected_all.of else None


def layer_figures(cards: Iterable[LayerCard], *, classes: Sequence[str]) -> LayerFigures:
    """The figures over approved cards; `classes` are listed even where none was recorded.

    A finding counts as detected when the layer raised an alarm on its citation or on one that overlaps its claim.
    """
    listed = list(cards)
    citations = [citation for card in listed for citation in card.citations]
    checked = [citation for citation in citations if citation.result is not None]
    confirmed = [citation for citation in checked if citation.state is CitationState.CONFIRMED]
    detected = _detected(listed, classes)
    open_results = {CheckResult.UNDETERMINED, CheckResult.AMBIGUOUS, CheckResult.OUT_OF_SCOPE}
    results = Counter(citation.result for citation in checked)
    return LayerFigures(
        detected=detected,
        detected_all=Count(sum(each.n for each in detected.values()), sum(each.of for each in detected.values())),
        false_alarms=Count(sum(each.result in ALARMS for each in confirmed), len(confirmed)),
        undetermined=Count(sum(each.result in open_results for each in checked), len(checked)),
        found=Count(len(checked), len(citations)),
        results={result: results[result] for result in CheckResult},
        cards=len(listed),
        questions=len({card.question for card in listed}),
    )


def _detected(cards: Sequence[LayerCard], classes: Sequence[str]) -> dict[str, Count]:
    recorded: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for card in cards:
        alarms = [(each.start, each.end) for each in card.citations if each.result in ALARMS]
        for finding in card.findings:
            recorded[finding.error_class] += 1
            places = [(finding.start, finding.end), *([finding.citation] if finding.citation else [])]
            seen[finding.error_class] += any(_overlap(alarm, place) for alarm in alarms for place in places)
    listed = [*classes, *sorted(set(recorded).difference(classes))]
    return {code: Count(seen[code], recorded[code]) for code in listed}


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]
