import pytest
from django.db import connection

from lexreview.answers.text_index import any_contains
from lexreview.questions.models import Question

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(
        connection.vendor != "postgresql", reason="SQLite reads all questions, which takes it 3 ms of 10,000"
    ),
]


def test_words_of_questions_are_looked_up_in_indexes() -> None:
    """Without them PostgreSQL takes tens of milliseconds to make capitals of 10,000 questions."""
    found = Question.objects.filter(any_contains("limitation", ["code", "original_text", "benchmark_text"]))
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")

    plan = found.explain()

    for field in ("code", "original_text", "benchmark_text"):
        assert f"question_{field}_trigrams" in plan
