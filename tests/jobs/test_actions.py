from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from lexreview.accounts.models import User
from lexreview.accounts.rules import NotAllowed
from lexreview.jobs.actions import AlreadyRunning, NothingToDo, NotPossible, cancel_job, resume_job, retry_failed
from lexreview.jobs.actions.turns import end_job, take_turn
from lexreview.jobs.kinds import JobKind, UnknownKind, register
from lexreview.jobs.models import Job, JobItem, lease
from lexreview.jobs.running import run_to_end
from lexreview.jobs.states import FINISHED, LIVE, TRANSITIONS, ItemState, JobState, may_become
from lexreview.ledger.models import Event
from tests.jobs.factories import Rehearsals
from tests.jobs.kinds import DUET, REHEARSAL, noted


def verbs(job: Job) -> list[str]:
    return [event.verb for event in Event.objects.about("job", job.pk).in_order()]


def test_started_job_waits_with_all_its_items_and_one_event(rehearsals: Rehearsals, operator: User) -> None:
    job = rehearsals.start(count=3)

    assert (job.state, job.total, job.done, job.failed, job.created_by) == (JobState.QUEUED, 3, 0, 0, operator)
    assert [item.key for item in job.items.waiting().in_order()] == ["item-000", "item-001", "item-002"]
    event = Event.objects.about("job", job.pk).get()
    assert (event.verb, event.actor, event.after["items"]) == ("start_job", "olek", 3)


def test_only_the_role_of_the_kind_may_start_it(rehearsals: Rehearsals, lead: User, reviewer: User) -> None:
    for person in (lead, reviewer):
        rehearsals.by = person
        with pytest.raises(NotAllowed, match="operator"):
            rehearsals.start()
    rehearsals.by = lead
    rehearsals.start(DUET.name)

    assert [job.kind for job in Job.objects.all()] == ["duet"]


def test_command_without_a_user_may_start_a_job(rehearsals: Rehearsals) -> None:
    rehearsals.by = None

    job = rehearsals.start()

    assert job.created_by is None
    assert Event.objects.about("job", job.pk).get().actor == "system"


def test_job_without_items_and_job_of_an_unknown_kind_are_refused(rehearsals: Rehearsals) -> None:
    with pytest.raises(NothingToDo):
        rehearsals.start(count=0)
    with pytest.raises(UnknownKind, match="opera"):
        rehearsals.start("opera")
    assert not Job.objects.exists()


def test_exclusive_kind_runs_once_per_benchmark(rehearsals: Rehearsals, operator: User, now: datetime) -> None:
    first = rehearsals.start(count=2)

    with pytest.raises(AlreadyRunning) as refusal:
        rehearsals.start(count=5)
    assert refusal.value.job == first

    cancel_job(job=first, by=operator, now=now)
    second = rehearsals.start(count=5)
    with pytest.raises(AlreadyRunning):
        resume_job(job=first, by=operator, now=now)
    assert Job.objects.live().get() == second


def test_other_kind_runs_once_per_parameters(rehearsals: Rehearsals, lead: User) -> None:
    rehearsals.by = lead
    rehearsals.start(DUET.name, count=1)
    rehearsals.start(DUET.name, count=2)

    with pytest.raises(AlreadyRunning):
        rehearsals.start(DUET.name, count=2)


def test_database_refuses_a_second_live_job_that_passed_the_check(
    rehearsals: Rehearsals, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = rehearsals.start()
    checks = iter([None])

    def late(*args: Any) -> None:
        """Sees nothing the first time, like a second request at the same moment."""
        if next(checks, first) is first:
            raise AlreadyRunning(first)

    monkeypatch.setattr("lexreview.jobs.actions.control._check_not_running", late)
    with pytest.raises(AlreadyRunning):
        rehearsals.start()

    assert Job.objects.count() == 1


def test_kind_cannot_take_the_name_of_another() -> None:
    register(REHEARSAL)
    with pytest.raises(ValueError, match="rehearsal"):
        register(JobKind(name="rehearsal", label="Other", items=lambda params: [], process=lambda *args: None))


def test_waiting_job_is_cancelled_at_once(rehearsals: Rehearsals, operator: User, now: datetime) -> None:
    job = rehearsals.start()

    job = cancel_job(job=job, by=operator, now=now)

    assert (job.state, job.finished_at) == (JobState.CANCELLED, now)
    assert verbs(job) == ["start_job", "cancel_job"]


def test_cancelling_is_refused_twice_and_after_the_end(rehearsals: Rehearsals, operator: User, now: datetime) -> None:
    job = rehearsals.start()
    take_turn(job_id=job.pk, turn=job.turn, now=now)

    job = cancel_job(job=job, by=operator, now=now)
    assert job.is_stopping
    with pytest.raises(NotPossible, match="already"):
        cancel_job(job=job, by=operator, now=now)

    end_job(job_id=job.pk, turn=job.turn, state=JobState.CANCELLED, now=now)
    with pytest.raises(NotPossible, match="finished"):
        cancel_job(job=job, by=operator, now=now)


def test_job_of_a_dead_worker_is_cancelled_at_once(rehearsals: Rehearsals, operator: User, now: datetime) -> None:
    job = rehearsals.start()
    take_turn(job_id=job.pk, turn=job.turn, now=now)
    later = now + lease() + timedelta(seconds=1)

    job = cancel_job(job=job, by=operator, now=later)

    assert job.state == JobState.CANCELLED


def test_cancelled_job_resumes_with_what_is_left(rehearsals: Rehearsals, operator: User, now: datetime) -> None:
    job = rehearsals.start(count=3)
    cancel_job(job=job, by=operator, now=now)

    job = run_to_end(resume_job(job=job, by=operator, now=now))

    assert (job.state, job.done) == (JobState.SUCCEEDED, 3)
    assert verbs(job) == ["start_job", "cancel_job", "resume_job", "end_job"]


def test_job_at_work_and_succeeded_job_are_not_resumed(rehearsals: Rehearsals, operator: User, now: datetime) -> None:
    job = rehearsals.start()
    with pytest.raises(NotPossible, match="at work"):
        resume_job(job=job, by=operator, now=now)

    job = run_to_end(job)
    with pytest.raises(NotPossible, match="all that it was to do"):
        resume_job(job=job, by=operator, now=now)
    with pytest.raises(NotPossible, match="No item"):
        retry_failed(job=job, by=operator, now=now)


def test_retry_does_the_failed_items_again_and_only_these(
    rehearsals: Rehearsals, operator: User, now: datetime
) -> None:
    job = run_to_end(rehearsals.start(count=4, failing=["item-001", "item-002"]))
    assert (job.state, job.done, job.failed) == (JobState.FAILED, 4, 2)
    rehearsals.repair()

    job = retry_failed(job=job, by=operator, now=now)
    assert (job.state, job.done, job.failed) == (JobState.QUEUED, 2, 0)
    job = run_to_end(job)

    assert (job.state, job.done, job.failed) == (JobState.SUCCEEDED, 4, 0)
    assert sorted(noted(rehearsals.log, "end")) == [f"item-00{n}" for n in range(4)]
    assert noted(rehearsals.log, "begin").count("item-000") == 1


@pytest.mark.parametrize("action", [cancel_job, resume_job, retry_failed])
def test_steering_needs_the_role_of_the_kind(
    rehearsals: Rehearsals, lead: User, outsider: User, action: Any, now: datetime
) -> None:
    job = rehearsals.start()

    for person in (lead, outsider):
        with pytest.raises(NotAllowed):
            action(job=job, by=person, now=now)
    job.refresh_from_db()
    assert job.cancel_requested_at is None


@pytest.mark.parametrize("before", JobState)
@pytest.mark.parametrize("after", JobState)
def test_every_transition_of_a_job(before: JobState, after: JobState) -> None:
    """Finished states are left only for the queue, success never; the dict is the only place that decides."""
    allowed = may_become(before, after)

    assert allowed == (after in TRANSITIONS[before])
    if before == after or before == JobState.SUCCEEDED:
        assert not allowed
    if before in FINISHED and after != JobState.QUEUED:
        assert not allowed
    if before in LIVE and after == JobState.CANCELLED:
        assert allowed


@pytest.mark.parametrize("state", [JobState.QUEUED, JobState.SUCCEEDED])
def test_end_that_is_no_end_is_refused(rehearsals: Rehearsals, state: JobState, now: datetime) -> None:
    job = rehearsals.start()

    with pytest.raises(ValueError, match="cannot become"):
        end_job(job_id=job.pk, turn=job.turn, state=state, now=now)


@pytest.mark.parametrize(
    "change",
    [
        {"state": "asleep"},
        {"state": JobState.SUCCEEDED},
        {"finished_at": datetime.fromisoformat("2026-10-18T12:00:00+00:00")},
        {"done": 4},
        {"failed": 1},
    ],
)
def test_database_refuses_a_job_that_contradicts_itself(rehearsals: Rehearsals, change: dict[str, Any]) -> None:
    job = rehearsals.start(count=3)

    with pytest.raises(IntegrityError), transaction.atomic():
        Job.objects.filter(pk=job.pk).update(**change)


@pytest.mark.parametrize("change", [{"state": "asleep"}, {"state": ItemState.FAILED}, {"key": "item-001"}])
def test_database_refuses_an_item_that_contradicts_itself(rehearsals: Rehearsals, change: dict[str, Any]) -> None:
    job = rehearsals.start(count=3)

    with pytest.raises(IntegrityError), transaction.atomic():
        JobItem.objects.filter(job=job, key="item-000").update(**change)
