"""Imports of law wait for one another: two that bring the same act would both find it missing, and both store it."""

from django.db import connection

CORPUS_LOCK = 0x6C6177


def lock_corpus() -> None:
    """Until the end of the transaction, taken before anything is read. SQLite holds its write lock already."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [CORPUS_LOCK])
