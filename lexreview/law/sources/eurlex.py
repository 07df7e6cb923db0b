"""EU acts as EUR-Lex and CELLAR serve them in XHTML: Official Journal and consolidated texts, of several styles."""

import re
from datetime import date

from lxml import etree

from lexreview.law.folding import fold_space, printable
from lexreview.law.keys import make_key
from lexreview.law.parsed import ParsedAct, ParsedEdition, ParsedUnit, UnreadableSource, sha256_of
from lexreview.law.repeal import says_repealed
from lexreview.law.sources.eurlex_head import names_of, read_head
from lexreview.law.sources.markup import InlineRules, InlineText, attribute, local_name, parse_html, plain_text

_BLOCK_TAGS = {"div", "p", "table", "ul", "ol", "dl", "li", "blockquote", "h1", "h2", "h3", "h4"}
RULES = InlineRules(
    breaking=frozenset({"p", "br", "div", "td", "th", "tr", "table", "li", "hr"}),
    notes=frozenset({"authorialnote"}),
    dropped=frozenset({"script", "style", "head", "col"}),
)
_ARTICLE_CLASSES = {"title-article-norm", "oj-ti-art", "ti-art"}
_HEADING_CLASSES = {"stitle-article-norm", "oj-sti-art", "sti-art"}
_DIVISION_CLASSES = {
    "title-division-1", "title-division-2", "oj-ti-section-1", "oj-ti-section-2", "ti-section-1", "ti-section-2",
    "title-gr-seq-level-1", "title-gr-seq-level-2", "title-gr-seq-level-3", "oj-ti-grseq-1", "ti-grseq-1",
}  # fmt: skip
_FRONT_CLASSES = {
    "reference", "disclaimer", "arrow", "modref", "hd-modifiers", "hd-toc-1", "hd-toc-2", "hd-toc-3", "toc-1", "toc-2",
    "title-fam-member", "title-fam-member-star", "title-fam-member-ref-1", "title-fam-member-ref-2",
    "title-member-ref-2", "title-doc-oj-reference", "footnote", "oj-note", "note", "oj-hd-date", "oj-hd-lg", "oj-hd-ti",
    "oj-hd-oj", "hd-date", "hd-lg", "hd-ti", "hd-oj", "title-doc-first", "title-doc-last", "oj-doc-ti", "doc-ti",
}  # fmt: skip
_END_CLASSES = {"oj-final", "oj-signatory", "final", "signatory", "oj-doc-end", "doc-end"}
_ARTICLE = re.compile(
    r"(?:Article|Artikel|Articolo|Artículo|Artykuł|Art\.)\s*(?P<number>\d+\s?[a-z]{0,4}|premier)\b\.?\s*(?P<rest>.*)",
    re.IGNORECASE,
)
_ANNEX = re.compile(
    r"(?:ANNEX|ANHANG|ANNEXE|ALLEGATO|ZAŁĄCZNIK|ANEXO)\b\s*(?P<number>[IVXLC]+|[A-Z]|\d+)?\b", re.IGNORECASE
)
_PARAGRAPH = re.compile(r"(?P<number>\d+[a-z]{0,3})\.(?:\s+(?P<text>.*))?", re.DOTALL)
_LABEL = re.compile(r"(?P<label>\((?:\d+[a-z]{0,2}|[a-z]{1,4})\)|\d+[a-z]?\.|[—–-])(?:\s+(?P<text>.*))?", re.DOTALL)
_PLAIN_ARTICLE = re.compile(r"(?:Article|Artikel|Articolo|Artículo|Artykuł)\s*\d+\s?[a-z]{0,4}", re.IGNORECASE)
_PLAIN_DIVISION = re.compile(
    r"(?:TITLE|CHAPTER|SECTION|TITEL|KAPITEL|ABSCHNITT|TITRE|CHAPITRE|Section)\s+[IVXLC\d]+[A-Z]?"
)
_PLAIN_HEADING = re.compile(r"[A-ZÀ-Ý][^.:;]{2,119}")
_CHANGE_MARKS = re.compile(r"[►▼]\s?(?:[ABCM]\d*)?\s?|◄\s?")
_ROMAN = re.compile(r"[ivxlc]+")


def parse_eurlex(
    content: bytes, *, celex: str | None = None, language: str | None = None, valid_from: date | None = None
) -> ParsedAct:
    """The act with its one edition. What the page does not say can be given; what it says wins over nothing only.

    A consolidated text begins on the day in its reference line, a text of the Official Journal has no first day of its
    own. UnreadableSource where the page names no act and none was given, or no article was found.
    """
    root = parse_html(content, what="an EU act in XHTML")
    head = read_head(root, celex=celex, language=language)
    if not head.celex:
        raise UnreadableSource("expected an EU act; the page names no CELEX number and no number in its title")
    try:
        prepare(root)
    except ValueError as error:
        raise UnreadableSource(f"expected an EU act in XHTML, found forbidden characters: {error}") from error
    builder = _Builder(styled=any(classes_of(tag) & _ARTICLE_CLASSES for tag in root.iter("p")))
    body = root.find(".//body")
    builder.walk(body if body is not None else root)
    if not builder.articles:
        raise UnreadableSource(f"expected the articles of {head.celex}, found none")
    _mark_repealed(builder.roots)
    edition = ParsedEdition(
        act=f"CELEX {head.celex}",
        language=head.language,
        valid_from=valid_from or head.consolidated_on,
        units=tuple(builder.roots),
        sha256=sha256_of(content),
        standing="consolidated" if head.consolidated_on else "promulgated",
        identifier=head.identifier,
        promulgated_on=head.published_on,
        source_url=f"https://publications.europa.eu/resource/celex/{head.identifier}",
        note="documentation only; the Official Journal is authentic" if head.consolidated_on else "",
    )
    return ParsedAct(
        eli=f"CELEX {head.celex}",
        jurisdiction="EU",
        titles={head.language: head.title} if head.title else {},
        names=tuple(names_of(head)),
        adopted_on=head.adopted_on,
        source_url=f"https://eur-lex.europa.eu/legal-content/{head.language.upper()}/TXT/?uri=CELEX:{head.celex}",
        editions=(edition,),
    )


def classes_of(element: etree._Element) -> set[str]:
    return set(attribute(element, "class").split())


def prepare(root: etree._Element) -> None:
    """Put the text of each footnote where its mark stands, and take the marks of amendments out of the tree."""
    notes = {}
    for paragraph in root.iter("p"):
        if classes_of(paragraph) & {"footnote", "oj-note", "note"}:
            anchor = next((a for a in paragraph.iter("a") if a.get("id")), None)
            if anchor is not None:
                text = plain_text(paragraph)
                notes[anchor.get("id")] = re.sub(r"^\(\s*\S{1,4}\s*\)\s*", "", text)
    for anchor in list(root.iter("a")):
        target = (anchor.get("href") or "").rpartition("#")[2]
        if target in notes and anchor.getparent() is not None:
            _replace_mark(anchor, notes[target])
    for element in list(root.iter("p", "div", "span")):
        if classes_of(element) & {"modref", "arrow"} and element.getparent() is not None:
            element.drop_tree()  # type: ignore[attr-defined]


def _replace_mark(anchor: etree._Element, note: str) -> None:
    before = anchor.getprevious()
    parent = anchor.getparent()
    if parent is None or classes_of(parent) & {"footnote", "oj-note", "note"}:
        return
    if before is not None and before.tail:
        before.tail = printable(re.sub(r"\s*\(\s*$", "", before.tail))
    elif before is None and parent.text:
        parent.text = printable(re.sub(r"\s*\(\s*$", "", parent.text))
    if anchor.tail:
        anchor.tail = printable(re.sub(r"^\s*\)", "", anchor.tail))
    for child in list(anchor):
        anchor.remove(child)
    anchor.tag, anchor.text = "authorialnote", note


class _Builder:
    def __init__(self, *, styled: bool) -> None:
        self.styled = styled
        self.roots: list[ParsedUnit] = []
        self.articles = 0
        self.division: ParsedUnit | None = None
        self.article: ParsedUnit | None = None
        self.annex: ParsedUnit | None = None
        self.open: list[tuple[ParsedUnit, list[tuple[str, str]]]] = []
        self.depth = 0
        self.done = False

    def walk(self, element: etree._Element) -> None:
        for child in element:
            if local_name(child) and local_name(child) not in {"head", "script", "style"}:
                self.take(child)

    def take(self, element: etree._Element) -> None:
        name, classes = local_name(element), classes_of(element)
        if self.depth == 0 and self.structure(element, classes):
            return
        if name == "table":
            self.table(element)
        elif "grid-container" in classes and len(element) >= 2:
            self.item(self.read(element[0]).text, list(element)[1:])
        elif name == "div" and (label := _direct_child(element, "no-parag")) is not None:
            self.paragraph(self.read(label), [child for child in element if child is not label])
        elif name == "div" and "text-indent" in attribute(element, "style") and self.indented(element):
            return
        elif _has_blocks(element):
            self.mixed(element)
        else:
            self.block(self.read(element))

    def structure(self, element: etree._Element, classes: set[str]) -> bool:
        """Headings of articles, divisions and annexes, and what belongs to no unit; True where the element is done."""
        if classes & _ARTICLE_CLASSES:
            return self.open_article(self.read(element))
        if classes & _HEADING_CLASSES and self.article is not None:
            found = self.read(element)
            self.article.heading = f"{self.article.heading} {found.text}".strip()
            self.article.notes += found.notes
            return True
        if classes & {"title-annex-1", "oj-doc-ti", "doc-ti"} and _ANNEX.match(self.read(element).text):
            self.open_annex(self.read(element).text)
            return True
        if classes & _DIVISION_CLASSES and self.annex is None:
            self.open_division(self.read(element))
            return True
        if not self.styled and self.plain_structure(element):
            return True
        if classes & _END_CLASSES:
            self.done = self.done or self.articles > 0
            self.article, self.open = None, []
            return True
        return bool(classes & _FRONT_CLASSES)

    def plain_structure(self, element: etree._Element) -> bool:
        """The oldest pages have no classes: an article begins with a line that is only its number."""
        if local_name(element) != "p" or _has_blocks(element):
            return False
        found = self.read(element)
        if _PLAIN_ARTICLE.fullmatch(found.text):
            return self.open_article(found)
        if _PLAIN_DIVISION.fullmatch(found.text):
            self.open_division(found)
            return True
        article = self.article
        if article is None:
            return False
        if not (article.heading or article.text or article.children) and _PLAIN_HEADING.fullmatch(found.text):
            article.heading = found.text
            return True
        match = _LABEL.fullmatch(found.text)
        if match is None or _PARAGRAPH.fullmatch(found.text) or not self.open:
            return False
        holder, segments = self.open[-1]
        level, number = _item_level(match["label"], holder)
        item = ParsedUnit(make_key([*segments, (level, number)]), level, number=match["label"], notes=found.notes)
        item.text = match["text"] or ""
        holder.children.append(item)
        return True

    def read(self, *elements: etree._Element) -> InlineText:
        found = RULES.read(*elements)
        return InlineText([_CHANGE_MARKS.sub("", found.text)], found.notes)

    def open_article(self, found: InlineText) -> bool:
        match = _ARTICLE.match(found.text)
        if match is None:
            return False
        self.annex, self.done = None, False
        self.articles += 1
        number = "1" if match["number"].lower() == "premier" else match["number"].replace(" ", "")
        segments = [("art", number)]
        label = found.text[: match.start("rest")].strip()
        self.article = ParsedUnit(make_key(segments), "art", number=label, heading=match["rest"], notes=found.notes)
        (self.division.children if self.division else self.roots).append(self.article)
        self.open = [(self.article, segments)]
        return True

    def open_division(self, found: InlineText) -> None:
        if self.division is not None and not self.division.children and not self.division.heading:
            self.division.heading = found.text
        else:
            self.division = ParsedUnit(f"@{len(self.roots) + 1}", "part", number=found.text, notes=found.notes)
            self.roots.append(self.division)
        self.article, self.open = None, []

    def open_annex(self, title: str) -> None:
        number = (_ANNEX.match(title) or {"number": ""})["number"] or "1"
        self.annex = ParsedUnit(f"@annex/{number.lower()}", "annex", number=title)
        self.division = self.article = None
        self.roots.append(self.annex)
        self.open = []

    def table(self, element: etree._Element) -> None:
        for row in (child for child in element.iter("tr") if _table_of(child) is element):
            cells = [cell for cell in row if local_name(cell) in {"td", "th"}]
            label = self.read(cells[0]).text if len(cells) == 2 else ""
            if label and _LABEL.fullmatch(label.lstrip("‘'“\"")) and self.annex is None:
                self.item(label, [cells[1]])
            elif text := " | ".join(cell for cell in (self.read(cell).text for cell in cells) if cell):
                self.block(InlineText([text], [note for cell in cells for note in self.read(cell).notes]))

    def mixed(self, element: etree._Element) -> None:
        """A block with blocks inside: its loose text pieces are blocks of their own."""
        if element.text and element.text.strip():
            self.block(InlineText([element.text]))
        for child in element:
            if local_name(child) in _BLOCK_TAGS or _has_blocks(child):
                self.take(child)
            elif local_name(child):
                self.block(self.read(child))
            if child.tail and child.tail.strip():
                self.block(InlineText([_CHANGE_MARKS.sub("", child.tail)]))

    def paragraph(self, label: InlineText, rest: list[etree._Element]) -> None:
        match = _PARAGRAPH.fullmatch(label.text)
        if match is None or self.article is None or self.depth:
            self.block(label)
        else:
            self.open_paragraph(match["number"], label)
        for element in rest:
            self.take(element)

    def open_paragraph(self, number: str, label: InlineText) -> None:
        article = self.article
        if article is None:
            return
        segments = [("art", article.key.partition("=")[2]), ("ust", number)]
        unit = ParsedUnit(make_key(segments), "ust", number=f"{number}.", notes=label.notes)
        article.children.append(unit)
        self.open = [(article, segments[:1]), (unit, segments)]

    def item(self, label: str, content: list[etree._Element]) -> None:
        """A list item; before the first article a numbered item is a recital."""
        label = fold_space(label)
        if self.articles == 0 and self.annex is None and not self.open:
            self.recital(label, content)
            return
        if not self.open:
            for element in content:
                self.take(element)
            return
        holder, segments = self.open[-1]
        level, number = _item_level(label, holder)
        own = [*segments, (level, number)]
        unit = ParsedUnit(make_key(own), level, number=label)
        holder.children.append(unit)
        self.inside(unit, own, content)

    def recital(self, label: str, content: list[etree._Element]) -> None:
        number = label.strip("() .")
        unit = ParsedUnit(make_key([("motyw", number or "0")]), "motyw", number=label)
        self.roots.append(unit)
        self.inside(unit, [("motyw", number or "0")], content)
        self.open = []

    def inside(self, unit: ParsedUnit, segments: list[tuple[str, str]], content: list[etree._Element]) -> None:
        kept = self.open
        self.open = [*kept, (unit, segments)]
        self.depth += 1
        for element in content:
            self.take(element)
        self.depth -= 1
        self.open = kept

    def indented(self, element: etree._Element) -> bool:
        """A list item of an older style: an indented block whose first paragraph begins with the label."""
        found = self.read(element[0]) if len(element) else self.read(element)
        match = _LABEL.fullmatch(found.text)
        if match is None or not self.open:
            return False
        holder, segments = self.open[-1]
        level, number = _item_level(match["label"], holder)
        own = [*segments, (level, number)]
        unit = ParsedUnit(make_key(own), level, number=match["label"], text=match["text"] or "", notes=found.notes)
        holder.children.append(unit)
        self.inside(unit, own, list(element)[1:])
        return True

    def block(self, found: InlineText) -> None:
        text = _CHANGE_MARKS.sub("", found.text)
        if not text or self.done:
            return
        if self.annex is not None:
            self.annex.text = f"{self.annex.text}\n{text}".strip()
            self.annex.notes += found.notes
        elif self.article is not None and self.depth == 0 and self.numbered(text, found):
            return
        elif self.open:
            self.running(text, found.notes)
        elif self.articles == 0:
            self.preamble(text, found.notes)

    def numbered(self, text: str, found: InlineText) -> bool:
        """A paragraph of the older styles, whose number stands in the text itself."""
        match = _PARAGRAPH.fullmatch(text)
        if match is None or not self.follows(match["number"]):
            return False
        self.open_paragraph(match["number"], found)
        self.running(match["text"] or "", [])
        return True

    def follows(self, number: str) -> bool:
        if self.article is None:
            return False
        last = next((unit for unit in reversed(self.article.children) if unit.level == "ust"), None)
        value = int(re.match(r"\d+", number)[0])  # type: ignore[index]
        if last is None:
            return value == 1 and not self.article.text
        before = int(re.match(r"\d+", last.number)[0])  # type: ignore[index]
        return before <= value <= before + 1 and f"{number}." != last.number

    def running(self, text: str, notes: list[str]) -> None:
        """A further block of the unit at hand: its own text, or a subparagraph of its own once it has sub-units."""
        unit, segments = self.open[-1]
        if not unit.children:
            unit.text = f"{unit.text}\n{text}".strip()
            unit.notes += notes
            return
        sub = ParsedUnit(f"@{unit.key}/{len(unit.children) + 1}", "sub", text=text, notes=notes)
        holder = next((entry for entry in reversed(self.open) if entry[0].level != "sub"), self.open[-1])
        holder[0].children.append(sub)
        if self.depth == 0:
            self.open = [*[entry for entry in self.open if entry[0].level != "sub"], (sub, segments)]

    def preamble(self, text: str, notes: list[str]) -> None:
        if not self.roots or self.roots[0].level != "preamble":
            self.roots.insert(0, ParsedUnit("@preamble", "preamble"))
        self.roots[0].text = f"{self.roots[0].text}\n{text}".strip()
        self.roots[0].notes += notes


def _has_blocks(element: etree._Element) -> bool:
    return any(inner is not element for inner in element.iter(*_BLOCK_TAGS))


def _direct_child(element: etree._Element, class_name: str) -> etree._Element | None:
    return next((child for child in element if class_name in classes_of(child)), None)


def _table_of(row: etree._Element) -> etree._Element | None:
    parent = row.getparent()
    while parent is not None and local_name(parent) != "table":
        parent = parent.getparent()
    return parent


def _item_level(label: str, holder: ParsedUnit) -> tuple[str, str]:
    """Level and number of a list item: digits are points, letters letters, Roman numbers below letters are points."""
    core = label.strip("‘’'“”\"() .")
    if core.isdigit() or re.fullmatch(r"\d+[a-z]{1,2}", core):
        return "pkt", core
    siblings = [child for child in holder.children if child.level in {"lit", "pkt"}]
    before = siblings[-1].number.strip("() .") if siblings else ""
    goes_on = len(core) == 1 and before and ord(before[-1]) + 1 == ord(core)
    below = holder.level in {"lit", "pkt"} or bool(before and _ROMAN.fullmatch(before))
    if _ROMAN.fullmatch(core) and below and not goes_on:
        return ("pkt" if holder.level != "pkt" else "lit"), core
    if re.fullmatch(r"[A-Za-z]{1,4}", core):
        return "lit", core
    return "tiret", str(sum(child.level == "tiret" for child in holder.children) + 1)


def _mark_repealed(units: list[ParsedUnit]) -> None:
    for unit in units:
        _mark_repealed(unit.children)
        if unit.level in {"art", "ust", "pkt", "lit"}:
            live = any(not child.is_repealed for child in unit.children)
            unit.is_repealed = not live and says_repealed(unit.text)
