"""How a text is laid out: blocks (paragraphs, list items, table rows, block quotations) and the sentences in them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from lexreview.core.quotations.words import ABBREVIATIONS

_LINE = re.compile(r"[^\n]*(?:\n|\Z)")
_ITEM = re.compile(r"[ \t]*(?:>[ \t]*)*(?:[-*+•–][ \t]+|\d{1,3}[.)][ \t]+|\(?[a-z][.)][ \t]+)")
_ROW = re.compile(r"[ \t]*\|")
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]")
_QUOTED = re.compile(r"[ \t]{0,3}>")
_SENTENCE_END = re.compile(
    r"(?<=[.!?…])[*_]{0,3}[\"”“»’)\]]{0,3}[*_]{0,3}[ \t\n\u00a0]+(?=[*_]{0,3}[(\[]?[\"„«“‚‘»]?[ \u00a0]?[^\W_a-zà-ÿ])"
)
_LAST_WORD = re.compile(r"([^\W_]+(?:\.[^\W_]+)*)\.\Z")


@dataclass(frozen=True, slots=True)
class Block:
    """``kind``: paragraph, item, row, heading or quote. ``lead``: place of the block that introduces it, or None."""

    start: int
    end: int
    kind: str
    lead: int | None = None


class Layout:
    """Blocks and sentences of one text. ``opaque`` spans (citations, quotations) are never cut by a sentence's end."""

    def __init__(self, text: str, opaque: Iterable[tuple[int, int]]) -> None:
        self.text = text
        self.blocks = _blocks(text)
        self._starts = [block.start for block in self.blocks]
        self._ends = _sentence_ends(text, sorted(opaque))

    def block_at(self, place: int) -> int:
        """The number of the block in which the place lies; -1 in a text without any."""
        return bisect_right(self._starts, place) - 1

    def breaks_between(self, start: int, end: int) -> int:
        """How many sentences end between two places."""
        return bisect_right(self._ends, end) - bisect_right(self._ends, start)

    def sentence_around(self, start: int, end: int) -> tuple[int, int]:
        """The code points of the sentences that hold a stretch of text, within the block in which it begins."""
        block = self.block_at(start)
        if block < 0:
            return 0, len(self.text)
        before = bisect_right(self._ends, start) - 1
        after = bisect_right(self._ends, end)
        first = self._ends[before] if before >= 0 else 0
        last = self._ends[after] if after < len(self._ends) else len(self.text)
        return max(first, self.blocks[block].start), min(last, max(self.blocks[block].end, end))

    def ends_with_colon(self, number: int) -> bool:
        block = self.blocks[number]
        return self.text[block.start : block.end].rstrip(" \t\n*_>").endswith(":")


def _blocks(text: str) -> list[Block]:
    blocks: list[Block] = []
    lead: int | None = None
    previous_kind, blank = "", True
    for match in _LINE.finditer(text):
        line = match.group()
        if not line.strip():
            blank = True
            if match.end() >= len(text):
                break
            continue
        kind = _kind(line)
        goes_on = (
            blocks
            and not blank
            and ((kind == "paragraph" and previous_kind != "row") or kind == "quote" == previous_kind)
        )
        if goes_on:
            last = blocks[-1]
            blocks[-1] = Block(last.start, match.end(), last.kind, last.lead)
        else:
            if kind in {"paragraph", "heading"}:
                lead = None
            blocks.append(
                Block(
                    match.start(), match.end(), kind, lead if lead is not None else len(blocks) - 1 if blocks else None
                )
            )
            if kind in {"paragraph", "heading"}:
                lead = len(blocks) - 1
            previous_kind = kind
        blank = False
        if match.end() >= len(text):
            break
    return blocks


def _kind(line: str) -> str:
    if _QUOTED.match(line):
        return "quote"
    if _ROW.match(line):
        return "row"
    if _HEADING.match(line):
        return "heading"
    return "item" if _ITEM.match(line) else "paragraph"


def _sentence_ends(text: str, opaque: list[tuple[int, int]]) -> list[int]:
    ends: list[int] = []
    starts = [span[0] for span in opaque]
    furthest: list[int] = []
    for span in opaque:
        furthest.append(max(span[1], furthest[-1] if furthest else 0))
    for match in _SENTENCE_END.finditer(text):
        place = match.start()
        index = bisect_right(starts, place - 1) - 1
        if index >= 0 and place < furthest[index]:
            continue
        if not _is_abbreviation(text, place):
            ends.append(match.end())
    return ends


def _is_abbreviation(text: str, place: int) -> bool:
    """Whether the full stop just before the place belongs to an abbreviation, an initial or an ordinal number."""
    if text[place - 1] != ".":
        return False
    found = _LAST_WORD.search(text, max(0, place - 24), place)
    if found is None:
        return False
    word = found.group(1)
    return (word.isdigit() and len(word) <= 2) or len(word) == 1 or word.lower() in ABBREVIATIONS
