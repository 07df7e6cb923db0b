"""Writing the ledger: the only way an event comes to be."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from django.db import connection

from lexreview.ledger.chain import hash_of, plain
from lexreview.ledger.models import Event
from lexreview.prepared import Prepared

SYSTEM_ACTOR = "system"
BATCH = 500
_newest = Prepared(lambda: Event.objects.newest_first().values_list("number", "hash")[:1])
LOCK_AND_NEWEST = (
    "SELECT pg_advisory_xact_lock(7103864); SELECT number, hash FROM ledger_event ORDER BY number DESC LIMIT 1"
)
"""Two statements in one round trip: each sees what was committed when it began, so the second sees what the lock waited
for. One statement of both would not."""


class Actor(Protocol):
    def get_username(self) -> str: ...


class NotInTransaction(RuntimeError):
    """An event must be written in the transaction of the change that it records."""


@dataclass(frozen=True, kw_only=True)
class EventDraft:
    """What an action wants recorded; `before` and `after` are JSON-like, None where there was or is nothing."""

    verb: str
    object_type: str
    object_id: str | int
    before: Any = None
    after: Any = None
    reason: str = ""


def record_event(
    *,
    by: Actor | None,
    verb: str,
    object_type: str,
    object_id: str | int,
    now: datetime,
    before: Any = None,
    after: Any = None,
    reason: str = "",
) -> Event:
    """Append one event. `by` None means that code acted by itself (actor "system"). Call it last in an action."""
    draft = EventDraft(
        verb=verb, object_type=object_type, object_id=object_id, before=before, after=after, reason=reason
    )
    return record_events(by=by, drafts=[draft], now=now)[0]


def record_events(*, by: Actor | None, drafts: Sequence[EventDraft], now: datetime) -> list[Event]:
    """Append several events in the order given, as one write.

    Raises NotInTransaction outside a transaction. Writers queue on one lock for the rest of their transaction:
    the chain has one order. So lock and write the rows first, record last.
    """
    if not connection.in_atomic_block:
        raise NotInTransaction("record_event was called outside a transaction")
    number, previous_hash = _newest_once_locked()
    actor = by.get_username() if by is not None else SYSTEM_ACTOR
    events = []
    for draft in drafts:
        number += 1
        event = Event(
            number=number,
            at=now,
            actor=actor,
            verb=draft.verb,
            object_type=draft.object_type,
            object_id=str(draft.object_id),
            before=plain(draft.before),
            after=plain(draft.after),
            reason=draft.reason,
            previous_hash=previous_hash,
        )
        event.hash = previous_hash = hash_of(event)
        events.append(event)
    return Event.objects.bulk_create(events, batch_size=BATCH)


def _newest_once_locked() -> tuple[int, str]:
    """Number and hash of the newest event, after which no other transaction writes one; (0, "") where there is none.

    PostgreSQL: an advisory lock until commit. SQLite: the transaction holds the write lock already (IMMEDIATE).
    """
    if connection.vendor != "postgresql":
        return _newest.first() or (0, "")
    with connection.cursor() as cursor:
        cursor.execute(LOCK_AND_NEWEST)
        cursor.nextset()
        return cursor.fetchone() or (0, "")
