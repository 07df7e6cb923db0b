from dataclasses import replace
from datetime import date, datetime
from typing import Any
from uuid import UUID

import pytest
from django.db import IntegrityError, transaction

from lexreview.accounts.models import User
from lexreview.accounts.rules import NotAllowed
from lexreview.core.workflow import AnswerState, DecisionState, KeyState, Role
from lexreview.ledger.models import Event
from lexreview.methodology.actions import DecisionDraft, publish_decision, write_decision
from lexreview.methodology.models import Decision
from lexreview.questions import actions
from lexreview.questions.actions import (
    FROZEN_FIELDS,
    BenchmarkDraft,
    DepartureNeeded,
    KeyDraft,
    KeyIsFixed,
    MirrorRefused,
    QuestionDraft,
    QuestionIsFrozen,
    approve_key,
    freeze_keys,
    pair_mirrors,
    save_benchmark,
    save_question,
    save_question_set,
    write_key,
)
from lexreview.questions.models import Benchmark, KeyVersion, Question, QuestionSet
from tests.factories import make_user
from tests.review.factories import SLUG, make_answer, make_benchmark, make_question, make_specification
from tests.writing import check_written_once, verbs_since

pytestmark = pytest.mark.django_db

A_KEY = KeyDraft(
    dated=date(2026, 10, 3),
    core_answer="No. Seven days.",
    rubric=[{"code": "R1", "text": "Seven days.", "points": 1}],
    penalties=[{"code": "K1", "text": "Fourteen days."}],
    bases=[],
    calibration="categorical",
)
OTHER_VALUES: dict[str, Any] = {
    "dated": date(2026, 10, 4),
    "core_answer": "Yes.",
    "rubric": [{"code": "R1", "text": "Seven days.", "points": 2}],
    "penalties": [],
    "bases": [{"code": "B1", "citation": "Art. 1"}],
    "calibration": "conditional",
    "condition": "where it was served",
    "disputed": True,
    "verification_note": "Nothing was left out.",
    "reason": "A slip.",
}
DEPARTURE = replace(A_KEY, core_answer="It depends.", departure=True, reason="A ruling was found after collection.")


def a_benchmark(**changes: Any) -> BenchmarkDraft:
    fields: dict[str, Any] = {
        "slug": SLUG,
        "titles": {"en": "Fees"},
        "summaries": {},
        "limitations": [],
        "language": "en",
        "jurisdiction": "QK",
        "legal_state_on": date(2026, 10, 1),
        "method": "reference-card",
        "canary": UUID("8f1d1f0a-6c1b-4a8e-9d0b-0c6a1f6f2b11"),
        "specification": make_specification(),
    }
    return BenchmarkDraft(**{**fields, **changes})


def a_question(question_set: QuestionSet, **changes: Any) -> QuestionDraft:
    fields: dict[str, Any] = {
        "code": "P01",
        "set": question_set,
        "type": "closed",
        "language": "en",
        "area": "fees",
        "task_type": "amount",
        "original_text": "how much is it",
        "benchmark_text": "",
        "asked": "original",
        "expected": {"answer": "yes", "condition": None},
        "trap": None,
        "disclosure": "undisclosed",
    }
    return QuestionDraft(**{**fields, **changes})


def draft_of(question: Question) -> QuestionDraft:
    return QuestionDraft(**{name: getattr(question, name) for name in QuestionDraft.__dataclass_fields__})


def bare_question(code: str = "P01") -> Question:
    """A question without any key."""
    benchmark = Benchmark.objects.filter(slug=SLUG).first() or make_benchmark()
    pilot = save_question_set(benchmark=benchmark, code="pilot", titles={"en": "Pilot"}, position=1, by=None, now=NOW)
    return save_question(benchmark=benchmark, draft=a_question(pilot, code=code), by=None, now=NOW)


NOW = datetime.fromisoformat("2026-10-18T12:03:22+00:00")


def write(question: Question, number: int, draft: KeyDraft, by: User | None = None) -> KeyVersion:
    return write_key(question=question, number=number, draft=draft, by=by, now=NOW)


def approve(key: KeyVersion, by: User | None = None, approver: User | None = None) -> KeyVersion:
    return approve_key(key=key, on=date(2026, 10, 19), by=by, approver=approver, now=NOW)


def test_benchmark_is_created_once_with_its_event(lead: User) -> None:
    draft = a_benchmark()

    check_written_once(lambda: save_benchmark(draft=draft, by=lead, now=NOW), verbs=["create_benchmark"])

    event = Event.objects.about("benchmark", SLUG).get()
    assert (event.actor, event.after["specification"]) == ("lena", "reference-card 1.0.1")


def test_change_of_a_benchmark_records_what_was_and_what_is() -> None:
    save_benchmark(draft=a_benchmark(), by=None, now=NOW)

    save_benchmark(draft=a_benchmark(titles={"en": "Costs"}), by=None, now=NOW)

    event = Event.objects.about("benchmark", SLUG).newest_first()[0]
    assert (event.verb, event.before, event.after) == (
        "change_benchmark", {"titles": {"en": "Fees"}}, {"titles": {"en": "Costs"}},
    )  # fmt: skip


def test_question_set_is_created_once_with_its_event(lead: User) -> None:
    benchmark = make_benchmark()

    check_written_once(
        lambda: save_question_set(
            benchmark=benchmark, code="extra", titles={"en": "Extra"}, position=2, by=lead, now=NOW
        ),
        verbs=["create_question_set"],
    )


def test_question_is_created_once_with_its_event(lead: User) -> None:
    benchmark = make_benchmark()
    pilot = save_question_set(benchmark=benchmark, code="pilot", titles={}, position=1, by=None, now=NOW)

    check_written_once(
        lambda: save_question(benchmark=benchmark, draft=a_question(pilot), by=lead, now=NOW),
        verbs=["create_question"],
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"type": "calculation"},
        {"language": "pl"},
        {"original_text": "another text"},
        {"benchmark_text": "another text"},
        {"asked": "original"},
        {"expected": {"answer": "yes", "condition": None}},
        {"trap": None},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_question_is_frozen_once_it_was_answered(changes: dict[str, Any]) -> None:
    question = make_question(make_benchmark())
    draft = replace(draft_of(question), **changes)
    make_answer(question)

    with pytest.raises(QuestionIsFrozen, match=next(iter(changes))):
        save_question(benchmark=question.benchmark, draft=draft, by=None, now=NOW)

    question.refresh_from_db()
    assert draft_of(question) != draft


def test_every_frozen_field_is_tried_above() -> None:
    assert FROZEN_FIELDS == ("type", "language", "original_text", "benchmark_text", "asked", "expected", "trap")


def test_question_may_change_until_it_was_answered() -> None:
    question = make_question(make_benchmark())

    saved = save_question(
        benchmark=question.benchmark, draft=replace(draft_of(question), original_text="other"), by=None, now=NOW
    )

    assert saved.original_text == "other"


def test_area_and_disclosure_of_an_answered_question_may_change() -> None:
    question = make_question(make_benchmark())
    make_answer(question)

    saved = save_question(
        benchmark=question.benchmark,
        draft=replace(draft_of(question), area="costs", disclosure="published"),
        by=None,
        now=NOW,
    )

    assert (saved.area, saved.disclosure) == ("costs", "published")


def test_mirrors_are_paired_once_with_their_event(lead: User) -> None:
    question, mirror = bare_question("P01"), bare_question("P02")

    check_written_once(
        lambda: pair_mirrors(question=question, mirror=mirror, by=lead, now=NOW), verbs=["change_question"]
    )

    question.refresh_from_db()
    assert question.mirror == mirror


def test_question_cannot_mirror_itself_or_one_of_another_benchmark() -> None:
    question = bare_question()
    stranger = make_question(make_benchmark("other-01"))

    for mirror in (question, stranger):
        with pytest.raises(MirrorRefused):
            pair_mirrors(question=question, mirror=mirror, by=None, now=NOW)


def test_key_is_drafted_once_with_its_event(lead: User) -> None:
    question = bare_question()

    check_written_once(lambda: write(question, 1, A_KEY, by=lead), verbs=["create_key"])

    assert question.key_versions.get().state == KeyState.DRAFT


def test_draft_of_a_key_changes_in_place_with_before_and_after() -> None:
    question = bare_question()
    write(question, 1, A_KEY)

    write(question, 1, replace(A_KEY, core_answer="Yes."))

    event = Event.objects.about("key", f"{SLUG}/P01.v1").newest_first()[0]
    assert (event.before, event.after) == ({"core_answer": "No. Seven days."}, {"core_answer": "Yes."})
    assert question.key_versions.count() == 1


@pytest.mark.parametrize("field", OTHER_VALUES)
@pytest.mark.parametrize("state", [KeyState.APPROVED, KeyState.SUPERSEDED])
def test_approved_and_superseded_keys_never_change_in_place(field: str, state: KeyState) -> None:
    question = bare_question()
    approve(write(question, 1, A_KEY))
    if state == KeyState.SUPERSEDED:
        approve(write(question, 2, A_KEY))
    before = Event.objects.count()

    with pytest.raises(KeyIsFixed, match=field):
        write(question, 1, replace(A_KEY, **{field: OTHER_VALUES[field]}))

    key = question.key_versions.get(number=1)
    assert (key.state, getattr(key, field)) == (state, getattr(A_KEY, field))
    assert Event.objects.count() == before


def test_every_field_of_a_key_is_tried_above() -> None:
    assert set(KeyDraft.__dataclass_fields__) - set(OTHER_VALUES) == {"departure", "decision"}


def test_approved_key_written_again_with_the_same_content_records_nothing() -> None:
    question = bare_question()
    key = approve(write(question, 1, A_KEY))
    before = Event.objects.count()

    again = write(question, 1, A_KEY)

    assert (again, Event.objects.count()) == (key, before)


def test_approval_is_dated_names_the_lead_and_is_recorded_once(lead: User) -> None:
    key = write(bare_question(), 1, A_KEY)

    check_written_once(lambda: approve(key, by=lead), verbs=["approve_key"])

    key.refresh_from_db()
    assert (key.state, key.approved_by, key.approved_on) == (KeyState.APPROVED, lead, date(2026, 10, 19))


def test_imported_approval_keeps_the_name_of_its_lead(lead: User) -> None:
    key = approve(write(bare_question(), 1, A_KEY), approver=lead)

    assert key.approved_by == lead
    assert Event.objects.about("key", f"{SLUG}/P01.v1").newest_first()[0].actor == "system"


def test_only_one_version_is_approved_and_the_earlier_is_superseded_first() -> None:
    question = bare_question()
    approve(write(question, 1, A_KEY))
    second = write(question, 2, replace(A_KEY, core_answer="Yes."))
    before = Event.objects.count()

    approve(second)

    assert list(question.key_versions.in_order().values_list("number", "state")) == [
        (1, KeyState.SUPERSEDED),
        (2, KeyState.APPROVED),
    ]
    assert verbs_since(before) == ["supersede_key", "approve_key"]


def test_first_answer_freezes_the_approved_key_and_later_ones_do_not_touch_it() -> None:
    question = make_question(make_benchmark())
    assert question.key_versions.get().frozen_at is None

    answer = make_answer(question, system="argon-4")
    key = question.key_versions.get()
    before = Event.objects.count()
    make_answer(question, system="dune-2")

    assert key.frozen_at is not None
    assert key.frozen_at >= answer.answered_at
    assert question.key_versions.get().frozen_at == key.frozen_at
    assert "freeze_key" not in verbs_since(before)


def test_key_is_frozen_once_with_its_event() -> None:
    question = make_question(make_benchmark())

    check_written_once(lambda: freeze_keys(questions=[question], by=None, now=NOW), verbs=["freeze_key"])


def test_question_without_an_approved_key_cannot_be_frozen() -> None:
    question = bare_question()
    write(question, 1, A_KEY)

    with pytest.raises(KeyVersion.DoesNotExist):
        freeze_keys(questions=[question], by=None, now=NOW)


def test_key_that_follows_a_frozen_one_must_be_a_departure() -> None:
    question = make_question(make_benchmark())
    make_answer(question)
    second = write(question, 2, A_KEY)
    before = Event.objects.count()

    with pytest.raises(DepartureNeeded, match=r"P04\.v2"):
        approve(second)

    assert question.key_versions.approved().get().number == 1
    assert Event.objects.count() == before


def test_departure_without_a_reason_is_refused() -> None:
    question = make_question(make_benchmark())
    make_answer(question)

    for reason in ("", "  \n"):
        with pytest.raises(DepartureNeeded, match="reason"):
            write(question, 2, replace(DEPARTURE, reason=reason))

    assert question.key_versions.count() == 1
    assert not Decision.objects.exists()


def test_departure_writes_its_decision_by_itself_and_only_once(lead: User) -> None:
    question = make_question(make_benchmark())
    make_answer(question)

    check_written_once(lambda: write(question, 2, DEPARTURE, by=lead), verbs=["write_decision", "create_key"])

    decision = Decision.objects.get()
    key = question.key_versions.get(number=2)
    assert key.decision == decision
    assert (decision.state, decision.author, decision.reason) == (DecisionState.DRAFT, lead, DEPARTURE.reason)
    assert decision.touches["key_versions"] == ["P04.v2"]
    assert decision.governs(question="P04", card="P04_argon-4_W0_r1")


def test_departure_that_names_a_decision_writes_no_other() -> None:
    question = make_question(make_benchmark())
    make_answer(question)
    decision = write_decision(
        benchmark_slug=SLUG,
        draft=DecisionDraft(decided_on=date(2026, 10, 19), question="?", decision="!", reason="."),
        by=None,
        now=NOW,
    )

    key = write(question, 2, replace(DEPARTURE, decision=decision))

    assert key.decision == decision
    assert Decision.objects.count() == 1


def test_departure_cannot_rest_on_a_decision_of_another_benchmark() -> None:
    question = make_question(make_benchmark())
    make_answer(question)
    stranger = write_decision(
        benchmark_slug="other-01",
        draft=DecisionDraft(decided_on=date(2026, 10, 19), question="?", decision="!", reason="."),
        by=None,
        now=NOW,
    )

    with pytest.raises(DepartureNeeded, match="other-01"):
        write(question, 2, replace(DEPARTURE, decision=stranger))


def test_approved_departure_supersedes_the_frozen_key_and_is_frozen_itself() -> None:
    question = make_question(make_benchmark())
    make_answer(question)
    frozen_at = question.key_versions.get().frozen_at
    publish_decision(decision=write(question, 2, DEPARTURE).decision, by=None, now=NOW)

    second = approve(question.key_versions.get(number=2))

    assert (second.state, second.departure, second.frozen_at) == (KeyState.APPROVED, True, frozen_at)
    assert question.key_versions.get(number=1).state == KeyState.SUPERSEDED


def test_event_and_row_are_lost_together(monkeypatch: pytest.MonkeyPatch) -> None:
    question = bare_question()
    key = write(question, 1, A_KEY)

    def fail(**_: object) -> None:
        raise ConnectionError("the database went away")

    monkeypatch.setattr(actions, "record_event", fail)
    with pytest.raises(ConnectionError):
        approve(key)

    key.refresh_from_db()
    assert key.state == KeyState.DRAFT


def attempts(question: Question, by: User) -> dict[str, Any]:
    pilot = question.set
    key = write(question, 1, A_KEY)
    return {
        "save_benchmark": lambda: save_benchmark(draft=a_benchmark(titles={"en": "Mine"}), by=by, now=NOW),
        "save_question_set": lambda: save_question_set(
            benchmark=question.benchmark, code="mine", titles={}, position=1, by=by, now=NOW
        ),
        "save_question": lambda: save_question(
            benchmark=question.benchmark, draft=a_question(pilot, code="P99"), by=by, now=NOW
        ),
        "pair_mirrors": lambda: pair_mirrors(question=question, mirror=None, by=by, now=NOW),
        "write_key": lambda: write(question, 2, A_KEY, by=by),
        "approve_key": lambda: approve(key, by=by),
    }


@pytest.mark.parametrize("roles", [(), (Role.REVIEWER,), (Role.OPERATOR,), (Role.REVIEWER, Role.OPERATOR)])
def test_only_leads_write_benchmarks_questions_and_keys(roles: tuple[Role, ...]) -> None:
    user = make_user("pia", roles=roles)
    every = attempts(bare_question(), user)
    before = Event.objects.count()

    for attempt in every.values():
        with pytest.raises(NotAllowed):
            attempt()

    assert Event.objects.count() == before


def test_lead_of_another_benchmark_is_no_lead_here() -> None:
    stranger = make_user("otto", roles=(Role.LEAD,), benchmark="other-01")

    for attempt in attempts(bare_question(), stranger).values():
        with pytest.raises(NotAllowed):
            attempt()


def test_lead_does_all_of_it(lead: User) -> None:
    for attempt in attempts(bare_question(), lead).values():
        attempt()


def broken(rows: Any, **values: Any) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        rows.update(**values)


def test_database_refuses_what_must_never_be_true_of_a_key() -> None:
    question = make_question(make_benchmark())
    make_answer(question, state=AnswerState.EMPTY)
    write(question, 2, A_KEY)
    first, second = KeyVersion.objects.filter(number=1), KeyVersion.objects.filter(number=2)

    broken(second, number=1)
    broken(second, state=KeyState.APPROVED, approved_on=date(2026, 10, 19))
    broken(first, approved_on=None)
    broken(second, state="unheard-of")
    broken(second, departure=True, reason="A reason, but no decision.")


def test_database_refuses_a_departure_without_reason() -> None:
    question = make_question(make_benchmark())
    make_answer(question)
    write(question, 2, DEPARTURE)

    broken(KeyVersion.objects.filter(number=2), reason="")


def test_database_refuses_what_must_never_be_true_of_a_question() -> None:
    bare_question("P01")
    rows = Question.objects.filter(pk=bare_question("P02").pk)

    broken(rows, code="P01")
    broken(rows, type="unheard-of")
    broken(rows, disclosure="leaked")
    broken(rows, asked="benchmark")
    broken(rows, original_text="")
    broken(rows, asked="unheard-of")


def test_database_refuses_what_must_never_be_true_of_a_benchmark() -> None:
    make_benchmark()
    other = make_benchmark("other-01")
    rows = Benchmark.objects.filter(pk=other.pk)
    for code in ("pilot", "extension"):
        save_question_set(benchmark=other, code=code, titles={}, position=1, by=None, now=NOW)

    broken(rows, slug=SLUG)
    broken(rows, method="unheard-of")
    broken(QuestionSet.objects.filter(code="extension"), code="pilot")
