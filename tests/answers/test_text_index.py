"""Words in answers: found by the index on both databases, as they stand now, and literally."""

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from lexreview.answers import text_index
from lexreview.answers.models import Answer
from lexreview.answers.text_index import TABLE, TRIGGERS, answers_with, index_answers
from tests.review.factories import make_answer, make_benchmark, make_question

pytestmark = pytest.mark.django_db
on_sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL keeps its indexes itself")


@pytest.fixture
def answer() -> Answer:
    return make_answer(
        make_question(make_benchmark(), "P01"), text='Termin wynosi 14 dni (art. 17 „k.p.c.”) 100%_"a"*.'
    )


def found(text: str, *fields: str) -> list[int]:
    return list(answers_with(text, fields or ["text"]).values_list("pk", flat=True))


@pytest.mark.parametrize(
    "text", ["termin", "WYNOSI 14", "rt. 1", "dni (art", "„k.p.c.”", '"a"', "100%_", '"*.', "art. 17 „"]
)
def test_pieces_of_an_answer_are_found_in_any_case(answer: Answer, text: str) -> None:
    assert found(text) == [answer.pk]


@pytest.mark.parametrize(
    "text", ["terminy", "14  dni", "100%a", "wyn%dni", "wynos_", "text:", "dni OR art", "dni*", '"', "tę"]
)
def test_what_does_not_stand_there_is_not_found(answer: Answer, text: str) -> None:
    assert found(text) == ([answer.pk] if text in answer.text else [])


def test_only_the_asked_fields_are_searched(answer: Answer) -> None:
    Answer.objects.filter(pk=answer.pk).update(identifier="argon-7")

    assert found("argon-7") == []
    assert found("ARGON-7", "identifier") == found("argon", "text", "identifier") == [answer.pk]


def test_what_is_changed_or_gone_is_found_as_it_is_now(answer: Answer) -> None:
    Answer.objects.filter(pk=answer.pk).update(text="Siedem dni.")
    assert (found("Termin"), found("siedem")) == ([], [answer.pk])

    answer.delete()
    assert found("siedem") == []


@on_sqlite
def test_no_answer_is_read_that_the_index_does_not_name(answer: Answer) -> None:
    with CaptureQueriesContext(
        connection,
    ) as asked:
        found("wynosi")
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {asked[-1]['sql']}")
        plan = [row[-1] for row in cursor.fetchall()]

    assert any(f"{TABLE} VIRTUAL TABLE INDEX" in step for step in plan)
    assert not any(step.startswith("SCAN answers_answer") for step in plan), plan


@on_sqlite
@pytest.mark.django_db(transaction=True)
def test_an_index_that_a_migration_lost_is_made_again(answer: Answer) -> None:
    with connection.cursor() as cursor:
        for name in TRIGGERS:
            cursor.execute(f"DROP TRIGGER {name}")
    Answer.objects.filter(pk=answer.pk).update(text="Siedem dni.")
    assert found("siedem") == []

    call_command("migrate", verbosity=0)

    assert (found("Termin"), found("siedem")) == ([], [answer.pk])
    Answer.objects.filter(pk=answer.pk).update(text="Osiem dni.")
    assert found("osiem") == [answer.pk]


@on_sqlite
@pytest.mark.django_db(transaction=True)
def test_without_the_index_answers_are_read(answer: Answer) -> None:
    with connection.cursor() as cursor:
        for name in TRIGGERS:
            cursor.execute(f"DROP TRIGGER {name}")
        cursor.execute(f"DROP TABLE {TABLE}")
    text_index._is_there.cache_clear()
    try:
        assert found("wynosi") == [answer.pk]
    finally:
        index_answers()
    assert found("wynosi") == [answer.pk]
