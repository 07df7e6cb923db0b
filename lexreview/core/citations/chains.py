"""Reads a chain of units ("art. 98 § 1, 1¹ i 3") at one place of a text, without looking at acts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from lexreview.core.citations.chain_parts import Chain, Member, NumberStyle, Unit
from lexreview.core.citations.chain_reading import ChainReading
from lexreview.core.citations.dates import MONTH_NAME
from lexreview.core.citations.language_words import LanguageWords
from lexreview.core.citations.numbering import brackets_at
from lexreview.core.citations.scanning import Beginnings, may_begin, word_starts
from lexreview.core.citations.view import View

_CLOSING_DOT = r"\b\.?"
_DIGITS = frozenset("0123456789")
_SEPARATES = frozenset(" \n,;")
_LIST_ENDS = re.compile(r"\s?(?:[.,;:)\n]|\Z)")


class ChainParser:
    """A chain reader for the words of one language (and those that a profile adds)."""

    def __init__(self, words: LanguageWords, style: NumberStyle, extra: Mapping[str, str] | None = None) -> None:
        levels = dict(words.levels)
        for level, pattern in (extra or {}).items():
            levels[level] = f"{pattern}|{levels[level]}" if level in levels else pattern
        levels = {level: pattern.replace(_CLOSING_DOT, r"\b(?:\s?\.)?") for level, pattern in levels.items()}
        self.style = style
        self.ordinals = words.ordinals
        bounded = {level: rf"(?P<{level}>{pattern})" for level, pattern in levels.items()}
        self.marker = re.compile("|".join(bounded.values()))
        beginnings = [bounded[level] for level in ("art", "par", "ust", "lit", "motyw") if level in bounded]
        starts = "|".join((*beginnings, words.point_start, *([extra["pkt"]] if extra and "pkt" in extra else [])))
        self.places = word_starts(re.sub(r"\(\?P<\w+>", "(?:", starts), anywhere="§")
        # Short ordinals ("2e", "ii") are numbers, not words.
        spelled = (
            "|".join(word for word in _longest_first(words.ordinals) if len(word) > 3 and word.isalpha()) or "(?!)"
        )
        self.start = re.compile(
            rf"(?:{starts})\s{{0,8}}(?::\s)?(?:(?:da|od|von|from)\s{{1,3}})?(?=\d|\(\d"
            rf"|\(?[a-z]{{1,2}}\)?(?![^\W_])|premier(?![^\W_])|(?:{spelled})(?![^\W_]))"
        )
        conj = words.conjunctions
        self.separator = re.compile(rf"\s{{0,6}}[,;]\s{{0,6}}(?:(?:{conj})\s{{1,6}})?|\s{{1,6}}(?:{conj})\s{{1,6}}")
        self.conjunction = re.compile(conj)
        self.adjacent = re.compile(r"\s{0,8}(?P<comma>,?)\s{0,8}")
        self.closed = re.compile(r"\)\s{0,4}(?P<comma>,?)\s{0,4}")
        self.range = re.compile(rf"\s{{0,4}}[–-]\s{{0,4}}|\s{{1,4}}(?:{words.ranges})\s{{1,4}}")
        self.open_range = re.compile(rf"\s{{0,4}}(?:{words.open_range})(?![^\W_])")
        self.stop = re.compile(rf"\s{{0,3}}(?:{words.stop_after_number}|{MONTH_NAME}|[A-Z]{{1,3}}\s\d)")
        ordinals = "|".join(_longest_first(words.ordinals)) or r"(?!)"
        self.spelled = re.compile(rf"(?P<ordinal>{spelled})(?![^\W_])(?!\s{{1,2}}(?:{levels['zd']}|{levels['ust']}))")
        self.sentence = re.compile(rf"(?P<which>{ordinals})\s{{1,2}}(?:{levels['zd']})")
        akapit = levels.get("akapit", "(?!)")
        self.before = re.compile(
            rf"(?:(?P<digit>\d{{1,2}})(?:\s?[°º^]|e|er|eme)?|(?P<word>{ordinals}))\s{{1,2}}"
            rf"(?:(?P<within>{akapit})|(?:{levels['ust']}))(?!\.?\s?\d)"
        )
        self.inward = (
            re.compile(
                rf"\s{{1,4}}(?:{words.of})(?:\s{{1,4}}|(?<=')\s?)"
                rf"(?:(?:the\s)?(?:{ordinals})\s{{1,2}}(?:{akapit})\s{{1,2}}(?:{words.of})\s{{1,4}})?"
            )
            if words.of
            else None
        )
        self.several = re.compile(rf"(?<![^\W_])(?:{words.several})$")
        self.genitive = re.compile(rf"(?:{words.of})(?:\s{{1,4}}|(?<=')\s?)") if words.of else None
        self.ordinal = re.compile(rf"(?:{ordinals})(?![^\W_])")
        self.marker_begins = Beginnings.of("|".join(levels.values()))
        self.ordinal_begins = Beginnings.of(ordinals)
        self.separator_begins = _begins(conj) | {",", ";"}
        self.range_begins = _begins(words.ranges) | {"-", "–"}
        self.open_begins = _begins(words.open_range)
        self.inward_begins = _begins(words.of) if words.of else frozenset()
        self.flat = re.compile(r"\s(\d{1,2})(?=\s{0,3}§|\s{1,3}(?:k\.|ust\b))")
        self.dot = re.compile(r"\.(\d{1,2})(?![\d.]|\s?(?:" + MONTH_NAME + "))")

    def may_be_before(self, folded: str, position: int) -> bool:
        """May a number or an ordinal begin here that stands in front of its word ("2e al.")?"""
        return folded[position : position + 1] in _DIGITS or self.ordinal_begins.at(folded, position)

    def chains(self, view: View) -> Iterator[Chain]:
        """Every chain of the view, in order, not overlapping."""
        position = 0
        for place in self.places.finditer(view.folded):
            match = self.start.match(view.folded, place.start()) if place.start() >= position else None
            if match is None:
                continue
            chain = self.chain_at(view, match.start())
            if chain:
                yield chain
            position = chain.end if chain else match.end()

    def chain_behind(self, view: View, end: int) -> Chain | None:
        """A chain of articles without the word for them, continuing a list behind an act: "Art. 328 OR, 6 ArG"."""
        if view.folded[end : end + 1] not in _SEPARATES:
            return None
        separator = self.separator.match(view.folded, end)
        if separator is None or "\n\n" in separator[0]:
            return None
        if not view.folded[separator.end() : separator.end() + 1].isdigit():
            return None
        return ChainReading(self, view).numbers(separator.end())

    def paragraphs_behind(self, view: View, end: int, last: Unit) -> Chain | None:
        """A paragraph in brackets that goes on with the article of ``last`` behind its act, where nothing follows it:
        "(2) the second" numbers a sentence."""
        if view.folded[end : end + 1] not in _SEPARATES:
            return None
        separator = self.separator.match(view.folded, end)
        groups, stop = brackets_at(view.folded, separator.end()) if separator else ((), end)
        if separator is None or not groups or not groups[0].isdigit() or not _LIST_ENDS.match(view.folded, stop):
            return None
        start = stop - len(view.folded[separator.end() : stop].lstrip())
        unit = Unit(dict(last.levels), groups, last.bracket_of)
        return Chain(start, stop, "art", "", [Member(start, stop, [unit])])

    def numbers_at(self, view: View, position: int) -> Chain | None:
        """A chain whose first article is written without the word for it: "OR 336c Abs. 1"."""
        return ChainReading(self, view).numbers(position)

    def chain_at(self, view: View, position: int) -> Chain | None:
        """The chain that begins exactly here."""
        return ChainReading(self, view).chain(position)


def _longest_first(words: Iterable[str]) -> list[str]:
    return sorted(words, key=len, reverse=True)


def _begins(pattern: str) -> frozenset[str]:
    found = may_begin(pattern)
    if found is None:
        raise ValueError(f"the beginnings of {pattern!r} cannot be listed")
    return found
