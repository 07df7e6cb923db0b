"""Copies of PostgreSQL, by the programs that belong to it."""

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import psycopg
from django.db import connection

from lexreview.ledger.copies.failures import CopyFailed
from lexreview.ledger.models import Event

SUFFIX = ".pgdump"
MAGIC = b"PGDMP"
TABLE = re.compile(r"COPY (?:public\.)?ledger_event \((.+)\) FROM stdin;\n")
ESCAPED = re.compile(r"\\(.)")
MEANT = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v"}
EMPTY_FIRST = """
SET lock_timeout = '30s';
DO $$
DECLARE found record;
BEGIN
  FOR found IN SELECT c.oid::regclass AS name, c.relkind AS kind FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')
      AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
  LOOP
    EXECUTE format('DROP %s IF EXISTS %s CASCADE',
      CASE found.kind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'TABLE' END, found.name);
  END LOOP;
  FOR found IN SELECT p.oid::regprocedure AS name FROM pg_proc p
    WHERE p.pronamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
  LOOP
    EXECUTE format('DROP FUNCTION IF EXISTS %s CASCADE', found.name);
  END LOOP;
END $$;
"""
"""Tables, views and functions but for those of extensions, which a dump leaves alone too."""


def write(path: Path) -> None:
    with _database() as database:
        _run(
            ["pg_dump", "--format=custom", "--no-owner", "--no-privileges", "--no-password", f"--file={path}", database]
        )


def events_in(path: Path) -> Iterator[Event]:
    """The ledger of the copy in order. The whole archive is read, so that a damaged one is found."""
    with tempfile.TemporaryFile("w+") as said:
        command = [_program("pg_restore"), "--no-owner", "--no-privileges", "--file=-", str(path)]
        with subprocess.Popen(  # noqa: S603 - see _run
            command, stdout=subprocess.PIPE, stderr=said, encoding="utf-8"
        ) as reading:
            assert reading.stdout is not None
            yield from _in_order(_ledger_of(iter(reading.stdout.readline, "")))
            for _rest in reading.stdout:
                pass
        if reading.returncode:
            said.seek(0)
            raise CopyFailed(f"{path.name} is damaged: {said.read().strip()}")


def _in_order(events: Iterable[Event]) -> Iterator[Event]:
    """By number: a table is dumped in the order of its pages, which is nearly that of its rows."""
    early: dict[int, Event] = {}
    following = 1
    for event in events:
        early[event.number] = event
        while following in early:
            yield early.pop(following)
            following += 1
    yield from (early[number] for number in sorted(early))


def _ledger_of(lines: Iterable[str]) -> Iterator[Event]:
    """From the text format of COPY: a row a line, fields parted by tabs, \\N for null, the rest escaped."""
    names: Sequence[str] = ()
    for line in lines:
        if names and line == "\\.\n":
            return
        if names:
            yield _event(dict(zip(names, line.rstrip("\n").split("\t"), strict=True)))
        elif found := TABLE.fullmatch(line):
            names = [name.strip('"') for name in found[1].split(", ")]


def _event(row: dict[str, str]) -> Event:
    said = {name: None if value == "\\N" else ESCAPED.sub(_meant, value) for name, value in row.items()}
    records = {name: None if (text := said[name]) is None else json.loads(text) for name in ("before", "after")}
    at = datetime.fromisoformat(str(said["at"]))
    return Event(**{**said, **records, "number": int(str(said["number"])), "at": at})


def _meant(escape: re.Match[str]) -> str:
    return MEANT.get(escape[1], escape[1])


def put_back(path: Path) -> None:
    """In one transaction: whoever ends it half-way leaves what was there before."""
    connection.close()
    with tempfile.TemporaryDirectory() as folder:
        script, first = Path(folder) / "copy.sql", Path(folder) / "first.sql"
        first.write_text(EMPTY_FIRST)
        _run(["pg_restore", "--no-owner", "--no-privileges", f"--file={script}", str(path)])
        options = ["--no-psqlrc", "--quiet", "--no-password", "--single-transaction", "--set=ON_ERROR_STOP=1"]
        with _database() as database:
            _run(["psql", *options, f"--file={first}", f"--file={script}", database])


@contextmanager
def _database() -> Iterator[str]:
    """The option that names the database of DATABASE_URL; its password stands in a file that only we can read."""
    known = {option.keyword.decode() for option in psycopg.pq.Conninfo.get_defaults()}
    given = {name: value for name, value in connection.get_connection_params().items() if name in known and value}
    given.pop("client_encoding", None)
    password = str(given.pop("password", "")).replace("\\", "\\\\").replace(":", "\\:")
    with tempfile.NamedTemporaryFile("w", encoding="utf-8") as file:
        if password:
            file.write(f"*:*:*:*:{password}\n")
            file.flush()
            given["passfile"] = file.name
        yield f"--dbname={psycopg.conninfo.make_conninfo(**given)}"


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise CopyFailed(
            f"{name} is not installed here. It comes with the client programs of PostgreSQL (Debian and Ubuntu: apt "
            "install postgresql-client; macOS: brew install libpq), in a version not older than that of the server."
        )
    return found


def _run(command: list[str]) -> None:
    program, *arguments = command
    ended = subprocess.run(  # noqa: S603 - PostgreSQL's own programs, no shell
        [_program(program), *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if ended.returncode:
        raise CopyFailed(f"{program} failed: {ended.stderr.strip() or ended.returncode}")
