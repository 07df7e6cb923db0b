"""The page of the next card that a browser may keep ready, and how it learns whether it may still show it.

Asking for the page reads and nothing else: no card is claimed, none counts as opened. The page comes with a stamp of
all that it depends on, which the browser sends when the card before it is approved. The server makes the stamp anew;
only where both are the same is the kept page shown, else the reply brings the page as it is now. What other cards do to
a kept page, such as how many are done, is read again once it is shown.

`Kept-Card` and `Card-Stamp` are headers of the reply that brings the page, and of the browser's further requests (0 for
a browser that shows the next card in place but keeps none); `Next-Card` is the address of the card to show now.
"""

from datetime import date
from hashlib import sha256

from lexreview.accounts.models import User
from lexreview.accounts.rules import roles_of
from lexreview.ledger.models import Event
from lexreview.methodology.models import Decision
from lexreview.review.keyboard import Keyboard
from lexreview.review.models import Card

KEPT_CARD = "Kept-Card"
CARD_STAMP = "Card-Stamp"
NEXT_CARD = "Next-Card"
DEPENDS_ON = (
    "pk", "version", "specification_id", "key_version_id", "verification_id", "model_proposal_id", "assigned_to_id",
    "claimed_until",
)  # fmt: skip


def stamp_of(card: Card, *, user: User, keyboard: Keyboard, today: date, in_text_order: bool, language: str) -> str:
    """Of the card as it is now for this person: the last event about it, its decisions, the person's rights, keys and
    order. Two queries. Take it before the page is made: then a page that is newer than its stamp is never shown."""
    newest = Event.objects.about("card", card.ledger_id).newest_first().values_list("hash", flat=True).first()
    published = Decision.objects.of_benchmark(card.benchmark.slug).published()
    parts = (
        *(getattr(card, name) for name in DEPENDS_ON),
        newest,
        sorted(published.values_list("number", "state")),
        card.benchmark.masks_systems,
        card.in_masked_batch,
        user.pk,
        sorted(roles_of(user, card.benchmark.slug)),
        keyboard.is_on,
        [(key.key, key.does) for key in keyboard.keys],
        today,
        in_text_order,
        language,
    )
    return sha256(repr(parts).encode()).hexdigest()
