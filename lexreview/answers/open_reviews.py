"""Which answers a person has still to judge: no page of a room that cannot see the reviews shows them what others said.

The reviews are kept in a room above: it registers what it knows, in its module `page_sections`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from lexreview.accounts.models import User
from lexreview.questions.models import Benchmark

OpenReviews = Callable[[User, Benchmark], set[int]]


@dataclass
class _Registry:
    asked: list[OpenReviews] = field(default_factory=list)


_registry = _Registry()


def add_open_reviews(asked: OpenReviews) -> None:
    """`asked` returns primary keys of the answers on which the person has a review to finish, in one query."""
    _registry.asked = [asked]


def under_review_by(user: User, benchmark: Benchmark) -> set[int]:
    """Primary keys of the benchmark's answers that the person has still to judge."""
    return {pk for asked in _registry.asked for pk in asked(user, benchmark)}
