"""Stratified samples: in proportion, reproducible, without repetition."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexreview.core.stats.sampling import stratified_sample


def drawn(rows: list[str], size: int, seed: int = 1) -> list[str]:
    return stratified_sample(rows, lambda row: row[0], size=size, seed=seed, name_key=lambda row: row)


def test_each_stratum_gets_its_share() -> None:
    # 10 of a, 20 of b, 30 of c: of 12 places 2, 4 and 6.
    rows = [f"{letter}{number:02}" for letter, count in (("a", 10), ("b", 20), ("c", 30)) for number in range(count)]

    assert Counter(row[0] for row in drawn(rows, 12)) == {"a": 2, "b": 4, "c": 6}


def test_places_left_over_go_to_the_largest_remainders() -> None:
    # Of 4 places a has 4 * 5/12 = 1.67, b 4 * 4/12 = 1.33, c 4 * 3/12 = 1.0: the fourth place is a's.
    rows = [f"{letter}{number}" for letter, count in (("a", 5), ("b", 4), ("c", 3)) for number in range(count)]

    assert Counter(row[0] for row in drawn(rows, 4)) == {"a": 2, "b": 1, "c": 1}


@given(st.lists(st.text("abcdef", min_size=2, max_size=5), unique=True), st.integers(0, 40), st.integers(0, 9))
def test_a_sample_has_its_size_no_row_twice_and_does_not_depend_on_the_order(
    rows: list[str], size: int, seed: int
) -> None:
    sample = drawn(rows, size, seed)

    assert len(sample) == min(size, len(rows))
    assert len(set(sample)) == len(sample)
    assert set(sample) <= set(rows)
    assert drawn(rows[::-1], size, seed) == sample


def test_another_seed_gives_another_sample() -> None:
    rows = [f"a{number:03}" for number in range(100)]

    assert len({tuple(drawn(rows, 10, seed)) for seed in range(5)}) == 5


def test_a_negative_size_is_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        drawn(["a1"], -1)
