"""A Celery worker inside this process, on a thread of its own: for the server and for commands that wait for a job."""

import atexit
import logging
import threading
from typing import Any

from celery import current_app
from celery.worker import state as worker_state

logger = logging.getLogger(__name__)
PAUSE_AFTER_FAILURE = 5.0
STOP_SECONDS = 10.0

_lock = threading.Lock()
_running: "WorkerThread | None" = None


class WorkerThread(threading.Thread):
    """Runs a worker with the solo pool (jobs are done on this very thread) and starts it again should it fail."""

    def __init__(self) -> None:
        super().__init__(name="in-process worker", daemon=True)
        self.ready = threading.Event()
        self._over = threading.Event()

    def run(self) -> None:
        while not self._over.is_set():
            self._controller().start()
            if not self._over.is_set():
                logger.error("the in-process worker ended; it is started again in %s s", PAUSE_AFTER_FAILURE)
                self._over.wait(PAUSE_AFTER_FAILURE)

    def stop(self, timeout: float = STOP_SECONDS) -> bool:
        """Ask the worker to end after the item at hand; whether it did within `timeout` seconds."""
        self._over.set()
        worker_state.should_stop = 0
        self.join(timeout)
        if ended := not self.is_alive():
            worker_state.should_stop = None
        return ended

    def _controller(self) -> Any:
        return current_app.WorkController(
            hostname="in-process",
            pool="solo",
            concurrency=1,
            loglevel="WARNING",
            logfile=None,
            # Celery's asynchronous loop wants the main thread.
            use_eventloop=False,
            without_heartbeat=True,
            without_mingle=True,
            without_gossip=True,
            ready_callback=lambda consumer: self.ready.set(),
        )


def start_worker_thread() -> WorkerThread:
    """Start the in-process worker, or return the one that runs."""
    global _running
    with _lock:
        if _running is None or not _running.is_alive():
            _running = WorkerThread()
            _running.start()
            atexit.register(_running.stop)
        return _running


def stop_worker_thread(timeout: float = STOP_SECONDS) -> bool:
    """Stop the in-process worker if one runs; whether none runs now. Its job goes on with the next worker."""
    with _lock:
        return _running is None or not _running.is_alive() or _running.stop(timeout)
