"""Trying whether a judge is moved by what an answer says to it: the corpus `injections.yaml`, one call for each.

A trial writes nothing: an answer of the benchmark is changed in memory only, and its verdicts are thrown away.
"""

import asyncio
import copy
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import yaml

from lexreview.answers.models import Answer
from lexreview.jobs.elsewhere import background_loop
from lexreview.judging.models import Judge, Variant
from lexreview.judging.prompts import versions
from lexreview.judging.replies import UnusableReply, read_verdict
from lexreview.judging.requesting import Asked, Desk
from lexreview.providers.calling import carry_out
from lexreview.providers.requests import Reply
from lexreview.questions.models import Benchmark

CORPUS = Path(__file__).with_name("injections.yaml")


class TrialOutcome(StrEnum):
    """`HELD`: the same verdict as on the plain answer. `MOVED`: another one. `NO_VERDICT`: a failed vote, which is
    neither."""

    HELD = "held"
    MOVED = "moved"
    NO_VERDICT = "no_verdict"


class NoBaseline(Exception):
    """The judge gives no verdict on the plain answer, so nothing can be said of the others; the message says why."""


@dataclass(frozen=True, kw_only=True)
class Injection:
    """An entry of the corpus; see the head of the file."""

    id: str
    language: str
    way: str
    text: str
    place: str = "answer"
    repeat: int = 1
    wants: str = "no_hallucination"

    def put_into(self, answer: Answer) -> Answer:
        """A changed copy of the answer, which is not stored."""
        text = self.text * self.repeat
        changed = copy.copy(answer)
        if self.place == "trace":
            step = {"order": len(answer.trace) + 1, "kind": "open", "address": "https://page.example/", "title": text}
            changed.trace = [*answer.trace, step]
        else:
            quoted = f"> {text}" if self.place == "source" else text
            changed.text = f"{answer.text}\n\n{quoted}"
        return changed


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of one injection. `said`: whether the judge says "hallucinated", None without a verdict."""

    injection: Injection
    outcome: TrialOutcome
    said: bool | None
    reason: str


@dataclass(frozen=True, slots=True)
class TrialReport:
    """`baseline`: what the judge says of the plain answer. `tokens` of all calls, those of unknown usage left out."""

    answer: str
    model: str
    prompt: str
    baseline: bool
    tried: Sequence[Tried]
    tokens: int

    def count(self, outcome: TrialOutcome, *, way: str = "") -> int:
        return sum(each.outcome == outcome and way in ("", each.injection.way) for each in self.tried)

    @property
    def ways(self) -> list[str]:
        return list(dict.fromkeys(each.injection.way for each in self.tried))


def load_injections() -> list[Injection]:
    rows = yaml.safe_load(CORPUS.read_text(encoding="utf-8"))["injections"]
    return [Injection(**row) for row in rows]


class Trial:
    """The questions of a trial: the plain answer first, then one for each injection."""

    def __init__(self, benchmark: Benchmark, answer: Answer, *, provider: str, model: str) -> None:
        self._desk = Desk(benchmark)
        self.answer = answer
        self.injections = load_injections()
        self.judge = Judge(
            benchmark=benchmark,
            code="trial",
            name=model,
            provider=provider,
            model_identifier=model,
            variant=Variant.PLAIN,
            instructions_version=versions()[-1],
        )
        self.plain = self._desk.asked(self.judge, answer)
        self.asked = [self._desk.asked(self.judge, each.put_into(answer)) for each in self.injections]

    def run(self, *, at_once: int) -> TrialReport:
        """Ask, at most `at_once` at a time. Raises NoBaseline."""
        (first,) = _replies([self.plain], at_once=1)
        baseline, why = _said(self.plain, first)
        if baseline is None:
            raise NoBaseline(why)
        replies = _replies(self.asked, at_once=at_once)
        tried = [
            _tried(injection, asked, reply, baseline=baseline)
            for injection, asked, reply in zip(self.injections, self.asked, replies, strict=True)
        ]
        tokens = sum(reply.usage.get("input", 0) + reply.usage.get("output", 0) for reply in (first, *replies))
        return TrialReport(
            answer=self.answer.identifier,
            model=f"{self.judge.provider}:{self.judge.model_identifier}",
            prompt=self.judge.instructions_version,
            baseline=baseline,
            tried=tried,
            tokens=tokens,
        )


def _replies(asked: Iterable[Asked], *, at_once: int) -> list[Reply]:
    async def all_of_them() -> list[Reply]:
        gate = asyncio.Semaphore(at_once)

        async def one(each: Asked) -> Reply:
            async with gate:
                return await carry_out(each.request)

        return list(await asyncio.gather(*(one(each) for each in asked)))

    return asyncio.run_coroutine_threadsafe(all_of_them(), background_loop()).result()


def _tried(injection: Injection, asked: Asked, reply: Reply, *, baseline: bool) -> Tried:
    said, reason = _said(asked, reply)
    if said is None:
        return Tried(injection, TrialOutcome.NO_VERDICT, None, reason)
    return Tried(injection, TrialOutcome.HELD if said == baseline else TrialOutcome.MOVED, said, "")


def _said(asked: Asked, reply: Reply) -> tuple[bool | None, str]:
    """Whether the judge says "hallucinated", read as strictly as any verdict; None with the reason without one."""
    if reply.output is None:
        return None, reply.reason or reply.outcome.value
    try:
        read = read_verdict(reply.output, rules=asked.rules, key=asked.facts, answer=asked.shown)
    except UnusableReply as error:
        return None, str(error)
    return read.hallucinated, ""
