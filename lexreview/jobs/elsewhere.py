"""A turn of a job whose items wait for somebody else: one thread keeps the rows, an event loop waits for the calls.

Only the job's own thread touches the database, so many calls at once need neither many connections nor many
writers, and what arrives together is stored together.
"""

import asyncio
import gc
import logging
import os
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from functools import cache, partial
from typing import Any, TypeVar

from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone

from lexreview.jobs.actions.turns import (
    TurnLost,
    begin_due_items,
    close_items,
    end_job,
    lock_turn,
    pass_turn,
    queue_begun_items,
)
from lexreview.jobs.describing import describe
from lexreview.jobs.kinds import Aside, Elsewhere, Failed, JobKind, Later, Stop, Wait
from lexreview.jobs.models import Job, JobItem
from lexreview.jobs.obstacles import UNEXPECTED
from lexreview.jobs.patience import patiently
from lexreview.jobs.states import JobState

logger = logging.getLogger(__name__)
T = TypeVar("T")

LOOK_SECONDS = 0.5
MOST_AT_ONCE = 256

_loops: dict[int, asyncio.AbstractEventLoop] = {}
_lock = threading.Lock()


def background_loop() -> asyncio.AbstractEventLoop:
    """This process's event loop, on a thread of its own; connections to providers live on it from job to job."""
    with _lock:
        loop = _loops.get(os.getpid())
        if loop is None:
            loop = _loops[os.getpid()] = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="event loop", daemon=True).start()
        return loop


@cache
def keep_what_is_loaded() -> None:
    """Take all that is there out of the collector's sight, once in a process: its look at libraries that stay anyway
    takes a quarter of a second, in which neither thread can do anything."""
    gc.collect()
    gc.freeze()


class NotTogether(Exception):
    """Several items could not be done together; each is done by itself instead."""


def work_elsewhere(
    job: Job, kind: JobKind, frame: Elsewhere, may_go_on: Callable[[], bool], *, finish: Callable[[Job], None]
) -> None:
    """Work until nothing is left, the job is stopped or `may_go_on()` is False; calls at work are always waited for.

    Raises TurnLost after what had arrived was stored.
    """
    Turn(job, frame, may_go_on, finish).run()


class Turn:
    def __init__(
        self, job: Job, frame: Elsewhere, may_go_on: Callable[[], bool], finish: Callable[[Job], None]
    ) -> None:
        self.job, self.frame, self.may_go_on, self.finish = job, frame, may_go_on, finish
        self.turn = job.turn
        self.at_once = max(1, min(frame.at_once(job.params), MOST_AT_ONCE))
        self.arrived: queue.SimpleQueue[tuple[JobItem, Future[Any]]] = queue.SimpleQueue()
        # Items whose calls are at work.
        self.at_work: set[int] = set()
        # Whether items may have been begun of which we do not know.
        self.unsure = False
        self.stop: Stop | None = None
        self.lost = False

    def run(self) -> None:
        self.frame.ready()
        keep_what_is_loaded()
        patiently(lambda: self.frame.left_over(self.job, timezone.now()))
        while True:
            going_on = self._goes_on()
            begun = self._begin() if going_on else 0
            if self.at_work:
                self._take_arrived()
            elif self.lost:
                raise TurnLost(f"turn {self.turn} of job {self.job.pk} is over")
            elif not begun and self._is_over():
                return

    def _goes_on(self) -> bool:
        return not (self.lost or self.stop or self.job.is_stopping) and patiently(self.may_go_on)

    def _begin(self) -> int:
        """How many items were begun; each is at work now, or has its outcome already."""
        free = self.at_once - len(self.at_work)
        if free < 1:
            return 0
        try:
            begun = patiently(lambda: self._begun(free))
        except TurnLost:
            self.lost = True
            return 0
        for item, made in begun:
            if callable(made):
                self._send(item, made)
            elif isinstance(made, Stop):
                self.stop = self.stop or made
        return len(begun)

    def _begun(self, count: int) -> list[tuple[JobItem, Wait | Aside | None]]:
        """Tried again where the database went away: whether it had committed by then, nobody has told us."""
        if self.unsure:
            self._take_back()
        self.unsure = True
        try:
            begun = self._begun_in_one(count, prepare=self._prepare_together)
        except NotTogether:
            begun = self._begun_in_one(count, prepare=self._prepare_each)
        self.unsure = False
        return begun

    @transaction.atomic
    def _take_back(self) -> None:
        """Items that are marked as begun, and whose calls never left, are queued again."""
        job = self._locked()
        if keys := queue_begun_items(job=job, but=self.at_work):
            self.frame.not_sent(job, keys)

    def _begun_in_one(
        self, count: int, *, prepare: Callable[[list[JobItem]], list[tuple[JobItem, Wait | Aside | None]]]
    ) -> list[tuple[JobItem, Wait | Aside | None]]:
        """Begin and prepare all in one transaction, close those that need no call; calls leave after its commit."""
        with transaction.atomic():
            self.job = self._locked()
            now = timezone.now()
            items = begin_due_items(job=self.job, count=count, now=now)
            made = prepare(items)
            outcomes = [(item, outcome) for item, outcome in made if not callable(outcome)]
            if outcomes:
                close_items(job=self.job, outcomes=outcomes, now=now)
        return made

    def _prepare_together(self, items: list[JobItem]) -> list[tuple[JobItem, Wait | Aside | None]]:
        prepare_all = self.frame.prepare_all
        if prepare_all is None or not items:
            return self._prepare_each(items)
        return list(zip(items, self._tried(lambda: prepare_all(items, self.job.params, self.job)), strict=True))

    def _prepare_each(self, items: list[JobItem]) -> list[tuple[JobItem, Wait | Aside | None]]:
        made: list[tuple[JobItem, Wait | Aside | None]] = []
        for position, item in enumerate(items, start=1):
            made.append((item, self._guarded(item, partial(self.frame.prepare, item, self.job.params, self.job))))
            if isinstance(made[-1][1], Stop):
                not_tried = Later(seconds=0, reason="", is_try=False)
                return made + [(each, not_tried) for each in items[position:]]
        return made

    def _tried(self, step: Callable[[], T]) -> T:
        """Raises NotTogether, which undoes the whole transaction, where it failed for a reason that may be one
        item's: a savepoint of its own would cost each good one two statements."""
        try:
            return step()
        except (OperationalError, InterfaceError):
            raise
        except Exception as error:
            logger.warning("job %s: items could not be done together; one by one", self.job.pk, exc_info=True)
            raise NotTogether from error

    def _guarded(self, item: JobItem, step: Callable[[], Any]) -> Any:
        try:
            with transaction.atomic():
                return step()
        except (OperationalError, InterfaceError):
            raise
        except Exception as error:
            logger.exception("job %s: item %s failed", self.job.pk, item.key)
            return Failed(reason=describe(error), obstacle=UNEXPECTED)

    def _send(self, item: JobItem, wait: Wait) -> None:
        async def call() -> Any:
            return await wait()

        self.at_work.add(item.pk)
        future = asyncio.run_coroutine_threadsafe(call(), background_loop())
        future.add_done_callback(lambda done: self.arrived.put((item, done)))

    def _take_arrived(self) -> None:
        """Wait a moment for the first result, and store all that are there by then."""
        arrived = []
        try:
            arrived.append(self.arrived.get(timeout=LOOK_SECONDS))
            while True:
                arrived.append(self.arrived.get_nowait())
        except queue.Empty:
            pass
        if not arrived:
            return
        self.at_work -= {item.pk for item, _ in arrived}
        outcomes = patiently(lambda: self._taken(arrived))
        self.stop = self.stop or next((outcome for outcome in outcomes if isinstance(outcome, Stop)), None)

    def _taken(self, arrived: list[tuple[JobItem, Future[Any]]]) -> list[Aside | None]:
        try:
            return self._taken_in_one(arrived, store=self._store_together)
        except NotTogether:
            return self._taken_in_one(arrived, store=self._store_each)

    def _taken_in_one(
        self,
        arrived: list[tuple[JobItem, Future[Any]]],
        *,
        store: Callable[[list[tuple[JobItem, Future[Any]]]], list[Aside | None]],
    ) -> list[Aside | None]:
        """Store what came back and close its items, in one transaction. The job is locked first, as people who steer
        it do; where it is another worker's by now, what came back is stored all the same."""
        with transaction.atomic():
            job = self._locked_job()
            outcomes = store(arrived)
            if job is not None:
                done = [(item, outcome) for (item, _), outcome in zip(arrived, outcomes, strict=True)]
                close_items(job=job, outcomes=done, now=timezone.now())
                self.job = job
        return outcomes

    def _locked_job(self) -> Job | None:
        try:
            return self._locked()
        except TurnLost:
            self.lost = True
            return None

    def _locked(self) -> Job:
        """Raises TurnLost. Who started the job never changes and is read once."""
        job = lock_turn(job_id=self.job.pk, turn=self.turn)
        job.created_by = self.job.created_by
        return job

    def _store_together(self, arrived: list[tuple[JobItem, Future[Any]]]) -> list[Aside | None]:
        store_all = self.frame.store_all
        if store_all is None or any(future.exception() for _, future in arrived):
            return self._store_each(arrived)
        results = [(item, future.result()) for item, future in arrived]
        return self._tried(lambda: store_all(results, self.job.params, self.job))

    def _store_each(self, arrived: list[tuple[JobItem, Future[Any]]]) -> list[Aside | None]:
        return [self._store_one(item, future) for item, future in arrived]

    def _store_one(self, item: JobItem, future: "Future[Any]") -> Aside | None:
        if error := future.exception():
            logger.error("job %s: item %s failed", self.job.pk, item.key, exc_info=error)
            words = describe(error) if isinstance(error, Exception) else repr(error)
            return Failed(reason=words, obstacle=UNEXPECTED)
        outcome: Aside | None = self._guarded(
            item, lambda: self.frame.store(item, future.result(), self.job.params, self.job)
        )
        return outcome

    def _is_over(self) -> bool:
        """Whether the turn has ended, its end stored; else a pause, for nothing is due yet."""
        if self.job.is_stopping:
            self._end(JobState.CANCELLED)
        elif self.stop:
            self._end(JobState.FAILED, self.stop.reason, self.stop.obstacle)
        elif not patiently(self.may_go_on):
            patiently(lambda: pass_turn(job_id=self.job.pk, turn=self.turn, now=timezone.now()))
        else:
            return self._nothing_left() or self._paused()
        return True

    def _nothing_left(self) -> bool:
        if patiently(self.job.items.waiting().filter(held=False).exists):
            return False
        reasons = patiently(self._reasons_of_held)
        if reasons:
            self._end(JobState.FAILED, " · ".join(reasons))
        else:
            self.finish(self.job)
        return True

    def _reasons_of_held(self) -> list[str]:
        return list(self.job.items.held().order_by("note").values_list("note", flat=True).distinct()[:5])

    def _paused(self) -> bool:
        next_due = patiently(self.job.items.waiting().filter(held=False).order_by("due_at").first)
        wait = (next_due.due_at - timezone.now()).total_seconds() if next_due and next_due.due_at else 0.0
        time.sleep(min(max(wait, 0.0), LOOK_SECONDS))
        return False

    def _end(self, state: JobState, error: str = "", obstacle: str = "") -> None:
        end = partial(end_job, job_id=self.job.pk, turn=self.turn, state=state, error=error, obstacle=obstacle)
        patiently(lambda: end(now=timezone.now()))
