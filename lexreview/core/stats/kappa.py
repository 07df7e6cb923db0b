"""Agreement of two assessors: Cohen's kappa and the 2 x 2 table."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

Counts = np.ndarray[tuple[int, int], np.dtype[np.int64]]


@dataclass(frozen=True, slots=True)
class Kappa:
    """Agreement of two assessors over `n` pairs.

    `agreement` (share of equal pairs) and `expected` (that share by chance, from each assessor's own
    frequencies) lie in [0, 1], `value` in [-1, 1]. None when undefined; `reason` says why.
    """

    n: int
    agreement: float | None
    expected: float | None
    value: float | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class BinaryTable:
    """Counts of an assessor's yes and no against a reference: rows of pairs (assessor, reference)."""

    tp: int
    fp: int
    fn: int
    tn: int

    @property
    def n(self) -> int:
        return self.tp + self.fp + self.fn + self.tn

    @property
    def agreeing(self) -> int:
        return self.tp + self.tn

    @property
    def positives(self) -> int:
        """How often the reference says yes."""
        return self.tp + self.fn

    def __add__(self, other: "BinaryTable") -> "BinaryTable":
        return BinaryTable(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn, self.tn + other.tn)


def cohen_kappa(pairs: Iterable[tuple[Hashable, Hashable]]) -> Kappa:
    """Unweighted Cohen's kappa: (agreement - expected) / (1 - expected).

    One pair per thing that both assessors judged; the order within all pairs is the same.
    Undefined without pairs, and when both assessors gave one and the same verdict throughout:
    chance alone then explains full agreement and the quotient is 0 / 0.

    Source: J. Cohen, Educational and Psychological Measurement 20 (1960) 37.
    """
    listed = list(pairs)
    n = len(listed)
    if n == 0:
        return Kappa(0, None, None, None, "no pair of verdicts")
    categories = sorted({verdict for pair in listed for verdict in pair}, key=repr)
    if len(categories) == 1:
        return Kappa(n, 1.0, 1.0, None, "both gave the same verdict throughout")
    return _kappa(_cross_table(listed, categories))


@lru_cache(maxsize=65536)
def kappa_of_table(table: BinaryTable) -> Kappa:
    """`cohen_kappa` of the pairs that a table counts; undefined where that is. Kept, for resamples repeat tables."""
    if table.n == 0:
        return Kappa(0, None, None, None, "no pair of verdicts")
    if table.n in (table.tp, table.tn):
        return Kappa(table.n, 1.0, 1.0, None, "both gave the same verdict throughout")
    return _kappa(np.array([[table.tn, table.fn], [table.fp, table.tp]], dtype=np.int64))


@lru_cache(maxsize=65536)
def kappa_of_counts(counts: tuple[tuple[int, ...], ...]) -> Kappa:
    """`cohen_kappa` of a square table of counts: rows the first assessor, columns the second, one category each."""
    table = np.array(counts, dtype=np.int64)
    n = int(table.sum()) if counts else 0
    if n == 0:
        return Kappa(0, None, None, None, "no pair of verdicts")
    if any(table[place, place] == n for place in range(len(counts))):
        return Kappa(n, 1.0, 1.0, None, "both gave the same verdict throughout")
    return _kappa(table)


def binary_table(pairs: Iterable[tuple[bool, bool]]) -> BinaryTable:
    """Count pairs (assessor, reference): a false positive is a yes of the assessor alone."""
    listed = list(pairs)
    return BinaryTable(
        tp=sum(assessor and reference for assessor, reference in listed),
        fp=sum(assessor and not reference for assessor, reference in listed),
        fn=sum(not assessor and reference for assessor, reference in listed),
        tn=sum(not assessor and not reference for assessor, reference in listed),
    )


def _kappa(table: Counts) -> Kappa:
    n = int(table.sum())
    shares = table / n
    expected = float(shares.sum(axis=0) @ shares.sum(axis=1))
    # As in `wilson_interval`: loaded where it is needed.
    from statsmodels.stats.inter_rater import cohens_kappa

    return Kappa(n, float(np.trace(table)) / n, expected, float(cohens_kappa(table, return_results=False)))


def _cross_table(pairs: Sequence[tuple[Hashable, Hashable]], categories: Sequence[Hashable]) -> Counts:
    place = {category: position for position, category in enumerate(categories)}
    table = np.zeros((len(categories), len(categories)), dtype=np.int64)
    for first, second in pairs:
        table[place[first], place[second]] += 1
    return table
