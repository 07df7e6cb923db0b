from datetime import timedelta

import pytest
from django.db import transaction
from pytest_django import DjangoAssertNumQueries

from lexreview.accounts.models import User
from lexreview.accounts.rules import NotAllowed
from lexreview.core.methods.reference_card.facts import CheckResult
from lexreview.core.workflow import AnswerState
from lexreview.jobs.actions import NothingToDo, start_job
from lexreview.jobs.running import run_to_end
from lexreview.law.models import Act
from lexreview.ledger.models import Event
from lexreview.verification import actions
from lexreview.verification.actions import verify_answer
from lexreview.verification.models import Citation, Verification
from lexreview.verification.pending import pending
from tests.verification.factories import NOW, make_case

TEXT = (
    "Art. 2 § 1 HA: “The harbour due is 60 crowns for each day of stay.” See also Art. 99 HA, Art. 3 HA "
    "and the judgment of the Supreme Court of 6 May 2024, II Civ 14/24."
)

pytestmark = pytest.mark.usefixtures("law")


def verify_events() -> int:
    return Event.objects.filter(verb="verify_answer").count()


def test_rows_and_one_event_are_written() -> None:
    answer = make_case(TEXT).answer

    verification = verify_answer(answer=answer, by=None, now=NOW)

    rows = list(verification.citations.in_text_order())
    assert [row.number for row in rows] == [1, 2, 3, 4]
    assert [row.result for row in rows] == ["wording_differs", "not_found", "not_in_force", "confirmed"]
    assert [row.proposed_class for row in rows] == ["W", "F", "W", ""]
    assert all(answer.text[row.start : row.end] == row.raw for row in rows)
    assert rows[0].other_edition is not None and rows[0].quotation_match == "other_edition"
    assert rows[0].explanation and rows[0].source_sha256 == rows[0].edition.sha256
    event = Event.objects.filter(verb="verify_answer").get()
    assert event.object_id == f"{answer.run.benchmark.slug}/{answer.identifier}"
    assert event.after["results"] == {"wording_differs": 1, "not_found": 1, "not_in_force": 1, "confirmed": 1}


def test_again_on_the_same_corpus_changes_nothing() -> None:
    answer = make_case(TEXT).answer
    first = verify_answer(answer=answer, by=None, now=NOW)

    second = verify_answer(answer=answer, by=None, now=NOW + timedelta(days=1))

    assert second == first
    assert (Verification.objects.count(), Citation.objects.count(), verify_events()) == (1, 4, 1)


def test_forced_it_runs_again_and_keeps_the_earlier_one() -> None:
    answer = make_case(TEXT).answer
    first = verify_answer(answer=answer, by=None, now=NOW)

    second = verify_answer(answer=answer, by=None, now=NOW, force=True)

    first.refresh_from_db()
    assert (first.is_current, second.is_current) == (False, True)
    assert first.citations.count() == second.citations.count() == 4
    assert verify_events() == 2


def test_other_law_or_another_layer_makes_it_run_again(law: Act, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = make_case(TEXT).answer
    first = verify_answer(answer=answer, by=None, now=NOW)

    law.editions.filter(valid_to=None).delete()
    second = verify_answer(answer=answer, by=None, now=NOW)
    monkeypatch.setattr(actions, "LAYER_VERSION", "99.0.0")
    third = verify_answer(answer=answer, by=None, now=NOW)

    assert len({first.pk, second.pk, third.pk}) == 3
    assert Verification.objects.current().get() == third


def test_the_event_and_the_rows_stand_or_fall_together(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = make_case(TEXT).answer

    def refuse(**_: object) -> None:
        raise RuntimeError("the ledger is full")

    monkeypatch.setattr(actions, "record_event", refuse)
    with pytest.raises(RuntimeError), transaction.atomic():
        verify_answer(answer=answer, by=None, now=NOW)

    assert not Verification.objects.exists()


@pytest.mark.parametrize("state", [AnswerState.EMPTY, AnswerState.PROVIDER_BLOCK])
def test_an_answer_without_text_has_no_citations(state: AnswerState) -> None:
    answer = make_case("", state=state).answer

    verification = verify_answer(answer=answer, by=None, now=NOW)

    assert verification.citations.count() == 0


def test_only_operators_and_leads_may_verify(operator: User, lead: User, reviewer: User, outsider: User) -> None:
    answer = make_case(TEXT).answer

    for person in (reviewer, outsider):
        with pytest.raises(NotAllowed):
            verify_answer(answer=answer, by=person, now=NOW)
    verify_answer(answer=answer, by=operator, now=NOW)
    verify_answer(answer=answer, by=lead, now=NOW)

    assert Event.objects.filter(verb="verify_answer").get().actor == "olek"


def test_pending_are_those_without_a_current_verification_of_this_layer() -> None:
    first, second = make_case(TEXT), make_case("Art. 5 HA.", system="borealis")
    benchmark = first.benchmark
    make_case("", state=AnswerState.FAILED, system="cedar")
    assert list(pending(benchmark)) == [first.answer, second.answer]

    verify_answer(answer=first.answer, by=None, now=NOW)
    assert list(pending(benchmark)) == [second.answer]

    Verification.objects.update(layer_version="0.1.0")
    assert list(pending(benchmark)) == [first.answer, second.answer]


def test_the_job_verifies_what_is_pending(operator: User) -> None:
    first = make_case(TEXT)
    make_case("Art. 5 HA.", system="borealis")
    params = {"benchmark": first.benchmark.slug}

    job = start_job(kind="verify", benchmark_slug=first.benchmark.slug, params=params, by=operator, now=NOW)
    job = run_to_end(job)

    assert (job.state, job.done, job.failed) == ("succeeded", 2, 0)
    assert not pending(first.benchmark).exists()
    with pytest.raises(NothingToDo):
        start_job(kind="verify", benchmark_slug=first.benchmark.slug, params=params, by=operator, now=NOW)


def test_queries_do_not_grow_with_repeated_citations(django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    """Each distinct provision is asked about once; a hundred citations of the same few cost no further query."""
    few = make_case("Art. 2 § 1 HA, Art. 5 HA, Art. 99 HA. ", system="few").answer
    many = make_case("Art. 2 § 1 HA, Art. 5 HA, Art. 99 HA. " * 60, system="many").answer
    verify_answer(answer=few, by=None, now=NOW)

    with django_assert_max_num_queries(26):
        verification = verify_answer(answer=many, by=None, now=NOW)

    assert verification.citations.filter(result=CheckResult.CONFIRMED).count() == 120
