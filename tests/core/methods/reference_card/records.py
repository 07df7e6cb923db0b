"""A specification, keys and cards for the tests of the method: complete, with single parts changed by name."""

from copy import deepcopy
from dataclasses import replace
from decimal import Decimal
from typing import Any

from lexreview.core.methods.reference_card.facts import (
    Calibration,
    CardFacts,
    CheckResult,
    CitationFacts,
    FindingFacts,
    KeyFacts,
    Origin,
    QuestionType,
    Scope,
    ScoreInput,
)
from lexreview.core.methods.reference_card.scoring import applicable_criteria, maximum_of
from lexreview.core.methods.reference_card.specification import Enters, Specification, specification_from_dict
from lexreview.core.workflow import AnswerState, CitationState


def criterion_record(code: str, **changes: Any) -> dict[str, Any]:
    return {
        "code": code,
        "block": "A",
        "name": {"en": f"criterion {code}"},
        "minimum": 0,
        "maximum": 1,
        "step": 1,
        "full": None,
        "not_applicable_when": None,
        "enters": "points",
        "rule": None,
        "help": {},
        **changes,
    }


_RECORD: dict[str, Any] = {
    "name": "reference-card",
    "version": "1.0.1",
    "date": "2026-10-11",
    "method": "reference-card",
    "title": {"en": "Scoring", "pl": "Punktacja"},
    "text": {"en": "# Rules"},
    "change_note": {},
    "rules_changed": True,
    "criteria": [
        criterion_record("A-R", maximum=2, full=2),
        criterion_record("A1", maximum="rubric", not_applicable_when="key_has_no_rubric"),
        criterion_record("A2", maximum="bases", not_applicable_when="key_has_no_bases"),
        criterion_record("A3", not_applicable_when="no_trap"),
        criterion_record("A4", not_applicable_when="question_closed"),
        criterion_record("A5", not_applicable_when="not_disputed"),
        criterion_record("A6", rule="no_hallucination"),
        criterion_record("P", maximum="penalties", enters="penalty", not_applicable_when="key_has_no_penalties"),
        criterion_record("B1", block="B", maximum=2, enters="separate"),
        criterion_record("B2", block="B", enters="separate"),
    ],
    "error_classes": [
        {"code": code, "name": {"en": code}, "description": {"en": f"class {code}"}, "hallucination": True}
        for code in "TWFS"
    ]
    + [{"code": "X", "name": {"en": "X"}, "description": {"en": "slip of the pen"}, "hallucination": False}],
    "origins": ["memory", "source_read", "secondary_source", "undetermined"],
    "scopes": ["core", "peripheral"],
}

KEY = KeyFacts(
    rubric_points=Decimal(3),
    bases=2,
    penalties=2,
    trap=True,
    disputed=True,
    question_type=QuestionType.CALCULATION,
    calibration=Calibration.CATEGORICAL,
)


def specification_record() -> dict[str, Any]:
    return deepcopy(_RECORD)


def specification(**changes: Any) -> Specification:
    return replace(specification_from_dict(specification_record()), **changes)


CHAIN = [specification(version="1.0"), specification(), specification(version="1.0.2", rules_changed=False)]
"""Three versions: the rules changed with 1.0.1 and not with 1.0.2."""


def key(**changes: Any) -> KeyFacts:
    return replace(KEY, **changes)


def score(criterion: str, points: int | str | None, **changes: Any) -> ScoreInput:
    return ScoreInput(
        criterion=criterion,
        points=None if points is None else Decimal(points),
        **{"evidence": f"evidence for {criterion}", **changes},
    )


def full_scores(key_facts: KeyFacts = KEY, **points: int | str | None) -> tuple[ScoreInput, ...]:
    """Full points and no penalty wherever a person decides, with single criteria changed (`A_R=1`)."""
    given: dict[str, int | str | None] = {
        criterion.code: str(0 if criterion.enters is Enters.PENALTY else maximum_of(criterion, key_facts))
        for criterion in applicable_criteria(specification(), key_facts)
        if criterion.rule is None
    }
    given.update({name.replace("_", "-"): value for name, value in points.items()})
    return tuple(score(code, value) for code, value in given.items())


def finding(error_class: str = "T", scope: Scope = Scope.CORE, **changes: Any) -> FindingFacts:
    values = {"origin": Origin.MEMORY, "hallucination": error_class != "X", **changes}
    return FindingFacts(error_class=error_class, scope=scope, **values)


# The classes that the layer proposes where the answer does not say itself what is wrong.
CLASSES = {CheckResult.NOT_FOUND: "F", CheckResult.WRONG_IDENTIFIER: "S", CheckResult.NOT_IN_FORCE: "W"}


def citation(raw: str = "Art. 1 XYZ", state: CitationState = CitationState.CONFIRMED, **changes: Any) -> CitationFacts:
    result = changes.pop("result", CheckResult.CONFIRMED)
    return CitationFacts(raw=raw, state=state, result=result, **{"proposed_class": CLASSES.get(result, ""), **changes})


def card(answer_state: AnswerState = AnswerState.ANSWERED, **parts: Any) -> CardFacts:
    values: dict[str, Any] = {"scores": full_scores(), "citations": (citation(),), **parts}
    return CardFacts(answer_state=answer_state, **values)
