"""The verification layer: every citation of a text against the law as it stood on one day. It never guesses."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from lexreview.core.citations import Citation, extract
from lexreview.core.methods.reference_card.facts import CheckResult
from lexreview.verification.assigning import with_quotations
from lexreview.verification.checked import CheckedCitation, Inquiry
from lexreview.verification.corpus import Corpus
from lexreview.verification.explanations import explain
from lexreview.verification.identifiers import attached_identifier, check_identifier
from lexreview.verification.misnumbered import with_acts_of_wrong_numbers, with_acts_shown_by_words
from lexreview.verification.other_days import with_law_of_other_days
from lexreview.verification.provisions import check_provision
from lexreview.verification.rulings import check_ruling


def check_citations(text: str, *, jurisdiction: str, lang: str, on: date, corpus: Corpus) -> list[CheckedCitation]:
    """Find the citations of a text and check each: one row per atomic unit, in text order.

    `jurisdiction` chooses the grammar (a profile of that code in the corpus drives the generic one), `on` is the
    legal-state date. Explanations are in the language that is active. Reads only; raises on no text.
    """
    inquiry = Inquiry(jurisdiction, lang, on, corpus)
    found = extract(
        text, jurisdiction=jurisdiction, lang=lang, acts=corpus.entries, profile=corpus.profile(jurisdiction)
    )
    rows = [row for citation in found for row in _check(citation, text, inquiry)]
    rows = with_acts_shown_by_words(text, with_acts_of_wrong_numbers(rows, inquiry), inquiry)
    rows = _without_invented_members(rows)
    rows = with_quotations(text, rows, inquiry)
    rows = with_law_of_other_days(text, rows, inquiry)
    return [replace(row, explanation=explain(row, inquiry)) for row in rows]


def _check(citation: Citation, text: str, inquiry: Inquiry) -> Iterator[CheckedCitation]:
    """The row of a citation, and for a provision whose act is given with its number one for that number."""
    if citation.kind == "ruling":
        yield check_ruling(citation, inquiry)
    elif citation.kind == "act":
        yield check_identifier(citation, text, inquiry)
    else:
        yield check_provision(citation, inquiry)
        if identifier := attached_identifier(citation):
            yield check_identifier(identifier, text, inquiry)


def _without_invented_members(rows: Sequence[CheckedCitation]) -> list[CheckedCitation]:
    """A range names its ends; what arithmetic puts between them and the act does not have was never cited.

    Where an end of it is missing too, the range as a whole reaches beyond the law of the day: all members stay.

    Members of a list share the number of their act too: it is checked once.
    """
    spans: dict[tuple[int, int], list[CheckedCitation]] = defaultdict(list)
    for row in rows:
        spans[row.citation.start, row.citation.end].append(row)
    missing = {CheckResult.NOT_FOUND, CheckResult.NOT_IN_FORCE}
    dropped = {
        id(row)
        for members in spans.values()
        if len(members) > 2 and _is_range(members[0].citation.raw)
        if members[0].result not in missing and members[-1].result not in missing
        for row in members[1:-1]
        if row.result in missing
    }
    kept: dict[tuple[int, int, str, str | None], CheckedCitation] = {}
    for row in rows:
        if id(row) not in dropped:
            kept.setdefault((row.citation.start, row.citation.end, row.citation.kind, row.unit or row.reason), row)
    return list(kept.values())


def _is_range(raw: str) -> bool:
    return any(sign in raw for sign in "-–—‑") or any(f" {word} " in raw for word in ("bis", "à", "a", "do", "to"))
