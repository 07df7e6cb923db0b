"""A small benchmark whose systems are the behaviours of the test server."""

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest

from lexreview.answers.actions import save_condition, save_system, start_collecting
from lexreview.answers.collecting import make_plan
from lexreview.jobs.models import Job
from lexreview.jobs.running import run_to_end
from lexreview.providers.actions import add_price
from lexreview.questions.models import Benchmark, Question, QuestionSet
from tests.factories import offered_to_nobody
from tests.providers.conftest import model_server, running_server
from tests.providers.server import ModelServer
from tests.review.factories import make_benchmark, make_question

__all__ = ["Collection", "collection", "model_server", "running_server"]
PRICES = {"input": "3", "output": "15", "cached": "0.3", "cache_written": "3.75", "searches": "10"}


class Collection:
    def __init__(self, benchmark: Benchmark, now: datetime) -> None:
        self.benchmark, self.now = benchmark, now

    def system(self, code: str, model: str = "plain", provider: str = "local", **settings: Any) -> None:
        fields = {
            "name": code.title(), "provider": provider, "family": code, "model_identifier": model,
            "settings": {"max_tokens": 200, **settings}, "position": 1,
        }  # fmt: skip
        save_system(benchmark=self.benchmark, code=code, fields=fields, by=None, now=self.now)

    def condition(self, code: str = "W0", *, tools: bool = False, preamble: str = "You are asked by a lawyer.") -> None:
        fields = {"titles": {}, "tools": tools, "preambles": {"en": preamble} if preamble else {}, "position": 1}
        save_condition(benchmark=self.benchmark, code=code, fields=fields, by=None, now=self.now)

    def question(self, code: str, *, of_set: str) -> None:
        """One more question with an approved key, in a set of its own."""
        question = make_question(self.benchmark, code=code)
        question.set, _ = QuestionSet.objects.get_or_create(
            benchmark=self.benchmark, code=of_set, defaults={"titles": {"en": of_set.title()}, "position": 2}
        )
        question.save()

    def price(self, model: str, provider: str = "local", **prices: str) -> None:
        add_price(
            provider=provider, model=model, valid_from=date(2026, 1, 1), prices=prices or PRICES,
            source="made for a test", by=None, now=self.now,
        )  # fmt: skip

    def start(self, systems: list[str], conditions: list[str] | None = None, **more: Any) -> Job:
        choice = {name: more.pop(name) for name in ["repetitions", "sets"] if name in more}
        plan = make_plan(benchmark=self.benchmark, systems=systems, conditions=conditions or ["W0"], **choice)
        return start_collecting(plan=plan, **{"confirmed": True, "by": None, "now": self.now, **more})

    def run(self, systems: list[str], conditions: list[str] | None = None, **more: Any) -> Job:
        return run_to_end(self.start(systems, conditions, **more))


@pytest.fixture
def collection(
    db: None, model_server: ModelServer, now: datetime, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> Collection:
    """Two questions with approved keys; jobs are run by the test itself."""
    monkeypatch.setattr("lexreview.jobs.queue.current_app.send_task", offered_to_nobody)
    monkeypatch.setattr("lexreview.providers.actions.calls.FIRST_PAUSE", 0.02)
    monkeypatch.setattr("lexreview.providers.actions.gates.FIRST_PACE", 0.02)
    settings.COLLECT_CONFIRM_USD = Decimal(10)
    benchmark = make_benchmark()
    for code in ["P01", "P02"]:
        make_question(benchmark, code=code)
        Question.objects.filter(code=code).update(benchmark_text=f"Was the payment of case {code} in time?")
    made = Collection(benchmark, now)
    made.condition()
    return made
