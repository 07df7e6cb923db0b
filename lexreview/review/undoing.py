"""Which change of a card would be taken back next, read from the card's events."""

from collections.abc import Iterable
from typing import Any

from lexreview.ledger.models import Event
from lexreview.review.changing import PARTS

UNDO = "undo"
UNDOABLE = {
    "accept_finding",
    "accept_proposals",
    "add_citation",
    "add_finding",
    "confirm_in_bulk",
    "decide_citation",
    "decide_score",
    "edit_finding",
    "reject_finding",
    "remove_finding",
    "set_note",
    "set_official_source",
}
# What happens to a card as a whole and leaves its rows as they are: undoing steps over it to the change before.
STEPPED_OVER = {"assign", "park", "unpark", "ask_ruling", "give_ruling"}


def change_to_undo(newest_first: Iterable[Event]) -> Event | None:
    """The newest change of rows that still stands; None at whatever else happened to the card before,
    such as its approval, pre-filling or recomputation.

    Of a change with several events it is the last one, which holds the rows.
    """
    undone: set[Any] = set()
    for event in newest_first:
        after = event.after or {}
        version = after.get("version")
        if event.verb == UNDO:
            undone |= {version, after.get("undone")}
        elif version is None or version in undone or event.verb in STEPPED_OVER:
            continue
        else:
            return event if event.verb in UNDOABLE and PARTS in (event.before or {}) else None
    return None
