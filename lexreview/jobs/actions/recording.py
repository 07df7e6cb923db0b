from datetime import datetime
from typing import Any

from lexreview.accounts.models import User
from lexreview.jobs.models import Job
from lexreview.ledger.actions import record_event


def progress_of(job: Job) -> dict[str, Any]:
    return {"state": job.state, "total": job.total, "done": job.done, "failed": job.failed}


def record(job: Job, *, verb: str, by: User | None, now: datetime, after: Any) -> None:
    record_event(by=by, verb=verb, object_type="job", object_id=job.pk, after=after, now=now)
