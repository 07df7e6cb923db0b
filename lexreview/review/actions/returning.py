from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from lexreview.accounts.models import User
from lexreview.accounts.rules import NotAllowed, check_has_role
from lexreview.core.workflow import CardVerb, Role, Round
from lexreview.review.actions.moving import move_card
from lexreview.review.actions.second_review import check_first_can_change
from lexreview.review.models import Card


@transaction.atomic
def return_card(
    *,
    card: Card,
    reason: str,
    by: User,
    now: datetime,
    version: int | None = None,
    after: dict[str, Any] | None = None,
) -> Card:
    """Send an approved card back to whoever approved it, with the reason; approving it again makes the next revision.

    Raises NotAllowed for others than leads and for reviews that were adjudicated, StaleCard where the lead saw another
    `version`, TransitionRefused for a card that is not approved and for no reason. `after`: what else the event says.
    """
    check_has_role(by, card.benchmark.slug, Role.LEAD)
    check_first_can_change(card)
    if card.round == Round.ADJUDICATED:
        raise NotAllowed(_("This card holds the result of an adjudication; open that again instead."))
    return move_card(
        card,
        CardVerb.RETURN,
        by=by,
        now=now,
        reason=reason,
        version=version,
        after={"returned_to": card.approved_by.username if card.approved_by else None, **(after or {})},
        assigned_to=card.approved_by,
        claimed_until=None,
        returned_at=now,
        revision_reason=reason,
    )
