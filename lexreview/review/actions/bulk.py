from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from lexreview.accounts.models import User
from lexreview.review.actions.approval import approve_card
from lexreview.review.actions.citations import confirm_in_bulk
from lexreview.review.actions.scores import accept_proposals
from lexreview.review.models import Card
from lexreview.review.parts import CardParts
from lexreview.review.rules import check_can_review_card
from lexreview.review.sure import can_be_confirmed_in_bulk, sure_cards


class NotSure(Exception):
    """The card is not one that may be approved together with others."""


@transaction.atomic
def approve_sure_card(*, card: Card, version: int, by: User, now: datetime) -> Card:
    """Approve a card of which everything is proposed, unchanged and sure: confirm its citations, take over its points.

    Raises NotSure for any other card; StaleCard where it was changed since the list was made.
    """
    check_can_review_card(by, card)
    if not sure_cards(Card.objects.filter(pk=card.pk)).exists():
        raise NotSure(_("Something on this card has to be read by a person first."))
    parts = CardParts(card)
    if any(can_be_confirmed_in_bulk(row, parts) for row in parts.citations):
        card = confirm_in_bulk(card=card, version=version, by=by, now=now)
        version = card.version
    card = accept_proposals(card=card, version=version, by=by, now=now)
    return approve_card(card=card, version=card.version, confirm_unchecked=False, by=by, now=now)
