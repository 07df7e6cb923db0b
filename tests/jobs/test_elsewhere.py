"""Jobs whose items wait for somebody else: many at work in one worker, rows written by one thread."""

import time
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import OperationalError, transaction
from django.utils import timezone

from lexreview.jobs import elsewhere, patience
from lexreview.jobs.actions import cancel_job, resume_job, retry_failed
from lexreview.jobs.actions.turns import close_items, lock_turn, offer_lapsed_jobs
from lexreview.jobs.kinds import Elsewhere, JobKind
from lexreview.jobs.models import Job
from lexreview.jobs.running import run_to_end, work
from lexreview.jobs.states import ItemState, JobState
from lexreview.jobs.tasks import TurnLimit
from tests.jobs.factories import Rehearsals, unheard_commits
from tests.jobs.kinds import CHOIR, CHORUS, noted

pytestmark = pytest.mark.django_db(transaction=True)


def start(rehearsals: Rehearsals, **params: Any) -> Job:
    return rehearsals.start(CHOIR.name, **params)


def states(job: Job) -> list[str]:
    return list(job.items.in_order().values_list("state", flat=True))


def test_many_items_are_at_work_at_the_same_time(rehearsals: Rehearsals) -> None:
    begin = time.monotonic()

    job = run_to_end(start(rehearsals, count=12, seconds=0.5, at_once=12))

    assert (job.state, job.done, job.failed) == (JobState.SUCCEEDED, 12, 0)
    assert len(noted(rehearsals.log, "begin")) == 12
    # One after the other they would take six seconds.
    assert time.monotonic() - begin < 4


def test_no_more_are_at_work_than_allowed(rehearsals: Rehearsals) -> None:
    run_to_end(start(rehearsals, count=6, seconds=0.05, at_once=2))

    lines = [line.split()[0] for line in rehearsals.log.read_text().splitlines()]
    at_work = most = 0
    for word in lines:
        at_work += {"begin": 1, "end": -1}.get(word, 0)
        most = max(most, at_work)
    assert most == 2


def test_item_that_comes_back_later_is_tried_again_after_its_pause(rehearsals: Rehearsals) -> None:
    job = run_to_end(start(rehearsals, count=3, again={"item-001": 2}))

    item = job.items.get(key="item-001")
    assert (job.state, item.state, item.tries, item.note) == (JobState.SUCCEEDED, ItemState.SUCCEEDED, 2, "")
    assert noted(rehearsals.log, "begin").count("item-001") == 3


def test_faults_of_preparing_calling_and_storing_fail_their_item_alone(rehearsals: Rehearsals) -> None:
    job = run_to_end(start(rehearsals, count=4, bad_prepare="item-000", bad_call="item-001", failing=["item-002"]))

    assert (job.state, job.done, job.failed) == (JobState.FAILED, 4, 3)
    errors = list(job.items.in_order().values_list("error", flat=True))
    assert errors == ["ValueError: no good beginning", "ValueError: no good call", "refused", ""]


def test_items_are_done_together_where_the_kind_can(rehearsals: Rehearsals) -> None:
    job = run_to_end(rehearsals.start(CHORUS.name, count=8, at_once=8, seconds=0.05))

    assert (job.state, job.done) == (JobState.SUCCEEDED, 8)
    assert noted(rehearsals.log, "prepare-together")[0] == "8"
    assert sum(int(count) for count in noted(rehearsals.log, "store-together")) == 8
    assert len(noted(rehearsals.log, "begin")) == len(noted(rehearsals.log, "end")) == 8


def test_item_at_fault_among_many_done_together_fails_alone(rehearsals: Rehearsals) -> None:
    chosen = {"count": 6, "at_once": 6, "seconds": 0.05}
    job = run_to_end(
        rehearsals.start(CHORUS.name, **chosen, bad_prepare="item-000", bad_store="item-001", bad_call="item-002")
    )

    assert (job.state, job.done, job.failed) == (JobState.FAILED, 6, 3)
    errors = list(job.items.in_order().values_list("error", flat=True))
    assert errors[:3] == ["ValueError: no good beginning", "ValueError: no good end", "ValueError: no good call"]
    assert errors[3:] == ["", "", ""]
    # Nobody was called twice because others were at fault.
    assert sorted(noted(rehearsals.log, "begin")) == [f"item-00{number}" for number in range(1, 6)]


def test_held_items_wait_for_a_person_while_the_rest_goes_on(rehearsals: Rehearsals, now: datetime) -> None:
    job = run_to_end(start(rehearsals, count=12, at_once=1, held=["item-001"], prefix="item-00"))

    assert (job.state, job.error) == (JobState.FAILED, "no credit")
    assert sorted(noted(rehearsals.log, "end")) == ["item-000", "item-010", "item-011"]
    assert (job.left, job.failed) == (9, 0)
    assert job.may_resume(timezone.now())

    job.params["held"] = []
    job.save(update_fields=["params"])
    resume_job(job=job, by=rehearsals.by, now=now)
    assert run_to_end(job).state == JobState.SUCCEEDED
    assert len(noted(rehearsals.log, "end")) == 12


def test_stop_ends_the_job_once_calls_at_work_are_stored(rehearsals: Rehearsals) -> None:
    job = run_to_end(start(rehearsals, count=8, at_once=4, seconds=0.1, stop="item-002"))

    assert (job.state, job.error) == (JobState.FAILED, "the quota of today is used up")
    assert sorted(noted(rehearsals.log, "end")) == ["item-000", "item-001"]
    assert states(job).count("queued") == 6
    assert job.items.get(key="item-003").attempts == 0


def test_cancelled_job_stops_within_one_call_and_keeps_what_arrived(rehearsals: Rehearsals, now: datetime) -> None:
    job = start(rehearsals, count=40, at_once=4, seconds=0.2)

    def may_go_on() -> bool:
        now_at = Job.objects.get(pk=job.pk)
        if len(noted(rehearsals.log, "end")) >= 4 and not now_at.is_stopping:
            cancel_job(job=now_at, by=rehearsals.by, now=now)
        return True

    work(job_id=job.pk, turn=job.turn, may_go_on=may_go_on)
    ended = Job.objects.get(pk=job.pk)

    assert ended.state == JobState.CANCELLED
    assert ended.done == len(noted(rehearsals.log, "end")) == len(noted(rehearsals.log, "begin"))
    assert ended.done <= 16
    assert "running" not in states(ended)


def test_failed_items_are_retried(rehearsals: Rehearsals, now: datetime) -> None:
    job = run_to_end(start(rehearsals, count=3, failing=["item-001"]))
    rehearsals.repair()

    retry_failed(job=job, by=rehearsals.by, now=now)

    assert run_to_end(job).state == JobState.SUCCEEDED
    assert noted(rehearsals.log, "begin").count("item-001") == 2
    assert noted(rehearsals.log, "begin").count("item-000") == 1


def test_turn_passed_on_has_stored_what_was_at_work(rehearsals: Rehearsals) -> None:
    job = start(rehearsals, count=20, at_once=3, seconds=0.02)
    answers = iter([True] * 4)

    work(job_id=job.pk, turn=job.turn, may_go_on=lambda: next(answers, False))

    job.refresh_from_db()
    assert job.state == JobState.RUNNING
    assert job.turn_taken_at is None
    assert 0 < job.done < 20
    assert "running" not in states(job)
    assert run_to_end(job).done == 20
    assert len(noted(rehearsals.log, "begin")) == 20


def test_results_of_a_worker_that_lost_its_job_are_stored_all_the_same(rehearsals: Rehearsals) -> None:
    job = start(rehearsals, count=2, at_once=2, seconds=0.5, thief="item-000")

    work(job_id=job.pk, turn=job.turn, may_go_on=lambda: True)

    assert sorted(noted(rehearsals.log, "end")) == ["item-000", "item-001"]
    assert Job.objects.get(pk=job.pk).done == 0


def test_database_that_is_away_for_a_while_loses_and_repeats_nothing(
    rehearsals: Rehearsals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "FIRST_PAUSE", 0.01)
    failures = iter(["begin_due_items"] * 2 + ["close_items"] * 3)
    next_failure = [next(failures)]

    for name in ["begin_due_items", "close_items"]:
        real = getattr(elsewhere, name)

        def broken(real: Any = real, name: str = name, **arguments: Any) -> Any:
            if next_failure[0] == name:
                next_failure[0] = next(failures, "")
                raise OperationalError("the database is away")
            return real(**arguments)

        monkeypatch.setattr(elsewhere, name, broken)

    job = run_to_end(start(rehearsals, count=5))

    assert (job.state, job.done) == (JobState.SUCCEEDED, 5)
    assert len(noted(rehearsals.log, "begin")) == 5


def test_database_that_is_away_when_a_turn_asks_whether_to_go_on_loses_and_repeats_nothing(
    rehearsals: Rehearsals, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The calls at work have been paid for: their turn must not end by an error."""
    monkeypatch.setattr(patience, "FIRST_PAUSE", 0.01)
    asked = 0

    def may_go_on() -> bool:
        nonlocal asked
        asked += 1
        if asked in (2, 3, 5):
            raise OperationalError("the database is away")
        return True

    job = start(rehearsals, count=5, seconds=0.05, at_once=2)
    work(job_id=job.pk, turn=job.turn, may_go_on=may_go_on)

    job.refresh_from_db()
    assert asked > 5
    assert (job.state, job.done) == (JobState.SUCCEEDED, 5)
    assert len(noted(rehearsals.log, "begin")) == 5


def test_outcome_that_was_committed_without_our_knowing_counts_once(rehearsals: Rehearsals, now: datetime) -> None:
    job = start(rehearsals, count=2)
    Job.objects.filter(pk=job.pk).update(state=JobState.RUNNING, turn_taken_at=now)
    job.refresh_from_db()
    job.items.update(state=ItemState.RUNNING)
    item = job.items.in_order().first()

    for _ in range(2):
        with transaction.atomic():
            job = lock_turn(job_id=job.pk, turn=job.turn)
            close_items(job=job, outcomes=[(item, None)], now=now)

    assert Job.objects.get(pk=job.pk).done == 1


@pytest.mark.parametrize("kind", [CHOIR.name, CHORUS.name])
def test_beginning_that_was_committed_without_our_knowing_is_taken_back(
    rehearsals: Rehearsals, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    unheard_commits(monkeypatch, at=[1, 2, 4])

    job = run_to_end(rehearsals.start(kind, count=9, seconds=0.02, at_once=2))

    assert (job.state, job.done) == (JobState.SUCCEEDED, 9)
    # At once and in their order, not when all else is done; nothing is counted against them.
    assert noted(rehearsals.log, "begin") == [f"item-00{number}" for number in range(9)]
    assert set(job.items.values_list("attempts", flat=True)) == {1}


def test_lapsed_job_is_offered_again(rehearsals: Rehearsals, now: datetime) -> None:
    job = start(rehearsals, count=2)
    Job.objects.filter(pk=job.pk).update(state=JobState.RUNNING, turn_taken_at=now, heartbeat_at=now)
    job.items.filter(key="item-000").update(state=ItemState.RUNNING, attempts=1)

    assert offer_lapsed_jobs(now=timezone.now()) == 1

    assert run_to_end(Job.objects.get(pk=job.pk)).state == JobState.SUCCEEDED


def test_kind_needs_one_way_to_do_its_items() -> None:
    with pytest.raises(ValueError, match="either process or elsewhere"):
        JobKind(name="neither", label="Neither", items=lambda params: [])
    with pytest.raises(ValueError, match="either process or elsewhere"):
        JobKind(
            name="both",
            label="Both",
            items=lambda params: [],
            process=lambda key, params, job: None,
            elsewhere=Elsewhere(prepare=lambda *all_: None, store=lambda *all_: None, at_once=lambda params: 1),
        )


@pytest.mark.parametrize(
    ("silent_for", "goes_on"), [(timedelta(seconds=1), True), (timedelta(days=1), False)], ids=["alive", "dead"]
)
def test_long_turn_ends_for_a_job_whose_worker_died(
    rehearsals: Rehearsals, settings: Any, silent_for: timedelta, goes_on: bool
) -> None:
    """The message by which it is found lies behind the turn: with one worker it would wait for all of it."""
    settings.JOB_TURN_SECONDS = 0.02
    mine = start(rehearsals)
    rehearsals.by = None
    other = rehearsals.start(CHOIR.name, slug="other-01")
    now = timezone.now()
    Job.objects.filter(pk=other.pk).update(turn_taken_at=now, heartbeat_at=now - silent_for)
    limit = TurnLimit(mine.pk)
    time.sleep(0.03)

    assert limit() == goes_on
