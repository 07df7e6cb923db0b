from datetime import datetime, timedelta

from django.db import transaction

from lexreview.accounts.models import User
from lexreview.review.models import OPEN_STATES, Attendance, Card

BEAT_SECONDS = 30
LONGEST_BEAT = 2 * BEAT_SECONDS
OPEN_FOR = timedelta(seconds=75)


@transaction.atomic
def beat(*, card: Card, person: User, active_seconds: int, now: datetime, leaving: bool = False) -> Attendance:
    """Note that the person has the card open, or closes it, and add the seconds in which they worked on it.

    What is added is at most the time since the page was last heard of, and at most a minute: two windows of one
    person do not count double, and a page cannot claim hours. Reading a card that is not open for review adds nothing.
    """
    row, first = Attendance.objects.select_for_update(of=("self",)).get_or_create(
        card=card, person=person, defaults={"open_until": now, "beat_at": now}
    )
    if card.state in OPEN_STATES:
        since = BEAT_SECONDS if first else (now - row.beat_at).total_seconds()
        row.active_seconds += max(0, int(min(active_seconds, LONGEST_BEAT, since)))
    row.beat_at, row.open_until = now, now if leaving else now + OPEN_FOR
    row.save(update_fields=["active_seconds", "beat_at", "open_until"])
    return row
