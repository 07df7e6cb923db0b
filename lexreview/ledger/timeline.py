"""Events as a readable time line: who, when, why, and word by word what became of every field."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.utils.functional import Promise

from lexreview.core.side_by_side import Sides, side_by_side
from lexreview.ledger.models import Event
from lexreview.ledger.values import group_and_field, in_words, language_of

TECHNICAL = frozenset({"version", "form", "sha256", "parts", "rows", "fields", "digest"})
LONG = 40
"""Texts from this many characters on are laid side by side; shorter values stand in one line."""

Words = Mapping[str, str | Promise]


@dataclass(frozen=True, slots=True)
class Change:
    """One value that an event changed. `sides` is None for a short value; "" stands for none. `language`: of a text
    that has its own, "" for others."""

    name: str
    before: str
    after: str
    sides: Sides | None
    language: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """An event as people read it. `about` says of what, where a time line is of several things."""

    event: Event
    words: str
    about: str
    changes: list[Change]


@dataclass(frozen=True, kw_only=True)
class History:
    """What a room says of one thing's history: which events, in which words, under which heading.

    `say` puts an event into a line where its verb alone says too little. `about`: (object type, object identifier, what
    it is called) of everything whose events belong to it. `hides`: which values the person may not see, by dotted name.
    `texts`: which values are words of the material, `claim` or `rubric.text`, and in `language`.
    """

    title: str
    back_url: str
    about: Sequence[tuple[str, str, str]]
    verbs: Words = field(default_factory=dict)
    names: Words = field(default_factory=dict)
    hides: Callable[[str], bool] = lambda name: False
    say: Callable[[Event], str] | None = None
    language: str = ""
    texts: frozenset[str] = frozenset()


def lines_of(events: Iterable[Event], history: History) -> list[Line]:
    """The events as lines, in the order given."""
    called = {(kind, name): words for kind, name, words in history.about}
    several = len(called) > 1
    return [
        Line(
            event,
            _said(event, history),
            called.get((event.object_type, event.object_id), "") if several else "",
            list(_changes(event, history)),
        )
        for event in events
    ]


def _said(event: Event, history: History) -> str:
    if history.say is not None:
        return history.say(event)
    return str(history.verbs.get(event.verb, event.verb.replace("_", " ")))


def _changes(event: Event, history: History) -> Iterator[Change]:
    say = partial(in_words, event.object_type)
    before, after = flat(_shown(event.before), say=say), flat(_shown(event.after), say=say)
    for name in [*before, *(name for name in after if name not in before)]:
        was, now = before.get(name, ""), after.get(name, "")
        if was == now or history.hides(name):
            continue
        long = len(was) >= LONG or len(now) >= LONG
        sides = side_by_side(was, now) if long else None
        yield Change(_named(name, history.names), was, now, sides, _language_of(name, history))


def _language_of(name: str, history: History) -> str:
    group, field_name = group_and_field(name)
    is_of_material = (f"{group}.{field_name}" if group else field_name) in history.texts
    return history.language if is_of_material else language_of(name)


def _shown(record: Any) -> Any:
    """The record without what only code reads; rows of a card stand beside its other values."""
    if not isinstance(record, Mapping):
        return {"": record} if record is not None else {}
    rows = record.get("parts") or record.get("rows")
    kept = {name: value for name, value in record.items() if name not in TECHNICAL}
    return {**kept, **rows} if isinstance(rows, Mapping) else kept


def _plainly(name: str, value: Any) -> str:
    return in_words("", name, value)


def flat(record: Any, path: str = "", *, say: Callable[[str, Any], str] = _plainly) -> dict[str, str]:
    """Every value under its dotted name, as `say` writes it; items of a list under their code or number, else under
    their place."""
    if isinstance(record, Mapping):
        parts = [(str(name), value) for name, value in record.items()]
    elif isinstance(record, list) and any(isinstance(each, Mapping | list) for each in record):
        parts = [(_name_of(each, place), each) for place, each in enumerate(record, start=1)]
    else:
        return {path: say(path, record)} if record not in (None, "", [], {}) else {}
    found: dict[str, str] = {}
    for name, value in parts:
        found |= flat(value, f"{path}.{name}" if path else name, say=say)
    return found


def _name_of(item: Any, place: int) -> str:
    if isinstance(item, Mapping):
        return str(item.get("code") or item.get("number") or place)
    return str(place)


def _named(name: str, names: Words) -> str:
    """`rubric.R1.text` as `rubric R1 text`, known parts in the words of the room."""
    return " ".join(str(names.get(part, part.replace("_", " "))) for part in name.split(".") if part != "value")
