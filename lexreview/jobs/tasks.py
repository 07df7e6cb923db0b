import logging
import mmap
import time
from typing import Any

from celery import shared_task
from celery.signals import worker_shutting_down
from celery.worker import state as worker_state
from django.conf import settings
from django.utils import timezone

from lexreview.jobs.actions.turns import offer_lapsed_jobs
from lexreview.jobs.models import Job
from lexreview.jobs.queue import RUN_JOB
from lexreview.jobs.running import calls_elsewhere, work
from lexreview.jobs.sweeping import LOOK_FOR_LAPSED_JOBS

logger = logging.getLogger(__name__)

# Short turns let jobs share a worker and stay far below the time limits of tasks and brokers.
TURN_SECONDS = 30
# The end of a turn empties the line of calls at work; where no other job waits, a turn may be this many times longer.
TURNS_IN_ONE = 20

# One byte that a worker at Redis shares with the processes that it forks: they hear of nothing else during a task.
_shutting_down = mmap.mmap(-1, 1)


@shared_task(name=RUN_JOB)  # type: ignore[untyped-decorator]
def run_job(*, job_id: int, turn: str | None = None) -> None:
    """One turn of a job (without `turn`: the one now on offer). Safe to deliver twice: a turn is taken once."""
    if turn is None:
        turn = Job.objects.filter(pk=job_id).values_list("turn", flat=True).first() or ""
    work(job_id=job_id, turn=turn, may_go_on=TurnLimit(job_id))


class TurnLimit:
    """Whether a turn may go on: while its time lasts, and never once the worker stops.

    A job whose calls are at work elsewhere goes on for longer while no other job waits: the end of its turn costs time.
    """

    def __init__(self, job_id: int) -> None:
        self._job_id = job_id
        self._length = getattr(settings, "JOB_TURN_SECONDS", TURN_SECONDS)
        self._end = time.monotonic() + self._length
        more_turns = TURNS_IN_ONE - 1 if calls_elsewhere(job_id) else 0
        self._last = self._end + more_turns * self._length

    def __call__(self) -> bool:
        if _worker_is_stopping():
            return False
        now = time.monotonic()
        if self._end < now < self._last and not self._others_wait():
            self._end = min(now + self._length / TURNS_IN_ONE, self._last)
        return now < self._end

    def _others_wait(self) -> bool:
        """A job whose worker died waits too: the message by which it is found lies behind this turn."""
        return Job.objects.waiting_for_worker(timezone.now()).exclude(pk=self._job_id).exists()


@shared_task(name=LOOK_FOR_LAPSED_JOBS)  # type: ignore[untyped-decorator]
def look_for_lapsed_jobs() -> None:
    """Offer jobs again of which nobody has heard for longer than the lease. Safe at any time, any number of times."""
    if count := offer_lapsed_jobs(now=timezone.now()):
        logger.warning("jobs offered to the workers again: %s", count)


@worker_shutting_down.connect  # type: ignore[untyped-decorator]
def tell_forked_processes(**kwargs: Any) -> None:
    _shutting_down[0] = 1


def _worker_is_stopping() -> bool:
    """In the worker's own process its flags say so, in a forked one the shared byte."""
    return bool(_shutting_down[0]) or any(
        flag is not None and flag is not False for flag in (worker_state.should_stop, worker_state.should_terminate)
    )
