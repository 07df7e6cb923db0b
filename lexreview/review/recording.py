"""What events hold of a card so that it can be rebuilt from them, and the rebuilding.

Every event of a card carries, in `after`, the values of its row that changed (`fields`) and the rows below it that
changed or, where the card was laid out anew, all of them (`parts`, `rows`). Three things of a card are no content and
in no event: until when a person holds it, since when it waits after a return, and whether it is drawn to come back.
"""

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any

from lexreview.ledger.chain import plain
from lexreview.ledger.models import Event
from lexreview.review.models import Card
from lexreview.review.parts import CardParts

FIELDS = "fields"
ROWS = "rows"
PARTS = "parts"
KINDS = ("scores", "citations", "findings")
VALUES = (
    "version", "state", "blind", "withheld", "official_source", "note", "ruling_question", "label",
    "label_rule", "a_points", "a_available", "revision", "revision_reason", "approved_at",
)  # fmt: skip
REFERENCES: Mapping[str, Callable[[Card], Any]] = {
    "specification_id": lambda card: card.specification.version,
    "key_version_id": lambda card: card.key_version.number,
    "assigned_to_id": lambda card: card.assigned_to.username if card.assigned_to else None,
    "approved_by_id": lambda card: card.approved_by.username if card.approved_by else None,
    "verification_id": lambda card: card.verification_id,
}
ASSIGNING = ("assigned_to", "version")
"""What an event of handing cards out says of them; such events carry no `fields`, as one statement writes many rows."""
LAID_OUT = frozenset({"prefill", "restore_card", "begin_adjudication", "merge_again"})
"""Events that hold all rows of the card and not only those that changed."""

Values = dict[str, Any]


def values_of(card: Card) -> Values:
    """The card's own values as its row holds them; no query."""
    return {name: getattr(card, name) for name in (*VALUES, *REFERENCES)}


def versions_of(card: Card) -> dict[str, Any]:
    """Under which rules a card is: stands in every event that moves it from one state to another."""
    return {"specification": card.specification.version, "key_version": card.key_version.number}


def fields_since(before: Values | None, card: Card) -> Values:
    """{"fields": what differs from `before`}, references by the names that people use; all of it for None."""
    was, now = before or {}, values_of(card)
    changed = [name for name, value in now.items() if before is None or was[name] != value]
    return {FIELDS: {_name(name): _readable(card, name) for name in changed}}


def _name(name: str) -> str:
    return name.removesuffix("_id")


def _readable(card: Card, name: str) -> Any:
    if name in REFERENCES:
        return REFERENCES[name](card)
    value = getattr(card, name)
    return format(value.normalize(), "f") if isinstance(value, Decimal) else value


def state_of(card: Card) -> dict[str, Any]:
    """The whole card as plain data, as `replayed` rebuilds it."""
    records = CardParts(card).records()
    whole: dict[str, Any] = plain({**fields_since(None, card), **{kind: records[kind] for kind in KINDS}})
    return whole


def replayed(events: Iterable[Event]) -> dict[str, Any]:
    """The card as its events tell it; `events` are all of one card, in order. Compare with `state_of`."""
    state: dict[str, Any] = {FIELDS: {}, **{kind: {} for kind in KINDS}}
    for event in events:
        after: Mapping[str, Any] = event.after or {}
        state[FIELDS].update({name: after[name] for name in ASSIGNING if name in after})
        state[FIELDS].update(after.get(FIELDS, {}))
        rows: Mapping[str, Any] = after.get(PARTS) or after.get(ROWS) or {}
        for kind in KINDS:
            if event.verb in LAID_OUT and rows:
                state[kind] = dict(rows.get(kind, {}))
                continue
            for name, record in rows.get(kind, {}).items():
                if record is None:
                    state[kind].pop(name, None)
                else:
                    state[kind][name] = record
        if event.verb == "open_citation":
            row = state["citations"][str(after["citation"])]
            state["citations"][str(after["citation"])] = row | {"opened_at": after["opened_at"]}
    return state
