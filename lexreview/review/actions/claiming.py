"""Taking cards for oneself, and keeping them while one is at work."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q

from lexreview.accounts.models import User
from lexreview.core.workflow import Round
from lexreview.ledger.actions import record_event
from lexreview.review.changing import claim_end, locked_card
from lexreview.review.models import OPEN_STATES, Card
from lexreview.review.rules import check_can_take, is_lapsed, is_new_to

RENEWED_AFTER = timedelta(minutes=1)


@transaction.atomic
def claim(card: Card, *, user: User, now: datetime) -> bool:
    """Take the card if it is open and free. One UPDATE decides: of any number of people who try, one gets it."""
    if card.round != Round.FIRST and not is_new_to(user, card):
        return False
    before = card.assigned_to
    free = Q(assigned_to__isnull=True) | Q(claimed_until__lte=now)
    taken = (
        Card.objects.filter(free, pk=card.pk, state__in=OPEN_STATES)
        .exclude(assigned_to=user)
        .update(assigned_to=user, claimed_until=claim_end(now), version=F("version") + 1)
    )
    if taken:
        version = Card.objects.values_list("version", flat=True).get(pk=card.pk)
        _record(card, before=before, to=user, until=claim_end(now), version=version, by=user, now=now)
    return bool(taken)


@transaction.atomic
def take_card(card: Card, *, user: User, now: datetime) -> Card:
    """Give the card to the person, if it is free or they may decide it all the same. Raises NotAllowed."""
    current = locked_card(card)
    check_can_take(user, current, now)
    before = current.assigned_to
    if before == user and not is_lapsed(current, now):
        prolong(current, by=user, now=now)
        return current
    current.assigned_to, current.claimed_until = user, claim_end(now)
    current.version += 1
    current.save(update_fields=["assigned_to", "claimed_until", "version"])
    _record(current, before=before, to=user, until=current.claimed_until, version=current.version, by=user, now=now)
    return current


def prolong(card: Card, *, by: User, now: datetime) -> datetime | None:
    """Keep a claim alive because its holder is at work; None where there is none to keep.

    Not in the ledger: it changes who may have the card by nothing, and a page says it every half minute. A claim that
    lapsed is taken up again as long as nobody else has the card.
    """
    if card.claimed_until is None or card.assigned_to_id != by.pk:
        return None
    until = claim_end(now)
    if until - card.claimed_until >= RENEWED_AFTER:
        mine = Card.objects.filter(pk=card.pk, assigned_to=by, claimed_until__isnull=False)
        if not mine.update(claimed_until=until):
            return None
        card.claimed_until = until
    return card.claimed_until


def _record(
    card: Card, *, before: User | None, to: User, until: datetime, version: int, by: User, now: datetime
) -> None:
    record_event(
        by=by,
        verb="assign",
        object_type="card",
        object_id=card.ledger_id,
        before={"assigned_to": before.username if before else None},
        after={"assigned_to": to.username, "claimed_until": until, "version": version},
        now=now,
    )
