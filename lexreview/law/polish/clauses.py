"""The clauses of an amending act: what it says unit by unit, with the wordings that it quotes kept apart."""

import re
from dataclasses import dataclass, field

from lxml import etree

from lexreview.law.keys import make_key
from lexreview.law.parsed import ParsedUnit, walk
from lexreview.law.sources.eli_pl import (
    LEVELS,
    RULES,
    HtmlUnits,
    classes_of,
    number_of_id,
    read_block,
    read_label,
    read_page,
    unit_kind,
)
from lexreview.law.sources.markup import attribute, local_name

_ACT_ADDRESS = re.compile(r"/acts/((?:DU|MP)/\d{4}/\d+)")


@dataclass(slots=True)
class Clause:
    """One unit of an amending act. `quotes` are the block quotations behind its text: units, or else text."""

    key: str
    text: str = ""
    quotes: list[list[ParsedUnit] | str] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)
    children: list["Clause"] = field(default_factory=list)


def read_clauses(content: bytes) -> list[Clause]:
    """The top clauses (articles, or paragraphs of an executive act) of an amending act's text in HTML."""
    root = read_page(content)
    tops = [
        element
        for element in root.iter("div")
        if unit_kind(element) in {"arti", "para"} and not _inside_unit(element) and not _quoted(element)
    ]
    return [_clause(element, []) for element in tops]


def _is_inner(element: etree._Element) -> bool:
    return bool(unit_kind(element)) or "cite-box" in classes_of(element)


def _inside_unit(element: etree._Element) -> bool:
    return any(unit_kind(parent) in LEVELS for parent in element.iterancestors("div"))


def _quoted(element: etree._Element) -> bool:
    return any("cite-box" in classes_of(parent) for parent in element.iterancestors("div"))


def _clause(element: etree._Element, segments: list[tuple[str, str]]) -> Clause:
    head = next((child for child in element if local_name(child) == "h3"), None)
    label = RULES.read(head).text if head is not None else ""
    number = read_label(label)[0] or number_of_id((element.get("data-id") or "").partition("_")[2]) or "?"
    own = [*segments, (LEVELS[unit_kind(element)], number)]
    clause = Clause(make_key(own))
    for child in element:
        if child is not head:
            _fill(clause, child, own)
    return clause


def _fill(clause: Clause, element: etree._Element, segments: list[tuple[str, str]]) -> None:
    for child in element:
        if unit_kind(child) in LEVELS:
            clause.children.append(_clause(child, segments))
        elif "cite-box" in classes_of(child):
            clause.quotes.append(_quotation(child))
        elif local_name(child) == "ul" and attribute(child, "data-template") == "xEnum":
            _dashes(clause, child, segments)
        elif any(inner is not child and _is_inner(inner) for inner in child.iter("div")):
            _fill(clause, child, segments)
        elif text := read_block(child).text:
            clause.text = f"{clause.text} {text}".strip()
            addresses = [attribute(anchor, "href") for anchor in child.iter("a")]
            clause.addresses += [match[1] for href in addresses if (match := _ACT_ADDRESS.search(href))]


def _dashes(clause: Clause, element: etree._Element, segments: list[tuple[str, str]]) -> None:
    items = [child for child in element if local_name(child) == "li"]
    for order, item in enumerate(items, start=sum("tiret=" in child.key for child in clause.children) + 1):
        own = [*segments, ("tiret", str(order))]
        dash = Clause(make_key(own))
        _fill(dash, item, own)
        dash.text = re.sub(r"^[-–—]\s*", "", dash.text).strip()
        clause.children.append(dash)


def _quotation(element: etree._Element) -> list[ParsedUnit] | str:
    body = next((inner for inner in element.iter("div") if "cite-body" in classes_of(inner)), element)
    units, before, after = HtmlUnits().content(body, [])
    loose = [inner for unit in units for inner in walk(unit.children) if inner.key.startswith("@")]
    if units and not before and not after and not loose:
        return units
    return read_block(body).text
