"""What rooms above this one add to the page of a job and of one of its items.

A room registers makers in its module `page_sections`, which is imported once all rooms are there; this room asks for
what there is. Makers are only asked for people who may see the items.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from lexreview.jobs.models import Job, JobItem


class JobSection(NamedTuple):
    """A part of the page: the template prints `content` as `section`."""

    template: str
    content: Any


JobMaker = Callable[[Job], JobSection | None]
ItemMaker = Callable[[JobItem], JobSection | None]

_job_makers: dict[int, JobMaker] = {}
_item_makers: dict[int, ItemMaker] = {}


def add_job_section(*, position: int, make: JobMaker) -> None:
    """`make` returns None where there is nothing to show of the job."""
    _job_makers[position] = make


def add_item_section(*, position: int, make: ItemMaker) -> None:
    _item_makers[position] = make


def sections_of_job(job: Job) -> list[JobSection]:
    made = [make(job) for _, make in sorted(_job_makers.items())]
    return [section for section in made if section is not None]


def sections_of_item(item: JobItem) -> list[JobSection]:
    made = [make(item) for _, make in sorted(_item_makers.items())]
    return [section for section in made if section is not None]
