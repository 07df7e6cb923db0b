"""Copies of SQLite: one file, consistent while others write."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from django.db import connection

from lexreview.ledger.copies.failures import CopyFailed
from lexreview.ledger.models import Event

SUFFIX = ".sqlite3"
MAGIC = b"SQLite format 3\0"
FIELDS = (
    "number", "at", "actor", "verb", "object_type", "object_id", "before", "after", "reason", "previous_hash", "hash",
)  # fmt: skip


def write(path: Path) -> None:
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(path)])


def events_in(path: Path) -> Iterator[Event]:
    """The ledger of the copy in order, once its pages are found whole."""
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as copy:
            [found] = copy.execute("PRAGMA quick_check(1)").fetchone()
            if found != "ok":
                raise CopyFailed(f"{path.name} is damaged: {found}")
            rows = copy.execute(f"SELECT {', '.join(FIELDS)} FROM ledger_event ORDER BY number")  # noqa: S608 - constants
            yield from (_event(dict(zip(FIELDS, row, strict=True))) for row in rows)
    except sqlite3.Error as error:
        raise CopyFailed(f"{path.name} cannot be read: {error}") from error


def _event(row: dict[str, str]) -> Event:
    records = {name: None if row[name] is None else json.loads(row[name]) for name in ("before", "after")}
    return Event(**{**row, **records, "at": datetime.fromisoformat(row["at"]).replace(tzinfo=UTC)})


def put_back(path: Path) -> None:
    """All pages in one transaction: whoever ends it half-way leaves what was there before."""
    connection.close()
    connection.ensure_connection()
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as copy:
        try:
            copy.backup(connection.connection)
        except sqlite3.Error as error:
            raise CopyFailed(f"the database cannot be written: {error}; stop the site and its workers") from error
    connection.close()
