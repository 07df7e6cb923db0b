"""How fast a job is, and when it may be done."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from lexreview.jobs.models import Job

WINDOW = timedelta(minutes=5)


@dataclass(frozen=True)
class Pace:
    """Items a minute over the last five minutes of work; `left` is the time that all but held items take at that pace,
    None while nothing moves."""

    per_minute: float
    left: timedelta | None


def pace_of(job: Job, now: datetime, *, held: int) -> Pace | None:
    """`held`: of so many items. None for a job that has not begun, and for one that ended without an item."""
    if job.started_at is None:
        return None
    end = job.finished_at or now
    begin = max(job.started_at, end - WINDOW)
    seconds = max((end - begin).total_seconds(), 1.0)
    done = job.items.filter(finished_at__gt=begin - timedelta(milliseconds=1), finished_at__lte=end).count()
    if not done:
        return None if job.finished_at else Pace(0.0, None)
    per_second = done / seconds
    left = timedelta(seconds=round((job.left - held) / per_second)) if job.is_live else None
    return Pace(per_second * 60, left)
