"""Kinds of what can stand in the way of an item, each with its remedy.

Rows keep the code; the words are those of whoever reads the page, in their language. Upper rooms register theirs when
Django starts, as they do with kinds of jobs.
"""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

LONGEST_CODE = 30


@dataclass(frozen=True, kw_only=True)
class Obstacle:
    """`what` happened, in a few words without a full stop; `remedy`: what whoever runs the job can do, in sentences."""

    code: str
    what: str | Promise
    remedy: str | Promise


_obstacles: dict[str, Obstacle] = {}


def register_obstacle(*, code: str, what: str | Promise, remedy: str | Promise) -> None:
    """Raises ValueError for a code that is taken, or longer than its column."""
    if code in _obstacles or not 0 < len(code) <= LONGEST_CODE:
        raise ValueError(f"{code!r} is no code for a further kind of obstacle")
    _obstacles[code] = Obstacle(code=code, what=what, remedy=remedy)


def obstacle_of(code: str) -> Obstacle | None:
    """None where nothing is known but the words that were stored."""
    return _obstacles.get(code)


UNEXPECTED, WORKER_DIED = "unexpected", "worker_died"

register_obstacle(
    code=UNEXPECTED,
    what=_("An error that nobody foresaw"),
    remedy=_(
        "Retry once. If it stays, pass on the words and the time to whoever looks after the server: its log says more."
    ),
)
register_obstacle(
    code=WORKER_DIED,
    what=_("The worker died each time it began this"),
    remedy=_("It often ran out of memory: give it more, then retry."),
)
