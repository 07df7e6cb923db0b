from fractions import Fraction
from math import sqrt
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexreview.core.stats.intervals import proportion, wilson_interval


def slow_wilson(successes, n, confidence):
    """The twin: by bisection, the proportions at which the observed share lies just z standard errors off."""
    observed = successes / n
    z = NormalDist().inv_cdf(0.5 + confidence / 2)

    def too_far(share):
        return abs(observed - share) > z * sqrt(share * (1 - share) / n)

    def boundary(outside, inside):
        if not too_far(outside):
            return outside
        for _ in range(80):
            middle = (outside + inside) / 2
            outside, inside = (middle, inside) if too_far(middle) else (outside, middle)
        return inside

    return boundary(0.0, observed), boundary(1.0, observed)


def test_hand_worked_interval():
    # 19 of 80, z = 1.959964, z^2 = 3.841459.
    # centre = (19 + 1.920729) / (80 + 3.841459) = 20.920729 / 83.841459 = 0.249527
    # half = 1.959964 * sqrt(19 * 61 / 80 + 3.841459 / 4) / 83.841459
    #      = 1.959964 * sqrt(14.4875 + 0.960365) / 83.841459 = 1.959964 * 3.930377 / 83.841459 = 0.091881
    interval = wilson_interval(19, 80)

    assert interval.low == pytest.approx(0.249527 - 0.091881, abs=1e-6)
    assert interval.high == pytest.approx(0.249527 + 0.091881, abs=1e-6)
    assert interval.confidence == 0.95


# Table 3 of the SBP-002 paper: correct answers in per cent of 395 items with the 95 % interval.
TABLE_3 = [
    (38.2, 33.6, 43.1),
    (35.4, 30.9, 40.3),
    (28.6, 24.4, 33.3),
    (26.1, 22.0, 30.6),
    (20.8, 17.1, 25.0),
    (19.0, 15.4, 23.1),
    (18.5, 15.0, 22.6),
    (16.5, 13.1, 20.4),
    (15.7, 12.4, 19.6),
    (12.9, 10.0, 16.6),
]


@pytest.mark.parametrize(("per_cent", "low", "high"), TABLE_3)
def test_published_table(per_cent, low, high):
    successes = round(per_cent * 395 / 100)

    interval = wilson_interval(successes, 395)

    assert round(100 * successes / 395, 1) == per_cent
    assert round(100 * interval.low, 1) == low
    assert round(100 * interval.high, 1) == high


def test_undefined_without_observations():
    assert wilson_interval(0, 0) is None
    assert proportion(0, 0).share is None
    assert proportion(0, 0).wilson is None
    assert proportion(0, 0).reason == "there is nothing to count"


def test_ends_of_the_range_stay_inside_it():
    # 0 of 1: low 0, high z^2 / (1 + z^2) = 3.841459 / 4.841459 = 0.793451
    assert wilson_interval(0, 1).low == 0
    assert wilson_interval(0, 1).high == pytest.approx(0.793451, abs=1e-6)
    assert wilson_interval(1, 1).low == pytest.approx(1 - 0.793451, abs=1e-6)
    assert wilson_interval(1, 1).high == 1


@pytest.mark.parametrize(("successes", "n"), [(-1, 3), (4, 3), (0, -1)])
def test_impossible_counts_are_refused(successes, n):
    with pytest.raises(ValueError, match="not possible"):
        wilson_interval(successes, n)


@pytest.mark.parametrize("confidence", [0, 1, 95])
def test_impossible_levels_are_refused(confidence):
    with pytest.raises(ValueError, match="confidence level"):
        wilson_interval(1, 2, confidence=confidence)


def test_proportion_is_exact():
    assert proportion(27, 80).share == Fraction(27, 80)
    assert proportion(27, 80).wilson == wilson_interval(27, 80)


@given(st.data(), st.integers(1, 400), st.sampled_from([0.8, 0.95, 0.99]))
def test_agrees_with_the_slow_twin(data, n, confidence):
    successes = data.draw(st.integers(0, n))

    interval = wilson_interval(successes, n, confidence=confidence)

    assert (interval.low, interval.high) == pytest.approx(slow_wilson(successes, n, confidence), abs=1e-9)
    assert 0 <= interval.low <= successes / n <= interval.high <= 1
