from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from lexreview.accounts.models import User
from lexreview.accounts.rules import NotAllowed
from lexreview.answers import actions
from lexreview.answers.actions import (
    AnswerDraft,
    AnswerIsFinal,
    ConditionIsFrozen,
    NoApprovedKey,
    RunRefused,
    begin_run,
    save_condition,
    save_run,
    save_system,
    store_answer,
)
from lexreview.answers.models import Answer, Condition, Run, System, identifier_of, sha256_of
from lexreview.core.workflow import AnswerState, Role
from lexreview.ledger.models import Event
from lexreview.questions.models import Benchmark, Question
from tests.factories import make_user
from tests.review.factories import SLUG, make_answer, make_benchmark, make_question
from tests.writing import check_written_once, verbs_since

pytestmark = pytest.mark.django_db
NOW = datetime.fromisoformat("2026-10-18T12:03:22+00:00")
SYSTEM = {
    "name": "Argon 4",
    "provider": "Noble",
    "family": "argon",
    "model_identifier": "argon-4",
    "settings": {},
    "position": 1,
}
CONDITION = {"titles": {"en": "no tools"}, "tools": False, "preambles": {"en": "You are asked."}, "position": 1}
DRAFT = AnswerDraft(
    text="Yes, within seven days (Art. 17 § 1 CPA). Żółć \U0001f9d0\r\n",
    state=AnswerState.ANSWERED,
    answered_at=datetime.fromisoformat("2026-10-12T09:30:00+00:00"),
    served_model="argon-4-2026-09",
    settings={"temperature": 0},
    trace=[{"order": 1, "kind": "search", "query": "fee"}],
    usage={"input": 120, "output": 80},
    cost_usd=Decimal("0.012300"),
)
FAILED = replace(DRAFT, text="", state=AnswerState.FAILED, trace=[], usage={}, cost_usd=None)
OTHER_VALUES: dict[str, Any] = {
    "text": "No.",
    "state": AnswerState.EMPTY,
    "answered_at": datetime.fromisoformat("2026-10-12T09:31:00+00:00"),
    "served_model": "argon-4-2026-10",
    "block_reason": "content policy",
    "settings": {"temperature": 1},
    "trace": [],
    "usage": {"input": 121, "output": 80},
    "cost_usd": Decimal("0.012301"),
    "cost_is_lower_bound": True,
}


def make_system(benchmark: Benchmark, by: User | None = None, code: str = "argon-4") -> System:
    return save_system(benchmark=benchmark, code=code, fields=SYSTEM, by=by, now=NOW)


def make_condition(benchmark: Benchmark, by: User | None = None, **changes: Any) -> Condition:
    return save_condition(benchmark=benchmark, code="W0", fields={**CONDITION, **changes}, by=by, now=NOW)


def make_run(benchmark: Benchmark, by: User | None = None, repetition: int = 1) -> Run:
    return save_run(
        system=make_system(benchmark),
        condition=make_condition(benchmark),
        repetition=repetition,
        started_on=date(2026, 10, 12),
        note="",
        by=by,
        now=NOW,
    )


def store(question: Question, run: Run, draft: AnswerDraft = DRAFT, by: User | None = None) -> Answer:
    return store_answer(question=question, run=run, draft=draft, by=by, now=NOW)


@pytest.fixture
def question(db: None) -> Question:
    return make_question(make_benchmark())


@pytest.fixture
def run(question: Question) -> Run:
    return make_run(question.benchmark)


def test_system_condition_and_run_are_saved_once_with_their_events(operator: User) -> None:
    benchmark = make_benchmark()

    check_written_once(lambda: make_system(benchmark, by=operator), verbs=["create_system"])
    check_written_once(lambda: make_condition(benchmark, by=operator), verbs=["create_condition"])
    check_written_once(lambda: make_run(benchmark, by=operator), verbs=["create_run"])


def test_run_pairs_a_system_and_a_condition_of_one_benchmark() -> None:
    here, elsewhere = make_benchmark(), make_benchmark("other-01")

    with pytest.raises(RunRefused):
        save_run(
            system=make_system(here),
            condition=make_condition(elsewhere),
            repetition=1,
            started_on=date(2026, 10, 12),
            note="",
            by=None,
            now=NOW,
        )


def test_run_is_asked_sets_of_its_own_benchmark() -> None:
    here = make_question(make_benchmark()).benchmark
    chosen: dict[str, Any] = {
        "system": make_system(here), "condition": make_condition(here), "repetition": 1,
        "started_on": date(2026, 10, 12), "by": None, "now": NOW,
    }  # fmt: skip

    with pytest.raises(RunRefused, match="kestria-01 has no question set elsewhere"):
        begin_run(**chosen, sets=["pilot", "elsewhere"])

    assert not Run.objects.exists()
    check_written_once(lambda: begin_run(**chosen, sets=["pilot"]), verbs=["create_run"])
    assert Run.objects.get().sets == ["pilot"]


def test_only_operators_begin_a_run(reviewer: User, operator: User) -> None:
    here = make_question(make_benchmark()).benchmark
    system, condition = make_system(here), make_condition(here)

    def begin(by: User) -> Run:
        return begin_run(
            system=system, condition=condition, repetition=1, sets=[], started_on=date(2026, 10, 12), by=by, now=NOW
        )

    with pytest.raises(NotAllowed):
        begin(reviewer)
    assert begin(operator).sets == []


def test_answer_is_stored_once_with_its_event(question: Question, run: Run, operator: User) -> None:
    check_written_once(
        lambda: store(question, run, by=operator), verbs=["freeze_key", "freeze_condition", "store_answer"]
    )

    event = Event.objects.about("answer", "kestria-01/P04_argon-4_W0_r1").get()
    assert event.after == {"sha256": sha256_of(DRAFT.text), "state": "answered", "served_model": "argon-4-2026-09"}


def test_text_is_kept_as_returned_with_its_hash(question: Question, run: Run) -> None:
    store(question, run)

    answer = Answer.objects.get()
    assert answer.text == DRAFT.text
    # Worked out with sha256sum over the UTF-8 bytes, carriage return included.
    assert answer.sha256 == "0ddbb4953a69cda102af02fc93c3b7a31f59c0cdad9123c5e732cdac6222b7ec"
    assert answer.is_intact


def test_changed_text_is_noticed(question: Question, run: Run) -> None:
    answer = store(question, run)

    Answer.objects.filter(pk=answer.pk).update(text=DRAFT.text.strip())

    assert not Answer.objects.get().is_intact


@pytest.mark.parametrize("field", OTHER_VALUES)
def test_stored_answer_never_changes(question: Question, run: Run, field: str) -> None:
    store(question, run)
    before = Event.objects.count()

    with pytest.raises(AnswerIsFinal, match=field):
        store(question, run, replace(DRAFT, **{field: OTHER_VALUES[field]}))

    assert getattr(Answer.objects.get(), field) == getattr(DRAFT, field)
    assert Event.objects.count() == before


def test_every_field_of_an_answer_is_tried_above() -> None:
    assert set(AnswerDraft.__dataclass_fields__) == set(OTHER_VALUES)


@pytest.mark.parametrize("state", [AnswerState.EMPTY, AnswerState.PROVIDER_BLOCK])
def test_empty_and_blocked_answers_are_final_too(question: Question, run: Run, state: AnswerState) -> None:
    reason = "content policy" if state == AnswerState.PROVIDER_BLOCK else ""
    store(question, run, replace(FAILED, state=state, block_reason=reason))

    with pytest.raises(AnswerIsFinal):
        store(question, run)


def test_failed_answer_can_be_collected_again(question: Question, run: Run) -> None:
    failed = store(question, run, FAILED)

    answer = store(question, run)

    assert (answer.pk, answer.state, answer.text) == (failed.pk, AnswerState.ANSWERED, DRAFT.text)
    assert Answer.objects.scored().count() == 1
    assert [
        event.after["state"] for event in Event.objects.about("answer", f"kestria-01/{answer.identifier}").in_order()
    ] == [
        "failed",
        "answered",
    ]


def test_same_failure_again_records_nothing(question: Question, run: Run) -> None:
    check_written_once(lambda: store(question, run, FAILED), verbs=["freeze_key", "freeze_condition", "store_answer"])

    assert not Answer.objects.scored().exists()


def test_question_without_an_approved_key_takes_no_answer(question: Question, run: Run) -> None:
    question.key_versions.update(state="draft")
    before = Event.objects.count()

    with pytest.raises(NoApprovedKey, match="P04"):
        store(question, run)

    assert not Answer.objects.exists()
    assert Event.objects.count() == before


def test_answer_belongs_to_the_benchmark_of_its_run(run: Run) -> None:
    stranger = make_question(make_benchmark("other-01"))

    with pytest.raises(RunRefused):
        store(stranger, run)


@pytest.mark.parametrize("changes", [{"preambles": {"en": "Be kind."}}, {"tools": True}], ids=["preamble", "tools"])
def test_condition_is_frozen_at_its_first_answer(question: Question, run: Run, changes: dict[str, Any]) -> None:
    make_condition(question.benchmark, **changes)
    make_condition(question.benchmark)
    store(question, run)

    with pytest.raises(ConditionIsFrozen, match="W0"):
        make_condition(question.benchmark, **changes)

    condition = Condition.objects.get()
    assert (condition.preambles, condition.tools, condition.frozen_at) == ({"en": "You are asked."}, False, NOW)


def test_title_of_a_frozen_condition_may_change(question: Question, run: Run) -> None:
    store(question, run)

    assert make_condition(question.benchmark, titles={"en": "Without tools"}).titles == {"en": "Without tools"}


def test_later_answers_freeze_nothing_again(question: Question, run: Run) -> None:
    store(question, run)
    before = Event.objects.count()

    store(question, make_run(question.benchmark, repetition=2))

    assert verbs_since(before) == ["create_run", "store_answer"]


def test_event_and_row_are_lost_together(question: Question, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: object) -> None:
        raise ConnectionError("the database went away")

    monkeypatch.setattr(actions, "record_event", fail)
    with pytest.raises(ConnectionError):
        store(question, run)

    assert not Answer.objects.exists()
    assert question.key_versions.get().frozen_at is None
    assert Condition.objects.get().frozen_at is None


@pytest.mark.parametrize("roles", [(), (Role.REVIEWER,), (Role.LEAD,)])
def test_only_operators_collect(question: Question, run: Run, roles: tuple[Role, ...]) -> None:
    user = make_user("pia", roles=roles)
    before = Event.objects.count()

    for attempt in (
        lambda: make_system(question.benchmark, by=user, code="new"),
        lambda: make_condition(question.benchmark, by=user, titles={}),
        lambda: make_run(question.benchmark, by=user, repetition=2),
        lambda: store(question, run, by=user),
    ):
        with pytest.raises(NotAllowed):
            attempt()

    assert Event.objects.count() == before


def test_operator_of_another_benchmark_is_no_operator_here(question: Question, run: Run) -> None:
    with pytest.raises(NotAllowed):
        store(question, run, by=make_user("otto", roles=(Role.OPERATOR,), benchmark="other-01"))


def test_identifier_names_question_system_condition_and_repetition() -> None:
    assert identifier_of(question="P01", system="argon-4", condition="W0", repetition=3) == "P01_argon-4_W0_r3"


def broken(rows: Any, **values: Any) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        rows.update(**values)


def test_database_refuses_what_must_never_be_true_of_an_answer(question: Question) -> None:
    first = make_answer(question, repetition=1)
    rows = Answer.objects.filter(pk=make_answer(question, repetition=2).pk)
    other = make_answer(make_question(question.benchmark, "P05"), repetition=2)

    broken(rows, run=first.run)
    broken(rows, identifier=other.identifier)
    broken(rows, state="unheard-of")
    broken(rows, text="")
    broken(rows, state=AnswerState.PROVIDER_BLOCK)


def test_database_refuses_what_must_never_be_true_of_a_run(question: Question) -> None:
    make_answer(question, system="argon-4", condition="W0")
    other = make_answer(question, system="dune-2", condition="W1", repetition=2)
    first = make_answer(question, system="dune-2", condition="W1", repetition=1)

    broken(Run.objects.filter(pk=other.run_id), repetition=first.run.repetition)
    broken(Run.objects.filter(pk=other.run_id), repetition=0)
    broken(System.objects.filter(code="dune-2"), code="argon-4")
    broken(Condition.objects.filter(code="W1"), code="W0")
    assert question.benchmark.slug == SLUG
