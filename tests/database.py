"""The test database: migrated once in a run, copied for each process that tests and for installations of their own."""

import fcntl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management.commands import flush
from django.db import connection

# Written by migrations alone: no test changes them, and signals would fill them anew after each emptying.
KEPT = {"django_content_type", "auth_permission", "django_site"}


@contextmanager
def _one_process_at_a_time(folder: Path) -> Iterator[None]:
    """The system lifts the lock where a process dies."""
    with (folder / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _make_template(name: str) -> None:
    """All migrations, really run. Its copies may be emptied between tests; a real ledger refuses TRUNCATE."""
    connection.settings_dict["TEST"]["NAME"] = name
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE ledger_event DISABLE TRIGGER ledger_refuse_truncate")


def _use(name: str) -> None:
    connection.close()
    connection.settings_dict["NAME"] = settings.DATABASES["default"]["NAME"] = name


def _emptying(_operations: Any, _style: Any, tables: Sequence[str], **_options: Any) -> list[str]:
    """Statements that empty the tables which hold something: few do after a test, and TRUNCATE of all of them takes
    PostgreSQL a second. The ledger refuses DELETE. On SQLite rows are counted from 1 again, so that the next test
    begins where every other does (`tests/remembering.py`, which does it on PostgreSQL)."""
    quoted = {table: connection.ops.quote_name(table) for table in tables if table not in KEPT}
    asked = [f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {name})" for table, name in quoted.items()]
    filled = set()
    with connection.cursor() as cursor:
        for start in range(0, len(asked), 100):
            cursor.execute(" UNION ALL ".join(asked[start : start + 100]))
            filled |= {table for (table,) in cursor.fetchall()}
    truncated = {"ledger_event"} if connection.vendor == "postgresql" else set()
    emptied = [f"{'TRUNCATE' if table in truncated else 'DELETE FROM'} {quoted[table]}" for table in sorted(filled)]
    if connection.vendor == "sqlite":
        names = ", ".join(f"'{table}'" for table in quoted)
        emptied.append(f"UPDATE sqlite_sequence SET seq = 0 WHERE name IN ({names})")
    return emptied


@pytest.fixture(scope="session", autouse=True)
def _quick_emptying() -> Iterator[None]:
    """For every connection: beside the driver of the browser this thread has another one than before it started."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(connection.ops), "sql_flush", _emptying)
        patch.setattr(flush, "emit_post_migrate_signal", lambda *_args, **_options: None)
        yield


@pytest.fixture(scope="session")
def database_folder(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The same for all processes of this run, and of no other run: no template is older than the run."""
    own = tmp_path_factory.getbasetemp()
    folder = (own if worker_id == "master" else own.parent) / "database"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def template_name(database_folder: Path) -> str:
    """SQLite in a file, as users have it: in memory, threads share a cache that refuses instead of waiting."""
    if connection.vendor == "sqlite":
        return str(database_folder / "migrated.sqlite3")
    return f"test_{connection.settings_dict['NAME']}"


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_blocker: Any, database_folder: Path, template_name: str, worker_id: str
) -> Iterator[None]:
    """A copy of the migrated database. The first process makes that, the last one takes it away."""
    before = connection.settings_dict["NAME"]
    made, ours = database_folder / "made", database_folder / f"copied_for_{worker_id}"
    with django_db_blocker.unblock():
        with _one_process_at_a_time(database_folder):
            if not made.exists():
                _make_template(template_name)
                made.touch()
            _use(template_name)
            connection.creation.clone_test_db(suffix=worker_id, verbosity=0, autoclobber=True)
            ours.touch()
        _use(str(connection.creation.get_test_db_clone_settings(worker_id)["NAME"]))
    yield
    with django_db_blocker.unblock():
        connection.creation.destroy_test_db(before, verbosity=0)
        with _one_process_at_a_time(database_folder):
            ours.unlink()
            if not any(database_folder.glob("copied_for_*")):
                made.unlink()
                _use(template_name)
                connection.creation.destroy_test_db(before, verbosity=0)


@pytest.fixture(scope="session")
def migrated_file(django_db_setup: None, template_name: str) -> Path:
    """For an installation of its own on SQLite: to be copied, never opened."""
    return Path(template_name)
