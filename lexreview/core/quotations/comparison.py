"""A quotation against the official wording: verbatim, or what differs, word by word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from rapidfuzz import fuzz

from lexreview.core.quotations.folding import Folded, Piece, find_piece, fold, letters_of, pieces_of

SAME, SOURCE, ANSWER = "same", "source", "answer"
_WORD = re.compile(r"\d{1,3}(?:[ \u00a0\u202f\u2009'’]\d{3})+(?!\d)|\S+")
_LABEL = re.compile(
    r"^[ \t]*(?:\(?\d{1,3}[a-z]{0,12}[.)°]+|\d{1,2}(?:bis|ter|quater|quinquies|sexies|septies|octies|[a-z])?|"
    r"\(?[a-z]{1,3}(?:bis|ter|quater)?[.)]|\(?[ivxIVX]{1,5}[.)]|[–—•-])"
    r"[ \t\u00a0]+",
    re.MULTILINE,
)
# Beyond this much aligning (letters of the quotation times letters of the source; words) only verbatim matches count.
_MAX_WORK, _MAX_WORDS = 20_000_000, 700
_MARGIN_WORDS, _MARGIN_LETTERS = 3, 80
_MAX_DIFF_WORDS = 20_000


@dataclass(frozen=True, slots=True)
class Comparison:
    """``exact``: every piece stands in one source, in order. ``similarity`` in [0, 1] is 1 then.

    ``source``: index of the source that fits best, None where no source was given. ``diff``: ``(op, text)`` with op
    ``same``, ``source`` (only in the source) or ``answer`` (only in the quotation); empty for an exact quotation and
    for one too long to align.
    """

    exact: bool
    similarity: float
    source: int | None = None
    diff: tuple[tuple[str, str], ...] = ()


class Wording:
    """An official text ready to be compared with: as printed, and without the labels of its sub-units."""

    __slots__ = ("_bare", "_folded", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._folded: Folded | None = None
        self._bare: Folded | None = None

    @property
    def folded(self) -> Folded:
        if self._folded is None:
            self._folded = fold(self.text)
        return self._folded

    @property
    def bare(self) -> Folded:
        if self._bare is None:
            without = _LABEL.sub("", self.text)
            self._bare = self.folded if without == self.text else fold(without)
        return self._bare

    @property
    def forms(self) -> tuple[Folded, ...]:
        """As printed, and without labels where that is something else."""
        return (self.folded,) if self.bare is self.folded else (self.folded, self.bare)

    def holds(self, pieces: Sequence[Piece]) -> bool:
        """Whether every piece stands in the wording, one after the other. No pieces: False."""
        return bool(pieces) and any(_in_order(pieces, form) is not None for form in self.forms)

    def place_of(self, pieces: Sequence[Piece]) -> int | None:
        """The code point of the wording (NFC) at which the pieces begin; None where they do not stand in it."""
        if not pieces:
            return None
        at = _in_order(pieces, self.folded)
        return None if at is None else self.folded.places[at]


def _in_order(pieces: Sequence[Piece], source: Folded) -> int | None:
    """The folded index at which the first piece begins, where all of them follow each other; else None."""
    after, first = 0, None
    for piece in pieces:
        at = find_piece(piece, source, after=after)
        if at < 0:
            return None
        first = at if first is None else first
        after = at + len(piece.letters)
    return first


def compare(quotation: str, sources: Sequence[str | Wording]) -> Comparison:
    """Compare a quotation with the texts in which it may stand (the unit, its heading, the words that introduce it).

    A quotation without letters is not comparable: not exact, similarity 0.
    """
    pieces = pieces_of(quotation)
    wordings = [source if isinstance(source, Wording) else Wording(source) for source in sources]
    for index, wording in enumerate(wordings):
        if wording.holds(pieces):
            return Comparison(exact=True, similarity=1.0, source=index)
    if not pieces or not wordings:
        return Comparison(exact=False, similarity=0.0)
    return _closest(pieces, wordings)


def _closest(pieces: Sequence[Piece], wordings: Sequence[Wording]) -> Comparison:
    scored = [
        (_likeness(pieces, folded), -index, -form)
        for index, wording in enumerate(wordings)
        for form, folded in enumerate(wording.forms)
    ]
    best, index, form = max(scored)
    folded = wordings[-index].forms[-form]
    diff: list[tuple[str, str]] = []
    for number, piece in enumerate(pieces):
        if number:
            diff.append((SAME, "[…]"))
        diff.extend(_piece_diff(piece, folded))
    return Comparison(exact=False, similarity=best, source=-index, diff=_merged(diff))


def similarity(pieces: Sequence[Piece], wording: Wording) -> float:
    """How much of the quotation stands in the best stretch of the wording, in [0, 1]; 0 where too long to align.

    Longer quotations than sources are measured against the whole source, so that a fragment does not look alike.
    """
    return max(_likeness(pieces, folded) for folded in wording.forms)


def _likeness(pieces: Sequence[Piece], source: Folded) -> float:
    total = sum(len(piece.letters) for piece in pieces)
    letters = source.letters
    if not total or not letters or total * len(letters) > _MAX_WORK:
        return 0.0
    shares = 0.0
    for piece in pieces:
        size = len(piece.letters)
        measure = fuzz.partial_ratio if size <= len(letters) else fuzz.ratio
        shares += size * measure(piece.letters, letters) / 100
    return shares / total


def _piece_diff(piece: Piece, source: Folded) -> list[tuple[str, str]]:
    window = _window(piece, source)
    ours, theirs = _words(piece.text), _words(window)
    if not window or len(ours) > _MAX_WORDS or len(theirs) > _MAX_WORDS:
        return []
    matcher = SequenceMatcher(
        None, [letters_of(word) for word in theirs], [letters_of(word) for word in ours], autojunk=False
    )
    codes = matcher.get_opcodes()
    diff: list[tuple[str, str]] = []
    for number, (op, start, end, our_start, our_end) in enumerate(codes):
        at_edge = number in {0, len(codes) - 1}
        source_words, our_words = theirs[start:end], ours[our_start:our_end]
        if op == "equal":
            diff.append((SAME, " ".join(source_words)))
            continue
        if at_edge:
            source_words = _nearest(source_words, keep=len(our_words), from_end=number == 0)
        diff.append((SOURCE, " ".join(source_words)))
        diff.append((ANSWER, " ".join(our_words)))
    return [(op, text) for op, text in diff if text]


def _nearest(words: list[str], *, keep: int, from_end: bool) -> list[str]:
    """The window reaches a word too far at times: at its edges no more source words than quoted words are shown."""
    if len(words) <= keep:
        return words
    return words[len(words) - keep :] if from_end else words[:keep]


def _window(piece: Piece, source: Folded) -> str:
    """The stretch of the source that the piece resembles most, cut at spaces; the whole source where it is shorter."""
    size, available = len(piece.letters), len(source.letters)
    if not available or size * available > _MAX_WORK:
        return ""
    if size >= available:
        return source.text
    found = fuzz.partial_ratio_alignment(piece.letters, source.letters)
    if found is None or found.dest_end <= found.dest_start:
        return ""
    start, end = source.places[found.dest_start], source.places[found.dest_end - 1] + 1
    return source.text[_words_back(source.text, start) : _words_on(source.text, end)]


def _words_back(text: str, place: int) -> int:
    """The place a few words earlier, so that a first word that was changed finds its counterpart."""
    start = max(0, place - _MARGIN_LETTERS)
    margin = [match.start() for match in _WORD.finditer(text, start, place + _MARGIN_LETTERS) if match.start() <= place]
    return margin[max(0, len(margin) - 1 - _MARGIN_WORDS)] if margin else place


def _words_on(text: str, place: int) -> int:
    """The place a few words later, for the same reason at the other end."""
    ends = [match.end() for match in _WORD.finditer(text, place, place + _MARGIN_LETTERS)]
    return ends[min(len(ends) - 1, _MARGIN_WORDS)] if ends else place


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text) if letters_of(word)]


def _merged(diff: list[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    merged: list[tuple[str, str]] = []
    for op, text in diff:
        if merged and merged[-1][0] == op:
            merged[-1] = (op, f"{merged[-1][1]} {text}")
        else:
            merged.append((op, text))
    return tuple(merged)


def word_diff(source: str, answer: str) -> tuple[tuple[str, str], ...]:
    """Two whole texts word by word, as in ``Comparison.diff``; words that differ in typography only are the same.

    Texts of more than 20,000 words together are not aligned: they come back as one removal and one addition.
    """
    theirs, ours = _words(source), _words(answer)
    if len(theirs) + len(ours) > _MAX_DIFF_WORDS:
        return _merged([(op, text) for op, text in ((SOURCE, source), (ANSWER, answer)) if text])
    matcher = SequenceMatcher(
        None, [letters_of(word) for word in theirs], [letters_of(word) for word in ours], autojunk=True
    )
    diff: list[tuple[str, str]] = []
    for op, start, end, our_start, our_end in matcher.get_opcodes():
        if op == "equal":
            diff.append((SAME, " ".join(ours[our_start:our_end])))
        else:
            diff.append((SOURCE, " ".join(theirs[start:end])))
            diff.append((ANSWER, " ".join(ours[our_start:our_end])))
    return _merged([(op, text) for op, text in diff if text])


def stretches(pieces: Sequence[Piece], text: str) -> list[tuple[int, int]]:
    """Where the pieces stand in the text (code points of its NFC form), in order; those that do not are left out."""
    source, found, after = fold(text), [], 0
    for piece in pieces:
        at = find_piece(piece, source, after=after)
        if at >= 0:
            after = at + len(piece.letters)
            found.append((source.places[at], source.places[after - 1] + 1))
    return found
