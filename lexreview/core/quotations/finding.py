"""Quoted spans of a text: quotation marks of every European style, and Markdown block quotations."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

# What each opening mark may be closed by. What stands around them tells straight and single marks from apostrophes.
_CLOSERS = {
    "„": '”“‟"',
    "‚": "‘’",
    "«": "»",
    "»": "«",
    "‹": "›",
    "›": "‹",
    "“": '”“"',
    "‟": "”",
    "”": "”",
    "‘": "’",
    '"': '"',
    "'": "'",
}
_MARKS = re.compile("[" + "".join(sorted(set("".join(_CLOSERS) + "".join(_CLOSERS.values())))) + "]|&quot;|&[lr]aquo;")
_ENTITIES = {"&quot;": '"', "&laquo;": "«", "&raquo;": "»"}
_SINGLE = frozenset("‘’‚'‹›")
_BREAK = re.compile(r"\n[ \t]*(?:>[ \t]*)*(?:\n|(?=[-*+•][ \t])|(?=\d{1,3}[.)][ \t])|(?=\|)|(?=#{1,6}[ \t]))")
_BLOCKQUOTE = re.compile(r"(?:^[ \t]{0,3}>[^\n]*(?:\n|\Z))+", re.MULTILINE)
_FENCE = re.compile(r"^[ \t]{0,3}(?:```|~~~)[^\n]*\n.*?(?:^[ \t]{0,3}(?:```|~~~)[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_MAX_OPEN = 8
_MAX_LENGTH = 6_000
_MAX_QUOTATIONS = 1_000


@dataclass(frozen=True, slots=True)
class Quotation:
    """``text[start:end]`` stands between the marks; ``outer_start`` and ``outer_end`` include them. Code points."""

    start: int
    end: int
    outer_start: int
    outer_end: int
    text: str
    is_block: bool = False


def find_quotations(text: str) -> list[Quotation]:
    """Every quoted span, outermost ones only, in text order; block quotations only where they hold no marked quotation.

    Linear in the length of the text; at most 1,000 quotations, each of at most 6,000 code points within one paragraph,
    list item or table row. Code fences are left out.
    """
    fences = [match.span() for match in _FENCE.finditer(text)]
    marked = [each for each in _marked(text) if not _inside(each.outer_start, fences)]
    marked = _outermost(marked)[:_MAX_QUOTATIONS]
    starts = [each.outer_start for each in marked]
    blocks = []
    for match in _BLOCKQUOTE.finditer(text):
        place = bisect_left(starts, match.end())
        holds_marks = place > 0 and marked[place - 1].outer_end > match.start()
        if holds_marks or _inside(match.start(), fences) or match.end() - match.start() > _MAX_LENGTH:
            continue
        if (block := _block(text, match.start(), match.end())).text:
            blocks.append(block)
    return sorted([*marked, *blocks[:_MAX_QUOTATIONS]], key=lambda each: each.outer_start)


def _block(text: str, start: int, end: int) -> Quotation:
    inner_end = end
    while inner_end > start and text[inner_end - 1].isspace():
        inner_end -= 1
    inner_start = start
    while inner_start < inner_end and text[inner_start] in "> \t\n*_":
        inner_start += 1
    return Quotation(inner_start, inner_end, start, end, text[inner_start:inner_end], is_block=True)


def _inside(place: int, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether the place lies in one of the spans, which are in text order and do not touch."""
    index = bisect_right(spans, place, key=lambda span: span[0]) - 1
    return index >= 0 and place < spans[index][1]


def _marked(text: str) -> list[Quotation]:
    """Pairs of marks, nested ones too. A mark left open at the end of its paragraph is no quotation."""
    breaks = [match.start() for match in _BREAK.finditer(text)]
    found: list[Quotation] = []
    opened: list[tuple[str, int, int]] = []
    paragraph = -1
    for match in _MARKS.finditer(text):
        now_in = bisect_right(breaks, match.start())
        if now_in != paragraph:
            paragraph = now_in
            opened.clear()
        mark = _ENTITIES.get(match.group(), match.group())
        partner = _partner(text, match, mark, opened)
        if partner is not None:
            _, outer_start, start = opened[partner]
            del opened[partner:]
            if start < match.start() and match.end() - outer_start <= _MAX_LENGTH:
                found.append(Quotation(start, match.start(), outer_start, match.end(), text[start : match.start()]))
        elif _may_open(text, match, mark):
            opened.append((mark, match.start(), match.end()))
            del opened[:-_MAX_OPEN]
    return found


def _partner(text: str, match: re.Match[str], mark: str, opened: Sequence[tuple[str, int, int]]) -> int | None:
    """The innermost open mark that this one closes, by its place; None where it closes none."""
    if not _may_close(text, match, mark):
        return None
    for place in range(len(opened) - 1, -1, -1):
        if mark in _CLOSERS[opened[place][0]]:
            return place
    return None


def _may_close(text: str, match: re.Match[str], mark: str) -> bool:
    before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    if mark in _SINGLE and mark not in "‹›":
        return not after.isalnum() and bool(before) and not before.isspace()
    if mark == '"':
        return bool(before) and not before.isspace() and before not in "(["
    return True


def _may_open(text: str, match: re.Match[str], mark: str) -> bool:
    if mark not in _CLOSERS:
        return False
    before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    if mark in "\"'‘‚":
        return not before.isalnum() and bool(after) and not after.isspace()
    if mark in "»›":
        return not before.isalnum() and bool(after) and not after.isspace() and before not in ".,;:!?"
    return True


def _outermost(quotations: list[Quotation]) -> list[Quotation]:
    kept: list[Quotation] = []
    for each in sorted(quotations, key=lambda found: (found.outer_start, -found.outer_end)):
        if not kept or each.outer_start >= kept[-1].outer_end:
            kept.append(each)
    return kept
