"""Fedlex by SPARQL: acts by number, editions with first and last day, addresses of the files."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, ClassVar

from lexreview.law.parsed import ParsedAct, UnreadableSource
from lexreview.law.sources.asking import EditionRef, FoundAct
from lexreview.law.sources.eli_pl import read_json
from lexreview.law.sources.fedlex import parse_fedlex
from lexreview.law.sources.fetch import Answer, Fetcher

ENDPOINT = "https://fedlex.data.admin.ch/sparqlendpoint"
DATA = "https://fedlex.data.admin.ch/"
_PREFIXES = """PREFIX jolux: <http://data.legilux.public.lu/resource/ontology/jolux#>
PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
"""
_LANGUAGES = {"DEU": "de", "FRA": "fr", "ITA": "it", "ENG": "en", "ROH": "rm"}
_SPARQL_JSON = "application/sparql-results+json"
_NUMBER = re.compile(r"\d[\d.]*")
_ELI = re.compile(r"eli/cc/[0-9A-Za-z_]+/[0-9A-Za-z_]+")


@dataclass(slots=True)
class Fedlex:
    """Swiss federal law."""

    fetcher: Fetcher
    name: ClassVar[str] = "fedlex"
    hosts: ClassVar[frozenset[str]] = frozenset({"fedlex.data.admin.ch"})

    def search(self, text: str) -> list[FoundAct]:
        """All acts that carry an SR number: an act in force and its repealed predecessors share one."""
        number = text.removeprefix("SR").removeprefix("RS").strip()
        if not _NUMBER.fullmatch(number):
            raise UnreadableSource(f"expected an SR number such as 235.1, found {text!r}")
        rows = self._select(
            "SELECT DISTINCT ?work ?from ?until WHERE { ?work a jolux:ConsolidationAbstract ; "
            f'jolux:classifiedByTaxonomyEntry/skos:notation "{number}"^^'
            "<https://fedlex.data.admin.ch/vocabulary/notation-type/id-systematique> . "
            "OPTIONAL { ?work jolux:dateEntryInForce ?from } OPTIONAL { ?work jolux:dateNoLongerInForce ?until } }"
        )
        found = {
            row["work"]: FoundAct(_path(row["work"]), f"SR {number}", _day(row.get("from")), _day(row.get("until")))
            for row in rows
        }
        return sorted(found.values(), key=lambda act: act.identifier)

    def editions(self, identifier: str) -> list[EditionRef]:
        """Every edition of an act (`eli/cc/…`) in every language, with the address of its XML or without one.

        Where one edition was rendered again, the highest rendering counter is taken.
        """
        act = _checked(identifier)
        dated = self._select(
            f"SELECT DISTINCT ?c ?from ?to WHERE {{ ?c a jolux:Consolidation ; jolux:isMemberOf <{DATA}{act}> ; "
            "jolux:dateApplicability ?from . OPTIONAL { ?c jolux:dateEndApplicability ?to } }"
        )
        files = self._select(
            f"SELECT DISTINCT ?c ?from ?to ?lang ?url WHERE {{ ?c a jolux:Consolidation ; "
            f"jolux:isMemberOf <{DATA}{act}> ; "
            "jolux:dateApplicability ?from . OPTIONAL { ?c jolux:dateEndApplicability ?to } "
            "?c jolux:isRealizedBy ?expr . ?expr jolux:language ?lang ; jolux:isEmbodiedBy ?m . "
            "?m jolux:userFormat <https://fedlex.data.admin.ch/vocabulary/user-format/xml> ; "
            "jolux:isExemplifiedBy ?url }"
        )
        return sorted(edition_refs(act, dated, files), key=lambda ref: (ref.valid_from, ref.language, ref.address))

    def fetch(self, ref: EditionRef) -> Answer:
        return self.fetcher.get(ref.address, accept="application/xml")

    def parse(self, answer: Answer, ref: EditionRef) -> ParsedAct:
        """The act with its edition, its last day taken from the graph."""
        act = parse_fedlex(answer.body)
        editions = tuple(
            replace(edition, valid_to=ref.valid_to, source_url=ref.address, fetched_at=answer.fetched_at)
            for edition in act.editions
        )
        return replace(act, editions=editions)

    def _select(self, query: str) -> list[dict[str, str]]:
        answer = self.fetcher.post_form(ENDPOINT, form={"query": _PREFIXES + query}, accept=_SPARQL_JSON)
        return sparql_rows(answer.body)


def sparql_rows(content: bytes) -> list[dict[str, str]]:
    """The rows of a SPARQL answer in JSON as variable to value. UnreadableSource for anything else."""
    record = read_json(content, what="a SPARQL answer")
    try:
        bindings: list[Mapping[str, Any]] = record["results"]["bindings"]
        return [{name: str(cell["value"]) for name, cell in row.items()} for row in bindings]
    except (KeyError, TypeError, AttributeError) as error:
        raise UnreadableSource("expected a SPARQL answer with results.bindings, found none") from error


def edition_refs(act: str, dated: list[dict[str, str]], files: list[dict[str, str]]) -> Iterator[EditionRef]:
    """Editions with a file, one per language, and those of which no language has one."""
    best: dict[tuple[str, str], dict[str, str]] = {}
    for row in files:
        language = _LANGUAGES.get(row["lang"].rpartition("/")[2], "")
        known = best.get((row["c"], language))
        if language and (known is None or _counter(row["url"]) > _counter(known["url"])):
            best[row["c"], language] = row
    for (edition, language), row in best.items():
        yield EditionRef(act, language, _known_day(row["from"]), _day(row.get("to")), row["url"], _path(edition))
    with_file = {edition for edition, _ in best}
    for row in dated:
        if row["c"] not in with_file:
            yield EditionRef(act, "", _known_day(row["from"]), _day(row.get("to")), "", _path(row["c"]))


def _counter(address: str) -> int:
    match = re.search(r"-(\d+)\.xml$", address)
    return int(match[1]) if match else 0


def _checked(identifier: str) -> str:
    match = _ELI.fullmatch(identifier.strip().removeprefix(DATA).strip("/"))
    if match is None:
        raise UnreadableSource(f"expected an act such as eli/cc/2022/491, found {identifier!r}")
    return match[0]


def _path(address: str) -> str:
    return address.removeprefix(DATA).strip("/")


def _day(value: str | None) -> date | None:
    try:
        return date.fromisoformat(value[:10]) if value else None
    except ValueError:
        return None


def _known_day(value: str) -> date:
    day = _day(value)
    if day is None:
        raise UnreadableSource(f"expected a day in the graph, found {value!r}")
    return day
