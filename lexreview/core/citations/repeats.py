"""A text that repeats itself for long is read once: what a few rounds of the repetition hold, the others hold too.

Reading costs as much for the thousandth repetition as for the first; a megabyte of "art. 5 k.c. " would keep a
processor busy for seconds and tell nothing new. So all but some rounds are left out of the text that the grammar reads,
and the citations found are continued through the gap. Grammars look at a bounded stretch around a place, but it is not
known how many rounds make one cycle of what they find (lists have a longest length). Therefore the cycle is taken from
what was found, and trusted only if it foretells what the grammar finds in a text with more rounds. Where it does not,
the whole text is read.
"""

from __future__ import annotations

import gc
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, fields
from functools import wraps
from typing import Any, NamedTuple, Protocol

from lexreview.core.citations.act_entry import ActEntry
from lexreview.core.citations.citation import Citation
from lexreview.core.citations.profile import JurisdictionProfile

LEAST_RUN = 40_000
MOST_RUNS = 4
LONGEST_ROUND = 10_000
KEPT, KEPT_ROUNDS = 10_000, 5
MORE_ROUNDS, MORE = 61, 4_000  # more rounds than the longest list of a grammar has members
_STEP = 4_096
_DEFAULTS = {field.name: field.default for field in fields(Citation) if field.default is not MISSING}
_PLACED = frozenset(("start", "end", "raw", "mentions"))
Read = Callable[[str], list[Citation]]


class Grammar(Protocol):
    """What every grammar module offers."""

    def __call__(
        self,
        text: str,
        *,
        lang: str,
        acts: Sequence[ActEntry] = (),
        profile: JurisdictionProfile | None = None,
    ) -> list[Citation]: ...


class Run(NamedTuple):
    """A stretch of a text that consists of rounds of ``length`` characters, the last one perhaps cut off."""

    start: int
    end: int
    length: int

    @property
    def kept(self) -> int:
        """How many characters of it are read at least."""
        return max(KEPT, KEPT_ROUNDS * self.length)

    @property
    def gap(self) -> int:
        """Where rounds are left out."""
        return self.start + self.kept * 3 // 4


class _Gap(NamedTuple):
    """Where rounds were left out of the text read, the length of a cycle of findings there, and how many are missing.

    What reaches further behind the gap than ``reach`` reaches through it.
    """

    at: int
    cycle: int
    missing: int
    reach: int


def read_once(grammar: Grammar) -> Grammar:
    """The same grammar, quick on texts that repeat themselves."""

    @wraps(grammar)
    def extract(
        text: str, *, lang: str, acts: Sequence[ActEntry] = (), profile: JurisdictionProfile | None = None
    ) -> list[Citation]:
        def read(part: str) -> list[Citation]:
            return grammar(part, lang=lang, acts=acts, profile=profile)

        runs = runs_of(text) if len(text) >= LEAST_RUN else []
        found = _read_runs(text, runs, read) if runs else None
        return read(text) if found is None else found

    return extract


def runs_of(text: str) -> list[Run]:
    """The longest stretches of the text that only repeat themselves, in order."""
    runs: list[Run] = []
    at = floor = 0
    while at + LEAST_RUN // 2 <= len(text):
        again = text.find(text[at : at + LONGEST_ROUND], at + 1, at + 2 * LONGEST_ROUND)
        run = _run_at(text, at, again - at, floor=floor) if again > 0 else None
        if run and run.end - run.start >= max(LEAST_RUN, 2 * run.kept):
            runs.append(run)
            at = floor = run.end
        else:
            at += LEAST_RUN // 2
    return sorted(sorted(runs, key=lambda one: one.start - one.end)[:MOST_RUNS])


def _run_at(text: str, at: int, length: int, *, floor: int) -> Run:
    """The run with rounds of this length around a place of it."""
    end = at + _alike(text[at:], length)
    backwards = text[floor : at + length][::-1]
    return Run(at + length - _alike(backwards, length), end, length)


def _alike(text: str, length: int) -> int:
    """How far every character is the one that stands ``length`` before it."""
    at, step = length, _STEP
    while at < len(text) and step:
        piece = text[at : at + step]
        if piece == text[at - length : at - length + len(piece)]:
            at += len(piece)
        else:
            step //= 2
    return at


def _read_runs(text: str, runs: Sequence[Run], read: Read) -> list[Citation] | None:
    """The citations of the text, from a short one; ``None`` where it cannot be relied on."""
    left_out = [_whole(run.end - run.start - run.kept, run.length) for run in runs]
    found = read(_without(text, runs, left_out))
    cycles = [_cycle(found, run.gap - before, run) for run, before in zip(runs, _sums(left_out), strict=True)]
    if None in cycles:
        return None
    known = [cycle for cycle in cycles if cycle]
    fitting = [_whole(count, cycle) for count, cycle in zip(left_out, known, strict=True)]
    if fitting != left_out:
        left_out = fitting
        found = read(_without(text, runs, left_out))
    gaps = [
        _Gap(run.gap - before, cycle, count // cycle, run.kept // 8)
        for run, before, cycle, count in zip(runs, _sums(left_out), known, left_out, strict=True)
    ]
    growth = [0] * len(found)
    for at, gap in enumerate(gaps):
        more = max(1, min(MORE_ROUNDS, MORE // gap.cycle, gap.missing))
        longer = [count - more * gap.cycle if other == at else count for other, count in enumerate(left_out)]
        read_text = _without(text, runs, longer)
        grown = _growth(found, read(read_text), read_text, gap._replace(missing=more)) if gap.missing else None
        if grown is None:
            return None
        growth = [total + one * gap.missing for total, one in zip(growth, grown, strict=True)]
    with _uncollected():
        return _continued(found, text, gaps, growth)


def _whole(count: int, length: int) -> int:
    return max(0, count - count % length)


def _sums(counts: Sequence[int]) -> list[int]:
    """What is left out in front of each run."""
    return [sum(counts[:at]) for at in range(len(counts))]


def _without(text: str, runs: Sequence[Run], left_out: Sequence[int]) -> str:
    pieces: list[str] = []
    done = 0
    for run, count in zip(runs, left_out, strict=True):
        pieces.append(text[done : run.gap])
        done = run.gap + count
    return "".join((*pieces, text[done:]))


def _cycle(found: Sequence[Citation], gap: int, run: Run) -> int | None:
    """After how many characters the findings around a gap come again; ``None`` where they do not."""
    low = bisect_left(found, gap - run.kept // 2, key=_start)
    zone = found[low : bisect_left(found, gap + run.kept // 8, key=_start)]
    if not zone:
        return run.length
    last = zone[-1]
    for step in range(1, len(zone) // 2 + 1):
        cycle = last.start - zone[-1 - step].start
        if cycle and cycle % run.length == 0 and all(map(_Same(cycle), zone, zone[step:])):
            return cycle
    return None


def _start(citation: Citation) -> int:
    return citation.start


class _Same:
    """Is the second citation the first one, so many characters later?"""

    def __init__(self, later: int) -> None:
        self.later = later

    def __call__(self, one: Citation, other: Citation) -> bool:
        placed = one.start + self.later == other.start and one.end + self.later == other.end
        return placed and one.raw == other.raw and _told(one) == _told(other)


def _told(citation: Citation) -> dict[str, Any]:
    """What a citation says, wherever it stands and however often."""
    return {name: value for name, value in _beyond_defaults(citation).items() if name not in _PLACED}


def _beyond_defaults(citation: Citation) -> dict[str, Any]:
    """The fields of a citation that are set to something: the others have the default of the class."""
    return {name: value for name, value in vars(citation).items() if name not in _DEFAULTS or value != _DEFAULTS[name]}


def _growth(found: Sequence[Citation], real: Sequence[Citation], text: str, gap: _Gap) -> list[int] | None:
    """The mentions that a cycle adds to each citation; ``None`` where more cycles hold something else than foretold."""
    foretold = _continued(found, text, [gap], [0] * len(found))
    if len(foretold) != len(real) or not all(map(_Same(0), foretold, real)):
        return None
    first_behind = bisect_left(found, gap.at, key=_start)
    extra = len(real) - len(found)
    pairs = [(one, real[at if at < first_behind else at + extra]) for at, one in enumerate(found)]
    gains = [other.mentions - one.mentions for one, other in pairs]
    growth = [gain // gap.missing for gain in gains]
    foretold = _continued(found, text, [gap], [one * gap.missing for one in growth]) if any(gains) else foretold
    counted = [one.mentions for one in foretold] == [one.mentions for one in real]
    return growth if counted else None


def _continued(found: Sequence[Citation], text: str, gaps: Sequence[_Gap], growth: Sequence[int]) -> list[Citation]:
    """The citations of the whole text: those found, moved, with the cycles that are missing in each gap."""
    result: list[Citation] = []
    done = moved = 0
    for at, gap in enumerate(gaps):
        behind = bisect_left(found, gap.at, key=_start)
        result += (
            _moved(found[one], moved, _reach(found[one], gaps[at:]), text, growth[one]) for one in range(done, behind)
        )
        cycle = found[bisect_left(found, gap.at - gap.cycle, key=_start) : behind]
        result += _copies(cycle, moved, gap)
        done, moved = behind, moved + gap.cycle * gap.missing
    result += (_moved(found[one], moved, 0, text, growth[one]) for one in range(done, len(found)))
    return result


def _reach(citation: Citation, gaps: Sequence[_Gap]) -> int:
    """How much longer a citation becomes that goes on through gaps (an address without blanks)."""
    return sum(gap.cycle * gap.missing for gap in gaps if citation.end - gap.at > gap.reach)


def _moved(citation: Citation, count: int, longer: int, text: str, growth: int) -> Citation:
    if not (count or longer or growth):
        return citation
    copy = object.__new__(Citation)
    own = copy.__dict__
    own.update(vars(citation))
    own["start"], own["end"] = citation.start + count, citation.end + count + longer
    if longer:
        own["raw"] = text[own["start"] : own["end"]]
    if growth:
        own["mentions"] = citation.mentions + growth
    return copy


def _copies(cycle: Sequence[Citation], moved: int, gap: _Gap) -> Iterator[Citation]:
    """The citations of the cycles that are missing: often hundreds of thousands, so each is made in few steps."""
    said = [(_beyond_defaults(one), one.start + moved, one.end + moved) for one in cycle]
    new = object.__new__
    for later in range(gap.cycle, gap.cycle * gap.missing + 1, gap.cycle):
        for values, start, end in said:
            copy = new(Citation)
            own = copy.__dict__
            own.update(values)
            own["start"], own["end"] = start + later, end + later
            yield copy


@contextmanager
def _uncollected() -> Iterator[None]:
    """No search for dead cycles while many objects are made of which none is dead."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
