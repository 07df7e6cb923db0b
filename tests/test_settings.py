import ast
import os
import re
import secrets
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from lexreview.environment import read_bool, read_database, read_int, read_list, read_path, read_text

PROJECT = Path(settings.BASE_DIR)
EXAMPLE = PROJECT / ".env.example"


def variables_read() -> set[str]:
    """First arguments of the typed readers' calls in settings.py."""
    tree = ast.parse((PROJECT / "lexreview" / "settings.py").read_text())
    return {
        node.args[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id.startswith("read_")
        if node.args and isinstance(node.args[0], ast.Constant)
    }


def variables_in_example() -> dict[str, str]:
    return dict(re.findall(r"^([A-Z][A-Z0-9_]*)=(.*)$", EXAMPLE.read_text(), re.MULTILINE))


def in_a_process(expression: str, folder: Path, **variables: str) -> "subprocess.CompletedProcess[str]":
    """Settings are read at import: each case needs a process of its own, with only these variables."""
    environment = {"PATH": os.environ["PATH"], "LEXREVIEW_VAR": str(folder), **variables}
    return subprocess.run(
        [sys.executable, "-c", f"from lexreview import settings; print({expression})"],
        cwd=PROJECT, env=environment, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


def test_example_lists_exactly_what_settings_read() -> None:
    assert len(variables_read()) > 10
    assert set(variables_in_example()) == variables_read()


def test_settings_load_with_the_example_as_it_stands(tmp_path: Path) -> None:
    values = {**variables_in_example(), "LEXREVIEW_VAR": str(tmp_path)}

    ended = in_a_process("settings.DEBUG, settings.HTTPS, settings.EMBEDDED_WORKER", tmp_path, **values)

    assert ended.stdout.strip() == "False False True", ended.stderr


def test_nothing_set_means_no_debug_and_a_random_key_kept_in_a_private_file(tmp_path: Path) -> None:
    first = in_a_process("settings.DEBUG, settings.SECRET_KEY", tmp_path).stdout
    second = in_a_process("settings.DEBUG, settings.SECRET_KEY", tmp_path).stdout

    debug, key = first.split(maxsplit=1)
    assert debug == "False"
    assert len(key.strip()) >= 50
    assert second == first
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600


def test_empty_key_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret_key").touch()

    ended = in_a_process("settings.SECRET_KEY", tmp_path)

    assert ended.returncode != 0
    assert "SECRET_KEY" in ended.stderr


@pytest.mark.parametrize(("url", "embedded"), [("", "True"), ("redis://127.0.0.1:6379/0", "False")])
def test_broker_address_decides_where_the_worker_is(tmp_path: Path, url: str, embedded: str) -> None:
    assert in_a_process("settings.EMBEDDED_WORKER", tmp_path, BROKER_URL=url).stdout.strip() == embedded


@pytest.mark.parametrize(
    ("name", "value"),
    [("DEBUG", "maybe"), ("HTTPS", "2"), ("EMAIL_PORT", "smtp"), ("DATABASE_URL", "mysql://localhost/lexreview")],
)
def test_bad_value_stops_the_start_and_names_the_variable(tmp_path: Path, name: str, value: str) -> None:
    ended = in_a_process("settings.DEBUG", tmp_path, **{name: value})

    assert ended.returncode != 0
    assert f"ImproperlyConfigured: {name} must" in ended.stderr


def test_deployment_check_is_clean_with_https(tmp_path: Path) -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "LEXREVIEW_VAR": str(tmp_path),
        "HTTPS": "1",
        "ALLOWED_HOSTS": "lexreview.example",
        "SECRET_KEY": secrets.token_urlsafe(64),
    }

    ended = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=PROJECT, env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip

    assert ended.returncode == 0, ended.stderr
    assert "no issues" in ended.stdout


@pytest.mark.parametrize("word", ["1", "true", "Yes", " on "])
def test_words_for_yes(monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    monkeypatch.setenv("SWITCH", word)
    assert read_bool("SWITCH") is True


@pytest.mark.parametrize("word", ["0", "false", "No", "OFF", ""])
def test_words_for_no(monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    monkeypatch.setenv("SWITCH", word)
    assert read_bool("SWITCH", True) is False


@pytest.mark.parametrize("word", ["2", "ja", "True!", "none"])
def test_other_words_are_no_answer(monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    monkeypatch.setenv("SWITCH", word)
    with pytest.raises(ImproperlyConfigured, match="SWITCH"):
        read_bool("SWITCH")


def test_absent_variables_have_their_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ABSENT", raising=False)

    assert read_bool("ABSENT", True) is True
    assert read_int("ABSENT", 25) == 25
    assert read_text("ABSENT", "x") == "x"
    assert read_list("ABSENT", "a, b") == ["a", "b"]
    assert read_path("ABSENT", Path("there")) == Path("there")


@pytest.mark.parametrize("value", ["1.5", "ten", "0x10", "--1"])
def test_number_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("PORT_NUMBER", value)
    with pytest.raises(ImproperlyConfigured, match="PORT_NUMBER"):
        read_int("PORT_NUMBER", 1)


def test_list_drops_blanks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOSTS", " a.example ,, b.example,")
    assert read_list("HOSTS") == ["a.example", "b.example"]


def test_database_address_is_taken_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_URL", "postgresql://me:p%40ss@db.example:6432/cards?sslmode=require")

    database = read_database("SOME_URL", Path("x"))

    assert {name: database[name] for name in ("NAME", "USER", "PASSWORD", "HOST", "PORT", "OPTIONS")} == {
        "NAME": "cards",
        "USER": "me",
        "PASSWORD": "p@ss",
        "HOST": "db.example",
        "PORT": "6432",
        "OPTIONS": {"options": "-c jit=off", "sslmode": "require"},
    }


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("", "default.sqlite3"),
        ("sqlite:///relative.sqlite3", "relative.sqlite3"),
        ("sqlite:////a/b.sqlite3", "/a/b.sqlite3"),
    ],
)
def test_sqlite_waits_for_its_turn_to_write(monkeypatch: pytest.MonkeyPatch, url: str, path: str) -> None:
    monkeypatch.setenv("SOME_URL", url)

    database = read_database("SOME_URL", Path("default.sqlite3"))

    assert database["NAME"] == Path(path)
    assert database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "journal_mode=WAL" in database["OPTIONS"]["init_command"]
