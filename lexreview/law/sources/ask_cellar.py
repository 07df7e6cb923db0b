"""CELLAR, the Publications Office: EU acts and their consolidations in XHTML, by CELEX number."""

import re
from dataclasses import dataclass, replace
from datetime import date
from typing import ClassVar

from lexreview.law.parsed import ParsedAct, UnreadableSource
from lexreview.law.sources.ask_fedlex import sparql_rows
from lexreview.law.sources.asking import EditionRef, FoundAct
from lexreview.law.sources.eurlex import parse_eurlex
from lexreview.law.sources.fetch import Answer, Fetcher, SourceUnknown

ENDPOINT = "https://publications.europa.eu/webapi/rdf/sparql"
RESOURCE = "https://publications.europa.eu/resource/celex"
_PREFIX = "PREFIX cdm: <http://publications.europa.eu/ontology/cdm#>\n"
_CELEX = re.compile(r"3\d{4}[A-Z]{1,2}\d{4}")
_CONSOLIDATED = re.compile(r"0(?P<base>\d{4}[A-Z]{1,2}\d{4})-(?P<day>\d{8})")
_LANGUAGES = {"en": "eng", "pl": "pol", "de": "deu", "fr": "fra", "it": "ita", "es": "spa"}


@dataclass(slots=True)
class Cellar:
    """EU acts. `language` is the one in which texts are asked for."""

    fetcher: Fetcher
    language: str = "en"
    name: ClassVar[str] = "cellar"
    hosts: ClassVar[frozenset[str]] = frozenset({"publications.europa.eu"})

    def search(self, text: str) -> list[FoundAct]:
        """The act with a CELEX number, with the days that the catalogue gives for its force."""
        celex = _checked(text)
        rows = self._select(
            f'SELECT DISTINCT ?from ?until WHERE {{ ?work cdm:resource_legal_id_celex "{celex}"^^'
            "<http://www.w3.org/2001/XMLSchema#string> . "
            "OPTIONAL { ?work cdm:resource_legal_date_entry-into-force ?from } "
            "OPTIONAL { ?work cdm:resource_legal_date_end-of-validity ?until } }"
        )
        begun = sorted(day for row in rows if (day := _day(row.get("from"))))
        ended = sorted(day for row in rows if (day := _day(row.get("until"))) and day.year < 9999)
        return [FoundAct(celex, celex, begun[0] if begun else None, ended[0] if ended else None)] if rows else []

    def editions(self, identifier: str) -> list[EditionRef]:
        """The Official Journal's text and every consolidation; each holds until the next one begins.

        The Office's own query for the greatest day is not reliable, so all days are read and sorted here.
        """
        celex = _checked(identifier)
        rows = self._select(
            "SELECT DISTINCT ?celex WHERE { ?work cdm:act_consolidated_based_on_resource_legal ?base . "
            f'?base cdm:resource_legal_id_celex "{celex}"^^<http://www.w3.org/2001/XMLSchema#string> . '
            "?work cdm:resource_legal_id_celex ?celex }"
        )
        matches = [match for row in rows if (match := _CONSOLIDATED.fullmatch(row["celex"]))]
        days = sorted({match["day"] for match in matches if match["base"] == celex[1:]})
        starts = [date(int(day[:4]), int(day[4:6]), int(day[6:])) for day in days]
        ends = [*(date.fromordinal(start.toordinal() - 1) for start in starts[1:]), None]
        return [
            EditionRef(celex, self.language, start, end, f"{RESOURCE}/0{celex[1:]}-{day}", f"0{celex[1:]}-{day}")
            for start, end, day in zip(starts, ends, days, strict=True)
        ]

    def fetch(self, ref: EditionRef) -> Answer:
        """The text. First consolidations are often withdrawn: their absence is not the act's absence."""
        language = _LANGUAGES.get(ref.language, ref.language)
        answer = self.fetcher.get(ref.address, accept="application/xhtml+xml", language=language)
        if answer.is_missing:
            raise SourceUnknown(f"{ref.address}: withdrawn or not published in {ref.language}")
        return answer

    def parse(self, answer: Answer, ref: EditionRef) -> ParsedAct:
        act = parse_eurlex(answer.body, celex=ref.act, language=ref.language, valid_from=ref.valid_from)
        editions = tuple(
            replace(edition, valid_to=ref.valid_to, source_url=ref.address, fetched_at=answer.fetched_at)
            for edition in act.editions
        )
        return replace(act, editions=editions)

    def _select(self, query: str) -> list[dict[str, str]]:
        answer = self.fetcher.get(
            ENDPOINT,
            params={"query": _PREFIX + query, "format": "application/sparql-results+json"},
            accept="application/sparql-results+json",
        )
        return sparql_rows(answer.body)


def _checked(text: str) -> str:
    celex = text.strip().removeprefix("CELEX").strip(" :").upper()
    if not _CELEX.fullmatch(celex):
        raise UnreadableSource(f"expected a CELEX number such as 32016R0679, found {text!r}")
    return celex


def _day(value: str | None) -> date | None:
    try:
        return date.fromisoformat(value[:10]) if value else None
    except ValueError:
        return None
