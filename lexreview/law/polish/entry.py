"""Staged entry into force: which units of an act begin on another day than the act itself."""

import re
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from lexreview.law.polish.unit_lists import Target, covers, read_unit_list

_MONTHS = (
    "stycznia", "lutego", "marca", "kwietnia", "maja", "czerwca",
    "lipca", "sierpnia", "września", "października", "listopada", "grudnia",
)  # fmt: skip
_DAY = re.compile(rf"(\d{{1,2}})\s+({'|'.join(_MONTHS)})\s+(\d{{4}})", re.IGNORECASE)
_ENTRY = re.compile(r",?\s*(?:któr\w+\s+)?(?:wchodz[ią]|wejd[ąz]\w*)\s+w\s+życie\s+(?P<when>[^;]*)", re.IGNORECASE)
_START = re.compile(r"(?:^|[;:\n]|z wyjątkiem)\s*(?:\d+[a-z]?\)\s*)?(?=(?:art\.|§|ust\.|pkt)\s*\d)")


class StagedEntry(NamedTuple):
    """Units that enter into force on a day of their own; `on` is None where the day is conditional or not read."""

    targets: tuple[Target, ...]
    on: date | None
    text: str


def read_day(text: str) -> date | None:
    """The one day written out in a text ("1 stycznia 2024 r."); None for none, several or an impossible one."""
    found = _DAY.findall(text)
    if len(found) != 1:
        return None
    day, month, year = found[0]
    try:
        return date(int(year), _MONTHS.index(month.lower()) + 1, int(day))
    except ValueError:
        return None


@lru_cache(maxsize=512)
def read_entries(text: str) -> tuple[StagedEntry, ...]:
    """The staged entries of a clause ("… z wyjątkiem: 1) art. 5, który wchodzi w życie z dniem 1 lipca 2024 r.; …").

    A group of units with an exception of its own, or with a day that is not one written day, has no day.
    """
    entries = []
    for start in _START.finditer(text):
        targets, end = read_unit_list(text, start.end())
        match = _ENTRY.match(text, end) if targets else None
        if match:
            clause = text[start.end() : match.end()].strip()
            entries.append(StagedEntry(tuple(targets), read_day(match["when"]), clause))
        elif targets and (later := _ENTRY.search(text, end)):
            # Something that is not understood stands between the units and their day.
            entries.append(StagedEntry(tuple(targets), None, text[start.end() : later.end()].strip()))
    return tuple(entries)


def entry_of(text: str, key: str) -> StagedEntry | None:
    """The staged entry that governs a unit, or None where the unit begins with the act."""
    if not text:
        return None
    return next((entry for entry in read_entries(text) if any(covers(target, key) for target in entry.targets)), None)
