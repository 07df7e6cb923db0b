"""SentenzeWeb: rulings of the Italian Court of Cassation.

The address of its index was not tried. The texts are uncorrected scans and name private parties: only what identifies
a ruling, and its operative part, is kept.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar

from lexreview.law.folding import fold_space
from lexreview.law.parsed import ParsedRuling, UnreadableSource, sha256_of
from lexreview.law.sources.eli_pl import read_json
from lexreview.law.sources.fetch import Fetcher
from lexreview.law.sources.json_shape import expecting

ADDRESS = "https://www.italgiure.giustizia.it/sncass/isapi/hc.dll/sn.solr/sn-collection/select"
_DOCKET = re.compile(r"(?P<number>\d{1,6})\s*/\s*(?P<year>\d{4})")
_FORMS = (("SENTENZA", "sentenza"), ("ORDINANZA", "ordinanza"), ("DECRETO", "decreto"))
_SECTIONS = {"L": "sezione lavoro", "U": "sezioni unite"}


@dataclass(slots=True)
class SentenzeWeb:
    """Rulings of the Court of Cassation."""

    fetcher: Fetcher
    name: ClassVar[str] = "sentenzeweb"
    hosts: ClassVar[frozenset[str]] = frozenset({"www.italgiure.giustizia.it"})

    def search(self, text: str) -> list[ParsedRuling]:
        """Rulings with a number and year, civil and penal: one number can name one of each."""
        match = _DOCKET.search(text)
        if match is None:
            raise UnreadableSource(f"expected a number and a year such as 21018/2021, found {text!r}")
        query = f'numdec:"{int(match["number"]):05d}" AND pd:{match["year"]}*'
        params = {
            "q": query,
            "wt": "json",
            "rows": "20",
            "fl": "id,kind,numdec,szdec,datdec,datdep,pd,materia,ocrdis,ocr",
        }
        answer = self.fetcher.get(ADDRESS, params=params, accept="application/json")
        return list(parse_sentenzeweb(answer.body))


def parse_sentenzeweb(content: bytes) -> Iterator[ParsedRuling]:
    """The rulings of an answer. UnreadableSource where it has no documents list."""
    record = read_json(content, what="an answer of SentenzeWeb")
    response = record.get("response") if isinstance(record, dict) else None
    documents = response.get("docs") if isinstance(response, dict) else None
    if not isinstance(documents, list):
        raise UnreadableSource("expected an answer of SentenzeWeb with response.docs, found none")
    for document in documents:
        if isinstance(document, dict) and document.get("numdec"):
            with expecting("a ruling of SentenzeWeb"):
                ruling = _ruling(document)
            yield ruling


def _ruling(document: Mapping[str, Any]) -> ParsedRuling:
    deposited = _day(_first(document.get("datdep")) or _first(document.get("pd")))
    number, section = str(document["numdec"]).lstrip("0"), _first(document.get("szdec"))
    year = deposited.year if deposited else _first(document.get("pd"))[:4]
    area = "penale" if document.get("kind") == "snpen" else "civile"
    opening = _first(document.get("ocr"))[:400].upper()
    operative = fold_space(_first(document.get("ocrdis")))
    letters = {"civile": "CIV", "penale": "PEN"}
    return ParsedRuling(
        jurisdiction="IT",
        court=f"Corte di cassazione {area}",
        docket=f"{number}/{year}",
        decided_on=deposited,
        language="it",
        sha256=sha256_of(repr(sorted(document.items())).encode()),
        ecli=f"ECLI:IT:CASS:{year}:{number}{letters[area]}" if year else "",
        form=next((form for word, form in _FORMS if word in opening), ""),
        title=fold_space(", ".join(part for part in (_section(section), _first(document.get("materia"))) if part)),
        theses=(operative,) if operative else (),
        source="sentenzeweb",
        source_url=ADDRESS,
    )


def _section(section: str) -> str:
    return _SECTIONS.get(section, f"sezione {section}" if section else "")


def _first(value: object) -> str:
    if isinstance(value, list):
        return str(value[0]) if value else ""
    return str(value or "")


def _day(text: str) -> date | None:
    try:
        return date(int(text[:4]), int(text[4:6]), int(text[6:8])) if re.fullmatch(r"\d{8}", text) else None
    except ValueError:
        return None
