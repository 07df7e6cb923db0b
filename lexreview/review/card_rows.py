"""The lines of the card page: citations, criteria and findings as a person reads them."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from lexreview.answers.answer_html import Highlight
from lexreview.core.methods.reference_card.facts import CheckResult, KeyFacts
from lexreview.core.methods.reference_card.scoring import maximum_of, shown_points
from lexreview.core.methods.reference_card.specification import Criterion, KeyMaximum, Specification
from lexreview.core.words import says_nothing
from lexreview.core.workflow import CitationState
from lexreview.law.unit_names import unit_name
from lexreview.methodology.models import Decision
from lexreview.methodology.words import class_name
from lexreview.questions.models import Benchmark, KeyVersion
from lexreview.questions.models.benchmark import text_in
from lexreview.review.forms import Element
from lexreview.review.model_part import Dropped, ModelLine
from lexreview.review.models import CardCitation, Finding, FindingState, Score
from lexreview.review.sure import ALIVE, is_sure
from lexreview.review.words import words_of_citation
from lexreview.translating import written

MOST_SEGMENTS = 7
GROUPS: Mapping[KeyMaximum, str] = {
    KeyMaximum.RUBRIC: "elements",
    KeyMaximum.BASES: "bases",
    KeyMaximum.PENALTIES: "penalties",
}
KNOWN_CLASSES = "TWFS"
WRONG = "!"


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A finding with the words of its class. `on_citation`: it marks the same words as its citation does.

    `by`: who proposed it, "" where a person did. `dropped`: what of a model's evidence for it was dropped.
    """

    finding: Finding
    name: str
    hallucination: bool
    alive: bool
    on_citation: bool
    by: str = ""
    dropped: Dropped | None = None

    @property
    def target(self) -> str:
        return f"finding-row-{self.finding.number}"

    @property
    def css(self) -> str:
        return css_of_class(self.finding.error_class)

    @property
    def lacks_evidence(self) -> bool:
        row = self.finding
        return not (row.source_says.strip() and (row.checked_source.strip() or row.checked_address.strip()))


@dataclass(frozen=True, slots=True)
class CitationRow:
    """A citation in the list. `sign` is what the tag `mark` draws; `settled` says that a person decided it.

    `part`: the unit, where the same words cite several; "" otherwise.
    """

    citation: CardCitation
    sign: str
    words: str
    finding: FindingRow | None
    part: str = ""

    @property
    def number(self) -> int:
        return self.citation.number

    @property
    def key(self) -> tuple[str, int]:
        return "citation", self.number

    @property
    def mark(self) -> str:
        return {"ok": "✓", "open": "?"}.get(self.sign, self.sign[:1])

    @property
    def flagged(self) -> bool:
        return self.citation.checked is not None and self.citation.checked.is_flagged

    @property
    def settled(self) -> bool:
        return self.citation.state != CitationState.UNCHECKED

    @property
    def must_open(self) -> bool:
        return self.flagged and self.citation.opened_at is None

    @property
    def css(self) -> str:
        return "ok" if self.sign == "ok" else "f" if self.sign == WRONG else css_of_class(self.sign)

    @property
    def order(self) -> tuple[int, int]:
        """Flagged first, then those whose content a person has to read, then exact ones; in text order within."""
        checked = self.citation.checked
        exact = checked is not None and checked.result == CheckResult.CONFIRMED and bool(checked.quotation)
        return (0 if self.flagged or self.finding else 2 if exact else 1, self.number)

    @property
    def offers_no_error(self) -> bool:
        """Whether confirming says more than agreeing would."""
        return self.citation.state != CitationState.CONFIRMED and (self.settled or self.agreement != _("Confirm"))

    @property
    def agrees_undetermined(self) -> bool:
        """Whether agreeing says that it cannot be established, so that one button serves for both."""
        return self.finding is None and not self.settled and self.agreement == _("Cannot be established")

    @property
    def offers_undetermined(self) -> bool:
        """Whether there is a button of its own for saying so."""
        return self.citation.state != CitationState.UNDETERMINED and not self.agrees_undetermined

    @property
    def agreement(self) -> str:
        """What agreeing would say, "" where nothing is proposed."""
        if self.finding is not None:
            return _("Class %(code)s: %(name)s") % {"code": self.finding.finding.error_class, "name": self.finding.name}
        if self.citation.card.blind:
            return ""
        checked = self.citation.checked
        if checked is None or checked.result == CheckResult.WORDING_DIFFERS:
            return ""
        return _("Confirm") if checked.result == CheckResult.CONFIRMED else _("Cannot be established")


@dataclass(frozen=True, slots=True)
class CriterionRow:
    """A criterion with proposal and decision as texts. `entered`: what a refused form held, shown again.

    `sure`: whether the proposal is taken over with the others. `by`: who proposed, where that has to be told. `model`:
    a model's opinion, as far as it may be seen. `examples`: boundary cases that name the criterion; `general_examples`:
    those that name none.
    """

    code: str
    name: str
    help: str
    maximum: str
    options: list[dict[str, str]]
    step: str
    not_applicable: bool
    by_rule: bool
    proposed: str
    decided: str
    evidence: str
    proposed_evidence: str
    reason: str
    elements: list[tuple[Element, bool]]
    decided_by: str = ""
    sure: bool = False
    by: str = ""
    model: ModelLine | None = None
    examples: Sequence[str] = ()
    general_examples: Sequence[str] = ()
    decisions: Sequence[Decision] = ()
    entered: Mapping[str, Any] = field(default_factory=dict)
    errors: Sequence[str] = ()

    @property
    def chosen(self) -> str:
        entered: str | None = self.entered.get("points")
        return self.decided if entered is None else entered

    @property
    def shown_evidence(self) -> str:
        """For the field: what was entered, else decided, else proposed."""
        entered: str | None = self.entered.get("evidence")
        return entered if entered is not None else self.evidence or ("" if self.decided else self.proposed_evidence)

    @property
    def shown_reason(self) -> str:
        return str(self.entered.get("reason", self.reason))

    @property
    def changed(self) -> bool:
        return bool(self.decided and self.proposed and self.decided != self.proposed)

    @property
    def open(self) -> bool:
        return not (self.not_applicable or self.by_rule or self.decided)

    @property
    def lacks_evidence(self) -> bool:
        return bool(self.decided) and says_nothing(self.evidence) and not self.by_rule

    @property
    def lacks_reason(self) -> bool:
        return self.changed and says_nothing(self.reason)

    @property
    def suggested_reasons(self) -> list[str]:
        """What may be the reason of a change: the cases and decisions about the criterion, then the cases about all."""
        decided = [
            _("Decision %(number)s: %(text)s") % {"number": each.number, "text": each.decision}
            for each in self.decisions
        ]
        return [*self.examples, *decided, *self.general_examples] if self.changed else []

    @property
    def unfolded(self) -> bool:
        return bool(self.errors) or self.lacks_evidence or self.lacks_reason


def css_of_class(code: str) -> str:
    return code.lower() if code in KNOWN_CLASSES and code else "o"


def finding_rows(findings: Sequence[Finding], specification: Specification) -> list[FindingRow]:
    rows = []
    for finding in findings:
        error_class = specification.error_class(finding.error_class)
        span = (finding.citation.start, finding.citation.end) if finding.citation else None
        rows.append(
            FindingRow(
                finding=finding,
                name=class_name(error_class.name).words,
                hallucination=error_class.hallucination,
                alive=finding.state in ALIVE,
                on_citation=span == (finding.claim_start, finding.claim_end),
            )
        )
    return rows


def citation_rows(
    citations: Sequence[CardCitation], findings: Sequence[FindingRow], *, benchmark: Benchmark
) -> list[CitationRow]:
    """In the order given; `findings` are those of the card."""
    by_weight = sorted(findings, key=lambda row: (row.finding.state == FindingState.PROPOSED, row.finding.number))
    alive = {row.finding.citation_id: row for row in by_weight if row.alive and row.finding.citation_id}
    cited = Counter((citation.start, citation.end) for citation in citations)
    return [
        CitationRow(
            citation=citation,
            sign=_sign(citation, alive.get(citation.pk)),
            words=words_of_citation(citation),
            finding=alive.get(citation.pk),
            part=_unit(citation, benchmark) if cited[citation.start, citation.end] > 1 else "",
        )
        for citation in citations
    ]


def _unit(citation: CardCitation, benchmark: Benchmark) -> str:
    key = citation.checked.unit_key if citation.checked else ""
    return unit_name(key, jurisdiction=benchmark.jurisdiction, lang=benchmark.language) if key else ""


def _sign(citation: CardCitation, finding: FindingRow | None) -> str:
    if finding is not None:
        return finding.finding.error_class
    if citation.state != CitationState.UNCHECKED:
        return {CitationState.CONFIRMED: "ok", CitationState.ERROR: WRONG}.get(CitationState(citation.state), "open")
    if citation.checked is None:
        return "open"
    if citation.checked.result == CheckResult.CONFIRMED:
        return "ok"
    return "open" if citation.card.blind else citation.checked.proposed_class or "open"


def criterion_rows(
    specification: Specification,
    *,
    key: KeyFacts,
    key_version: KeyVersion,
    scores: Mapping[str, Score],
    decisions: Sequence[Decision] = (),
) -> list[CriterionRow]:
    """One row per criterion of the specification, in its order; a criterion without a score has an empty one.

    `decisions`: the entries of the decision log that may say something of a criterion.
    """
    cases = boundary_cases(specification)
    codes = [criterion.code for criterion in specification.criteria]
    general = [case for case in cases if not any(_names(case, code) for code in codes)]
    rows = []
    for criterion in specification.criteria:
        row = _criterion_row(criterion, key=key, key_version=key_version, score=scores.get(criterion.code) or Score())
        examples = [case for case in cases if _names(case, criterion.code)]
        about = [each for each in decisions if criterion.code in each.touches.get("criteria", [])]
        rows.append(replace(row, examples=examples, general_examples=general, decisions=about))
    return rows


def boundary_cases(specification: Specification) -> list[str]:
    """The examples that the text of the specification lists, in the reader's language, without their marks."""
    lines = (line.strip() for line in local(specification.text).splitlines())
    return [line.removeprefix("- ").replace("*", "") for line in lines if line.startswith("- ")]


def _names(case: str, code: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(code)}(?![\w-])", case) is not None


def _criterion_row(criterion: Criterion, *, key: KeyFacts, key_version: KeyVersion, score: Score) -> CriterionRow:
    maximum = maximum_of(criterion, key)
    elements = elements_of(criterion, key_version)
    ticked = ticked_in(criterion, score)
    return CriterionRow(
        code=criterion.code,
        name=local(criterion.name),
        help=local(criterion.help),
        maximum=shown_points(maximum),
        options=_options(criterion, maximum),
        step=shown_points(criterion.step),
        not_applicable=score.not_applicable,
        by_rule=criterion.rule is not None,
        proposed=points_text(score.proposed),
        decided=points_text(score.decided),
        evidence=score.evidence,
        proposed_evidence=score.proposed_evidence,
        reason=score.reason,
        elements=[(element, element.code in ticked) for element in elements],
        decided_by=score.decided_by.username if score.decided_by else "",
        sure=is_sure(score),
    )


def _options(criterion: Criterion, maximum: Decimal) -> list[dict[str, str]]:
    """Every value that can be given, as long as they fit in a row; else none, and the page has a number field."""
    count = int((maximum - criterion.minimum) / criterion.step) + 1
    if not 1 < count <= MOST_SEGMENTS:
        return []
    values = [shown_points(criterion.minimum + criterion.step * place) for place in range(count)]
    return [{"value": value, "label": written(value)} for value in values]


def elements_of(criterion: Criterion, key_version: KeyVersion) -> list[Element]:
    """What of the key the criterion counts; [] for a criterion that counts nothing of it."""
    match criterion.maximum:
        case KeyMaximum.RUBRIC:
            return [Element(each["code"], each["text"], Decimal(str(each["points"]))) for each in key_version.rubric]
        case KeyMaximum.BASES:
            return [Element(each["code"], each["citation"], Decimal(1)) for each in key_version.bases]
        case KeyMaximum.PENALTIES:
            return [Element(each["code"], each["text"], Decimal(1)) for each in key_version.penalties]
        case _:
            return []


def group_of(criterion: Criterion) -> str:
    """The name under which a score's `details` list the elements of this criterion."""
    return GROUPS.get(criterion.maximum, "") if isinstance(criterion.maximum, KeyMaximum) else ""


def ticked_in(criterion: Criterion, score: Score) -> list[str]:
    ticked: list[str] = score.details.get(group_of(criterion), [])
    return ticked


def points_text(points: Decimal | None) -> str:
    return "" if points is None else shown_points(points)


def local(texts: Mapping[str, str]) -> str:
    """A text of the specification in the reader's language, else in English, else in any."""
    return text_in(dict(texts), get_language() or "en", "en")


def highlights_of(
    citations: Sequence[CitationRow], findings: Sequence[FindingRow], *, selected: CitationRow | None
) -> list[Highlight]:
    """What to mark in the answer. A finding on a citation's own words is seen in the citation's mark."""
    marked = [
        Highlight(
            start=row.citation.start,
            end=row.citation.end,
            kind="citation",
            number=row.number,
            css=row.css,
            sign=row.mark,
            words=_("Citation %(number)s: %(words)s") % {"number": row.number, "words": row.words},
            href=f"?citation={row.number}",
            current=row is selected,
            settled=row.settled,
        )
        for row in citations
    ]
    return marked + [_claim(row) for row in findings if row.alive and not row.on_citation]


def _claim(row: FindingRow) -> Highlight:
    finding = row.finding
    return Highlight(
        start=finding.claim_start,
        end=finding.claim_end,
        kind="finding",
        number=finding.number,
        css=row.css,
        sign=finding.error_class[:1],
        words=_("Finding %(number)s: %(name)s") % {"number": finding.number, "name": row.name},
        settled=finding.state == FindingState.ACCEPTED,
    )
