"""Real workers that ask a panel of judges, killed with SIGKILL at random moments and started again."""

import json
import random
import time
from collections import Counter
from typing import Any

import pytest

from tests.answers.test_killing import CollectingInstallation, finished, installation
from tests.providers.conftest import model_server, running_server
from tests.providers.server import ModelServer

__all__ = ["installation", "model_server", "running_server"]
pytestmark = pytest.mark.django_db(transaction=True)
ANSWERS, CONCURRENCY, KILLS = 12, 3, 10
MODELS = ["slow-60.judgeyes", "slow-61.judgeno", "slow-62.judgeyes"]


class JudgingInstallation(CollectingInstallation):
    def ask(self, verb: str, **arguments: Any) -> Any:
        return json.loads(self.command("-m", "tests.judging.driver", verb, json.dumps(arguments)).stdout)


def test_h9_h10_panel_killed_again_and_again_ends_with_one_verdict_per_seat_and_asks_none_twice(
    installation: CollectingInstallation, model_server: ModelServer
) -> None:
    """Every kill comes a little further on, at a random moment; the third interruptions follow right after a start."""
    installation.__class__ = JudgingInstallation
    installation.ask("begin", answers=ANSWERS, models=MODELS, concurrency=CONCURRENCY)
    calls = 3 * ANSWERS
    chance = random.Random(20261130)

    for kill in range(KILLS):
        worker = installation.worker()
        reached = len(model_server.seen) + (1 if kill % 3 == 2 else 2)
        installation.wait_for(lambda reached=reached: len(model_server.seen) >= min(reached, calls), f"call {reached}")
        time.sleep(chance.uniform(0, 0.12))
        installation.kill(worker)
        if len(model_server.seen) >= calls:
            break
    installation.worker()
    report = finished(installation)

    assert report["jobs"] == [["succeeded", calls, 0, ""]]
    assert report["answers"] == ANSWERS
    assert Counter(judge for judge, *_rest in report["verdicts"]) == dict.fromkeys(
        ("judge-a", "judge-b", "judge-c"), ANSWERS
    )
    assert {attempt for *_rest, attempt in report["verdicts"]} == {1}
    assert report["results"] == [["yes", "tie_breaker"]] * ANSWERS
    assert report["events"] == calls
    assert report["settled"] == ANSWERS
    # What had arrived was not asked for again: at most the calls at work at each kill were.
    assert len(model_server.seen) <= calls + CONCURRENCY * KILLS
    states = Counter(report["calls"])
    assert states["answered"] == calls
    assert states["lost"] == len(report["calls"]) - calls
    assert states["started"] == 0
