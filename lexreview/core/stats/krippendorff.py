"""Krippendorff's alpha for any number of assessors with gaps."""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Alpha:
    """`value` is at most 1, 0 at chance level and below 0 under systematic disagreement.

    `units` and `values` count what could be paired; both disagreements are shares of pairs. None
    when undefined, and `reason` says why.
    """

    units: int
    values: int
    observed_disagreement: Fraction | None
    expected_disagreement: Fraction | None
    value: float | None
    reason: str = ""


def krippendorff_alpha(units: Iterable[Sequence[Hashable | None]]) -> Alpha:
    """Nominal alpha = 1 - observed / expected disagreement.

    One row per thing judged, holding what each assessor said; None where one said nothing. Rows
    with fewer than two values pair nothing and are left out. Undefined when no row is left, and when
    all values are the same, since no disagreement can then be expected.

    Source: K. Krippendorff, Content Analysis (4th ed. 2019), chapter 12; Computing Krippendorff's
    Alpha-Reliability (2011), section C.
    """
    counted = [Counter(value for value in row if value is not None) for row in units]
    paired = [counts for counts in counted if counts.total() > 1]
    totals = sum(paired, Counter[Hashable]())
    n = totals.total()
    if not paired:
        return Alpha(0, 0, None, None, None, "nothing was judged by two assessors")
    observed = sum((_unequal_pairs(counts) / (counts.total() - 1) for counts in paired), Fraction(0)) / n
    expected = _unequal_pairs(totals) / (n * (n - 1))
    if expected == 0:
        return Alpha(len(paired), n, observed, expected, None, "all gave the same verdict throughout")
    return Alpha(len(paired), n, observed, expected, float(1 - observed / expected))


def _unequal_pairs(counts: Counter[Hashable]) -> Fraction:
    """Ordered pairs of two different values."""
    total = counts.total()
    return Fraction(total * total - sum(count * count for count in counts.values()))
