"""One transition of a card as a whole: its state moves, its parts stay as they are."""

from datetime import datetime
from typing import Any

from django.db import transaction

from lexreview.accounts.models import User
from lexreview.accounts.rules import roles_of
from lexreview.core.workflow import CARD_TRANSITIONS, CardState, CardVerb, check_transition
from lexreview.ledger.actions import record_event
from lexreview.review.actions.sent_once import with_key
from lexreview.review.changing import StaleCard, locked_card
from lexreview.review.models import Card
from lexreview.review.recording import fields_since, values_of, versions_of


@transaction.atomic
def move_card(
    card: Card,
    verb: CardVerb,
    *,
    by: User,
    now: datetime,
    after: dict[str, Any] | None = None,
    reason: str = "",
    version: int | None = None,
    **fields: Any,
) -> Card:
    """Move the card and set `fields` of its row, with the event. Rights are the caller's.

    `version`: the one that the person saw; None where nobody looked at the card. Raises StaleCard where it is another
    by now, and TransitionRefused.
    """
    current = locked_card(card)
    if version is not None and version != current.version:
        raise StaleCard(current, version, by=by)
    before, values = current.state, values_of(current)
    roles = roles_of(by, current.benchmark.slug)
    current.state = check_transition(CARD_TRANSITIONS, verb, state=CardState(current.state), roles=roles, reason=reason)
    current.version += 1
    for name, value in fields.items():
        setattr(current, name, value)
    current.save(update_fields=["state", "version", *fields])
    record_event(
        by=by,
        verb=verb.value,
        object_type="card",
        object_id=current.ledger_id,
        before={"state": before},
        after={
            **with_key(after or {}),
            "version": current.version,
            "state": current.state,
            **versions_of(current),
            **fields_since(values, current),
        },
        reason=reason,
        now=now,
    )
    return current
