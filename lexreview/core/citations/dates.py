"""Dates as they are written in citations, in five languages, to ISO dates."""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

_MONTH_FORMS = {
    1: "stycznia styczen january januar jan janvier janv gennaio gen janner",
    2: "lutego luty february februar feb fevrier fevr febbraio febr",
    3: "marca marzec march marz mars marzo mar",
    4: "kwietnia kwiecien april apr avril avr aprile",
    5: "maja maj may mai maggio mag",
    6: "czerwca czerwiec june juni jun juin giugno giu",
    7: "lipca lipiec july juli jul juillet juil luglio lug",
    8: "sierpnia sierpien august aug aout agosto ago",
    9: "wrzesnia wrzesien september sept sep septembre settembre sett set",
    10: "pazdziernika pazdziernik october oktober okt oct octobre ottobre ott",
    11: "listopada listopad november nov novembre",
    12: "grudnia grudzien december dezember dez dec decembre dicembre dic",
}
MONTHS = {form: number for number, forms in _MONTH_FORMS.items() for form in forms.split()}
_ROMAN = {
    "i": 1,
    "ii": 2,
    "iii": 3,
    "iv": 4,
    "v": 5,
    "vi": 6,
    "vii": 7,
    "viii": 8,
    "ix": 9,
    "x": 10,
    "xi": 11,
    "xii": 12,
}
_NAMES = "|".join(sorted(MONTHS, key=len, reverse=True))

MONTH_NAME = rf"(?:{_NAMES})(?![^\W_])"
DATE = (
    rf"(?:\d{{1,2}}(?:\s?\.|er|re|st|nd|rd|th|[°º])?\s{{1,3}}(?:of\s)?(?:{_NAMES})\.?\s{{1,3}}\d{{4}}"
    rf"|(?:{_NAMES})\s\d{{1,2}},?\s{{1,2}}\d{{4}}"
    r"|\d{1,2}\s?\.\s?(?:\d{1,2}|[ivx]{1,4})\s?\.\s?\d{4}|\d{1,2}\s(?:[ivx]{1,4})\s\d{4}"
    r"|\d{1,2}/\d{1,2}/\d{4}|\d{1,2}-\d{1,2}-\d{4}"
    r"|\d{4}-\d{2}-\d{2})(?!\d)"
)
_DATE = re.compile(rf"(?<![\d/.])(?<!\d-){DATE}")
_DATE_AT = re.compile(DATE)
_PARTS = re.compile(r"\d+|[a-z]+")


class DateFound(NamedTuple):
    """A written date: its span and its ISO form."""

    start: int
    end: int
    iso: str


def dates_in(folded: str, start: int = 0, end: int | None = None) -> list[DateFound]:
    """Every real calendar date between two positions, in order; written dates that do not exist are left out."""
    found = _DATE.finditer(folded, start, len(folded) if end is None else end)
    return [DateFound(*match.span(), iso) for match in found if (iso := to_iso(match[0]))]


def date_at(folded: str, position: int) -> DateFound | None:
    """The date that begins exactly here."""
    match = _DATE_AT.match(folded, position)
    iso = to_iso(match[0]) if match else None
    return DateFound(*match.span(), iso) if match and iso else None


def to_iso(written: str) -> str | None:
    """ISO form of one folded written date; ``None`` when there is no such day."""
    parts = [part for part in _PARTS.findall(written) if part not in ("er", "re", "st", "nd", "rd", "th", "of")]
    if len(parts) != 3:
        return None
    first, second, third = parts
    if first.isalpha():
        day, month, year = second, first, third
    elif len(first) == 4:
        year, month, day = parts
    else:
        day, month, year = parts
    number = int(month) if month.isdigit() else MONTHS.get(month) or _ROMAN.get(month)
    try:
        return date(int(year), number or 0, int(day)).isoformat()
    except ValueError:
        return None
