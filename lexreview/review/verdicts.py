"""What one key says about a citation: the actions that it stands for, in one transaction.

A word on a citation often settles a finding too: agreeing with a proposed error accepts the finding and marks the
citation as wrong.
"""

from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from django.utils.translation import gettext as _

from lexreview.accounts.models import User
from lexreview.core.methods.reference_card.facts import Origin, Scope
from lexreview.core.workflow import CitationState
from lexreview.review.actions import FindingDraft, InvalidFinding, edit_finding
from lexreview.review.actions.citations import put_state
from lexreview.review.actions.findings import SETTLING_VERBS, draft_of_finding, put_draft, put_new, put_settled
from lexreview.review.changing import Change, change_card
from lexreview.review.facts import origin_of, source_checked
from lexreview.review.models import Card, CardCitation, Finding, FindingState
from lexreview.review.parts import CardParts
from lexreview.review.provenance import proposed_state
from lexreview.review.sure import ALIVE


def finding_of(citation: CardCitation, parts: CardParts) -> Finding | None:
    """The finding of the citation that a word on it is about: one still proposed, else the newest that counts."""
    alive = [row for row in parts.findings_of(citation) if row.state in ALIVE]
    return max(alive, key=lambda row: (row.state == FindingState.PROPOSED, row.number), default=None)


def draft_of_citation(citation: CardCitation, *, card: Card, error_class: str, today: date) -> FindingDraft:
    """A finding for the citation with the evidence that the citation layer has; what it lacks a person adds."""
    checked = citation.checked
    origin = origin_of(card, citation)
    draft = FindingDraft(
        error_class=error_class,
        claim=citation.raw,
        claim_start=citation.start,
        claim_end=citation.end,
        origin=origin,
        citation_number=citation.number,
    )
    if checked is None:
        return draft
    return replace(
        draft,
        source_says=checked.explanation if checked.is_flagged else "",
        checked_source=source_checked(checked, card.benchmark.language),
        checked_address=checked.source_url,
        checked_edition=checked.edition.valid_from.isoformat() if checked.edition else "",
        checked_on=today,
    )


def agree_with_proposal(*, card: Card, number: int, version: int, by: User, now: datetime) -> Card:
    """Take over what is proposed: the error, the confirmation, or that the sources cannot tell.

    Raises InvalidFinding where code proposes nothing, as for a wording that merely differs.
    """

    def already(parts: CardParts) -> bool:
        citation = parts.citation(number)
        finding = finding_of(citation, parts)
        if finding is not None:
            return finding.state == FindingState.ACCEPTED and citation.state == CitationState.ERROR
        return citation.state == proposed_state(citation, card)

    with _deciding(card, version=version, by=by, now=now, already_in=already) as change:
        if change.nothing:
            return change.card
        citation = change.parts.citation(number)
        finding = finding_of(citation, change.parts)
        if finding is None:
            state = proposed_state(citation, card)
            if state is None:
                raise InvalidFinding(_("Nothing is proposed for this citation. Say what is wrong, or that nothing is."))
        else:
            state = CitationState.ERROR
            if finding.state != FindingState.ACCEPTED:
                before, after = put_settled(change, finding.number, state=FindingState.ACCEPTED, by=by, now=now)
                change.put_first("accept_finding", before=before, after=after)
        put_state(change, number=number, state=state, by=by, now=now)
    return change.card


def call_wrong(*, card: Card, number: int, error_class: str, version: int, by: User, now: datetime) -> Card:
    """The citation is wrong in this way: its finding gets the class, or a new finding is made for it."""

    def already(parts: CardParts) -> bool:
        citation = parts.citation(number)
        finding = finding_of(citation, parts)
        return (
            citation.state == CitationState.ERROR
            and finding is not None
            and finding.state == FindingState.ACCEPTED
            and finding.error_class == error_class
        )

    with _deciding(card, version=version, by=by, now=now, already_in=already) as change:
        if change.nothing:
            return change.card
        citation = change.parts.citation(number)
        if finding := finding_of(citation, change.parts):
            draft = replace(draft_of_finding(finding), error_class=error_class)
            before, after = put_draft(change, finding.number, draft, by=by, now=now)
            change.put_first("edit_finding", before=before, after=after)
        else:
            draft = draft_of_citation(citation, card=change.card, error_class=error_class, today=now.date())
            change.put_first("add_finding", before={}, after=put_new(change, draft, by=by, now=now))
        put_state(change, number=number, state=CitationState.ERROR, by=by, now=now)
    return change.card


def call_not_wrong(
    *, card: Card, number: int, state: CitationState, reason: str, version: int, by: User, now: datetime
) -> Card:
    """The citation is confirmed, cannot be established, or is open again; a finding of it no longer counts.

    Raises InvalidFinding where there is a finding and no reason for dropping it.
    """

    def already(parts: CardParts) -> bool:
        citation = parts.citation(number)
        return citation.state == state and finding_of(citation, parts) is None

    with _deciding(card, version=version, by=by, now=now, already_in=already) as change:
        if change.nothing:
            return change.card
        if finding := finding_of(change.parts.citation(number), change.parts):
            proposed = finding.state == FindingState.PROPOSED
            dropped = FindingState.REJECTED if proposed else FindingState.REMOVED
            before, after = put_settled(change, finding.number, state=dropped, reason=reason, by=by, now=now)
            change.put_first(SETTLING_VERBS[dropped], before=before, after=after, reason=reason)
        put_state(change, number=number, state=state, by=by, now=now)
    return change.card


def set_aspect(
    *,
    card: Card,
    number: int,
    scope: Scope | None = None,
    origin: Origin | None = None,
    version: int,
    by: User,
    now: datetime,
) -> Card:
    """Scope or origin of the citation's finding. Raises InvalidFinding where it has none."""
    parts = CardParts(card)
    finding = finding_of(parts.citation(number), parts)
    if finding is None:
        raise InvalidFinding(_("Scope and origin belong to an error, and this citation has none."))
    draft = draft_of_finding(finding)
    draft = replace(draft, scope=scope or draft.scope, origin=origin or draft.origin)
    return edit_finding(card=card, number=finding.number, draft=draft, version=version, by=by, now=now)


def _deciding(card: Card, **details: Any) -> AbstractContextManager[Change]:
    return change_card(card=card, verb="decide_citation", **details)
