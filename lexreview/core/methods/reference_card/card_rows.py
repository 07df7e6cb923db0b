"""One row per scored answer, and the small figures that tables are made of."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from lexreview.core.methods.reference_card.facts import FindingFacts, OfficialSource
from lexreview.core.methods.reference_card.label import Label
from lexreview.core.methods.reference_card.scoring import APercent, SeparateScore
from lexreview.core.workflow import AnswerState


@dataclass(frozen=True, slots=True)
class CardRow:
    """An approved card with its answer, as the tables need it.

    `answer` is the identifier. `official_source` is None in a condition without tools. `cost` is
    the answer's cost in USD, None when unknown; `cost_is_lower_bound` when a part of it is unknown.
    A failed answer may be among the rows; it is counted apart and enters no figure.
    """

    answer: str
    question: str
    system: str
    condition: str
    repetition: int
    specification: str
    state: AnswerState
    label: Label
    a: APercent | None
    separate: tuple[SeparateScore, ...] = ()
    findings: tuple[FindingFacts, ...] = ()
    citations_checked: int = 0
    citations_total: int = 0
    official_source: OfficialSource | None = None
    cost: Decimal | None = None
    cost_is_lower_bound: bool = False


class Count(NamedTuple):
    """`n` of `of`."""

    n: int
    of: int


@dataclass(frozen=True, slots=True)
class Mean:
    """Exact mean over the `n` of `of` answers that have a value; None when none has."""

    value: Fraction | None
    n: int
    of: int


class Group(NamedTuple):
    """Whose answers a figure is about; None stands for all systems or all conditions."""

    system: str | None
    condition: str | None


def mean_of(values: Iterable[Fraction | None]) -> Mean:
    listed = list(values)
    known = [value for value in listed if value is not None]
    return Mean(sum(known, Fraction(0)) / len(known) if known else None, len(known), len(listed))


def scored(rows: Iterable[CardRow]) -> list[CardRow]:
    """The rows that enter figures: all but failed answers."""
    return [row for row in rows if row.state.is_scored]


def check_one_row_each(rows: Iterable[CardRow]) -> None:
    """Raise `ValueError` naming an answer that has more than one row: its card would count twice."""
    twice = [answer for answer, count in Counter(row.answer for row in rows).items() if count > 1]
    if twice:
        raise ValueError(f"{twice[0]} has more than one card among the rows")


def by_group(rows: Sequence[CardRow]) -> Mapping[Group, list[CardRow]]:
    """Rows of each system in each condition, of each system, of each condition, and all together.

    In that order, each part sorted by code. A group is there only when it has rows, except the last.
    """
    groups: dict[Group, list[CardRow]] = {}
    keys: tuple[Callable[[CardRow], Group], ...] = (
        lambda row: Group(row.system, row.condition),
        lambda row: Group(row.system, None),
        lambda row: Group(None, row.condition),
    )
    for key in keys:
        part: dict[Group, list[CardRow]] = {}
        for row in rows:
            part.setdefault(key(row), []).append(row)
        groups.update({group: part[group] for group in sorted(part, key=lambda each: (each[0] or "", each[1] or ""))})
    groups[Group(None, None)] = list(rows)
    return groups
