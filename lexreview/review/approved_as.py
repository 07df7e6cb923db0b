"""Whether a card was approved as it was proposed."""

from lexreview.core.workflow import Round
from lexreview.review.models import ApprovedAs, Card, FindingState
from lexreview.review.parts import CardParts
from lexreview.review.provenance import (
    Provenance,
    provenance_of_citation,
    provenance_of_finding,
    provenance_of_score,
)


def approved_as(card: Card, parts: CardParts) -> ApprovedAs:
    """Unchanged: every decision is as it was proposed, and no error and no citation was added.

    Says nothing of a card on which nothing was proposed to its reviewer, or nothing proposed was decided, and of an
    adjudicated one. Points where nothing was proposed change nothing.
    """
    if card.blind or card.round == Round.ADJUDICATED:
        return ApprovedAs.NOT_SAID
    # Not a finding that its own author took back.
    standing = [row for row in parts.findings if row.is_proposal or row.state != FindingState.REMOVED]
    findings = {provenance_of_finding(row, card) for row in standing}
    said = findings | {
        *(provenance_of_score(row, card) for row in parts.scores),
        *(provenance_of_citation(row, card) for row in parts.citations),
    }
    added = Provenance.ADDED in findings or any(row.checked is None for row in parts.citations)
    if added or Provenance.OVERRIDDEN in said:
        return ApprovedAs.WITH_CHANGES
    return ApprovedAs.UNCHANGED if Provenance.APPROVED in said else ApprovedAs.NOT_SAID
