"""An installation of its own for tests that start real workers and kill them: database, broker, processes."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from django.conf import settings
from django.db import connection

from tests.jobs.kinds import noted

PATIENCE = 120
PROJECT = Path(settings.BASE_DIR)
WORKER_SETTINGS = "tests.jobs.worker_settings"


class Installation:
    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder, self.log = folder, folder / "log"
        self.environment = {**os.environ, "DJANGO_SETTINGS_MODULE": WORKER_SETTINGS, **environment}
        self.processes: list[subprocess.Popen[bytes]] = []

    def command(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        ended = subprocess.run(
            [sys.executable, *arguments],
            cwd=PROJECT, env=self.environment, capture_output=True, text=True, check=False, timeout=PATIENCE,
        )  # fmt: skip
        assert ended.returncode == 0, ended.stderr
        return ended

    def ask(self, verb: str, **arguments: Any) -> Any:
        return json.loads(self.command("-m", "tests.jobs.driver", verb, json.dumps(arguments)).stdout)

    def start(self, kind: str = "rehearsal", *, again: int = 0, **params: Any) -> int:
        return int(self.ask("start", kind=kind, again=again, params={"log": str(self.log), **params}))

    def report(self, number: int) -> dict[str, Any]:
        return dict(self.ask("report", number=number))

    def spawn(self, *arguments: str) -> "subprocess.Popen[bytes]":
        """A process in a group of its own, so that a kill takes its children along."""
        with (self.folder / f"output-{len(self.processes)}").open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, *arguments],
                cwd=PROJECT, env=self.environment, stdout=output, stderr=output, start_new_session=True,
            )  # fmt: skip
        self.processes.append(process)
        return process

    def worker(self) -> "subprocess.Popen[bytes]":
        """The worker that belongs to the broker: ours on the folder, Celery's own elsewhere."""
        if not self.environment["BROKER_URL"]:
            return self.spawn("manage.py", "worker")
        return self.spawn("-m", "celery", "-A", "lexreview", "worker", "-c", "1", "--loglevel", "WARNING")

    def kill(self, process: "subprocess.Popen[bytes]") -> None:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(timeout=10)

    def ends(self) -> list[str]:
        return noted(self.log, "end")

    def wait_for(self, happened: Callable[[], bool], what: str) -> None:
        limit = time.monotonic() + PATIENCE
        while not happened():
            if time.monotonic() > limit:
                pytest.fail(f"waited {PATIENCE} s in vain for {what}\n{self.outputs()}")
            time.sleep(0.02)

    def wait_for_finish(self, jobs: int = 1) -> None:
        self.wait_for(lambda: len(noted(self.log, "finish")) >= jobs, "the end of the job")
        time.sleep(0.3)

    def has_said(self, words: str) -> bool:
        """Whether a process wrote the words, warnings included."""
        return any(words in path.read_text(errors="replace") for path in self.folder.glob("output-*"))

    def outputs(self) -> str:
        return "\n".join(path.read_text(errors="replace")[-3000:] for path in sorted(self.folder.glob("output-*")))


def address_of_test_database() -> str:
    values = connection.settings_dict
    person = quote(values["USER"]) + (f":{quote(values['PASSWORD'])}" if values["PASSWORD"] else "")
    port = f":{values['PORT']}" if values["PORT"] else ""
    return f"postgresql://{person}@{values['HOST']}{port}/{values['NAME']}"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def broker_address(broker: str, worker_id: str) -> str:
    """Empty for the folder; Redis: a database per test process, as its list of unacknowledged messages is shared."""
    number = int(worker_id.removeprefix("gw")) if worker_id.startswith("gw") else 0
    addresses = {"folder": "", "redis": f"redis://127.0.0.1:6379/{8 + number % 8}", "amqp": "amqp://127.0.0.1:5672//"}
    ports = {"redis": 6379, "amqp": 5672}
    if broker in ports:
        with socket.socket() as probe:
            probe.settimeout(1)
            if probe.connect_ex(("127.0.0.1", ports[broker])) != 0:
                pytest.skip(f"no server answers at 127.0.0.1:{ports[broker]} ({broker})")
    return addresses[broker]


@pytest.fixture(params=["folder", "redis"])
def installation(request: pytest.FixtureRequest, tmp_path: Path, worker_id: str) -> Iterator[Installation]:
    """On the database that the suite runs on: a copy of a migrated SQLite file, or the test database of PostgreSQL.

    Tests that use it carry the mark `django_db(transaction=True)`: a test database that is asked for only while a test
    runs is not made, and the processes would work on the real one.
    """
    assert request.node.get_closest_marker("django_db").kwargs["transaction"]
    if connection.vendor == "postgresql":
        database = address_of_test_database()
    else:
        path = shutil.copy(request.getfixturevalue("migrated_file"), tmp_path / "copy.sqlite3")
        database = f"sqlite:///{path}"
    environment = {
        "DATABASE_URL": database,
        "BROKER_URL": broker_address(request.param, worker_id),
        "LEXREVIEW_VAR": str(tmp_path),
        "REHEARSAL_QUEUE": f"rehearsals-{worker_id}-{os.getpid()}-{tmp_path.name}",
    }
    installation = Installation(tmp_path, environment)
    yield installation
    for process in installation.processes:
        installation.kill(process)
