"""Looking for jobs whose worker was killed or whose message was lost. Every worker has it done; none has to."""

import logging
from typing import Any

from celery import bootsteps, current_app
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)
LOOK_FOR_LAPSED_JOBS = "jobs.look_for_lapsed_jobs"
SECONDS_AFTER_START = 0.5
LOOKS_PER_LEASE = 2


class Sweeper(bootsteps.StartStopStep):  # type: ignore[misc]
    """A step of Celery's worker: its timer sends a message by which a worker looks for lapsed jobs.

    By a message and not here, because the process that forks the pool must not touch the database: a connection that
    is open at a fork is broken in both.
    """

    requires = ("celery.worker.components:Timer",)

    def __init__(self, parent: Any, **kwargs: Any) -> None:
        super().__init__(parent, **kwargs)
        self._entries: list[Any] = []

    def start(self, parent: Any) -> None:
        from lexreview.jobs.models import lease

        pause = lease().total_seconds() / LOOKS_PER_LEASE
        self._entries = [
            parent.timer.call_after(SECONDS_AFTER_START, ask_for_look, (pause,)),
            parent.timer.call_repeatedly(pause, ask_for_look, (pause,)),
        ]

    def stop(self, parent: Any) -> None:
        for entry in self._entries:
            entry.cancel()

    terminate = stop


def ask_for_look(expires: float) -> None:
    try:
        current_app.send_task(LOOK_FOR_LAPSED_JOBS, expires=expires)
    except OperationalError:
        logger.warning("nobody looks for lapsed jobs: the broker does not answer", exc_info=True)
