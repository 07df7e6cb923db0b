"""Swiss federal law as Fedlex publishes it in Akoma Ntoso: one file is one edition of one act in one language."""

import re
from collections.abc import Iterable
from datetime import date

from lxml import etree

from lexreview.law.keys import make_key
from lexreview.law.parsed import ParsedAct, ParsedEdition, ParsedName, ParsedUnit, UnreadableSource, sha256_of
from lexreview.law.repeal import says_repealed
from lexreview.law.sources.markup import InlineRules, local_name, parse_xml

CONTAINERS = {
    "book", "title", "part", "chapter", "subchapter", "section", "subsection", "level", "transitional", "proviso"
}  # fmt: skip
RULES = InlineRules(
    breaking=frozenset(
        {"p", "br", "item", "blocklist", "listintroduction", "td", "th", "tr", "table", "block", "content"}
    ),
    notes=frozenset({"authorialnote"}),
    dropped=frozenset({"placeholder", "foreign", "math"}),
)
_WORK = re.compile(r"https?://fedlex\.data\.admin\.ch/(?P<eli>eli/cc/.+?)/(?P<day>\d{8})$")
# Between the first and the last number of a printed range.
RANGE_SIGN = r"(?:[-–—]|\b(?:und|bis|et|à|ed?|al?|and|to)\b|u\.)"
_UNIT_NUMBER = re.compile(
    rf"(?:Art(?:ikel|icle|icolo)?\.?|§)?\s*(?P<first>[0-9][0-9a-z]*)(?:\s*{RANGE_SIGN}\s*(?P<last>[0-9][0-9a-z]*))?",
    re.IGNORECASE,
)
_APART = re.compile(
    rf"(?<=\d)\s+(?!{RANGE_SIGN}\s*\d)(?=[a-z]{{1,2}}\b|bis|ter|qua|qui|sex|sep|oct)(?!und|et\b|ed\b|u\.)",
    re.IGNORECASE,
)
_LEADING_NUMBER = re.compile(
    r"(?P<number>[⁰¹²³⁴⁵⁶⁷⁸⁹]+(?:bis|ter|quater|quinquies|sexies|septies|octies)?)\s*(?P<rest>\S.*)", re.DOTALL
)
_LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_HEADING_NUMBER = re.compile(r"(?P<number>\d+[a-z]*)\.\s*")
_PROVISO = re.compile(r"disp_u?(?P<number>[0-9a-z]+)", re.IGNORECASE)
_AUTHORITATIVE = {"de", "fr", "it"}


def parse_fedlex(content: bytes) -> ParsedAct:
    """The act with its one edition. UnreadableSource where the file is truncated or no Fedlex consolidation."""
    root = parse_xml(content, what="an Akoma Ntoso act of Fedlex")
    act = next((child for child in root if local_name(child) == "act"), None)
    if local_name(root) != "akomaNtoso" or act is None:
        raise UnreadableSource(f"expected akomaNtoso/act, found {local_name(root)}")
    return _Reader(act, content).read()


def _child(element: etree._Element, *names: str) -> etree._Element | None:
    """The first child of a name, followed down the names given."""
    found: etree._Element | None = element
    for name in names:
        found = next((child for child in found if local_name(child) == name), None) if found is not None else None
    return found


def _children(element: etree._Element | None, name: str) -> list[etree._Element]:
    return [child for child in element if local_name(child) == name] if element is not None else []


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise UnreadableSource(f"expected a day such as 2024-01-31 in the metadata, found {text!r}") from error


class _Reader:
    def __init__(self, act: etree._Element, content: bytes) -> None:
        self.act = act
        self.content = content
        self.warnings: list[str] = []

    def read(self) -> ParsedAct:
        work = _child(self.act, "meta", "identification", "FRBRWork")
        uri = _child(work, "FRBRuri") if work is not None else None
        match = _WORK.match(uri.get("value", "")) if uri is not None else None
        if work is None or match is None:
            raise UnreadableSource("expected the address of a Fedlex consolidation in FRBRWork/FRBRuri, found none")
        days = {tag.get("name", ""): _day(tag.get("date", "")) for tag in _children(work, "FRBRdate")}
        titles = {name.get(_LANG, ""): name.get("value", "").strip() for name in _children(work, "FRBRname")}
        language = self._language()
        valid_from = days.get("jolux:dateApplicability") or _day(
            f"{match['day'][:4]}-{match['day'][4:6]}-{match['day'][6:]}"
        )
        edition = ParsedEdition(
            act=match["eli"],
            language=language,
            valid_from=valid_from,
            units=tuple(self._units()),
            sha256=sha256_of(self.content),
            standing="official",
            identifier=f"{match['eli']}/{match['day']}",
            source_url=f"https://fedlex.data.admin.ch/{match['eli']}/{match['day']}/{language}/xml",
            note="" if language in _AUTHORITATIVE else "translation without legal force",
            warnings=tuple(self.warnings),
        )
        return ParsedAct(
            eli=match["eli"],
            jurisdiction="CH",
            titles={code: title for code, title in titles.items() if code and title},
            names=tuple(self._names(work, language)),
            adopted_on=days.get("jolux:dateDocument"),
            in_force_on=days.get("jolux:dateEntryInForce"),
            source_url=f"https://www.fedlex.admin.ch/{match['eli']}",
            editions=(edition,),
        )

    def _language(self) -> str:
        tag = _child(self.act, "meta", "identification", "FRBRExpression", "FRBRlanguage")
        language = tag.get("language", "") if tag is not None else ""
        if not language:
            raise UnreadableSource("expected a language in FRBRExpression/FRBRlanguage, found none")
        return language[:2].lower()

    def _names(self, work: etree._Element, language: str) -> Iterable[ParsedName]:
        yield from self._numbers(work)
        for tag in _children(work, "FRBRname"):
            code, title, short = tag.get(_LANG, ""), tag.get("value", "").strip(), tag.get("shortForm", "").strip()
            if title:
                yield ParsedName("title", title, code)
            if short:
                yield ParsedName("abbreviation", short, code)
            yield from (name for name in bracketed_names(title, code) if name.value != short)
        preface = _child(self.act, "preface")
        for element in preface.iter() if preface is not None else ():
            if local_name(element) == "docTitle" and (title := RULES.read(element).text):
                yield ParsedName("title", title, language)

    def _numbers(self, work: etree._Element) -> Iterable[ParsedName]:
        preface = _child(self.act, "preface")
        tags = [tag for tag in preface.iter() if local_name(tag) == "docNumber"] if preface is not None else []
        number = next((text for tag in tags if (text := RULES.read(tag).text)), "")
        if not number:
            tag = _child(work, "FRBRnumber")
            number = tag.get("value", "").strip() if tag is not None else ""
        if number:
            yield from (ParsedName("number", f"{prefix}{number}") for prefix in ("SR ", "RS ", ""))

    def _units(self) -> Iterable[ParsedUnit]:
        if (preamble := _child(self.act, "preamble")) is not None:
            found = RULES.read(*preamble)
            yield ParsedUnit("@preamble", "preamble", text=found.text, notes=found.notes)
        body = _child(self.act, "body")
        for element in body if body is not None else ():
            yield from self._element(element, dis="", marginal=())
        for component in _children(_child(self.act, "components"), "component"):
            for doc in _children(component, "doc"):
                yield self._annex(doc, component.get("eId", ""))

    def _element(self, element: etree._Element, *, dis: str, marginal: tuple[str, ...]) -> Iterable[ParsedUnit]:
        name = local_name(element)
        if name == "article":
            yield self._article(element, dis=dis, marginal=marginal)
        elif name in CONTAINERS:
            yield self._container(element, dis=dis, marginal=marginal)
        elif name not in {"num", "heading", "content", "paragraph"} and RULES.read(element).text:
            self.warnings.append(f"<{name}> in the body was read as plain text")
            found = RULES.read(element)
            yield ParsedUnit(f"@{name}", "text", text=found.text, notes=found.notes, eid=element.get("eId", ""))

    def _container(self, element: etree._Element, *, dis: str, marginal: tuple[str, ...]) -> ParsedUnit:
        name, eid = local_name(element), element.get("eId", "")
        label, heading, notes = self._label(element)
        if name in {"proviso", "transitional"}:
            match = _PROVISO.search(eid)
            dis = match["number"] if match else eid or "1"
        key = f"dis={dis}" if name in {"proviso", "transitional"} else f"@{eid or name}"
        unit = ParsedUnit(key, name, number=label, heading=heading, notes=notes, eid=eid)
        if "marginal" in element.attrib.values() or name == "level":
            marginal = (*marginal, f"{label} {heading}".strip()) if heading.strip("… .") else marginal
        for child in element:
            if local_name(child) in {"content", "paragraph"}:
                self._fill(unit, [child], segments=[("dis", dis)] if dis else [])
        for child in element:
            unit.children.extend(self._element(child, dis=dis, marginal=marginal))
        return unit

    def _annex(self, doc: etree._Element, eid: str) -> ParsedUnit:
        body = _child(doc, "mainBody")
        head = RULES.read(
            *_children(_child(doc, "preface") if _child(doc, "preface") is not None else None, "container")
        )
        unit = ParsedUnit(f"@{eid or 'annex'}", "annex", heading=head.text, notes=head.notes, eid=eid)
        loose = [child for child in body if local_name(child) not in CONTAINERS] if body is not None else []
        found = RULES.read(*loose)
        unit.text, unit.notes = found.text, unit.notes + found.notes
        for child in body if body is not None else ():
            if local_name(child) in CONTAINERS:
                unit.children.append(self._container(child, dis="", marginal=()))
        return unit

    def _label(self, element: etree._Element) -> tuple[str, str, list[str]]:
        num, heading = RULES.read(*_children(element, "num")), RULES.read(*_children(element, "heading"))
        return num.text.translate(_LOWERED), heading.text, num.notes + heading.notes

    def _article(self, element: etree._Element, *, dis: str, marginal: tuple[str, ...]) -> ParsedUnit:
        label, heading, notes = self._label(element)
        first, last = read_number(label)
        if not first:
            first = element.get("eId", "").rpartition("art_")[2].replace("_", "") or "?"
            self.warnings.append(f"article number {label!r} is not understood; taken from the eId: {first}")
        segments = ([("dis", dis)] if dis else []) + [("art", first)]
        unit = ParsedUnit(
            make_key(segments),
            "art",
            number=label,
            heading=heading or " / ".join(marginal),
            notes=notes,
            eid=element.get("eId", ""),
            range_end=last,
        )
        self._fill(unit, [c for c in element if local_name(c) not in {"num", "heading"}], segments=segments)
        return mark_repealed(unit)

    def _fill(self, unit: ParsedUnit, elements: Iterable[etree._Element], *, segments: list[tuple[str, str]]) -> None:
        """Put the content of a unit into it: its own text, its sub-units, and what stands behind them."""
        for element in elements:
            name = local_name(element)
            if name == "paragraph":
                self._paragraph(unit, element, segments)
            elif name == "subdivision":
                unit.children.append(self._subdivision(element, segments))
            elif name == "blockList":
                self._list(unit, element, segments)
            elif name in {"content", "list"}:
                self._fill(unit, element, segments=segments)
            elif name in {"num", "heading"}:
                continue
            else:
                self._block(unit, element, segments)

    def _paragraph(self, unit: ParsedUnit, element: etree._Element, segments: list[tuple[str, str]]) -> None:
        label, heading, notes = self._label(element)
        first, last = read_number(label)
        rest = [child for child in element if local_name(child) not in {"num", "heading"}]
        if not first:
            unit.notes.extend(notes)
            if label:
                unit.text = f"{unit.text} {label}".strip()
            self._fill(unit, rest, segments=segments)
            return
        own = [*segments, ("ust", first)]
        paragraph = ParsedUnit(
            make_key(own), "ust", number=label, heading=heading, notes=notes, eid=element.get("eId", ""), range_end=last
        )
        self._fill(paragraph, rest, segments=own)
        unit.children.append(mark_repealed(paragraph))

    def _subdivision(self, element: etree._Element, segments: list[tuple[str, str]]) -> ParsedUnit:
        label, heading, notes = self._label(element)
        eid = element.get("eId", "")
        match = _HEADING_NUMBER.match(label or heading)
        number = match["number"] if match else eid.rpartition("_u")[2] or eid
        if match and not label:
            label, heading = heading[: match.end()].strip(), heading[match.end() :]
        own = [*segments, ("pkt", number)]
        unit = ParsedUnit(make_key(own), "pkt", number=label or number, heading=heading, notes=notes, eid=eid)
        self._fill(unit, [c for c in element if local_name(c) not in {"num", "heading"}], segments=own)
        return mark_repealed(unit)

    def _block(self, unit: ParsedUnit, element: etree._Element, segments: list[tuple[str, str]]) -> None:
        if local_name(element) == "table":
            append_text(unit, *read_table(element))
            return
        found = RULES.read(element)
        match = _LEADING_NUMBER.fullmatch(found.text)
        if match and unit.level == "art" and not unit.text:
            # Old final titles print paragraph numbers as raised digits at the head of plain blocks.
            number = match["number"].translate(_LOWERED)
            child = ParsedUnit(
                make_key([*segments, ("ust", number)]), "ust", number=number, text=match["rest"], notes=found.notes
            )
            unit.children.append(mark_repealed(child))
            return
        append_text(unit, found.text, found.notes)

    def _list(self, unit: ParsedUnit, element: etree._Element, segments: list[tuple[str, str]]) -> None:
        bullets = 0
        for child in element:
            name = local_name(child)
            if name == "listIntroduction":
                found = RULES.read(child)
                append_text(unit, found.text, found.notes)
            elif name == "blockList":
                self._list(unit, child, segments)
            elif name == "item":
                label = RULES.read(*_children(child, "num"))
                bullets += 1
                level, number = item_level(label.text, bullets)
                own = [*segments, (level, number)]
                item = ParsedUnit(make_key(own), level, number=label.text, notes=label.notes, eid=child.get("eId", ""))
                self._fill(item, [c for c in child if local_name(c) != "num"], segments=own)
                self._place_item(unit, mark_repealed(item), segments)
            else:
                found = RULES.read(child)
                append_text(unit, found.text, found.notes)

    def _place_item(self, unit: ParsedUnit, item: ParsedUnit, segments: list[tuple[str, str]]) -> None:
        """Add an item where it belongs: a number that goes on behind a picture is of the inner list before it."""
        last = unit.children[-1] if unit.children else None
        if item.level == "pkt" and last and last.level == "lit" and last.children and last.children[-1].level == "pkt":
            letter, number = last.key.rpartition("lit=")[2], item.key.rpartition("pkt=")[2]
            item.key = make_key([*segments, ("lit", letter), ("pkt", number)])
            last.children.append(item)
        else:
            unit.children.append(item)


_LANG = "{http://www.w3.org/XML/1998/namespace}lang"


def read_number(label: str) -> tuple[str, str]:
    """Number and last number of a printed label: "Art. 268abis" gives ("268abis", ""), "28d–28f" ("28d", "28f")."""
    compact = _APART.sub("", label)
    match = _UNIT_NUMBER.fullmatch(compact.strip().rstrip("."))
    return (match["first"], match["last"] or "") if match else ("", "")


def item_level(label: str, order: int) -> tuple[str, str]:
    """Level and number of a list item from its label: letters are `lit`, digits `pkt`, dashes and bullets `tiret`."""
    core = label.strip().strip("().°").strip()
    if re.fullmatch(r"[0-9]+[a-z]*", core):
        return "pkt", core
    if re.fullmatch(r"[A-Za-zÀ-ÿ]{1,3}(?:bis|ter|quater|quinquies|sexies|septies|octies)?", core):
        return "lit", core
    return "tiret", str(order)


def append_text(unit: ParsedUnit, text: str, notes: list[str]) -> None:
    """Add a block of text to a unit: to its opening text while it has no sub-units, else behind them."""
    unit.notes.extend(notes)
    if not text:
        return
    if unit.children:
        unit.closing = f"{unit.closing}\n{text}".strip()
    else:
        unit.text = f"{unit.text}\n{text}".strip()


def mark_repealed(unit: ParsedUnit) -> ParsedUnit:
    """The unit with `is_repealed` set where it has no sub-units in force and its text says so."""
    if unit.children:
        unit.is_repealed = says_repealed(unit.text) and not unit.closing and all(c.is_repealed for c in unit.children)
    else:
        unit.is_repealed = says_repealed(unit.text, notes=unit.notes)
    return unit


def read_table(element: etree._Element) -> tuple[str, list[str]]:
    """A table as lines of text, cells apart by a bar, empty rows dropped; and the notes in it."""
    lines, notes = [], []
    for row in element.iter():
        if local_name(row) != "tr":
            continue
        cells = [RULES.read(*cell) for cell in row if local_name(cell) in {"td", "th"}]
        notes += [note for cell in cells for note in cell.notes]
        if line := " | ".join(cell.text for cell in cells if cell.text):
            lines.append(line)
    return "\n".join(lines), notes


def bracketed_names(title: str, language: str) -> list[ParsedName]:
    """Names that a title gives in brackets at its end: "(Datenschutzgesetz, DSG)" holds a title and an abbreviation."""
    match = re.search(r"\(([^()]{2,80})\)\s*$", title)
    names = [part.strip(" ,;") for part in re.split(r"[,;]", match[1])] if match else []
    return [
        ParsedName("abbreviation" if is_abbreviation(name) else "title", name, language)
        for name in names
        if len(name) > 1
    ]


def is_abbreviation(name: str) -> bool:
    """Whether a bracketed name looks like DSG or BankG: one short word with at least two capitals."""
    return bool(re.fullmatch(r"[A-ZÄÖÜÉ][\w./-]{1,11}", name)) and sum(char.isupper() for char in name) > 1
