"""What rooms above this one add to its pages and to the page of an answer.

A room registers makers in its module `page_sections`, which is imported once all rooms are there. This room and the
answers know none of them: they ask for what there is, in order of position.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from django.utils.functional import Promise

from lexreview.accounts.models import User
from lexreview.questions.models import Benchmark


class Place(StrEnum):
    """Whose page a section stands on; the maker gets that row."""

    BENCHMARK = "benchmark"
    QUESTION = "question"
    ANSWER = "answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A count on a benchmark's page and in the list: `part`, of `whole` where there is one."""

    label: str | Promise
    part: int
    whole: int | None = None


class Section(NamedTuple):
    """A part of a page: the template prints `content` as `section`."""

    template: str
    content: Any


FigureMaker = Callable[[Sequence[Benchmark], User], Mapping[int, Sequence[Figure]]]
SectionMaker = Callable[[Any, User], Section | None]


@dataclass
class _Registry:
    figures: dict[int, FigureMaker] = field(default_factory=dict)
    sections: dict[tuple[Place, int], SectionMaker] = field(default_factory=dict)


_registry = _Registry()


def add_figures(*, position: int, make: FigureMaker) -> None:
    """`make` returns figures by primary key of the benchmark, in a fixed number of queries for any number of them."""
    _registry.figures[position] = make


def add_section(*, place: Place, position: int, make: SectionMaker) -> None:
    """`make` gets the row of the page and the person, and returns None where there is nothing to show."""
    _registry.sections[place, position] = make


def figures_of(benchmarks: Sequence[Benchmark], user: User) -> dict[int, list[Figure]]:
    """The figures of every benchmark by its primary key, in order of position."""
    found: dict[int, list[Figure]] = {benchmark.pk: [] for benchmark in benchmarks}
    for _position, make in sorted(_registry.figures.items()):
        for pk, figures in make(benchmarks, user).items():
            found[pk].extend(figures)
    return found


def sections_of(place: Place, row: Any, user: User) -> list[Section]:
    """The sections of one page in order of position."""
    positions = sorted(position for each, position in _registry.sections if each == place)
    made = (_registry.sections[place, position](row, user) for position in positions)
    return [section for section in made if section is not None]
