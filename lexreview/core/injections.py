"""Signs that a text speaks to the model that judges it: where they stand, and of what kind.

They flag an answer to a person; nothing is decided by them, and an answer without signs is not harmless. All offsets
are code points of the text as it is stored. Time grows linearly with the text, whatever it says.
"""

import base64
import binascii
import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from lexreview.core.injection_phrases import PHRASES, SignKind

MOST_SIGNS = 200
REPEATED = 20
LONGEST_PERIOD = 16
LONG_WORD = 200
LONGEST_CODED = 4000
COMMENT_WORDS = 3

_COMPILED = {
    kind: tuple(re.compile(pattern, re.MULTILINE) for pattern in patterns) for kind, patterns in PHRASES.items()
}
# Left out before phrases are looked for: signs that show nothing, accents on their own, emphasis of Markdown.
_LEFT_OUT = re.compile(
    "[\u00ad\u0300-\u036f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff*`~\U000e0000-\U000e01ef]+"
)
_UNSEEN = re.compile(
    "(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0020-\U000e007f]+"
    "|[\u202a-\u202e\u2066-\u2069]+"
    "|[\u200b\u200c\u200d\u2060\ufeff\u180e]{3,}"
    "|[^\\W\\d_](?:[\u200b-\u200d\u2060\ufeff][^\\W\\d_]{1,20}){2,}"
    "|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{3,}"
)
_MAY_BE_UNSEEN = re.compile("[\u180e\u200b-\u200d\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff\U000e0020-\U000e01ef]")
_CODED = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{40,}={0,2}")
_WORD = re.compile(r"\S+")
_LOOKS_LIKE = {
    ord(sign): plain
    for signs, plains in {
        "аеорсухіјѕԁԛԝһӏ": "aeopcyxijsdqwhl",
        "αορν": "aopv",
        "łøđßıæœ": "lodsiao",
        "“”„«»": '"""""',
        "‘’‚`": "''''",
        "‹›": "<>",
        "–—‑−_": "---- ",
    }.items()
    for sign, plain in zip(signs, plains, strict=True)
}


class Sign(NamedTuple):
    """A suspicious passage: `start`, `end` (exclusive) are code points of the text."""

    start: int
    end: int
    kind: SignKind


def signs_of_injection(text: str) -> tuple[Sign, ...]:
    """The signs in the order of the text, at most MOST_SIGNS; those of one kind that touch or overlap are one."""
    folded = _Folded(text)
    found = [*_phrases(folded), *_comments(text), *_unseen(text), *_encoded(text), *_repetitions(text)]
    return tuple(sorted(_joined(found)))[:MOST_SIGNS]


class _Folded:
    """The text in small letters without accents, look-alikes replaced, and the way back to its places."""

    def __init__(self, text: str) -> None:
        pieces: list[str] = []
        self._starts: list[int] = []
        self._places: list[int] = []
        at = length = 0
        for gap in _LEFT_OUT.finditer(text):
            self._add(length, at)
            pieces.append(text[at : gap.start()])
            length += gap.start() - at
            at = gap.end()
        self._add(length, at)
        pieces.append(text[at:])
        self.text = "".join(pieces).translate(_FOLDING)

    def _add(self, folded: int, place: int) -> None:
        self._starts.append(folded)
        self._places.append(place)

    def place_of(self, index: int) -> int:
        """The place in the stored text of a character of the folded one."""
        piece = bisect_right(self._starts, index) - 1
        return self._places[piece] + index - self._starts[piece]


class _Folding(dict[int, str]):
    """Each character's own small letter without its accent, worked out once: one character for one."""

    def __missing__(self, code: int) -> str:
        plain = unicodedata.normalize("NFKD", chr(code).lower()[:1])[:1] or " "
        folded = self[code] = plain.translate(_LOOKS_LIKE)
        return folded


_FOLDING = _Folding()


def _phrases(folded: _Folded) -> Iterator[Sign]:
    for kind, patterns in _COMPILED.items():
        for pattern in patterns:
            for found in pattern.finditer(folded.text):
                yield Sign(folded.place_of(found.start()), folded.place_of(found.end() - 1) + 1, kind)


def _comments(text: str) -> Iterator[Sign]:
    """Comments of HTML that say something."""
    at = text.find("<!--")
    while at >= 0:
        end = text.find("-->", at + 4)
        end = len(text) if end < 0 else end
        if len(text[at + 4 : end].split()) >= COMMENT_WORDS:
            yield Sign(at, min(end + 3, len(text)), SignKind.HIDDEN)
        at = text.find("<!--", end + 3)


def _unseen(text: str) -> Iterator[Sign]:
    if _MAY_BE_UNSEEN.search(text):
        for found in _UNSEEN.finditer(text):
            yield Sign(found.start(), found.end(), SignKind.UNSEEN)


def _encoded(text: str) -> Iterator[Sign]:
    """Base64 or hexadecimal digits that stand for words."""
    for found in _CODED.finditer(text):
        if _is_prose(_decoded(found[0][:LONGEST_CODED])):
            yield Sign(found.start(), found.end(), SignKind.ENCODED)


def _decoded(coded: str) -> str:
    plain = coded.rstrip("=")
    try:
        if re.fullmatch("[0-9a-fA-F]+", plain):
            return bytes.fromhex(plain[: len(plain) // 2 * 2]).decode()
        whole = plain[: len(plain) // 4 * 4].translate(str.maketrans("-_", "+/"))
        return base64.b64decode(whole, validate=True).decode(errors="ignore" if len(plain) % 4 else "strict")
    except (binascii.Error, ValueError):
        return ""


def _is_prose(text: str) -> bool:
    readable = sum(sign.isalpha() or sign in " .,:;'\"\n{}" for sign in text)
    return " " in text and readable >= 0.9 * len(text)


def _repetitions(text: str) -> Iterator[Sign]:
    """Up to LONGEST_PERIOD words, or signs within one long word, again and again."""
    words = list(_WORD.finditer(text))
    for first, last in _runs([word[0] for word in words]):
        if any(sign.isalpha() for word in words[first : first + LONGEST_PERIOD] for sign in word[0]):
            yield Sign(words[first].start(), words[last - 1].end(), SignKind.REPETITION)
    for word in words:
        for first, last in _runs(word[0]) if len(word[0]) >= LONG_WORD else ():
            if last - first >= LONG_WORD and any(map(str.isalpha, word[0][first : first + LONGEST_PERIOD])):
                yield Sign(word.start() + first, word.start() + last, SignKind.REPETITION)


def _runs(items: str | list[str]) -> Iterator[tuple[int, int]]:
    """Stretches of items in which one period comes REPEATED times or more, end exclusive."""
    counts = Counter(items)
    for is_frequent, group in groupby(range(len(items)), key=lambda index: counts[items[index]] >= REPEATED):
        stretch = list(group)
        if is_frequent and len(stretch) >= REPEATED:
            yield from _periods(items, stretch[0], stretch[-1] + 1)


def _periods(items: str | list[str], first: int, end: int) -> Iterator[tuple[int, int]]:
    for period in range(1, LONGEST_PERIOD + 1):
        begun = first
        for index in range(first + period, end + 1):
            if index == end or items[index] != items[index - period]:
                if index - begun >= REPEATED * period:
                    yield begun, index
                begun = index - period + 1


def _joined(signs: Iterable[Sign]) -> Iterator[Sign]:
    for kind, group in groupby(sorted(signs, key=lambda sign: (sign.kind, sign)), key=lambda sign: sign.kind):
        start = end = -1
        for sign in group:
            if sign.start > end:
                if end >= 0:
                    yield Sign(start, end, kind)
                start, end = sign.start, sign.end
            end = max(end, sign.end)
        yield Sign(start, end, kind)
