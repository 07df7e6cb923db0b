"""Texts reduced to what makes the wording: letters, digits and a few signs, without typography.

Quotation marks, dashes, spaces of every kind, hyphenation, brackets, punctuation, Markdown and the case of letters
are no part of a wording; letters, digits, accents, section, per cent, currency and comparison signs are.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from dataclasses import dataclass

_SIGNS = frozenset("%‰§€$£+<>=≤≥±")
_GROUP_SEPARATORS = frozenset(" \u00a0\u202f\u2009'’")
_OMISSION = re.compile(r"\[\s*(?:…|\.\s?\.\s?\.)\s*\]|\(\s*(?:…|\.\s?\.\s?\.)\s*\)|…|\.\s?\.\s?\.|\[[^\[\]\n]{2,200}\]")
_ONE_LETTER = re.compile(r"\[(\w)\]")
_LINK_TARGET = re.compile(r"\]\([^()\s]{0,500}\)")
_QUOTE_SIGN = re.compile(r"^[ \t]{0,3}>", re.MULTILINE)
_NOTE_MARK = re.compile(r"\[\^?\d{1,3}\]")
# From this length on, a match may begin or end where a conversion glued two words ("dueThe", "12months").
_LONG = 25


class _CharTable(dict[int, str]):
    """What is left of each character (by code point), worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        parts = unicodedata.normalize("NFKC", chr(code)).lower()
        kept = "".join(part for part in parts if part.isalnum() or part in _SIGNS)
        self[code] = kept
        return kept


_TABLE = _CharTable()


class Folded:
    """A text (NFC) and its folded form: ``places[i]`` is the code point of ``text`` from which ``letters[i]`` comes.

    ``places`` is worked out when first asked for: most texts are only searched and hold nothing.
    """

    __slots__ = ("_places", "letters", "text")

    def __init__(self, text: str) -> None:
        self.text = text if text.isascii() else unicodedata.normalize("NFC", text)
        self.letters = self.text.translate(_TABLE)
        self._places: array[int] | None = None

    @property
    def places(self) -> array[int]:
        if self._places is None:
            table = _TABLE
            self._places = array("L", (at for at, char in enumerate(self.text) for _ in table[ord(char)]))
        return self._places

    def starts_word(self, index: int) -> bool:
        """Whether a word, and no number that began before, begins at the folded index."""
        at = self.places[index]
        if at == 0:
            return True
        before = self.text[at - 1]
        return not before.isalnum() and not self._continues_number(at)

    def ends_word(self, index: int) -> bool:
        """Whether a word, and no number that goes on, ends with the folded index."""
        after = self.places[index] + 1
        if after >= len(self.text):
            return True
        if self.text[after].isalnum():
            return False
        return not (self.text[after - 1].isdigit() and self._goes_on_as_number(after))

    def is_glued(self, at: int) -> bool:
        """Whether two words run together before the code point: a small and a capital letter, a letter and a digit."""
        before, after = self.text[at - 1 : at], self.text[at : at + 1]
        if not (before + after).isalnum():
            return False
        return (before.islower() and after.isupper()) or before.isdigit() != after.isdigit()

    def splits_number(self, first: int, last: int) -> bool:
        """Whether the folded stretch begins or ends inside a number."""
        start, end = self.places[first], self.places[last] + 1
        inside_start = self.text[start].isdigit() and start > 0
        if inside_start and (self.text[start - 1].isdigit() or self._continues_number(start)):
            return True
        if end >= len(self.text) or not self.text[end - 1].isdigit():
            return False
        return self.text[end].isdigit() or self._goes_on_as_number(end)

    def _continues_number(self, at: int) -> bool:
        grouped = self.text[at - 1] in _GROUP_SEPARATORS and at >= 2 and self.text[at - 2].isdigit()
        return grouped and self.text[at : at + 3].isdigit() and not self.text[at + 3 : at + 4].isdigit()

    def _goes_on_as_number(self, at: int) -> bool:
        if self.text[at] in ".,":
            return self.text[at + 1 : at + 2].isdigit()
        group = self.text[at + 1 : at + 4]
        is_group = len(group) == 3 and group.isdigit() and not self.text[at + 4 : at + 5].isdigit()
        return self.text[at] in _GROUP_SEPARATORS and is_group


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a quotation between marked omissions. A free end may lie inside a word (a marked alteration)."""

    text: str
    letters: str
    free_start: bool = False
    free_end: bool = False


def fold(text: str) -> Folded:
    """Fold a text; linear in its length."""
    return Folded(text)


def letters_of(text: str) -> str:
    """The folded form alone."""
    return (text if text.isascii() else unicodedata.normalize("NFC", text)).translate(_TABLE)


def pieces_of(quotation: str) -> list[Piece]:
    """The quotation cut at its marked omissions and insertions: ``[…]``, ``(...)``, ``…``, ``[added words]``.

    ``[d]ie`` is ``die``; link targets, note marks and the signs of a block quotation are dropped. Pieces without any
    letter are left out.
    """
    text = _QUOTE_SIGN.sub("", quotation)
    text = _ONE_LETTER.sub(r"\1", _NOTE_MARK.sub("", _LINK_TARGET.sub("]", text)))
    pieces: list[Piece] = []
    start, inserted = 0, False
    cuts = [(match.start(), match.end(), _is_insertion(match.group())) for match in _OMISSION.finditer(text)]
    for cut_start, cut_end, is_insertion in [*cuts, (len(text), len(text), False)]:
        part = text[start:cut_start]
        if letters := letters_of(part):
            pieces.append(Piece(part.strip(), letters, free_start=inserted, free_end=is_insertion))
        start, inserted = cut_end, is_insertion
    return pieces


def _is_insertion(cut: str) -> bool:
    return any(char.isalnum() for char in cut)


def find_piece(piece: Piece, source: Folded, *, after: int = 0) -> int:
    """The folded index at which the piece stands in the source, from ``after`` on; -1 where it does not.

    Both ends must be ends of words, and never lie inside a number (``5 days`` is not in ``15 days``).
    """
    size = len(piece.letters)
    at = source.letters.find(piece.letters, after)
    while at >= 0:
        last = at + size - 1
        if not source.splits_number(at, last) and _on_words(piece, source, at, last):
            return at
        at = source.letters.find(piece.letters, at + 1)
    return -1


def _on_words(piece: Piece, source: Folded, first: int, last: int) -> bool:
    may_be_glued = len(piece.letters) >= _LONG
    starts = piece.free_start or source.starts_word(first) or (may_be_glued and source.is_glued(source.places[first]))
    ends = piece.free_end or source.ends_word(last) or (may_be_glued and source.is_glued(source.places[last] + 1))
    return starts and ends
