"""Collecting over real HTTP: one answer per cell, whatever happens on the way."""

from decimal import Decimal
from threading import Barrier, Thread
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from lexreview.accounts.models import User
from lexreview.accounts.rules import NotAllowed
from lexreview.answers.actions import begin_run, save_condition
from lexreview.answers.collecting import CannotCollect, make_plan
from lexreview.answers.models import Answer, Condition, Run
from lexreview.core.workflow import AnswerState
from lexreview.jobs.actions import AlreadyRunning, NothingToDo, cancel_job, resume_job, retry_failed
from lexreview.jobs.actions.turns import offer_lapsed_jobs
from lexreview.jobs.models import Job
from lexreview.jobs.running import run_to_end
from lexreview.jobs.states import JobState
from lexreview.ledger.models import Event
from lexreview.providers.budgets import spent_by
from lexreview.providers.confirming import NotConfirmed
from lexreview.providers.models import Call, CallState
from lexreview.questions.models import KeyVersion, Question
from tests.answers.collecting import Collection, collection, model_server, running_server
from tests.jobs.factories import unheard_commits
from tests.providers.conftest import KEY
from tests.providers.server import TEXT, ModelServer
from tests.review.factories import make_benchmark

__all__ = ["collection", "model_server", "running_server"]
pytestmark = pytest.mark.django_db(transaction=True)


def test_answers_are_stored_with_all_that_came(collection: Collection, model_server: ModelServer) -> None:
    collection.system("argon-4", "plain")
    collection.price("plain")

    job = collection.run(["argon-4"], repetitions=2)

    answers = Answer.objects.order_by("identifier")
    assert job.state == JobState.SUCCEEDED
    assert [answer.identifier for answer in answers] == [
        "P01_argon-4_W0_r1", "P01_argon-4_W0_r2", "P02_argon-4_W0_r1", "P02_argon-4_W0_r2",
    ]  # fmt: skip
    first = answers[0]
    assert (first.text, first.state, first.served_model) == (TEXT, AnswerState.ANSWERED, "plain-2026-09")
    assert first.is_intact
    assert first.usage == {"input": 120, "output": 40}
    # 120 x 3 / 1e6 + 40 x 15 / 1e6
    assert (first.cost_usd, first.cost_is_lower_bound) == (Decimal("0.00096"), False)
    assert first.settings == {"max_tokens": 200, "endpoint": "local", "search": False}
    assert len(model_server.seen) == 4


def test_preamble_stands_before_the_question_and_is_frozen(collection: Collection, model_server: ModelServer) -> None:
    collection.system("argon-4")

    collection.run(["argon-4"])

    question = Question.objects.get(code="P01")
    prompts = {seen.prompt for seen in model_server.seen}
    assert f"You are asked by a lawyer.\n\n{question.asked_text}" in prompts
    assert Condition.objects.get().frozen_at is not None
    assert KeyVersion.objects.filter(frozen_at=None).count() == 0
    with pytest.raises(ValueError, match="has answers"):
        save_condition(
            benchmark=collection.benchmark, code="W0", by=None, now=timezone.now(),
            fields={"titles": {}, "tools": False, "preambles": {"en": "Other."}, "position": 1},
        )  # fmt: skip


def test_every_answer_has_its_event_and_its_raw_response(collection: Collection) -> None:
    collection.system("argon-4")

    job = collection.run(["argon-4"])

    assert Event.objects.filter(verb="store_answer").count() == 2
    calls = Call.objects.of_job(job)
    assert {call.state for call in calls} == {CallState.ANSWERED}
    assert all(b"plain-2026-09" in call.raw.body for call in calls)
    assert {call.subject for call in calls} == {"P01_argon-4_W0_r1", "P02_argon-4_W0_r1"}


def test_web_search_is_traced_and_official_sources_are_marked(collection: Collection) -> None:
    collection.system("xenon", "search", provider="anthropic")
    collection.condition("W1", tools=True)

    collection.run(["xenon"], ["W1"])

    trace = Answer.objects.first().trace
    assert [step["kind"] for step in trace] == ["search", "open", "open"]
    assert [step.get("official") for step in trace] == [None, True, False]
    assert Answer.objects.first().usage["searches"] == 1


def test_second_run_calls_nothing(collection: Collection, model_server: ModelServer) -> None:
    collection.system("argon-4")
    collection.run(["argon-4"])
    model_server.forget()

    with pytest.raises(NothingToDo):
        collection.start(["argon-4"])

    assert model_server.seen == []


def test_item_done_twice_calls_once(collection: Collection, model_server: ModelServer) -> None:
    """A worker was killed after it stored an answer and before it closed the item."""
    collection.system("argon-4")
    job = collection.run(["argon-4"])
    job.items.update(state="queued", finished_at=None)
    Job.objects.filter(pk=job.pk).update(state=JobState.FAILED, done=0)

    resume_job(job=Job.objects.get(pk=job.pk), by=None, now=timezone.now())
    again = run_to_end(job)

    assert again.state == JobState.SUCCEEDED
    assert len(model_server.seen) == 2


def test_call_left_behind_by_a_dead_worker_counts_as_lost(collection: Collection, model_server: ModelServer) -> None:
    collection.system("argon-4")
    collection.price("plain")
    job = collection.start(["argon-4"])
    key = job.items.in_order().first().key
    Call.objects.create(
        job=job, item_key=key, benchmark_slug=job.benchmark_slug, role="answer", provider="local", model="plain",
        request_sha256="0" * 64, started_at=timezone.now(), estimated_tokens=300, estimated_usd=Decimal("0.01"),
    )  # fmt: skip

    job = run_to_end(job)

    assert Call.objects.filter(state=CallState.LOST).count() == 1
    spent = spent_by(job)
    # Two answers of 160 tokens, and nobody knows what the lost call cost.
    assert (spent.usd, spent.is_lower_bound, spent.tokens) == (Decimal("0.00192"), True, 620)


@pytest.mark.parametrize("budget", [None, 2000])
def test_call_that_was_written_without_our_knowing_and_never_left_is_taken_back(
    collection: Collection, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch, budget: int | None
) -> None:
    """It costs nothing, stands in no budget's way, and nobody waits for it as for a twin."""
    unheard_commits(monkeypatch, at=[1])
    collection.system("argon-4")

    job = collection.run(["argon-4"], budget_tokens=budget)

    assert (job.state, job.done, job.error) == (JobState.SUCCEEDED, 2, "")
    assert [call.state for call in Call.objects.of_job(job)] == ["answered", "answered"]
    assert len(model_server.seen) == Answer.objects.count() == 2


def test_of_several_who_start_at_the_same_moment_one_prepares_the_runs(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever comes second finds the job, not the half-made runs of the first."""
    collection.system("argon-4")
    claimed: list[int] = []

    def noting(**named: Any) -> Run:
        claimed.append(Job.objects.live().count())
        return begin_run(**named)

    monkeypatch.setattr("lexreview.answers.collect_job.begin_run", noting)
    ready, found = Barrier(3), list[int | None]()

    def start() -> None:
        ready.wait(10)
        try:
            found.append(collection.start(["argon-4"], repetitions=3).pk)
        except AlreadyRunning as refusal:
            found.append(refusal.job.pk)
        finally:
            connection.close()

    threads = [Thread(target=start) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    assert (found, claimed) == ([Job.objects.get().pk] * 3, [1, 1, 1])


def test_set_without_questions_is_no_plan_rather_than_one_that_is_done(collection: Collection) -> None:
    collection.system("argon-4")
    collection.question("P03", of_set="reserve")
    Question.objects.filter(code="P03").update(set=Question.objects.get(code="P01").set)

    with pytest.raises(CannotCollect, match="no question"):
        make_plan(benchmark=collection.benchmark, systems=["argon-4"], conditions=["W0"], sets=["reserve"])


@pytest.mark.parametrize("end", ["cancelled", "nothing left to ask"])
def test_no_call_stays_at_work_once_its_worker_is_dead(
    collection: Collection, model_server: ModelServer, end: str
) -> None:
    """Neither where nobody takes the job over, nor where who does has nothing to ask."""
    collection.system("argon-4")
    if end == "nothing left to ask":
        collection.run(["argon-4"])
    job = collection.start(["argon-4"]) if end == "cancelled" else Job.objects.get()
    call = Call.objects.create(
        job=job, item_key=job.items.first().key, benchmark_slug=job.benchmark_slug, role="answer", provider="local",
        model="plain", request_sha256="0" * 64, started_at=collection.now, estimated_tokens=300,
    )  # fmt: skip
    job.items.filter(key=call.item_key).update(state="running", finished_at=None)
    Job.objects.filter(pk=job.pk).update(
        state="running", turn="a dead worker's", turn_taken_at=collection.now, heartbeat_at=collection.now, done=1,
        finished_at=None,
    )  # fmt: skip

    if end == "cancelled":
        job.items.exclude(key=call.item_key).update(state="succeeded", finished_at=collection.now)
        job = cancel_job(job=job, by=None, now=timezone.now())
    else:
        offer_lapsed_jobs(now=timezone.now())
        job = run_to_end(Job.objects.get(pk=job.pk))

    call.refresh_from_db()
    assert (call.state, call.obstacle) == (CallState.LOST, "lost")
    assert job.state == (JobState.CANCELLED if end == "cancelled" else JobState.SUCCEEDED)
    assert not job.items.begun().exists()


@pytest.mark.parametrize("model", ["limit-2", "flaky-2-503"])
def test_passing_failures_are_tried_again_and_every_try_is_on_record(
    collection: Collection, model_server: ModelServer, model: str
) -> None:
    collection.system("argon-4", model)

    job = collection.run(["argon-4"])

    assert (job.state, job.failed) == (JobState.SUCCEEDED, 0)
    assert Answer.objects.filter(state=AnswerState.ANSWERED).count() == 2
    states = list(Call.objects.of_job(job).filter(subject="P01_argon-4_W0_r1").order_by("pk"))
    assert [call.state for call in states] == ["passing", "passing", "answered"]
    assert states[0].cost_usd == 0


def test_h12_retry_after_is_kept_to(collection: Collection, model_server: ModelServer) -> None:
    collection.system("argon-4", "limit-1")

    collection.run(["argon-4"], concurrency=1)

    seen = [each for each in model_server.seen if each.prompt == model_server.seen[0].prompt]
    assert seen[1].at - seen[0].at >= 0.3


def test_item_that_keeps_failing_fails_with_the_provider_s_words_and_can_be_collected_again(
    collection: Collection, settings: Any
) -> None:
    settings.PROVIDER_TRIES = 2
    collection.system("argon-4", "error-503")

    job = collection.run(["argon-4"])

    assert (job.state, job.failed) == (JobState.FAILED, 2)
    assert "HTTP 503: server error of this test" in job.items.first().error
    assert Answer.objects.filter(state=AnswerState.FAILED).count() == 2
    assert Call.objects.of_job(job).count() == 4

    collection.system("argon-4", "plain")
    retry_failed(job=job, by=None, now=timezone.now())
    assert run_to_end(job).state == JobState.SUCCEEDED
    assert Answer.objects.filter(state=AnswerState.ANSWERED).count() == 2


def test_blocked_and_empty_answers_are_kept_as_such(collection: Collection) -> None:
    collection.system("argon-4", "refuse")
    collection.system("boron", "empty")

    job = collection.run(["argon-4", "boron"])

    assert job.state == JobState.SUCCEEDED
    states = dict(Answer.objects.filter(question__code="P01").values_list("run__system__code", "state"))
    assert states == {"argon-4": AnswerState.PROVIDER_BLOCK, "boron": AnswerState.EMPTY}
    assert Answer.objects.filter(state=AnswerState.PROVIDER_BLOCK).first().block_reason


def test_h12_used_up_quota_pauses_one_system_and_the_rest_goes_on(
    collection: Collection, model_server: ModelServer
) -> None:
    collection.system("argon-4", "quota")
    collection.system("boron", "plain")

    job = collection.run(["argon-4", "boron"], concurrency=1, repetitions=2)

    assert job.state == JobState.FAILED
    assert "HTTP 402: your credit is used up" in job.error
    assert Answer.objects.filter(run__system__code="boron", state=AnswerState.ANSWERED).count() == 4
    # One call was enough to know.
    assert sum(seen.model == "quota" for seen in model_server.seen) == 1
    assert (job.left, job.failed) == (4, 0)

    collection.system("argon-4", "plain")
    resume_job(job=job, by=None, now=timezone.now())
    assert run_to_end(job).state == JobState.SUCCEEDED


def test_refused_request_fails_its_item_at_once(collection: Collection, model_server: ModelServer) -> None:
    collection.system("argon-4", "reject")

    job = collection.run(["argon-4"])

    assert job.failed == 2
    assert len(model_server.seen) == 2
    assert "the question is too long" in job.items.first().error


@pytest.mark.parametrize("budget", [{"budget_usd": Decimal("0.0070")}, {"budget_tokens": 800}])
def test_budget_is_a_hard_stop(collection: Collection, model_server: ModelServer, budget: dict[str, Any]) -> None:
    """A call is expected to take about 280 tokens and 0.0033 USD; it takes 160 tokens and 0.00096 USD."""
    collection.system("argon-4", "plain")
    collection.price("plain")

    job = collection.run(["argon-4"], repetitions=10, concurrency=8, **budget)

    assert job.state == JobState.FAILED
    assert "budget" in job.error
    spent = spent_by(job)
    assert 0 < spent.calls < 20
    assert spent.calls == Answer.objects.count() == len(model_server.seen)
    assert spent.usd <= budget.get("budget_usd", 1)
    assert spent.tokens <= budget.get("budget_tokens", 10**6)
    assert job.left == 20 - spent.calls


def test_dry_run_prints_calls_and_cost_and_calls_nothing(
    collection: Collection, model_server: ModelServer, capsys: pytest.CaptureFixture[str]
) -> None:
    collection.system("argon-4", "plain")
    collection.price("plain")

    call_command("collect", benchmark="kestria-01", systems=["argon-4"], conditions=["W0"], dry_run=True)

    printed = capsys.readouterr().out
    assert "argon-4 W0: 2 calls" in printed
    assert "USD" in printed
    assert model_server.seen == []
    assert (Run.objects.count(), Job.objects.count(), Call.objects.count()) == (0, 0, 0)


@pytest.mark.parametrize("model", ["plain", "cached"])
def test_dry_run_on_recorded_usage_costs_what_is_billed(collection: Collection, model: str) -> None:
    collection.system("argon-4", model)
    collection.price(model)
    collection.run(["argon-4"])
    plan = make_plan(benchmark=collection.benchmark, systems=["argon-4"], conditions=["W0"], repetitions=2)
    expected = plan.cost

    job = collection.run(["argon-4"], repetitions=2)

    assert [row.recorded for row in plan.estimate] == [2]
    assert (spent_by(job).usd, spent_by(job).is_lower_bound) == (expected.usd, False)
    assert sum(answer.cost_usd for answer in Answer.objects.filter(run__repetition=2)) == expected.usd


def test_h14_cached_tokens_are_priced_apart_and_once(collection: Collection) -> None:
    collection.system("argon-4", "cached")
    collection.price("cached")

    collection.run(["argon-4"])

    answer = Answer.objects.first()
    assert answer.usage == {"input": 1000, "cached": 600, "output": 50, "reasoning": 20}
    # 400 x 3 + 600 x 0.3 + 50 x 15, per million
    assert answer.cost_usd == Decimal("0.00213")


def test_model_without_a_price_costs_an_unknown_amount(collection: Collection) -> None:
    collection.system("argon-4", "plain")

    job = collection.run(["argon-4"])

    assert Answer.objects.first().cost_usd is None
    assert spent_by(job).is_lower_bound


def test_run_above_the_set_amount_must_be_confirmed(collection: Collection, settings: Any) -> None:
    collection.system("argon-4", "plain")
    with pytest.raises(NotConfirmed, match="Nobody knows"):
        collection.start(["argon-4"], confirmed=False)
    collection.price("plain")
    settings.COLLECT_CONFIRM_USD = Decimal("0.0001")
    with pytest.raises(NotConfirmed, match="may cost"):
        collection.start(["argon-4"], confirmed=False)
    settings.COLLECT_CONFIRM_USD = Decimal(1)

    assert collection.start(["argon-4"], confirmed=False).total == 2


def run_of(repetition: int = 1) -> Run:
    return Run.objects.get(repetition=repetition)


def test_run_records_the_sets_that_were_chosen_and_none_for_the_whole_benchmark(collection: Collection) -> None:
    collection.system("argon-4")
    collection.system("boron")
    collection.question("P03", of_set="reserve")

    collection.run(["argon-4"], sets=["pilot"])
    collection.run(["boron"])

    assert {run.system.code: run.sets for run in Run.objects.select_related("system")} == {
        "argon-4": ["pilot"], "boron": [],
    }  # fmt: skip
    assert Answer.objects.filter(run__system__code="boron").count() == 3


def test_collecting_another_set_goes_on_with_the_same_run(collection: Collection) -> None:
    collection.system("argon-4")
    collection.question("P03", of_set="reserve")
    collection.question("P04", of_set="extension")
    collection.run(["argon-4"], sets=["reserve"])
    Run.objects.update(note="from the desk", started_on="2026-10-12")

    collection.run(["argon-4"], sets=["extension"])

    run = run_of()
    assert (run.sets, run.note, run.started_on.isoformat()) == (["reserve", "extension"], "from the desk", "2026-10-12")
    assert list(Answer.objects.order_by("identifier").values_list("identifier", flat=True)) == [
        "P03_argon-4_W0_r1", "P04_argon-4_W0_r1",
    ]  # fmt: skip
    event = Event.objects.get(verb="change_run")
    assert (event.before, event.after) == ({"sets": ["reserve"]}, {"sets": ["reserve", "extension"]})


def test_set_is_added_only_to_the_repetitions_that_are_asked_it(collection: Collection) -> None:
    collection.system("argon-4")
    collection.question("P03", of_set="reserve")
    collection.run(["argon-4"], sets=["pilot"], repetitions=3)

    collection.run(["argon-4"], sets=["reserve"], repetitions=2)

    assert [run_of(number).sets for number in (1, 2, 3)] == [["pilot", "reserve"], ["pilot", "reserve"], ["pilot"]]


def test_run_that_was_once_of_the_whole_benchmark_stays_so(collection: Collection) -> None:
    collection.system("argon-4")
    collection.run(["argon-4"], sets=["pilot"])
    collection.question("P03", of_set="reserve")
    collection.run(["argon-4"])
    assert run_of().sets == []
    collection.question("P04", of_set="extension")

    collection.run(["argon-4"], sets=["extension"])

    assert run_of().sets == []
    assert Answer.objects.count() == 4


def test_only_operators_collect(collection: Collection, lead: User, reviewer: User, operator: User) -> None:
    collection.system("argon-4", "plain")
    for person in [lead, reviewer]:
        with pytest.raises(NotAllowed):
            collection.start(["argon-4"], by=person)

    job = collection.run(["argon-4"], by=operator)

    assert Event.objects.filter(verb="store_answer", actor=operator.username).count() == 2
    assert job.created_by == operator


def test_everything_that_is_wrong_is_said_at_once(collection: Collection, settings: Any) -> None:
    settings.PROVIDERS = {**settings.PROVIDERS, "openai": {"api_key": "", "base_url": ""}}
    collection.system("argon-4", "plain", provider="Noble")
    collection.system("boron", "plain", provider="openai")
    collection.system("carbon", "plain", temprature=1)
    collection.condition("W1", tools=True)
    KeyVersion.objects.filter(question__code="P02").delete()

    with pytest.raises(CannotCollect) as refusal:
        make_plan(
            benchmark=collection.benchmark,
            systems=["argon-4", "boron", "carbon", "xenon"],
            conditions=["W1", "W9"],
            sets=["none"],
            repetitions=0,
        )

    words = str(refusal.value)
    for part in ["xenon", "W9", "none", "endpoint", "OPENAI_API_KEY", "temprature", "web search", "Repetitions"]:
        assert part in words
    with pytest.raises(CannotCollect, match="P02"):
        make_plan(benchmark=collection.benchmark, systems=["argon-4"], conditions=["W0"])


def test_unknown_benchmark_is_an_error_of_the_command() -> None:
    make_benchmark()
    with pytest.raises(CommandError, match="no benchmark nowhere"):
        call_command("collect", benchmark="nowhere", systems=["a"], conditions=["W0"])


def test_key_is_in_no_row_and_no_log(
    collection: Collection, caplog: pytest.LogCaptureFixture, django_db_blocker: Any
) -> None:
    from django.apps import apps

    caplog.set_level(0)
    collection.system("argon-4", "echokey", provider="openai")
    collection.system("boron", "plain", provider="anthropic")
    collection.run(["argon-4", "boron"])

    assert Call.objects.filter(state=CallState.PAUSING).exists()
    for model in apps.get_models():
        if model.__module__.startswith("lexreview."):
            for values in model._default_manager.values():
                assert KEY not in str(values)
    for call in Call.objects.exclude(raw=None):
        assert KEY.encode() not in call.raw.body
    assert KEY not in caplog.text
