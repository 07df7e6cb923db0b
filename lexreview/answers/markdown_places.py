"""Markdown of an answer, parsed so that every visible character knows its place in the stored text.

The parser itself says where it stands when it makes a token; nothing is inserted into the text and nothing is searched
for afterwards, so emphasis, escapes, entities, lists, tables and line ends of any kind keep exact places.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

NO_PLACE = -1
LINE_END = re.compile(r"\r\n?|\n")
TEXT_TYPES = ("text", "text_special", "code_inline")
BREAK_TYPES = ("softbreak", "hardbreak")


class Piece(NamedTuple):
    """Visible text of one token with the place of each character in the stored text (code points, NO_PLACE if none).

    An entity or an escape is one visible text for several stored characters: then `whole` is their span and all
    places are its start.
    """

    text: str
    places: Sequence[int]
    whole: tuple[int, int] | None = None


class _State(StateInline):
    """Notes in `meta["at"]` of every token where in the inline content it begins."""

    pending_at = 0
    _newest: Token | None = None

    def append_pending(self, text: str) -> None:
        if not self.pending:
            self.pending_at = self.pos
        super().append_pending(text)

    def pushPending(self) -> Token:
        token = super().pushPending()
        token.meta["at"] = self.pending_at
        return token

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        token = super().push(ttype, tag, nesting)
        token.meta["at"] = token.meta["rule_at"] = self.pos
        before, self._newest = self._newest, token
        if ttype == "text" and before is not None and before.meta["rule_at"] == self.pos:
            # A run of `*` or `~` becomes one token per marker; an address in angle brackets begins after the bracket.
            skipped = 1 if before.type == "link_open" else len(before.content)
            token.meta["at"] = before.meta["at"] + skipped
        return token


class _Parser(ParserInline):
    def parse(self, src: str, md: MarkdownIt, env: Any, tokens: list[Token]) -> list[Token]:
        state = _State(src, md, env, tokens)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens


def placing_parser(**options: Any) -> MarkdownIt:
    """CommonMark with tables and strikethrough; HTML is text. Tokens stay apart, so each has a place."""
    parser = MarkdownIt("commonmark", {"html": False, "xhtmlOut": False}, **options)
    rules = parser.get_active_rules()
    parser.inline = _Parser()
    parser.inline.ruler.enableOnly(rules["inline"])
    parser.inline.ruler2.enableOnly(rules["inline2"])
    parser.enable(["table", "strikethrough"]).disable(["html_block", "html_inline", "fragments_join", "text_join"])
    return parser


def give_places(tokens: Sequence[Token], text: str) -> None:
    """Put a `Piece` into `meta["piece"]` of every token with visible text. `tokens`: those parsed from `text`."""
    lines = list(_lines(text))
    row_ends: dict[int, int] = {}
    for token, before in zip(tokens, [None, *tokens], strict=False):
        if token.map is None or not token.content:
            continue
        if token.type == "fence":
            token.meta["piece"] = Piece(token.content, _places_in_lines(token.content, lines, token.map[0] + 1))
        elif token.type == "code_block":
            token.meta["piece"] = Piece(token.content, _places_in_lines(token.content, lines, token.map[0]))
        elif token.type == "inline":
            if before is not None and before.type in ("th_open", "td_open"):
                places = _places_in_row(token.content, lines[token.map[0]], token.map[0], row_ends)
            else:
                places = _places_in_lines(token.content, lines, token.map[0])
            _give_places_inline(token.children or [], token.content, places)


class _Line(NamedTuple):
    text: str
    start: int


def _lines(text: str) -> Iterator[_Line]:
    """The lines of the stored text with the place at which each begins; all kinds of line ends count."""
    start = 0
    for end in LINE_END.finditer(text):
        yield _Line(text[start : end.start()].replace("\0", "\ufffd"), start)
        start = end.end()
    yield _Line(text[start:].replace("\0", "\ufffd"), start)


def _places_in_lines(content: str, lines: Sequence[_Line], first: int) -> list[int]:
    """Block content is the stored lines without indentation and markers, so each of its lines ends a stored line."""
    places: list[int] = []
    for number, wanted in enumerate(content.split("\n"), start=first):
        line = lines[number] if number < len(lines) else _Line("", NO_PLACE)
        bare = wanted.lstrip(" ")
        padding = len(wanted) - len(bare)
        found = line.text.rfind(wanted)
        if found >= 0:
            padding, bare = 0, wanted
        else:
            found = line.text.rfind(bare)
        known = found >= 0 and line.start >= 0
        places += [NO_PLACE] * padding
        places += range(line.start + found, line.start + found + len(bare)) if known else [NO_PLACE] * len(bare)
        places.append(line.start + len(line.text) if line.start >= 0 else NO_PLACE)
    return places


def _places_in_row(content: str, line: _Line, number: int, row_ends: dict[int, int]) -> list[int]:
    """Cells of a row come one after another; a bar in a cell is written with a backslash, which is not visible."""
    pattern = re.escape(content).replace(r"\|", r"\\\|")
    match = re.compile(pattern).search(line.text, row_ends.get(number, 0))
    if match is None:
        return [NO_PLACE] * (len(content) + 1)
    row_ends[number] = match.end()
    places = []
    place = match.start()
    for character in content:
        place += 1 if character == "|" else 0
        places.append(line.start + place)
        place += 1
    return [*places, line.start + place]


def _give_places_inline(children: Sequence[Token], content: str, places: Sequence[int]) -> None:
    for token in children:
        at = token.meta.get("at", 0)
        if token.type == "image" and token.children:
            _give_places_inline(token.children, token.content, places[at + len("![") :])
        elif token.type in TEXT_TYPES and token.content:
            token.meta["piece"] = _piece(token, at, content=content, places=places)
        elif token.type in BREAK_TYPES:
            token.meta["piece"] = Piece("\n", places[at : at + 1])


def _piece(token: Token, at: int, *, content: str, places: Sequence[int]) -> Piece:
    if token.type == "code_inline":
        at += len(token.markup)
        if content[at : at + len(token.content)].replace("\n", " ") != token.content:
            at += 1
    elif content[at : at + len(token.content)] != token.content:
        length = len(token.markup) or len(token.content)
        start, last = places[at], places[min(at + length, len(places)) - 1]
        return Piece(token.content, [start] * len(token.content), (start, last + 1))
    return Piece(token.content, places[at : at + len(token.content)])
