"""Putting a copy back: what was there before is copied first."""

from datetime import datetime
from pathlib import Path

from django.core.management import call_command
from django.db import connection

from lexreview.core.words import counted
from lexreview.ledger.copies.failures import CopyFailed
from lexreview.ledger.copies.making import Copy, check_copy, engine_of, make_copy
from lexreview.ledger.models import Event


class NotEmpty(CopyFailed):
    """The database holds events, which would be gone."""


def restore_copy(*, path: Path, folder: Path, replace: bool, now: datetime) -> tuple[Copy, Copy | None]:
    """Make the database what it was when the copy was made, and bring it up to date with the code.

    A database that holds events is replaced only where `replace` says so, and copied into the folder first, under a
    name that no later copy drives out. Returns what was put back, and that copy. Raises CopyFailed: nothing changed.
    """
    events, newest_hash = check_copy(path)
    present = Event.objects.count() if Event._meta.db_table in connection.introspection.table_names() else 0
    before = None
    if present:
        if not replace:
            raise NotEmpty(
                f"the database holds {counted(present, 'event')}, which the copy with {events} would replace"
            )
        before = make_copy(folder=folder, keep=None, now=now, prefix="before-restore")
    engine_of(path).put_back(path)
    call_command("migrate", interactive=False, verbosity=0)
    return Copy(path, events, newest_hash), before
