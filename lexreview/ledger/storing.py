"""Rows that are created or brought up to date together with their event: nothing to change, nothing recorded."""

from datetime import datetime
from typing import Any, TypeVar

from django.db.models import Model

from lexreview.ledger.actions import Actor, record_event
from lexreview.ledger.chain import plain

M = TypeVar("M", bound=Model)


def store_row(
    model: type[M],
    *,
    by: Actor | None,
    now: datetime,
    object_type: str,
    object_id: str,
    lookup: dict[str, Any],
    fields: dict[str, Any],
    reason: str = "",
) -> M:
    """The row found by `lookup`, created or changed to have `fields`; one event where something changed.

    Call it inside an action's transaction. Foreign keys are recorded by their text.
    """
    row = model._default_manager.filter(**lookup).first()
    if row is None:
        row = model(**lookup, **fields)
        row.save(force_insert=True)
        record_event(
            by=by,
            verb=f"create_{object_type}",
            object_type=object_type,
            object_id=object_id,
            after=readable(fields),
            reason=reason,
            now=now,
        )
        return row
    changed = {name: value for name, value in fields.items() if _differs(getattr(row, name), value)}
    if not changed:
        return row
    before = readable({name: getattr(row, name) for name in changed})
    for name, value in changed.items():
        setattr(row, name, value)
    row.save(update_fields=[*changed])
    record_event(
        by=by,
        verb=f"change_{object_type}",
        object_type=object_type,
        object_id=object_id,
        before=before,
        after=readable(changed),
        reason=reason,
        now=now,
    )
    return row


def readable(fields: dict[str, Any]) -> dict[str, Any]:
    """Field values as JSON; a related row by its text."""
    return {name: str(value) if isinstance(value, Model) else value for name, value in fields.items()}


def _differs(old: Any, new: Any) -> bool:
    if isinstance(old, Model) or isinstance(new, Model):
        return bool(old != new)
    return bool(old != new) and bool(plain(old) != plain(new))
