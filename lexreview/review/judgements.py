"""What stands on a card, place by place, as core's `planted` compares it."""

from collections.abc import Iterator, Mapping
from typing import Any

from lexreview.core.methods.reference_card.planted import Aspect, Judgement, Place, Verdict
from lexreview.core.methods.reference_card.scoring import shown_points
from lexreview.core.workflow import CitationState
from lexreview.review.facts import specification_of
from lexreview.review.models import Card, FindingState
from lexreview.review.parts import CardParts
from lexreview.review.provenance import proposed_state
from lexreview.review.verdicts import finding_of

VERDICTS = {
    CitationState.CONFIRMED: Verdict.RIGHT,
    CitationState.ERROR: Verdict.WRONG,
    CitationState.UNDETERMINED: Verdict.OPEN,
}


def proposed_on(card: Card, parts: CardParts) -> Judgement:
    """What a card that nobody has touched proposes; its citations by their number."""
    by_hand = {each.code for each in specification_of(card).criteria if each.rule is None}
    found: dict[Place, str] = {
        Place(Aspect.POINTS, row.criterion): shown_points(row.proposed)
        for row in parts.scores
        if row.criterion in by_hand and row.proposed is not None and not row.not_applicable
    }
    for citation in parts.citations:
        finding, state = finding_of(citation, parts), proposed_state(citation, card)
        if finding is not None:
            found.update(_error(citation.number, finding.error_class, finding.origin, finding.scope))
        elif state is not None:
            found[Place(Aspect.VERDICT, str(citation.number))] = VERDICTS[state].value
    return found


def decided_in(snapshot: Mapping[str, Any]) -> Judgement:
    """What a person decided on an approved revision; a citation that they left unchecked has no verdict."""
    found = {
        Place(Aspect.POINTS, row["criterion"]): row["decided"]
        for row in snapshot["scores"]
        if row["decided"] is not None
    }
    standing = {row["citation"]: row for row in snapshot["findings"] if row["state"] == FindingState.ACCEPTED}
    for citation in snapshot["citations"]:
        number, state = citation["number"], CitationState(citation["state"])
        if finding := standing.get(number):
            found.update(_error(number, finding["error_class"], finding["origin"], finding["scope"]))
        elif state in VERDICTS:
            found[Place(Aspect.VERDICT, str(number))] = VERDICTS[state].value
    return found


def stored(judgement: Judgement) -> dict[str, dict[str, str]]:
    """As plain data: {aspect: {target: value}}."""
    kept: dict[str, dict[str, str]] = {}
    for place, value in judgement.items():
        kept.setdefault(place.aspect.value, {})[place.target] = value
    return kept


def restored(kept: Mapping[str, Mapping[str, str]]) -> Judgement:
    return {Place(Aspect(aspect), target): value for aspect, values in kept.items() for target, value in values.items()}


def _error(number: int, error_class: str, origin: str, scope: str) -> Iterator[tuple[Place, str]]:
    target = str(number)
    yield Place(Aspect.VERDICT, target), Verdict.WRONG.value
    yield Place(Aspect.ERROR_CLASS, target), error_class
    yield Place(Aspect.ORIGIN, target), origin
    yield Place(Aspect.SCOPE, target), scope
