"""What keeps scanning quick: windows around the interesting spots, and the characters with which a pattern can
begin."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

FEW_CHARACTERS = 40
FEW_FIRSTS = 20
_Beginnings = set[tuple[str, bool]]


def windows(spots: Iterable[tuple[int, int]], *, before: int, after: int, length: int) -> list[tuple[int, int]]:
    """Join the surroundings of ordered spots to windows that do not overlap."""
    joined: list[tuple[int, int]] = []
    for start, end in spots:
        low, high = max(0, start - before), min(length, end + after)
        if joined and low <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(high, joined[-1][1]))
        else:
            joined.append((low, high))
    return joined


def first_characters(pattern: str) -> set[str] | None:
    """The characters with which a match can begin; ``None`` when they cannot be listed."""
    found = _first(parser.parse(pattern), ignore_case=False)
    return None if found is None or None in found else {char for char in found if char is not None}


def may_begin(*patterns: str) -> frozenset[str] | None:
    """The characters with which a match of any of the patterns begins; ``None`` means that anything may."""
    found: set[str] = set()
    for pattern in patterns:
        one = first_characters(pattern)
        if one is None:
            return None
        found |= one
    return frozenset(found)


def first_letters(*patterns: str) -> frozenset[str]:
    """``may_begin`` where the characters can be listed. Raises ``ValueError`` where they cannot."""
    found = may_begin(*patterns)
    if found is None:
        raise ValueError(f"the beginnings of {patterns!r} cannot be listed")
    return found


@dataclass(frozen=True, slots=True)
class Beginnings:
    """With which two characters, or which one and anything behind it, a match of a pattern begins.

    ``open`` says that some alternative of the pattern may begin with anything.
    """

    pairs: frozenset[str]
    alone: frozenset[str]
    open: bool = False

    @classmethod
    def of(cls, pattern: str) -> Beginnings:
        texts = {text for text, _ in _beginnings(parser.parse(pattern), length=2)}
        return cls(
            frozenset(text for text in texts if len(text) == 2),
            frozenset(text for text in texts if len(text) == 1),
            "" in texts,
        )

    def at(self, text: str, position: int) -> bool:
        """Whether a match may begin at the position."""
        return self.open or text[position : position + 2] in self.pairs or text[position : position + 1] in self.alone


def word_starts(*patterns: str, anywhere: str = "") -> re.Pattern[str]:
    """Where a match of one of the patterns may begin: at the start of a word, with three characters that fit.

    The characters of ``anywhere`` count inside words too. The result is quick to search because each of its branches
    begins with a letter of its own: where these are few, other letters are passed over; where they are many, no branch
    is tried inside a word. What it finds is a place to try, not a match.
    Raises ``ValueError`` when a pattern may begin with anything.
    """
    begin: set[str] = set()
    for pattern in patterns:
        begin |= {text for text, _ in _beginnings(parser.parse(pattern), length=3)}
        if "" in begin:
            raise ValueError(f"the beginnings of {pattern!r} cannot be listed")
    firsts = sorted({text[0] for text in begin} - set(anywhere))
    many = len(firsts) > FEW_FIRSTS
    branches = []
    for first in firsts:
        head = re.escape(first)
        word_start = "" if many else rf"(?<![^\W_]{head})"
        branches.append(f"{head}{word_start}{_one_of(text[1:] for text in begin if text[0] == first)}")
    signs = [re.escape(char) for char in anywhere]
    words = [rf"(?<![^\W_])(?:{'|'.join(branches)})"] if many else branches
    return re.compile("|".join((*signs, *words)) or "(?!)")


def _one_of(texts: Iterable[str]) -> str:
    """A pattern for the texts of up to two characters; a text that begins another one stands for both."""
    by_first: dict[str, set[str]] = {}
    for text in texts:
        if not text:
            return ""
        by_first.setdefault(text[0], set()).add(text[1:])
    alone = "".join(re.escape(first) for first, behind in sorted(by_first.items()) if "" in behind)
    branches = [f"[{alone}]"] if alone else []
    for first, behind in sorted(by_first.items()):
        if "" not in behind:
            branches.append(f"{re.escape(first)}[{''.join(re.escape(char) for char in sorted(behind))}]")
    return f"(?:{'|'.join(branches)})"


def matches_at(
    places: re.Pattern[str], pattern: re.Pattern[str], text: str, start: int = 0, end: int | None = None
) -> Iterator[re.Match[str]]:
    """The matches of a pattern that begin at one of the places, in order, not overlapping."""
    end = len(text) if end is None else end
    done = start
    for place in places.finditer(text, start, end):
        if place.start() >= done and (match := pattern.match(text, place.start(), end)):
            yield match
            done = max(match.end(), done + 1)


def _beginnings(sequence: Any, *, length: int) -> _Beginnings:
    """The first characters of every match; ``True`` beside them when it is not known how the match goes on."""
    known: _Beginnings = {("", False)}
    for code, argument in sequence:
        if all(closed or len(text) >= length for text, closed in known):
            break
        further: _Beginnings = set()
        for text, closed in known:
            if closed or len(text) >= length:
                further.add((text, True))
                continue
            for more, ends in _beginnings_of(code, argument, length=length - len(text)):
                further.add((text + more, ends))
        known = further
    return known


def _beginnings_of(code: Any, argument: Any, *, length: int) -> _Beginnings:
    if code is codes.LITERAL:
        return {(chr(argument), False)}
    if code is codes.IN:
        chars = _first_in(argument, ignore_case=False)
        listed = chars is not None and len(chars) <= FEW_CHARACTERS
        return {(char, False) for char in chars if char} if chars and listed else {("", True)}
    if code is codes.BRANCH:
        return {one for branch in argument[1] for one in _beginnings(branch, length=length)}
    if code is codes.SUBPATTERN:
        return _beginnings(argument[3], length=length)
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
        least, most, inner = argument
        once = {(text, ends or most > 1) for text, ends in _beginnings(inner, length=length)}
        return once | {("", False)} if least == 0 else once
    if code is codes.FAILURE or (code is codes.ASSERT_NOT and not argument[1]):
        return set()
    if code in (codes.ASSERT, codes.ASSERT_NOT, codes.AT):
        return {("", False)}
    return {("", True)}


def _first(sequence: Any, *, ignore_case: bool) -> set[str | None] | None:
    """First characters of a parsed sequence; ``None`` among them means that it can match nothing at all."""
    collected: set[str | None] = set()
    for code, argument in sequence:
        one = _first_of(code, argument, ignore_case=ignore_case)
        if one is None:
            return None
        collected |= one - {None}
        if None not in one:
            return collected
    return collected | {None}


def _first_of(code: Any, argument: Any, *, ignore_case: bool) -> set[str | None] | None:
    if code is codes.LITERAL:
        return _cases(chr(argument), ignore_case)
    if code is codes.IN:
        return _first_in(argument, ignore_case=ignore_case)
    if code is codes.BRANCH:
        return _union([_first(branch, ignore_case=ignore_case) for branch in argument[1]])
    if code is codes.SUBPATTERN:
        return _first(argument[3], ignore_case=ignore_case or bool(argument[1] & re.IGNORECASE))
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
        inner = _first(argument[2], ignore_case=ignore_case)
        return inner if inner is None or argument[0] else inner | {None}
    if code in (codes.ASSERT, codes.ASSERT_NOT, codes.AT):
        return {None}
    return None


def _first_in(items: Any, *, ignore_case: bool) -> set[str | None] | None:
    found: set[str | None] = set()
    for code, argument in items:
        if code is codes.LITERAL:
            found |= _cases(chr(argument), ignore_case)
        elif code is codes.RANGE:
            found |= {case for point in range(argument[0], argument[1] + 1) for case in _cases(chr(point), ignore_case)}
        elif code is codes.CATEGORY and argument is codes.CATEGORY_DIGIT:
            found |= set("0123456789")
        elif code is codes.CATEGORY and argument is codes.CATEGORY_SPACE:
            found |= set(" \n")
        else:
            return None
    return found


def _cases(char: str, ignore_case: bool) -> set[str | None]:
    return {char.lower(), char.upper()} if ignore_case else {char}


def _union(parts: list[set[str | None] | None]) -> set[str | None] | None:
    found: set[str | None] = set()
    for part in parts:
        if part is None:
            return None
        found |= part
    return found
