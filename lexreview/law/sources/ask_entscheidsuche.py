"""entscheidsuche.ch: rulings of Swiss courts by docket or reference."""

import json
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

ADDRESS = "https://entscheidsuche.ch/_searchV2.php"
_COURTS = {
    "CH_BGer": "Bundesgericht",
    "CH_BGE": "Bundesgericht",
    "CH_BVGer": "Bundesverwaltungsgericht",
    "CH_BSTG": "Bundesstrafgericht",
    "CH_BPatG": "Bundespatentgericht",
}


@dataclass(slots=True)
class Entscheidsuche:
    """Swiss rulings."""

    fetcher: Fetcher
    name: ClassVar[str] = "entscheidsuche"
    hosts: ClassVar[frozenset[str]] = frozenset({"entscheidsuche.ch"})

    def search(self, text: str) -> list[ParsedRuling]:
        """Rulings whose reference or title holds the docket, newest first as the service sorts them."""
        query = {
            "query": {"query_string": {"query": f'"{fold_space(text)}"', "fields": ["reference", "title.*"]}},
            "size": 50,
        }
        answer = self.fetcher.post_json(ADDRESS, content=json.dumps(query, ensure_ascii=False).encode())
        return list(parse_entscheidsuche(answer.body))


def parse_entscheidsuche(content: bytes) -> Iterator[ParsedRuling]:
    """The rulings of a search answer. UnreadableSource where it has no hits list."""
    record = read_json(content, what="an answer of entscheidsuche.ch")
    outer = record.get("hits") if isinstance(record, dict) else None
    hits = outer.get("hits") if isinstance(outer, dict) else None
    if not isinstance(hits, list):
        raise UnreadableSource("expected an answer of entscheidsuche.ch with hits.hits, found none")
    for hit in hits:
        source = hit.get("_source") if isinstance(hit, dict) else None
        if isinstance(source, dict) and source.get("reference"):
            with expecting("a ruling of entscheidsuche.ch"):
                ruling = _ruling(source, str(hit.get("_id", "")))
            yield ruling


def _ruling(source: Mapping[str, Any], identifier: str) -> ParsedRuling:
    attachment = source.get("attachment") or {}
    language = str(attachment.get("language") or "de")[:2]
    titles = source.get("title") or {}
    text = "\n".join(fold_space(line) for line in str(attachment.get("content") or "").splitlines() if line.strip())
    return ParsedRuling(
        jurisdiction="CH",
        court=_court(list(source.get("hierarchy") or ()), titles),
        docket=fold_space(str(source["reference"][0])),
        decided_on=_day(str(source.get("date") or "")),
        language=language,
        sha256=sha256_of(f"{identifier}\n{text}".encode()),
        title=fold_space(str((source.get("abstract") or {}).get(language) or titles.get(language) or "")),
        text=text,
        source="entscheidsuche",
        source_url=str(attachment.get("content_url") or ""),
    )


def _court(hierarchy: list[Any], titles: Mapping[str, Any]) -> str:
    known = next((_COURTS[str(part)] for part in hierarchy if str(part) in _COURTS), "")
    title = fold_space(str(titles.get("de") or ""))
    return known or re.sub(r"\s+\d{2}\.\d{2}\.\d{4}.*$", "", title) or (str(hierarchy[-1]) if hierarchy else "")


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None
