"""What workers report. No people and no rules here: whoever holds the job's newest turn may write, nobody else.

Each outcome is stored the moment it is known, so a worker that is killed loses at most the item at hand. Only the
beginning and the end of a job are events of the ledger; its items' own actions record what they change.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from functools import lru_cache

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Coalesce

from lexreview.jobs.actions.recording import progress_of, record
from lexreview.jobs.kinds import Aside, Failed, Hold, Later, Remarked, Stop
from lexreview.jobs.models import Job, JobItem, JobQuerySet, new_turn
from lexreview.jobs.obstacles import UNEXPECTED, WORKER_DIED
from lexreview.jobs.queue import offer_on_commit
from lexreview.jobs.states import ItemState, JobState, may_become

MAX_ATTEMPTS = 3
# Of many items at work at once, the one that kills the worker cannot be told; a call that waits kills nobody.
MAX_ATTEMPTS_AT_ONCE = 20
MAX_ERROR = 2000
AT_ONCE = 100


class TurnLost(Exception):
    """Another worker has the job, or it was ended: the holder of this turn must stop and write nothing."""


@transaction.atomic
def take_turn(*, job_id: int, turn: str, now: datetime, max_attempts: int = MAX_ATTEMPTS) -> Job | None:
    """The job, now ours; None if this turn was taken before, is not the newest, or the job has finished.

    Items that a dead worker had begun are queued again; one that was begun `max_attempts` times is taken to kill its
    worker and fails.
    """
    taken = Job.objects.on_offer(number=job_id, turn=turn).update(
        state=JobState.RUNNING, turn_taken_at=now, heartbeat_at=now, started_at=Coalesce("started_at", now)
    )
    if not taken:
        return None
    job = _own(job_id, turn)
    deadly = job.items.begun().filter(attempts__gte=max_attempts)
    count = deadly.update(state=ItemState.FAILED, error=f"× {max_attempts}", obstacle=WORKER_DIED, finished_at=now)
    job.items.begun().update(state=ItemState.QUEUED)
    if count:
        job.done, job.failed = job.done + count, job.failed + count
        job.save(update_fields=["done", "failed"])
    return job


@transaction.atomic
def begin_next_item(*, job_id: int, turn: str, now: datetime) -> JobItem | None:
    """The next item, marked as begun; None when none is left. Raises TurnLost."""
    job = _own(job_id, turn)
    item = job.items.waiting().in_order().first()
    if item is None:
        return None
    item.state, item.started_at, item.attempts = ItemState.RUNNING, now, item.attempts + 1
    item.save(update_fields=["state", "started_at", "attempts"])
    job.step, job.heartbeat_at = item.key, now
    job.save(update_fields=["step", "heartbeat_at"])
    return item


@transaction.atomic
def finish_item(*, item: JobItem, turn: str, error: str | None, now: datetime) -> Job:
    """Store an item's outcome (`error` None = it succeeded) and return the job as it is now. Raises TurnLost."""
    job = _own(item.job_id, turn)
    item.state = ItemState.SUCCEEDED if error is None else ItemState.FAILED
    item.error, item.finished_at = (error or "")[:MAX_ERROR], now
    item.obstacle = "" if error is None else UNEXPECTED
    item.save(update_fields=["state", "error", "obstacle", "finished_at"])
    job.done, job.failed, job.heartbeat_at = job.done + 1, job.failed + (error is not None), now
    job.save(update_fields=["done", "failed", "heartbeat_at"])
    return job


def lock_turn(*, job_id: int, turn: str) -> Job:
    """The job as it is now, locked until the transaction ends. Raises TurnLost."""
    return _own(job_id, turn)


def begin_due_items(*, job: Job, count: int, now: datetime) -> list[JobItem]:
    """At most `count` items that are due, marked as begun. `job` is locked by `lock_turn` in this transaction."""
    if job.is_stopping or count < 1:
        return []
    items = list(job.items.due(now).in_order()[:count])
    if not items:
        return []
    for item in items:
        item.state, item.started_at, item.attempts = ItemState.RUNNING, now, item.attempts + 1
    JobItem.objects.filter(pk__in=[item.pk for item in items]).update(
        state=ItemState.RUNNING, started_at=now, attempts=F("attempts") + 1
    )
    return items


def close_items(*, job: Job, outcomes: Sequence[tuple[JobItem, Aside | None]], now: datetime) -> None:
    """Store what became of items that were begun together; None is success. `job` is locked by `lock_turn`.

    A Stop puts its item back; ending the job is the caller's. Safe to repeat when nobody knows whether it was
    committed: only items that are still at work change.
    """
    good = [item.pk for item, outcome in outcomes if outcome is None]
    aside = {item.pk: (item, outcome) for item, outcome in outcomes if outcome is not None}
    if good:
        begun = job.items.begun().filter(pk__in=good)
        job.done += begun.update(state=ItemState.SUCCEEDED, error="", note="", obstacle="", finished_at=now)
    at_work = list(job.items.begun().filter(pk__in=aside).values_list("pk", flat=True)) if aside else []
    for item, outcome in (aside[pk] for pk in at_work):
        if isinstance(outcome, Failed | Remarked):
            _close(item, outcome, now)
            job.done, job.failed = job.done + 1, job.failed + isinstance(outcome, Failed)
        else:
            _queue_later(job, item, outcome, now)
    job.heartbeat_at, job.step = now, outcomes[-1][0].key
    job.save(update_fields=["done", "failed", "heartbeat_at", "step"])


def _close(item: JobItem, outcome: Failed | Remarked, now: datetime) -> None:
    item.finished_at, item.obstacle = now, outcome.obstacle
    if isinstance(outcome, Failed):
        item.state, item.error, item.note = ItemState.FAILED, outcome.reason[:MAX_ERROR], ""
    else:
        item.state, item.error, item.note = ItemState.SUCCEEDED, "", outcome.reason[:MAX_ERROR]
    item.save(update_fields=["state", "error", "note", "obstacle", "finished_at"])


def _queue_later(job: Job, item: JobItem, outcome: Later | Hold | Stop, now: datetime) -> None:
    item.state, item.started_at, item.attempts = ItemState.QUEUED, None, item.attempts - 1
    item.note, item.obstacle = outcome.reason[:MAX_ERROR], outcome.obstacle
    if isinstance(outcome, Later):
        item.due_at, item.tries = now + timedelta(seconds=outcome.seconds), item.tries + outcome.is_try
        if outcome.prefix:
            job.items.due(item.due_at).under(outcome.prefix).update(due_at=item.due_at)
    elif isinstance(outcome, Hold):
        item.held = True
        job.items.waiting().under(outcome.prefix).update(held=True, note=item.note, obstacle=item.obstacle)
    item.save(update_fields=["state", "started_at", "attempts", "note", "obstacle", "due_at", "tries", "held"])


def queue_begun_items(*, job: Job, but: Collection[int]) -> list[str]:
    """Put back items that are marked as begun, all but these; their keys. `job` is locked by `lock_turn`."""
    items = job.items.begun().exclude(pk__in=but)
    keys = list(items.values_list("key", flat=True))
    items.update(state=ItemState.QUEUED, started_at=None, attempts=F("attempts") - 1)
    return keys


@transaction.atomic
def put_back_item(*, item: JobItem, turn: str) -> None:
    """Queue an item that was begun and not done, as if it had not been begun. Raises TurnLost."""
    _own(item.job_id, turn)
    item.state, item.started_at, item.attempts = ItemState.QUEUED, None, item.attempts - 1
    item.save(update_fields=["state", "started_at", "attempts"])


def note_step(*, job: Job, step: str) -> None:
    """Show what a long item or the end of the job is at; not recorded, and lost without harm."""
    Job.objects.filter(pk=job.pk, turn=job.turn).update(step=step[:200])


def beat(*, job_id: int, turn: str, now: datetime) -> bool:
    """A sign of life while an item takes long; False when the turn is no longer ours."""
    return Job.objects.live().filter(pk=job_id, turn=turn).update(heartbeat_at=now) == 1


@transaction.atomic
def pass_turn(*, job_id: int, turn: str, now: datetime) -> None:
    """Give the job back to the queue, so that other jobs get their turn. Raises TurnLost."""
    job = _own(job_id, turn)
    job.turn, job.turn_taken_at, job.heartbeat_at = new_turn(), None, now
    job.save(update_fields=["turn", "turn_taken_at", "heartbeat_at"])
    offer_on_commit(job_id=job.pk, turn=job.turn)


@transaction.atomic
def end_job(*, job_id: int, turn: str, state: JobState, error: str = "", obstacle: str = "", now: datetime) -> Job:
    """The job has come to `state`, for the reason `error` where that is not one item's. Raises TurnLost."""
    job = _own(job_id, turn)
    if not may_become(job.state, state):
        raise ValueError(f"a job that is {job.state} cannot become {state}")
    job.state, job.error, job.obstacle, job.finished_at = state, error[:MAX_ERROR], obstacle, now
    job.step, job.turn, job.turn_taken_at = "", "", None
    job.save(update_fields=["state", "error", "obstacle", "finished_at", "step", "turn", "turn_taken_at"])
    record(job, verb="end_job", by=None, now=now, after={**progress_of(job), "error": job.error})
    return job


def offer_lapsed_jobs(*, now: datetime) -> int:
    """Offer every lapsed job to the workers again; how many. Any number of workers may do this at the same time.

    A turn that was taken is replaced, which shuts out the worker that fell silent. A turn that nobody took is sent
    once more as it is: should both messages arrive, the second finds it taken.
    """
    return sum(_offer_again(job, now=now) for job in Job.objects.lapsed(now)[:AT_ONCE])


@transaction.atomic
def _offer_again(job: Job, *, now: datetime) -> bool:
    turn = job.turn if job.turn_taken_at is None else new_turn()
    unchanged = Job.objects.live().filter(pk=job.pk, turn=job.turn, heartbeat_at=job.heartbeat_at)
    if not unchanged.update(turn=turn, turn_taken_at=None, heartbeat_at=now):
        return False
    offer_on_commit(job_id=job.pk, turn=turn)
    return True


@lru_cache(maxsize=16)
def _rows_of(job_id: int, turn: str) -> JobQuerySet:
    """Put together once: the same question is asked twice for every call of a model."""
    return Job.objects.live().select_for_update(of=("self",)).filter(pk=job_id, turn=turn)


def _own(job_id: int, turn: str) -> Job:
    job = _rows_of(job_id, turn).first()
    if job is None:
        raise TurnLost(f"turn {turn} of job {job_id} is over")
    return job
