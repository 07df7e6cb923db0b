"""The grade of an answer from the grades of its three judges."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Grade(StrEnum):
    """Correct, partly correct, incorrect."""

    C = "C"
    P = "P"
    I = "I"  # noqa: E741


@dataclass(frozen=True, slots=True)
class PanelGrade:
    """`grade` is None where the panel came to none, and `reason` says why. `no_majority`: three different grades, which
    make a P. `unanimous`: every judge gave a grade, the same one."""

    grade: Grade | None
    no_majority: bool = False
    unanimous: bool = False
    reason: str = ""


def panel_grade(grades: Sequence[Grade | None]) -> PanelGrade:
    """The grade that at least two judges gave; three different ones make P, marked `no_majority`.

    One grade per judge, None for a failed vote. Two valid grades that differ, and fewer than two, are unresolved.
    Source: SBP-002; of a subset of two judges, disagreement is unresolved too.
    """
    valid = [grade for grade in grades if grade is not None]
    if len(valid) < 2:
        return PanelGrade(None, reason="fewer than two valid votes")
    grade, count = Counter(valid).most_common(1)[0]
    if count > len(valid) / 2:
        return PanelGrade(grade, unanimous=count == len(grades))
    if set(valid) == set(Grade):
        return PanelGrade(Grade.P, no_majority=True)
    return PanelGrade(None, reason="the votes are divided")
