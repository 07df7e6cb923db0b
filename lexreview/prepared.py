"""Queries whose text is made once and then run with other values.

Django makes the text of a query anew each time. For a card with its ten joined tables that takes longer than running
it, and the pages of a review run the same few queries again and again. What such a query gives is what the same query
set would give: the objects of its model with what it joins, or rows of values.

PostgreSQL moreover plans each query anew, which for those ten tables takes twenty times as long as running it. A query
that says `keep_plan` is a prepared statement of the connection there.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Generic, TypeVar, cast

from django.db import connections
from django.db.models import Model, QuerySet
from django.db.models.base import ModelState
from django.db.models.query import ModelIterable, RelatedPopulator, get_related_populators
from django.db.models.signals import post_init, pre_init
from django.db.models.sql.compiler import SQLCompiler

from lexreview.prepared_statements import as_literal, rows_of_prepared

T = TypeVar("T")
Value = int | str | datetime
NUMBERS_FROM = 2_071_040_001
"""Placeholders for numbers: values that fit every column of numbers and that nothing else in a query has."""
TIMES_FROM = datetime(2071, 4, 1, 4, 7, 10, 400_100, tzinfo=UTC)

LARGEST = 2**63 - 1
"""The largest number of a column, on both databases."""


class Prepared(Generic[T]):
    """`make` makes the query set from a placeholder for each value; `kinds` are the types of the values, in order.

    A value must reach the query as it is: compared with a column, not counted with or put into a slice. None is no
    value, as a comparison with it has another text. A number that no column can hold, as an address may have one, is
    in no row. `keep_plan`: PostgreSQL plans it a few times for each connection and then no more, so only where one plan
    is as good for any values as for others, as in looking up rows by their keys.
    """

    def __init__(self, make: Callable[..., QuerySet[Any, T]], *kinds: type[Value], keep_plan: bool = False) -> None:
        self._make = make
        self._keep_plan = keep_plan
        self._placeholders = [_placeholder(place, kind) for place, kind in enumerate(kinds)]
        self._made: _Made[T] | None = None

    def __call__(self, *values: Value) -> list[T]:
        if len(values) != len(self._placeholders):
            raise TypeError(f"{len(self._placeholders)} values are needed, {len(values)} are given.")
        if any(isinstance(value, int) and abs(value) > LARGEST for value in values):
            return []
        if self._made is None:
            # Two threads that come here at once make the same.
            self._made = _Made(self._make(*self._placeholders), self._placeholders, keep_plan=self._keep_plan)
        return list(self._made.run(values))

    def first(self, *values: Value) -> T | None:
        """The first of the rows, all of which are read."""
        return next(iter(self(*values)), None)


class _Made(Generic[T]):
    """The text and what makes objects of its rows, for all threads.

    A connection belongs to its thread, and must be closed when that ends. So nothing here keeps the one that the text
    was made on: what has to ask a connection how values are stored asks one that is never opened.
    """

    def __init__(self, rows: QuerySet[Any, T], placeholders: Sequence[Value], *, keep_plan: bool) -> None:
        self._db = rows.db
        self.compiler: SQLCompiler = rows.query.get_compiler(using=self._db)
        sql, params = self.compiler.as_sql()
        self.compiler.connection = connections.create_connection(self._db)
        self._ops: Any = self.compiler.connection.ops
        self._sql = sql
        self._params = tuple(params)
        as_sent = [self._as_sent(each) for each in placeholders]
        self._places = [next((n for n, each in enumerate(as_sent) if param == each), None) for param in self._params]
        missing = set(range(len(placeholders))) - set(self._places)
        if missing:
            raise ValueError(f"The query has no place for the values {sorted(missing)}: {sql}")
        self._keeps_plan = keep_plan and connections[self._db].vendor == "postgresql"
        if self._keeps_plan:
            self._write_constants()
        compiler: Any = self.compiler
        self._converters = compiler.get_converters([each[0] for each in compiler.select[: compiler.col_count]])
        info = compiler.klass_info if issubclass(rows._iterable_class, ModelIterable) else None
        self._makes_objects = info is not None
        if info:
            first, last = info["select_fields"][0], info["select_fields"][-1] + 1
            names = [each[0].target.attname for each in compiler.select[first:last]]
            # The stubs are of a later Django, where this takes one argument more.
            related = cast(Any, get_related_populators)(info, compiler.select, rows.db)
            self._make = _Maker(info["model"], names, slice(first, last), related, rows.db)

    def run(self, values: Sequence[Value]) -> Iterator[T]:
        compiler: Any = self.compiler
        sent = [self._as_sent(value) for value in values]
        params = tuple(
            param if number is None else type(param)(sent[number]) if isinstance(param, int | str) else sent[number]
            for param, number in zip(self._params, self._places, strict=True)
        )
        rows = rows_of_prepared(self._db, self._sql, params) if self._keeps_plan else self._rows(params)
        if self._converters:
            rows = compiler.apply_converters(rows, self._converters)
        made = (self._object(row) for row in rows) if self._makes_objects else (tuple(row) for row in rows)
        return cast(Iterator[T], made)

    def _rows(self, params: Sequence[Any]) -> list[Any]:
        with connections[self._db].cursor() as cursor:
            cursor.execute(self._sql, params)
            rows: list[Any] = cursor.fetchall()
        return rows

    def _write_constants(self) -> None:
        """Put into the text what no value is given for: a statement has as parameters only what differs.

        PostgreSQL cannot always tell the type of a parameter that stands alone, as in what a query selects.
        """
        left = iter(zip(self._params, self._places, strict=True))

        def written(found: re.Match[str]) -> str:
            if found[0] == "%%":
                return "%%"
            param, number = next(left)
            return "%s" if number is not None else as_literal(param).replace("%", "%%")

        self._sql = re.sub("%%|%s", written, self._sql)
        self._params = tuple(
            param for param, number in zip(self._params, self._places, strict=True) if number is not None
        )
        self._places = [number for number in self._places if number is not None]

    def _as_sent(self, value: Value) -> Any:
        """A time as the database takes it, which for SQLite is text."""
        return self._ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value

    def _object(self, row: Sequence[Any]) -> Any:
        made = self._make(row)
        for name, place in (self.compiler.annotation_col_map or {}).items():
            setattr(made, name, row[place])
        return made


class _Maker:
    """Makes the object of a model, with those that it is joined to, from the columns of a row.

    Django's models take a value for each of their fields by a loop that asks of each whether it is there, which of a
    card with its rows takes longer than reading them. Where a model adds nothing to how it is made, the values are put
    in place as they are.
    """

    def __init__(self, model: type[Model], names: Sequence[str], own: slice, related: Sequence[Any], db: str) -> None:
        self._model, self._names, self._own, self._db = model, names, own, db
        self._is_plain = (
            model.__init__ is Model.__init__
            and model.from_db.__func__ is Model.from_db.__func__  # type: ignore[attr-defined]
            and not pre_init.has_listeners(model)
            and not post_init.has_listeners(model)
        )
        self._related = [_Joined(each, db) for each in related]

    def __call__(self, row: Sequence[Any]) -> Any:
        values = row[self._own]
        if self._is_plain:
            made = self._model.__new__(self._model)
            made.__dict__ = dict(zip(self._names, values, strict=True))
            made._state = state = ModelState()
            state.adding, state.db = False, self._db
        else:
            made = self._model.from_db(self._db, self._names, values)
        for joined in self._related:
            joined.put(row, made)
        return made


class _Joined:
    """What a row is joined to by one of its columns: made and linked as Django's own populator would."""

    def __init__(self, populator: RelatedPopulator, db: str) -> None:
        self._populator = populator
        own = slice(populator.cols_start, populator.cols_end) if populator.reorder_for_init is None else None
        self._pk = own.start + populator.pk_idx if own else 0
        make = _Maker(populator.model_cls, populator.init_list, own, populator.related_populators, db) if own else None
        self._make = make

    def put(self, row: Sequence[Any], made: Any) -> None:
        populator: Any = self._populator
        if self._make is None:
            populator.populate(row, made)
            return
        joined = None if row[self._pk] is None else self._make(row)
        populator.local_setter(made, joined)
        if joined is not None:
            populator.remote_setter(joined, made)


def _placeholder(place: int, kind: type[Value]) -> Value:
    if kind is datetime:
        return TIMES_FROM + timedelta(microseconds=place)
    return NUMBERS_FROM + place if kind is int else f"placeholder {NUMBERS_FROM + place}"
