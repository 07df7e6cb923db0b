"""Choosing some of many items evenly over two kinds of groups, and dealing them to people evenly.

Used to give out cards so that nobody gets only one system or one question. The same items, sizes and seed give the
same result on every machine and database.
"""

import heapq
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256


@dataclass(frozen=True, slots=True)
class Item:
    """Something to deal; `row` and `column` are the groups (question and system) to spread evenly."""

    key: int
    row: Hashable
    column: Hashable


def choose_evenly(items: Iterable[Item], size: int, *, seed: int) -> list[Item]:
    """`size` of the items (all, if there are fewer), spread evenly over rows and columns.

    Always the row with the fewest chosen so far gives the next item, and in it the column with the fewest chosen so
    far; what is equal is ordered by a hash of the seed. Raises ValueError for a negative size.
    """
    if size < 0:
        raise ValueError(f"cannot choose {size} of the items")
    cells = _cells(items, seed)
    heap = [(0, _mark(seed, row), row) for row in cells]
    heapq.heapify(heap)
    columns: Counter[Hashable] = Counter()
    chosen: list[Item] = []
    while heap and len(chosen) < size:
        taken, mark, row = heapq.heappop(heap)
        cell = cells[row]
        column = min(cell, key=lambda each: (columns[each], _mark(seed, row, each)))
        chosen.append(cell[column].pop())
        columns[column] += 1
        if not cell[column]:
            del cell[column]
        if cell:
            heapq.heappush(heap, (taken + 1, mark, row))
    return chosen


def deal(items: Sequence[Item], people: Sequence[Hashable]) -> dict[Hashable, list[Item]]:
    """Every item to one of the people: hands differ by one item at most, and each is spread over rows and columns.

    Of those with the fewest items the one gets the next who has the fewest of its column, then of its row, then who
    comes first. Raises ValueError where there are items and nobody to have them.
    """
    if items and not people:
        raise ValueError("there is nobody to deal to")
    hands: dict[Hashable, list[Item]] = {person: [] for person in people}
    columns: Counter[tuple[Hashable, Hashable]] = Counter()
    rows: Counter[tuple[Hashable, Hashable]] = Counter()
    for item in items:
        person = min(
            hands, key=lambda each: (len(hands[each]), columns[each, item.column], rows[each, item.row])
        )  # fmt: skip
        hands[person].append(item)
        columns[person, item.column] += 1
        rows[person, item.row] += 1
    return hands


def _cells(items: Iterable[Item], seed: int) -> dict[Hashable, dict[Hashable, list[Item]]]:
    """Items by row and column, each list in an order that only seed and keys decide."""
    cells: dict[Hashable, dict[Hashable, list[Item]]] = {}
    for item in sorted(items, key=lambda each: _mark(seed, each.key)):
        cells.setdefault(item.row, {}).setdefault(item.column, []).append(item)
    return cells


def _mark(seed: int, *parts: object) -> str:
    return sha256(f"{seed}:{':'.join(map(str, parts))}".encode()).hexdigest()
