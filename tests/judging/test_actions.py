from datetime import datetime
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from lexreview.accounts.models import User
from lexreview.accounts.rules import NotAllowed
from lexreview.answers.models import Answer
from lexreview.core.workflow import Role
from lexreview.judging.actions import VerdictDraft, VerdictIsFinal, VerdictRefused, save_judge, store_verdicts
from lexreview.judging.actions import verdicts as actions
from lexreview.judging.models import Judge, Verdict
from lexreview.ledger.models import Event
from tests.factories import make_user
from tests.review.factories import SLUG, make_answer, make_benchmark, make_question
from tests.writing import aborted, check_written_once, verbs_since

pytestmark = pytest.mark.django_db
NOW = datetime.fromisoformat("2026-10-18T12:03:22+00:00")
LATER = datetime.fromisoformat("2026-10-19T12:03:22+00:00")
JUDGE = {
    "name": "Lynx 5",
    "provider": "Sable",
    "family": "lynx",
    "model_identifier": "lynx-5-2026-09",
    "variant": "plain",
    "search": True,
    "instructions_version": "1",
    "position": 1,
}
OTHER_VALUES: dict[str, Any] = {
    "specification_version": "1.0.0",
    "judged_at": LATER,
    "hallucinated": False,
    "criteria": {"A-R": 1},
    "findings": [],
    "citations_checked": [],
    "raw_sha256": "b" * 64,
    "dropped": [{"class": "W", "claim": "x", "source_says": "y", "reason": "not_in_the_answer"}],
    "flags": ["verdict"],
    "failure": "no JSON",
    "prompt_version": "verdict-1",
    "prompt_sha256": "c" * 64,
    "served_model": "lynx-5-2026-10",
    "repeat": 2,
}
PLACE = {"answer", "key_version", "request_sha256", "attempt"}
"""With these a verdict that a job asked for has a place of its own: another value is another verdict."""


def make_judge(slug: str = SLUG, code: str = "lynx-5", by: User | None = None, **changes: Any) -> Judge:
    return save_judge(benchmark=make_benchmark(slug), code=code, fields={**JUDGE, **changes}, by=by, now=NOW)


def vote(answer: Answer, **changes: Any) -> VerdictDraft:
    fields: dict[str, Any] = {
        "answer": answer,
        "specification_version": "1.0.1",
        "judged_at": NOW,
        "hallucinated": True,
        "criteria": {"A-R": 2},
        "findings": [{"class": "W", "claim": "fourteen days", "source_says": "seven days"}],
        "citations_checked": ["Art. 17 § 1 CPA"],
        "raw_sha256": "a" * 64,
    }
    return VerdictDraft(**{**fields, **changes})


def store(judge: Judge, *drafts: VerdictDraft, by: User | None = None) -> list[Verdict]:
    return store_verdicts(judge=judge, drafts=list(drafts), by=by, now=NOW)


@pytest.fixture
def judge(db: None) -> Judge:
    return make_judge()


@pytest.fixture
def answer(judge: Judge) -> Answer:
    return make_answer(make_question(judge.benchmark))


def test_judge_is_saved_once_with_its_event(operator: User) -> None:
    benchmark = make_benchmark()

    check_written_once(
        lambda: save_judge(benchmark=benchmark, code="lynx-5", fields=JUDGE, by=operator, now=NOW),
        verbs=["create_judge"],
    )


def test_change_of_a_judge_records_before_and_after(judge: Judge) -> None:
    make_judge(name="Lynx 5.1")

    event = Event.objects.about("judge", f"{SLUG}/lynx-5").newest_first()[0]
    assert (event.before, event.after) == ({"name": "Lynx 5"}, {"name": "Lynx 5.1"})


def test_verdicts_are_stored_once_with_an_event_each(judge: Judge, answer: Answer, operator: User) -> None:
    other = make_answer(answer.question, system="dune-2")
    before = Event.objects.count()

    with aborted():
        store(judge, vote(answer), by=operator)
    assert verbs_since(before) == []

    new = store(judge, vote(answer), vote(other, hallucinated=None), by=operator)
    again = store(judge, vote(answer), vote(other, hallucinated=None), by=operator)

    assert [verdict.answer for verdict in new] == [answer, other]
    assert again == []
    assert verbs_since(before) == ["store_verdict", "store_verdict"]
    assert Event.objects.about("verdict", f"{SLUG}/lynx-5/{answer.identifier}").get().after == {
        "hallucinated": True, "raw_sha256": "a" * 64,
    }  # fmt: skip


def test_new_verdicts_beside_stored_ones_are_taken(judge: Judge, answer: Answer) -> None:
    store(judge, vote(answer))
    other = make_answer(answer.question, system="dune-2")

    new = store(judge, vote(answer), vote(other))

    assert [verdict.answer for verdict in new] == [other]


@pytest.mark.parametrize("field", OTHER_VALUES)
def test_stored_verdict_never_changes(judge: Judge, answer: Answer, field: str) -> None:
    store(judge, vote(answer))
    before = Event.objects.count()

    with pytest.raises(VerdictIsFinal, match=field):
        store(judge, vote(answer, **{field: OTHER_VALUES[field]}))

    assert getattr(Verdict.objects.get(), field) == getattr(vote(answer), field)
    assert Event.objects.count() == before


def test_every_field_of_a_verdict_is_tried_above() -> None:
    assert set(VerdictDraft.__dataclass_fields__) - set(OTHER_VALUES) == PLACE


def test_one_refused_verdict_keeps_all_of_them_out(judge: Judge, answer: Answer) -> None:
    store(judge, vote(answer))
    other = make_answer(answer.question, system="dune-2")

    with pytest.raises(VerdictIsFinal):
        store(judge, vote(other), vote(answer, hallucinated=False))

    assert Verdict.objects.count() == 1


def test_two_votes_of_a_judge_on_one_answer_are_refused(judge: Judge, answer: Answer) -> None:
    with pytest.raises(VerdictRefused, match=answer.identifier):
        store(judge, vote(answer), vote(answer, hallucinated=False))

    assert not Verdict.objects.exists()


def test_judge_votes_on_answers_of_its_own_benchmark_only(judge: Judge) -> None:
    stranger = make_answer(make_question(make_benchmark("other-01")))

    with pytest.raises(VerdictRefused, match=stranger.identifier):
        store(judge, vote(stranger))


def test_failed_vote_is_kept_and_is_not_valid(judge: Judge, answer: Answer) -> None:
    store(judge, vote(answer, hallucinated=None))

    assert Verdict.objects.count() == 1
    assert not Verdict.objects.valid().exists()


@pytest.mark.parametrize("roles", [(), (Role.REVIEWER,), (Role.LEAD,)])
def test_only_operators_save_judges_and_verdicts(judge: Judge, answer: Answer, roles: tuple[Role, ...]) -> None:
    user = make_user("pia", roles=roles)

    with pytest.raises(NotAllowed):
        save_judge(benchmark=judge.benchmark, code="mine", fields=JUDGE, by=user, now=NOW)
    with pytest.raises(NotAllowed):
        store(judge, vote(answer), by=user)

    assert not Verdict.objects.exists()


def test_event_and_rows_are_lost_together(judge: Judge, answer: Answer, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: object) -> None:
        raise ConnectionError("the database went away")

    monkeypatch.setattr(actions, "record_events", fail)
    with pytest.raises(ConnectionError):
        store(judge, vote(answer))

    assert not Verdict.objects.exists()


def broken(rows: Any, **values: Any) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        rows.update(**values)


def test_database_refuses_what_must_never_be_true_of_a_verdict(judge: Judge, answer: Answer) -> None:
    other = make_answer(answer.question, system="dune-2")
    store(judge, vote(answer), vote(other))
    make_judge(code="meridian")

    broken(Verdict.objects.filter(answer=other), answer=answer)
    broken(Verdict.objects.filter(answer=other), specification_version="")
    broken(Judge.objects.filter(code="meridian"), code="lynx-5")
