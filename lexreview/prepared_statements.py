"""Statements that PostgreSQL plans once for a connection.

Django leaves them off, because it cannot write every query with parameters, and because a pooler of connections may
give each transaction another one: see docs/operations.md.
"""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import psycopg
from django.db import NotSupportedError, connections
from psycopg import sql


class LoggedCursor(psycopg.Cursor[Any]):
    """For Django's log of queries, which asks a cursor what it sent: here the text without its values."""

    def execute(self, query: Any, params: Any = None, **more: Any) -> Any:
        super().execute(query, params, **more)
        sent: Any = SimpleNamespace(query=psycopg.ClientCursor(self.connection).mogrify(query, params).encode())
        self._query = sent
        return self


def preparing_cursor(database: str) -> Any:
    """A cursor of this thread's connection, wrapped as Django's own, whose statements are prepared ones.

    Django's cursors put values into the text, which psycopg never prepares, so this changes nothing for them.
    """
    connection: Any = connections[database]
    connection.ensure_connection()
    connection.connection.prepare_threshold = 0
    kind = LoggedCursor if connection.queries_logged else psycopg.Cursor
    return connection._prepare_cursor(kind(connection.connection))


def rows_of_prepared(database: str, query: str, params: Sequence[Any]) -> list[Any]:
    """What the query gives. A statement that was prepared before a migration changed one of its columns is refused by
    PostgreSQL for as long as the connection lasts: then it is asked on a new one.

    Within a transaction nothing can be asked again. There the error is raised, and with the ROLLBACK that follows it
    psycopg gives its statements up, so that the next transaction works.
    """
    try:
        return _rows(database, query, params)
    except NotSupportedError as error:
        is_outdated = isinstance(error.__cause__, psycopg.errors.FeatureNotSupported)
        if not is_outdated or connections[database].in_atomic_block:
            raise
        connections[database].close()
        return _rows(database, query, params)


def _rows(database: str, query: str, params: Sequence[Any]) -> list[Any]:
    with preparing_cursor(database) as cursor:
        cursor.execute(query, params)
        rows: list[Any] = cursor.fetchall()
    return rows


def as_literal(value: Any) -> str:
    """The value as PostgreSQL reads it in the text of a query."""
    return sql.Literal(value).as_string()
