from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexreview.core.stats.krippendorff import krippendorff_alpha

_ = None
# Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), section C: four observers, twelve units.
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
]


def slow_alpha(units):
    """The twin: walks through every ordered pair of values, within each unit and over all of them."""
    rows = [[value for value in unit if value is not None] for unit in units]
    rows = [row for row in rows if len(row) > 1]
    values = [value for row in rows for value in row]
    if not rows:
        return None
    n = len(values)
    observed = sum((Fraction(sum(a != b for a, b in permutations(row, 2)), len(row) - 1) for row in rows), Fraction(0))
    expected = Fraction(sum(a != b for a, b in permutations(values, 2)), n - 1)
    return None if expected == 0 else 1 - observed / expected


def test_published_example():
    # unit 12 has one value and is left out, 40 values remain: 9 ones, 13 twos, 10 threes, 5 fours, 3 fives.
    # observed: units 2 and 8 have 3 + 1 values: 6 unequal ordered pairs / 3 = 2 each; unit 6 has four
    #   different ones: 12 / 3 = 4; together 8 of 40 = 0.2
    # expected: (40^2 - 9^2 - 13^2 - 10^2 - 5^2 - 3^2) / (40 * 39) = (1600 - 384) / 1560 = 1216 / 1560
    # alpha = 1 - 0.2 * 1560 / 1216 = 1 - 312 / 1216 = 0.743421
    alpha = krippendorff_alpha(zip(*OBSERVERS, strict=True))

    assert (alpha.units, alpha.values) == (11, 40)
    assert alpha.observed_disagreement == Fraction(8, 40)
    assert alpha.expected_disagreement == Fraction(1216, 1560)
    assert alpha.value == pytest.approx(0.743421, abs=1e-6)


@pytest.mark.parametrize("units", [[], [[1], [_, 2]], [[_, _]]])
def test_undefined_where_nothing_can_be_paired(units):
    alpha = krippendorff_alpha(units)

    assert (alpha.units, alpha.values, alpha.value) == (0, 0, None)
    assert alpha.reason == "nothing was judged by two assessors"


def test_undefined_when_all_values_are_equal():
    alpha = krippendorff_alpha([[True, True], [True, True]])

    assert alpha.value is None
    assert alpha.expected_disagreement == 0
    assert alpha.reason == "all gave the same verdict throughout"


def test_full_agreement_on_two_values():
    assert krippendorff_alpha([[1, 1, 1], [2, 2]]).value == 1


def test_systematic_disagreement_lies_below_zero():
    # two units with 1 and 2 each: observed 1; expected (16 - 4 - 4) / 12 = 2/3; alpha = 1 - 3/2
    assert krippendorff_alpha([[1, 2], [2, 1]]).value == pytest.approx(-0.5)


@given(st.lists(st.lists(st.sampled_from([None, "a", "b", "c"]), max_size=4), max_size=10))
def test_agrees_with_the_slow_twin(units):
    expected = slow_alpha(units)

    found = krippendorff_alpha(units).value

    assert found == (None if expected is None else pytest.approx(float(expected), abs=1e-12))
