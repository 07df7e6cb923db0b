"""A model's advice on citations against what people decided on the approved cards: for members, not for publication."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lexreview.core.stats.intervals import Proportion, proportion
from lexreview.core.workflow import CitationState
from lexreview.questions.models import Benchmark
from lexreview.reports.freezing.numbers import Json, proportion_json
from lexreview.review.models import Card, CardCitation, Finding
from lexreview.verification.advice import content_of
from lexreview.verification.checked import CONTENT
from lexreview.verification.models import Support, SupportCheck


@dataclass(frozen=True, slots=True)
class Advised:
    """A citation of an approved card with the advice on it and what a person said."""

    support: Support
    said: Support
    is_misstated: bool
    is_confirmed: bool


@dataclass(frozen=True, slots=True)
class AdviceMetrics:
    """Advice of one model under one version of the prompt. All figures count citations of approved cards.

    `detected`: contradicted, of those on which a person recorded that the source does not say it (class T).
    `false_alarms`: contradicted, of those that a person confirmed. `unsure`: of all with advice. `unfounded`: of all
    with advice those whose sentence is not in the source, so that code took the opinion back.
    """

    model: str
    prompt_version: str
    detected: Proportion
    false_alarms: Proportion
    unsure: Proportion
    unfounded: Proportion

    def as_json(self) -> Json:
        return {
            "model": self.model,
            "prompt_version": self.prompt_version,
            "detected": proportion_json(self.detected),
            "false_alarms": proportion_json(self.false_alarms),
            "unsure": proportion_json(self.unsure),
            "unfounded": proportion_json(self.unfounded),
        }


def advice_metrics(benchmark: Benchmark, cards: Iterable[Card]) -> list[AdviceMetrics]:
    """By model and prompt version; none without advice. One query. Fetch the cards with `approved_cards`."""
    groups: dict[str, dict[tuple[str, str], SupportCheck]] = defaultdict(dict)
    for check in SupportCheck.objects.of_benchmark(benchmark).oldest_first():
        groups[check.content_sha256][f"{check.provider}:{check.model}", check.prompt_version] = check
    advised: dict[tuple[str, str], list[Advised]] = defaultdict(list)
    for card in cards:
        for row in card.citations.all():
            given = groups.get(content_of(row.checked), {}) if row.checked else {}
            for group, check in given.items():
                advised[group].append(_advised(card, row, check))
    return [_measured(*group, advised[group]) for group in sorted(advised)]


def _advised(card: Card, row: CardCitation, check: SupportCheck) -> Advised:
    return Advised(
        support=Support(check.support),
        said=Support(check.said),
        is_misstated=any(finding.error_class == CONTENT and _is_about(finding, row) for finding in card.findings.all()),
        is_confirmed=row.state == CitationState.CONFIRMED,
    )


def _is_about(finding: Finding, row: CardCitation) -> bool:
    """By the citation that the finding names; where it names none, by its claim."""
    if finding.citation_id is not None:
        return finding.citation_id == row.pk
    return finding.claim_start < row.end and row.start < finding.claim_end


def _measured(model: str, prompt_version: str, rows: Sequence[Advised]) -> AdviceMetrics:
    def contradicted(chosen: Sequence[Advised]) -> Proportion:
        return proportion(sum(row.support is Support.CONTRADICTS for row in chosen), len(chosen))

    return AdviceMetrics(
        model=model,
        prompt_version=prompt_version,
        detected=contradicted([row for row in rows if row.is_misstated]),
        false_alarms=contradicted([row for row in rows if row.is_confirmed]),
        unsure=proportion(sum(row.support is Support.UNSURE for row in rows), len(rows)),
        unfounded=proportion(sum(row.support is not row.said for row in rows), len(rows)),
    )
