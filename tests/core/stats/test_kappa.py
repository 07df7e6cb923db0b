from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexreview.core.stats.kappa import BinaryTable, binary_table, cohen_kappa, kappa_of_table


def pairs_of(tp, fp, fn, tn):
    return [(True, True)] * tp + [(True, False)] * fp + [(False, True)] * fn + [(False, False)] * tn


def slow_kappa(pairs):
    """The twin: exact fractions, chance agreement by comparing every verdict of one with every verdict of the other."""
    n = len(pairs)
    agreement = Fraction(sum(first == second for first, second in pairs), n)
    expected = Fraction(sum(first == second for first, _ in pairs for _, second in pairs), n * n)
    return None if expected == 1 else (agreement - expected) / (1 - expected)


def test_hand_worked_kappa():
    # 20 both yes, 5 first alone, 10 second alone, 15 both no; 50 pairs.
    # agreement = 35/50 = 0.7; expected = 25/50 * 30/50 + 25/50 * 20/50 = 0.3 + 0.2 = 0.5
    # kappa = (0.7 - 0.5) / (1 - 0.5) = 0.4
    kappa = cohen_kappa(pairs_of(20, 5, 10, 15))

    assert kappa.n == 50
    assert kappa.agreement == pytest.approx(0.7)
    assert kappa.expected == pytest.approx(0.5)
    assert kappa.value == pytest.approx(0.4)
    assert kappa.reason == ""


def test_hand_worked_kappa_with_three_categories():
    # pairs: aa ab bb bc cc cc; agreement 4/6; a 2/6*1/6 + b 2/6*2/6 + c 2/6*3/6 = (2+4+6)/36 = 1/3
    # kappa = (2/3 - 1/3) / (2/3) = 1/2
    assert cohen_kappa(["aa", "ab", "bb", "bc", "cc", "cc"]).value == pytest.approx(0.5)


def test_undefined_without_pairs():
    kappa = cohen_kappa([])

    assert (kappa.n, kappa.agreement, kappa.expected, kappa.value) == (0, None, None, None)
    assert kappa.reason == "no pair of verdicts"


@pytest.mark.parametrize("n", [1, 7])
def test_undefined_when_both_say_the_same_throughout(n):
    kappa = cohen_kappa([(True, True)] * n)

    assert kappa.value is None
    assert kappa.agreement == 1
    assert kappa.reason == "both gave the same verdict throughout"


def test_one_constant_assessor_agrees_at_chance_level():
    # the first says yes to all 4: expected = 1 * 3/4 = agreement, so kappa = 0 and is defined
    assert cohen_kappa(pairs_of(3, 1, 0, 0)).value == pytest.approx(0)


def test_full_agreement_and_full_disagreement():
    assert cohen_kappa(pairs_of(3, 0, 0, 3)).value == pytest.approx(1)
    assert cohen_kappa(pairs_of(0, 3, 3, 0)).value == pytest.approx(-1)
    assert cohen_kappa([(True, False)]).value == pytest.approx(0)


def test_table_counts_against_the_reference():
    table = binary_table(pairs_of(4, 3, 2, 1))

    assert table == BinaryTable(tp=4, fp=3, fn=2, tn=1)
    assert (table.n, table.agreeing, table.positives) == (10, 5, 6)
    assert binary_table([]) == BinaryTable(0, 0, 0, 0)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=40))
def test_agrees_with_the_slow_twin_in_any_order(pairs):
    expected = slow_kappa(pairs)

    found = cohen_kappa(pairs).value

    assert (found is None) == (expected is None)
    if expected is not None:
        assert found == pytest.approx(float(expected), abs=1e-12)
        assert cohen_kappa(reversed(pairs)).value == found


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=40))
def test_table_agrees_with_counting(pairs):
    table = binary_table(pairs)

    assert [table.tp, table.fp, table.fn, table.tn] == [
        pairs.count(pair) for pair in [(True, True), (True, False), (False, True), (False, False)]
    ]


@given(st.integers(0, 6), st.integers(0, 6), st.integers(0, 6), st.integers(0, 6))
def test_kappa_of_a_table_is_that_of_its_pairs(tp: int, fp: int, fn: int, tn: int) -> None:
    pairs = [(True, True)] * tp + [(True, False)] * fp + [(False, True)] * fn + [(False, False)] * tn

    table = binary_table(pairs)

    assert (table.tp, table.fp, table.fn, table.tn) == (tp, fp, fn, tn)
    assert kappa_of_table(table) == cohen_kappa(pairs)
    assert table + table == BinaryTable(2 * tp, 2 * fp, 2 * fn, 2 * tn)
