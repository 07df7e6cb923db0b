"""How far two assessors of the same answers agree: per criterion and per label, before either saw the other."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from lexreview.core.stats.bootstrap import Bootstrap, bootstrap_over_clusters
from lexreview.core.stats.intervals import Proportion, proportion
from lexreview.core.stats.kappa import BinaryTable, Kappa, binary_table, kappa_of_counts

Counts = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class PairRow:
    """One answer as two reviews have it. `first` and `second`: value by measure, such as {"A-R": "2", "label": ...};
    a measure that one of them lacks is left out of that measure's figures. `group`: how the two came about."""

    question: str
    answer: str
    group: str
    first: Mapping[str, str]
    second: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Measure:
    """What is compared: the values under `name`; with `positive`, whether they are that one or any other."""

    name: str
    positive: str = ""


@dataclass(frozen=True, slots=True)
class HumanAgreement:
    """Agreement of two assessors on one measure.

    `n` answers to `questions` questions. `base_rate`: the share of `commonest` among all 2n values, None without any;
    a pair of guessers who always say the commonest agree by chance alone. `table` for a measure of two values: a
    positive of the first assessor in rows, the second as reference. `kappa_over_questions` resamples whole questions.
    """

    measure: Measure
    n: int
    questions: int
    agreement: Proportion
    kappa: Kappa
    kappa_over_questions: Bootstrap
    commonest: str
    base_rate: Fraction | None
    table: BinaryTable | None


class Cell(StrEnum):
    """Where a pair stands in the figures of a measure: in the table of two values, or whether its values are equal."""

    BOTH = "both"
    FIRST_ONLY = "first_only"
    SECOND_ONLY = "second_only"
    NEITHER = "neither"
    DIFFER = "differ"


def is_in(cell: Cell, row: PairRow, measure: Measure) -> bool:
    """Whether the pair is one of those counted there; pairs that lack a value are nowhere."""
    if measure.name not in row.first or measure.name not in row.second:
        return False
    first, second = _value(row.first, measure), _value(row.second, measure)
    match cell:
        case Cell.DIFFER:
            return first != second
        case Cell.BOTH:
            return (first, second) == (YES, YES)
        case Cell.FIRST_ONLY:
            return (first, second) == (YES, NO)
        case Cell.SECOND_ONLY:
            return (first, second) == (NO, YES)
        case Cell.NEITHER:
            return (first, second) == (NO, NO)


def human_agreement(
    rows: Iterable[PairRow], *, measures: Sequence[Measure], seed: int, resamples: int = 1000
) -> tuple[HumanAgreement, ...]:
    """One figure per measure, in the order given; undefined where no answer has both values."""
    listed = sorted(rows, key=lambda row: (row.question, row.answer))
    return tuple(_agreement(measure, listed, seed=seed, resamples=resamples) for measure in measures)


def _agreement(measure: Measure, rows: Sequence[PairRow], *, seed: int, resamples: int) -> HumanAgreement:
    compared = [
        (row.question, (_value(row.first, measure), _value(row.second, measure)))
        for row in rows
        if measure.name in row.first and measure.name in row.second
    ]
    pairs = [pair for _question, pair in compared]
    values = Counter(value for pair in pairs for value in pair)
    categories = sorted(values)
    commonest = max(categories, key=lambda value: (values[value], value), default="")
    return HumanAgreement(
        measure=measure,
        n=len(pairs),
        questions=len({question for question, _pair in compared}),
        agreement=proportion(sum(first == second for first, second in pairs), len(pairs)),
        kappa=kappa_of_counts(_counts(pairs, categories)),
        kappa_over_questions=bootstrap_over_clusters(
            _by_question(compared, categories),
            lambda drawn: kappa_of_counts(_sum([counts for _question, counts in drawn], len(categories))).value,
            cluster_key=lambda row: row[0],
            seed=seed,
            resamples=resamples,
        ),
        commonest=commonest,
        base_rate=Fraction(values[commonest], 2 * len(pairs)) if pairs else None,
        table=binary_table((first == YES, second == YES) for first, second in pairs) if measure.positive else None,
    )


YES, NO = "yes", "no"


def _value(values: Mapping[str, str], measure: Measure) -> str:
    value = values[measure.name]
    return value if not measure.positive else YES if value == measure.positive else NO


def _counts(pairs: Iterable[tuple[str, str]], categories: Sequence[str]) -> Counts:
    counted = Counter(pairs)
    return tuple(tuple(counted[first, second] for second in categories) for first in categories)


def _by_question(
    compared: Sequence[tuple[str, tuple[str, str]]], categories: Sequence[str]
) -> list[tuple[str, Counts]]:
    """A drawn question brings all its answers, so its table is all that a resample needs."""
    pairs: dict[str, list[tuple[str, str]]] = {}
    for question, pair in compared:
        pairs.setdefault(question, []).append(pair)
    return [(question, _counts(listed, categories)) for question, listed in pairs.items()]


def _sum(tables: Sequence[Counts], size: int) -> Counts:
    places = range(size)
    return tuple(tuple(sum(table[row][column] for table in tables) for column in places) for row in places)
