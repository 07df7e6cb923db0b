"""Real workers that collect, killed with SIGKILL, several at once, or cut off from their database."""

import sqlite3
import time
from collections import Counter
from pathlib import Path

import pytest
from django.db import connection

from tests.answers.installation import (
    CollectingInstallation,
    finished,
    installation,
    model_server,
    running_server,
)
from tests.providers.server import ModelServer

__all__ = ["installation", "model_server", "running_server"]
pytestmark = pytest.mark.django_db(transaction=True)


def test_h10_worker_killed_twice_in_a_row_ends_with_one_answer_per_cell(
    installation: CollectingInstallation, model_server: ModelServer
) -> None:
    installation.ask("begin", slugs=["kestria-01"], model="slow-100", questions=3, concurrency=3, repetitions=10)

    kills = [(4, 0.0), (14, 0.05)]
    for reached, more in kills:
        worker = installation.worker()
        installation.wait_for(lambda reached=reached: len(model_server.seen) >= reached, f"{reached} calls")
        time.sleep(more)
        installation.kill(worker)
    installation.worker()
    report = finished(installation)

    assert report["jobs"] == [["succeeded", 30, 30, 0, ""]]
    assert len(report["answers"]) == report["events"] == 30
    assert {state for _, state in report["answers"]} == {"answered"}
    # What had arrived was not asked again: at most the calls at work at each kill were.
    assert len(model_server.seen) <= 30 + 3 * len(kills)
    states = Counter(state for _, state in report["calls"])
    assert states["answered"] == 30
    assert states["lost"] == len(report["calls"]) - 30
    assert states["started"] == 0


@pytest.mark.parametrize("installation", [{"PROVIDER_LIMITS": "local=300"}], indirect=True)
def test_h13_four_workers_together_keep_to_the_limit_of_one_account(
    installation: CollectingInstallation, model_server: ModelServer
) -> None:
    """Five calls a second; four workers that each kept to the limit alone would make twenty, and the server refuses
    whoever runs more than two seconds ahead of five. How evenly they come is up to a loaded machine."""
    slugs = [f"kestria-0{number}" for number in range(1, 5)]
    for _ in slugs:
        installation.worker()
    chosen = {"slugs": slugs, "model": "slow-50.rate-300", "questions": 2, "repetitions": 4}
    installation.ask("begin", concurrency=4, **chosen)

    report = finished(installation, jobs=4)

    assert [job[:4] for job in report["jobs"]] == [["succeeded", 8, 8, 0]] * 4
    assert [seen.status for seen in model_server.seen] == [200] * 32


@pytest.mark.skipif(connection.vendor != "sqlite", reason="locks the file of the database")
def test_database_that_is_away_for_longer_than_it_is_waited_for_loses_no_answer(
    installation: CollectingInstallation, model_server: ModelServer, tmp_path: Path
) -> None:
    """The file is locked for longer than SQLite waits (set to half a second here)."""
    installation.environment["TEST_SQLITE_TIMEOUT"] = "0.5"
    installation.worker()
    installation.ask("begin", slugs=["kestria-01"], model="slow-200", questions=2, repetitions=4, concurrency=4)
    installation.wait_for(lambda: len(model_server.seen) >= 2, "the first calls")

    with sqlite3.connect(tmp_path / "copy.sqlite3", timeout=30) as other:
        other.execute("BEGIN EXCLUSIVE")
        time.sleep(3)
        other.rollback()
    report = finished(installation)

    assert report["jobs"] == [["succeeded", 8, 8, 0, ""]]
    assert len(model_server.seen) == 8
    assert "the database does not answer" in (tmp_path / "output-0").read_text()
