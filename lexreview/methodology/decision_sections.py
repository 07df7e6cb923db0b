"""What rooms above this one add to the pages of the decision log's entries: what they keep for an entry.

A room registers makers when Django starts. This room knows none of them: it asks for what there is, in order of
position.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from lexreview.accounts.models import User
from lexreview.methodology.models import Decision


class DecisionSection(NamedTuple):
    """A part of the page: the template prints `content` as `section`."""

    template: str
    content: Any


SectionMaker = Callable[[Decision, User], DecisionSection | None]
_makers: dict[int, SectionMaker] = {}


def add_decision_section(*, position: int, make: SectionMaker) -> None:
    """`make` gets an entry and the person who reads it; None where there is nothing to show."""
    _makers[position] = make


def decision_sections(decision: Decision, user: User) -> list[DecisionSection]:
    """The sections of one page in order of position."""
    made = (make(decision, user) for _position, make in sorted(_makers.items()))
    return [section for section in made if section is not None]
