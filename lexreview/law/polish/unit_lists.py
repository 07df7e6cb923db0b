"""Lists of units as Polish law writes them ("art. 13 pkt 1, 6 i 11 lit. c oraz art. 16-19"), read into targets."""

import re
from typing import NamedTuple

from lexreview.law.keys import in_range, make_key, split_key

_ORDINALS = ("pierwsz", "drugi", "trzeci", "czwart", "piąt", "szóst", "siódm", "ósm", "dziewiąt", "dziesiąt")
_LEVEL_WORDS = {"art": "art", "artykuł": "art", "§": "par", "ust": "ust", "pkt": "pkt", "lit": "lit", "tiret": "tiret"}
_RANKS = {"art": 0, "par": 1, "ust": 2, "pkt": 3, "lit": 4, "tiret": 5}
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_TOKEN = re.compile(
    r"\s*(?:(?P<level>art\.|artykuł\w*|§+|ust\.|pkt|lit\.|tiret)(?![a-zà-ž])"
    r"|(?P<number>\d+(?:[⁰¹²³⁴⁵⁶⁷⁸⁹]+|\^\d+)?[a-z]{0,3}(?![a-zà-ž0-9]))"
    r"|(?P<ordinal>(?:pierwsz|drugi|trzeci|czwart|piąt|szóst|siódm|ósm|dziewiąt|dziesiąt)[a-ząęó]{0,4})"
    r"|(?P<letter>[a-z]{1,3}(?![a-zà-ž0-9]))"
    r"|(?P<dash>[-–—])"
    r"|(?P<comma>,))",
    re.IGNORECASE,
)
_CONNECTORS = {"i", "oraz", "lub", "albo"}
_CONNECTOR = re.compile(r"\s*(?:i|oraz|lub|albo)(?=\s)")


class Segment(NamedTuple):
    """One level of a target; `last` is the last number of a range, else empty."""

    level: str
    first: str
    last: str = ""


Target = tuple[Segment, ...]


def read_unit_list(text: str, position: int = 0) -> tuple[list[Target], int]:
    """The targets of the list that begins at a position, and where it ends; no targets where none begins there.

    A deeper level belongs to the last number before it: "pkt 1, 11 lit. c" is point 1 and letter c of point 11.
    """
    reader = _Reader(text, position)
    reader.run()
    return reader.targets(), reader.end


class _Reader:
    def __init__(self, text: str, position: int) -> None:
        self.text = text
        self.end = position
        self.done: list[Target] = []
        self.context: list[Segment] = []
        self.level = ""
        self.numbers: list[Segment] = []

    def run(self) -> None:
        position = self.end
        expects_number = False
        after_number = False
        while True:
            connector = _CONNECTOR.match(self.text, position)
            if connector and not expects_number and self.numbers:
                position, expects_number, after_number = connector.end(), False, False
                if not self._continues(position):
                    return
                continue
            token = _TOKEN.match(self.text, position)
            if token is None:
                return
            if token["level"]:
                if expects_number:
                    return
                self.open_level(_level_of(token["level"]))
                position, expects_number, after_number = token.end(), True, False
                continue
            if token["comma"] is not None:
                if not self.numbers or not self._continues(token.end()):
                    return
                position, after_number = token.end(), False
                continue
            if token["dash"] is not None:
                last = _TOKEN.match(self.text, token.end())
                if not self.numbers or last is None or not self._is_number(last):
                    return
                self.numbers[-1] = self.numbers[-1]._replace(last=self._number(last))
                position = self.end = last.end()
                continue
            if not self.level or after_number or not self._is_number(token):
                return
            self.numbers.append(Segment(self.level, self._number(token)))
            position = self.end = token.end()
            expects_number, after_number = False, True

    def _continues(self, position: int) -> bool:
        """Whether a list goes on behind a comma or a connector."""
        token = _TOKEN.match(self.text, position)
        return bool(token and (token["level"] or self._is_number(token)))

    def _is_number(self, token: re.Match[str]) -> bool:
        if self.level == "lit":
            return bool(token["letter"]) and token["letter"].lower() not in _CONNECTORS - {"i"}
        if self.level == "tiret":
            return bool(token["ordinal"] or token["number"])
        return bool(token["number"])

    def _number(self, token: re.Match[str]) -> str:
        if token["ordinal"]:
            stem = next(stem for stem in _ORDINALS if token["ordinal"].lower().startswith(stem))
            return str(_ORDINALS.index(stem) + 1)
        raw = token["number"] or token["letter"]
        return re.sub(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda match: "^" + match[0].translate(_RAISED), raw).lower()

    def open_level(self, level: str) -> None:
        if self.numbers and _RANKS[level] > _RANKS[self.level]:
            parent = self.numbers.pop()
            self.flush()
            self.context = [*self.context, parent]
        else:
            self.flush()
            self.context = [part for part in self.context if _RANKS[part.level] < _RANKS[level]]
        self.level = level

    def flush(self) -> None:
        self.done += [(*self.context, number) for number in self.numbers]
        self.numbers = []

    def targets(self) -> list[Target]:
        self.flush()
        return self.done


def _level_of(word: str) -> str:
    stem = word.lower().rstrip(".")
    return "art" if stem.startswith("art") else "par" if stem.startswith("§") else _LEVEL_WORDS[stem]


def rank_of(level: str) -> int:
    return _RANKS[level]


def matches(segment: Segment, level: str, number: str) -> bool:
    if segment.level != level:
        return False
    if segment.last:
        return in_range(number, first=segment.first, last=segment.last)
    return segment.first == number


def covers(target: Target, key: str) -> bool:
    """Whether the unit is the target or lies in it."""
    pairs = [pair for pair in split_key(key) if pair[0] in _RANKS]
    return len(pairs) >= len(target) and all(
        matches(segment, *pair) for segment, pair in zip(target, pairs, strict=False)
    )


def touches(target: Target, key: str) -> bool:
    """Whether the unit is the target, lies in it, or contains it: its full text depends on the target."""
    pairs = [pair for pair in split_key(key) if pair[0] in _RANKS]
    return all(matches(segment, *pair) for segment, pair in zip(target, pairs, strict=False))


def key_of(target: Target) -> str:
    """The key of a target without range."""
    return make_key([(segment.level, segment.first) for segment in target])
