"""What an answering system did with its tools, as a time line."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.utils.dateparse import parse_datetime


class TraceStep(NamedTuple):
    """`at`: when, None where it was not recorded; `after`: seconds since the first step that has a time."""

    kind: str
    words: str
    address: str
    is_official: bool
    at: datetime | None
    after: int | None


def trace_steps(trace: Sequence[Mapping[str, Any]]) -> list[TraceStep]:
    """In the order of the trace; what it does not say is empty, and nothing of it is trusted to be well-formed."""
    times = [_time(step.get("at")) for step in trace]
    first = next((time for time in times if time is not None), None)
    return [
        TraceStep(
            kind=str(step.get("kind", "")),
            words=str(step.get("query") if step.get("kind") == "search" else step.get("title") or ""),
            address=str(step.get("address") or ""),
            is_official=bool(step.get("official")),
            at=time,
            after=_seconds_between(first, time),
        )
        for step, time in zip(trace, times, strict=True)
    ]


def _time(value: Any) -> datetime | None:
    try:
        return parse_datetime(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _seconds_between(first: datetime | None, time: datetime | None) -> int | None:
    if first is None or time is None or (first.tzinfo is None) != (time.tzinfo is None):
        return None
    return int((time - first).total_seconds())
