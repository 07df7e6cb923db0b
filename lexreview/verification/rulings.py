"""A ruling: does one with this docket, of this court and day, exist in a source that covers it?"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from rapidfuzz.distance import DamerauLevenshtein

from lexreview.core.citations import Citation
from lexreview.core.methods.reference_card.facts import CheckResult
from lexreview.law.models import Ruling
from lexreview.law.names import fold_docket, fold_name
from lexreview.verification.checked import CheckedCitation, Inquiry

_SLIP = 2


def check_ruling(citation: Citation, inquiry: Inquiry) -> CheckedCitation:
    """The result for a ruling. A docket alone does not name one: court and day decide, where the text says them."""
    docket = citation.docket or citation.reporter or citation.ecli or citation.raw
    start = CheckedCitation(citation=citation, result=CheckResult.UNDETERMINED, act_name=docket[:200])
    known = _candidates(citation, inquiry)
    if known:
        return _of_known(start, known, citation)
    return _of_unknown(start, citation, inquiry)


def _candidates(citation: Citation, inquiry: Inquiry) -> list[Ruling]:
    """The stored rulings under the docket or the ECLI, one per ruling (the text's language preferred)."""
    rows: list[Ruling] = []
    state = _state(citation, inquiry)
    if citation.ecli:
        rows = inquiry.corpus.rulings_by_ecli(citation.ecli)
    for docket in (citation.docket, citation.reporter):
        if not rows and docket:
            rows = inquiry.corpus.rulings(jurisdiction=state, docket=docket)
    distinct: dict[tuple[str, date | None, str], Ruling] = {}
    for row in rows:
        key = (row.court, row.decided_on, row.form)
        if key not in distinct or row.language == inquiry.lang:
            distinct[key] = row
    return list(distinct.values())


def _state(citation: Citation, inquiry: Inquiry) -> str:
    return (citation.jurisdiction or inquiry.jurisdiction).upper()


def _of_known(start: CheckedCitation, known: Sequence[Ruling], citation: Citation) -> CheckedCitation:
    of_court = [each for each in known if same_court(each.court, citation.court)] if citation.court else list(known)
    day = _day(citation)
    agreeing = [each for each in of_court if day is None or each.decided_on in {day, None}]
    if len(agreeing) == 1:
        return _with(replace(start, result=CheckResult.CONFIRMED), agreeing[0])
    if agreeing:
        places = "; ".join(describe(each) for each in agreeing)
        return replace(start, result=CheckResult.AMBIGUOUS, reason="docket_of_several_rulings", suggestion=places)
    reason = "ruling_of_another_day" if of_court else "ruling_of_another_court"
    nearest = (of_court or list(known))[0]
    right = "; ".join(describe(each) for each in of_court or known)
    return _with(replace(start, result=CheckResult.WRONG_IDENTIFIER, reason=reason, suggestion=right), nearest)


def _with(start: CheckedCitation, ruling: Ruling) -> CheckedCitation:
    return replace(
        start,
        ruling=ruling,
        source_text="\n".join([*map(str, ruling.theses), ruling.text][:1] if ruling.theses else [ruling.text]),
        source_url=ruling.source_url,
        source_sha256=ruling.sha256,
        certainty="established",
    )


def _of_unknown(start: CheckedCitation, citation: Citation, inquiry: Inquiry) -> CheckedCitation:
    """Silence proves something only where a source holds all rulings of the court and day."""
    state, day = _state(citation, inquiry), _day(citation)
    court = _known_court(citation, inquiry)
    if not court:
        return replace(start, result=CheckResult.OUT_OF_SCOPE, reason="court_not_named_or_not_covered")
    if not inquiry.corpus.covers(jurisdiction=state, court=court, day=day):
        return replace(start, result=CheckResult.OUT_OF_SCOPE, reason="ruling_not_covered")
    same_day = inquiry.corpus.rulings_of_day(jurisdiction=state, court=court, day=day) if day else []
    likely = [each for each in same_day if _is_slip(each.docket, citation.docket or "")]
    if len({each.docket_folded for each in likely}) == 1:
        checked = replace(
            start,
            result=CheckResult.WRONG_IDENTIFIER,
            reason="docket_of_that_day_differs",
            suggestion=describe(likely[0]),
        )
        return _with(checked, likely[0])
    return replace(start, result=CheckResult.NOT_FOUND, reason="ruling_not_in_covering_source")


def _is_slip(known: str, cited: str) -> bool:
    """Whether the dockets differ by a mistyped sign or two, and by no more."""
    return DamerauLevenshtein.distance(fold_docket(known), fold_docket(cited), score_cutoff=_SLIP) <= _SLIP


def _known_court(citation: Citation, inquiry: Inquiry) -> str:
    """The court as the corpus names it; "" where the text names none. A docket may betray its court to the grammar."""
    if not citation.court:
        return ""
    return next((court for court in inquiry.corpus.courts if same_court(court, citation.court)), citation.court)


def same_court(stored: str, cited: str) -> bool:
    return fold_name(stored) == fold_name(cited)


def _day(citation: Citation) -> date | None:
    return date.fromisoformat(citation.date) if citation.date else None


def describe(ruling: Ruling) -> str:
    """Docket, court and day in one line."""
    day = ruling.decided_on.isoformat() if ruling.decided_on else ""
    return ", ".join(part for part in (ruling.docket, ruling.court, day) if part)
