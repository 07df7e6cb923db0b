"""Quotations against the official wording: on the date, in other editions, in other units."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from lexreview.core.methods.reference_card.facts import CheckResult
from lexreview.core.quotations import Comparison, Piece, Wording, compare, pieces_of, similarity
from lexreview.law.models import Act, Edition
from lexreview.law.on_date import UnitOnDate
from lexreview.verification.checked import CheckedCitation, Inquiry
from lexreview.verification.corpus import Place
from lexreview.verification.languages import language_of
from lexreview.verification.models import QuotationMatch

# Below this likeness a text in another stored language is not what was quoted.
_ALIKE = 0.75
# A wording of another date counts as the quoted one although a word or a number was mistyped.
_NEARLY = 0.95
# Fewer letters than these may stand in another unit by chance while they are a slip of the cited one's words.
_TELLING = 40
# Fewer letters than these are not looked for in the rest of the act at all.
_SEARCHED = 25
_NEIGHBOUR_EDITIONS = 3


@dataclass(frozen=True, slots=True)
class Assessment:
    """What became of one quotation at one citation. `match` None: it could not be compared (`reason` says why).

    `edition` holds the words (`exact`) or is the one compared with; `other_edition` and `other_unit` say where the
    words stand instead. `is_found`: the words stand verbatim somewhere in the act.
    """

    match: QuotationMatch | None
    reason: str = ""
    likeness: float = 0.0
    edition: Edition | None = None
    source_text: str = ""
    other_edition: Edition | None = None
    other_unit: str = ""
    diff: tuple[tuple[str, str], ...] = ()

    @property
    def is_exact(self) -> bool:
        return self.match is QuotationMatch.EXACT

    @property
    def is_found(self) -> bool:
        return self.match in {QuotationMatch.EXACT, QuotationMatch.OTHER_EDITION, QuotationMatch.OTHER_UNIT}


@dataclass(frozen=True, slots=True)
class _Compared:
    found: UnitOnDate
    comparison: Comparison


def verbatim(row: CheckedCitation, quotation: str, inquiry: Inquiry) -> Assessment | None:
    """The quotation where it stands word for word in the unit on the date (in any stored language); else None."""
    pieces = pieces_of(quotation)
    if row.ruling is not None:
        assessment = _in_ruling(row, quotation)
        return assessment if assessment.is_exact else None
    for found in _texts(row, inquiry):
        wording = inquiry.corpus.wording(found)
        if wording is not None and any(each.holds(pieces) for each in wording.wordings):
            return Assessment(QuotationMatch.EXACT, likeness=1.0, edition=wording.edition, source_text=found.text)
    return None


def assess(row: CheckedCitation, quotation: str, inquiry: Inquiry) -> Assessment:
    """What became of a quotation that is not verbatim in the unit: other editions, other units, or what differs."""
    if row.ruling is not None:
        return _in_ruling(row, quotation)
    if row.act is None or row.unit is None:
        return Assessment(None, row.reason)
    pieces = pieces_of(quotation)
    if not pieces:
        return Assessment(None, "quotation_empty")
    elsewhere = _elsewhere(row, row.act, row.unit, pieces, inquiry)
    if elsewhere is not None and elsewhere.match is not QuotationMatch.OTHER_UNIT:
        return elsewhere
    compared = []
    for found in _texts(row, inquiry):
        if wording := inquiry.corpus.wording(found):
            compared.append(_Compared(found, compare(quotation, wording.wordings)))
    likeness = max((each.comparison.similarity for each in compared), default=0.0)
    if elsewhere is not None and (likeness < _ALIKE or sum(len(piece.letters) for piece in pieces) >= _TELLING):
        return elsewhere
    return _judge(row, quotation, compared, inquiry)


def _texts(row: CheckedCitation, inquiry: Inquiry) -> Iterator[UnitOnDate]:
    """The unit on the date in the language of the answer, then in the other languages that are stored."""
    found, act, unit = row.found, row.act, row.unit
    if found is None or act is None or unit is None or row.result is not CheckResult.CONFIRMED:
        return
    if found.text:
        yield found
    own = found.edition.language if found.edition and found.text else inquiry.lang
    day = inquiry.on if row.reason != "former_wording" or found.edition is None else found.edition.valid_from
    for language in inquiry.corpus.languages_on(act, day):
        if language != own:
            other = inquiry.corpus.unit_on(act=act, unit=unit, on=day, lang=language)
            if other.outcome == "found":
                yield other


def _judge(row: CheckedCitation, quotation: str, compared: Sequence[_Compared], inquiry: Inquiry) -> Assessment:
    """No verbatim match anywhere: does it differ, or is there nothing of its language to compare it with?"""
    if not compared:
        return Assessment(None, row.reason or "no_text")
    best = max(compared, key=lambda each: each.comparison.similarity)
    languages = {each.found.edition.language for each in compared if each.found.edition}
    quoted_in = language_of(quotation) or inquiry.lang
    if best.comparison.similarity < _ALIKE and quoted_in not in languages:
        return Assessment(None, "language_not_stored")
    if best.comparison.similarity < _ALIKE:
        best = next((e for e in compared if e.found.edition and e.found.edition.language == quoted_in), best)
    if row.found is not None and row.found.certainty == "undetermined":
        return Assessment(None, row.found.reason or "wording_not_established")
    assessment = Assessment(
        QuotationMatch.DIFFERS,
        likeness=best.comparison.similarity,
        edition=best.found.edition,
        source_text=best.found.text,
        diff=best.comparison.diff,
    )
    return _nearly_of_another_date(row, quotation, assessment, inquiry)


def _nearly_of_another_date(
    row: CheckedCitation, quotation: str, assessment: Assessment, inquiry: Inquiry
) -> Assessment:
    """The same words but for a slip stand in another edition: then that is the wording meant."""
    if row.act is None or row.unit is None or assessment.edition is None:
        return assessment
    pieces = pieces_of(quotation)
    best, edition = assessment.likeness + 0.03, None
    for period in inquiry.corpus.history(act=row.act, unit=row.unit, lang=assessment.edition.language):
        if period.is_repealed or period.edition.period.contains(inquiry.on):
            continue
        likeness = similarity(pieces, inquiry.corpus.period_wording(period))
        if likeness >= max(_NEARLY, best):
            best, edition = likeness, period.edition
    return replace(assessment, other_edition=edition)


def _elsewhere(
    row: CheckedCitation, act: Act, unit: str, pieces: Sequence[Piece], inquiry: Inquiry
) -> Assessment | None:
    """Where else the words stand verbatim: another edition of the unit, another unit, a unit of another edition."""
    compared_with = row.edition
    if edition := _edition_with(act, unit, pieces, inquiry):
        return Assessment(
            QuotationMatch.OTHER_EDITION,
            edition=compared_with,
            source_text=row.source_text,
            other_edition=edition,
            diff=_diff(pieces, row, inquiry),
        )
    if sum(len(piece.letters) for piece in pieces) < _SEARCHED:
        return None
    place = _place_on_date(act, pieces, inquiry)
    if place is not None:
        if unit == place.key or unit.startswith(place.key + "/"):
            return Assessment(QuotationMatch.EXACT, likeness=1.0, edition=place.edition, source_text=row.source_text)
        return Assessment(
            QuotationMatch.OTHER_UNIT,
            edition=compared_with,
            source_text=row.source_text,
            other_unit=place.key,
            diff=_diff(pieces, row, inquiry),
        )
    place = _place_nearby(act, pieces, inquiry)
    if place is None:
        return None
    return Assessment(
        QuotationMatch.OTHER_EDITION,
        edition=compared_with,
        source_text=row.source_text,
        other_edition=place.edition,
        other_unit="" if place.key == unit else place.key,
        diff=_diff(pieces, row, inquiry),
    )


def _diff(pieces: Sequence[Piece], row: CheckedCitation, inquiry: Inquiry) -> tuple[tuple[str, str], ...]:
    """The words against the unit on the date; nothing where that has no text."""
    if row.found is None or not row.source_text:
        return ()
    quotation = " […] ".join(piece.text for piece in pieces)
    wording = inquiry.corpus.wording(row.found)
    return compare(quotation, wording.wordings).diff if wording else ()


def _edition_with(act: Act, unit: str, pieces: Sequence[Piece], inquiry: Inquiry) -> Edition | None:
    """The nearest edition of another time in which the unit has the words: the last before the date, else the next."""
    languages = dict.fromkeys([inquiry.lang, *sorted({each.language for each in inquiry.corpus.editions(act)})])
    for language in languages:
        holding = [
            period.edition
            for period in inquiry.corpus.history(act=act, unit=unit, lang=language)
            if not period.is_repealed
            and not period.edition.period.contains(inquiry.on)
            and inquiry.corpus.period_wording(period).holds(pieces)
        ]
        if holding:
            return nearest(holding, inquiry.on)
    return None


def nearest(editions: Sequence[Edition], day: date) -> Edition:
    """Of editions in order of time the last one before the day, else the first after it."""
    before = [edition for edition in editions if edition.valid_from <= day]
    return before[-1] if before else editions[0]


def _place_on_date(act: Act, pieces: Sequence[Piece], inquiry: Inquiry) -> Place | None:
    for edition in inquiry.corpus.editions(act):
        if edition.period.contains(inquiry.on) and (place := inquiry.corpus.find_words(edition, pieces)):
            return place
    return None


def _place_nearby(act: Act, pieces: Sequence[Piece], inquiry: Inquiry) -> Place | None:
    """The same in the editions just before and just after the date, in the language of the answer."""
    editions = [each for each in inquiry.corpus.editions(act) if each.language == inquiry.lang]
    before = [each for each in editions if each.valid_to is not None and each.valid_to < inquiry.on]
    after = [each for each in editions if each.valid_from > inquiry.on]
    for edition in [*reversed(before[-_NEIGHBOUR_EDITIONS:]), *after[:_NEIGHBOUR_EDITIONS]]:
        if place := inquiry.corpus.find_words(edition, pieces):
            return place
    return None


def _in_ruling(row: CheckedCitation, quotation: str) -> Assessment:
    """A ruling's stored text may be an extract: words that are not in it only differ where they are close to some."""
    ruling = row.ruling
    parts = [] if ruling is None else [*map(str, ruling.theses), ruling.text, ruling.title]
    texts = [Wording(part) for part in parts if part]
    if not texts:
        return Assessment(None, "ruling_text_not_stored")
    comparison = compare(quotation, texts)
    source = texts[comparison.source].text if comparison.source is not None else ""
    if comparison.exact:
        return Assessment(QuotationMatch.EXACT, likeness=1.0, source_text=source)
    if comparison.similarity >= _ALIKE:
        return Assessment(
            QuotationMatch.DIFFERS, likeness=comparison.similarity, source_text=source, diff=comparison.diff
        )
    return Assessment(None, "quotation_not_in_stored_text", likeness=comparison.similarity)
