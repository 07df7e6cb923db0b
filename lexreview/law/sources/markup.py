"""Reading XML and XHTML from elsewhere: no entities, no network, no oversized trees, clear refusals."""

import re
from dataclasses import dataclass, field
from typing import Any

from lxml import etree, html

from lexreview.law.folding import fold_space
from lexreview.law.parsed import UnreadableSource

RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_LOOKS_LIKE_HTML = re.compile(rb"^\s*(?:<!doctype\s+html|<html)", re.IGNORECASE)
MAX_BYTES = 60_000_000


def parse_xml(content: bytes, *, what: str) -> etree._Element:
    """The root of a well-formed XML document. `what` names the expected thing in errors.

    UnreadableSource for an empty file, an HTML page, a document type with declarations of its own, a file over
    `MAX_BYTES`, or XML that is not well-formed (a truncated download).
    """
    _refuse_hopeless(content, what=what)
    if _LOOKS_LIKE_HTML.match(content[:200]):
        raise UnreadableSource(f"expected {what}, found an HTML page")
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise UnreadableSource(f"expected {what}, but the XML is not well-formed: {error}") from error
    if root is None:
        raise UnreadableSource(f"expected {what}, found no element")
    internal = root.getroottree().docinfo.internalDTD
    if internal is not None and any(True for _ in internal.iterentities()):  # type: ignore[union-attr]
        raise UnreadableSource(f"expected {what}, found XML that declares entities of its own; such files are not read")
    return root


def parse_html(content: bytes, *, what: str) -> etree._Element:
    """The root of an HTML or XHTML page, however untidy. UnreadableSource where there is no markup at all."""
    _refuse_hopeless(content, what=what)
    if b"<" not in content:
        raise UnreadableSource(f"expected {what}, found text without any markup")
    try:
        return html.document_fromstring(content, parser=_html_parser(content), ensure_head_body=False)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError, LookupError) as error:
        raise UnreadableSource(f"expected {what}, but the page cannot be read: {error}") from error


def _html_parser(content: bytes) -> html.HTMLParser:
    """A parser for the encoding that the page declares, if the page is in it and the parser knows it, else UTF-8."""
    more: dict[str, Any] = {"no_network": True, "huge_tree": False, "remove_comments": True, "remove_pis": True}
    try:
        return html.HTMLParser(encoding=_declared_encoding(content), **more)
    except LookupError:
        return html.HTMLParser(encoding="utf-8", **more)


def _refuse_hopeless(content: bytes, *, what: str) -> None:
    if not content.strip():
        raise UnreadableSource(f"expected {what}, found an empty file")
    if len(content) > MAX_BYTES:
        raise UnreadableSource(f"expected {what} of at most {MAX_BYTES} bytes, found {len(content)}")


def _declared_encoding(content: bytes) -> str:
    match = re.search(rb"(?:charset|encoding)\s*=\s*[\"']?([A-Za-z0-9_-]+)", content[:2000])
    name = match[1].decode("ascii") if match else "utf-8"
    try:
        content.decode(name)
    except (LookupError, UnicodeDecodeError):
        return "utf-8"
    return name


def local_name(element: etree._Element) -> str:
    """The tag without namespace and in lower-case-insensitive spelling as written; empty for entities and the like."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: etree._Element, name: str) -> str:
    """An attribute whatever the case and namespace in which the source writes its name; empty where absent."""
    if (value := element.get(name)) is not None:
        return value
    folded = name.casefold()
    return next((str(v) for k, v in element.attrib.items() if str(k).rpartition("}")[2].casefold() == folded), "")


def plain_text(element: etree._Element) -> str:
    """All text of an element, white space folded."""
    return fold_space("".join(str(part) for part in element.itertext()))


@dataclass(slots=True)
class InlineText:
    """Running text read from markup, with the notes that stood inside it taken out and kept apart."""

    parts: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return fold_space("".join(self.parts))


@dataclass(frozen=True, slots=True)
class InlineRules:
    """Which elements separate words, which are notes, and which vanish, by local name in lower case."""

    breaking: frozenset[str]
    notes: frozenset[str] = frozenset()
    dropped: frozenset[str] = frozenset()

    def read(self, *elements: etree._Element) -> InlineText:
        """The text of the elements one after the other, raised digits as such, a blank at block boundaries only."""
        found = InlineText()
        for element in elements:
            self._collect(element, found, raised=False)
            found.parts.append(" ")
        return found

    def _collect(self, element: etree._Element, found: InlineText, *, raised: bool) -> None:
        name = local_name(element).lower()
        if name in self.notes:
            found.notes.append(self.read(*element).text or plain_text(element))
            return
        if name in self.dropped or not name:
            return
        if name == "img":
            found.notes.append(f"picture: {attribute(element, 'alt') or attribute(element, 'src')}")
        raised = raised or name == "sup"
        if name in self.breaking:
            found.parts.append(" ")
        if element.text:
            found.parts.append(element.text.translate(RAISED) if raised else element.text)
        for child in element:
            self._collect(child, found, raised=raised)
            if child.tail:
                found.parts.append(child.tail.translate(RAISED) if raised else child.tail)
        if name in self.breaking:
            found.parts.append(" ")
