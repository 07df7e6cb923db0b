"""Calls before they leave and when they are back.

Calls are the bookkeeping of a job, as its items are, and no events of the ledger: what they bring (an answer, a
verdict) is, and names the call's raw response.
"""

import hashlib
import json
import random
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import transaction

from lexreview.core.words import counted
from lexreview.jobs.kinds import Aside, Failed, Hold, Later, Remarked, Stop
from lexreview.jobs.models import Job, JobItem
from lexreview.providers.actions.gates import AHEAD_SECONDS, Ended, Place, pass_gate, teach_gates
from lexreview.providers.budgets import ZERO, Spent, spent_by
from lexreview.providers.estimating import estimated_usage
from lexreview.providers.models import Call, CallState, RawResponse, Role
from lexreview.providers.obstacles import InTheWay
from lexreview.providers.pricing import Cost, PriceList
from lexreview.providers.requests import CallRequest, Outcome, Reply
from lexreview.providers.structured import schema_of

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 120.0
BUDGET_PAUSE = 2.0
BACK = (
    "state", "reason", "obstacle", "served_model", "stop_reason", "http_status", "latency_ms", "usage", "started_at",
    "finished_at", "cost_usd", "cost_is_lower_bound",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A call that an item of a job wants. `subject`: what it is about, as the room names it. `prefix`: keys of the
    items that use the same account."""

    item: JobItem
    role: Role
    subject: str
    request: CallRequest
    prefix: str


@dataclass(frozen=True, kw_only=True)
class Begun:
    """A call that was written and may leave `after` seconds from now."""

    call: Call
    after: float
    is_paced: bool
    request: CallRequest


@dataclass(frozen=True, kw_only=True)
class Estimate:
    tokens: int
    usd: Decimal | None


@transaction.atomic(savepoint=False)
def begin_calls(*, job: Job, asked: Sequence[Asked], prices: PriceList, now: datetime) -> list[Begun | Later | Stop]:
    """Write each call that the job's budget and its account's limits allow; call it inside the job's transaction.

    After the first Stop nothing else is begun.
    """
    estimates = [_estimate(each.request, prices, now.date()) for each in asked]
    refusals = _over_budget(job, estimates)
    places = _places(asked, estimates, refusals, now)
    made: list[Begun | Later | Stop] = []
    for position, (each, estimate, refusal) in enumerate(zip(asked, estimates, refusals, strict=True)):
        if refusal is not None:
            made.append(refusal)
        elif places[position].after > AHEAD_SECONDS:
            made.append(
                Later(
                    seconds=places[position].after,
                    reason=each.request.provider,
                    obstacle=InTheWay.PACED,
                    prefix=each.prefix,
                    is_try=False,
                )
            )
        else:
            call = _call_of(job, each, estimate, now)
            made.append(Begun(call=call, request=each.request, **places[position]._asdict()))
    Call.objects.bulk_create([each.call for each in made if isinstance(each, Begun)])
    return made


def _call_of(job: Job, asked: Asked, estimate: Estimate, now: datetime) -> Call:
    return Call(
        job=job,
        item_key=asked.item.key,
        benchmark_slug=job.benchmark_slug,
        role=asked.role,
        subject=asked.subject[:200],
        provider=asked.request.provider,
        model=asked.request.model,
        request_sha256=fingerprint(asked.request),
        started_at=now,
        estimated_tokens=estimate.tokens,
        estimated_usd=estimate.usd,
    )


def _estimate(request: CallRequest, prices: PriceList, on: date) -> Estimate:
    usage = estimated_usage(request)
    cost = prices.cost(provider=request.provider, models=[request.model], on=on, usage=usage)
    return Estimate(tokens=sum(usage.values()), usd=cost.usd)


def _places(
    asked: Sequence[Asked], estimates: Sequence[Estimate], refusals: Sequence[Later | Stop | None], now: datetime
) -> dict[int, Place]:
    """By position, for what the budget allows, its place at the gate of the account."""
    by_provider: dict[str, list[int]] = {}
    for position, each in enumerate(asked):
        if refusals[position] is None:
            by_provider.setdefault(each.request.provider, []).append(position)
    places: dict[int, Place] = {}
    for provider, positions in sorted(by_provider.items()):
        tokens = [estimates[position].tokens for position in positions]
        places.update(zip(positions, pass_gate(provider, tokens=tokens, now=now), strict=True))
    return places


def mark_lost(job: Job, now: datetime) -> None:
    """Where no worker has the job: its calls at work have been left behind, and may have been charged."""
    at_work = Call.objects.of_job(job).at_work()
    at_work.update(state=CallState.LOST, obstacle=InTheWay.LOST, finished_at=now)


def drop_unsent(job: Job, keys: list[str]) -> None:
    """Calls of these items that were written and never left: nobody was asked."""
    Call.objects.of_job(job).at_work().filter(item_key__in=keys).delete()


@transaction.atomic(savepoint=False)
def end_calls(*, ended: Sequence[Ended], prices: PriceList, now: datetime) -> list[Call]:
    """Store what came back, with cost and raw response, and teach the gates. Safe to repeat."""
    calls = [_completed(each.call, each.reply, prices) for each in ended]
    # All are there: each meets itself, and the rows change in one statement.
    Call.objects.bulk_create(calls, update_conflicts=True, unique_fields=["id"], update_fields=BACK)
    raws = [_raw_of(each.call, each.reply.raw) for each in ended if each.reply.raw]
    RawResponse.objects.bulk_create(raws, ignore_conflicts=True)
    teach_gates(ended, now)
    return calls


def _completed(call: Call, reply: Reply, prices: PriceList) -> Call:
    cost = _cost(call, reply, prices)
    call.state, call.reason = CallState(reply.outcome), reply.reason[:500]
    call.obstacle = reply.obstacle
    call.served_model, call.stop_reason = reply.served_model[:200], reply.stop_reason[:500]
    call.http_status, call.latency_ms, call.usage = reply.http_status, reply.latency_ms, reply.usage
    call.started_at, call.finished_at = reply.started_at, reply.finished_at
    call.cost_usd, call.cost_is_lower_bound = cost.usd, cost.is_lower_bound
    return call


def _raw_of(call: Call, body: bytes) -> RawResponse:
    digest = hashlib.sha256(body).hexdigest()
    return RawResponse(call=call, sha256=digest, size=len(body), compressed=zlib.compress(body))


def aside_of(call: Call, reply: Reply, item: JobItem, *, prefix: str) -> Aside | None:
    """What the job does with an item whose call ended so; None or a remark for one that brought an answer, empty and
    blocked ones included. Passing errors are tried again PROVIDER_TRIES times, when the provider asks for it."""
    name, obstacle = f"{call.provider} {call.model}: {reply.reason or reply.stop_reason}", reply.obstacle
    if reply.outcome in {Outcome.ANSWERED, Outcome.EMPTY, Outcome.BLOCKED}:
        return Remarked(reason=name, obstacle=obstacle) if obstacle else None
    if reply.outcome == Outcome.PAUSING:
        return Hold(reason=name, prefix=prefix, obstacle=obstacle)
    if reply.outcome == Outcome.REJECTED or item.tries + 1 >= settings.PROVIDER_TRIES:
        return Failed(reason=name, obstacle=obstacle)
    return Later(seconds=pause_before(item.tries + 1, reply.retry_after), reason=name, obstacle=obstacle)


def pause_before(tries: int, retry_after: float | None) -> float:
    """Seconds to the next try: doubled each time, spread so that many do not come back at once, and never less than
    the provider asks for."""
    pause = float(min(FIRST_PAUSE * 2 ** (tries - 1), LONGEST_PAUSE))
    return max(pause * random.uniform(0.75, 1.25), retry_after or 0.0)  # noqa: S311 - spreading, no secret


def fingerprint(request: CallRequest) -> str:
    """SHA-256 over all that shapes the answer: model, texts, settings, tools, schema; the fence's marker does not."""
    values = {**{name: getattr(request, name) for name in request.__dataclass_fields__}, "output": None}
    marker = values.pop("marker")
    if marker:
        values |= {name: values[name].replace(marker, "") for name in ("prompt", "instructions")}
    if request.output is not None:
        values["output"] = schema_of(request.output)
    return hashlib.sha256(json.dumps(values, sort_keys=True, default=dict).encode()).hexdigest()


def _over_budget(job: Job, estimates: Sequence[Estimate]) -> list[Later | Stop | None]:
    """For each call a Stop where what is spent leaves no room for it, a Later while only calls at work, those before
    it included, might use the room up."""
    limits = budget_of(job.params)
    if limits == (None, None):
        return [None] * len(estimates)
    spent, refusals = spent_by(job), list[Later | Stop | None]()
    for estimate in estimates:
        if any(isinstance(refusal, Stop) for refusal in refusals):
            refusals.append(Later(seconds=0, reason="", is_try=False))
        elif not _fits(spent, limits, estimate, at_work=False):
            refusals.append(Stop(reason=_budget_words(spent, limits), obstacle=InTheWay.BUDGET))
        elif not _fits(spent, limits, estimate, at_work=True):
            waiting = InTheWay.BUDGET_WAIT
            refusals.append(Later(seconds=BUDGET_PAUSE, reason="", obstacle=waiting, is_try=False))
        else:
            spent += Spent(tokens_at_work=estimate.tokens, usd_at_work=estimate.usd or ZERO)
            refusals.append(None)
    return refusals


def limits_as_params(
    *, budget_usd: Decimal | None, budget_tokens: int | None, concurrency: int | None
) -> dict[str, str | int]:
    """A job's limits as its parameters keep them for `budget_of`; those that are None are not there."""
    limits = {
        "budget_usd": None if budget_usd is None else str(budget_usd),
        "budget_tokens": budget_tokens,
        "concurrency": concurrency,
    }
    return {name: value for name, value in limits.items() if value is not None}


def budget_of(params: Mapping[str, Any]) -> tuple[int | None, Decimal | None]:
    """The job's limits in tokens and USD (`budget_tokens`, `budget_usd` of its parameters), None where it has none."""
    usd = params.get("budget_usd")
    return params.get("budget_tokens"), None if usd is None else Decimal(usd)


def _fits(spent: Spent, limits: tuple[int | None, Decimal | None], estimate: Estimate, *, at_work: bool) -> bool:
    most_tokens, most_usd = limits
    used = spent.tokens + estimate.tokens + (spent.tokens_at_work if at_work else 0)
    paid = spent.usd + (estimate.usd or ZERO) + (spent.usd_at_work if at_work else ZERO)
    return (most_tokens is None or used <= most_tokens) and (most_usd is None or paid <= most_usd)


def _budget_words(spent: Spent, limits: tuple[int | None, Decimal | None]) -> str:
    """What is spent and what may be, for readers of any language: the worker does not know theirs."""
    most_tokens, most_usd = limits
    parts = []
    if most_usd is not None:
        parts.append(f"{spent.usd:.4f} / {most_usd} USD")
    if most_tokens is not None:
        parts.append(f"{spent.tokens} / {counted(most_tokens, 'token')}")
    return f"budget: {', '.join(parts)}"


def _cost(call: Call, reply: Reply, prices: PriceList) -> Cost:
    """Nobody charges for a request that was refused; what a broken connection cost nobody knows."""
    if reply.usage:
        on = reply.started_at.date()
        return prices.cost(provider=call.provider, models=[reply.served_model, call.model], on=on, usage=reply.usage)
    never_sent = reply.outcome in {Outcome.PAUSING, Outcome.REJECTED}
    if never_sent or (reply.http_status is not None and reply.http_status >= 400):
        return Cost(Decimal(0))
    return Cost(None, True)
