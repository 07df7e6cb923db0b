"""What people do with jobs. Each action is one transaction and one event of the ledger.

`by` None is code itself (a command on the server). The message to the workers leaves after the commit.
"""

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from lexreview.accounts.models import User
from lexreview.jobs.actions.recording import progress_of, record
from lexreview.jobs.kinds import JobKind, is_known, kind_named
from lexreview.jobs.models import Job, JobItem, new_turn
from lexreview.jobs.queue import offer_on_commit
from lexreview.jobs.rules import check_can_start, check_can_steer
from lexreview.jobs.states import ItemState, JobState, may_become
from lexreview.ledger.chain import plain

BATCH = 500


class NotPossible(Exception):
    """The job is in a state in which this makes no sense; the message is fit for the user."""


class NothingToDo(NotPossible):
    """The kind has no items for these parameters."""


class AlreadyRunning(NotPossible):
    """A live job does the same work. `job` is that job."""

    def __init__(self, job: Job) -> None:
        super().__init__(_("Job %(number)s is doing this already.") % {"number": job.pk})
        self.job = job


@transaction.atomic
def start_job(*, kind: str, benchmark_slug: str, params: Mapping[str, Any], by: User | None, now: datetime) -> Job:
    """A new job with its items, offered to the workers after the commit.

    `params`: JSON-like; all that the kind's `items` and `process` need beside the benchmark.
    Errors: UnknownKind, NotAllowed, AlreadyRunning, NothingToDo.
    """
    check_can_start(by, kind, benchmark_slug)
    job_kind = kind_named(kind)
    stored_params = plain(dict(params))
    fingerprint = _fingerprint(job_kind, stored_params)
    _check_not_running(benchmark_slug, kind, fingerprint)
    job = Job(
        kind=kind,
        benchmark_slug=benchmark_slug,
        params=stored_params,
        fingerprint=fingerprint,
        total=0,
        created_by=by,
        created_at=now,
        turn=new_turn(),
        heartbeat_at=now,
    )
    # Before the items: what a kind writes for them is written by one of several who start the same at the same moment.
    _save_live(job)
    keys = list(job_kind.items(stored_params))
    if not keys:
        raise NothingToDo(_("There is nothing to do."))
    job.total = len(keys)
    job.save(update_fields=["total"])
    JobItem.objects.bulk_create((JobItem(job=job, key=key) for key in keys), batch_size=BATCH)
    record(job, verb="start_job", by=by, now=now, after={"kind": kind, "params": stored_params, "items": len(keys)})
    offer_on_commit(job_id=job.pk, turn=job.turn)
    return job


@transaction.atomic
def cancel_job(*, job: Job, by: User | None, now: datetime) -> Job:
    """Ask a live job to stop. Its worker finishes the item at hand; a job that no living worker has stops at once.

    Errors: NotAllowed; NotPossible for a job that has finished or was asked to stop before.
    """
    check_can_steer(by, job)
    job = _locked(job)
    if not job.is_live:
        raise NotPossible(_("This job has finished already."))
    if job.is_stopping and not job.is_lapsed(now):
        raise NotPossible(_("This job was asked to stop already."))
    job.cancel_requested_at = now
    if job.turn_taken_at is None or job.is_lapsed(now):
        job.state, job.finished_at, job.turn, job.step = JobState.CANCELLED, now, "", ""
        _leave_nothing_at_work(job, now)
    job.save(update_fields=["cancel_requested_at", "state", "finished_at", "turn", "step"])
    record(job, verb="cancel_job", by=by, now=now, after=progress_of(job))
    return job


@transaction.atomic
def resume_job(*, job: Job, by: User | None, now: datetime) -> Job:
    """Go on with what is left of a cancelled or failed job, or of one whose worker died.

    Items that failed stay as they are (`retry_failed` queues them).
    Errors: NotAllowed; AlreadyRunning; NotPossible for a job that is alive, or has succeeded.
    """
    check_can_steer(by, job)
    job = _locked(job)
    if job.is_live and not job.is_lapsed(now):
        raise NotPossible(_("This job is at work already."))
    _queue_again(job, now=now)
    record(job, verb="resume_job", by=by, now=now, after=progress_of(job))
    return job


@transaction.atomic
def retry_failed(*, job: Job, by: User | None, now: datetime) -> Job:
    """Queue the failed items of a finished job once more, and what is left of it with them.

    Errors: NotAllowed; AlreadyRunning; NotPossible for a live job and for one without failed items.
    """
    check_can_steer(by, job)
    job = _locked(job)
    if job.is_live:
        raise NotPossible(_("This job is at work already."))
    if not job.failed:
        raise NotPossible(_("No item of this job has failed."))
    count = job.items.failed().update(
        state=ItemState.QUEUED, error="", note="", obstacle="", attempts=0, tries=0, due_at=None, started_at=None,
        finished_at=None,
    )  # fmt: skip
    job.done, job.failed = job.done - count, job.failed - count
    _queue_again(job, now=now)
    record(job, verb="retry_failed_items", by=by, now=now, after=progress_of(job))
    return job


def _fingerprint(kind: JobKind, params: Any) -> str:
    if kind.exclusive:
        return ""
    return hashlib.sha256(json.dumps(params, sort_keys=True).encode()).hexdigest()


def _check_not_running(benchmark_slug: str, kind: str, fingerprint: str) -> None:
    same = Job.objects.live().of_benchmark(benchmark_slug).filter(kind=kind, fingerprint=fingerprint)
    if job := same.newest_first().first():
        raise AlreadyRunning(job)


def _leave_nothing_at_work(job: Job, now: datetime) -> None:
    """Its worker, if it ever had one, is dead, and there may be no further turn that would see to that."""
    job.items.begun().update(state=ItemState.QUEUED)
    elsewhere = kind_named(job.kind).elsewhere if is_known(job.kind) else None
    if elsewhere is not None:
        elsewhere.left_over(job, now)


def _locked(job: Job) -> Job:
    return Job.objects.select_for_update(of=("self",)).get(pk=job.pk)


def _queue_again(job: Job, *, now: datetime) -> None:
    if not job.is_live:
        if not may_become(job.state, JobState.QUEUED):
            raise NotPossible(_("This job has done all that it was to do."))
        _check_not_running(job.benchmark_slug, job.kind, job.fingerprint)
    job.items.waiting().filter(Q(held=True) | ~Q(due_at=None)).update(held=False, due_at=None, tries=0)
    job.state, job.error, job.obstacle, job.step = JobState.QUEUED, "", "", ""
    job.finished_at = job.cancel_requested_at = job.turn_taken_at = None
    job.turn, job.heartbeat_at = new_turn(), now
    _save_live(job)
    offer_on_commit(job_id=job.pk, turn=job.turn)


def _save_live(job: Job) -> None:
    """Two at the same moment pass `_check_not_running` both; the database lets one of them through."""
    try:
        with transaction.atomic():
            job.save()
    except IntegrityError:
        _check_not_running(job.benchmark_slug, job.kind, job.fingerprint)
        raise
