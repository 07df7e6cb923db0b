from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import Any

from django.utils.translation import gettext as _

from lexreview.accounts.models import User
from lexreview.core.methods.reference_card.facts import Origin, Scope
from lexreview.core.words import says_nothing
from lexreview.review.changing import Change, change_card
from lexreview.review.facts import specification_of
from lexreview.review.models import Card, Finding, FindingState
from lexreview.review.parts import CardParts

SETTLING_VERBS = {
    FindingState.ACCEPTED: "accept_finding",
    FindingState.REJECTED: "reject_finding",
    FindingState.REMOVED: "remove_finding",
}


class InvalidFinding(ValueError):
    """The finding does not fit the answer or the specification; the text says what was expected."""


@dataclass(frozen=True, kw_only=True)
class FindingDraft:
    """A finding as a person words it. The claim is the answer's text from `claim_start` to `claim_end`."""

    error_class: str
    claim: str
    claim_start: int
    claim_end: int
    source_says: str = ""
    checked_source: str = ""
    checked_address: str = ""
    checked_edition: str = ""
    checked_on: date | None = None
    origin: Origin = Origin.UNDETERMINED
    scope: Scope = Scope.CORE
    citation_number: int | None = None


def add_finding(*, card: Card, draft: FindingDraft, version: int, by: User, now: datetime) -> Card:
    """A finding of the reviewer's own; it counts at once."""

    def already(parts: CardParts) -> bool:
        standing = [row for row in parts.findings if row.state == FindingState.ACCEPTED and row.decided_by_id == by.pk]
        return any(draft_of_finding(row) == draft for row in standing)

    with change_card(card=card, verb="add_finding", version=version, by=by, now=now, already_in=already) as change:
        if not change.nothing:
            change.after = put_new(change, draft, by=by, now=now)
    return change.card


def edit_finding(*, card: Card, number: int, draft: FindingDraft, version: int, by: User, now: datetime) -> Card:
    """Change what a finding says and let it count. What it said before stays in the ledger."""

    def already(parts: CardParts) -> bool:
        row = parts.finding(number)
        return row.state == FindingState.ACCEPTED and draft_of_finding(row) == draft

    with change_card(card=card, verb="edit_finding", version=version, by=by, now=now, already_in=already) as change:
        if not change.nothing:
            change.before, change.after = put_draft(change, number, draft, by=by, now=now)
    return change.card


def accept_finding(*, card: Card, number: int, version: int, by: User, now: datetime) -> Card:
    """Let a proposed finding count."""
    return _settle(card=card, number=number, state=FindingState.ACCEPTED, version=version, by=by, now=now)


def reject_finding(*, card: Card, number: int, reason: str, version: int, by: User, now: datetime) -> Card:
    """Refuse a proposed finding; it stays on the card as rejected, with the reason."""
    return _settle(
        card=card, number=number, state=FindingState.REJECTED, reason=reason, version=version, by=by, now=now
    )


def remove_finding(*, card: Card, number: int, reason: str, version: int, by: User, now: datetime) -> Card:
    """Take a finding out of the count; the row stays, with who removed it and why."""
    return _settle(card=card, number=number, state=FindingState.REMOVED, reason=reason, version=version, by=by, now=now)


def put_new(change: Change, draft: FindingDraft, *, by: User, now: datetime) -> dict[str, Any]:
    """Inside a change: a new finding that counts. Returns what the event says of it."""
    row = Finding(
        card=change.card,
        number=change.parts.next_finding_number,
        state=FindingState.ACCEPTED,
        proposed_by=by.username,
        decided_by=by,
        decided_at=now,
        **_fields(change, draft),
    )
    row.save()
    change.parts.findings.append(row)
    return {"finding": row.number, **asdict(draft)}


def put_draft(
    change: Change, number: int, draft: FindingDraft, *, by: User, now: datetime
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Inside a change: other words for a finding, which counts from now on. Returns before and after."""
    row = change.parts.finding(number)
    before = {"finding": number, "finding_state": row.state, **asdict(draft_of_finding(row))}
    if row.is_proposal and row.proposed_as is None:
        row.proposed_as = row.wording
    for name, value in _fields(change, draft).items():
        setattr(row, name, value)
    row.state, row.decided_by, row.decided_at = FindingState.ACCEPTED, by, now
    row.save()
    return before, {"finding": number, "finding_state": row.state, **asdict(draft)}


def put_settled(
    change: Change, number: int, *, state: FindingState, reason: str = "", by: User, now: datetime
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Inside a change: whether a finding counts. Returns before and after.

    Raises InvalidFinding without a reason, and for a class that the specification has no more.
    """
    if state != FindingState.ACCEPTED and says_nothing(reason):
        raise InvalidFinding(_("Say in one line why the finding does not count."))
    row = change.parts.finding(number)
    if state == FindingState.ACCEPTED:
        _check_class(change.card, row.error_class)
    before = {"finding": number, "finding_state": row.state, "reason": row.reason}
    row.state, row.reason, row.decided_by, row.decided_at = state, reason, by, now
    row.save()
    return before, {"finding": number, "finding_state": state, "error_class": row.error_class, "claim": row.claim}


def draft_of_finding(row: Finding) -> FindingDraft:
    return FindingDraft(
        error_class=row.error_class,
        claim=row.claim,
        claim_start=row.claim_start,
        claim_end=row.claim_end,
        source_says=row.source_says,
        checked_source=row.checked_source,
        checked_address=row.checked_address,
        checked_edition=row.checked_edition,
        checked_on=row.checked_on,
        origin=Origin(row.origin),
        scope=Scope(row.scope),
        citation_number=row.citation.number if row.citation else None,
    )


def _settle(
    *, card: Card, number: int, state: FindingState, version: int, by: User, now: datetime, reason: str = ""
) -> Card:
    with change_card(
        card=card,
        verb=SETTLING_VERBS[state],
        version=version,
        by=by,
        now=now,
        reason=reason,
        already_in=lambda parts: parts.finding(number).state == state,
    ) as change:
        if not change.nothing:
            change.before, change.after = put_settled(change, number, state=state, reason=reason, by=by, now=now)
    return change.card


def _check_class(card: Card, code: str) -> None:
    classes = [each.code for each in specification_of(card).error_classes]
    if code not in classes:
        raise InvalidFinding(
            _("%(code)s is not an error class of this specification; expected one of %(classes)s.")
            % {"code": code, "classes": ", ".join(classes)}
        )


def _fields(change: Change, draft: FindingDraft) -> dict[str, Any]:
    card = change.card
    text = card.answer.text
    if not draft.claim.strip() or text[draft.claim_start : draft.claim_end] != draft.claim:
        raise InvalidFinding(_("The claim must be words of the answer, exactly as they stand there."))
    _check_class(card, draft.error_class)
    fields = asdict(draft)
    number = fields.pop("citation_number")
    fields["citation"] = next((row for row in change.parts.citations if row.number == number), None)
    return fields
