"""Each quotation to its citation: where it stands proposes, what the law says decides between near candidates."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from lexreview.core.methods.reference_card.facts import CheckResult
from lexreview.core.quotations import Attribution, Candidate, CitedSpan, Quotation, attribute, find_quotations
from lexreview.verification.checked import CheckedCitation, Inquiry
from lexreview.verification.models import QuotationMatch
from lexreview.verification.quoting import Assessment, assess, verbatim

_LIKELY = 60.0
_TRIED = 4


def with_quotations(text: str, rows: Sequence[CheckedCitation], inquiry: Inquiry) -> list[CheckedCitation]:
    """The rows with the quotations that belong to them compared and the results that follow. Order is kept.

    A reference inside words that are quoted from the law is the law's, not the answer's: it gets no row.
    """
    quotations = find_quotations(text)
    if not quotations or not rows:
        return list(rows)
    spans: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, row in enumerate(rows):
        spans[row.citation.start, row.citation.end].append(number)
    places = sorted(spans)
    outside = [each for each in quotations if not _within(each, places)]
    cited = [_cited(start, end, [rows[n].citation.kind for n in spans[start, end]]) for start, end in places]
    taken: dict[int, list[tuple[Quotation, Assessment]]] = defaultdict(list)
    for attribution in attribute(text, outside, cited):
        chosen = _choose(attribution, [[(n, rows[n]) for n in spans[place]] for place in places], inquiry)
        if chosen is not None:
            number, assessment = chosen
            taken[number].append((attribution.quotation, assessment))
    owned = [pair for pairs in taken.values() for pair in pairs]
    return [
        _applied(row, taken[number]) if number in taken else row
        for number, row in enumerate(rows)
        if number in taken or not any(_is_part_of(row, quotation, assessment) for quotation, assessment in owned)
    ]


def _is_part_of(row: CheckedCitation, quotation: Quotation, assessment: Assessment) -> bool:
    """Whether a reference stands in the quoted words. A block quotation may end in the answer's own reference."""
    is_inside = quotation.start <= row.citation.start and row.citation.end <= quotation.end
    return is_inside and (assessment.is_exact or not quotation.is_block)


def _cited(start: int, end: int, kinds: Sequence[str]) -> CitedSpan:
    return CitedSpan(start, end, holds_words=any(kind != "act" for kind in kinds), is_ruling="ruling" in kinds)


def _within(quotation: Quotation, places: Sequence[tuple[int, int]]) -> bool:
    """A quoted title inside a citation is no quotation from the law."""
    return not quotation.is_block and any(
        start <= quotation.outer_start and quotation.outer_end <= end for start, end in places
    )


def _choose(
    attribution: Attribution, groups: Sequence[Sequence[tuple[int, CheckedCitation]]], inquiry: Inquiry
) -> tuple[int, Assessment] | None:
    """The row to which the quotation belongs, with what became of it; None where it is no quotation from the law."""
    if not attribution.candidates:
        return None
    first, words = attribution.candidates[0], attribution.quotation.text
    for candidate in attribution.candidates[:_TRIED]:
        if first.is_strong and not candidate.is_strong:
            break
        for number, row in groups[candidate.span]:
            if exact := verbatim(row, words, inquiry):
                return number, exact
    assessed = [(number, assess(row, words, inquiry)) for number, row in groups[first.span]]
    number, assessment = max(assessed, key=lambda pair: (pair[1].is_found, pair[1].likeness))
    return (number, assessment) if _is_meant(attribution.quotation, first, assessment) else None


def _is_meant(quotation: Quotation, candidate: Candidate, assessment: Assessment) -> bool:
    """Whether words in quotation marks that are not in the unit are meant as its wording at all.

    Marks also stand around titles, terms and a party's own words: the looser the tie to the citation and the shorter
    the words, the more alike they must be.
    """
    words = len(quotation.text.split())
    if quotation.is_block and not assessment.is_found:
        return candidate.is_strong and assessment.likeness >= 0.6
    if assessment.is_found:
        return candidate.score >= _LIKELY or words >= 3
    if assessment.match is None:
        return candidate.is_strong and words >= 4
    if candidate.is_strong:
        has_number = any(char.isdigit() for char in quotation.text)
        return words >= 5 or assessment.likeness >= 0.5 or (has_number and words >= 2)
    if candidate.score >= _LIKELY:
        return assessment.likeness >= (0.6 if words > 3 else 0.75) and words >= 2
    return assessment.likeness >= 0.75 and words >= 3


def _applied(row: CheckedCitation, taken: Sequence[tuple[Quotation, Assessment]]) -> CheckedCitation:
    """The row with its quotations and the result that the least favourable of them gives."""
    quoted = replace(
        row,
        quotation=" […] ".join(quotation.text.strip() for quotation, _ in taken),
        quotation_spans=tuple((quotation.start, quotation.end) for quotation, _ in taken),
    )
    differing = [each for _, each in taken if each.match not in {None, QuotationMatch.EXACT}]
    open_ones = [each for _, each in taken if each.match is None]
    if row.result in {CheckResult.NOT_FOUND, CheckResult.NOT_IN_FORCE}:
        return _with_place(quoted, [each for _, each in taken])
    if row.result is not CheckResult.CONFIRMED:
        return quoted
    if differing:
        return _differing(quoted, differing)
    if open_ones:
        return replace(quoted, result=CheckResult.UNDETERMINED, reason=open_ones[0].reason)
    last = taken[-1][1]
    return replace(
        quoted,
        quotation_match=QuotationMatch.EXACT,
        reason="" if row.reason in {"language_not_stored", "editions_disagree"} else row.reason,
        edition=last.edition or row.edition,
        source_text=last.source_text or row.source_text,
        source_url=last.edition.source_url if last.edition else row.source_url,
        source_sha256=last.edition.sha256 if last.edition else row.source_sha256,
        certainty=row.certainty if row.certainty != "undetermined" else "established",
    )


def _differing(row: CheckedCitation, differing: Sequence[Assessment]) -> CheckedCitation:
    worst = next((each for each in differing if each.match is QuotationMatch.OTHER_EDITION), differing[0])
    diff = tuple(part for each in differing for part in each.diff)
    match = worst.match or QuotationMatch.DIFFERS
    return replace(
        row,
        result=CheckResult.WORDING_DIFFERS,
        reason="wording_of_another_date" if worst.other_edition else f"quotation_{match.value}",
        quotation_match=match.value,
        edition=worst.edition or row.edition,
        source_text=worst.source_text or row.source_text,
        other_edition=worst.other_edition,
        other_unit=worst.other_unit,
        suggestion=worst.other_unit,
        diff=diff,
    )


def _with_place(row: CheckedCitation, assessments: Sequence[Assessment]) -> CheckedCitation:
    """A provision that does not stand on the date: where its quoted words do stand is worth saying."""
    place = next((each for each in assessments if each.is_found and (each.other_unit or each.other_edition)), None)
    if place is None:
        return row
    return replace(
        row,
        quotation_match=place.match.value if place.match else "",
        other_unit=place.other_unit,
        other_edition=row.other_edition or place.other_edition,
        suggestion=place.other_unit,
    )
