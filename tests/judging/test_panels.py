"""Panels at work against a server of models: who is asked, what is decided, what a person says beside it."""

from collections import Counter

import pytest
from django.db import IntegrityError, transaction

from lexreview.accounts.models import User
from lexreview.accounts.rules import NotAllowed
from lexreview.core.methods.criteria.panel import Seat, Strategy
from lexreview.judging.actions import PanelRefused, override_result, save_panel, settle_panel
from lexreview.judging.models import Judge, Panel, PanelOverride, PanelResult, PanelVote, Verdict
from lexreview.judging.planning import make_plan, questions_of
from lexreview.ledger.models import Event
from tests.core.methods.criteria.test_panel import ROWS
from tests.judging.bench import SYSTEMS, Bench, bench, model_server, running_server
from tests.providers.server import ModelServer, Seen, filled_in, form_of
from tests.writing import check_written_once, verbs_since

__all__ = ["bench", "model_server", "running_server"]
pytestmark = pytest.mark.django_db
MODELS = {"P": "judgeyes", "F": "judgeno", "E": "judgeno.talking", "-": "judgeno"}
WORDS = {"pass": "yes", "fail": "no", "-": ""}


def asked(bench: Bench, seat: str) -> int:
    """How many verdicts the judge of the seat was asked for, tries of one not counted."""
    return len(bench.verdicts(f"judge-{seat.lower()}"))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: "".join(row[:3]))
def test_every_row_of_the_adaptive_table_is_lived(bench: Bench, row: list[str]) -> None:
    a, b, c, _arrow, value, consensus, supporting, tie = row
    bench.answer()
    bench.panel("adaptive_majority", MODELS[a], MODELS[b], MODELS[c])

    bench.run(panel="panel")

    result = bench.result()
    assert (result.value, result.consensus) == (WORDS[value], consensus)
    assert result.supporting == [seat for seat in supporting if seat != "-"]
    assert result.tie_breaker_used == (tie == "yes")
    assert result.state == ("unresolved" if value == "-" else "resolved")
    assert [asked(bench, seat) for seat in "ABC"] == [1, 1, 0 if c == "-" else 1]
    assert {vote.seat: vote.value for vote in result.votes.all()} == {
        seat: {"P": "yes", "F": "no", "E": ""}[sign] for seat, sign in zip("ABC", (a, b, c), strict=True) if sign != "-"
    }


def test_first_judges_work_at_the_same_time_and_the_third_waits_for_them(
    bench: Bench, model_server: ModelServer
) -> None:
    bench.answer()
    bench.panel("adaptive_majority", "slow-400.judgeyes", "slow-400.judgeno", "judgeno")

    bench.run(panel="panel")

    at = {seen.model: seen.at for seen in model_server.seen}
    assert abs(at["slow-400.judgeyes"] - at["slow-400.judgeno"]) < 0.35
    assert at["judgeno"] - max(at["slow-400.judgeyes"], at["slow-400.judgeno"]) >= 0.4
    assert bench.result().consensus == "tie_breaker"


def test_third_judge_never_sees_what_the_others_said(bench: Bench, model_server: ModelServer) -> None:
    bench.answer()
    bench.panel("adaptive_majority", "judgeyes", "judgeno", "slow-1.judgeyes")

    bench.run(panel="panel")

    first, third = model_server.seen[0], model_server.seen[-1]
    assert third.model == "slow-1.judgeyes"
    assert len(first.prompt) == len(third.prompt)


def test_calls_of_an_adaptive_panel_are_two_per_answer_and_one_per_disagreement(
    bench: Bench, model_server: ModelServer
) -> None:
    """N answers and D disagreements: 2N + D."""
    for number, system in enumerate(SYSTEMS):
        bench.answer(system, text=f"Seven days, in case {number}.")
    bench.panel("adaptive_majority", "first", "second", "third")

    def reply(seen: Seen) -> str:
        differs = seen.model == "second" and "in case 1." in seen.prompt
        return filled_in(form_of(seen.body), seen.body, seen.prompt, hallucinated=differs)

    model_server.reply = reply
    job = bench.run(panel="panel")

    assert (job.state, job.total) == ("succeeded", 12)
    assert Counter(seen.model for seen in model_server.seen) == {"first": 4, "second": 4, "third": 1}
    assert Counter(PanelResult.objects.values_list("value", "consensus")) == {
        ("no", "initial_agreement"): 3, ("no", "tie_breaker"): 1,
    }  # fmt: skip


def test_majority_asks_all_three_and_takes_what_two_say(bench: Bench, model_server: ModelServer) -> None:
    bench.answer()
    bench.panel("majority", "judgeyes", "judgeno", "slow-1.judgeyes")

    bench.run(panel="panel")

    result = bench.result()
    assert (result.value, result.consensus, result.supporting) == ("yes", "majority", ["A", "C"])
    assert len(model_server.seen) == 3


def test_one_judge_alone_decides(bench: Bench) -> None:
    bench.answer()
    bench.panel("single", "judgeyes")

    bench.run(panel="panel")

    assert (bench.result().value, bench.result().consensus) == ("yes", "single")


def test_panel_decides_each_of_its_items(bench: Bench) -> None:
    """One verdict is a vote on every item; the third judge is asked where one item needs it."""
    bench.answer()
    bench.panel("adaptive_majority", "judgeyes", "judgeno", "slow-1.judgeno", items=("hallucinated", "A-R", "A6"))

    bench.run(panel="panel")

    found = {item: (bench.result(item).value, bench.result(item).consensus) for item in ("hallucinated", "A-R", "A6")}
    assert found == {
        "hallucinated": ("no", "tie_breaker"), "A-R": ("0", "initial_agreement"), "A6": ("1", "tie_breaker"),
    }  # fmt: skip


def test_failed_votes_alone_are_asked_for_again_and_added(bench: Bench, model_server: ModelServer) -> None:
    """A and C fail at first; then A answers as B does. B is not asked again."""
    bench.answer()
    bench.panel("adaptive_majority", "flaky-3-503.judgeno", "slow-1.judgeno", "judgeno.talking")
    job = bench.run(panel="panel")
    assert (bench.result().state, job.failed) == ("unresolved", 2)
    asked_before = len([seen for seen in model_server.seen if seen.model.startswith("slow")])

    bench.again(job)

    result = bench.result()
    assert (result.state, result.value, result.consensus) == ("resolved", "no", "initial_agreement")
    assert [(vote.seat, vote.value) for vote in result.votes.all()] == [("A", ""), ("A", "no"), ("B", "no"), ("C", "")]
    assert [verdict.attempt for verdict in bench.verdicts("judge-a")] == [1, 2]
    assert len([seen for seen in model_server.seen if seen.model.startswith("slow")]) == asked_before == 1


def test_both_first_judges_failing_leaves_the_third_for_when_they_are_tried_again(
    bench: Bench, model_server: ModelServer
) -> None:
    bench.answer()
    bench.panel("adaptive_majority", "flaky-3-503.judgeno", "flaky-6-503.judgeyes", "slow-1.judgeyes")
    job = bench.run(panel="panel")
    assert (bench.result().state, job.failed, asked(bench, "C")) == ("unresolved", 3, 0)

    bench.again(job)

    assert bench.result().is_settled


def test_h12_quota_of_one_judge_holds_its_panels_third_judge_too_and_the_job_ends(bench: Bench) -> None:
    bench.answer()
    bench.panel("adaptive_majority", "quota", "judgeno", "slow-1.judgeno")

    job = bench.run(panel="panel")

    assert (job.state, job.done, job.left) == ("failed", 1, 2)
    assert "credit is used up" in job.error
    assert bench.result().state == "ab_running"
    Judge.objects.filter(code="judge-a").update(model_identifier="slow-2.judgeno")

    job = bench.again(job)

    assert (job.state, job.left) == ("succeeded", 0)
    assert PanelResult.objects.resolved().get().value == "no"


def test_verdicts_that_are_there_are_votes_without_a_call(bench: Bench, model_server: ModelServer) -> None:
    bench.answer()
    bench.panel("adaptive_majority", "judgeno", "slow-1.judgeno", "slow-2.judgeno")
    bench.run("judge-a", "judge-b")
    model_server.forget()

    plan = make_plan(benchmark=bench.benchmark, panel="panel")
    questions = questions_of(plan.panel, plan.desk, plan.answers[0], repeat=1)  # type: ignore[arg-type]
    settle_panel(panel=plan.panel, questions=questions, by=None, now=bench.now)  # type: ignore[arg-type]

    assert plan.missing == []
    assert bench.result().value == "no"
    assert model_server.seen == []


def test_h11_another_model_of_a_seat_is_another_result(bench: Bench) -> None:
    bench.answer()
    bench.panel("single", "judgeno")
    bench.run(panel="panel")

    bench.judge("judge-a", "judgeyes")
    bench.run(panel="panel")

    assert sorted(PanelResult.objects.values_list("value", flat=True)) == ["no", "yes"]


def test_result_is_settled_with_one_event_and_stays(bench: Bench) -> None:
    bench.answer()
    panel = bench.panel("single", "judgeyes")
    bench.run(panel="panel")
    before = Event.objects.count()

    plan = make_plan(benchmark=bench.benchmark, panel="panel")
    settle_panel(
        panel=panel, questions=questions_of(panel, plan.desk, plan.answers[0], repeat=1), by=None, now=bench.now
    )

    assert Event.objects.count() == before
    event = Event.objects.filter(verb="settle_panel").get()
    assert (event.after["value"], event.after["state"]) == ("yes", "resolved")


def settled(bench: Bench, items: tuple[str, ...] = ("hallucinated",)) -> PanelResult:
    bench.answer()
    bench.panel("single", "judgeyes", items=items)
    bench.run(panel="panel")
    return bench.result(items[0])


def test_override_stands_beside_the_decision_with_who_why_and_when(bench: Bench, lead: User) -> None:
    result = settled(bench)
    before = Event.objects.count()

    override_result(result=result, value="no", reason=" The quotation is right. ", by=lead, now=bench.now)
    override_result(result=result, value="yes", reason="It is not, after all.", by=lead, now=bench.now)

    result = bench.result()
    assert (result.value, result.standing_value, result.consensus) == ("yes", "yes", "single")
    assert [(row.number, row.value, row.reason) for row in result.overrides.all()] == [
        (1, "no", "The quotation is right."), (2, "yes", "It is not, after all."),
    ]  # fmt: skip
    assert verbs_since(before) == ["override_panel", "override_panel"]
    assert Event.objects.newest_first()[0].actor == lead.username


@pytest.mark.parametrize(
    ("value", "reason", "words"), [("no", "  ", "reason"), ("maybe", "Well.", "yes or no"), ("", "Well.", "yes or no")]
)
def test_override_without_reason_or_meaning_is_refused(
    bench: Bench, lead: User, value: str, reason: str, words: str
) -> None:
    result = settled(bench)

    with pytest.raises(PanelRefused, match=words):
        override_result(result=result, value=value, reason=reason, by=lead, now=bench.now)

    assert not PanelOverride.objects.exists()


@pytest.mark.parametrize("value", ["banana", "3", "-1", "0.5", "NaN", "1e999"])
def test_override_of_points_that_the_criterion_does_not_give_is_refused(bench: Bench, lead: User, value: str) -> None:
    result = settled(bench, items=("A-R",))

    with pytest.raises(PanelRefused, match="A-R"):
        override_result(result=result, value=value, reason="Read it.", by=lead, now=bench.now)

    assert not PanelOverride.objects.exists()
    override_result(result=result, value=" 1.0 ", reason="Read it.", by=lead, now=bench.now)
    assert PanelOverride.objects.get().value == "1"


def test_new_panel_does_not_change_the_one_that_has_its_code(bench: Bench) -> None:
    panel = bench.panel("single", "judgeno")
    fields = {"name": "Another", "strategy": "single", "judge_a": panel.judge_a, "items": ["hallucinated"]}

    with pytest.raises(PanelRefused, match="panel of this code"):
        save_panel(benchmark=bench.benchmark, code=panel.code, fields=fields, by=None, now=bench.now, is_new=True)

    panel.refresh_from_db()
    assert panel.name == "Three judges"


def test_same_word_again_is_refused(bench: Bench, lead: User) -> None:
    result = settled(bench)
    override_result(result=result, value="no", reason="Read it.", by=lead, now=bench.now)

    with pytest.raises(PanelRefused, match="said already"):
        override_result(result=result, value="no", reason="Read it.", by=lead, now=bench.now)


def test_only_leads_override(bench: Bench, reviewer: User, operator: User, outsider: User) -> None:
    result = settled(bench)

    for person in (reviewer, operator, outsider):
        with pytest.raises(NotAllowed):
            override_result(result=result, value="no", reason="Read it.", by=person, now=bench.now)


def test_panel_is_saved_once_with_its_event(bench: Bench, operator: User) -> None:
    fields = {
        "name": "One", "strategy": "single", "judge_a": bench.judge("a"), "judge_b": None, "judge_c": None,
        "items": ["hallucinated"], "position": 1,
    }  # fmt: skip

    check_written_once(
        lambda: save_panel(benchmark=bench.benchmark, code="one", fields=fields, by=operator, now=bench.now),
        verbs=["create_panel"],
    )


def test_panel_that_cannot_be_is_refused(bench: Bench, reviewer: User) -> None:
    first, second = bench.judge("a"), bench.judge("b")
    fine = {
        "name": "Three", "strategy": "majority", "judge_a": first, "judge_b": second, "judge_c": bench.judge("c"),
        "items": ["hallucinated", "A-R"], "position": 1,
    }  # fmt: skip

    def save(by: User | None = None, **changes: object) -> Panel:
        return save_panel(benchmark=bench.benchmark, code="p", fields={**fine, **changes}, by=by, now=bench.now)

    for changes, words in (
        ({"strategy": "single"}, "One judge"), ({"judge_c": None}, "three judges"), ({"judge_c": first}, "different"),
        ({"items": []}, "each once"), ({"items": ["Z9"]}, "each once"), ({"items": ["A-R", "A-R"]}, "each once"),
    ):  # fmt: skip
        with pytest.raises(PanelRefused, match=words):
            save(**changes)  # type: ignore[arg-type]
    with pytest.raises(NotAllowed):
        save(by=reviewer)
    assert save().judges == {Seat.A: first, Seat.B: second, Seat.C: fine["judge_c"]}


def broken(rows: object, **values: object) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        rows.update(**values)  # type: ignore[attr-defined]


def test_database_refuses_what_must_never_be_true_of_a_panel(bench: Bench, lead: User) -> None:
    result = settled(bench)
    override_result(result=result, value="no", reason="Read it.", by=lead, now=bench.now)
    other = bench.judge("other")

    panels, results = Panel.objects.all(), PanelResult.objects.all()
    broken(panels, strategy="oracle")
    broken(panels, judge_b=other)
    broken(panels, strategy="majority")
    broken(panels, strategy="majority", judge_b=other, judge_c=other)
    broken(results, state="perhaps")
    broken(results, value="")
    broken(results, state="unresolved")
    broken(results, settled_at=None)
    broken(PanelOverride.objects.all(), reason="")
    broken(PanelVote.objects.all(), seat="D")
    with pytest.raises(IntegrityError), transaction.atomic():
        PanelVote.objects.create(result=result, seat="B", verdict=Verdict.objects.get())


def test_database_refuses_what_must_never_be_true_of_a_verdict_asked_for(bench: Bench) -> None:
    settled(bench)
    rows = Verdict.objects.all()

    broken(rows, address="")
    broken(rows, request_sha256="")
    broken(rows, prompt_version="")
    broken(rows, key_version=None)
    broken(rows, failure="why")
    broken(rows, repeat=0)
    for attempt in (1, 2):
        copied = Verdict.objects.get()
        copied.pk, copied.attempt = None, attempt
        with pytest.raises(IntegrityError), transaction.atomic():
            copied.save(force_insert=True)


@pytest.mark.parametrize("strategy", Strategy)
def test_every_strategy_ends_whatever_the_judges_reply(bench: Bench, strategy: Strategy) -> None:
    bench.answer()
    bench.panel(strategy, *(["judgeno.halved"] * (1 if strategy is Strategy.SINGLE else 3)))

    job = bench.run(panel="panel")

    assert job.left == 0
    assert (bench.result().state, bench.result().value) == ("unresolved", "")
