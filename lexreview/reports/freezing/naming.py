"""Systems, conditions, answers and departures as every page names them."""

from lexreview.answers.models import Answer, Condition, System
from lexreview.core.workflow import DecisionState
from lexreview.questions.models import KeyVersion
from lexreview.reports.freezing.numbers import Json


def system_json(system: System) -> Json:
    return {"code": system.code, "name": system.name}


def condition_json(condition: Condition) -> Json:
    return {"code": condition.code, "titles": condition.titles, "tools": condition.tools}


def answer_json(answer: Answer) -> Json:
    """An answer by its names; nothing about how it was judged."""
    return {
        "identifier": answer.identifier,
        "question": answer.question.code,
        "language": answer.question.language,
        "system": system_json(answer.run.system),
        "condition": condition_json(answer.run.condition),
        "repetition": answer.run.repetition,
        "state": answer.state,
    }


def departure_json(key: KeyVersion) -> Json:
    return {
        "question": key.question.code,
        "version": key.number,
        "dated": key.dated.isoformat(),
        "reason": key.reason,
        "decision": _decision_number(key),
    }


def _decision_number(key: KeyVersion) -> int | None:
    """A decision is named once it is published."""
    return key.decision.number if key.decision is not None and key.decision.state == DecisionState.PUBLISHED else None
