"""Real workers on real brokers, killed with SIGKILL. Times are short: lease 1 s, turn 0.3 s (worker_settings.py)."""

import os
import signal
import time
from typing import Any

import pytest

from tests.jobs.installation import Installation
from tests.jobs.kinds import noted

pytestmark = pytest.mark.django_db(transaction=True)
on_every_broker = pytest.mark.parametrize("installation", ["folder", "redis", "amqp"], indirect=True)
on_folder_and_redis = pytest.mark.parametrize("installation", ["folder", "redis"], indirect=True)
on_the_folder = pytest.mark.parametrize("installation", ["folder"], indirect=True)
on_redis = pytest.mark.parametrize("installation", ["redis"], indirect=True)


def all_keys(count: int) -> list[str]:
    return [f"item-{number:03d}" for number in range(count)]


def succeeded(count: int) -> dict[str, Any]:
    items = [[key, "succeeded", ""] for key in all_keys(count)]
    return {"state": "succeeded", "total": count, "done": count, "failed": 0, "items": items}


@on_every_broker
def test_job_whose_worker_is_killed_again_and_again_ends_with_the_same_data(installation: Installation) -> None:
    number = installation.start(count=24, seconds=0.06)
    kills = [(1, 0.0), (8, 0.02), (15, 0.05)]

    for reached, more in kills:
        worker = installation.worker()
        installation.wait_for(lambda reached=reached: len(installation.ends()) >= reached, f"{reached} items")
        time.sleep(more)
        installation.kill(worker)
    installation.worker()
    installation.wait_for_finish()

    assert installation.report(number) == succeeded(24)
    begun = noted(installation.log, "begin")
    assert sorted(set(installation.ends())) == all_keys(24)
    # Only the item at hand may be done a second time.
    assert len(begun) <= 24 + len(kills)


@on_every_broker
def test_two_workers_and_every_message_three_times_do_no_item_twice(installation: Installation) -> None:
    numbers = [installation.start("duet", again=2, count=25, seconds=0.02, part=part) for part in ("a", "b")]

    for _ in range(2):
        installation.worker()
    installation.wait_for(lambda: len(installation.ends()) >= 50, "50 items")
    time.sleep(1)

    assert sorted(noted(installation.log, "begin")) == sorted(all_keys(25) * 2)
    assert [installation.report(number) for number in numbers] == [succeeded(25)] * 2


@on_redis
def test_item_that_kills_its_process_fails_and_the_others_are_done(installation: Installation) -> None:
    number = installation.start(count=4, deadly="item-001")

    installation.worker()
    installation.wait_for_finish()

    report = installation.report(number)
    assert (report["state"], report["done"], report["failed"]) == ("failed", 4, 1)
    assert [state for _, state, _ in report["items"]] == ["succeeded", "failed", "succeeded", "succeeded"]
    assert noted(installation.log, "begin").count("item-001") == 3
    assert sorted(installation.ends()) == ["item-000", "item-002", "item-003"]


@on_folder_and_redis
def test_worker_asked_to_end_finishes_its_item_and_hands_the_job_over(installation: Installation) -> None:
    number = installation.start(count=50, seconds=0.1)
    worker = installation.worker()
    installation.wait_for(lambda: len(installation.ends()) >= 3, "3 items")

    os.kill(worker.pid, signal.SIGTERM)
    worker.wait(timeout=20)
    assert worker.returncode == 0
    assert len(installation.ends()) < 50
    assert noted(installation.log, "begin") == installation.ends()

    installation.worker()
    installation.wait_for_finish()
    assert installation.report(number) == succeeded(50)
    assert sorted(noted(installation.log, "begin")) == all_keys(50)


@on_the_folder
def test_command_does_the_job_with_a_bar_and_without_a_server(installation: Installation) -> None:
    params = {"log": str(installation.log), "count": 7, "seconds": 0.1}

    ended = installation.command(
        "-c",
        f"import sys; from tests.jobs import driver; print(driver.inline(kind='rehearsal', params={params!r}))",
    )

    assert ended.stdout.strip() == "succeeded"
    assert "Rehearsal" in ended.stderr
    assert "7/7" in ended.stderr
    assert sorted(installation.ends()) == all_keys(7)
