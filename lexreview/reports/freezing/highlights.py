"""What is marked in a published answer: its citations as a person judged them, and the claims that are false."""

from collections.abc import Sequence

from lexreview.answers.answer_html import Highlight
from lexreview.core.methods.reference_card.specification import Specification
from lexreview.core.workflow import CitationState
from lexreview.methodology.words import class_name
from lexreview.review.models import CardCitation, Finding

COLOURS = "TWFS"


def highlights_of(
    citations: Sequence[CardCitation], findings: Sequence[Finding], specification: Specification, language: str
) -> list[Highlight]:
    """Every citation, and every claim that is not a citation's own words."""
    by_citation = {row.citation_id: row for row in findings if row.citation_id}
    marks = [_citation_mark(row, by_citation.get(row.pk), specification, language) for row in citations]
    spans = {(row.start, row.end) for row in citations}
    claims = [row for row in findings if (row.claim_start, row.claim_end) not in spans]
    return [*marks, *(_claim_mark(row, specification, language) for row in claims)]


def _citation_mark(
    row: CardCitation, finding: Finding | None, specification: Specification, language: str
) -> Highlight:
    css, sign = _colour(row, finding)
    words = _class_name(finding, specification, language) if finding else str(row.get_state_display())
    return Highlight(
        start=row.start, end=row.end, kind="citation", number=row.number, css=css, sign=sign, words=words,
        href=f"#c{row.number}", settled=row.state != CitationState.UNCHECKED,
    )  # fmt: skip


def _claim_mark(row: Finding, specification: Specification, language: str) -> Highlight:
    return Highlight(
        start=row.claim_start,
        end=row.claim_end,
        kind="finding",
        number=row.number,
        css=row.error_class.lower() if row.error_class in COLOURS else "o",
        sign=row.error_class[:1],
        words=_class_name(row, specification, language),
    )


def _colour(row: CardCitation, finding: Finding | None) -> tuple[str, str]:
    if finding is not None:
        return (finding.error_class.lower() if finding.error_class in COLOURS else "o"), finding.error_class[:1]
    match CitationState(row.state):
        case CitationState.CONFIRMED:
            return "ok", "✓"
        case CitationState.ERROR:
            return "f", "!"
        case _:
            return "o", "?"


def _class_name(row: Finding, specification: Specification, language: str) -> str:
    name = class_name(specification.error_class(row.error_class).name, language).words
    return f"{row.error_class} – {name or row.error_class}"
