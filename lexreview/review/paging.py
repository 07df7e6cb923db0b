"""Pages of a list by the place of their first and last row: nothing is counted, and the last page is as quick."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import F, QuerySet
from django.db.models.fields.tuple_lookups import TupleGreaterThan, TupleLessThan, TupleLookupMixin
from django.db.models.sql.compiler import SQLCompiler

M = TypeVar("M")
R = TypeVar("R", bound=QuerySet[Any])
LAST = "last"
LONGEST = 600
LARGEST_KEY = 2**63


class _Behind(TupleGreaterThan):
    """Row values as they are: SQLite compares them too, and only so an index is entered at the right place."""

    def as_sql(self, compiler: SQLCompiler, connection: Any) -> Any:
        return super(TupleLookupMixin, self).as_sql(compiler, connection)


class _Before(TupleLessThan):
    def as_sql(self, compiler: SQLCompiler, connection: Any) -> Any:
        return super(TupleLookupMixin, self).as_sql(compiler, connection)


@dataclass(frozen=True)
class Order:
    """Columns to sort by, all in one direction; the last is unique. None of them is ever null in the list."""

    columns: tuple[str, ...]
    descending: bool = False

    def reversed(self) -> "Order":
        return Order(self.columns, not self.descending)

    def sort(self, rows: R) -> R:
        return rows.order_by(*(F(name).desc() if self.descending else F(name).asc() for name in self.columns))

    def beyond(self, rows: R, values: Sequence[Any]) -> R:
        """The rows that come after the place `values`."""
        lookup = _Before if self.descending else _Behind
        return rows.filter(lookup(self.columns, tuple(values)))


@dataclass(frozen=True)
class Page(Generic[M]):
    """`before` and `after`: what to ask for to get the neighbouring pages; "" where there is none."""

    rows: list[M]
    before: str
    after: str


def page_of(rows: "QuerySet[Any, M]", *, order: Order, size: int, after: str = "", before: str = "") -> Page[M]:
    """The page behind the place `after`, or before the place `before` ("last": the end); without both, the first.

    One query. A place that cannot be read counts as none.
    """
    return page_by(lambda way: list(way.of(rows)), order=order, size=size, after=after, before=before)


@dataclass(frozen=True)
class Way:
    """In which order rows are read for a page, from behind which place (None: the beginning), and how many at most."""

    order: Order
    place: list[Any] | None
    limit: int

    def of(self, rows: R) -> R:
        return self.order.sort(rows if self.place is None else self.order.beyond(rows, self.place))[: self.limit]


def page_by(find: Callable[[Way], list[M]], *, order: Order, size: int, after: str = "", before: str = "") -> Page[M]:
    """The same with rows that `find` finds."""
    backwards = before == LAST or _place(before, order) is not None
    place = _place(before if backwards else after, order)
    taken = find(Way(order.reversed() if backwards else order, place, size + 1))
    more, shown = len(taken) > size, taken[:size]
    if backwards:
        shown.reverse()
    has_before = more if backwards else place is not None
    has_after = place is not None if backwards else more
    return Page(
        shown,
        before=token_of(shown[0], order) if shown and has_before else "",
        after=token_of(shown[-1], order) if shown and has_after else "",
    )


def token_of(row: Any, order: Order) -> str:
    values = [getattr(row, name) for name in order.columns]
    return urlsafe_b64encode(json.dumps(values, cls=_Exact).encode()).decode().rstrip("=")


class _Exact(DjangoJSONEncoder):
    def default(self, o: Any) -> Any:
        return o.isoformat() if isinstance(o, datetime) else super().default(o)


def _place(token: str, order: Order) -> list[Any] | None:
    """The values of a token; None for one that does not fit the order."""
    if not token or token == LAST or len(token) > LONGEST:
        return None
    try:
        values = json.loads(urlsafe_b64decode(token + "=" * (-len(token) % 4)))
        return [_value(name, each) for name, each in zip(order.columns, values, strict=True)]
    except (ValueError, TypeError, OverflowError):
        return None


def _value(name: str, value: Any) -> Any:
    """Keys are whole numbers, times end in `_at`, all else is text. Raises ValueError, TypeError or OverflowError for
    what no row can hold: databases refuse it each in their own way."""
    if name == "pk" or name.endswith("_id"):
        if type(value) is not int or not 0 <= value < LARGEST_KEY:
            raise ValueError(name)
        return value
    if not isinstance(value, str) or "\0" in value:
        raise TypeError(name)
    value.encode()
    return datetime.fromisoformat(value).astimezone(UTC) if name.endswith("_at") else value
