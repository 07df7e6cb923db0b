"""Small files from which mutations start: invented ones, and real ones cut down where the folder of them is there."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from lxml import etree

MOST_BYTES = 6_000
_MOST_ITEMS, _MOST_CHARACTERS = 3, 800

PARSERS = (
    "fedlex",
    "akn",
    "eli_html",
    "amending",
    "eli_meta",
    "eli_references",
    "eli_struct",
    "eurlex",
    "markdown_ch",
    "plain_text",
    "bundle_act",
    "bundle_ruling",
    "units_json",
    "normattiva",
    "saos",
    "entscheidsuche",
    "sentenzeweb",
    "sparql",
)
_SHARES = {"amending": "eli_html"}
_REAL: dict[str, tuple[str, ...]] = {
    "fedlex": ("fedlex-xml/*.xml", "fedlex-xml-reconstructed/*.xml"),
    "akn": ("akn-other/*/*.xml", "de/bgbl*.xml", "it/*.akn.xml", "lu/sample-*.xml"),
    "eli_html": ("pl/*.html", "pl/recorded-eli/*.html"),
    "amending": ("pl/sample-ustawa-*.html",),
    "eli_meta": ("pl/*.meta.json", "pl/*-meta.json", "pl/recorded-eli/*.meta*.json"),
    "eli_references": ("pl/recorded-eli/*.references*.json",),
    "eli_struct": ("pl/*.struct.json",),
    "eurlex": ("eu/*.xhtml", "eu/html-old/*", "eu/mar_versions/*_v2.xhtml", "eu/version_pairs/32019*.xhtml"),
    "markdown_ch": ("fedlex-editions-md/152.3/*.md", "fedlex-editions-md/816.111/*-01-01.*.md"),
    "normattiva": ("it/normattiva-sample-*.json",),
    "saos": ("pl-decisions/recorded-saos/*.json",),
    "entscheidsuche": ("ch-decisions/search_1.json", "ch-decisions/decision_1.json", "ch-decisions/recent_1.json"),
    "sentenzeweb": ("it/cassazione-*.json",),
    "sparql": ("fedlex-sparql/sparql-*.json",),
}


@cache
def seeds_of(parser: str, shared: Path | None) -> tuple[bytes, ...]:
    """The invented seed of a parser, and behind it real files cut to `MOST_BYTES`, in a fixed order."""
    return (invented(parser), *(_real(_REAL.get(parser, ()), shared) if shared else ()))


@cache
def invented(parser: str) -> bytes:
    """The invented seed of a parser."""
    (path,) = (Path(__file__).parent / "seeds_invented").glob(f"{_SHARES.get(parser, parser)}.*")
    return path.read_bytes()


def _real(patterns: Iterable[str], shared: Path) -> Iterator[bytes]:
    for pattern in patterns:
        for path in sorted((shared / "data").glob(pattern)):
            if small := cut(path.suffix, path.read_bytes()):
                yield small


def cut(suffix: str, content: bytes) -> bytes:
    """A part of a real file, still well-formed: branches are taken off until it is small. b"" where it never is."""
    if suffix == ".json":
        small = json.dumps(_cut_value(json.loads(content)), ensure_ascii=False).encode()
    elif suffix == ".md":
        small = content[:MOST_BYTES].decode(errors="ignore").encode()
    else:
        small = _cut_markup(content, suffix)
    return small if len(small) <= 3 * MOST_BYTES else b""


def _cut_value(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _cut_value(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_cut_value(each) for each in value[:_MOST_ITEMS]]
    return value[:_MOST_CHARACTERS] if isinstance(value, str) else value


def _cut_markup(content: bytes, suffix: str) -> bytes:
    """The head of the largest branch stays, and a stretch from its middle: articles rarely stand at the start."""
    parser = etree.XMLParser(recover=True, resolve_entities=False) if suffix == ".xml" else etree.HTMLParser()
    root = etree.fromstring(content, parser)
    while (size := _size(root)) > MOST_BYTES:
        branch = root
        while len(branch) and (largest := max(branch, key=_size)) is not None and 2 * _size(largest) > _size(branch):
            branch = largest
        if len(branch) < 2:
            break
        kept = max(1, min(len(branch) - 1, len(branch) * MOST_BYTES // size))
        head, middle = (kept + 3) // 4, len(branch) * 6 // 10
        stay = {*range(head), *range(middle, middle + kept - head)}
        for child in [child for place, child in enumerate(branch) if place not in stay]:
            branch.remove(child)
    return etree.tostring(root, encoding="utf-8")


def _size(element: etree._Element) -> int:
    return len(etree.tostring(element, encoding="utf-8"))
