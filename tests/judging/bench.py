"""A small benchmark whose judges are the behaviours of the test server."""

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest

from lexreview.answers.models import Answer
from lexreview.jobs.actions import resume_job, retry_failed
from lexreview.jobs.models import Job
from lexreview.jobs.running import run_to_end
from lexreview.judging.actions import save_judge, save_panel, start_judging
from lexreview.judging.models import Judge, Panel, PanelResult, Verdict
from lexreview.judging.planning import make_plan
from lexreview.providers.actions import add_price
from lexreview.questions.models import Benchmark
from tests.factories import offered_to_nobody
from tests.providers.conftest import model_server, running_server
from tests.providers.server import ModelServer
from tests.review.factories import make_answer, make_benchmark, make_question

__all__ = ["Bench", "bench", "model_server", "running_server"]
SYSTEMS = ("argon-4", "boron", "dune-2", "ember")


class Bench:
    def __init__(self, benchmark: Benchmark, now: datetime) -> None:
        self.benchmark, self.now = benchmark, now
        self.question = make_question(benchmark)

    def answer(self, system: str = "argon-4", **more: Any) -> Answer:
        return make_answer(self.question, system=system, **more)

    def judge(self, code: str, model: str = "judgeno", provider: str = "local", **changes: Any) -> Judge:
        fields = {
            "name": code.title(), "provider": provider, "family": code, "model_identifier": model, "variant": "plain",
            "search": False, "instructions_version": "verdict-1", "settings": {"max_tokens": 300}, "position": 1,
        }  # fmt: skip
        return save_judge(benchmark=self.benchmark, code=code, fields={**fields, **changes}, by=None, now=self.now)

    def panel(
        self, strategy: str, *models: str, code: str = "panel", items: tuple[str, ...] = ("hallucinated",)
    ) -> Panel:
        seats = ["judge_a", "judge_b", "judge_c"]
        judges = [
            self.judge(f"judge-{seat[-1]}", model, position=n)
            for n, (seat, model) in enumerate(zip(seats, models, strict=False))
        ]
        fields = {
            "name": "Three judges", "strategy": strategy, "items": list(items), "position": 1,
            **dict.fromkeys(seats), **dict(zip(seats, judges, strict=False)),
        }  # fmt: skip
        return save_panel(benchmark=self.benchmark, code=code, fields=fields, by=None, now=self.now)

    def price(self, model: str, provider: str = "local") -> None:
        add_price(
            provider=provider, model=model, valid_from=date(2026, 1, 1), prices={"input": "3", "output": "15"},
            source="made for a test", by=None, now=self.now,
        )  # fmt: skip

    def start(self, *judges: str, **more: Any) -> Job:
        chosen = {name: more.pop(name) for name in ("panel", "repeats", "answers") if name in more}
        plan = make_plan(benchmark=self.benchmark, judges=judges, **chosen)
        return start_judging(plan=plan, **{"confirmed": True, "by": None, "now": self.now, **more})

    def run(self, *judges: str, **more: Any) -> Job:
        return run_to_end(self.start(*judges, **more))

    def again(self, job: Job) -> Job:
        """What failed is queued again, what was held goes on."""
        act = retry_failed if job.failed else resume_job
        return run_to_end(act(job=job, by=None, now=self.now))

    def result(self, item: str = "hallucinated", **chosen: Any) -> PanelResult:
        return PanelResult.objects.with_votes().get(item=item, **chosen)

    def verdicts(self, judge: str) -> list[Verdict]:
        return list(Verdict.objects.filter(judge__code=judge).order_by("answer__identifier", "repeat", "attempt"))


@pytest.fixture
def bench(db: None, model_server: ModelServer, now: datetime, monkeypatch: pytest.MonkeyPatch, settings: Any) -> Bench:
    """One question with an approved key; jobs are run by the test itself."""
    monkeypatch.setattr("lexreview.jobs.queue.current_app.send_task", offered_to_nobody)
    monkeypatch.setattr("lexreview.providers.actions.calls.FIRST_PAUSE", 0.02)
    monkeypatch.setattr("lexreview.providers.actions.gates.FIRST_PACE", 0.02)
    monkeypatch.setattr("lexreview.judging.judge_job.WAIT_SECONDS", 0.02)
    settings.COLLECT_CONFIRM_USD = Decimal(10)
    settings.PROVIDER_TRIES = 3
    return Bench(make_benchmark(), now)
