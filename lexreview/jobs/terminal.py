"""Doing a job from a command: an in-process worker does the work, the terminal shows how far it is."""

import sys
import time
from typing import TextIO

from tqdm import tqdm

from lexreview.jobs.models import Job
from lexreview.jobs.worker import start_worker_thread, stop_worker_thread

LOOK_SECONDS = 0.2


def run_job_inline(job: Job, *, stream: TextIO | None = None) -> Job:
    """Wait for `job` (started before, its transaction committed) with a progress bar; the job as it ended.

    A worker on a thread of this process takes part in the work, so it needs no server; workers elsewhere may take the
    job first. Interrupted (Ctrl-C), the worker stops after the item at hand and the job goes on with the next worker.
    """
    start_worker_thread()
    try:
        return watch_job(job, stream=stream)
    finally:
        stop_worker_thread()


def watch_job(job: Job, *, stream: TextIO | None = None) -> Job:
    """A bar with done, total, rate and time left until the job has finished; the job as it ended."""
    with tqdm(total=job.total, initial=job.done, desc=job.label, unit="", file=stream or sys.stderr) as bar:
        while True:
            job = Job.objects.get(pk=job.pk)
            bar.update(job.done - bar.n)
            if job.failed:
                bar.set_postfix(failed=job.failed)
            if not job.is_live:
                return job
            time.sleep(LOOK_SECONDS)
