"""SAOS: Polish rulings by docket, in the several spellings in which it stores them, and what it covers."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar

from lexreview.law.folding import fold_space
from lexreview.law.parsed import ParsedRuling, UnreadableSource, sha256_of
from lexreview.law.sources.eli_pl import read_json
from lexreview.law.sources.fetch import Fetcher
from lexreview.law.sources.json_shape import expecting
from lexreview.law.sources.markup import InlineRules, parse_html

BASE = "https://www.saos.org.pl/api"
RULES = InlineRules(breaking=frozenset({"p", "br", "div", "li", "td", "tr", "h1", "h2", "h3"}))
COURTS = {
    "SUPREME": "Sąd Najwyższy",
    "CONSTITUTIONAL_TRIBUNAL": "Trybunał Konstytucyjny",
    "NATIONAL_APPEAL_CHAMBER": "Krajowa Izba Odwoławcza",
    "ADMINISTRATIVE": "sąd administracyjny",
}
FORMS = {
    "DECISION": "postanowienie",
    "RESOLUTION": "uchwała",
    "SENTENCE": "wyrok",
    "REGULATION": "zarządzenie",
    "REASONS": "uzasadnienie",
}
CHECKED_ON = date(2026, 8, 23)
COVERAGE = (
    ("SUPREME", None, date(2016, 6, 22), "38,081 rulings"),
    ("CONSTITUTIONAL_TRIBUNAL", None, date(2015, 12, 9), "9,503 rulings"),
    ("NATIONAL_APPEAL_CHAMBER", None, date(2018, 9, 6), "22,168 rulings"),
)
"""Court, first and last day, remark. Administrative courts are practically absent, common courts a late selection."""


@dataclass(slots=True)
class Saos:
    """Polish rulings."""

    fetcher: Fetcher
    name: ClassVar[str] = "saos"
    hosts: ClassVar[frozenset[str]] = frozenset({"www.saos.org.pl"})

    def search(self, text: str) -> list[ParsedRuling]:
        """All rulings under a docket, of whatever court, with their texts; court and date decide which one is meant."""
        found: dict[int, ParsedRuling] = {}
        for spelling in spellings(text):
            answer = self.fetcher.get(
                f"{BASE}/search/judgments",
                params={"caseNumber": spelling, "pageSize": "100"},
                accept="application/json",
            )
            for item in _items(answer.body):
                number = int(item["id"])
                if number not in found:
                    found[number] = self.ruling(number)
            if found:
                break
        return [found[number] for number in sorted(found)]

    def ruling(self, number: int) -> ParsedRuling:
        answer = self.fetcher.get(f"{BASE}/judgments/{number}", accept="application/json")
        return parse_saos(answer.body)


def spellings(docket: str) -> list[str]:
    """The spellings under which SAOS may store a docket: as given, with a long year, with two blanks, glued."""
    plain = fold_space(docket)
    match = re.fullmatch(r"(?P<roman>[IVX]+)\s+(?P<register>\D+?)\s*(?P<number>\d+)/(?P<year>\d{2})", plain)
    found = [plain]
    if match:
        century = "19" if int(match["year"]) > 50 else "20"
        found += [
            f"{match['roman']} {match['register']} {match['number']}/{century}{match['year']}",
            f"{match['roman']}  {match['register']} {match['number']}/{match['year']}",
            f"{match['roman']}{match['register']} {match['number']}/{match['year']}",
        ]
    return list(dict.fromkeys(found))


def _items(content: bytes) -> list[Mapping[str, Any]]:
    record = read_json(content, what="search results of SAOS")
    items = record.get("items") if isinstance(record, dict) else None
    if not isinstance(items, list):
        raise UnreadableSource("expected search results of SAOS with items, found none")
    return items


@expecting("a ruling of SAOS")
def parse_saos(content: bytes) -> ParsedRuling:
    """One ruling: the answer of `/judgments/{id}` or an item of a dump. UnreadableSource for anything else.

    A day that cannot be (SAOS has a few) is left out rather than guessed.
    """
    record = read_json(content, what="a ruling of SAOS")
    if isinstance(record, dict) and isinstance(record.get("data"), dict):
        record = record["data"]
    if not isinstance(record, dict) or not record.get("courtCases"):
        raise UnreadableSource("expected a ruling of SAOS with courtCases, found none")
    text = str(record.get("textContent") or "")
    if "<" in text:
        text = RULES.read(parse_html(text.encode(), what="the text of a ruling")).text
    text = "\n".join(line for line in map(fold_space, text.splitlines()) if line)
    regulations = [str(entry.get("text") or "") for entry in record.get("referencedRegulations") or ()]
    source = record.get("source") or {}
    return ParsedRuling(
        jurisdiction="PL",
        court=_court(record),
        docket=", ".join(fold_space(str(case["caseNumber"])) for case in record["courtCases"]),
        decided_on=_day(str(record.get("judgmentDate") or "")),
        language="pl",
        sha256=sha256_of(content),
        form=FORMS.get(str(record.get("judgmentType")), ""),
        title=fold_space(str(record.get("summary") or "")),
        text=text,
        cited_law=tuple(entry for entry in regulations if entry),
        source="saos",
        source_url=str(source.get("judgmentUrl") or f"https://www.saos.org.pl/judgments/{record.get('id')}"),
    )


def _court(record: Mapping[str, Any]) -> str:
    division = record.get("division") or {}
    named = (division.get("court") or {}).get("name") if isinstance(division, dict) else ""
    return str(named or COURTS.get(str(record.get("courtType")), str(record.get("courtType") or "sąd")))


def _day(text: str) -> date | None:
    try:
        day = date.fromisoformat(text[:10])
    except ValueError:
        return None
    return day if 1900 <= day.year <= 2100 else None
