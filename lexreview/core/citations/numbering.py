"""Numbers of units: reading one, normal forms, and the members of a range."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from lexreview.core.citations.view import LOWER_SUPERSCRIPTS, SUPERSCRIPTS

LONGEST_RANGE = 12
_SUFFIX_NAMES = (
    "quinquiesdecies septiesdecies sexiesdecies octiesdecies noviesdecies quaterdecies terdecies duodevicies "
    "undevicies duodecies undecies quinquies quater sexies septies octies novies nonies decies vicies bis ter"
)
LATIN_SUFFIXES = tuple(_SUFFIX_NAMES.split())
_LATIN = "|".join(LATIN_SUFFIXES)
_SUFFIX = rf"(?:[a-z]{{0,2}}(?:{_LATIN})|(?!(?:ff|ss|segg?)(?![^\W_]))[a-z]{{1,3}})"
_RAISED = rf"\s?[{SUPERSCRIPTS}]{{1,12}}|\s?\^\s?\{{?\s?[0-9a-z]{{1,9}}\}}?"
_SQUARE = r"\s?\[\d{1,3}[a-z]{0,2}\]|\{\d{1,3}[a-z]{0,2}\}"
NUMBER = re.compile(
    rf"(?P<base>\d{{1,5}})(?P<suffix>{_SUFFIX}(?![^\W_{SUPERSCRIPTS}]))?"
    rf"(?P<raised>{_RAISED}|{_SQUARE})?(?P<tail>(?!(?:ff|ss)(?![^\W_]))[a-z]{{1,2}})?"
    rf"(?P<spaced>[\s–-]\s?(?:{_LATIN})(?!\s{{1,3}}\d))?(?:(?![^\W_])|(?=(?:ff|ss|segg?)(?![^\W_])))"
)
BRACKET_REACH = 4  # up to three blanks stand in front of the first
BRACKETS = re.compile(
    r"(?:\s{0,3}\((?:(?:\d{1,3}[a-z]{0,3}|[a-z]{1,4})\)|\s{1,2}(?:\d{1,3}[a-z]{0,3}|[a-z])\s{1,2}\)))+"
)
BRACKET = re.compile(r"\(\s{0,2}([0-9a-z]{1,6})\s{0,2}\)")
_FURTHER = re.compile(r"\.\d{1,2}(?![\d.])")
# Polish writers spell the raised digit out: "art. 764 ze znaczkiem 5", "art. 385 indeks górny 1".
_SPELLED_RAISED = re.compile(
    r"\s{1,2}\(?(?:ze?\s)?(?:zn\.|znak(?:iem|u)?|znaczk(?:iem|a)|indeks(?:em|ie)?|ind\.)\s{0,2}(?:gorn\w{1,3}\s)?"
    r"(?P<raised>\d{1,3}[a-z]?)(?![^\W_])\)?"
)
_SPELLS = frozenset("(zi")
_FIRST = ("er", "re", "ere")
_ROMAN_DIGITS = {"i": 1, "v": 5, "x": 10}
_VALUE = re.compile(r"(\d+)([a-z]*)(?:\^(\d+)([a-z]*))?$")


class Value(NamedTuple):
    """One number or letter as written: normal form, end, bracket groups behind it, literal form if flattened."""

    text: str
    end: int
    brackets: tuple[str, ...] = ()
    literal: str | None = None


class Split(NamedTuple):
    """A normal form taken apart: 22^1a is (22, "", 1, "a")."""

    base: int
    suffix: str
    raised: int
    raised_suffix: str


def arabic(roman: str) -> int:
    """The value of a numeral of the digits I, V and X, in capital or small letters."""
    values = [_ROMAN_DIGITS[digit] for digit in roman.lower()]
    return sum(-one if one < after else one for one, after in zip(values, (*values[1:], 0), strict=True))


def number_at(folded: str, position: int) -> Value | None:
    """The number that begins here with its suffix and superscript, brackets left alone; ``None`` if there is none."""
    match = NUMBER.match(folded, position)
    if match is None:
        return None
    if match[0].isdecimal() and not _may_spell(folded[match.end() + 1 : match.end() + 2]):
        return Value(match[0], match.end())
    base, suffix, raised, tail, spaced = match.groups(default="")
    end = match.end()
    spells = not raised and not spaced and _may_spell(folded[end + 1 : end + 2])
    if spells and (spelled := _SPELLED_RAISED.match(folded, end)):
        return Value(f"{base}{suffix}{tail}^{spelled['raised']}", spelled.end())
    if not suffix and not raised and not spaced:
        return Value(base + tail, end)
    if base == "1" and suffix in _FIRST:
        suffix = ""
    suffix += spaced.strip(" –-")
    raised = raised.translate(LOWER_SUPERSCRIPTS).strip("^[]{} ")
    if suffix.endswith(LATIN_SUFFIXES) and not raised and (further := _FURTHER.match(folded, end)):
        tail, end = further[0], further.end()
    if raised and not raised[0].isdigit():
        return Value(base + suffix + raised + tail, end)
    return Value(base + suffix + (f"^{raised}" if raised else "") + tail, end)


def _may_spell(behind: str) -> bool:
    """May what stands behind a number and a blank spell its raised digit out?"""
    return behind in _SPELLS or behind.isspace()


def brackets_at(folded: str, position: int) -> tuple[tuple[str, ...], int]:
    """The bracket groups that follow a number, "(1)(f)", with the end behind them."""
    if "(" not in folded[position : position + BRACKET_REACH]:
        return (), position
    match = BRACKETS.match(folded, position)
    if match is None:
        return (), position
    return tuple(BRACKET.findall(match[0])), match.end()


@lru_cache(maxsize=4096)
def split(value: str) -> Split | None:
    """Take a normal form apart; ``None`` for letters and other values."""
    match = _VALUE.match(value)
    if match is None:
        return None
    return Split(int(match[1]), match[2], int(match[3] or 0), match[4] or "")


def members(first: str, last: str) -> list[str] | None:
    """Every member of the range, both ends included; only the ends when it is long or mixed.

    ``None`` when the second value cannot end a range that begins with the first.
    """
    if first.isalpha() and last.isalpha():
        return _letters(first, last)
    low, high = split(first), split(last)
    if low is None or high is None or (low.base, low.suffix, low.raised) >= (high.base, high.suffix, high.raised):
        return None
    if low.base == high.base:
        return _same_base(low, high) or [first, last]
    if low[1:] == high[1:] == ("", 0, "") and high.base - low.base < LONGEST_RANGE:
        return [str(number) for number in range(low.base, high.base + 1)]
    return [first, last]


def _letters(first: str, last: str) -> list[str] | None:
    if len(first) != 1 or len(last) != 1:
        return [first, last] if first < last else None
    if first >= last:
        return None
    return [chr(code) for code in range(ord(first), ord(last) + 1)]


def _same_base(low: Split, high: Split) -> list[str] | None:
    if not low.raised and not high.raised and len(low.suffix) <= 1 and len(high.suffix) == 1:
        head = [str(low.base)] if not low.suffix else []
        letters = range(ord(low.suffix or "a"), ord(high.suffix) + 1)
        return head + [f"{low.base}{chr(code)}" for code in letters]
    plain = low.suffix == high.suffix and not low.raised_suffix and not high.raised_suffix
    if plain and 0 <= high.raised - low.raised < LONGEST_RANGE:
        stem = f"{low.base}{low.suffix}"
        return [f"{stem}^{number}" if number else stem for number in range(low.raised, high.raised + 1)]
    return None
