"""Who has a card open, and for how long somebody worked on it.

The page says every half minute that it is open and how many of these seconds it was visible and used. This is the one
table of the room without events in the ledger (ADR 15): it judges nothing, it changes nothing of a card, and a line
for each half minute of each person would bury the lines that matter.
"""

from datetime import datetime

from lexreview.accounts.models import User
from lexreview.review.actions.attendance import beat
from lexreview.review.models import Attendance, Card

__all__ = ["beat", "others_at"]


def others_at(card: Card, *, person: User, now: datetime) -> list[User]:
    """The other people who have the card open now, by name: one query."""
    rows = Attendance.objects.present(now).filter(card=card).exclude(person=person).select_related("person")
    return [row.person for row in rows.order_by("person__username")]
