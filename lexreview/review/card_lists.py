"""The lists of the queue by queries that are made once for each kind of list.

Who asks, which benchmarks they are a member of and which they lead is looked up for every page. It goes into the query
as values, and what a person may see is decided in the database each time.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from itertools import compress
from typing import Any, NamedTuple

from django.db.models import QuerySet

from lexreview.prepared import Prepared, Value
from lexreview.review.models import Card
from lexreview.review.models.card import CardQuerySet
from lexreview.review.paging import Order, Way
from lexreview.review.piles import Desk, Pile, cards_at_desk, cards_in, filtered, usable
from lexreview.review.queue import Listed, Sort, listed
from lexreview.review.text_search import cards_with_text

KINDS = 256
Rows = QuerySet[Card, tuple[Any, ...]]


@dataclass(frozen=True)
class CardList:
    """A list of the queue as a person sees it. `values`: names of filters with what was chosen."""

    desk: Desk
    pile: Pile
    values: Mapping[str, str]
    sort: Sort
    now: datetime

    def rows(self, way: Way) -> list[Listed]:
        """One query; two where words are looked for, whose hits make the text of the second."""
        benchmarks = self.desk.chosen(self.values.get("benchmark", ""))
        if not benchmarks:
            return []
        keys, sees_systems = [row.pk for row in benchmarks], self.desk.sees_systems(benchmarks)
        names = tuple(sorted(usable(self.values, sees_systems=sees_systems) - BESIDE))
        led = tuple(self.desk.leads([row]) for row in benchmarks)
        kind = Kind(self.pile, names, led, sees_systems, self.sort, way.order, way.place is not None, way.limit)
        asked: list[Value] = [self.desk.user.pk, *keys, *[self.values[name] for name in names], *(way.place or ())]
        if kind.asks_the_time:
            asked.append(self.now)
        if not (text := self.values.get("text")):
            return [Listed(*row) for row in _prepared(kind)(*asked)]

        def with_text(cards: CardQuerySet) -> CardQuerySet:
            return cards_with_text(cards, text, benchmarks=benchmarks, with_systems=sees_systems)

        return [Listed(*row) for row in kind.query(asked, also=with_text)]


BESIDE = {"benchmark", "text"}
"""The keys of the benchmarks stand in the query anyway, and words have a query of their own."""
NO_TIME = datetime.min.replace(tzinfo=UTC)
"""For lists that do not ask what time it is."""


class Kind(NamedTuple):
    """All that the text of a list's query depends on. `led`: of each benchmark whether the person leads it."""

    pile: Pile
    filters: tuple[str, ...]
    led: tuple[bool, ...]
    sees_systems: bool
    sort: Sort
    order: Order
    placed: bool
    limit: int

    @property
    def asks_the_time(self) -> bool:
        return self.pile is Pile.UNASSIGNED

    @property
    def types(self) -> list[type[Value]]:
        """Of the values that a query of this kind is asked with, in their order."""
        place = [_type_of(name) for name in self.order.columns] if self.placed else []
        return [int, *[int] * len(self.led), *[str] * len(self.filters), *place, *[datetime] * self.asks_the_time]

    def query(self, values: Sequence[Any], *, also: Callable[[CardQuerySet], CardQuerySet] | None = None) -> Rows:
        left: Iterator[Any] = iter(values)
        person, keys = next(left), [next(left) for _each in self.led]
        chosen = {name: next(left) for name in self.filters}
        place = [next(left) for _name in self.order.columns] if self.placed else None
        cards = cards_at_desk(person, keys, led=list(compress(keys, self.led)))
        cards = cards_in(self.pile, cards, person=person, now=next(left, NO_TIME))
        cards = filtered(cards, chosen, leads=all(self.led), sees_systems=self.sees_systems)
        return Way(self.order, place, self.limit).of(listed(also(cards) if also else cards, self.sort))


@lru_cache(maxsize=KINDS)
def _prepared(kind: Kind) -> Prepared[Any]:
    return Prepared(lambda *values: kind.query(values), *kind.types)


def _type_of(column: str) -> type[Value]:
    if column.endswith("_at"):
        return datetime
    return int if column == "pk" or column.endswith("_id") else str
