"""A14: copies of the database are whole, proved, kept for a while, and put back."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, time, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from lexreview.accounts.models import User
from lexreview.ledger.copies import CopyFailed, check_copy, make_copy, next_night
from lexreview.ledger.copies.making import ENGINES
from lexreview.ledger.models import Event
from lexreview.review.actions import set_note
from lexreview.review.models import Card
from lexreview.review.snapshot import record_of
from tests.review.factories import make_card

HARD = "tab\there, line\nthere, back\\slash \\N \\. “quoted” 😀 é"


def run(command: str, *arguments: str, **options: Any) -> str:
    said = StringIO()
    call_command(command, *arguments, stdout=said, **options)
    return said.getvalue()


def files_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.django_db(transaction=True)
def test_a14_a_backup_is_restored_whole(reviewer: User, tmp_path: Path, now: datetime) -> None:
    """Save, copy, change, restore: the same card, and a ledger that holds. What was replaced is a copy too."""
    card = make_card(assigned_to=reviewer)
    card = set_note(card=card, note=HARD, version=card.version, by=reviewer, now=now)
    saved, events = record_of(card), Event.objects.count()

    said = run("backup", to=tmp_path)
    [copy] = tmp_path.iterdir()
    newest = Event.objects.newest_first()[0].hash
    assert f"{events} events, newest hash {newest}" in said
    assert copy.stat().st_mode & 0o077 == 0
    set_note(card=card, note="Later.", version=card.version, by=reviewer, now=now)
    with pytest.raises(CommandError, match=f"holds {events + 1} events.*--replace"):
        run("restore", str(copy), to=tmp_path)
    assert Card.objects.get().note == "Later."

    said = run("restore", str(copy), to=tmp_path, replace=True)

    assert f"The ledger holds: {events} events, newest hash {newest}" in said
    again = Card.objects.with_answer().get()
    assert record_of(again) == saved
    assert set_note(card=again, note="Goes on.", version=again.version, by=reviewer, now=now).note == "Goes on."
    run("verify_ledger")
    [before] = [path for path in tmp_path.iterdir() if path != copy]
    assert before.name.startswith("before-restore-")
    assert check_copy(before)[0] == events + 1


@pytest.mark.django_db(transaction=True)
def test_nothing_is_left_of_a_copy_that_fails(
    reviewer: User, tmp_path: Path, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not of one that breaks off, of one whose ledger is broken, or of one that lacks events."""
    make_card(assigned_to=reviewer)
    good = make_copy(folder=tmp_path, keep=1, now=now).path
    engine = ENGINES[connection.vendor]
    events = list(engine.events_in(good))
    whole = engine.write

    def broken_off(path: Path) -> None:
        path.write_bytes(good.read_bytes()[: good.stat().st_size // 2])

    def altered(_path: Path) -> Iterator[Event]:
        events[3].reason = "Another one."
        return iter(events)

    def fewer(_path: Path) -> Iterator[Event]:
        return iter(events[:-1])

    for write, read, words in (
        (broken_off, engine.events_in, "damaged|cannot be read"),
        (whole, fewer, f"{len(events) - 1} events of {len(events)}"),
        (whole, altered, "broken at event 4"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(engine, "write", write)
            patch.setattr(engine, "events_in", read)
            with pytest.raises(CopyFailed, match=words):
                make_copy(folder=tmp_path, keep=1, now=now + timedelta(days=1))
        assert files_in(tmp_path) == [good.name]


@pytest.mark.django_db(transaction=True)
def test_what_is_no_whole_copy_changes_nothing(reviewer: User, tmp_path: Path, now: datetime) -> None:
    make_card(assigned_to=reviewer)
    good = make_copy(folder=tmp_path / "copies", keep=1, now=now).path
    other = next(engine for vendor, engine in ENGINES.items() if vendor != connection.vendor)
    broken, foreign, text = (tmp_path / name for name in ("broken", "foreign", "text"))
    broken.write_bytes(good.read_bytes()[: good.stat().st_size // 2])
    foreign.write_bytes(other.MAGIC + b"whatever")
    text.write_text("Notes of a meeting.")
    events = Event.objects.count()

    for path, words in (
        (broken, "damaged|cannot be read"),
        (foreign, "DATABASE_URL names"),
        (text, "no copy of a database"),
        (tmp_path / "missing", "cannot be read"),
    ):
        with pytest.raises(CommandError, match=rf"Nothing was changed: .*({words})"):
            run("restore", str(path), to=tmp_path, replace=True)
    assert Event.objects.count() == events
    assert files_in(tmp_path) == ["broken", "copies", "foreign", "text"]


@pytest.mark.django_db(transaction=True)
def test_the_newest_copy_of_each_of_the_last_days_is_kept(tmp_path: Path, now: datetime) -> None:
    """Other files of the folder stay; what a killed run left there goes after a day."""
    for hours in (0, 24, 30, 48, 72):
        make_copy(folder=tmp_path, keep=3, now=now + timedelta(hours=hours))
    (tmp_path / "notes.txt").touch()
    left = tmp_path / f".lexreview-{now:%Y-%m-%d}.1.partial"
    left.touch()
    make_copy(folder=tmp_path, keep=3, now=datetime.now(tz=UTC) + timedelta(days=2))

    days = [name.split("-", 1)[1][:13] for name in files_in(tmp_path) if name.startswith("lexreview-")]
    assert days[:2] == [f"{now + timedelta(hours=hours):%Y-%m-%dT%H}" for hours in (48, 72)]
    assert len(days) == 3
    assert (tmp_path / "notes.txt").exists()
    assert not left.exists()


@pytest.mark.django_db(transaction=True)
def test_a_missing_program_is_named_with_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite needs no program")
    monkeypatch.setattr(shutil, "which", lambda name: None)

    with pytest.raises(CommandError, match=r"pg_dump is not installed here.* apt install postgresql-client"):
        run("backup", to=tmp_path)
    assert files_in(tmp_path) == []


@pytest.mark.django_db(transaction=True)
def test_a_copy_is_made_while_another_process_writes(reviewer: User, tmp_path: Path, now: datetime) -> None:
    """SQLite: its writer is not waited for, and what it has not committed is not in the copy."""
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL has its own snapshot")
    make_card(assigned_to=reviewer)
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("UPDATE review_card SET note = 'Not committed.'")
        copy = make_copy(folder=tmp_path, keep=1, now=now)
        writer.execute("ROLLBACK")

    with closing(sqlite3.connect(copy.path)) as copied:
        assert copied.execute("SELECT note FROM review_card").fetchone() == ("",)


def test_the_next_night_is_never_now(now: datetime) -> None:
    assert next_night(now, time(13, 0)) == datetime(2026, 10, 18, 13, 0, tzinfo=UTC)
    half_past_two = datetime(2026, 10, 19, 2, 30, tzinfo=UTC)
    assert next_night(now, time(2, 30)) == half_past_two
    assert next_night(half_past_two, time(2, 30)) == half_past_two + timedelta(days=1)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("links", [True, False])
def test_two_copies_of_one_second_have_two_names(
    tmp_path: Path, now: datetime, links: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_card()
    if not links:

        def refused(*_paths: Any) -> None:
            raise PermissionError

        monkeypatch.setattr("os.link", refused)

    made = [make_copy(folder=tmp_path, keep=None, now=now).path for _time in range(3)]
    for number in range(4, 11):
        made[0].with_stem(f"{made[0].stem}-{number}").touch()
    last = make_copy(folder=tmp_path, keep=5, now=now).path

    assert len({*made, last}) == 4
    assert files_in(tmp_path) == [last.name]
    assert last.stem.endswith("-11")
    assert check_copy(last)[0] == Event.objects.count()
