"""A question's page: both texts, its key with every version, and how each answer was judged."""

from lexreview.answers.models import Answer
from lexreview.core.methods.reference_card.scoring import APercent
from lexreview.core.workflow import CitationState
from lexreview.questions.models import Disclosure, KeyVersion, Question
from lexreview.reports.freezing.naming import answer_json, departure_json
from lexreview.reports.freezing.numbers import Json, points, rounded
from lexreview.reports.freezing.people import display_name
from lexreview.reports.gather import Material
from lexreview.reports.records import card_row


def question_page(question: Question, material: Material) -> Json:
    answers = [answer for answer in material.answers if answer.question_id == question.pk]
    return {
        "code": question.code,
        "set": {"code": question.set.code, "titles": question.set.titles},
        "type": question.type,
        "language": question.language,
        "area": question.area,
        "task_type": question.task_type,
        "original_text": question.original_text,
        "benchmark_text": question.benchmark_text,
        "asked": question.asked,
        "expected": question.expected,
        "trap": question.trap,
        "mirror": _mirror(question),
        "keys": [_key(key) for key in material.keys[question.pk]],
        "answers": [answer_line(answer, material) for answer in answers],
        "decisions": [
            {"number": each.number, "question": each.question}
            for each in material.decisions
            if question.code in each.touches.get("questions", [])
        ],
    }


def answer_line(answer: Answer, material: Material) -> Json:
    """One answer in a list. Of a card that is not approved nothing is told but that."""
    card = material.cards.get(answer.pk)
    if card is None:
        return {**answer_json(answer), "approved": False}
    row = card_row(card, material.rules_of(card))
    return {
        **answer_json(answer),
        "approved": True,
        "label": card.label,
        "rule": card.label_rule,
        "a": a_json(row.a),
        "separate": [
            {"code": each.criterion, "points": points(each.points), "maximum": points(each.maximum)}
            for each in row.separate
        ],
        "checked": {"n": row.citations_checked, "of": row.citations_total},
        "confirmed": sum(each.state == CitationState.CONFIRMED for each in card.citations.all()),
        "classes": sorted({each.error_class for each in row.findings}),
    }


def a_json(a: APercent | None) -> Json | None:
    if a is None:
        return None
    return {
        "points": points(a.points),
        "penalties": points(a.penalties),
        "available": points(a.available),
        "value": rounded(a.value),
        "reason": a.reason,
        "floored": a.floored,
    }


def _mirror(question: Question) -> str | None:
    """The code of the paired question, where a reader may know of it."""
    mirror = question.mirror
    return mirror.code if mirror is not None and mirror.disclosure == Disclosure.PUBLISHED else None


def _key(key: KeyVersion) -> Json:
    return {
        "version": key.number,
        "state": key.state,
        "dated": key.dated.isoformat(),
        "approved_on": key.approved_on.isoformat() if key.approved_on else None,
        "approver": display_name(key.approved_by),
        "core_answer": key.core_answer,
        "rubric": key.rubric,
        "penalties": key.penalties,
        "bases": key.bases,
        "calibration": key.calibration,
        "condition": key.condition,
        "disputed": key.disputed,
        "verification_note": key.verification_note,
        "reason": key.reason,
        "departure": departure_json(key) if key.departure else None,
    }
