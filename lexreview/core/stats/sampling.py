"""Stratified samples drawn by a seed."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from typing import TypeVar

import numpy as np

Row = TypeVar("Row")


def stratified_sample(
    rows: Iterable[Row],
    stratum_key: Callable[[Row], Hashable],
    *,
    size: int,
    seed: int,
    name_key: Callable[[Row], str],
) -> list[Row]:
    """`size` rows without replacement, from each stratum in proportion to its size; all rows where there are fewer.

    The places left over by rounding down go to the largest remainders, ties among them by lot. `name_key` names a row
    once and for all: the same rows in another order and the same seed give the same sample, which comes in order of the
    lot. Raises ValueError for a negative size.

    Source: W. G. Cochran, Sampling Techniques (3rd ed. 1977), section 5.5 (proportional allocation).
    """
    if size < 0:
        raise ValueError("a sample has no negative size")
    listed = sorted(rows, key=name_key)
    order = np.random.default_rng(seed).permutation(len(listed)).tolist()
    strata: dict[Hashable, list[Row]] = {}
    for place in order:
        strata.setdefault(stratum_key(listed[place]), []).append(listed[place])
    takes = _allocated([len(stratum) for stratum in strata.values()], size=min(size, len(listed)))
    chosen = {id(row) for stratum, take in zip(strata.values(), takes, strict=True) for row in stratum[:take]}
    return [listed[place] for place in order if id(listed[place]) in chosen]


def _allocated(sizes: Sequence[int], *, size: int) -> list[int]:
    """How many of each stratum; the strata come in an order drawn by lot, which settles ties."""
    total = sum(sizes)
    exact = [Fraction(size * each, total) if total else Fraction(0) for each in sizes]
    takes = [int(each) for each in exact]
    by_remainder = sorted(range(len(sizes)), key=lambda place: takes[place] - exact[place])
    for place in by_remainder[: size - sum(takes)]:
        takes[place] += 1
    return takes
