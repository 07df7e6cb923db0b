"""Cases that many tests begin with, made once by the real actions and laid down again by the rows that they wrote.

A factory marked `remembered` works the first time. Called again by another test with the same arguments on a database
that holds exactly the same, it writes the rows that it wrote then, events included, and hands out a fresh copy of what
it returned. Nothing is taken for the same that is not: the whole content of the database is compared, the settings, the
language and what the test replaced in the code. A test that replaces something by what is made on the spot gets the
factory itself. Where a test works outside a transaction, each call is one, and what waits for its end happens then.
"""

import dataclasses
import hashlib
import pickle
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from functools import cache, wraps
from types import FunctionType
from typing import Any, ParamSpec, TypeVar
from uuid import UUID

import pytest
from django.apps import apps
from django.conf import UserSettingsHolder, settings
from django.db import connection, transaction
from django.db.models import Model
from django.utils.translation import get_language

P = ParamSpec("P")
R = TypeVar("R")
# The rows of each table by primary key; a row is what the database stores, not what Django makes of it.
Content = dict[str, dict[Any, Any]]

# What holds more takes longer to compare than to make.
ROWS_AT_MOST = 3000
# Written by migrations alone, and by signing in, which no factory looks at.
LEFT_OUT = {"django_content_type", "auth_permission", "django_site", "django_session"}
UNSEEN = {"accounts_user": {"last_login"}}
PLAIN = (str, bytes, int, float, bool, Decimal, date, datetime, timedelta, UUID, Enum, type(None))


class Unclear(Exception):
    """Whether this call is the same as another cannot be told."""


@dataclasses.dataclass(frozen=True)
class Deed:
    """What one call did to the database, and what it returned."""

    new: Content
    changed: Content
    gone: Content
    counters: dict[str, Any]
    after_commit: list[Callable[[], object]]
    returned: bytes


_deeds: dict[bytes, Deed] = {}
_patches: list[pytest.MonkeyPatch] = []


@pytest.fixture(autouse=True)
def _patches_of_this_test(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    _patches.append(monkeypatch)
    yield
    _patches.remove(monkeypatch)


def forget() -> None:
    _deeds.clear()


def remembered(factory: Callable[P, R]) -> Callable[P, R]:
    @wraps(factory)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        if not connection.in_atomic_block:
            with transaction.atomic():
                return call(*args, **kwargs)
        try:
            before, counters = _database().read()
            called = (factory.__module__, factory.__qualname__, _shape((args, kwargs)))
            key = hashlib.blake2b(repr((called, _surroundings(), before, counters)).encode()).digest()
        except Unclear:
            return factory(*args, **kwargs)
        deed = _deeds.get(key)
        if deed is not None:
            _do_again(deed)
            result: R = pickle.loads(deed.returned)
            return result
        waiting = len(connection.run_on_commit)
        result = factory(*args, **kwargs)
        _remember(key, before, result, after_commit=[each[1] for each in connection.run_on_commit[waiting:]])
        return result

    return call


def _remember(key: bytes, before: Content, result: object, *, after_commit: list[Callable[[], object]]) -> None:
    try:
        after, counters = _database().read()
    except Unclear:
        return
    new, changed, gone = {}, {}, {}
    for table in before.keys() | after.keys():
        old, now = before.get(table, {}), after.get(table, {})
        new[table] = {pk: row for pk, row in now.items() if pk not in old}
        changed[table] = {pk: row for pk, row in now.items() if pk in old and old[pk] != row}
        gone[table] = {pk: row for pk, row in old.items() if pk not in now}
    _deeds[key] = Deed(new, changed, gone, counters, after_commit, pickle.dumps(result))


def _do_again(deed: Deed) -> None:
    database = _database()
    for rows, write in ((deed.gone, database.delete), (deed.new, database.insert), (deed.changed, database.update)):
        for table, kept in rows.items():
            if kept:
                write(table, kept)
    database.count_on_from(deed.counters)
    for each in deed.after_commit:
        transaction.on_commit(each)


def _shape(value: Any) -> Any:
    """A value by its content. Rows by all that they hold: the object may be older than the row."""
    if isinstance(value, Model):
        fields = {field.attname: value.__dict__.get(field.attname) for field in value._meta.concrete_fields}
        return (value._meta.label, [(name, each) for name, each in fields.items() if name != "last_login"])
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return (type(value), [(field.name, _shape(getattr(value, field.name))) for field in dataclasses.fields(value)])
    if isinstance(value, dict):
        return [(_shape(key), _shape(each)) for key, each in value.items()]
    if isinstance(value, list | tuple):
        return [_shape(each) for each in value]
    if isinstance(value, PLAIN):
        return (type(value), value)
    raise Unclear


def _stand_in(value: Any) -> Any:
    if isinstance(value, FunctionType) and "<" not in value.__qualname__:
        return (value.__module__, value.__qualname__)
    if isinstance(value, PLAIN):
        return value
    raise Unclear


def _surroundings() -> Any:
    """The language, every setting that is not the project's, and what this test replaced in the code."""
    if not _patches:
        raise Unclear  # prepared for a whole file, which may have replaced anything
    replaced = []
    for patch in _patches:
        for target, name, _before in patch._setattr:
            replaced.append((repr(target), name, _stand_in(getattr(target, name, None))))
        if patch._setitem:
            raise Unclear
    changed, holder = [], settings._wrapped
    while isinstance(holder, UserSettingsHolder):
        own = {name: value for name, value in vars(holder).items() if name.isupper()}
        changed.append((sorted(own.items()), sorted(vars(holder)["_deleted"])))
        holder = vars(holder)["default_settings"]
    return get_language(), changed, replaced


@cache
def _tables() -> dict[str, list[str]]:
    """The columns of each table that tests fill, in the order in which the database has them, the primary key first."""
    found = {}
    names = {model._meta.db_table: model._meta.pk.column for model in apps.get_models(include_auto_created=True)}
    with connection.cursor() as cursor:
        for table, pk in names.items():
            if table not in LEFT_OUT:
                cursor.execute(f"SELECT * FROM {_quoted([table])} LIMIT 0")
                found[table] = [each[0] for each in cursor.description]
                assert found[table][0] == pk, table
    return found


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(connection.ops.quote_name(name) for name in names)


def _seen(table: str) -> list[str]:
    return [name for name in _tables()[table] if name not in UNSEEN.get(table, ())]


def _database() -> Any:
    if connection.needs_rollback:
        raise Unclear
    return {"sqlite": _Sqlite, "postgresql": _Postgres}[connection.vendor]


class _Sqlite:
    @classmethod
    def read(cls) -> tuple[Content, dict[str, Any]]:
        raw = connection.connection
        counters = dict(raw.execute("SELECT name, seq FROM sqlite_sequence ORDER BY name"))
        if sum(counters.get(table, 0) for table in _tables()) > ROWS_AT_MOST:
            raise Unclear
        used = [table for table in _tables() if counters.get(table)]
        return {table: {row[0]: row for row in raw.execute(cls._reading(table))} for table in used}, counters

    @staticmethod
    @cache
    def _reading(table: str) -> str:
        # The sign keeps Python from converting what is stored.
        columns = ", ".join(f"+{_quoted([name])}" for name in _seen(table))
        return f"SELECT {columns} FROM {_quoted([table])} ORDER BY 1"

    @staticmethod
    def insert(table: str, rows: dict[Any, Any]) -> None:
        names = _seen(table)
        wanted = f"INSERT INTO {_quoted([table])} ({_quoted(names)}) VALUES ({', '.join('?' * len(names))})"
        connection.connection.executemany(wanted, rows.values())

    @staticmethod
    def update(table: str, rows: dict[Any, Any]) -> None:
        names = _seen(table)
        places = ", ".join("?" * len(names))
        wanted = f"UPDATE {_quoted([table])} SET ({_quoted(names)}) = ({places}) WHERE {_quoted(names[:1])} = ?"
        connection.connection.executemany(wanted, [(*row, pk) for pk, row in rows.items()])

    @staticmethod
    def delete(table: str, rows: dict[Any, Any]) -> None:
        wanted = f"DELETE FROM {_quoted([table])} WHERE {_quoted(_seen(table)[:1])} = ?"
        connection.connection.executemany(wanted, [(pk,) for pk in rows])

    @staticmethod
    def count_on_from(counters: dict[str, Any]) -> None:
        wanted = "UPDATE sqlite_sequence SET seq = ? WHERE name = ?"
        connection.connection.executemany(wanted, [(number, name) for name, number in counters.items()])


class _Postgres:
    """Rows as the text of their table's type. Counters go on when a test is taken back: where all is empty, from 1."""

    @classmethod
    def read(cls) -> tuple[Content, dict[str, Any]]:
        raw = connection.connection
        rows = raw.execute(f"SELECT * FROM ({cls._reading()}) AS everything LIMIT {ROWS_AT_MOST + 1}").fetchall()
        if len(rows) > ROWS_AT_MOST:
            raise Unclear
        content: Content = {}
        for table, pk, text in rows:
            content.setdefault(table, {})[pk] = text
        if not content:
            cls.count_on_from(dict.fromkeys(cls._sequences().values()))
        return content, dict(raw.execute("SELECT sequencename, last_value FROM pg_sequences ORDER BY 1").fetchall())

    @staticmethod
    @cache
    def _reading() -> str:
        parts = []
        for table in _tables():
            unseen = UNSEEN.get(table, ())
            columns = ", ".join("NULL" if name in unseen else _quoted([name]) for name in _tables()[table])
            pk, name = _quoted(_tables()[table][:1]), _quoted([table])
            parts.append(f"(SELECT '{table}', {pk}, CAST(ROW({columns}) AS {name})::text FROM {name} ORDER BY {pk})")
        return " UNION ALL ".join(parts)

    @staticmethod
    @cache
    def _sequences() -> dict[str, str]:
        found = {}
        for table, names in _tables().items():
            wanted = "SELECT pg_get_serial_sequence(%s, %s)::regclass::text"
            [sequence] = connection.connection.execute(wanted, [_quoted([table]), names[0]]).fetchone()
            found[table] = sequence.strip('"')
        return found

    @staticmethod
    def insert(table: str, rows: dict[Any, Any]) -> None:
        name = _quoted([table])
        with connection.connection.cursor() as cursor:
            cursor.executemany(f"INSERT INTO {name} SELECT (%s::{name}).*", [(text,) for text in rows.values()])

    @staticmethod
    def update(table: str, rows: dict[Any, Any]) -> None:
        name, columns = _quoted([table]), _seen(table)
        new = ", ".join(f"(said.row).{_quoted([column])}" for column in columns)
        wanted = (
            f"UPDATE {name} SET ({_quoted(columns)}) = ROW({new}) FROM (SELECT %s::{name} AS row) AS said "
            f"WHERE {name}.{_quoted(columns[:1])} = %s"
        )
        with connection.connection.cursor() as cursor:
            cursor.executemany(wanted, [(text, pk) for pk, text in rows.items()])

    @staticmethod
    def delete(table: str, rows: dict[Any, Any]) -> None:
        wanted = f"DELETE FROM {_quoted([table])} WHERE {_quoted(_seen(table)[:1])} = ANY(%s)"
        connection.connection.execute(wanted, [list(rows)])

    @classmethod
    def count_on_from(cls, counters: dict[str, Any]) -> None:
        """None is a sequence of which nothing was taken yet."""
        ours = set(cls._sequences().values())
        given = [(name, number or 1, number is not None) for name, number in counters.items() if name in ours]
        names, numbers, taken = map(list, zip(*given, strict=True))
        connection.connection.execute(
            "SELECT setval(quote_ident(name)::regclass, number, taken) "
            "FROM unnest(%s::text[], %s::bigint[], %s::boolean[]) AS each (name, number, taken)",
            [names, numbers, taken],
        )
