"""Writing jobs: what people ask for (`control`) and what workers report (`turns`)."""

from lexreview.jobs.actions.control import (
    AlreadyRunning,
    NothingToDo,
    NotPossible,
    cancel_job,
    resume_job,
    retry_failed,
    start_job,
)

__all__ = [
    "AlreadyRunning",
    "NotPossible",
    "NothingToDo",
    "cancel_job",
    "resume_job",
    "retry_failed",
    "start_job",
]
