"""What rooms above this one add to the pages of a specification: what a version does to what they keep.

A room registers makers when Django starts. This room knows none of them: it asks for what there is, in order of
position.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from lexreview.accounts.models import User
from lexreview.methodology.models import Specification


class SpecificationSection(NamedTuple):
    """A part of the page: the template prints `content` as `section`."""

    template: str
    content: Any


SectionMaker = Callable[[Specification, User], SpecificationSection | None]
_makers: dict[int, SectionMaker] = {}


def add_specification_section(*, position: int, make: SectionMaker) -> None:
    """`make` gets a version, which may not be stored yet, and the person; None where there is nothing to show."""
    _makers[position] = make


def specification_sections(specification: Specification, user: User) -> list[SpecificationSection]:
    """The sections of one page in order of position."""
    made = (make(specification, user) for _position, make in sorted(_makers.items()))
    return [section for section in made if section is not None]
