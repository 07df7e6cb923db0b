"""Statements that PostgreSQL plans once for a connection.

Django leaves them off, because it cannot write every query with parameters, and because a pooler of connections may
give each transaction another one: see docs/operations.md.
"""

from typing import Any

import psycopg
from django.db import connections
from psycopg import sql


def preparing_cursor(database: str) -> Any:
    """A cursor of this thread's connection, wrapped as Django's own, whose statements are prepared ones.

    Django's cursors put values into the text, which psycopg never prepares, so this changes nothing for them.
    """
    connection: Any = connections[database]
    connection.ensure_connection()
    connection.connection.prepare_threshold = 0
    return connection._prepare_cursor(psycopg.Cursor(connection.connection))


def as_literal(value: Any) -> str:
    """The value as PostgreSQL reads it in the text of a query."""
    return sql.Literal(value).as_string()
