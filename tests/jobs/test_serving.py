import os
import signal
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.jobs.installation import Installation, free_port
from tests.jobs.kinds import noted

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.parametrize("installation", ["folder"], indirect=True),
]


def children_of(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/account/login/", timeout=5) as reply:
            return bool(reply.status == 200)
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False


@pytest.mark.parametrize("command", [["serve", "--port"], ["runserver", "--noreload", "--insecure"]])
def test_server_serves_and_its_worker_does_the_jobs(installation: Installation, command: list[str]) -> None:
    port = free_port()
    number = installation.start(count=5, seconds=0.1)

    server = installation.spawn("manage.py", *command, str(port))
    installation.wait_for(lambda: answers(port), "the server")
    installation.wait_for_finish()

    assert installation.report(number)["state"] == "succeeded"
    assert answers(port)
    if command[0] == "serve":
        os.kill(server.pid, signal.SIGTERM)
        assert server.wait(timeout=25) == 0
        assert not answers(port)


def test_server_that_is_stopped_hands_its_job_to_the_next(installation: Installation) -> None:
    number = installation.start(count=20, seconds=0.1)
    server = installation.spawn("manage.py", "serve", "--port", str(free_port()))
    installation.wait_for(lambda: len(installation.ends()) >= 3, "3 items")

    os.kill(server.pid, signal.SIGTERM)
    assert server.wait(timeout=25) == 0
    assert len(installation.ends()) < 20

    installation.spawn("manage.py", "serve", "--port", str(free_port()))
    installation.wait_for_finish()
    assert installation.report(number)["done"] == 20
    assert len(noted(installation.log, "begin")) == 20


def test_several_processes_serve_and_share_no_connection(installation: Installation) -> None:
    """With a broker, where no worker of jobs is in any of them; each answers on a connection that it keeps open."""
    installation.environment["BROKER_URL"] = "redis://127.0.0.1:6379/7"
    port = free_port()
    server = installation.spawn("manage.py", "serve", "--port", str(port), "--workers", "2", "--threads", "1")
    installation.wait_for(lambda: answers(port), "the server")

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(lambda _turn: answers(port), range(40)))
    assert len(children_of(server.pid)) == 2
    with closing(HTTPConnection("127.0.0.1", port)) as connection:
        for pause in (0, 3):
            time.sleep(pause)
            connection.request("GET", "/account/login/")
            assert connection.getresponse().read()

    os.kill(server.pid, signal.SIGTERM)
    assert server.wait(timeout=25) == 0


def test_without_a_broker_one_process_serves(installation: Installation) -> None:
    server = installation.spawn("manage.py", "serve", "--workers", "2")

    assert server.wait(timeout=60) == 1
    assert installation.has_said("Without BROKER_URL one process serves and does the jobs")
