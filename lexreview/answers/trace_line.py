"""What an answering system did with its tools, as a time line."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.utils.dateparse import parse_datetime

from lexreview.answers.anonymous import anonymous_address


class TraceStep(NamedTuple):
    """`at`: when, None where it was not recorded; `after`: seconds since the first step that has a time."""

    kind: str
    words: str
    address: str
    is_official: bool
    at: datetime | None
    after: int | None

    @property
    def is_search(self) -> bool:
        return self.kind == "search"


def trace_steps(trace: Sequence[Mapping[str, Any]]) -> list[TraceStep]:
    """In the order of the trace; what it does not say is empty, and nothing of it is trusted to be well-formed."""
    times, seconds = _times(trace)
    return [
        TraceStep(
            kind=str(step.get("kind", "")),
            words=str(step.get("query") if step.get("kind") == "search" else step.get("title") or ""),
            address=str(step.get("address") or ""),
            is_official=bool(step.get("official")),
            at=time,
            after=step.get("after", after),
        )
        for step, time, after in zip(trace, times, seconds, strict=True)
    ]


def masked_trace(trace: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The trace without what tells the system: each step says `after`, the seconds since the first that has a time,
    instead of when it was, as answers of one run come one after the other; addresses lose what names the provider.
    """
    _clock, seconds = _times(trace)
    return [
        {
            **{name: value for name, value in step.items() if name != "at"},
            **({"address": anonymous_address(str(step["address"]))} if step.get("address") else {}),
            **({} if after is None else {"after": after}),
        }
        for step, after in zip(trace, seconds, strict=True)
    ]


def _times(trace: Sequence[Mapping[str, Any]]) -> tuple[list[datetime | None], list[int | None]]:
    """When each step was, and how many seconds after the first that has a time; None where it is not known."""
    times = [_time(step.get("at")) for step in trace]
    first = next((time for time in times if time is not None), None)
    return times, [_seconds_between(first, time) for time in times]


def _time(value: Any) -> datetime | None:
    try:
        return parse_datetime(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _seconds_between(first: datetime | None, time: datetime | None) -> int | None:
    if first is None or time is None or (first.tzinfo is None) != (time.tzinfo is None):
        return None
    return int((time - first).total_seconds())
