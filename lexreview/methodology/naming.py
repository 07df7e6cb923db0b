"""The cards that a decision touches, in the names that a person may read.

An identifier tells which system answered, and whether that is masked is known in a room above: it registers here how
identifiers are called for a person.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from lexreview.accounts.models import User

MaskedNames = Callable[[User, str, Sequence[str]], Mapping[str, str]]


class TouchedCard(NamedTuple):
    """`identifier` is "" where the person may not read it; `name` is what stands in its place, else the identifier."""

    name: str
    identifier: str


@dataclass
class _Registry:
    names: list[MaskedNames] = field(default_factory=list)


_registry = _Registry()


def add_masked_names(names: MaskedNames) -> None:
    """`names` gets a person, a benchmark's slug and identifiers; it returns a name for each that is masked for them."""
    _registry.names = [names]


def touched_cards(person: User, slug: str, identifiers: Sequence[str]) -> list[TouchedCard]:
    """The cards in the order given."""
    masked: dict[str, str] = {}
    for names in _registry.names if identifiers else ():
        masked.update(names(person, slug, identifiers))
    return [TouchedCard(masked.get(each, each), "" if each in masked else each) for each in identifiers]
