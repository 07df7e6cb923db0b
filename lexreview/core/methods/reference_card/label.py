"""The label of a card, by the method's rules in their fixed order."""

from dataclasses import dataclass
from enum import StrEnum

from lexreview.core.methods.reference_card.facts import CardFacts
from lexreview.core.methods.reference_card.scoring import a6_points, points_of
from lexreview.core.methods.reference_card.specification import Specification
from lexreview.core.workflow import AnswerState


class Label(StrEnum):
    """`none` is for an empty answer and for a card whose core or proposed findings are not decided yet."""

    HALLUCINATED = "hallucinated"
    CORRECTLY_GROUNDED = "correctly_grounded"
    NO_HALLUCINATION = "no_hallucination"
    PROVIDER_BLOCK = "provider_block"
    NONE = "none"


class LabelReason(StrEnum):
    """The rule that gave the label."""

    PROVIDER_BLOCKED = "provider_blocked"
    EMPTY_ANSWER = "empty_answer"
    HALLUCINATION_FOUND = "hallucination_found"
    FULL_CORE_AND_CONFIRMED_CITATION = "full_core_and_confirmed_citation"
    INCOMPLETE_CORE = "incomplete_core"
    NO_CONFIRMED_CITATION = "no_confirmed_citation"
    CORE_NOT_DECIDED = "core_not_decided"
    FINDINGS_NOT_DECIDED = "findings_not_decided"


@dataclass(frozen=True, slots=True)
class LabelDecision:
    label: Label
    reason: LabelReason


class NotScored(ValueError):
    """A failed answer has no card and no label."""


def decide_label(specification: Specification, card: CardFacts) -> LabelDecision:
    """The label and the rule that gave it; the first rule that fits wins.

    1. provider block: its own category, which stays in the denominator;
    2. empty answer: no label;
    3. a finding of a hallucination: hallucinated, whatever the rest;
    4. full core, no hallucination and a citation confirmed by a person in an official source:
       correctly grounded;
    5. otherwise no hallucination, because the core is incomplete or no citation was confirmed.
    While a finding of a hallucination is proposed and undecided, rule 3 may still come to fit; while the core is not
    decided, rules 4 and 5 cannot be told apart. There is no label then.
    Raises `NotScored` for a failed answer.
    """
    if card.answer_state is AnswerState.FAILED:
        raise NotScored("The answer was not collected; it has no label.")
    if card.answer_state is AnswerState.PROVIDER_BLOCK:
        return LabelDecision(Label.PROVIDER_BLOCK, LabelReason.PROVIDER_BLOCKED)
    if card.answer_state is AnswerState.EMPTY:
        return LabelDecision(Label.NONE, LabelReason.EMPTY_ANSWER)
    if a6_points(card) == 0:
        return LabelDecision(Label.HALLUCINATED, LabelReason.HALLUCINATION_FOUND)
    if card.undecided:
        return LabelDecision(Label.NONE, LabelReason.FINDINGS_NOT_DECIDED)
    core = specification.core_criterion
    points = points_of(core, card)
    if points is None:
        return LabelDecision(Label.NONE, LabelReason.CORE_NOT_DECIDED)
    if points != core.full:
        return LabelDecision(Label.NO_HALLUCINATION, LabelReason.INCOMPLETE_CORE)
    if not any(citation.confirmed_in_official_source for citation in card.citations):
        return LabelDecision(Label.NO_HALLUCINATION, LabelReason.NO_CONFIRMED_CITATION)
    return LabelDecision(Label.CORRECTLY_GROUNDED, LabelReason.FULL_CORE_AND_CONFIRMED_CITATION)
