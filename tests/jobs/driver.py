"""What a test asks an installation of its own to do: `python -m tests.jobs.driver start|report|inline JSON`."""

import json
import os
import sys
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.jobs.worker_settings")
django.setup()

from django.utils import timezone  # noqa: E402

from lexreview.jobs.actions import start_job  # noqa: E402
from lexreview.jobs.models import Job  # noqa: E402
from lexreview.jobs.tasks import run_job  # noqa: E402
from lexreview.jobs.terminal import run_job_inline  # noqa: E402


def start(*, kind: str, params: dict[str, Any], again: int = 0) -> int:
    """Start a job; `again` is how often the message of its first turn is sent once more."""
    job = start_job(kind=kind, benchmark_slug="kestria-01", params=params, by=None, now=timezone.now())
    for _ in range(again):
        run_job.delay(job_id=job.pk, turn=job.turn)
    return job.pk


def report(*, number: int) -> dict[str, Any]:
    job = Job.objects.get(pk=number)
    return {
        "state": job.state,
        "total": job.total,
        "done": job.done,
        "failed": job.failed,
        "items": list(job.items.in_order().values_list("key", "state", "error")),
    }


def inline(*, kind: str, params: dict[str, Any]) -> str:
    return run_job_inline(Job.objects.get(pk=start(kind=kind, params=params))).state


if __name__ == "__main__":
    chosen = {"start": start, "report": report, "inline": inline}[sys.argv[1]]
    print(json.dumps(chosen(**json.loads(sys.argv[2]))))
