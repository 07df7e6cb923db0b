"""Judges, and verdicts, which are stored once and never changed."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction

from lexreview.accounts.models import User
from lexreview.answers.models import Answer
from lexreview.judging.models import Judge, Verdict
from lexreview.judging.replies import ReadVerdict
from lexreview.judging.requesting import Asked, address_of
from lexreview.ledger.actions import EventDraft, record_events
from lexreview.ledger.storing import store_row
from lexreview.providers.models import Call, RawResponse
from lexreview.questions.models import Benchmark, KeyVersion
from lexreview.questions.rules import check_can_operate

LONGEST_FAILURE = 500


class VerdictIsFinal(ValueError):
    """The judge's verdict on that answer is stored with other content."""


class VerdictRefused(ValueError):
    """A judge votes once on an answer, and only on answers of its own benchmark."""


@transaction.atomic
def save_judge(*, benchmark: Benchmark, code: str, fields: dict[str, Any], by: User | None, now: datetime) -> Judge:
    """`fields`: name, provider, family, model_identifier, variant, search, instructions_version, settings, position."""
    check_can_operate(by, benchmark.slug)
    return store_row(
        Judge,
        by=by,
        now=now,
        object_type="judge",
        object_id=f"{benchmark.slug}/{code}",
        lookup={"benchmark": benchmark, "code": code},
        fields=fields,
    )


@dataclass(frozen=True, kw_only=True)
class VerdictDraft:
    """A judge's vote on one answer; `hallucinated` None is a failed vote. See the model for the fields.

    With `request_sha256` it was asked for by a job, here or elsewhere, and names the key version and the prompt.
    """

    answer: Answer
    specification_version: str
    judged_at: datetime
    hallucinated: bool | None
    criteria: dict[str, Any] = field(default_factory=dict)
    findings: list[dict[str, str]] = field(default_factory=list)
    dropped: list[dict[str, str]] = field(default_factory=list)
    citations_checked: list[str] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    failure: str = ""
    raw_sha256: str = ""
    key_version: KeyVersion | None = None
    request_sha256: str = ""
    prompt_version: str = ""
    prompt_sha256: str = ""
    served_model: str = ""
    repeat: int = 1
    attempt: int = 1

    def address(self, judge: Judge) -> str:
        """Empty for a verdict made elsewhere. Raises VerdictRefused where the key or the prompt is missing."""
        if not self.request_sha256:
            return ""
        if self.key_version is None or not self.prompt_version:
            raise VerdictRefused(f"verdict of {judge.code} on {self.answer.identifier} names no key or no prompt")
        return address_of(
            judge=judge.code,
            answer=self.answer,
            specification=self.specification_version,
            key=self.key_version.number,
            request_sha256=self.request_sha256,
            repeat=self.repeat,
        )


CONTENT = tuple(name for name in VerdictDraft.__dataclass_fields__ if name != "answer")
Place = tuple[int, str, int]
"""Answer, address, attempt: at most one verdict of a judge stands there."""


@transaction.atomic
def store_verdicts(*, judge: Judge, drafts: list[VerdictDraft], by: User | None, now: datetime) -> list[Verdict]:
    """Store verdicts; those stored already must be the same. Returns the new ones.

    Raises VerdictIsFinal, and VerdictRefused for two votes on one answer or an answer of another benchmark.
    """
    check_can_operate(by, judge.benchmark.slug)
    addresses = [draft.address(judge) for draft in drafts]
    _check_answers(judge, drafts, addresses)
    stored = {(row.answer_id, row.address, row.attempt): row for row in judge.verdicts.all()}
    new = []
    for draft, address in zip(drafts, addresses, strict=True):
        old = stored.get((draft.answer.pk, address, draft.attempt))
        if old is None:
            new.append(Verdict(judge=judge, address=address, **draft.__dict__))
        elif changed := [name for name in CONTENT if getattr(old, name) != getattr(draft, name)]:
            raise VerdictIsFinal(
                f"verdict of {judge.code} on {draft.answer.identifier} is stored and differs in: {', '.join(changed)}"
            )
    Verdict.objects.bulk_create(new, batch_size=200)
    if new:
        record_events(by=by, drafts=[_event(verdict) for verdict in new], now=now)
    return new


@transaction.atomic
def store_asked_verdict(
    *, asked: Asked, call: Call, read: ReadVerdict | None, failure: str = "", by: User | None, now: datetime
) -> Verdict:
    """What a call brought, at once. `read` None: a failed vote, for the reason `failure`; it is added to earlier ones.

    Where a valid verdict stands at the address, that one is returned and nothing is written.
    """
    benchmark = asked.judge.benchmark
    check_can_operate(by, benchmark.slug)
    address = asked.address
    stored = list(Verdict.objects.filter(judge=asked.judge).at(address).order_by("attempt"))
    if stored and stored[-1].is_valid:
        return stored[-1]
    raw = RawResponse.objects.filter(call=call).values_list("sha256", flat=True).first()
    content = {} if read is None else dict(read.__dict__)
    verdict = Verdict(
        judge=asked.judge,
        answer=asked.answer,
        specification_version=asked.rules.version,
        key_version=asked.key,
        judged_at=now,
        flags=asked.flags,
        failure=failure[:LONGEST_FAILURE],
        raw_sha256=raw or "",
        address=address,
        request_sha256=asked.request_sha256,
        prompt_version=asked.prompt.version,
        prompt_sha256=asked.prompt.sha256,
        served_model=call.served_model,
        repeat=asked.repeat,
        attempt=stored[-1].attempt + 1 if stored else 1,
        call=call,
        **content,
    )
    verdict.save(force_insert=True)
    record_events(by=by, drafts=[_event(verdict)], now=now)
    return verdict


def _event(verdict: Verdict) -> EventDraft:
    after: dict[str, Any] = {"hallucinated": verdict.hallucinated, "raw_sha256": verdict.raw_sha256}
    if verdict.address:
        after |= {
            "address": verdict.address,
            "specification": verdict.specification_version,
            "key": verdict.key_version.number if verdict.key_version else None,
            "prompt": verdict.prompt_version,
            "repeat": verdict.repeat,
            "attempt": verdict.attempt,
        }
    if verdict.failure:
        after["failure"] = verdict.failure
    return EventDraft(
        verb="store_verdict",
        object_type="verdict",
        object_id=f"{verdict.judge.benchmark.slug}/{verdict.judge.code}/{verdict.answer.identifier}",
        after=after,
    )


def _check_answers(judge: Judge, drafts: list[VerdictDraft], addresses: list[str]) -> None:
    seen: set[Place] = set()
    for draft, address in zip(drafts, addresses, strict=True):
        answer = draft.answer
        if answer.question.benchmark_id != judge.benchmark_id:
            raise VerdictRefused(f"answer {answer.identifier} is none of the benchmark of judge {judge.code}")
        place = answer.pk, address, draft.attempt
        if place in seen:
            raise VerdictRefused(f"judge {judge.code} votes twice on answer {answer.identifier}")
        seen.add(place)
