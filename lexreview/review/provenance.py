"""Where a value of a card comes from: proposed, taken over, or a person's own."""

from enum import StrEnum

from lexreview.core.methods.reference_card.facts import CheckResult
from lexreview.core.workflow import CitationState, Round
from lexreview.review.models import Card, CardCitation, Finding, FindingState, Score

CANNOT_BE_TOLD = (CheckResult.UNDETERMINED, CheckResult.AMBIGUOUS, CheckResult.OUT_OF_SCOPE)


class Provenance(StrEnum):
    """`prefilled`: proposed and not decided; `approved`: as it was proposed; `overridden`: otherwise than proposed;
    `added`: by a person where nothing was proposed; `adjudicated`: on the card that settles two reviews."""

    PREFILLED = "prefilled"
    APPROVED = "approved"
    OVERRIDDEN = "overridden"
    ADDED = "added"
    ADJUDICATED = "adjudicated"


def provenance_of_score(row: Score, card: Card) -> Provenance | None:
    """None where nothing was proposed or decided."""
    if row.decided is None:
        return None if row.proposed is None else Provenance.PREFILLED
    return _decided(card, proposed=row.proposed is not None, same=row.decided == row.proposed)


def provenance_of_citation(row: CardCitation, card: Card) -> Provenance | None:
    """None where nothing was proposed or said."""
    proposed = proposed_state(row, card)
    state = CitationState(row.state)
    if not state.is_checked:
        return None if proposed is None else Provenance.PREFILLED
    return _decided(card, proposed=proposed is not None, same=state == proposed)


def provenance_of_finding(row: Finding, card: Card) -> Provenance:
    if row.state == FindingState.PROPOSED:
        return Provenance.PREFILLED
    same = row.state == FindingState.ACCEPTED and (row.proposed_as is None or row.proposed_as == row.wording)
    return _decided(card, proposed=row.is_proposal, same=same)


def _decided(card: Card, *, proposed: bool, same: bool) -> Provenance:
    if card.round == Round.ADJUDICATED:
        return Provenance.ADJUDICATED
    if not proposed:
        return Provenance.ADDED
    return Provenance.APPROVED if same else Provenance.OVERRIDDEN


def proposed_state(row: CardCitation, card: Card) -> CitationState | None:
    """What the check of the citation proposes to say of it; None where it proposes an error, if anything."""
    if card.blind:
        return None
    result = CheckResult(row.checked.result) if row.checked else None
    if result is CheckResult.CONFIRMED:
        return CitationState.CONFIRMED
    return CitationState.UNDETERMINED if result in CANNOT_BE_TOLD else None
