"""Judges, verdicts and panels as rows, without asking a model."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from lexreview.answers.models import Answer
from lexreview.core.methods.criteria.panel import Seat, Strategy, Vote, decide, state_of
from lexreview.judging.actions import save_judge, save_panel
from lexreview.judging.models import Judge, Panel, PanelResult, PanelVote, Verdict
from lexreview.questions.models import Benchmark, KeyVersion

NOW = datetime(2026, 10, 20, 9, 0, tzinfo=UTC)


def make_judge(benchmark: Benchmark, code: str = "lynx-5", **changes: Any) -> Judge:
    fields = {
        "name": code.title(), "provider": "Sable", "family": code, "model_identifier": code, "variant": "plain",
        "search": False, "instructions_version": "1", "position": 1,
    }  # fmt: skip
    return save_judge(benchmark=benchmark, code=code, fields={**fields, **changes}, by=None, now=NOW)


def make_verdict(judge: Judge, answer: Answer, hallucinated: bool | None = False, **changes: Any) -> Verdict:
    """As it was asked for here; repeats are told apart by their address."""
    values: dict[str, Any] = {
        "specification_version": "1.0.1",
        "key_version": KeyVersion.objects.filter(question=answer.question).first(),
        "judged_at": NOW,
        "prompt_version": "verdict-1",
        "request_sha256": "a" * 64,
        "repeat": 1,
        "attempt": 1,
        **changes,
    }
    address = f"{answer.pk:08}{values['repeat']:04}".ljust(64, "0")
    return Verdict.objects.create(judge=judge, answer=answer, hallucinated=hallucinated, address=address, **values)


def make_panel(benchmark: Benchmark, **changes: Any) -> Panel:
    """Judges a, b and c, adaptively, on "hallucinated"."""
    judges = {f"judge_{seat}": make_judge(benchmark, f"judge-{seat}") for seat in "abc"}
    fields = {
        "name": "Three judges",
        "strategy": "adaptive_majority",
        "items": ["hallucinated"],
        "position": 1,
        **judges,
        **changes,
    }
    return save_panel(benchmark=benchmark, code="three", fields=fields, by=None, now=NOW)


def make_result(
    panel: Panel, answer: Answer, votes: Mapping[str, bool | None], item: str = "hallucinated"
) -> PanelResult:
    """`votes`: by seat what its judge says, None for a failed vote; the outcome follows from them."""
    judges = {seat.value: judge for seat, judge in panel.judges.items()}
    verdicts = {
        seat: judges[seat].verdicts.filter(answer=answer).first() or make_verdict(judges[seat], answer, said)
        for seat, said in votes.items()
    }
    values = {Seat(seat): Vote(verdict.value_on(item)) for seat, verdict in verdicts.items()}
    strategy = Strategy(panel.strategy)
    decision = decide(strategy, values)
    result = PanelResult.objects.create(
        panel=panel,
        answer=answer,
        item=item,
        specification_version="1.0.1",
        key_version=KeyVersion.objects.get(question=answer.question),
        address=f"{answer.pk:08}{item}".ljust(64, "0")[:64],
        state=state_of(strategy, values, at_work=True),
        value=(decision.value or "") if decision else "",
        consensus=decision.consensus if decision else "",
        supporting=[seat.value for seat in decision.supporting] if decision else [],
        tie_breaker_used=bool(decision and decision.tie_breaker_used),
        begun_at=NOW,
        settled_at=NOW if decision else None,
    )
    for seat, verdict in verdicts.items():
        PanelVote.objects.create(result=result, seat=seat, verdict=verdict, value=verdict.value_on(item) or "")
    return result
