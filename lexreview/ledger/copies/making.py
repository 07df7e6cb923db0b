"""Making copies: nothing bears the name of a copy before it is whole and its ledger is proved."""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, time, timedelta
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from django.db import DatabaseError, connection

from lexreview.core.words import counted
from lexreview.ledger.chain import first_break
from lexreview.ledger.copies import postgresql, sqlite
from lexreview.ledger.copies.failures import CopyFailed
from lexreview.ledger.models import Event

ENGINES: dict[str, ModuleType] = {"sqlite": sqlite, "postgresql": postgresql}
NAME = re.compile(r"lexreview-(\d{4}-\d\d-\d\d)T(\d{6})(?:-(\d+))?\.(?:sqlite3|pgdump)")
UNFINISHED = timedelta(days=1)


class Copy(NamedTuple):
    """A copy with the number of events in its ledger and the hash of the newest; "" where there are none."""

    path: Path
    events: int
    newest_hash: str


def make_copy(*, folder: Path, keep: int | None, now: datetime, prefix: str = "lexreview") -> Copy:
    """Copy the database while others work on it; then let go of copies but for the newest of each of `keep` days.

    `keep` None lets go of nothing. Raises CopyFailed, and then leaves the folder as it was.
    """
    engine = ENGINES[connection.vendor]
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / f"{prefix}-{now:%Y-%m-%dT%H%M%S}{engine.SUFFIX}"
    partial = folder / f".{path.name}.{os.getpid()}.partial"
    try:
        known = Event.objects.count()
        os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        engine.write(partial)
        events, newest_hash = check_copy(partial)
        if events < known:
            raise CopyFailed(f"the copy holds {counted(events, 'event')} of {known}")
        _make_lasting(partial)
        path = _named(partial, path)
        _make_lasting(folder)
    except DatabaseError as error:
        raise CopyFailed(f"the database cannot be copied: {error}") from error
    finally:
        partial.unlink(missing_ok=True)
    if keep is not None:
        _let_go(folder, keep=keep, now=now)
    return Copy(path, events, newest_hash)


def _named(partial: Path, path: Path) -> Path:
    """Give the whole copy its name; the name with a number where another copy of the same second has it.

    A link is made under a free name only, so of two processes none takes the other's.
    """
    for number in count(1):
        free = path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")
        try:
            os.link(partial, free)
        except FileExistsError:
            continue
        except OSError:
            # A file system without links: between looking and naming another process may come.
            if free.exists():
                continue
            partial.rename(free)
        return free
    raise AssertionError("count ends")


def check_copy(path: Path) -> tuple[int, str]:
    """How many events its ledger has, and the newest hash. Raises CopyFailed for a copy that is not whole."""
    events, newest_hash = 0, ""

    def noted() -> Iterator[Event]:
        nonlocal events, newest_hash
        for event in engine_of(path).events_in(path):
            events, newest_hash = events + 1, event.hash
            yield event

    if broken := first_break(noted()):
        raise CopyFailed(f"the ledger of the copy is broken at event {broken.number}: {broken.problem}")
    return events, newest_hash


def engine_of(path: Path) -> ModuleType:
    """By what the file begins with. Raises CopyFailed for what is no copy of the kind of database in use."""
    try:
        with path.open("rb") as file:
            begin = file.read(16)
    except OSError as error:
        raise CopyFailed(f"{path} cannot be read: {error.strerror}") from error
    for vendor, engine in ENGINES.items():
        if begin.startswith(engine.MAGIC):
            if vendor != connection.vendor:
                raise CopyFailed(f"{path.name} is a copy of {vendor}, and DATABASE_URL names {connection.vendor}")
            return engine
    raise CopyFailed(f"{path.name} is no copy of a database")


def next_night(now: datetime, at: time) -> datetime:
    """The next time that the clock of `now` shows `at`."""
    today = now.replace(hour=at.hour, minute=at.minute, second=0, microsecond=0)
    return today if today > now else today + timedelta(days=1)


def _make_lasting(path: Path) -> None:
    """On the disk, and not in a cache that a power failure empties."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _let_go(folder: Path, *, keep: int, now: datetime) -> None:
    by_day: dict[str, list[tuple[str, int, Path]]] = {}
    for path in folder.iterdir():
        if found := NAME.fullmatch(path.name):
            day, second, number = found.groups()
            by_day.setdefault(day, []).append((second, int(number or 1), path))
    for age, day in enumerate(sorted(by_day, reverse=True)):
        newest, *older = sorted(by_day[day], reverse=True)
        for _second, _number, path in [*older, *([newest] if age >= keep else [])]:
            path.unlink()
    for path in folder.glob(".*.partial"):
        with suppress(FileNotFoundError):
            if datetime.fromtimestamp(path.stat().st_mtime, tz=now.tzinfo) < now - UNFINISHED:
                path.unlink()
