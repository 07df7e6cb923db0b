"""The hash chain of the ledger: what is hashed, and where a chain first breaks."""

import hashlib
import json
from collections.abc import Iterable
from datetime import UTC
from typing import Any, NamedTuple

from django.core.serializers.json import DjangoJSONEncoder

from lexreview.ledger.models import Event


class Break(NamedTuple):
    """The first event at which the chain does not hold, and what does not agree there."""

    number: int
    problem: str


def plain(value: Any) -> Any:
    """`value` as the JSON types that come back from the database (dates, decimals and lazy texts become strings)."""
    return json.loads(json.dumps(value, cls=DjangoJSONEncoder))


def hash_of(event: Event) -> str:
    """SHA-256 (hex) over the event's fields and the previous event's hash, as canonical JSON."""
    fields = {
        "number": event.number,
        "at": event.at.astimezone(UTC).isoformat(timespec="microseconds"),
        "actor": event.actor,
        "verb": event.verb,
        "object_type": event.object_type,
        "object_id": event.object_id,
        "before": event.before,
        "after": event.after,
        "reason": event.reason,
        "previous_hash": event.previous_hash,
    }
    text = json.dumps(fields, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def first_break(events: Iterable[Event]) -> Break | None:
    """The first event that was changed, removed or inserted; None when the whole chain holds.

    `events`: all events in order of their number. A removed newest event cannot be seen from the chain alone:
    compare the newest hash with one noted elsewhere.
    """
    expected, previous_hash = 1, ""
    for event in events:
        if event.number != expected:
            return Break(event.number, f"event {expected} is missing")
        if event.previous_hash != previous_hash:
            return Break(event.number, "it does not follow on the event before it")
        if event.hash != hash_of(event):
            return Break(event.number, "its content is not what was recorded")
        expected, previous_hash = expected + 1, event.hash
    return None
