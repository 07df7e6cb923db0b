"""Kinds of long work. Upper rooms register theirs when Django starts; this room runs them without knowing them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.utils.functional import Promise

from lexreview.core.workflow import Role

if TYPE_CHECKING:
    from lexreview.jobs.models import Job, JobItem

Params = dict[str, Any]


class UnknownKind(LookupError):
    """No room registered a kind of this name."""


class StopJob(Exception):
    """Raised by `process` when going on makes no sense (a used-up quota, a missing key): the job fails with this
    message, the item at hand and all later ones stay to do, and the job can be resumed."""


@dataclass(frozen=True, kw_only=True)
class Failed:
    """The item has failed for this reason; a person may queue it again. `obstacle`: see jobs/obstacles.py."""

    reason: str
    obstacle: str = ""


@dataclass(frozen=True, kw_only=True)
class Later:
    """The item is queued again and not begun before `seconds` have passed.

    With `prefix`, every queued item whose key begins with it waits as long: what would meet the same obstacle.
    `is_try` False: the item was not tried at all (its turn had not come), so nothing is counted against it.
    """

    seconds: float
    reason: str
    prefix: str = ""
    is_try: bool = True
    obstacle: str = ""


@dataclass(frozen=True, kw_only=True)
class Hold:
    """The item, and every queued one whose key begins with `prefix`, stays to do until a person resumes the job.

    The rest goes on; once only held items are left the job fails with the reason.
    """

    reason: str
    prefix: str
    obstacle: str = ""


@dataclass(frozen=True, kw_only=True)
class Stop:
    """As StopJob: no further item is begun, those at work are finished and stored, the job fails with the reason."""

    reason: str
    obstacle: str = ""


@dataclass(frozen=True, kw_only=True)
class Remarked:
    """The item is done, and there is something to know about it: a refusal, say, that counts as an answer."""

    reason: str
    obstacle: str


Aside = Failed | Later | Hold | Stop | Remarked
Wait = Callable[[], Awaitable[Any]]


@dataclass(frozen=True, kw_only=True)
class Elsewhere:
    """Items whose work is done by somebody else, a model's provider say, while we wait: many at a time in one worker.

    `prepare(item, params, job)` reads and writes rows and returns what to wait for: a function of no arguments that
    is called and awaited on an event loop, where it must not touch the database. None: there is nothing to do.
    `store(item, result, params, job)` writes what came back; None: the item is done. Both run on the job's own
    thread inside a transaction that is theirs alone; an exception undoes it and fails the item. `store` runs even
    when the job was given to another worker meanwhile: what has arrived is kept.
    `prepare_all(items, params, job)` and `store_all([(item, result)], params, job)` do the same for many items with
    fewer queries, an outcome for each in the order given. Should one raise, it is undone and every item of it done by
    the single function: that fails the one at fault alone.
    `at_once(params)`: how many items may wait at the same time. `ready()` runs before the first item of a turn, with
    no transaction open: what takes time to load is loaded before anybody's time is measured.
    `left_over(job, now)` runs when no worker has the job: what the rows still show at work was lost with its worker.
    `not_sent(job, keys)` runs when these items were prepared and committed, which we did not hear of: what `prepare`
    wrote for them is taken back, for nobody was asked.
    """

    prepare: Callable[[JobItem, Params, Job], Wait | Aside | None]
    store: Callable[[JobItem, Any, Params, Job], Aside | None]
    at_once: Callable[[Params], int]
    ready: Callable[[], None] = lambda: None
    left_over: Callable[[Job, datetime], None] = lambda job, now: None
    not_sent: Callable[[Job, list[str]], None] = lambda job, keys: None
    prepare_all: Callable[[list[JobItem], Params, Job], list[Wait | Aside | None]] | None = None
    store_all: Callable[[list[tuple[JobItem, Any]], Params, Job], list[Aside | None]] | None = None


@dataclass(frozen=True, kw_only=True)
class JobKind:
    """What one kind of job does.

    `items(params)` lists the keys of all items, in the order in which they are to be done; keys are unique, at most
    200 characters, and chosen so that `process` finds its rows by them. It runs once, when the job is started.
    `process(key, params, job)` does one item. It may be called again for an item that a killed worker had begun, so
    doing it twice must leave the same data as doing it once; it must not be called inside a transaction.
    Whatever it raises is stored as the outcome of this one item, except StopJob. A kind has `process` or `elsewhere`.
    `on_finish(job)` runs when every item has an outcome, failed ones included; it too may run again.
    `role` is who may start, cancel, resume and retry. `exclusive`: at most one live job of this kind per benchmark;
    otherwise at most one per benchmark and parameters.
    """

    name: str
    label: str | Promise
    items: Callable[[Params], Iterable[str]]
    process: Callable[[str, Params, Job], None] | None = None
    elsewhere: Elsewhere | None = None
    role: Role = Role.OPERATOR
    on_finish: Callable[[Job], None] | None = None
    exclusive: bool = True

    def __post_init__(self) -> None:
        if (self.process is None) == (self.elsewhere is None):
            raise ValueError(f"the kind of job {self.name!r} needs either process or elsewhere")


_kinds: dict[str, JobKind] = {}


def register(kind: JobKind) -> JobKind:
    """Make a kind known. Raises ValueError for a name that is taken by another kind."""
    known = _kinds.setdefault(kind.name, kind)
    if known != kind:
        raise ValueError(f"a kind of job named {kind.name!r} is registered already")
    return kind


def kind_named(name: str) -> JobKind:
    """Raises UnknownKind."""
    try:
        return _kinds[name]
    except KeyError as error:
        raise UnknownKind(f"no kind of job is named {name!r}") from error


def is_known(name: str) -> bool:
    return name in _kinds


def label_of(name: str) -> str:
    """The kind's label in the current language; for a kind that is no longer registered, its name."""
    return str(_kinds[name].label) if name in _kinds else name


def role_of(name: str) -> Role:
    """Who may start and stop the kind; for a kind that is no longer registered, operators."""
    return _kinds[name].role if name in _kinds else Role.OPERATOR
