"""Handing a turn to the workers."""

import logging
from functools import partial

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)
RUN_JOB = "jobs.run_job"


def offer_on_commit(*, job_id: int, turn: str) -> None:
    """Send the turn to the workers once the present transaction is committed; never if it is rolled back."""
    transaction.on_commit(partial(_offer, job_id, turn))


def _offer(job_id: int, turn: str) -> None:
    """A broker that does not answer loses nothing: every worker looks for jobs whose turn nobody took."""
    try:
        current_app.send_task(RUN_JOB, kwargs={"job_id": job_id, "turn": turn})
    except OperationalError:
        logger.warning("job %s waits for a worker to look for it: the broker does not answer", job_id, exc_info=True)
