"""What is fuzzed: every grammar, every parser and the comparison of quotations, each under one name.

A target takes one input and returns nothing. `UnreadableSource` is an answer, anything else that it raises is a fault:
also an AssertionError, where what it returned contradicts itself.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import date
from typing import Any

from lexreview.core.citations import extract, parse_unit_key
from lexreview.core.quotations import CitedSpan, attribute, compare, find_quotations
from lexreview.law.parsed import ParsedAct, ParsedUnit, UnreadableSource, full_text, place
from lexreview.law.polish.amending import AmendedAct, from_record, read_orders, to_record
from lexreview.law.polish.clauses import Clause
from lexreview.law.polish.entry import read_entries
from lexreview.law.polish.instructions import interpret
from lexreview.law.sources.akn import parse_akn
from lexreview.law.sources.ask_entscheidsuche import parse_entscheidsuche
from lexreview.law.sources.ask_fedlex import sparql_rows
from lexreview.law.sources.ask_saos import parse_saos
from lexreview.law.sources.ask_sentenzeweb import parse_sentenzeweb
from lexreview.law.sources.eli_pl import act_of_meta, parse_eli_html, parse_eli_meta, parse_eli_struct
from lexreview.law.sources.eurlex import parse_eurlex
from lexreview.law.sources.fedlex import parse_fedlex
from lexreview.law.sources.markdown_ch import parse_markdown_ch
from lexreview.law.sources.normattiva import parse_normattiva_json
from lexreview.law.sources.plain import read_law_bundle, read_units
from lexreview.law.sources.plain_text import parse_plain_text
from tests.core.citations.profiles import ACTS, KESTRIA
from tests.fuzz import seeds

GRAMMARS = (
    ("pl", "pl"),
    ("ch", "de"),
    ("ch", "fr"),
    ("ch", "it"),
    ("eu", "en"),
    ("it", "it"),
    ("auto", "it"),
    ("auto", "pl"),
    ("QK", "en"),
    ("QK", "pl"),
)


def _grammar(jurisdiction: str, lang: str) -> Callable[[str], None]:
    profile = KESTRIA if jurisdiction == "QK" else None

    def run(text: str) -> None:
        found = extract(text, jurisdiction=jurisdiction, lang=lang, acts=ACTS if profile else (), profile=profile)
        assert all(text[one.start : one.end] == one.raw and one.raw for one in found)
        assert [one.start for one in found] == sorted(one.start for one in found)
        for one in found:
            parse_unit_key(one.unit)
            one.to_case()

    return run


def _quotations(text: str) -> None:
    """The text is an answer with citations where it says "art", and at the same time the law that is quoted."""
    quotations = find_quotations(text)
    assert all(text[each.start : each.end] == each.text for each in quotations if not each.is_block)
    places = [place for place in range(len(text)) if text.startswith(("art", "Art"), place)]
    attributions = attribute(text, quotations, [CitedSpan(place, place + 3) for place in places])
    assert len(attributions) <= len(quotations)
    for quotation in quotations:
        compared = compare(quotation.text, [text, text[: len(text) // 2]])
        assert 0 <= compared.similarity <= 1


def _instructions(text: str) -> None:
    for order in interpret(Clause(key="art=1", text=text), text=text, day_of=lambda key: date(2024, 1, 1)):
        assert to_record(from_record(to_record(order))) == to_record(order)


def _units(units: tuple[ParsedUnit, ...] | list[ParsedUnit]) -> None:
    assert all(entry.unit.key for entry in place(units))
    for unit in units:
        full_text(unit)


def _act(parsed: ParsedAct) -> None:
    assert parsed.eli
    for edition in parsed.editions:
        assert len(edition.sha256) == 64 and edition.language
        assert edition.valid_from is None or edition.valid_to is None or edition.valid_from <= edition.valid_to
        _units(edition.units)


def _amending(content: bytes) -> None:
    amended = AmendedAct(frozenset({"DU/2020/5"}), date(2001, 5, 1), "o pompach")
    for order in read_orders(
        content, amended=amended, in_force_on=date(2024, 1, 1), force_note="art. 3 wchodzi w życie"
    ):
        assert to_record(from_record(to_record(order))) == to_record(order)


def _references(content: bytes) -> None:
    _act(act_of_meta(parse_eli_meta(seeds.invented("eli_meta")), references=content))


def _bundle(**given: bytes) -> None:
    files = {
        "acts/AW.yaml": given.get("act", seeds.invented("bundle_act")),
        "acts/AW/2020-02-01.en.md": seeds.invented("plain_text"),
        "rulings/r.yaml": given.get("ruling", seeds.invented("bundle_ruling")),
    }
    for act in read_law_bundle(files).acts:
        _act(act)


def _edition(edition: Any) -> None:
    _units(edition.units)


TEXTS: dict[str, Callable[[str], object]] = {
    **{f"grammar {jurisdiction} {lang}": _grammar(jurisdiction, lang) for jurisdiction, lang in GRAMMARS},
    "quotations": _quotations,
    "instructions": _instructions,
    "entries": read_entries,
}
FILES: dict[str, Callable[[bytes], object]] = {
    "fedlex": lambda content: _act(parse_fedlex(content)),
    "akn": lambda content: _act(parse_akn(content)),
    "eli_html": lambda content: _edition(parse_eli_html(content)),
    "eli_meta": lambda content: _act(act_of_meta(parse_eli_meta(content))),
    "eli_references": _references,
    "eli_struct": lambda content: _edition(parse_eli_struct(content)),
    "amending": _amending,
    "eurlex": lambda content: _act(parse_eurlex(content, language="en")),
    "markdown_ch": lambda content: _act(parse_markdown_ch(content)),
    "plain_text": lambda content: _edition(parse_plain_text(content, file="x.md")),
    "bundle_act": lambda content: _bundle(act=content),
    "bundle_ruling": lambda content: _bundle(ruling=content),
    "units_json": lambda content: _units(read_units(content, file="x.json")),
    "normattiva": lambda content: _act(parse_normattiva_json(content)),
    "saos": parse_saos,
    "entscheidsuche": lambda content: list(parse_entscheidsuche(content)),
    "sentenzeweb": lambda content: list(parse_sentenzeweb(content)),
    "sparql": sparql_rows,
}


def run_text(name: str, text: str) -> None:
    TEXTS[name](text)


def run_file(name: str, content: bytes) -> None:
    """The parser on the bytes; refusing them is an answer."""
    with suppress(UnreadableSource):
        FILES[name](content)
