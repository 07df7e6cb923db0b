"""A key version as the record that the pure method reads."""

from decimal import Decimal

from lexreview.core.methods.reference_card.facts import Calibration, KeyFacts, QuestionType
from lexreview.questions.models import KeyVersion


def key_facts_of(key: KeyVersion) -> KeyFacts:
    """Its question has to be loaded with it."""
    return KeyFacts(
        rubric_points=sum((Decimal(str(element["points"])) for element in key.rubric), Decimal(0)),
        bases=len(key.bases),
        penalties=len(key.penalties),
        trap=key.question.trap is not None,
        disputed=key.disputed,
        question_type=QuestionType(key.question.type),
        calibration=Calibration(key.calibration),
    )
