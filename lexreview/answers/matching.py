"""Answers found in files, matched with the questions of a benchmark."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from lexreview.answers.importing import CannotImport, Fault, FoundAnswer, folded
from lexreview.questions.models import Benchmark, Question


@dataclass(frozen=True, kw_only=True)
class Matched:
    question: Question
    found: FoundAnswer
    answered_at: datetime


def match_answers(
    benchmark: Benchmark, found: Sequence[FoundAnswer], *, repetition: int = 1, answered_at: datetime | None = None
) -> list[Matched]:
    """Each answer with its question, by code or by the whole text; `repetition` and `answered_at` stand in where the
    file gives none. Raises CannotImport: unknown questions, two answers in one cell, answers without a time.
    """
    by_code: dict[str, Question] = {}
    by_text: dict[str, list[Question]] = {}
    for question in Question.objects.of_benchmark(benchmark).with_page_data():
        by_code[question.code] = question
        for text in {question.original_text, question.benchmark_text} - {""}:
            by_text.setdefault(folded(text), []).append(question)
    faults: list[Fault] = []
    matched: list[Matched] = []
    seen: dict[tuple[int, int], FoundAnswer] = {}
    for each in found:
        each = replace(each, repetition=each.repetition or repetition)
        questions = [by_code[each.question]] if each.question in by_code else by_text.get(folded(each.question), [])
        if len(questions) != 1:
            known = (
                f"none of {benchmark.slug}" if not questions else "the text of more than one question; give its code"
            )
            shown = each.question if len(each.question) <= 60 else f"{each.question[:60]}…"
            faults.append(Fault(file=each.file, line=each.line, name="question", message=f"{shown!r} is {known}"))
            continue
        cell = questions[0].pk, each.repetition or 1
        if other := seen.get(cell):
            message = f"is answered in {other.file}{f', line {other.line}' if other.line else ''} already"
            faults.append(Fault(file=each.file, line=each.line, name=questions[0].code, message=message))
            continue
        seen[cell] = each
        time = each.answered_at or answered_at
        if time is None:
            message = "is missing; give it in the file, or for all with --answered-at"
            faults.append(Fault(file=each.file, line=each.line, name="answered_at", message=message))
            continue
        matched.append(Matched(question=questions[0], found=each, answered_at=time))
    if faults:
        raise CannotImport(faults)
    return matched
