"""Footnotes of consolidated texts that say from when or until when a printed wording holds."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from lexreview.law.parsed import ParsedUnit, walk
from lexreview.law.polish.entry import read_day

_UNTIL = re.compile(r"w\s+(?:tym|takim)\s+brzmieniu\s+obowiązuje\s+do", re.IGNORECASE)
_FROM = re.compile(
    r"(?P<verb>wejdzie|wejdą|wchodzi|wchodzą|weszł\w+|wszedł)\s+w\s+życie\s+(?P<when>[^;.]*(?:\br\.)?)", re.IGNORECASE
)


def variant_on(units: Sequence[ParsedUnit], day: date) -> tuple[ParsedUnit | None, str]:
    """Of several printed wordings of one unit the one that holds on a day, and a reason where that is not decided.

    A wording holds from the day in its footnote ("wejdzie w życie z dniem …") or from the beginning, until the next one
    begins. `staged_entry`: the only wording begins later. `footnote_without_date`: a footnote gives no single day.
    """
    if not units:
        return None, ""
    marked = [(unit, _begins(unit), _ends(unit)) for unit in units]
    if len(units) == 1:
        unit, begins, ends = marked[0]
        if ends:
            return None, "footnote_without_date"
        if begins == "unclear":
            return None, "footnote_without_date"
        if isinstance(begins, date) and begins > day:
            return None, "staged_entry"
        return unit, ""
    if any(begins == "unclear" for _, begins, _ in marked):
        return None, "footnote_without_date"
    begun = [(begins if isinstance(begins, date) else date.min, unit) for unit, begins, _ in marked]
    if len({start for start, _ in begun}) != len(begun):
        return None, "footnote_without_date"
    holding = [pair for pair in begun if pair[0] <= day]
    return (max(holding, key=lambda pair: pair[0])[1], "") if holding else (None, "staged_entry")


def _ends(unit: ParsedUnit) -> bool:
    return any(_UNTIL.search(note) for note in unit.notes)


def _begins(unit: ParsedUnit) -> date | str | None:
    """The day in a footnote about entry into force, None where there is no such footnote, `unclear` without a day.

    What has entered into force already when the text was made needs no day.
    """
    days = []
    for note in unit.notes:
        for match in _FROM.finditer(note):
            day = read_day(match["when"])
            if day is not None:
                days.append(day)
            elif not match["verb"].lower().startswith(("wesz", "wsz")):
                return "unclear"
    return max(days) if days else None


def settled(unit: ParsedUnit, day: date) -> tuple[ParsedUnit, str]:
    """The unit with, at every place below it, the one wording that holds on the day; and a reason where one is open.

    Sub-units that only begin later are left out.
    """
    if not any(_speaks(note) for inner in walk([unit]) for note in inner.notes):
        return unit, ""
    groups: dict[str, list[ParsedUnit]] = {}
    for child in unit.children:
        groups.setdefault(child.key, []).append(child)
    children = []
    for group in groups.values():
        chosen, reason = variant_on(group, day)
        if reason == "staged_entry":
            continue
        if chosen is None:
            return unit, reason
        inner, reason = settled(chosen, day)
        if reason:
            return unit, reason
        children.append(inner)
    return replace(unit, children=children), ""


def _speaks(note: str) -> bool:
    return bool(_UNTIL.search(note) or _FROM.search(note))
