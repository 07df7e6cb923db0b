"""A pre-filled card and a model, played by the test server, that is asked about it."""

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from lexreview.jobs.models import Job
from lexreview.jobs.running import run_to_end
from lexreview.providers.models import Call, CallState, Role
from lexreview.questions.models import Benchmark
from lexreview.review.actions.model_prefilling import propose_by_model
from lexreview.review.model_prompt import PrefillReply, asked_about
from lexreview.review.models import Card
from lexreview.review.parts import CardParts
from lexreview.review.starting import start_model_prefill
from tests.factories import offered_to_nobody
from tests.providers.conftest import model_server, running_server
from tests.providers.server import ModelServer, Seen
from tests.review.factories import make_card

__all__ = ["Asking", "asking", "model_server", "running_server"]

CLAIM = "the time limit runs anew from that call"
SEVEN = "The fee is payable within seven days of service of the demand."


def criterion(code: str, points: float, reason: str = "It says so.", **more: Any) -> dict[str, Any]:
    return {
        "criterion": code, "points": points, "reason": reason, "quotes_from_answer": [], "quotes_from_sources": [],
        "elements": [], **more,
    }  # fmt: skip


def finding(error_class: str = "T", claim: str = CLAIM, **more: Any) -> dict[str, Any]:
    return {
        "error_class": error_class, "claim": claim, "source": "S1", "source_says": SEVEN, "origin": "memory",
        "scope": "core", "reason": "The source has no new time limit.", **more,
    }  # fmt: skip


GOOD = {
    "criteria": [
        criterion("A-R", 0, "It takes the old time limit.", quotes_from_answer=["within fourteen days of service"],
                  quotes_from_sources=[{"source": "S1", "words": "within seven days of service"}]),
        criterion("A1", 1, "Only the third element.", elements=["R3"]),
        criterion("A3", 0, "The premise is accepted.", quotes_from_answer=["The fee for a written request is due"]),
        criterion("B1", 1, "It says what to attach.", quotes_from_answer=["attach the receipt"]),
    ],
    "findings": [finding()],
}  # fmt: skip


class Asking:
    """`say` is what the model replies, as JSON or as text; `seen` what it was asked."""

    def __init__(self, card: Card, server: ModelServer, now: datetime) -> None:
        self.card, self.server, self.now = card, server, now
        self.say(GOOD)

    @property
    def benchmark(self) -> Benchmark:
        return self.card.benchmark

    def say(self, reply: Any) -> None:
        text = reply if isinstance(reply, str) else json.dumps(reply)
        self.server.reply = lambda seen: text

    def answer(self, reply: Callable[[Seen], str | None]) -> None:
        self.server.reply = reply

    def start(self, model: str = "local:plain", **more: Any) -> Job:
        options = {"confirmed": True, "by": None, "now": self.now, **more}
        return start_model_prefill(benchmark=self.benchmark, model=model, **options)

    def run(self, model: str = "local:plain", **more: Any) -> Job:
        job = run_to_end(self.start(model, **more))
        self.card = Card.objects.with_answer().get(pk=self.card.pk)
        return job

    def score(self, code: str) -> Any:
        return self.card.scores.get(criterion=code)


@pytest.fixture
def asking(
    db: None, model_server: ModelServer, now: datetime, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> Asking:
    """Jobs are run by the test itself; pauses are short."""
    monkeypatch.setattr("lexreview.jobs.queue.current_app.send_task", offered_to_nobody)
    monkeypatch.setattr("lexreview.providers.actions.calls.FIRST_PAUSE", 0.02)
    monkeypatch.setattr("lexreview.providers.actions.gates.FIRST_PACE", 0.02)
    settings.PROVIDER_TRIES = 2
    return Asking(make_card(), model_server, now)


def propose(card: Card, reply: Any, *, now: datetime, model: str = "oracle-9") -> Card:
    """Lay a reply on the card as the job does once a call is back; no model is asked."""
    card = Card.objects.with_answer().get(pk=card.pk)
    asked = asked_about(card, CardParts(card), provider="local", model=model)
    call = Call.objects.create(
        benchmark_slug=card.benchmark.slug, role=Role.PREFILL, provider="local", model=model,
        served_model=f"{model}-2026-09", request_sha256=asked.fingerprint, state=CallState.ANSWERED, started_at=now,
        finished_at=now,
    )  # fmt: skip
    read = PrefillReply.model_validate(reply)
    propose_by_model(card=card, asked=asked, reply=read, call=call, by=None, now=now)
    return Card.objects.with_answer().get(pk=card.pk)
