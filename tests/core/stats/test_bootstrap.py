import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexreview.core.stats.bootstrap import bootstrap_over_clusters
from lexreview.core.stats.kappa import cohen_kappa


def mean(rows):
    return sum(value for _, value in rows) / len(rows) if rows else None


def question(row):
    return row[0]


def slow_bootstrap(rows, statistic, *, seed, resamples, confidence):
    """The twin: the same draws, plain lists, the percentiles by hand between the two nearest values."""
    names = sorted({question(row) for row in rows})
    values = []
    for draw in np.random.default_rng(seed).integers(len(names), size=(resamples, len(names))):
        sample = []
        for number in draw:
            sample += [row for row in rows if question(row) == names[number]]
        value = statistic(sample)
        if value is not None:
            values.append(value)
    values.sort()

    def percentile(share):
        place = share * (len(values) - 1)
        below = min(int(place), len(values) - 2)
        return values[below] + (place - below) * (values[below + 1] - values[below])

    return percentile((1 - confidence) / 2), percentile((1 + confidence) / 2), resamples - len(values)


def test_all_answers_of_a_drawn_question_come_along():
    # Two questions, each with 50 equal answers. A resample has both, or one of them twice: its mean is
    # 0, 1/2 or 1 with chances 1/4, 1/2, 1/4, so the 95 % interval is all of [0, 1]. Drawing single
    # answers would have given about 0.5 +- 0.1.
    rows = [("P01", 0)] * 50 + [("P02", 1)] * 50

    result = bootstrap_over_clusters(rows, mean, cluster_key=question, seed=1)

    assert result.estimate == 0.5
    assert (result.interval.low, result.interval.high) == (0, 1)
    assert (result.clusters, result.resamples, result.undefined) == (2, 2000, 0)


def test_equal_questions_leave_no_width():
    rows = [(name, value) for name in ("P01", "P02", "P03") for value in (0, 1)]

    result = bootstrap_over_clusters(rows, mean, cluster_key=question, seed=1)

    assert (result.interval.low, result.interval.high) == (0.5, 0.5)


def test_undefined_resamples_are_counted_and_left_out():
    # Both assessors say yes on P01 and no on P02. When a resample holds one question twice, kappa is 0/0.
    rows = [("P01", (True, True)), ("P02", (False, False))]
    draws = np.random.default_rng(3).integers(2, size=(400, 2))
    one_question_twice = sum(first == second for first, second in draws)

    result = bootstrap_over_clusters(
        rows, lambda drawn: cohen_kappa(pair for _, pair in drawn).value, cluster_key=question, seed=3, resamples=400
    )

    assert result.undefined == one_question_twice > 0
    assert (result.interval.low, result.interval.high) == (1, 1)


@pytest.mark.parametrize(("rows", "estimate"), [([], None), ([("P01", 1), ("P01", 0)], 0.5)])
def test_no_interval_from_fewer_than_two_questions(rows, estimate):
    result = bootstrap_over_clusters(rows, mean, cluster_key=question, seed=1)

    assert result.estimate == estimate
    assert result.interval is None
    assert result.reason == "fewer than two clusters to resample"


def test_no_interval_when_no_resample_is_defined():
    result = bootstrap_over_clusters([("P01", 1), ("P02", 1)], lambda _: None, cluster_key=question, seed=1)

    assert result.interval is None
    assert result.undefined == result.resamples == 2000
    assert result.reason == "undefined in every resample"


def test_the_seed_decides_and_the_order_of_rows_does_not():
    rows = [(f"P{number:02}", number % 3 == 0) for number in range(12)]
    shuffled = random.Random(7).sample(rows, len(rows))

    first, again, other = (
        bootstrap_over_clusters(given_rows, mean, cluster_key=question, seed=seed, resamples=50)
        for given_rows, seed in [(rows, 5), (shuffled, 5), (rows, 6)]
    )

    assert first == again
    assert first.interval != other.interval


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_statistic_that_is_no_number_is_refused(value):
    with pytest.raises(ValueError, match="has to return None"):
        bootstrap_over_clusters([("P01", 1)], lambda _: value, cluster_key=question, seed=1)


@pytest.mark.parametrize("wrong", [{"resamples": 0}, {"confidence": 1}, {"confidence": 0}])
def test_impossible_settings_are_refused(wrong):
    with pytest.raises(ValueError, match="at least one resample"):
        bootstrap_over_clusters([("P01", 1)], mean, cluster_key=question, seed=1, **wrong)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["P01", "P02", "P03", "P04"]), st.integers(0, 5)), min_size=2, max_size=20),
    st.integers(0, 2**32),
    st.sampled_from([0.5, 0.9, 0.95]),
)
def test_agrees_with_the_slow_twin(rows, seed, confidence):
    if len({question(row) for row in rows}) < 2:
        return

    result = bootstrap_over_clusters(rows, mean, cluster_key=question, seed=seed, resamples=30, confidence=confidence)

    low, high, undefined = slow_bootstrap(rows, mean, seed=seed, resamples=30, confidence=confidence)
    assert (result.interval.low, result.interval.high) == pytest.approx((low, high), abs=1e-12)
    assert result.undefined == undefined
