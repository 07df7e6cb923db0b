"""Whose histories can be read: rooms above register a finder for each kind of thing; this room knows none of them.

A room registers in its module `histories`, which is imported once all rooms are there. Every type of object that the
ledger speaks of is shown by one of the histories, or named here as one that is not, with the reason.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from lexreview.ledger.timeline import History

Finder = Callable[[Any, str], History | None]


class Part(NamedTuple):
    """Something with a history of its own: what it is called, and its kind and name in the address."""

    words: str
    kind: str
    name: str


class Parts(NamedTuple):
    """Parts of one sort under their heading."""

    title: str
    items: list[Part]


PartsFinder = Callable[[Any, str], Sequence[Parts]]
_finders: dict[str, Finder] = {}
_parts: dict[str, dict[int, PartsFinder]] = {}
_shown_by: dict[str, str] = {}
_without: dict[str, str] = {}


def add_history(kind: str, find: Finder, *, of: Sequence[str]) -> None:
    """`find` gets the signed-in person and the name in the address; None for what the person may not see.

    `of`: the types of objects in the ledger whose events it shows.
    """
    _finders[kind] = find
    _shown_by.update(dict.fromkeys(of, kind))


def add_parts(kind: str, find: PartsFinder, *, position: int) -> None:
    """`find` gets the person and the name of a thing whose history they may read, and returns parts of that thing."""
    _parts.setdefault(kind, {})[position] = find


def leave_without_history(object_type: str, *, because: str) -> None:
    """Events about these objects are on no page."""
    _without[object_type] = because


def types_with_history() -> dict[str, str]:
    """By type of object the kind of history that shows its events."""
    return dict(_shown_by)


def types_without_history() -> dict[str, str]:
    """By type of object the reason why no page shows its events."""
    return dict(_without)


def find_history(kind: str, *, person: Any, name: str) -> History | None:
    """The history, or None where the kind is not known, the thing does not exist, or is not for this person."""
    finder = _finders.get(kind)
    return finder(person, name) if finder else None


def parts_of(kind: str, *, person: Any, name: str) -> list[Parts]:
    """What belongs to the thing and has a history that the person may read."""
    found = [parts for _, find in sorted(_parts.get(kind, {}).items()) for parts in find(person, name)]
    return [parts for parts in found if parts.items]
