from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from lexreview.accounts.models import User
from lexreview.core.methods.reference_card.approval import Missing, MissingKind
from lexreview.core.workflow import CardState, CardVerb, Round
from lexreview.review.actions.repeating import bring_back_due
from lexreview.review.actions.second_review import check_first_can_change, close_round, lock_round
from lexreview.review.approved_as import approved_as
from lexreview.review.changing import Change, change_card, recompute
from lexreview.review.facts import missing_of
from lexreview.review.models import Card, CardRevision, FindingState, RecheckMark
from lexreview.review.rulings import missing_rulings
from lexreview.review.snapshot import snapshot_of
from lexreview.translating import translated


class CannotApprove(Exception):
    """The card is not complete; `missing` lists what, each with a message fit for the user."""

    def __init__(self, missing: Sequence[Missing]) -> None:
        super().__init__(
            _("The card cannot be approved yet: ") + " ".join(translated(each.message) for each in missing)
        )
        self.missing = tuple(missing)


@transaction.atomic
def approve_card(*, card: Card, version: int, confirm_unchecked: bool, by: User, now: datetime) -> Card:
    """Approve the card as it stands and keep the state as a numbered revision.

    Raises CannotApprove while something is missing, while a proposed finding is undecided, and, without
    `confirm_unchecked`, while citations are unchecked: those are allowed but must be confirmed once.
    Approving an approved card changes nothing. The last second review of a round closes it: see `close_round`.
    """
    if card.round == Round.SECOND:
        lock_round(card)
    with change_card(
        card=card,
        verb="approve",
        version=version,
        by=by,
        now=now,
        transition=CardVerb.APPROVE,
        already=lambda current: current.state == CardState.APPROVED and current.approved_by_id == by.pk,
    ) as change:
        if change.nothing:
            return change.card
        if missing := _standing_in_the_way(change, confirm_unchecked=confirm_unchecked):
            raise CannotApprove(missing)
        keep_revision(change, by=by, now=now)
    if change.card.round == Round.SECOND:
        close_round(card=change.card, by=by, now=now)
    elif change.card.round == Round.FIRST:
        bring_back_due(benchmark=change.card.benchmark, reviewer=by, now=now)
    return change.card


def keep_revision(change: Change, *, by: User, now: datetime) -> None:
    """Keep the card as it stands as its next approved revision; inside `change_card`, after its rows were written."""
    current = change.card
    recompute(current, change.parts)
    change.recomputes = False
    if current.assigned_to_id == by.pk:
        current.assigned_to = by
    reason, current.revision_reason = current.revision_reason, ""
    current.revision += 1
    current.approved_by, current.approved_at = by, now
    current.returned_at = None
    RecheckMark.objects.standing().filter(card=current).update(done_at=now)
    CardRevision.objects.create(
        card=current,
        number=current.revision,
        snapshot=snapshot_of(current, read=change.parts.rows()),
        reason=reason,
        approved_by=by,
        approved_at=now,
        approved_as=(taken := approved_as(current, change.parts)),
    )
    change.after = {"revision": current.revision, "label_rule": current.label_rule, "approved_as": taken.value}


def revise_card(*, card: Card, reason: str, version: int, by: User, now: datetime) -> Card:
    """Open an approved card again. The approved revision stays; approving makes the next one.

    Raises NotAllowed for a review that was adjudicated.
    """
    check_first_can_change(card)
    with change_card(
        card=card, verb="revise", version=version, by=by, now=now, reason=reason, transition=CardVerb.REVISE
    ) as change:
        change.card.revision_reason = reason
        change.after = {"revision": change.card.revision}
    return change.card


def park_card(*, card: Card, reason: str, version: int, by: User, now: datetime) -> Card:
    """Put the card aside; a parked card is open work and in no statistic."""
    with change_card(
        card=card, verb="park", version=version, by=by, now=now, reason=reason, transition=CardVerb.PARK
    ) as change:
        change.after = {"parked": True}
    return change.card


def unpark_card(*, card: Card, version: int, by: User, now: datetime) -> Card:
    with change_card(card=card, verb="unpark", version=version, by=by, now=now, transition=CardVerb.UNPARK) as change:
        change.after = {"parked": False}
    return change.card


def _standing_in_the_way(change: Change, *, confirm_unchecked: bool) -> list[Missing]:
    missing = missing_of(change.card, change.parts)
    found = [each for each in missing if each.blocking or not confirm_unchecked]
    found += missing_rulings(change.card)
    for row in change.parts.findings:
        if row.state == FindingState.PROPOSED:
            message = _("Finding %(number)s is proposed and neither accepted nor rejected.") % {"number": row.number}
            found.append(Missing(MissingKind.FINDING_EVIDENCE, row.error_class, message, row.number))
    return found
