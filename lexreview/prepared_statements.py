"""Statements that PostgreSQL plans once for a connection.

Django leaves them off, because it cannot write every query with parameters, and because a pooler of connections may
give each transaction another one: see docs/operations.md.
"""

from types import SimpleNamespace
from typing import Any

import psycopg
from django.db import connections
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


def as_literal(value: Any) -> str:
    """The value as PostgreSQL reads it in the text of a query."""
    return sql.Literal(value).as_string()
