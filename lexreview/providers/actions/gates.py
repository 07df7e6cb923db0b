"""The gate before a provider's account: all workers queue at one row. Call these inside a transaction that ends soon,
and before anything of it is recorded in the ledger: gates are locked in the order of their names, then the chain."""

import math
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings

from lexreview.providers.models import Call, Gate
from lexreview.providers.requests import Outcome, Reply

# The gate gives starts this far ahead; who comes later asks again instead of waiting with a connection.
AHEAD_SECONDS = 2.0
# Calls reach the provider with some jitter: a little less than the limit keeps within it.
MARGIN = 1.02
FIRST_PACE, LONGEST_PACE = 0.25, 60.0
EASING = 0.9


class Place(NamedTuple):
    """Seconds until a call may start; more than AHEAD_SECONDS: it has no place, ask again then. `is_paced`: the
    provider's refusals had slowed us down."""

    after: float
    is_paced: bool


class Ended(NamedTuple):
    """A call that is back."""

    call: Call
    reply: Reply
    is_paced: bool


def pass_gate(provider: str, *, tokens: Sequence[int], now: datetime) -> list[Place]:
    """A place for each call, by its tokens.

    Starts are spaced evenly, so no window of a minute ever holds more than the limit, however many workers ask.
    """
    gate = _locked_gate(provider, now)
    before = gate.next_call_at, gate.next_token_at
    places = [Place(_next_start(gate, number, now), gate.pace_seconds > 0) for number in tokens]
    if (gate.next_call_at, gate.next_token_at) != before:
        gate.save(update_fields=["next_call_at", "next_token_at"])
    return places


def _next_start(gate: Gate, tokens: int, now: datetime) -> float:
    calls_a_minute, tokens_a_minute = settings.PROVIDER_LIMITS.get(gate.provider, (0, 0))
    start = max(now, gate.next_call_at, gate.next_token_at, gate.held_until)
    after = float((start - now).total_seconds())
    if after > AHEAD_SECONDS:
        return after
    spacing = max(60 / calls_a_minute * MARGIN if calls_a_minute else 0.0, gate.pace_seconds)
    if spacing:
        gate.next_call_at = start + timedelta(seconds=spacing)
    if tokens_a_minute:
        gate.next_token_at = start + timedelta(seconds=60 * tokens / tokens_a_minute * MARGIN)
    return after


def teach_gates(ended: Iterable[Ended], now: datetime) -> None:
    """Refusals for going too fast hold everybody and widen the pace, once for all calls that were at work together;
    answers to calls under it narrow it again. The tokens that were estimated for a call are put right."""
    by_provider: dict[str, list[Ended]] = {}
    for each in ended:
        if each.is_paced or _is_too_fast(each.reply) or _surplus(each.call, each.reply):
            by_provider.setdefault(each.call.provider, []).append(each)
    for provider, group in sorted(by_provider.items()):
        gate = _locked_gate(provider, now)
        for each in group:
            _learn(gate, each.call, each.reply, now)
        gate.save()


def _learn(gate: Gate, call: Call, reply: Reply, now: datetime) -> None:
    if _is_too_fast(reply):
        if gate.slowed_at is None or reply.started_at > gate.slowed_at:
            gate.pace_seconds = min(max(gate.pace_seconds * 2, FIRST_PACE), LONGEST_PACE)
            gate.slowed_at = now
        wait = reply.retry_after if reply.retry_after is not None else gate.pace_seconds
        gate.held_until = max(gate.held_until, now + timedelta(seconds=wait))
    elif reply.has_text:
        eased = gate.pace_seconds * EASING
        gate.pace_seconds = eased if eased >= FIRST_PACE / 10 else 0.0
    if surplus := _surplus(call, reply):
        tokens_a_minute = settings.PROVIDER_LIMITS[gate.provider][1]
        gate.next_token_at += timedelta(seconds=math.ceil(surplus) * 60 / tokens_a_minute)


def _is_too_fast(reply: Reply) -> bool:
    return reply.outcome == Outcome.PASSING and reply.http_status in {429, 503, 529}


def _surplus(call: Call, reply: Reply) -> int:
    """Tokens beyond the estimate, negative below it; 0 where the account has no limit of tokens."""
    used = reply.usage.get("input", 0) + reply.usage.get("output", 0)
    limited = settings.PROVIDER_LIMITS.get(call.provider, (0, 0))[1]
    return used - call.estimated_tokens if limited and used else 0


def _locked_gate(provider: str, now: datetime) -> Gate:
    gate = Gate.objects.select_for_update(of=("self",)).filter(provider=provider).first()
    if gate is None:
        empty = {"next_call_at": now, "next_token_at": now, "held_until": now}
        Gate.objects.get_or_create(provider=provider, defaults=empty)
        gate = Gate.objects.select_for_update(of=("self",)).get(provider=provider)
    return gate
