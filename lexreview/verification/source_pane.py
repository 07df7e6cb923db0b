"""What the source pane shows for one citation: the text of its unit in one edition, the quotation, the way on."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from unicodedata import normalize

from lexreview.core.quotations import pieces_of, stretches
from lexreview.law.browsing import unit_address, web_address
from lexreview.law.models import Edition, Unit
from lexreview.law.on_date import text_of
from lexreview.law.unit_names import unit_name
from lexreview.verification.advice import advice_on
from lexreview.verification.models import Citation, QuotationMatch, SupportCheck
from lexreview.verification.unit_editions import unit_editions


class NoSuchEdition(LookupError):
    """The edition asked for is none of the cited act."""


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text; `is_quoted` where the answer quotes it word for word."""

    text: str
    is_quoted: bool


@dataclass(frozen=True, slots=True)
class Stop:
    """An edition on the time line, with the words for its days."""

    pk: int
    valid_from: date
    valid_to: date | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePane:
    """All that the fragment prints. `lines`: the paragraphs of the text as runs; empty where there is none.

    `advice`: what a model said of the claim and the wording of the legal-state date, whatever edition is shown.
    """

    citation: Citation
    title: str
    unit: str
    shown: Edition | None
    lines: list[list[Run]]
    is_repealed: bool
    stops: list[Stop]
    shown_stop: Stop | None
    earlier: Stop | None
    later: Stop | None
    other: Stop | None
    legal_state_on: date
    official_url: str
    law_url: str
    fetched_at: datetime | None
    diff: Sequence[Sequence[str]]
    advice: SupportCheck | None

    @property
    def language(self) -> str:
        """That of the text shown; "" where none is."""
        text = self.shown or self.citation.ruling
        return text.language if text else ""

    @property
    def heading(self) -> str:
        return " · ".join(filter(None, (self.unit, self.title)))

    @property
    def is_on_date(self) -> bool:
        """Whether the edition shown is one of the legal-state date."""
        return self.shown is not None and self.shown.period.contains(self.legal_state_on)


def source_pane(citation: Citation, *, edition_pk: int | None, lang: str, with_advice: bool) -> SourcePane:
    """The pane for a citation fetched `with_sources()`. Raises NoSuchEdition for an edition of another act."""
    history = _history(citation)
    shown = _shown(citation, history, edition_pk)
    unit = next((each for each in history if shown is not None and each.edition_id == shown.pk), None)
    text = _text(citation, shown, unit)
    stops = [Stop(each.edition.pk, each.edition.valid_from, each.edition.valid_to) for each in history]
    place = next((n for n, stop in enumerate(stops) if shown is not None and stop.pk == shown.pk), None)
    other_pk = citation.other_edition.pk if citation.other_edition else None
    return SourcePane(
        citation=citation,
        title=_title(citation, shown.language if shown else lang),
        unit=unit_name(
            citation.unit_key,
            jurisdiction=citation.verification.answer.question.benchmark.jurisdiction,
            lang=shown.language if shown else lang,
        ),
        shown=shown,
        lines=_lines(text, citation.quotation),
        is_repealed=unit is not None and unit.is_repealed,
        stops=stops,
        shown_stop=stops[place] if place is not None else None,
        earlier=stops[place - 1] if place else None,
        later=stops[place + 1] if place is not None and place + 1 < len(stops) else None,
        other=next((stop for stop in stops if stop.pk == other_pk and stop.pk != (shown.pk if shown else None)), None),
        legal_state_on=citation.verification.legal_state_on,
        official_url=web_address(_address(citation, shown)),
        law_url=_law_url(citation, shown, lang),
        fetched_at=shown.fetched_at if shown else citation.ruling.fetched_at if citation.ruling else None,
        diff=citation.diff if citation.quotation_match != QuotationMatch.EXACT else (),
        advice=advice_on([citation]).get(citation.pk) if with_advice else None,
    )


def _address(citation: Citation, shown: Edition | None) -> str:
    """Where the text shown can be read; a reconstructed one can be read nowhere else."""
    if shown is None:
        return citation.source_url
    return (
        shown.source_url
        if shown.standing == Edition.Standing.RECONSTRUCTED
        else shown.source_url or citation.source_url
    )


def _history(citation: Citation) -> list[Unit]:
    """The unit through the editions of one language, that of the edition found."""
    if citation.act is None or not citation.unit_key:
        return []
    edition = citation.edition or citation.other_edition
    language = edition.language if edition else _language(citation)
    return unit_editions(act=citation.act, key=citation.unit_key, language=language)


def _language(citation: Citation) -> str:
    return citation.verification.answer.question.language.split("-")[0]


def _shown(citation: Citation, history: Sequence[Unit], edition_pk: int | None) -> Edition | None:
    if edition_pk is None:
        return citation.edition
    asked = [each.edition for each in history]
    asked += [edition for edition in (citation.edition, citation.other_edition) if edition is not None]
    for edition in asked:
        if edition.pk == edition_pk:
            return edition
    raise NoSuchEdition(edition_pk)


def _text(citation: Citation, shown: Edition | None, unit: Unit | None) -> str:
    """The wording in the edition shown; for the edition of the result the text on which the result rests."""
    if citation.ruling is not None:
        return citation.source_text
    if shown is None:
        return ""
    if citation.edition is not None and shown.pk == citation.edition.pk and citation.source_text:
        return citation.source_text
    return text_of(unit) if unit is not None and not unit.is_repealed else ""


def _law_url(citation: Citation, shown: Edition | None, lang: str) -> str:
    """The unit's own page in the corpus; "" for what has none."""
    if citation.act is None or not citation.unit_key:
        return ""
    day = citation.verification.legal_state_on
    language = shown.language if shown else lang
    return unit_address(citation.act, unit=citation.unit_key, on=day, language=language)


def _title(citation: Citation, lang: str) -> str:
    if citation.ruling is not None:
        return ", ".join(part for part in (citation.ruling.court, citation.ruling.docket) if part)
    return citation.act.title(lang) if citation.act else citation.act_name


def _lines(text: str, quotation: str) -> list[list[Run]]:
    """The text by paragraphs, each cut where words are quoted."""
    text = normalize("NFC", text)
    quoted = stretches(pieces_of(quotation), text) if quotation else []
    lines, at = [], 0
    for line in text.split("\n"):
        if line.strip():
            lines.append(_runs(line, at, quoted))
        at += len(line) + 1
    return lines


def _runs(line: str, offset: int, quoted: Sequence[tuple[int, int]]) -> list[Run]:
    runs, at = [], 0
    for start, end in quoted:
        first, last = max(start - offset, at), min(end - offset, len(line))
        if first < last:
            runs += [Run(line[at:first], False), Run(line[first:last], True)]
            at = last
    return [run for run in [*runs, Run(line[at:], False)] if run.text]
