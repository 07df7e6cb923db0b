"""Real workers that ask about support, killed with SIGKILL: every opinion once, and none paid for twice."""

import json
from collections import Counter
from typing import Any

import pytest

from tests.answers.test_killing import CollectingInstallation, installation
from tests.providers.conftest import model_server, running_server
from tests.providers.server import ModelServer

__all__ = ["installation", "model_server", "running_server"]
pytestmark = pytest.mark.django_db(transaction=True)
CLAIMS, CONCURRENCY = 20, 3
REPLY = json.dumps({"support": "supports", "sentence": "The harbour due is 75 crowns for each day of stay."})


def ask(installation: CollectingInstallation, verb: str, **arguments: Any) -> Any:
    return json.loads(installation.command("-m", "tests.verification.driver", verb, json.dumps(arguments)).stdout)


def test_workers_killed_twice_in_a_row_leave_one_opinion_per_claim(
    installation: CollectingInstallation, model_server: ModelServer
) -> None:
    model_server.reply = lambda seen: REPLY
    ask(installation, "begin", model="local:slow-100", claims=CLAIMS, concurrency=CONCURRENCY)

    kills = (4, 10)
    for reached in kills:
        worker = installation.worker()
        installation.wait_for(lambda reached=reached: len(model_server.seen) >= reached, f"{reached} calls")
        installation.kill(worker)
    installation.worker()
    installation.wait_for(lambda: not {"queued", "running"} & set(installation.job_states()), "the end of the job")
    report = ask(installation, "report")

    assert report["jobs"] == [["succeeded", CLAIMS, CLAIMS, 0, ""]]
    assert len(report["checks"]) == len({request for request, _ in report["checks"]}) == report["events"] == CLAIMS
    assert {support for _, support in report["checks"]} == {"supports"}
    assert len(model_server.seen) <= CLAIMS + CONCURRENCY * len(kills)
    states = Counter(state for _, state in report["calls"])
    assert (states["answered"], states["started"]) == (CLAIMS, 0)
    assert states["lost"] == len(report["calls"]) - CLAIMS
