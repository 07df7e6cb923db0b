"""Looking for words in what cards are about: question, identifier, answer.

Answers and identifiers have an index of three-letter pieces (`answers/text_index.py`). Shorter words are looked for in
questions and identifiers only. Where few answers have the words, these are collected and the list is made of them;
where many have them, the list is read in its own order and stops when its page is full.
"""

from collections.abc import Collection

from django.db.models import Q, Value

from lexreview.answers.text_index import SHORTEST, answers_with, any_contains
from lexreview.questions.models import Benchmark, Question
from lexreview.review.models import Card
from lexreview.review.models.card import CardQuerySet

FEW = 2000
OF_QUESTIONS = ("code", "original_text", "benchmark_text")


def cards_with_text(
    cards: CardQuerySet, text: str, *, benchmarks: Collection[Benchmark], with_systems: bool
) -> CardQuerySet:
    """The cards whose question or answer has `text`, in upper or lower case. One query is run here.

    `with_systems`: whether identifiers are searched too; they name the system.
    """
    keys = [row.pk for row in benchmarks]
    fields = ["text"] * (len(text) >= SHORTEST) + ["identifier"] * with_systems
    asked = any_contains(text, OF_QUESTIONS)
    found = Question.objects.filter(asked, benchmark__in=keys).values_list(Value("question"), "pk")
    if fields:
        answers = answers_with(text, fields).filter(question__benchmark__in=keys)
        found = found.union(answers.values_list(Value("answer"), "pk"), all=True)
    places: dict[str, list[int]] = {"question": [], "answer": []}
    for kind, pk in found[:FEW]:
        places[kind].append(pk)
    if sum(map(len, places.values())) == FEW:
        # Of what else has the words, questions as well as answers, nothing is known.
        names = [*(f"queue_question__{name}" for name in OF_QUESTIONS), *(f"answer__{name}" for name in fields)]
        return cards.filter(any_contains(text, names))
    in_questions, in_answers = Q(queue_question__in=places["question"]), Q(answer__in=places["answer"])
    # By their own keys: of two other columns SQLite, which has counted nothing, takes the one by which the list is
    # sorted, and reads every card.
    return cards.filter(pk__in=Card.objects.filter(in_questions | in_answers).order_by().values("pk"))
