"""What the machinery of jobs costs: items per second of a kind that does nothing, and the size of a message's journey.

Runs on a database of its own in a temporary folder (SQLite), or on DATABASE_URL where that is set and empty of jobs.
Run it from the project's folder: `.venv/bin/python benchmarks/measure_jobs.py`.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
folder = tempfile.TemporaryDirectory()
os.environ["LEXREVIEW_VAR"] = folder.name
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lexreview.settings")

import django  # noqa: E402

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.utils import timezone  # noqa: E402

from lexreview.jobs.actions import start_job  # noqa: E402
from lexreview.jobs.kinds import JobKind, Params, register  # noqa: E402
from lexreview.jobs.models import Job  # noqa: E402
from lexreview.jobs.running import run_to_end  # noqa: E402
from lexreview.jobs.terminal import run_job_inline  # noqa: E402

ITEMS = 2000


def keys(params: Params) -> list[str]:
    return [f"item-{number:05d}" for number in range(params["count"])]


def nothing(key: str, params: Params, job: Job) -> None:
    return None


def started(count: int) -> tuple[Job, float]:
    begin = time.perf_counter()
    job = start_job(kind="measured", benchmark_slug="measured", params={"count": count}, by=None, now=timezone.now())
    return job, time.perf_counter() - begin


def main() -> None:
    register(JobKind(name="measured", label="Measured", items=keys, process=nothing))
    call_command("migrate", verbosity=0)
    job, seconds = started(ITEMS)
    print(f"{connection.vendor}: start a job of {ITEMS} items: {seconds * 1000:.0f} ms")
    begin = time.perf_counter()
    run_to_end(job)
    seconds = time.perf_counter() - begin
    print(f"{connection.vendor}: {ITEMS / seconds:.0f} items/s, {seconds / ITEMS * 1000:.2f} ms of machinery per item")
    job, _ = started(1)
    begin = time.perf_counter()
    job = run_job_inline(job)
    print(
        f"in-process worker: one item from start of the worker to end of the job: {time.perf_counter() - begin:.2f} s"
    )


if __name__ == "__main__":
    main()
