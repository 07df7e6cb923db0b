"""Proposals that are kept from a reviewer, in `Card.withheld` and not in the card's parts, so that no page shows them.

A blind card keeps back everything, for good until it is approved. Where the benchmark's plan hides the model, only what
a model proposed is kept back, and each criterion is opened once it is decided:
{"scores", "findings"} of code on blind cards, {"model": {"scores": {criterion: {"points", "evidence", "details"}},
"findings": [{"error_class", "start", "end", "origin", "scope"}]}}.
"""

from collections.abc import Mapping
from typing import Any

from lexreview.core.workflow import CardState
from lexreview.review.models import Card, ReviewPlan, Score

MODEL = "model"


def hides_model(card: Card) -> bool:
    """Whether what a model proposes now is kept back from the card's reviewer."""
    return card.blind or ReviewPlan.of(card.benchmark).model_hidden


def with_model(withheld: Mapping[str, Any], kept_back: Mapping[str, Any] | None) -> dict[str, Any]:
    """`withheld` with what a model proposed; None: nothing of a model is kept back."""
    others = {name: value for name, value in withheld.items() if name != MODEL}
    return {**others, MODEL: dict(kept_back)} if kept_back is not None else others


def is_model_withheld(card: Card) -> bool:
    return MODEL in card.withheld


def points_of_code(withheld: Mapping[str, Any], criterion: str) -> Any:
    """What code proposed on a blind card; None where it proposed nothing."""
    return withheld.get("scores", {}).get(criterion, {}).get("points")


def points_of_model(withheld: Mapping[str, Any], criterion: str) -> Any:
    """What a model proposed and was kept back; None where there is none."""
    return withheld.get(MODEL, {}).get("scores", {}).get(criterion, {}).get("points")


def may_see_model_on(card: Card, score: Score | None) -> bool:
    """Whether the model's opinion of a criterion may be shown with the card: what is kept back only once decided."""
    if card.state == CardState.APPROVED:
        return True
    if card.blind:
        return False
    return not is_model_withheld(card) or (score is not None and score.decided is not None)


def may_see_model_findings(card: Card, *, all_decided: bool) -> bool:
    """The same of the model's findings: kept back until every criterion of the card is decided."""
    if card.state == CardState.APPROVED:
        return True
    return not card.blind and (all_decided or not is_model_withheld(card))
