"""What a judge has to reply: a form made of specification and key, read strictly. Anything else is no verdict."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, create_model

from lexreview.core.methods.reference_card.facts import KeyFacts
from lexreview.core.methods.reference_card.scoring import (
    PointsRefused,
    applicable_criteria,
    check_points,
    maximum_of,
    shown_points,
)
from lexreview.core.methods.reference_card.specification import Criterion, Specification
from lexreview.core.quotations import Wording, pieces_of

MOST_FINDINGS, MOST_CITATIONS, LONGEST_TEXT = 100, 300, 4000
NOT_IN_THE_ANSWER = "not_in_the_answer"


class UnusableReply(ValueError):
    """The reply has the form that was asked for and still is no verdict; the message says why."""


@dataclass(frozen=True, kw_only=True)
class ReadVerdict:
    """A judge's reply, checked. `dropped`: findings whose claim does not stand in the answer, with the reason."""

    hallucinated: bool
    criteria: dict[str, Any] = field(default_factory=dict)
    findings: list[dict[str, str]] = field(default_factory=list)
    dropped: list[dict[str, str]] = field(default_factory=list)
    citations_checked: list[str] = field(default_factory=list)


def asked_criteria(rules: Specification, key: KeyFacts) -> tuple[Criterion, ...]:
    """Those that a judge gives points for: they apply to the question and follow from no rule."""
    return tuple(each for each in applicable_criteria(rules, key) if each.rule is None)


def form_of(rules: Specification, key: KeyFacts) -> type[BaseModel]:
    """The form of the reply: every criterion that is asked for exactly once, classes of the specification only."""
    points: dict[str, Any] = {}
    for position, criterion in enumerate(asked_criteria(rules, key)):
        least, most = criterion.minimum, maximum_of(criterion, key)
        described = Field(alias=criterion.code, ge=float(least), le=float(most), description=range_of(criterion, key))
        points[f"criterion_{position}"] = (float, described)
    classes = Literal[tuple(each.code for each in rules.error_classes)]  # type: ignore[valid-type]
    text = Annotated[str, Field(max_length=LONGEST_TEXT)]
    finding = create_model(
        "Finding",
        error_class=(classes, Field(alias="class")),  # type: ignore[arg-type]
        claim=(Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)], ...),
        source_says=(text, ...),
    )
    fields: dict[str, Any] = {
        "hallucinated": (bool, ...),
        "criteria": (create_model("Criteria", **points), ...),
        "findings": (Annotated[list[finding], Field(max_length=MOST_FINDINGS)], ...),  # type: ignore[valid-type]
        "citations_checked": (Annotated[list[text], Field(max_length=MOST_CITATIONS)], ...),
    }
    return create_model("Verdict", **fields)


def range_of(criterion: Criterion, key: KeyFacts) -> str:
    """The points that may be given, in words."""
    least, most = shown_points(criterion.minimum), shown_points(maximum_of(criterion, key))
    return f"{least} to {most} in steps of {shown_points(criterion.step)}"


def read_verdict(output: BaseModel, *, rules: Specification, key: KeyFacts, answer: str) -> ReadVerdict:
    """The verdict in a reply of the form. `answer`: the text as the judge saw it.

    Raises UnusableReply for points between two steps, and where `hallucinated` contradicts the findings.
    """
    said: Mapping[str, Any] = output.model_dump(by_alias=True)
    found: Sequence[Mapping[str, str]] = said["findings"]
    is_hallucination = {each.code: each.hallucination for each in rules.error_classes}
    errors = any(is_hallucination[each["class"]] for each in found)
    if errors != said["hallucinated"]:
        raise UnusableReply(
            "hallucinated is false, and there is a finding of a hallucination"
            if errors
            else "hallucinated is true, and no finding has a class of hallucination"
        )
    wording = Wording(answer)
    kept = [dict(each) for each in found if wording.holds(pieces_of(each["claim"]))]
    dropped = [{**each, "reason": NOT_IN_THE_ANSWER} for each in found if dict(each) not in kept]
    return ReadVerdict(
        hallucinated=said["hallucinated"],
        criteria=_points(said["criteria"], rules=rules, key=key, hallucinated=said["hallucinated"]),
        findings=kept,
        dropped=dropped,
        citations_checked=list(said["citations_checked"]),
    )


def _points(
    given: Mapping[str, float], *, rules: Specification, key: KeyFacts, hallucinated: bool
) -> dict[str, int | float]:
    """Points as whole numbers where they are; the criterion that follows from the findings beside them."""
    points: dict[str, int | float] = {}
    for criterion in applicable_criteria(rules, key):
        if criterion.rule is not None:
            points[criterion.code] = 0 if hallucinated else 1
            continue
        value = Decimal(str(given[criterion.code]))
        try:
            check_points(criterion, key=key, points=value)
        except PointsRefused as refusal:
            raise UnusableReply(str(refusal)) from refusal
        points[criterion.code] = int(value) if value == value.to_integral_value() else float(value)
    return points
