"""What rooms above this one add to the page of a unit.

A room registers makers in its module `page_sections`. This room knows none of them: it asks for what there is, in order
of position.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from lexreview.accounts.models import User
from lexreview.law.unit_page import UnitPage


class UnitSection(NamedTuple):
    """A part of the page: the template prints `content` as `section`."""

    template: str
    content: Any


UnitSectionMaker = Callable[[UnitPage, User], UnitSection | None]
_makers: dict[int, UnitSectionMaker] = {}


def add_unit_section(*, position: int, make: UnitSectionMaker) -> None:
    """`make` gets the page and the person, and returns None where there is nothing to show."""
    _makers[position] = make


def unit_sections(page: UnitPage, user: User) -> list[UnitSection]:
    """The sections of one page in order of position."""
    made = (make(page, user) for _position, make in sorted(_makers.items()))
    return [section for section in made if section is not None]
