"""Polish acts as the Sejm's ELI service gives them: metadata, the unit tree, and the text in HTML."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from lxml import etree

from lexreview.law.folding import fold_space
from lexreview.law.keys import make_key
from lexreview.law.parsed import (
    ParsedAct,
    ParsedAmendment,
    ParsedEdition,
    ParsedName,
    ParsedUnit,
    UnreadableSource,
    sha256_of,
)
from lexreview.law.repeal import says_repealed
from lexreview.law.sources.json_shape import expecting
from lexreview.law.sources.markup import InlineRules, InlineText, attribute, local_name, parse_html, plain_text

LEVELS = {"arti": "art", "para": "par", "pass": "ust", "pint": "pkt", "lett": "lit", "tire": "tiret"}
RULES = InlineRules(
    breaking=frozenset({"p", "br", "div", "li", "ul", "ol", "td", "th", "tr", "table", "h1", "h2", "h3"}),
    notes=frozenset({"authorialnote"}),
    dropped=frozenset({"script", "style", "button"}),
)
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_RAISED_RUN = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_LABEL = re.compile(
    r"(?:Art\.|§)?\s*(?P<first>\d+(?:\^\d+)?[a-z]*|[a-z]{1,3})"
    r"(?:\s*[-–—]\s*(?P<last>\d+(?:\^\d+)?[a-z]*|[a-z]{1,3}))?\s*[.)]?",
    re.IGNORECASE,
)
_SKIPPED = {"script", "style", "h1", "h2", "h3"}
_QUOTES = ((re.compile(r"„\s+"), "„"), (re.compile(r"\s+”"), "”"), (re.compile(r"”\s+(?=[.,;])"), "”"))
_CONSOLIDATING = "Tekst jednolity dla aktu"
_AMENDMENT_KINDS = {"Akty zmieniające": "amendment", "Orzeczenie TK": "tribunal", "Sprostowanie": "correction"}
_DATED_TITLE = re.compile(r"(?P<head>.*?)\s*z dnia \d{1,2} \w+ \d{4}\s*r\.\s*(?P<rest>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class EliMeta:
    """The metadata of one act. `references` maps the Polish category to entries with `id` and perhaps `date`, `art`."""

    eli: str
    title: str
    kind: str
    display_address: str
    isap_address: str
    status: str
    has_html: bool
    announced_on: date | None
    promulgated_on: date | None
    in_force_on: date | None
    state_on: date | None
    repealed_on: date | None
    expired_on: date | None
    comments: str
    references: Mapping[str, list[dict[str, Any]]] = field(default_factory=dict)

    @property
    def consolidates(self) -> str:
        """The act whose consolidated text this announcement publishes; empty for any other act."""
        return next((str(entry["id"]) for entry in self.references.get(_CONSOLIDATING, ()) if entry.get("id")), "")


def parse_eli_meta(content: bytes) -> EliMeta:
    """The metadata. UnreadableSource where the answer is no JSON object with an ELI (an HTML page, for instance)."""
    record = read_json(content, what="metadata of a Polish act")
    if not isinstance(record, dict) or not record.get("ELI"):
        raise UnreadableSource("expected metadata of a Polish act with the field ELI, found none")
    return EliMeta(
        eli=str(record["ELI"]),
        title=fold_space(str(record.get("title", ""))),
        kind=str(record.get("type", "")),
        display_address=str(record.get("displayAddress", "")),
        isap_address=str(record.get("address", "")),
        status=str(record.get("status", "")),
        has_html=bool(record.get("textHTML")),
        announced_on=_day(record, "announcementDate"),
        promulgated_on=_day(record, "promulgation"),
        in_force_on=_day(record, "entryIntoForce") or _day(record, "validFrom"),
        state_on=_day(record, "legalStatusDate"),
        repealed_on=_day(record, "repealDate"),
        expired_on=_day(record, "expirationDate"),
        comments=str(record.get("comments") or ""),
        references=_by_category(record.get("references") or {}),
    )


def _by_category(record: Any) -> dict[str, list[dict[str, Any]]]:
    is_grouped = isinstance(record, dict) and all(isinstance(entries, list) for entries in record.values())
    if not is_grouped or not all(isinstance(entry, dict) for entries in record.values() for entry in entries):
        raise UnreadableSource("expected references of a Polish act grouped by category, found something else")
    return dict(record)


def read_json(content: bytes, *, what: str) -> Any:
    """A JSON value; UnreadableSource where the answer is something else, such as a page of a firewall."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        found = (
            "an HTML page" if content.lstrip()[:1] == b"<" else "an empty answer" if not content.strip() else "no JSON"
        )
        raise UnreadableSource(f"expected {what} in JSON, found {found}") from error


def _day(record: Mapping[str, Any], name: str) -> date | None:
    value = record.get(name)
    if not value:
        return None
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError as error:
        raise UnreadableSource(f"{name}: expected a day, found {value!r}") from error


def act_of_meta(meta: EliMeta, *, references: bytes | None = None) -> ParsedAct:
    """The act without its texts. `references` is the answer of the references address, with days of promulgation."""
    return ParsedAct(
        eli=meta.eli,
        jurisdiction="PL",
        titles={"pl": meta.title} if meta.title else {},
        names=tuple(_names(meta)),
        adopted_on=meta.announced_on,
        in_force_on=meta.in_force_on,
        repealed_on=meta.repealed_on,
        force_note=meta.comments,
        source_url=f"https://api.sejm.gov.pl/eli/acts/{meta.eli}",
        journal=meta.display_address,
        identifiers={"journal": meta.eli},
        amendments=tuple(_amendments(meta, references)),
    )


def _names(meta: EliMeta) -> Iterator[ParsedName]:
    yield from (ParsedName("number", value) for value in (meta.display_address, meta.isap_address) if value)
    for announcement in meta.references.get("Inf. o tekście jednolitym", ()):
        if announcement.get("id"):
            yield ParsedName("number", str(announcement["id"]))
    match = _DATED_TITLE.fullmatch(meta.title)
    if match:
        rest = match["rest"].strip(" .").lstrip("-–— ").strip()
        if rest:
            yield ParsedName("title", rest, "pl")
            yield ParsedName("title", f"{match['head']} {rest}".strip(), "pl")
            yield ParsedName("title", f"{match['head']} – {rest}".strip(), "pl")


def _amendments(meta: EliMeta, references: bytes | None) -> Iterator[ParsedAmendment]:
    promulgated = _promulgation_days(references) if references is not None else {}
    for category, kind in _AMENDMENT_KINDS.items():
        for entry in meta.references.get(category, ()):
            eli = str(entry.get("id", ""))
            if eli:
                yield ParsedAmendment(
                    amending_eli=eli,
                    kind=kind,
                    promulgated_on=promulgated.get(eli),
                    effective_on=_day(entry, "date"),
                    citation=eli,
                    source_url=f"https://api.sejm.gov.pl/eli/acts/{eli}",
                )


def _promulgation_days(content: bytes) -> dict[str, date]:
    record = _by_category(read_json(content, what="references of a Polish act"))
    acts = [entry["act"] for entries in record.values() for entry in entries if isinstance(entry.get("act"), dict)]
    return {str(act["ELI"]): day for act in acts if act.get("ELI") and (day := _day(act, "promulgation"))}


def parse_eli_html(content: bytes, *, meta: EliMeta | None = None, excerpt: bool = False) -> ParsedEdition:
    """The text of an act, or of the annex of an announcement that publishes a consolidated text.

    Quoted wordings of other acts stay text of the unit that quotes them. UnreadableSource where the page has no unit.
    """
    root = read_page(content)
    units = HtmlUnits().units(root)
    if not units:
        raise UnreadableSource("expected the text of a Polish act, found a page without units")
    is_consolidated = bool(meta and meta.consolidates)
    first_day = (meta.state_on or meta.announced_on) if meta and is_consolidated else meta.in_force_on if meta else None
    return ParsedEdition(
        act=(meta.consolidates or meta.eli) if meta else "",
        language="pl",
        valid_from=first_day,
        units=tuple(units),
        sha256=sha256_of(content),
        standing="consolidated" if is_consolidated else "promulgated",
        extent="excerpt" if excerpt else "whole",
        identifier=meta.eli if meta else "",
        promulgated_on=meta.promulgated_on if meta else None,
        source_url=f"https://api.sejm.gov.pl/eli/acts/{meta.eli}/text.html" if meta else "",
    )


def edition_without_text(meta: EliMeta) -> ParsedEdition:
    """The edition of an act whose text is published as PDF only: its days are known, its wording is not."""
    is_consolidated = bool(meta.consolidates)
    return ParsedEdition(
        act=meta.consolidates or meta.eli,
        language="pl",
        valid_from=(meta.state_on or meta.announced_on) if is_consolidated else meta.in_force_on,
        units=(),
        sha256=sha256_of(f"no text: {meta.eli}".encode()),
        standing="consolidated" if is_consolidated else "promulgated",
        extent="no_text",
        identifier=meta.eli,
        promulgated_on=meta.promulgated_on,
        source_url=f"https://api.sejm.gov.pl/eli/acts/{meta.eli}/text.pdf",
        note="published as PDF only",
    )


def parse_eli_struct(content: bytes, *, meta: EliMeta | None = None) -> ParsedEdition:
    """The unit tree without wording."""
    record = read_json(content, what="the unit tree of a Polish act")
    roots = record if isinstance(record, list) else [record]
    with expecting("the unit tree of a Polish act"):
        units = [unit for node in roots for unit in _struct_units(node, [])]
    return ParsedEdition(
        act=(meta.consolidates or meta.eli) if meta else "",
        language="pl",
        valid_from=meta.in_force_on if meta else None,
        units=tuple(units),
        sha256=sha256_of(content),
        standing="promulgated",
        extent="structure",
        identifier=meta.eli if meta else "",
        promulgated_on=meta.promulgated_on if meta else None,
        source_url=f"https://api.sejm.gov.pl/eli/acts/{meta.eli}/struct" if meta else "",
    )


def _struct_units(node: Mapping[str, Any], segments: list[tuple[str, str]]) -> list[ParsedUnit]:
    if not isinstance(node, dict) or not node.get("id"):
        raise UnreadableSource("expected the unit tree of a Polish act, found nodes without id")
    last = str(node["id"]).rpartition("-")[2]
    kind, _, number = last.partition("_")
    level = LEVELS.get(kind)
    title = fold_space(str(node.get("title", "")))
    if level is None:
        unit = ParsedUnit(f"@{node['id']}", "part", heading=title, eid=str(node["id"]))
        own = segments
    else:
        own = [*segments, (level, number_of_id(number))]
        unit = ParsedUnit(make_key(own), level, number=title, eid=str(node["id"]))
    for child in node.get("children") or ():
        unit.children.extend(_struct_units(child, own))
    return [unit]


def number_of_id(segment: str) -> str:
    """The number in an id: `117_1` is 117^1, `22_1a` is 22^1a, `18a` stays."""
    return "^".join(segment.split("_", 1)).replace("_", "")


def read_page(content: bytes) -> etree._Element:
    """The page with the text of each footnote where its mark stands."""
    root = parse_html(content, what="the text of a Polish act in HTML")
    for anchor in list(root.iter("a")):
        if "gloss-link" in classes_of(anchor):
            tooltip = next((e for e in anchor.iter("span") if "tooltip-text" in classes_of(e)), None)
            note = plain_text(tooltip) if tooltip is not None else plain_text(anchor)
            for child in list(anchor):
                anchor.remove(child)
            anchor.tag, anchor.text = "authorialnote", note
    return root


def classes_of(element: etree._Element) -> set[str]:
    return set(attribute(element, "class").split())


def unit_kind(element: etree._Element) -> str:
    """The kind in the class of a unit (`arti`, `para`, `chpt` …); empty for any other element."""
    if local_name(element) != "div" or "unit" not in (classes := classes_of(element)):
        return ""
    return next((name.removeprefix("unit_") for name in classes if name.startswith("unit_")), "")


def read_label(text: str) -> tuple[str, str]:
    """Number and last number of a label: "Art. 117¹." gives ("117^1", ""), "Art. 22–25." gives ("22", "25")."""
    plain = _RAISED_RUN.sub(lambda match: "^" + match[0].translate(_RAISED), text)
    match = _LABEL.fullmatch(plain.replace(" ^", "^").strip())
    return (match["first"].replace(" ", ""), match["last"] or "") if match else ("", "")


class HtmlUnits:
    def units(self, root: etree._Element) -> list[ParsedUnit]:
        sections = [section for section in root.iter("section") if (section.get("id") or "").startswith("part_")]
        if not sections:
            return self.content(root, [])[0]
        head = next((plain_text(e) for e in root.iter("span") if "head-type" in classes_of(e)), "")
        if head.casefold().startswith("obwieszczenie"):
            sections = [section for section in sections if self.is_annex(section)] or sections[-1:]
            return [unit for section in sections for unit in self.content(section, [])[0]]
        units = self.content(sections[0], [])[0]
        return units + [self.annex(section, order) for order, section in enumerate(sections[1:], start=1)]

    def is_annex(self, section: etree._Element) -> bool:
        title = next((plain_text(e) for e in section.iter("h2")), "")
        marked = any("_z1" in (e.get("data-bookmark") or "") for e in section.iter("div"))
        return marked or title.casefold().startswith("załącznik")

    def annex(self, section: etree._Element, order: int) -> ParsedUnit:
        title = next((plain_text(e) for e in section.iter("h2")), "")
        blocks = [block for block in section.iter("div") if "block" in classes_of(block)] or [section]
        tables = [table for block in blocks for table in block.iter("table")]
        plain = [(found.text, found.notes) for found in map(RULES.read, blocks)]
        texts = [read_table(table) for table in tables] or plain
        return ParsedUnit(
            f"@annex/{order}",
            "annex",
            heading=title,
            text="\n".join(text for text, _ in texts),
            notes=[note for _, notes in texts for note in notes],
            eid=section.get("id") or "",
        )

    def content(
        self, element: etree._Element, segments: list[tuple[str, str]]
    ) -> tuple[list[ParsedUnit], list[InlineText], list[InlineText]]:
        """Sub-units below an element, with the text before and after them."""
        units: list[ParsedUnit] = []
        before: list[InlineText] = []
        after: list[InlineText] = []
        for child in element:
            classes = classes_of(child)
            if unit_kind(child):
                units.append(self.unit(child, segments))
            elif local_name(child) == "ul" and units and units[-1].level in {"pkt", "lit"} and len(child) == 1:
                # One dash behind points is no list: it holds the closing words that all points share.
                after.append(read_block(child))
            elif local_name(child) == "ul" and attribute(child, "data-template") == "xEnum":
                units += self.dashes(child, segments, already=sum(u.level == "tiret" for u in units))
            elif classes & {"gloss-section", "gloss", "toc"} or local_name(child) in {
                "script",
                "style",
                "h1",
                "h2",
                "h3",
            }:
                continue
            elif any(unit_kind(inner) for inner in child.iter("div")) and "cite-box" not in classes:
                more, first, last = self.content(child, segments)
                (after if units else before).extend(first)
                units += more
                after += last
            elif (found := read_block(child)).text:
                (after if units else before).append(found)
        return units, before, after

    def unit(self, element: etree._Element, segments: list[tuple[str, str]]) -> ParsedUnit:
        level = LEVELS.get(unit_kind(element))
        eid = element.get("id") or ""
        head = next((child for child in element if local_name(child) == "h3"), None)
        label = RULES.read(head) if head is not None else InlineText()
        inner = [child for child in element if child is not head]
        first, last = read_label(label.text)
        own = segments
        if level is None:
            unit = ParsedUnit(f"@{eid or unit_kind(element)}", "part", heading=label.text, eid=eid)
        else:
            first = first or number_of_id((element.get("data-id") or eid).rpartition("-")[2].partition("_")[2]) or "?"
            own = [*segments, (level, first)]
            unit = ParsedUnit(make_key(own), level, number=label.text, eid=eid, range_end=last)
        for part in inner:
            units, before, after = self.content(part, own)
            unit.children += units
            unit.text = "\n".join(filter(None, [unit.text, *(found.text for found in before)]))
            unit.closing = "\n".join(filter(None, [unit.closing, *(found.text for found in after)]))
            unit.notes += [note for found in (*before, *after) for note in found.notes]
        unit.notes = label.notes + unit.notes
        if level is not None:
            mark_repealed(unit)
        return unit

    def dashes(self, element: etree._Element, segments: list[tuple[str, str]], *, already: int) -> list[ParsedUnit]:
        units = []
        for order, item in enumerate((child for child in element if local_name(child) == "li"), start=already + 1):
            own = [*segments, ("tiret", str(order))]
            found = [read_block(part) for part in item]
            texts = [text for text in (part.text for part in found) if text.strip("-–— ")]
            units.append(
                ParsedUnit(
                    make_key(own),
                    "tiret",
                    number="–",
                    text="\n".join(re.sub(r"^[-–—]\s+", "", text) for text in texts),
                    notes=[note for part in found for note in part.notes],
                )
            )
        return units


def read_block(element: etree._Element) -> InlineText:
    """The text of a block, quotation marks closed up; tables as rows."""
    tables = [element] if local_name(element) == "table" else list(element.iter("table"))
    if tables:
        rows = [read_table(table) for table in tables]
        return InlineText([" ".join(text for text, _ in rows)], [note for _, notes in rows for note in notes])
    found = RULES.read(element)
    text = found.text
    for pattern, replacement in _QUOTES:
        text = pattern.sub(replacement, text)
    return InlineText([text], found.notes)


def read_table(element: etree._Element) -> tuple[str, list[str]]:
    """The rows of a table as lines, cells apart by a bar, and the notes in it."""
    lines, notes = [], []
    for row in element.iter("tr"):
        cells = [RULES.read(cell) for cell in row if local_name(cell) in {"td", "th"}]
        notes += [note for cell in cells for note in cell.notes]
        if line := " | ".join(cell.text for cell in cells if cell.text):
            lines.append(line)
    return "\n".join(lines), notes


def mark_repealed(unit: ParsedUnit) -> None:
    """Set `is_repealed` where the unit's whole text says so and nothing below it is in force."""
    if unit.children:
        unit.is_repealed = not unit.text and not unit.closing and all(child.is_repealed for child in unit.children)
    else:
        unit.is_repealed = says_repealed(unit.text)
