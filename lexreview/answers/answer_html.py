"""The answer as it is read: safe HTML with its citations and findings highlighted at their exact places.

The text of an answer is hostile. HTML in it is shown as text, links and pictures are inert and show where they lead,
and the result passes an allow-list.
"""

import sys
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple

from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.token import Token

from lexreview.answers.markdown_places import NO_PLACE, Piece, give_places, placing_parser
from lexreview.controls import with_controls
from lexreview.methodology.markdown import ALLOWED_ATTRIBUTES, ALLOWED_TAGS, InertRenderer, sanitised, shown_address

KEPT_ANSWERS = 16
FLOWING_TYPES = ("text", "text_special", "softbreak")
COLOURS = frozenset("twfso") | {"ok"}
TAGS_WITH_MARKS = ALLOWED_TAGS | {"a", "bdi", "mark"}
ATTRIBUTES_WITH_MARKS = ALLOWED_ATTRIBUTES | {
    "bdi": {"class", "data-sign"},
    "a": {"class", "href", "id", "title", "data-citation", "data-sign", "tabindex"},
    "mark": {"class", "id", "title", "data-citation", "data-finding", "data-injection", "data-sign"},
}


@dataclass(frozen=True, slots=True)
class Highlight:
    """What to mark: `start`, `end` are code points of the stored text, end exclusive.

    `kind` is "citation", "finding" or "injection", `number` its number among these, `css` a colour of the theme
    (t w f s o ok), `sign` one character, `words` what a tooltip says. A citation is a link to `href`, where it has one.
    """

    start: int
    end: int
    kind: str
    number: int
    css: str
    sign: str
    words: str
    href: str = ""
    current: bool = False
    settled: bool = False

    @property
    def key(self) -> tuple[str, int]:
        return self.kind, self.number


class AnswerHtml(NamedTuple):
    """`unplaced`: (kind, number) of highlights with no visible place, such as a citation inside a link's address."""

    html: SafeString
    unplaced: frozenset[tuple[str, int]]

    def unplaced_of(self, kind: str) -> set[int]:
        return {number for other, number in self.unplaced if other == kind}


class _Segment(NamedTuple):
    text: str
    covering: tuple[Highlight, ...]


Laid = dict[int, list[_Segment]]


def answer_html(text: str, highlights: Sequence[Highlight] = ()) -> AnswerHtml:
    """The answer's Markdown rendered, sanitised and highlighted."""
    parser, tokens = _parser(), _parsed(text)
    laid: Laid = {}
    segments = list(_lay_segments(tokens, highlights, laid))
    ends = _counts(segments)
    html = parser.renderer.render(tokens, parser.options, {"marks": _Marks(ends), "laid": laid})
    return _cleaned(html, highlights, ends)


def answer_source_html(text: str, highlights: Sequence[Highlight] = ()) -> AnswerHtml:
    """The stored text itself, character by character, with the same highlights."""
    segments = list(_segments(Piece(text, range(len(text))), highlights))
    ends = _counts(segments)
    return _cleaned(_Marks(ends).of(segments), highlights, ends)


def visible_text(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The answer as it is read, without markup, and for each character its span in the stored text (end exclusive).

    Blocks and cells are kept apart by a line end; it has the place of what stands before it.
    """
    tokens = _parsed(text)
    characters: list[str] = []
    places: list[tuple[int, int]] = []
    for token in _flattened(tokens):
        piece: Piece | None = token.meta.get("piece")
        for one, place in zip(piece.text, piece.places, strict=False) if piece is not None else ():
            if place != NO_PLACE:
                characters.append(one)
                places.append(piece.whole if piece is not None and piece.whole else (place, place + 1))
        if places and (token.block or token.type == "hardbreak"):
            characters.append("\n")
            places.append(places[-1])
    return "".join(characters), places


@lru_cache(maxsize=KEPT_ANSWERS)
def _parsed(text: str) -> Sequence[Token]:
    """The tokens of the text with their places. They are shared between requests, so nothing may change them."""
    tokens = _parser().parse(text)
    give_places(tokens, text)
    return tokens


def _flattened(tokens: Iterable[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _flattened(token.children or [])


def _cleaned(html: str, highlights: Sequence[Highlight], ends: Counter[tuple[str, int]]) -> AnswerHtml:
    unplaced = frozenset(each.key for each in highlights if each.key not in ends)
    return AnswerHtml(sanitised(html, tags=TAGS_WITH_MARKS, attributes=ATTRIBUTES_WITH_MARKS), unplaced)


def _lay_segments(tokens: Iterable[Token], highlights: Sequence[Highlight], laid: Laid) -> Iterator[_Segment]:
    """Into `laid` the segments of each token with visible text. Text that flows on is laid on the first token of it."""
    flow: list[_Segment] | None = None
    for token in tokens:
        own: list[_Segment] = []
        laid[id(token)] = own
        if "piece" not in token.meta:
            yield from flow or ()
            flow = None
            yield from _lay_segments(token.children or [], highlights, laid)
            continue
        if flow is None or token.type not in FLOWING_TYPES:
            yield from flow or ()
            flow = own
        for segment in _segments(token.meta["piece"], highlights):
            _append(flow, segment)
        if token.type not in FLOWING_TYPES:
            yield from flow
            flow = None
    yield from flow or ()


def _append(flow: list[_Segment], segment: _Segment) -> None:
    if flow and flow[-1].covering == segment.covering:
        flow[-1] = _Segment(flow[-1].text + segment.text, segment.covering)
    else:
        flow.append(segment)


def _segments(piece: Piece, highlights: Sequence[Highlight]) -> Iterator[_Segment]:
    """The piece cut wherever the set of highlights over it changes."""
    if piece.whole is not None:
        start, end = piece.whole
        yield _Segment(piece.text, tuple(each for each in highlights if each.start < end and start < each.end))
        return
    first = next((place for place in piece.places if place != NO_PLACE), None)
    last = next((place for place in reversed(piece.places) if place != NO_PLACE), None)
    near = [
        each
        for each in highlights
        if first is not None and last is not None and each.start <= last and first < each.end
    ]
    if not near:
        yield _Segment(piece.text, ())
        return
    begun, covering = 0, None
    # From one end of a highlight to the next nothing changes, so there is nothing to look at.
    ends = sorted({end for each in near for end in (each.start, each.end)})
    since, until = 0, 0
    for index, place in enumerate(piece.places[: len(piece.text)]):
        if since <= place < until:
            continue
        following = bisect_right(ends, place)
        since = ends[following - 1] if following else NO_PLACE
        until = ends[following] if following < len(ends) else sys.maxsize
        over = tuple(each for each in near if each.start <= place < each.end)
        if over != covering and index > begun:
            yield _Segment(piece.text[begun:index], covering or ())
            begun = index
        covering = over
    yield _Segment(piece.text[begun:], covering or ())


def _counts(segments: Iterable[_Segment]) -> Counter[tuple[str, int]]:
    """How many segments each highlight has: the first carries its anchor, the last its sign."""
    return Counter(each.key for segment in segments if segment.text for each in segment.covering)


class _Marks:
    """Writes segments as nested marks and remembers how many of each highlight are still to come."""

    def __init__(self, totals: Counter[tuple[str, int]]) -> None:
        self._totals = totals
        self._written: Counter[tuple[str, int]] = Counter()

    def of(self, segments: Iterable[_Segment]) -> str:
        return "".join(self._segment(segment) for segment in segments if segment.text)

    def _segment(self, segment: _Segment) -> str:
        opening, closing, linked = [], [], False
        for each in sorted(segment.covering, key=lambda one: (one.start, -one.end, one.kind, one.number)):
            is_link = bool(each.href) and not linked
            linked = linked or is_link
            opening.append(self._open(each, is_link=is_link))
            closing.append("</a>" if is_link else "</mark>")
        return "".join(opening) + with_controls(segment.text) + "".join(reversed(closing))

    def _open(self, each: Highlight, *, is_link: bool) -> str:
        first = self._written[each.key] == 0
        self._written[each.key] += 1
        last = self._written[each.key] == self._totals[each.key]
        classes = ["hl", each.css if each.css in COLOURS else "o"]
        classes += ["claim"] if each.kind == "finding" else []
        classes += ["on"] if each.current else []
        classes += ["settled"] if each.settled else []
        attributes = {"class": " ".join(classes), f"data-{each.kind}": str(each.number), "title": each.words}
        attributes |= {"id": f"{each.kind}-{each.number}"} if first else {}
        attributes |= {"data-sign": each.sign} if last else {}
        if is_link:
            attributes |= {"href": each.href}
            attributes |= {} if first else {"tabindex": "-1"}
        written = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
        return f"<{'a' if is_link else 'mark'}{written}>"


class _Renderer(InertRenderer):
    """Text with marks in it; an answer's pictures are named as such, and keep the marks of their words."""

    def text(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        marks: _Marks = env["marks"]
        return marks.of(env["laid"].get(id(tokens[idx]), ()))

    text_special = softbreak = text

    def hardbreak(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return "<br>" + self.text(tokens, idx, options, env)

    def code_inline(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return f"<code>{self.text(tokens, idx, options, env)}</code>"

    def code_block(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return f"<pre><code>{self.text(tokens, idx, options, env)}</code></pre>\n"

    fence = code_block

    def table_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return "<table>\n"

    def th_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return f"<{tokens[idx].tag}>"

    td_open = th_open

    def image(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        token = tokens[idx]
        alternative = self.renderInline(token.children, options, env) if token.children else ""
        words = f"{escape(_('picture'))}: {alternative}" if alternative else escape(_("picture"))
        return f'<span class="inert">[{words}]</span>' + shown_address(str(token.attrs.get("src", "")))


@cache
def _parser() -> MarkdownIt:
    return placing_parser(renderer_cls=_Renderer)
