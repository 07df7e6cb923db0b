"""What htmx does to a page with the reply of the server, done to the markup, so that it can be compared."""

from copy import deepcopy

from lxml import html as lxml_html

Element = lxml_html.HtmlElement


def parsed(markup: bytes | str) -> Element:
    return lxml_html.document_fromstring(markup)


def swapped(page: bytes, reply: bytes, *, target: str = "card") -> Element:
    """The old page after its element `target` and every out-of-band part were replaced by those of the reply."""
    old = deepcopy(parsed(page))
    for part in lxml_html.fragments_fromstring(reply.decode()):
        oob = part.attrib.pop("hx-swap-oob", None)
        assert part.get("id") == target or oob, f"{part.get('id')} is neither the target nor out of band"
        place = old.get_element_by_id(part.get("id"))
        if oob == "afterbegin":
            place[:0] = list(part)
            continue
        assert oob in {"true", None}, f"{part.get('id')}: this does not do {oob}"
        part.tail = place.tail
        place.getparent().replace(place, part)
    return old


def renewed(page: Element) -> Element:
    """The page after the script took the version and the chosen citation over into the forms that were kept."""
    version = page.get_element_by_id("saved").get("data-version")
    chosen = page.xpath("//*[@id='citation']/@data-number")
    for field in page.xpath("//form//input[@name='version']"):
        field.set("value", version)
    for field in page.xpath("//form//input[@name='selected']") if chosen else ():
        field.set("value", chosen[0])
    return page


def comparable(tree: Element) -> list[str]:
    """The page as lines, without what differs between two loads of one page: tokens and what is only said aloud."""
    tree = deepcopy(tree)
    for field in tree.xpath("//input[@name='csrfmiddlewaretoken']"):
        field.attrib.pop("value")
    for field in tree.xpath("//input[@name='form_key']"):
        field.attrib.pop("value")
    for element in tree.xpath("//*[@hx-headers]"):
        element.attrib.pop("hx-headers")
    for element in tree.xpath("//*[@data-announce]"):
        element.attrib.pop("data-announce")
    text = lxml_html.tostring(tree, encoding="unicode")
    return [line.strip() for line in text.splitlines() if line.strip()]
