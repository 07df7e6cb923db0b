"""Days in force. Both days of a period belong to it, as official sources print them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

_ONE_DAY = timedelta(days=1)


class InvalidPeriod(ValueError):
    """The last day lies before the first."""


@dataclass(frozen=True, slots=True)
class Period:
    """`valid_from` to `valid_to`, both days included; `valid_to` None means still in force.

    Raises `InvalidPeriod` when the last day lies before the first.
    """

    valid_from: date
    valid_to: date | None = None

    def __post_init__(self) -> None:
        if self.valid_to is not None and self.valid_to < self.valid_from:
            raise InvalidPeriod(f"the last day {self.valid_to} lies before the first day {self.valid_from}")

    def __str__(self) -> str:
        return f"{self.valid_from} to {self.valid_to or 'now'}"

    @property
    def is_open(self) -> bool:
        return self.valid_to is None

    @property
    def last_day(self) -> date:
        """The last day in force; the last day of the calendar for an open period."""
        return date.max if self.valid_to is None else self.valid_to

    @property
    def days(self) -> int | None:
        """Number of days in force, at least 1; None for an open period, which has no number."""
        return None if self.valid_to is None else (self.valid_to - self.valid_from).days + 1

    def contains(self, day: date) -> bool:
        return self.valid_from <= day <= self.last_day

    def overlaps(self, other: "Period") -> bool:
        """Whether the two share at least one day."""
        return self.valid_from <= other.last_day and other.valid_from <= self.last_day

    def intersect(self, other: "Period") -> "Period | None":
        """The days that both share; None when they share none. Open only when both are."""
        if not self.overlaps(other):
            return None
        ends = [end for end in (self.valid_to, other.valid_to) if end is not None]
        return Period(max(self.valid_from, other.valid_from), min(ends, default=None))

    def is_followed_by(self, other: "Period") -> bool:
        """Whether `other` starts on the day after this one ends."""
        return self.valid_to is not None and day_after(self.valid_to) == other.valid_from

    def ending_before(self, day: date) -> "Period | None":
        """The part before `day`, as when a newer edition starts on it; None when nothing is left."""
        last = day_before(day)
        return None if last is None else self.intersect(Period(date.min, last))

    def starting_on(self, day: date) -> "Period | None":
        """The part from `day` on; None when nothing is left."""
        return self.intersect(Period(day))


class Overlap(NamedTuple):
    """Two periods of a list, by their places in it, and the days they share."""

    first: int
    second: int
    shared: Period


def day_before(day: date) -> date | None:
    """None before the first day of the calendar."""
    return None if day == date.min else day - _ONE_DAY


def day_after(day: date) -> date | None:
    """None after the last day of the calendar."""
    return None if day == date.max else day + _ONE_DAY


def gaps(periods: Iterable[Period]) -> list[Period]:
    """The stretches without any period between the first day and the last day covered, in order.

    Periods may come in any order and may overlap. What lies before the first and after the last is
    no gap; an empty list of periods has none.
    """
    found: list[Period] = []
    covered_to: date | None = None
    for period in sorted(periods, key=lambda each: each.valid_from):
        if covered_to is not None and covered_to < period.valid_from:
            start, end = day_after(covered_to), day_before(period.valid_from)
            if start is not None and end is not None and start <= end:
                found.append(Period(start, end))
        covered_to = period.last_day if covered_to is None else max(covered_to, period.last_day)
    return found


def overlaps(periods: Iterable[Period]) -> list[Overlap]:
    """Every pair of the list that shares a day, by place in the list; empty when editions are clean."""
    numbered = sorted(enumerate(periods), key=lambda pair: (pair[1].valid_from, pair[0]))
    found: list[Overlap] = []
    for position, (number, period) in enumerate(numbered):
        for other_number, other in numbered[position + 1 :]:
            if other.valid_from > period.last_day:
                break
            shared = period.intersect(other)
            if shared is not None:
                found.append(Overlap(min(number, other_number), max(number, other_number), shared))
    return sorted(found, key=lambda overlap: (overlap.first, overlap.second))


def merged(periods: Iterable[Period]) -> list[Period]:
    """The same days as the fewest periods, in order: what overlaps or follows day on day becomes one."""
    found: list[Period] = []
    for period in sorted(periods, key=lambda each: each.valid_from):
        if found and (found[-1].overlaps(period) or found[-1].is_followed_by(period)):
            open_end = found[-1].is_open or period.is_open
            end = None if open_end else max(found[-1].last_day, period.last_day)
            found[-1] = Period(found[-1].valid_from, end)
        else:
            found.append(period)
    return found
