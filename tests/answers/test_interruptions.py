"""What workers need goes away while they collect, and comes back: each cell has one answer, and no call was made twice.

Nobody is killed here, so nothing may be asked again: the test server counts. Waits are short by settings.
"""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection

from tests.answers.installation import (
    CollectingInstallation,
    finished,
    installation,
    model_server,
    running_server,
)
from tests.jobs.installation import free_port
from tests.providers.server import ModelServer

__all__ = ["installation", "model_server", "running_server"]
pytestmark = pytest.mark.django_db(transaction=True)
on_postgresql = pytest.mark.skipif("connection.vendor != 'postgresql'", reason="shuts people out of a database")
short_turns = pytest.mark.parametrize("installation", [{"TEST_TURN_SECONDS": "0.05"}], indirect=True)


class OwnRedis:
    """A Redis of a test's own that remembers nothing: stopped and started again it has lost every message."""

    def __init__(self, folder: Path) -> None:
        self.port, self._folder = free_port(), folder

    @property
    def address(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self._process = subprocess.Popen(
            ["redis-server", *options, "--dir", str(self._folder)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        limit = time.monotonic() + 10
        while time.monotonic() < limit:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        pytest.fail("Redis does not start")

    def stop(self) -> None:
        self._process.kill()
        self._process.wait(timeout=10)


@pytest.fixture
def redis(tmp_path: Path, installation: CollectingInstallation) -> Iterator[OwnRedis]:
    """The broker of the installation."""
    made = OwnRedis(tmp_path)
    try:
        made.start()
    except FileNotFoundError:
        pytest.skip("redis-server is not installed")
    installation.environment["BROKER_URL"] = made.address
    yield made
    for process in installation.processes:
        installation.kill(process)
    made.stop()


@contextmanager
def shut_out() -> Iterator[None]:
    """Nobody but this test itself has, or gets, a connection to its database."""
    values = connection.settings_dict
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        own = cursor.fetchone()[0]
    name = psycopg.sql.Identifier(values["NAME"])
    address = {"host": values["HOST"], "port": values["PORT"] or None, "user": values["USER"]}
    address |= {"password": values["PASSWORD"] or None, "dbname": "postgres"}
    with psycopg.connect(**address, autocommit=True) as other:
        allow = psycopg.sql.SQL("ALTER DATABASE {} WITH ALLOW_CONNECTIONS {}")
        other.execute(allow.format(name, psycopg.sql.SQL("false")))
        try:
            end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> %s"
            other.execute(end, [values["NAME"], own])
            yield
        finally:
            other.execute(allow.format(name, psycopg.sql.SQL("true")))


def begin(installation: CollectingInstallation, **changes: Any) -> int:
    """How many cells there are to collect."""
    chosen = {"model": "slow-200", "questions": 4, "repetitions": 5, "concurrency": 2, **changes}
    installation.ask("begin", slugs=["kestria-01"], **chosen)
    return int(chosen["questions"]) * int(chosen["repetitions"])


def check_each_was_asked_once(report: dict[str, Any], server: ModelServer, *, cells: int) -> None:
    assert report["jobs"] == [["succeeded", cells, cells, 0, ""]]
    assert {state for _, state in report["answers"]} == {"answered"}
    assert len(report["answers"]) == len({name for name, _ in report["answers"]}) == report["events"] == cells
    assert [state for _, state in report["calls"]] == ["answered"] * cells
    assert len(server.seen) == cells


@short_turns
def test_broker_that_lost_everything_costs_no_call(
    installation: CollectingInstallation, redis: OwnRedis, model_server: ModelServer
) -> None:
    """Turns end while Redis is away: whose turn it is is known to the database alone."""
    installation.worker()
    cells = begin(installation)
    installation.wait_for(lambda: len(model_server.seen) >= 3, "the first calls")

    redis.stop()
    time.sleep(2)
    redis.start()
    report = finished(installation)

    check_each_was_asked_once(report, model_server, cells=cells)
    assert installation.has_said("the broker does not answer")


@short_turns
def test_folder_of_messages_that_is_away_costs_no_call(
    installation: CollectingInstallation, model_server: ModelServer, tmp_path: Path
) -> None:
    installation.worker()
    cells = begin(installation)
    installation.wait_for(lambda: len(model_server.seen) >= 3, "the first calls")
    folder = tmp_path / "broker" / "queue"

    folder.rename(tmp_path / "elsewhere")
    time.sleep(2)
    assert not folder.exists()
    (tmp_path / "elsewhere").rename(folder)
    report = finished(installation)

    check_each_was_asked_once(report, model_server, cells=cells)
    assert installation.has_said("the broker does not answer")


@pytest.mark.parametrize("installation", [{"TEST_TURN_SECONDS": "30"}], indirect=True)
def test_worker_at_redis_that_is_asked_to_end_does_so_within_a_call(
    installation: CollectingInstallation, redis: OwnRedis, model_server: ModelServer
) -> None:
    """Its turn would last for ten minutes: whoever stops it waits for ten seconds before they kill it."""
    worker = installation.worker()
    cells = begin(installation, repetitions=8)
    installation.wait_for(lambda: len(model_server.seen) >= 3, "the first calls")

    os.kill(worker.pid, signal.SIGTERM)
    worker.wait(timeout=10)
    asked = len(model_server.seen)
    assert asked < cells
    assert installation.rows("SELECT count(*) FROM answers_answer") == [(asked,)]

    installation.worker()
    check_each_was_asked_once(finished(installation), model_server, cells=cells)


@on_postgresql
def test_database_that_lets_nobody_in_loses_no_answer(
    installation: CollectingInstallation, model_server: ModelServer
) -> None:
    """Long enough for the calls at work to come back, and for the worker to be taken for dead."""
    installation.worker()
    cells = begin(installation, concurrency=4)
    installation.wait_for(lambda: len(model_server.seen) >= 3, "the first calls")

    with shut_out():
        time.sleep(3)
    report = finished(installation)

    check_each_was_asked_once(report, model_server, cells=cells)
    assert installation.has_said("the database does not answer")


@on_postgresql
def test_worker_cut_off_for_a_moment_goes_on_giving_signs_of_life(
    installation: CollectingInstallation, model_server: ModelServer
) -> None:
    """One call that takes longer than the lease: a second worker would ask again if the first seemed dead."""
    for _ in range(2):
        installation.worker()
    cells = begin(installation, model="slow-6000", questions=1, repetitions=1)
    installation.wait_for(lambda: len(model_server.seen) >= 1, "the call")
    time.sleep(1.5)  # A few signs of life: from now on they have a connection that can break.

    with shut_out():
        pass
    report = finished(installation)

    check_each_was_asked_once(report, model_server, cells=cells)
