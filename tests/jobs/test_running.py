from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from kombu.exceptions import OperationalError

from lexreview.accounts.models import User
from lexreview.jobs import running
from lexreview.jobs.actions import cancel_job, resume_job, retry_failed
from lexreview.jobs.actions.turns import (
    MAX_ATTEMPTS,
    TurnLost,
    beat,
    begin_next_item,
    finish_item,
    note_step,
    offer_lapsed_jobs,
    take_turn,
)
from lexreview.jobs.models import Job, lease
from lexreview.jobs.obstacles import WORKER_DIED
from lexreview.jobs.running import run_to_end, work
from lexreview.jobs.states import ItemState, JobState
from lexreview.jobs.tasks import run_job
from tests.jobs.factories import Rehearsals
from tests.jobs.kinds import note, noted


def states_of(job: Job) -> list[str]:
    return list(job.items.in_order().values_list("state", flat=True))


def test_job_does_its_items_in_order_and_ends(rehearsals: Rehearsals) -> None:
    job = rehearsals.start(count=3)

    run_job(job_id=job.pk, turn=job.turn)

    job.refresh_from_db()
    assert (job.state, job.done, job.step, job.turn) == (JobState.SUCCEEDED, 3, "", "")
    assert job.started_at is not None
    assert job.finished_at >= job.started_at
    assert noted(rehearsals.log, "end") == ["item-000", "item-001", "item-002"]
    assert noted(rehearsals.log, "finish") == ["-"]


def test_message_delivered_again_does_nothing(rehearsals: Rehearsals) -> None:
    job = rehearsals.start(count=2)

    for _ in range(3):
        run_job(job_id=job.pk, turn=job.turn)
    run_job(job_id=job.pk + 1, turn="of no job")

    assert noted(rehearsals.log, "begin") == ["item-000", "item-001"]
    assert noted(rehearsals.log, "finish") == ["-"]


def test_task_without_a_turn_takes_the_one_on_offer(rehearsals: Rehearsals) -> None:
    job = rehearsals.start(count=2)

    run_job(job_id=job.pk)
    run_job(job_id=job.pk)

    assert noted(rehearsals.log, "end") == ["item-000", "item-001"]


def test_one_failing_item_leaves_the_others_alone(rehearsals: Rehearsals) -> None:
    job = run_to_end(rehearsals.start(count=4, failing=["item-001"]))

    assert (job.state, job.done, job.failed, job.error) == (JobState.FAILED, 4, 1, "")
    assert states_of(job) == ["succeeded", "failed", "succeeded", "succeeded"]
    assert "item-001 is bad" in job.items.failed().get().error
    assert noted(rehearsals.log, "finish") == ["-"]


def test_stop_job_keeps_what_is_left_for_a_resume(rehearsals: Rehearsals, operator: User, now: datetime) -> None:
    job = run_to_end(rehearsals.start(count=3, quota="item-001"))

    assert (job.state, job.done, job.failed) == (JobState.FAILED, 1, 0)
    assert job.error == "the quota of today is used up"
    assert states_of(job) == ["succeeded", "queued", "queued"]
    assert job.items.get(key="item-001").attempts == 0
    assert noted(rehearsals.log, "finish") == []

    Job.objects.filter(pk=job.pk).update(params={**job.params, "quota": None})
    job = run_to_end(resume_job(job=job, by=operator, now=now))
    assert (job.state, job.done, job.error) == (JobState.SUCCEEDED, 3, "")


def test_failing_last_step_fails_the_job_and_can_be_resumed(
    rehearsals: Rehearsals, operator: User, now: datetime
) -> None:
    job = run_to_end(rehearsals.start(count=1, bad_end=True))
    assert (job.state, job.done, job.error) == (JobState.FAILED, 1, "ValueError: no good end")

    Job.objects.filter(pk=job.pk).update(params={**job.params, "bad_end": False})
    job = run_to_end(resume_job(job=job, by=operator, now=now))

    assert job.state == JobState.SUCCEEDED
    assert noted(rehearsals.log, "begin") == ["item-000"]


def test_kind_that_is_not_registered_any_more_fails_the_job_with_its_name(rehearsals: Rehearsals) -> None:
    job = rehearsals.start()
    Job.objects.filter(pk=job.pk).update(kind="opera")

    job = run_to_end(job)

    assert job.state == JobState.FAILED
    assert "opera" in job.error
    assert job.label == "opera"


@pytest.fixture
def cancel_during(monkeypatch: pytest.MonkeyPatch, operator: User) -> Any:
    """Cancels the job while its item with this key is being done, as another process would."""

    def arrange(key: str) -> None:
        def noting(params: dict[str, Any], word: str, item: str = "") -> None:
            note(params, word, item)
            if (word, item) == ("begin", key):
                cancel_job(job=Job.objects.get(), by=operator, now=timezone.now())

        monkeypatch.setattr("tests.jobs.kinds.note", noting)

    return arrange


def test_cancel_stops_after_the_item_at_hand(rehearsals: Rehearsals, cancel_during: Any) -> None:
    cancel_during("item-001")

    job = run_to_end(rehearsals.start(count=5))

    assert (job.state, job.done) == (JobState.CANCELLED, 2)
    assert states_of(job) == ["succeeded", "succeeded", "queued", "queued", "queued"]
    assert noted(rehearsals.log, "begin") == ["item-000", "item-001"]
    assert noted(rehearsals.log, "finish") == []


def test_job_whose_time_is_over_passes_its_turn_on(rehearsals: Rehearsals) -> None:
    job = rehearsals.start(count=4)
    first_turn = job.turn
    answers = iter([True, True, False])

    work(job_id=job.pk, turn=first_turn, may_go_on=lambda: next(answers))

    job.refresh_from_db()
    assert (job.state, job.done, job.turn_taken_at) == (JobState.RUNNING, 2, None)
    assert job.turn not in ("", first_turn)
    run_job(job_id=job.pk, turn=first_turn)
    job.refresh_from_db()
    assert job.done == 2
    run_job(job_id=job.pk, turn=job.turn)
    job.refresh_from_db()
    assert (job.state, job.done) == (JobState.SUCCEEDED, 4)
    assert noted(rehearsals.log, "begin") == noted(rehearsals.log, "end")


def abandon(job: Job, at: datetime) -> Job:
    """As a killed worker leaves it: turn taken, one item begun."""
    take_turn(job_id=job.pk, turn=job.turn, now=at)
    begin_next_item(job_id=job.pk, turn=job.turn, now=at)
    job.refresh_from_db()
    return job


def test_job_of_a_silent_worker_is_offered_again_only_after_the_lease(rehearsals: Rehearsals, now: datetime) -> None:
    job = abandon(rehearsals.start(count=2), now)
    old_turn = job.turn

    assert offer_lapsed_jobs(now=now + lease()) == 0
    assert offer_lapsed_jobs(now=now + lease() + timedelta(seconds=1)) == 1
    assert offer_lapsed_jobs(now=now + lease() + timedelta(seconds=1)) == 0

    job.refresh_from_db()
    assert job.turn != old_turn
    assert run_to_end(job).done == 2
    assert noted(rehearsals.log, "begin") == ["item-000", "item-001"]


def test_worker_that_was_shut_out_can_write_nothing(rehearsals: Rehearsals, now: datetime) -> None:
    job = rehearsals.start(count=2)
    old_turn = job.turn
    take_turn(job_id=job.pk, turn=old_turn, now=now)
    item = begin_next_item(job_id=job.pk, turn=old_turn, now=now)
    offer_lapsed_jobs(now=now + 2 * lease())

    with pytest.raises(TurnLost):
        finish_item(item=item, turn=old_turn, error=None, now=now)
    with pytest.raises(TurnLost):
        begin_next_item(job_id=job.pk, turn=old_turn, now=now)
    assert not beat(job_id=job.pk, turn=old_turn, now=now)
    note_step(job=job, step="from the past")

    job.refresh_from_db()
    assert (job.done, job.step) == (0, "item-000")


def test_shut_out_worker_ends_quietly(rehearsals: Rehearsals, monkeypatch: pytest.MonkeyPatch) -> None:
    job = rehearsals.start(count=3)

    def losing(params: dict[str, Any], word: str, key: str = "") -> None:
        note(params, word, key)
        if (word, key) == ("begin", "item-001"):
            offer_lapsed_jobs(now=timezone.now() + 2 * lease())

    monkeypatch.setattr("tests.jobs.kinds.note", losing)
    work(job_id=job.pk, turn=job.turn, may_go_on=lambda: True)

    job.refresh_from_db()
    assert (job.state, job.done, job.turn_taken_at) == (JobState.RUNNING, 1, None)


def test_turn_that_nobody_took_is_sent_again_unchanged(
    rehearsals: Rehearsals, now: datetime, django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = rehearsals.start()
    sent: list[dict[str, Any]] = []
    monkeypatch.setattr(
        "lexreview.jobs.queue.current_app.send_task", lambda name, kwargs: sent.append({"name": name, **kwargs})
    )

    with django_capture_on_commit_callbacks(execute=True):
        offer_lapsed_jobs(now=now + 2 * lease())

    assert sent == [{"name": "jobs.run_job", "job_id": job.pk, "turn": job.turn}]


def test_message_leaves_only_with_the_commit(
    rehearsals: Rehearsals, django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[int] = []
    monkeypatch.setattr(
        "lexreview.jobs.queue.current_app.send_task", lambda name, kwargs: sent.append(kwargs["job_id"])
    )

    with django_capture_on_commit_callbacks(execute=True):
        job = rehearsals.start()
        assert sent == []

    assert sent == [job.pk]


def test_item_that_kills_its_worker_fails_after_three_attempts(rehearsals: Rehearsals, now: datetime) -> None:
    job = rehearsals.start(count=2)
    for attempt in range(1, MAX_ATTEMPTS + 1):
        later = now + attempt * 2 * lease()
        job = abandon(job, later)
        assert job.items.begun().get().attempts == attempt
        offer_lapsed_jobs(now=later + 2 * lease())
        job.refresh_from_db()

    job = run_to_end(job)

    assert (job.state, job.done, job.failed) == (JobState.FAILED, 2, 1)
    assert states_of(job) == [ItemState.FAILED, ItemState.SUCCEEDED]
    failed = job.items.failed().get()
    assert (failed.error, failed.obstacle) == ("× 3", WORKER_DIED)
    assert noted(rehearsals.log, "begin") == ["item-001"]


def test_dead_workers_job_can_be_resumed_by_hand(rehearsals: Rehearsals, operator: User, now: datetime) -> None:
    job = abandon(rehearsals.start(count=2), now)
    assert not job.may_resume(now)
    later = now + 2 * lease()
    assert job.may_resume(later)

    job = run_to_end(resume_job(job=job, by=operator, now=later))

    assert (job.state, job.done) == (JobState.SUCCEEDED, 2)


def test_lapsed_job_that_waited_can_be_resumed_by_hand(rehearsals: Rehearsals, operator: User, now: datetime) -> None:
    job = rehearsals.start(count=1)

    job = run_to_end(resume_job(job=job, by=operator, now=now + 2 * lease()))

    assert job.state == JobState.SUCCEEDED


def test_interrupted_twice_in_a_row_ends_with_the_same_data(rehearsals: Rehearsals, now: datetime) -> None:
    job = rehearsals.start(count=3)
    for step in (1, 2):
        job = abandon(job, now + step * 3 * lease())
        offer_lapsed_jobs(now=now + (step * 3 + 2) * lease())
        job.refresh_from_db()

    job = run_to_end(job)

    assert (job.state, job.done, job.failed) == (JobState.SUCCEEDED, 3, 0)
    assert noted(rehearsals.log, "end") == ["item-000", "item-001", "item-002"]


def test_retry_gives_an_item_all_its_attempts_again(rehearsals: Rehearsals, operator: User, now: datetime) -> None:
    job = run_to_end(rehearsals.start(count=1, failing=["item-000"]))
    assert job.items.get().attempts == 1

    job = retry_failed(job=job, by=operator, now=now)

    assert job.items.get().attempts == 0


def test_error_of_an_item_without_a_message_is_its_class() -> None:
    assert running.describe(KeyError()) == "KeyError"
    assert running.describe(ValueError("too long")) == "ValueError: too long"


def test_broker_that_does_not_answer_loses_no_job(
    rehearsals: Rehearsals, now: datetime, django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: Any, **kwargs: Any) -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr("lexreview.jobs.queue.current_app.send_task", refuse)
    with django_capture_on_commit_callbacks(execute=True):
        job = rehearsals.start(count=1)

    assert Job.objects.get().state == JobState.QUEUED
    assert offer_lapsed_jobs(now=now + 2 * lease()) == 1
    assert run_to_end(job).state == JobState.SUCCEEDED
