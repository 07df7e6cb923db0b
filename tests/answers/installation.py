"""An installation of its own for tests that collect with real workers: kill them, cut them off, stop what they need."""

import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from tests.jobs.installation import Installation, address_of_test_database
from tests.providers.conftest import model_server, running_server
from tests.providers.server import ModelServer

__all__ = ["model_server", "running_server"]
SETTINGS = "tests.answers.worker_settings"


class CollectingInstallation(Installation):
    def ask(self, verb: str, **arguments: Any) -> Any:
        return json.loads(self.command("-m", "tests.answers.driver", verb, json.dumps(arguments)).stdout)

    def job_states(self) -> list[str]:
        return [state for (state,) in self.rows("SELECT state FROM jobs_job")]

    def rows(self, wanted: str) -> list[Any]:
        """Read directly: a process that starts only to look takes seconds."""
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(wanted)
                return list(cursor.fetchall())
        file = sqlite3.connect(self.folder / "copy.sqlite3", timeout=30)
        try:
            return list(file.execute(wanted))
        finally:
            file.close()


@pytest.fixture
def installation(
    request: pytest.FixtureRequest, tmp_path: Path, model_server: ModelServer, worker_id: str
) -> Iterator[CollectingInstallation]:
    """Further variables of the environment by `parametrize("installation", [{...}], indirect=True)`."""
    if connection.vendor == "postgresql":
        database = address_of_test_database()
    else:
        path = shutil.copy(request.getfixturevalue("migrated_file"), tmp_path / "copy.sqlite3")
        database = f"sqlite:///{path}"
    environment = {
        "DJANGO_SETTINGS_MODULE": SETTINGS,
        "DATABASE_URL": database,
        "BROKER_URL": "",
        "LEXREVIEW_VAR": str(tmp_path),
        "LOCAL_BASE_URL": f"{model_server.address}/v1",
        "PROVIDER_LIMITS": "",
        "REHEARSAL_QUEUE": f"collecting-{worker_id}-{os.getpid()}-{tmp_path.name}",
        **getattr(request, "param", {}),
    }
    made = CollectingInstallation(tmp_path, environment)
    yield made
    for process in made.processes:
        made.kill(process)


def finished(installation: CollectingInstallation, jobs: int = 1) -> dict[str, Any]:
    """The report once all jobs have ended."""

    def ended() -> bool:
        states = installation.job_states()
        return len(states) == jobs and not {"queued", "running"} & set(states)

    installation.wait_for(ended, "the end of the jobs")
    return dict(installation.ask("report"))
