"""Two versions of a text beside each other, each in its own words, with what only one of them has marked."""

import re
import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher
from enum import StrEnum
from typing import NamedTuple

_TOKEN = re.compile(r"\n|[^\s]+")
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))
# Beyond this many words together the texts are shown whole; below this likeness too, as stray words would line up.
_MOST_WORDS = 6_000
_LEAST_LIKENESS = 0.4
_STRAY_WORDS = 2


class Op(StrEnum):
    SAME = "same"
    CHANGED = "changed"


class Run(NamedTuple):
    """A stretch of one side; `changed`: the other side has not got it there."""

    op: Op
    text: str


class Sides(NamedTuple):
    """Both sides as runs in order. A line end stays a line end; other white space is one blank."""

    left: tuple[Run, ...]
    right: tuple[Run, ...]

    @property
    def same(self) -> bool:
        return all(run.op is Op.SAME for run in (*self.left, *self.right))


Block = tuple[bool, int, int, int, int]


def side_by_side(left: str, right: str) -> Sides:
    """Align two texts by words; an empty text has no runs.

    Words are the same where they are the same letters after Unicode compatibility folding, so a hard space or a soft
    hyphen makes no difference, while a capital does. Texts with little in common, and texts of more than 6,000 words
    together, are each one changed run.
    """
    ours, theirs = _TOKEN.findall(left), _TOKEN.findall(right)
    blocks = _blocks(ours, theirs)
    return Sides(
        _runs([(same, ours[start:end]) for same, start, end, _, _ in blocks]),
        _runs([(same, theirs[start:end]) for same, _, _, start, end in blocks]),
    )


def _blocks(ours: Sequence[str], theirs: Sequence[str]) -> list[Block]:
    """(same, start, end, start, end) over both sides, in order, without gaps."""
    whole = [(False, 0, len(ours), 0, len(theirs))]
    mine, others = [_folded(word) for word in ours], [_folded(word) for word in theirs]
    if len(ours) + len(theirs) > _MOST_WORDS:
        return whole if mine != others else [(True, 0, len(ours), 0, len(theirs))]
    matcher = SequenceMatcher(None, mine, others, autojunk=False)
    if ours and theirs and matcher.ratio() < _LEAST_LIKENESS:
        return whole
    blocks = [(op == "equal", *places) for op, *places in matcher.get_opcodes()]
    return _without_strays(blocks)  # type: ignore[arg-type]


def _without_strays(blocks: Sequence[Block]) -> list[Block]:
    """A word or two that happen to recur inside a rewritten stretch are no common text: they join the change."""
    kept: list[Block] = []
    for place, block in enumerate(blocks):
        same, *span = block
        inside = 0 < place < len(blocks) - 1
        if same and inside and span[1] - span[0] <= _STRAY_WORDS and _is_rewritten(blocks, place):
            same = False
        if kept and not same and not kept[-1][0]:
            kept[-1] = (False, kept[-1][1], span[1], kept[-1][3], span[3])
        else:
            kept.append((same, span[0], span[1], span[2], span[3]))
    return kept


def _is_rewritten(blocks: Sequence[Block], place: int) -> bool:
    """Whether the changes on both sides of a block are longer than the block on the longer side."""
    length = blocks[place][2] - blocks[place][1]
    return all(
        max(end - start, other_end - other_start) > length
        for _, start, end, other_start, other_end in (blocks[place - 1], blocks[place + 1])
    )


def _folded(word: str) -> str:
    return unicodedata.normalize("NFKC", word.translate(_INVISIBLE))


def _runs(parts: Sequence[tuple[bool, Sequence[str]]]) -> tuple[Run, ...]:
    return tuple(Run(Op.SAME if same else Op.CHANGED, _joined(words)) for same, words in parts if words)


def _joined(words: Sequence[str]) -> str:
    """Words with a blank between them and lines with a line end."""
    return " ".join(words).replace(" \n ", "\n").replace("\n ", "\n").replace(" \n", "\n")
