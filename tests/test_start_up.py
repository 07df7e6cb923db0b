"""A set-up that cannot work is told in a sentence with place and remedy, and not by a traceback."""

import errno
import os
import socket
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import OperationalError, ProgrammingError
from django.db.migrations.recorder import MigrationRecorder
from kombu.exceptions import OperationalError as BrokerAway

from lexreview.accounts.rules import NotAllowed
from lexreview.start_up import explained, made_folder, writable_folder

PROJECT = Path(settings.BASE_DIR)
SECRET = "s3cret-word"


def command(name: str, folder: Path, **variables: str) -> "subprocess.CompletedProcess[str]":
    environment = {"PATH": os.environ["PATH"], "LEXREVIEW_VAR": str(folder), **variables}
    return subprocess.run(
        [sys.executable, "manage.py", *name.split()],
        cwd=PROJECT, env=environment, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "variables", "place", "remedy"),
    [
        ("check", {"LEXREVIEW_VAR": "{file}/var"}, "{file}/var", "Set LEXREVIEW_VAR"),
        ("check", {"LEXREVIEW_VAR": "{file}"}, "{file}", "Set LEXREVIEW_VAR"),
        ("migrate", {"DATABASE_URL": "sqlite:///{file}/x.sqlite3"}, "file of the database", "DATABASE_URL"),
        (
            "migrate",
            {"DATABASE_URL": f"postgresql://u:{SECRET}@127.0.0.1:1/x"},
            "127.0.0.1:1/x",
            "correct DATABASE_URL",
        ),
        ("check", {"DATABASE_URL": f"postgresql://u:{SECRET}/3@db/x"}, "DATABASE_URL", "postgresql://user:password@"),
        ("check", {"DATABASE_URL": "postgresql://127.0.0.1"}, "DATABASE_URL", "names no database"),
        ("check", {"TIME_ZONE": "Kestria/Vesna"}, "TIME_ZONE", "Europe/Warsaw"),
        ("check", {"LOG_LEVEL": "LOUD"}, "LOG_LEVEL", "WARNING"),
        ("verify_ledger", {}, "lacks tables", "manage.py migrate"),
    ],
)
def test_a_set_up_that_cannot_work_is_told_in_a_sentence(
    tmp_path: Path, name: str, variables: dict[str, str], place: str, remedy: str
) -> None:
    file = tmp_path / "file"
    file.touch()
    var = tmp_path / "var"

    ended = command(name, var, **{each: value.format(file=file) for each, value in variables.items()})

    said = ended.stderr
    assert ended.returncode == 1
    assert place.format(file=file) in said and remedy in said
    assert "Traceback" not in said and SECRET not in said


def test_traceback_is_there_for_whoever_asks(tmp_path: Path) -> None:
    ended = command("verify_ledger --traceback", tmp_path)

    assert "Traceback" in ended.stderr


def test_a_folder_that_refuses_is_named_with_its_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)

    with pytest.raises(ImproperlyConfigured, match=r"cannot be written\. Set SECRET_KEY\."):
        writable_folder(tmp_path, remedy="Set SECRET_KEY.")
    assert made_folder(tmp_path / "new" / "one", remedy="").is_dir()


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (NotAllowed("This needs the role operator in this benchmark."), "the role operator"),
        (BrokerAway("Error 111 connecting to 10.0.0.9:6379."), "The broker at 10.0.0.9:6379/0 does not answer"),
        (PermissionError(errno.EACCES, "Permission denied", "/srv/static"), "/srv/static cannot be written"),
        (OSError(errno.EROFS, "Read-only file system", "/srv/media"), "LEXREVIEW_VAR"),
        (OperationalError("attempt to write a readonly database"), "this account must be allowed to write"),
        (ProgrammingError('relation "review_card" does not exist\nLINE 1'), "Run: manage.py migrate"),
        (OperationalError('FATAL: password authentication failed for user "u"'), "10.0.0.8:5433/lex cannot be reached"),
        (OperationalError('FATAL:  database "lex" does not exist'), "10.0.0.8:5433/lex cannot be reached"),
    ],
)
def test_errors_of_the_set_up_name_place_and_remedy(
    monkeypatch: pytest.MonkeyPatch, error: Exception, words: str
) -> None:
    monkeypatch.setattr(settings, "BROKER_URL", f"redis://:{SECRET}@10.0.0.9:6379/0")
    named = {"HOST": "10.0.0.8", "PORT": "5433", "NAME": "lex", "USER": "u", "PASSWORD": SECRET}
    monkeypatch.setattr(settings, "DATABASES", {"default": named})

    assert words in explained(error)
    assert SECRET not in explained(error)


@pytest.mark.parametrize(
    "error",
    [
        ValueError("a fault"),
        OperationalError("database is locked"),
        ProgrammingError("operator does not exist: integer = text"),
        ProgrammingError('syntax error at or near "connect"'),
        OSError(errno.ENOENT, "none", "/x"),
    ],
)
def test_other_errors_stay_what_they_are(error: Exception) -> None:
    assert explained(error) == ""


def test_serving_without_static_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "STATIC_ROOT", tmp_path)

    with pytest.raises(CommandError, match=r"staticfiles\.json is missing.*collectstatic"):
        call_command("serve")


@pytest.fixture
def collected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Static files as they are once they were collected."""
    monkeypatch.setattr(settings, "STATIC_ROOT", tmp_path)
    (tmp_path / "staticfiles.json").write_text("{}")


@pytest.mark.django_db
@pytest.mark.usefixtures("collected")
def test_serving_from_tables_of_older_code_is_refused() -> None:
    """It would start, and answer every request with an error."""
    MigrationRecorder.Migration.objects.filter(app="review").latest("pk").delete()

    with pytest.raises(CommandError, match=r"lacks 1 migration, review\.\d{4}_\w+ first.*manage\.py migrate"):
        call_command("serve")


@pytest.mark.django_db
@pytest.mark.usefixtures("collected")
def test_serving_at_a_port_that_is_taken_names_the_option() -> None:
    out = StringIO()

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CommandError, match=rf"127\.0\.0\.1:{port}: .*in use.*--port"):
            call_command("serve", port=port, stdout=out)
    with pytest.raises(CommandError, match="--port"):
        call_command("serve", port=70_000, stdout=out)
    assert "Serving" not in out.getvalue()
