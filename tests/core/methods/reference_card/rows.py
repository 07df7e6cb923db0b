"""Card rows for the tests of tables, and the answers of the published study rebuilt from its totals."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

from lexreview.core.methods.reference_card.card_rows import CardRow
from lexreview.core.methods.reference_card.facts import FindingFacts, OfficialSource, Scope
from lexreview.core.methods.reference_card.label import Label
from lexreview.core.methods.reference_card.scoring import APercent, SeparateScore
from lexreview.core.workflow import AnswerState
from tests.core.methods.reference_card.records import finding

GROUNDED, HALLUCINATED = Label.CORRECTLY_GROUNDED, Label.HALLUCINATED
CLEAN, BLOCKED, NO_LABEL = Label.NO_HALLUCINATION, Label.PROVIDER_BLOCK, Label.NONE


def row(
    question: str = "P01",
    system: str = "argon",
    condition: str = "W0",
    repetition: int = 1,
    label: Label = CLEAN,
    **changes: Any,
) -> CardRow:
    made = CardRow(
        answer=f"{question}_{system}_{condition}_r{repetition}",
        question=question,
        system=system,
        condition=condition,
        repetition=repetition,
        specification="1.0.1",
        state=AnswerState.ANSWERED,
        label=label,
        a=a(1, 2),
        cost=Decimal("0.10"),
    )
    return replace(made, **changes)


def a(numerator: int, denominator: int) -> APercent:
    return APercent(Decimal(numerator), Decimal(0), Decimal(denominator), Fraction(numerator, denominator))


def b(b1: int | None, b2: int | None) -> tuple[SeparateScore, ...]:
    points = [None if value is None else Decimal(value) for value in (b1, b2)]
    return (SeparateScore("B1", points[0], Decimal(2)), SeparateScore("B2", points[1], Decimal(1)))


def published_study() -> list[CardRow]:
    """160 answers, 10 questions x 8 systems x 2 conditions, with the totals that the study gives.

    W0: 19 grounded, 51 hallucinated of 80. W1: 27 grounded, 40 hallucinated, 1 provider block (P07) of 80.
    Of the 91 hallucinated answers 57 have an error in the core; class T occurs in 66, W in 35, F in 8, S in 9.
    1,436 of 1,454 citations were checked. Which answer has which label is ours.
    """
    questions = ["P01", "P04", "P05", "P06", "P07", "P08", "P09", "P10", "P12", "P13"]
    labels = {
        "W0": [GROUNDED] * 19 + [HALLUCINATED] * 51 + [CLEAN] * 10,
        "W1": [GROUNDED] * 27 + [HALLUCINATED] * 40 + [CLEAN] * 12,
    }
    errors = _published_errors()
    citations = _published_citations()
    rows = []
    for condition, question, number in product(labels, questions, range(1, 9)):
        blocked = (condition, question, number) == ("W1", "P07", 8)
        label = BLOCKED if blocked else labels[condition].pop()
        checked, total = next(citations)
        rows.append(
            row(
                question,
                f"system {number}",
                condition,
                label=label,
                state=AnswerState.PROVIDER_BLOCK if blocked else AnswerState.ANSWERED,
                findings=next(errors) if label is HALLUCINATED else (),
                citations_checked=checked,
                citations_total=total,
                official_source=OfficialSource.OPENED if condition == "W1" else None,
            )
        )
    return rows


def _published_errors() -> Iterator[tuple[FindingFacts, ...]]:
    """91 answers: T in the first 66, W in the last 35 (so 10 have both), F in 8 and S in 9 that have T.

    The first 57 have an error in the core; every answer has a peripheral one, and T twice where it has it.
    """
    for number in range(91):
        classes = ["T", "T"] * (number < 66) + ["W"] * (number >= 56) + ["F"] * (number < 8) + ["S"] * (number < 9)
        core = [finding(classes[0], Scope.CORE)] if number < 57 else []
        yield (*core, *(finding(code, Scope.PERIPHERAL) for code in classes))


def _published_citations() -> Iterator[tuple[int, int]]:
    """1,454 over 160 answers: 9 each and one more in the first 14; one unchecked in each of 18 answers."""
    for number in range(160):
        total = 10 if number < 14 else 9
        yield (total - 1 if number < 18 else total), total
