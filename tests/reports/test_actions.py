from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from lexreview.accounts.models import User
from lexreview.accounts.rules import NotAllowed
from lexreview.answers.models import Answer
from lexreview.core.workflow import Role
from lexreview.ledger.models import Event
from lexreview.methodology.models import Specification
from lexreview.questions.models import Benchmark, Question
from lexreview.reports.actions import (
    CannotPublish,
    CannotWithdraw,
    checked_pages,
    content_hash,
    publish,
    store_files,
    withdraw_publication,
)
from lexreview.reports.freezing import FrozenPage
from lexreview.reports.gather import gather
from lexreview.reports.models import PageKind, Publication, PublicationPage
from lexreview.review.models import Card
from tests.factories import make_user
from tests.reports.factories import (
    ADDRESS,
    DRAFT_WORD,
    HIDDEN_DECISION_WORD,
    HIDDEN_WORD,
    NOW,
    OPEN_WORD,
    Scene,
    add_decision,
    approved,
    change_and_approve_again,
    decided,
)
from tests.review.factories import make_benchmark

LATER = NOW + timedelta(days=1)


def first_publication(scene: Scene) -> Publication:
    return publish(benchmark=scene.benchmark, note="", by=scene.lead, now=NOW)


def test_publishing_freezes_pages_and_records_one_event(scene: Scene) -> None:
    publication = first_publication(scene)

    event = Event.objects.newest_first().first()
    assert (publication.number, publication.approved, publication.answers) == (1, 3, 4)
    assert publication.publisher == "Lena Marsh"
    assert publication.specification == "reference-card 1.0.1"
    assert event is not None
    assert (event.verb, event.object_id, event.actor) == ("publish", "kestria-01#1", "lena")
    assert event.after["sha256"] == publication.sha256
    assert sorted(publication.pages.values_list("kind", "key")) == sorted(
        [
            ("benchmark", ""),
            ("question", "P01"),
            ("question", "P02"),
            ("card", "P01_argon-4_W0_r1"),
            ("card", "P01_borealis_W0_r1"),
            ("card", "P02_argon-4_W0_r1"),
            ("card", "P02_borealis_W1_r1"),
            ("errors", ""),
            ("judges", ""),
            ("verification", ""),
            ("cost", ""),
            ("method", ""),
            ("decisions", ""),
        ]
    )


@pytest.mark.parametrize("role", [None, Role.REVIEWER, Role.OPERATOR])
def test_only_a_lead_publishes_and_withdraws(scene: Scene, role: Role | None) -> None:
    person = make_user("petra", roles=(role,) if role else ())
    publication = first_publication(scene)

    with pytest.raises(NotAllowed):
        publish(benchmark=scene.benchmark, note="x", by=person, now=NOW)
    with pytest.raises(NotAllowed):
        withdraw_publication(publication=publication, reason="x", by=person, now=NOW)
    with pytest.raises(NotAllowed):
        store_files(publication=publication, files={"a": ("text/plain", b"a")}, by=person, now=NOW)


def test_a_lead_of_another_benchmark_does_not_publish_this_one(scene: Scene) -> None:
    other = make_user("otto", roles=(Role.LEAD,), benchmark="other-01")

    with pytest.raises(NotAllowed):
        publish(benchmark=scene.benchmark, note="", by=other, now=NOW)


def test_same_content_is_not_published_twice(scene: Scene) -> None:
    first = first_publication(scene)
    events = Event.objects.count()

    again = publish(benchmark=scene.benchmark, note="Again.", by=scene.lead, now=LATER)

    assert again == first
    assert Publication.objects.count() == 1
    assert Event.objects.count() == events


def test_changed_content_is_the_next_number_with_its_note(scene: Scene) -> None:
    first = first_publication(scene)
    change_and_approve_again(scene.card("P01_borealis_W0_r1"), core=2, by=scene.reviewer)

    with pytest.raises(CannotPublish, match="since publication 1"):
        publish(benchmark=scene.benchmark, note="  ", by=scene.lead, now=LATER)
    second = publish(benchmark=scene.benchmark, note="Core of P01 read again.", by=scene.lead, now=LATER)

    assert (second.number, second.note) == (2, "Core of P01 read again.")
    assert second.sha256 != first.sha256


def test_hash_is_that_of_the_stored_pages(scene: Scene) -> None:
    publication = first_publication(scene)

    pages = list(PublicationPage.objects.filter(publication=publication))

    assert content_hash([_frozen(page) for page in pages]) == publication.sha256


def _frozen(page: PublicationPage):

    return FrozenPage(PageKind(page.kind), page.key, page.position, page.content)


def test_an_answer_that_was_tampered_with_stops_the_publication(scene: Scene) -> None:
    Answer.objects.filter(identifier="P01_argon-4_W0_r1").update(text="Something else.")

    with pytest.raises(CannotPublish, match="P01_argon-4_W0_r1"):
        first_publication(scene)


def test_nothing_is_published_without_an_approved_card(scene: Scene) -> None:
    empty = make_benchmark("empty-01")
    lead = make_user("emil", roles=(Role.LEAD,), benchmark="empty-01")

    with pytest.raises(CannotPublish, match="No card"):
        publish(benchmark=empty, note="", by=lead, now=NOW)


def test_approved_cards_of_undisclosed_questions_do_not_make_a_publication(scene: Scene) -> None:
    Question.objects.exclude(code="P11").update(disclosure="undisclosed")

    with pytest.raises(CannotPublish, match="No card of a disclosed question"):
        first_publication(scene)


def test_cards_scored_under_different_rules_are_refused_by_name(scene: Scene) -> None:
    current = scene.benchmark.specification
    content = {**current.content, "version": "1.1.0", "rules_changed": True}
    newer = Specification.objects.create(
        name=current.name, major=1, minor=1, patch=0, method=current.method, dated=current.dated,
        rules_changed=True, content=content, sha256="0" * 64,
    )  # fmt: skip
    Card.objects.filter(answer__identifier="P02_argon-4_W0_r1").update(specification=newer)

    with pytest.raises(CannotPublish) as refused:
        first_publication(scene)

    assert "1.0.1, 1.1.0" in str(refused.value)
    assert "P01_argon-4_W0_r1" in str(refused.value)
    assert not Publication.objects.exists()


def test_a_newer_version_without_changed_rules_is_no_obstacle(scene: Scene) -> None:
    current = scene.benchmark.specification
    newer = Specification.objects.create(
        name=current.name, major=1, minor=0, patch=2, method=current.method, dated=current.dated,
        rules_changed=False, content={**current.content, "version": "1.0.2", "rules_changed": False}, sha256="0" * 64,
    )  # fmt: skip
    Card.objects.filter(answer__identifier="P02_argon-4_W0_r1").update(specification=newer)

    assert first_publication(scene).specification == "reference-card 1.0.2"


def test_a_decision_on_disclosed_and_undisclosed_questions_is_refused(scene: Scene) -> None:
    decision = add_decision(scene, "Both at once?", questions=["P01", "P11"])

    with pytest.raises(CannotPublish, match=str(decision.number)):
        first_publication(scene)


@pytest.mark.parametrize("word", [HIDDEN_WORD, HIDDEN_DECISION_WORD, DRAFT_WORD, OPEN_WORD, ADDRESS, "P11", "9.00"])
def test_frozen_pages_hold_nothing_that_must_not_be_seen(scene: Scene, word: str) -> None:
    publication = first_publication(scene)

    assert not [page.key for page in publication.pages.all() if word.casefold() in str(page.content).casefold()]


def test_text_of_an_undisclosed_question_in_a_disclosed_one_is_found(scene: Scene) -> None:
    hidden = Question.objects.get(code="P11")
    Benchmark.objects.update(summaries={"en": f"As in: {hidden.original_text.upper()}"})
    scene.benchmark.refresh_from_db()

    with pytest.raises(CannotPublish) as refused:
        first_publication(scene)

    assert "summaries" in str(refused.value)
    assert HIDDEN_WORD.casefold() not in str(refused.value).casefold()


@pytest.mark.parametrize("said", ["Is P11 like P01?", "As on P11_argon-4_W0_r1?", "Both (P11)?", "Key P11.v1?"])
def test_code_of_an_undisclosed_question_in_a_decision_is_found(scene: Scene, said: str) -> None:
    add_decision(scene, said, questions=["P01"])

    with pytest.raises(CannotPublish, match="code of an undisclosed question"):
        first_publication(scene)


def test_a_longer_word_that_holds_the_code_is_no_leak(scene: Scene) -> None:
    add_decision(scene, "Is form XP11 the same as P110?", questions=["P01"])

    assert first_publication(scene).number == 1


def test_code_of_an_undisclosed_question_in_an_answer_is_chance(scene: Scene) -> None:
    decided(scene, "P01", "cedar", text="Form P11 is to be filed.", citations=())

    assert first_publication(scene).answers == 5


def test_address_of_an_account_is_found(scene: Scene) -> None:
    add_decision(scene, f"Write to {ADDRESS.upper()}?", questions=["P01"])

    with pytest.raises(CannotPublish, match="e-mail address"):
        first_publication(scene)


def test_a_name_that_is_an_address_is_not_shown(scene: Scene) -> None:
    User.objects.filter(pk=scene.reviewer.pk).update(first_name="rita@office.example", username="rita@office.example")

    pages = checked_pages(gather(scene.benchmark))

    assert "rita@office.example" not in str([page.content for page in pages])
    assert next(page for page in pages if page.key == "P01_argon-4_W0_r1").content["approver"] == "a member"


def test_gathering_takes_the_same_queries_for_any_number_of_cards(scene: Scene, django_assert_num_queries) -> None:
    with CaptureQueriesContext(connection) as few:
        checked_pages(gather(scene.benchmark))
    for repetition in (2, 3):
        approved(scene, "P01", "argon-4", repetition=repetition)
    with django_assert_num_queries(len(few)):
        checked_pages(gather(scene.benchmark))


def test_withdrawing_needs_a_reason_and_happens_once(scene: Scene) -> None:
    publication = first_publication(scene)

    with pytest.raises(CannotWithdraw, match="Say why"):
        withdraw_publication(publication=publication, reason=" ", by=scene.lead, now=LATER)
    withdrawn = withdraw_publication(publication=publication, reason="A key was wrong.", by=scene.lead, now=LATER)
    with pytest.raises(CannotWithdraw, match="already"):
        withdraw_publication(publication=publication, reason="Again.", by=scene.lead, now=LATER)

    event = Event.objects.newest_first().first()
    assert withdrawn.is_withdrawn
    assert event is not None
    assert (event.verb, event.reason) == ("withdraw_publication", "A key was wrong.")


def test_after_a_withdrawal_the_same_content_is_published_anew(scene: Scene) -> None:
    publication = first_publication(scene)
    withdraw_publication(publication=publication, reason="Too early.", by=scene.lead, now=LATER)

    again = publish(benchmark=scene.benchmark, note="Now.", by=scene.lead, now=LATER)

    assert again.number == 2


def test_a_stored_file_stays_as_it_is(scene: Scene) -> None:
    publication = first_publication(scene)
    store_files(publication=publication, files={"report.pdf": ("application/pdf", b"one")}, by=None, now=NOW)

    (row,) = store_files(publication=publication, files={"report.pdf": ("application/pdf", b"two")}, by=None, now=LATER)

    assert bytes(row.content) == b"one"
    assert publication.files.count() == 1


def test_a_withdrawn_publication_must_say_why_in_the_database_too(scene: Scene) -> None:
    publication = first_publication(scene)

    with pytest.raises(IntegrityError), transaction.atomic():
        Publication.objects.filter(pk=publication.pk).update(withdrawn_at=NOW, withdrawn_by=scene.lead)
    with pytest.raises(IntegrityError), transaction.atomic():
        Publication.objects.filter(pk=publication.pk).update(approved=5)
