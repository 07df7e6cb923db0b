"""Acts in Akoma Ntoso as other states publish them (Italy, Luxembourg, Germany, Finland …), by local names.

Bills, debates, judgments and collections are refused with the name of what they are.
"""

import re
from collections.abc import Iterator
from datetime import date

from lxml import etree

from lexreview.law.keys import make_key
from lexreview.law.parsed import ParsedAct, ParsedEdition, ParsedName, ParsedUnit, UnreadableSource, sha256_of
from lexreview.law.repeal import says_repealed
from lexreview.law.sources.fedlex import append_text, item_level
from lexreview.law.sources.markup import InlineRules, InlineText, local_name, parse_xml

RULES = InlineRules(
    breaking=frozenset(
        {"p", "br", "li", "td", "th", "tr", "table", "block", "content", "point", "item", "intro", "wrapup"}
    ),
    notes=frozenset({"authorialnote"}),
    dropped=frozenset({"placeholder", "marker", "eol"}),
)
_DOCUMENTS = {
    "bill", "debate", "debateReport", "judgment", "documentCollection", "doc", "statement", "portion", "amendment",
    "amendmentList", "officialGazette",
}  # fmt: skip
_PARAGRAPHS = {"paragraph", "subsection", "alinea"}
_ITEMS = {"point", "item", "indent", "subparagraph", "subpoint"}
_LISTS = {"list", "blockList"}
_OUTER = {
    "book", "tome", "title", "part", "chapter", "subchapter", "section", "subsection", "division", "level",
    "hcontainer", "subpart", "subtitle", "subdivision", "transitional", "proviso",
}  # fmt: skip
_TEXTS = {"content", "intro", "listIntroduction", "wrapUp", "listWrapUp"}
_SUFFIX = re.compile(
    r"-(?=bis|ter|quater|quinquies|sexies|septies|octies|novies|nonies|decies|undecies|duodecies)|(?<=\d)er\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?P<sign>§)?\D{0,12}?\(?(?P<number>\d+[a-zA-Z]*)", re.DOTALL)
_LANGUAGES = {
    "ita": "it", "fra": "fr", "deu": "de", "ger": "de", "fin": "fi", "swe": "sv", "eng": "en", "spa": "es", "por": "pt",
    "nld": "nl", "ltz": "lb", "pol": "pl",
}  # fmt: skip
_COUNTRIES = {"lux": "LU", "ita": "IT", "deu": "DE", "fin": "FI"}


def parse_akn(content: bytes) -> ParsedAct:
    """The act with its one edition. UnreadableSource for other kinds of documents and for files without units."""
    root = parse_xml(content, what="an act in Akoma Ntoso")
    act = next((element for element in root.iter() if local_name(element) == "act"), None)
    if act is None:
        kind = next((local_name(element) for element in root.iter() if local_name(element) in _DOCUMENTS), "")
        raise UnreadableSource(f"expected an act in Akoma Ntoso, found {kind or local_name(root)}")
    reader = _Reader(act)
    units = list(reader.units())
    if not units:
        raise UnreadableSource("expected an act with a body, found none")
    head = _Head(act)
    edition = ParsedEdition(
        act=head.eli,
        language=head.language,
        valid_from=head.valid_from,
        units=tuple(units),
        sha256=sha256_of(content),
        standing="consolidated" if head.is_consolidated else "promulgated",
        identifier=head.identifier,
        source_url=head.address,
    )
    return ParsedAct(
        eli=head.eli,
        jurisdiction=head.country,
        titles={head.language: head.title} if head.title else {},
        names=tuple(head.names()),
        adopted_on=head.adopted_on,
        source_url=head.address,
        editions=(edition,),
    )


class _Head:
    """What the metadata say."""

    def __init__(self, act: etree._Element) -> None:
        self.act = act
        work = self.first("FRBRWork")
        expression = self.first("FRBRExpression")
        uri = self.value(work, "FRBRuri") or self.value(work, "FRBRthis")
        aliases = [e.get("value", "") for e in self.inside(work, "FRBRalias") if "eli" in (e.get("name") or "").lower()]
        address = next((alias for alias in [*aliases, uri] if alias), "")
        self.is_consolidated = "CONSOLIDATED" in address or "@" in self.value(expression, "FRBRuri")
        self.eli = re.sub(r"/CONSOLIDATED/\d{8}|^https?://[^/]+/|/!main$|/jo$", "", address).strip("/")
        if not self.eli:
            raise UnreadableSource("expected an identifier in FRBRWork, found none")
        self.identifier = self.value(expression, "FRBRuri") or address
        self.address = address if address.startswith("http") else uri if uri.startswith("http") else ""
        spoken = (self.attribute(expression, "FRBRlanguage", "language") or "und").lower()
        self.language = _LANGUAGES.get(spoken[-3:], spoken[:2])
        country = self.value(work, "FRBRcountry").rpartition("/")[2].lower()
        self.country = _COUNTRIES.get(country, country[:2].upper()) or self.language.upper()
        self.adopted_on = _day(self.attribute(work, "FRBRdate", "date"))
        self.valid_from = _day(self.attribute(expression, "FRBRdate", "date")) or self.adopted_on
        titles = [RULES.read(e).text for name in ("docTitle", "shortTitle") for e in self.all(name)]
        self.title = next((title for title in titles if title), "")

    def all(self, name: str) -> list[etree._Element]:
        return [element for element in self.act.iter() if local_name(element) == name]

    def first(self, name: str) -> etree._Element | None:
        return next(iter(self.all(name)), None)

    def inside(self, element: etree._Element | None, name: str) -> list[etree._Element]:
        return [child for child in element.iter() if local_name(child) == name] if element is not None else []

    def attribute(self, element: etree._Element | None, name: str, attribute: str) -> str:
        return next((child.get(attribute) or "" for child in self.inside(element, name)), "")

    def value(self, element: etree._Element | None, name: str) -> str:
        return self.attribute(element, name, "value")

    def names(self) -> Iterator[ParsedName]:
        for alias in self.inside(self.first("FRBRWork"), "FRBRalias"):
            if alias.get("value"):
                yield ParsedName("number", alias.get("value", ""))
        kind, number = (next((RULES.read(e).text for e in self.all(name)), "") for name in ("docType", "docNumber"))
        if kind and number and self.adopted_on:
            yield ParsedName("number", f"{kind.title()} {number}/{self.adopted_on.year}")
            yield ParsedName("number", f"{kind.title()} n. {number}/{self.adopted_on.year}")


def _day(text: str) -> date | None:
    try:
        day = date.fromisoformat(text[:10])
    except ValueError:
        return None
    return day if day.year < 2200 else None


class _Reader:
    def __init__(self, act: etree._Element) -> None:
        self.act = act
        self.has_articles = any(local_name(element) == "article" for element in act.iter())

    def units(self) -> Iterator[ParsedUnit]:
        for element in self.act:
            name = local_name(element)
            if name in {"preamble", "preface"} and (found := RULES.read(element)).text:
                yield ParsedUnit(f"@{name}", "preamble", text=_bare(found.text), notes=found.notes)
            elif name == "body":
                yield from self.body(element, "@")
            elif name == "attachments":
                for order, attachment in enumerate(element, start=1):
                    found = RULES.read(attachment)
                    yield ParsedUnit(f"@annex/{order}", "annex", text=_bare(found.text), notes=found.notes)

    def body(self, element: etree._Element, prefix: str) -> Iterator[ParsedUnit]:
        for order, child in enumerate(element, start=1):
            name = local_name(child)
            if name == "article" or (name == "section" and not self.has_articles):
                yield self.article(child)
            elif name in _OUTER:
                label, heading = self.label(child)
                unit = ParsedUnit(f"{prefix}{name}={order}", name, number=label.text, heading=heading.text)
                unit.eid = child.get("eId") or ""
                unit.notes = label.notes + heading.notes
                unit.children = list(self.body(child, f"{unit.key}/"))
                yield unit
            elif name not in {"num", "heading", "subheading", ""} and (found := RULES.read(child)).text:
                text = _bare(found.text)
                yield ParsedUnit(
                    f"{prefix}text={order}", "text", text=text, notes=found.notes, eid=child.get("eId") or ""
                )

    def label(self, element: etree._Element) -> tuple[InlineText, InlineText]:
        def of(name: str) -> InlineText:
            return RULES.read(*[child for child in element if local_name(child) == name])

        return of("num"), of("heading")

    def article(self, element: etree._Element) -> ParsedUnit:
        label, heading = self.label(element)
        level, number = _top(label.text, element.get("eId") or "")
        unit = ParsedUnit(make_key([(level, number)]), level, number=label.text, heading=_bare(heading.text))
        unit.eid = element.get("eId") or ""
        unit.notes = label.notes + heading.notes
        self.fill(unit, element, [(level, number)])
        return _repealed(unit)

    def fill(self, unit: ParsedUnit, element: etree._Element, segments: list[tuple[str, str]]) -> None:
        unnumbered = [child for child in element if local_name(child) == "alinea"]
        for child in element:
            name = local_name(child)
            if name in {"num", "heading", "subheading", ""}:
                continue
            if name in _PARAGRAPHS:
                number = _number(self.label(child)[0].text)
                if not number and name == "alinea" and len(unnumbered) > 1:
                    number = str(unnumbered.index(child) + 1)
                self.part(unit, child, [*segments, ("ust", number)] if number else segments)
            elif name in _ITEMS:
                label = self.label(child)[0].text
                level, number = item_level(_SUFFIX.sub("", label), len(unit.children) + 1)
                self.part(unit, child, [*segments, (level, number)])
            elif name in _LISTS | {"content", "intro", "listIntroduction", "wrapUp", "listWrapUp"} and _has_parts(
                child
            ):
                self.fill(unit, child, segments)
            else:
                found = RULES.read(child)
                append_text(unit, _bare(found.text), found.notes)

    def part(self, unit: ParsedUnit, element: etree._Element, segments: list[tuple[str, str]]) -> None:
        if make_key(segments) == unit.key:
            self.fill(unit, element, segments)
            return
        label, heading = self.label(element)
        part = ParsedUnit(make_key(segments), segments[-1][0], number=label.text, heading=_bare(heading.text))
        part.eid = element.get("eId") or ""
        part.notes = label.notes + heading.notes
        self.fill(part, element, segments)
        unit.children.append(_repealed(part))


def _has_parts(element: etree._Element) -> bool:
    return any(local_name(child) in _PARAGRAPHS | _ITEMS | _LISTS | {"intro", "wrapUp"} for child in element)


def _bare(text: str) -> str:
    """The text without the double brackets in which Normattiva sets amended words."""
    return text.replace("((", "").replace("))", "").strip()


def _number(label: str) -> str:
    match = _NUMBER.match(_SUFFIX.sub("", label))
    return match["number"].lower() if match else ""


def _top(label: str, eid: str) -> tuple[str, str]:
    """Level and number of a top unit: a section sign makes it a paragraph (German law), anything else an article."""
    number = _number(label) or re.sub(r"^.*?art_", "", eid).replace("-", "") or "1"
    return ("par" if label.lstrip().startswith("§") else "art"), number


def _repealed(unit: ParsedUnit) -> ParsedUnit:
    live = any(not child.is_repealed for child in unit.children)
    unit.is_repealed = not live and not unit.closing and says_repealed(unit.text)
    return unit
