"""Whose histories can be read: rooms above register a finder for each kind of thing; this room knows none of them.

A room registers in its module `histories`, which is imported once all rooms are there.
"""

from collections.abc import Callable
from typing import Any

from lexreview.ledger.timeline import History

Finder = Callable[[Any, str], History | None]
_finders: dict[str, Finder] = {}


def add_history(kind: str, find: Finder) -> None:
    """`find` gets the signed-in person and the name in the address; None for what the person may not see."""
    _finders[kind] = find


def find_history(kind: str, *, person: Any, name: str) -> History | None:
    """The history, or None where the kind is not known, the thing does not exist, or is not for this person."""
    finder = _finders.get(kind)
    return finder(person, name) if finder else None
