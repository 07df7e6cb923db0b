"""Words of real law straight from the official files, so that a test does not quote what the tested parsers made."""

import copy
import re
from functools import cache
from pathlib import Path

from lxml import etree, html

AKN = {"a": "http://docs.oasis-open.org/legaldocml/ns/akn/3.0"}


@cache
def _akn(path: Path) -> etree._Element:
    return etree.parse(path).getroot()


@cache
def _eli(path: Path) -> html.HtmlElement:
    return html.fromstring(path.read_bytes().decode("utf-8"))


def swiss_words(path: Path, eid: str) -> str:
    """The text of a paragraph or item of a Fedlex file, without its number and the editors' notes."""
    (found,) = _akn(path).xpath("//*[@eId=$eid]", eid=eid)
    part = copy.deepcopy(found)
    for extra in part.xpath(".//a:authorialNote | ./a:num", namespaces=AKN):
        _cut(extra)
    return _squeezed("".join(part.itertext()))


def polish_words(path: Path, identifier: str) -> str:
    """The first block of text of a unit in a file of the Sejm's ELI service."""
    block = _eli(path).xpath("(//*[@id=$id]//*[contains(@class, 'pro-text')][not(.//h3)])[1]", id=identifier)
    return _squeezed(block[0].text_content())


def _cut(element: etree._Element) -> None:
    """Remove the element and keep what stands behind it."""
    before, parent = element.getprevious(), element.getparent()
    if element.tail and before is not None:
        before.tail = (before.tail or "") + element.tail
    elif element.tail:
        parent.text = (parent.text or "") + element.tail
    parent.remove(element)


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
