"""A normalised reading of a text whose positions lead back to the original.

Most normalisation keeps the length, so it needs no map: every kind of space becomes a blank, Markdown marks become
blanks, dashes and apostrophes get one form. Only what changes the length (HTML, entities, invisible characters,
decomposed letters) is recorded as segments.
"""

from __future__ import annotations

import html
import re
import sys
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ"
PLAIN = "0123456789abcdefghijklmnoprstuvwxyz"
RAISE = str.maketrans(PLAIN, SUPERSCRIPTS)
LOWER_SUPERSCRIPTS = str.maketrans(SUPERSCRIPTS, PLAIN)
MASK = "\x01"

_BLANKS = "\t\r\v\f\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_TIDY = str.maketrans(
    {
        **dict.fromkeys(_BLANKS, " "),
        **dict.fromkeys("*`\\", " "),
        **dict.fromkeys("\u2028\u2029\x85", "\n"),
        **dict.fromkeys("\u2010\u2011\u2212\ufe63\uff0d", "-"),
        **dict.fromkeys("\u2012\u2013\u2014\u2015", "–"),
        **dict.fromkeys("\u2018\u2019\u02bc\u00b4\u2032", "'"),
        MASK: " ",
    }
)
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_NEEDS_EDIT = re.compile(f"[<&$\u0300-\u036f{_INVISIBLE}]")
_EDIT = re.compile(
    rf"""
    <sup\b[^<>]{{0,60}}>\s{{0,8}}(?:<!--[^<>]{{0,80}}-->\s{{0,8}})?\(?(?P<sup>[0-9a-z]{{1,12}})\)?\s{{0,8}}</sup>
    | \$\s?(?P<formula>[0-9]{{1,5}}[a-z]{{0,2}}\s?\^\s?\{{?\s?[0-9a-z]{{1,4}}\s?\}}?)\s?\$
    | \$\s?\^\{{?(?P<tex>[0-9a-z]{{1,4}})\}}?\s?\$
    | (?P<tag><!--[^<>]{{0,400}}> | </?[a-zA-Z][^<>]{{0,400}}>)
    | (?P<entity>&(?:[a-zA-Z][a-zA-Z0-9]{{1,8}}|\#[0-9]{{1,6}}|\#[xX][0-9a-fA-F]{{1,6}});)
    | (?P<gone>[{_INVISIBLE}]+)
    | (?P<composed>[^\W\d_][\u0300-\u036f]{{1,3}})
    """,
    re.VERBOSE,
)
_BLOCK_TAG = re.compile(r"</?(?:br|p|div|li|ul|ol|tr|td|th|table|h[1-6]|blockquote|pre)\b", re.IGNORECASE)
_URL = re.compile(r"(?:https?://|ftp://|www\.)[^\s<>\"|)\]]+", re.IGNORECASE)
_LINK_TARGET = re.compile(r"\]\((?=[^()\s]{0,200}[/#.:])[^()\s]{1,2000}\)?")
_FOOTNOTE_MARK = re.compile(r"\[\^[^\]\s]{1,20}\]")
_EDGE_UNDERSCORE = re.compile(r"(?<![^\W_])_|_(?![^\W_])")
_MAIL = re.compile(r"[A-Za-z0-9._%+-]@[A-Za-z0-9][A-Za-z0-9.-]{0,250}")
_MAIL_BEFORE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._%+-")
_FOLDABLE = range(0x250)


def _fold_table() -> dict[int, str]:
    table: dict[int, str] = {}
    for code in (*_FOLDABLE, *range(0x1E00, 0x1F00)):
        char = chr(code)
        base = unicodedata.normalize("NFD", char)[0].lower()
        if char.isalpha() and len(base) == 1 and base != char:
            table[code] = base
    return table | {ord("ł"): "l", ord("Ł"): "l", ord("ø"): "o", ord("Ø"): "o", ord("İ"): "i", ord("ı"): "i"}


_FOLD = _fold_table()
MOST_REPLACED = 60


def fold(text: str) -> str:
    """Lower case without diacritics, character by character: the length never changes."""
    folded = text.lower() if text.isascii() else ""
    return folded or _translated(text, _FOLD, _FOLDED)


def _translated(text: str, table: dict[int, Any], affected: re.Pattern[str]) -> str:
    """``text.translate(table)``, quick where few different characters are affected, as in most texts."""
    found = set(affected.findall(text))
    if len(found) > MOST_REPLACED:
        return text.translate(table)
    for char in found:
        text = text.replace(char, table[ord(char)])
    return text


def _affected(table: dict[int, Any]) -> re.Pattern[str]:
    return re.compile(f"[{''.join(re.escape(chr(code)) for code in table)}]")


_FOLDED = _affected(_FOLD)
_UNTIDY = _affected(_TIDY)


@dataclass(slots=True)
class View:
    """``text`` is the tidied text, ``folded`` its folded twin of the same length; ``urls`` are masked spans of it."""

    source: str
    text: str
    folded: str
    urls: list[tuple[int, int]]
    view_starts: list[int] | None = None
    source_starts: list[int] | None = None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The span of the source that a non-empty span of the view stands for."""
        if self.view_starts is None or self.source_starts is None:
            return start, end
        return self._start(start), self._end(end)

    def _start(self, position: int) -> int:
        assert self.view_starts is not None
        assert self.source_starts is not None
        at = bisect_right(self.view_starts, position) - 1
        here, there = self.view_starts[at], self.source_starts[at]
        return there + min(position - here, self._length(at))

    def _end(self, position: int) -> int:
        assert self.view_starts is not None
        assert self.source_starts is not None
        at = bisect_right(self.view_starts, position - 1) - 1
        here, there = self.view_starts[at], self.source_starts[at]
        if self._copied(at):
            return there + position - here
        return self.source_starts[at + 1] if at + 1 < len(self.source_starts) else len(self.source)

    def _length(self, at: int) -> int:
        return sys.maxsize if self._copied(at) else 0

    def _copied(self, at: int) -> bool:
        """Segments alternate: even ones were copied, odd ones replaced."""
        return at % 2 == 0


def view_of(source: str) -> View:
    """Build the view of a text in linear time."""
    if _NEEDS_EDIT.search(source):
        edited, view_starts, source_starts = _edit(source)
    else:
        edited, view_starts, source_starts = source, None, None
    masked, urls = _mask(edited)
    tidy = _translated(masked, _TIDY, _UNTIDY)
    if "_" in tidy:
        tidy = _EDGE_UNDERSCORE.sub(" ", tidy)
    if urls:
        tidy = _restore_mask(tidy, urls)
    return View(source, tidy, fold(tidy), urls, view_starts, source_starts)


def _edit(source: str) -> tuple[str, list[int], list[int]]:
    pieces: list[str] = []
    view_starts, source_starts = [0], [0]
    done = length = 0
    for match in _EDIT.finditer(source):
        replacement = _replacement(match)
        copied = source[done : match.start()]
        pieces += (copied, replacement)
        length += len(copied)
        view_starts += (length, length + len(replacement))
        source_starts += (match.start(), match.end())
        length += len(replacement)
        done = match.end()
    pieces.append(source[done:])
    return "".join(pieces), view_starts, source_starts


def _replacement(match: re.Match[str]) -> str:
    kind = match.lastgroup
    if kind in ("sup", "tex"):
        return match[kind].translate(RAISE)
    if kind == "formula":
        return match[kind]
    if kind == "tag":
        return "\n" if _BLOCK_TAG.match(match[0]) else ""
    if kind == "entity":
        plain = html.unescape(match[0])
        return "" if plain in _INVISIBLE else plain
    if kind == "composed":
        return unicodedata.normalize("NFC", match[0])
    return ""


def _mask(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Blank out link targets and footnote marks, cut off code fences, find addresses."""
    urls: list[tuple[int, int]] = []
    if "```" in text:
        text = text.replace("```", "\n\n\n")
    if "](" in text:
        text = _blank(text, _LINK_TARGET, urls)
    if "[^" in text:
        text = _blank(text, _FOOTNOTE_MARK, [])
    if "://" in text or "www." in text.lower():
        urls += (match.span() for match in _URL.finditer(text))
    if "@" in text:
        urls += _mails(text)
    return text, sorted(urls)


def _blank(text: str, pattern: re.Pattern[str], spans: list[tuple[int, int]]) -> str:
    pieces: list[str] = []
    done = 0
    for match in pattern.finditer(text):
        pieces += (text[done : match.start()], " " * (match.end() - match.start()))
        spans.append(match.span())
        done = match.end()
    return "".join((*pieces, text[done:]))


def _mails(text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for match in _MAIL.finditer(text):
        start = match.start()
        while start > 0 and match.start() - start < 64 and text[start - 1] in _MAIL_BEFORE:
            start -= 1
        spans.append((start, match.end()))
    return spans


def _restore_mask(tidy: str, urls: list[tuple[int, int]]) -> str:
    pieces: list[str] = []
    done = 0
    for start, end in urls:
        if start < done:
            continue
        filler = " " if tidy[start:end].isspace() else MASK
        pieces += (tidy[done:start], filler * (end - start))
        done = end
    return "".join((*pieces, tidy[done:]))
