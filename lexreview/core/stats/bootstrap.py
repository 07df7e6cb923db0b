"""Percentile intervals by resampling whole clusters."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from lexreview.core.stats.intervals import Interval

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """A statistic with its resampled interval.

    `estimate` is the statistic of the rows as they are. `undefined` counts the resamples in which
    the statistic did not exist; the interval is taken over the other `resamples - undefined`.
    `estimate` and `interval` are None when undefined; `reason` says why there is no interval.
    """

    estimate: float | None
    interval: Interval | None
    clusters: int
    resamples: int
    undefined: int
    reason: str = ""


def bootstrap_over_clusters(
    rows: Iterable[Row],
    statistic: Callable[[Sequence[Row]], float | None],
    *,
    cluster_key: Callable[[Row], str],
    seed: int,
    resamples: int = 2000,
    confidence: float = 0.95,
) -> Bootstrap:
    """Percentile interval of `statistic` from resampling clusters with replacement.

    One row per observation; `cluster_key` names its cluster (the question). A drawn cluster brings
    all its rows, once for each time it is drawn. `statistic` gets the rows of a resample and returns
    None where it is undefined; such resamples are dropped and counted. The same rows in another
    order and the same seed give the same draws. No interval with fewer than two clusters, where
    every resample is the same, and none when no resample is defined.

    Raises `ValueError` for resamples < 1, a confidence outside (0, 1), or a statistic that is not
    finite.

    Source: A. C. Davison and D. V. Hinkley, Bootstrap Methods and their Application (1997), section
    3.8 (whole clusters); B. Efron and R. Tibshirani, An Introduction to the Bootstrap (1993), 13.3
    (percentile interval).
    """
    if resamples < 1 or not 0 < confidence < 1:
        raise ValueError("at least one resample and a confidence level between 0 and 1 are needed")
    clusters = _by_cluster(rows, cluster_key)
    estimate = _finite(statistic([row for cluster in clusters for row in cluster]))
    if len(clusters) < 2:
        return Bootstrap(estimate, None, len(clusters), 0, 0, "fewer than two clusters to resample")
    draws = np.random.default_rng(seed).integers(len(clusters), size=(resamples, len(clusters)))
    resampled = [_finite(statistic([row for number in draw for row in clusters[number]])) for draw in draws.tolist()]
    defined = [value for value in resampled if value is not None]
    undefined = resamples - len(defined)
    if not defined:
        return Bootstrap(estimate, None, len(clusters), resamples, undefined, "undefined in every resample")
    tail = (1 - confidence) / 2
    low, high = np.quantile(defined, [tail, 1 - tail])
    return Bootstrap(estimate, Interval(float(low), float(high), confidence), len(clusters), resamples, undefined)


def _by_cluster(rows: Iterable[Row], cluster_key: Callable[[Row], str]) -> list[list[Row]]:
    clusters: dict[str, list[Row]] = {}
    for row in rows:
        clusters.setdefault(cluster_key(row), []).append(row)
    return [clusters[key] for key in sorted(clusters)]


def _finite(value: float | None) -> float | None:
    if value is not None and not math.isfinite(value):
        raise ValueError(f"the statistic is {value}; where it is undefined it has to return None")
    return value
