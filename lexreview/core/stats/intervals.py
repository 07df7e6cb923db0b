"""Proportions and their Wilson intervals."""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Interval:
    """A two-sided interval with its level, such as 0.95; in the unit of what it is an interval of."""

    low: float
    high: float
    confidence: float


@dataclass(frozen=True, slots=True)
class Proportion:
    """`successes` of `n`. `share` is exact in [0, 1], `wilson` its interval; both None when n is 0."""

    successes: int
    n: int
    share: Fraction | None
    wilson: Interval | None
    reason: str = ""


def wilson_interval(successes: int, n: int, *, confidence: float = 0.95) -> Interval | None:
    """Wilson score interval of a proportion, within [0, 1]; None when `n` is 0, where it is undefined.

    It treats the n observations as independent; for several answers to one question see
    `bootstrap_over_clusters`. Raises `ValueError` unless 0 <= successes <= n and 0 < confidence < 1.

    Source: E. B. Wilson, JASA 22 (1927) 209; recommended for small n by Brown, Cai and DasGupta,
    Statistical Science 16 (2001) 101, section 3.1.1.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes of {n} observations are not possible")
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence level lies between 0 and 1, not at {confidence}")
    if n == 0:
        return None
    # Loading it takes longer than all else that a process loads at its start, and few processes count.
    from statsmodels.stats.proportion import proportion_confint

    low, high = proportion_confint(successes, n, alpha=1 - confidence, method="wilson")
    # At none and at all the bound is 0 or 1 exactly, which floating point misses by a hair.
    return Interval(0.0 if successes == 0 else float(low), 1.0 if successes == n else float(high), confidence)


def proportion(successes: int, n: int, *, confidence: float = 0.95) -> Proportion:
    """The share with its interval; undefined with a reason when `n` is 0. Errors as `wilson_interval`."""
    interval = wilson_interval(successes, n, confidence=confidence)
    if interval is None:
        return Proportion(successes, n, None, None, "there is nothing to count")
    return Proportion(successes, n, Fraction(successes, n), interval)
