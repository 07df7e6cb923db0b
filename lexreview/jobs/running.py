"""One turn of a job: items one by one until the job ends, the time of the turn is over or the worker must stop."""

import logging
import threading
from collections.abc import Callable
from functools import partial
from types import TracebackType
from typing import Self

from django.db import DatabaseError, InterfaceError, connection
from django.utils import timezone

from lexreview.jobs.actions.turns import (
    MAX_ATTEMPTS,
    MAX_ATTEMPTS_AT_ONCE,
    TurnLost,
    beat,
    begin_next_item,
    end_job,
    finish_item,
    pass_turn,
    put_back_item,
    take_turn,
)
from lexreview.jobs.describing import describe
from lexreview.jobs.elsewhere import work_elsewhere
from lexreview.jobs.kinds import JobKind, StopJob, UnknownKind, kind_named
from lexreview.jobs.models import Job, JobItem, lease
from lexreview.jobs.patience import forget_connection
from lexreview.jobs.states import JobState

logger = logging.getLogger(__name__)
BEATS_PER_LEASE = 4


def work(*, job_id: int, turn: str, may_go_on: Callable[[], bool]) -> None:
    """Take the turn and work until the job ends or `may_go_on()` is False after an item; then pass the turn on.

    Does nothing for a turn that was taken before, so a message may arrive any number of times. Killed at any moment,
    the job is offered again after the lease, and only the item at hand is done a second time.
    """
    kind = _kind_of(job_id)
    attempts = MAX_ATTEMPTS_AT_ONCE if kind is not None and kind.elsewhere else MAX_ATTEMPTS
    job = take_turn(job_id=job_id, turn=turn, now=timezone.now(), max_attempts=attempts)
    if job is None:
        logger.info("job %s: turn %s is not on offer", job_id, turn)
        return
    try:
        with Heartbeat(job_id=job_id, turn=turn):
            if kind is None:
                _end(job, JobState.FAILED, str(UnknownKind(f"no kind of job is named {job.kind!r}")))
            elif kind.elsewhere is not None:
                work_elsewhere(job, kind, kind.elsewhere, may_go_on, finish=partial(_finish, kind=kind))
            else:
                _work_on(job, kind, may_go_on)
    except TurnLost:
        logger.warning("job %s was given to another worker, or ended, while this one was silent", job_id)


def run_to_end(job: Job) -> Job:
    """Do the whole job here and now, in the calling thread and without a worker; the job as it ended.

    Returns at once, with the job as it is, when a worker has it.
    """
    while True:
        job = Job.objects.get(pk=job.pk)
        if not job.is_live or job.turn_taken_at is not None:
            return job
        work(job_id=job.pk, turn=job.turn, may_go_on=lambda: True)


def _kind_of(job_id: int) -> JobKind | None:
    name = Job.objects.filter(pk=job_id).values_list("kind", flat=True).first()
    try:
        return kind_named(name) if name is not None else None
    except UnknownKind:
        return None


def calls_elsewhere(job_id: int) -> bool:
    """Whether the job's items are calls that others answer while it waits; False where nothing is known of it."""
    kind = _kind_of(job_id)
    return kind is not None and kind.elsewhere is not None


def _work_on(job: Job, kind: JobKind, may_go_on: Callable[[], bool]) -> None:
    while True:
        if job.is_stopping:
            _end(job, JobState.CANCELLED)
            return
        if not may_go_on():
            pass_turn(job_id=job.pk, turn=job.turn, now=timezone.now())
            return
        item = begin_next_item(job_id=job.pk, turn=job.turn, now=timezone.now())
        if item is None:
            _finish(job, kind)
            return
        try:
            error = _error_of(kind, item, job)
        except StopJob as reason:
            put_back_item(item=item, turn=job.turn)
            _end(job, JobState.FAILED, str(reason))
            return
        job = finish_item(item=item, turn=job.turn, error=error, now=timezone.now())


def _error_of(kind: JobKind, item: JobItem, job: Job) -> str | None:
    assert kind.process is not None
    try:
        kind.process(item.key, job.params, job)
    except StopJob:
        raise
    except Exception as error:
        logger.exception("job %s: item %s failed", job.pk, item.key)
        return describe(error)
    return None


def _finish(job: Job, kind: JobKind) -> None:
    try:
        if kind.on_finish is not None:
            kind.on_finish(job)
    except Exception as error:
        logger.exception("job %s: the last step failed", job.pk)
        _end(job, JobState.FAILED, describe(error))
        return
    _end(job, JobState.FAILED if job.failed else JobState.SUCCEEDED)


def _end(job: Job, state: JobState, error: str = "") -> None:
    end_job(job_id=job.pk, turn=job.turn, state=state, error=error, now=timezone.now())


class Heartbeat:
    """Signs of life from a thread of its own, so that an item may take longer than the lease."""

    def __init__(self, *, job_id: int, turn: str) -> None:
        self._job_id, self._turn = job_id, turn
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"heartbeat of job {job_id}", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        pause = lease().total_seconds() / BEATS_PER_LEASE
        try:
            while not self._over.wait(pause):
                self._beat()
        finally:
            connection.close()

    def _beat(self) -> None:
        try:
            if not beat(job_id=self._job_id, turn=self._turn, now=timezone.now()):
                self._over.set()
        except (DatabaseError, InterfaceError):
            logger.warning("job %s: a sign of life could not be stored", self._job_id, exc_info=True)
            forget_connection()
