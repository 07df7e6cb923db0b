"""Choosing evenly and dealing evenly."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexreview.core.dealing import Item, choose_evenly, deal

ITEMS = [Item(10 * row + column, f"P{row}", f"system {column}") for row in range(6) for column in range(3)]


def test_choosing_takes_every_row_once_before_any_twice() -> None:
    chosen = choose_evenly(ITEMS, 6, seed=7)

    assert Counter(item.row for item in chosen) == {f"P{row}": 1 for row in range(6)}
    assert Counter(item.column for item in chosen) == {f"system {column}": 2 for column in range(3)}


def test_choosing_more_than_there_is_takes_all() -> None:
    assert sorted(item.key for item in choose_evenly(ITEMS, 99, seed=1)) == sorted(item.key for item in ITEMS)


def test_same_seed_same_choice_whatever_the_order_of_the_items() -> None:
    assert choose_evenly(ITEMS, 7, seed=3) == choose_evenly(reversed(ITEMS), 7, seed=3)
    assert choose_evenly(ITEMS, 7, seed=3) != choose_evenly(ITEMS, 7, seed=4)


def test_negative_size_is_refused() -> None:
    with pytest.raises(ValueError, match="-1"):
        choose_evenly(ITEMS, -1, seed=1)


def test_dealing_is_even_over_people_and_columns() -> None:
    hands = deal(choose_evenly(ITEMS, 18, seed=1), ["rita", "karl", "nora"])

    assert [len(hand) for hand in hands.values()] == [6, 6, 6]
    for hand in hands.values():
        assert Counter(item.column for item in hand) == {f"system {column}": 2 for column in range(3)}


def test_nobody_to_deal_to() -> None:
    assert deal([], []) == {}
    with pytest.raises(ValueError, match="nobody"):
        deal(ITEMS, [])


@given(
    places=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), max_size=40),
    size=st.integers(0, 45),
    people=st.integers(1, 5),
)
def test_nothing_is_lost_doubled_or_uneven(places: list[tuple[int, int]], size: int, people: int) -> None:
    items = [Item(key, *place) for key, place in enumerate(places)]

    chosen = choose_evenly(items, size, seed=1)
    hands = deal(chosen, range(people))

    keys = [item.key for hand in hands.values() for item in hand]
    assert len(keys) == len(set(keys)) == min(size, len(items))
    assert max(map(len, hands.values())) - min(map(len, hands.values())) <= 1
