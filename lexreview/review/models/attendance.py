from datetime import datetime
from typing import Self

from django.db import models

from lexreview.accounts.models import User
from lexreview.review.models.card import Card


class AttendanceQuerySet(models.QuerySet["Attendance"]):
    def present(self, now: datetime) -> Self:
        """People who have the card open now."""
        return self.filter(open_until__gt=now)


class Attendance(models.Model):
    """How long a person worked on a card, and whether they have it open.

    `active_seconds`: time in which the page was visible and used. `open_until`: the page said it was open and is
    taken to be so until then. `beat_at`: when the page was last heard of.
    """

    card = models.ForeignKey(Card, on_delete=models.CASCADE, related_name="attendance")
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    active_seconds = models.PositiveIntegerField(default=0)
    open_until = models.DateTimeField()
    beat_at = models.DateTimeField()

    objects = AttendanceQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["card", "person"], name="attendance_one_per_card_and_person")]

    def __str__(self) -> str:
        return f"person {self.person_id} at card {self.card_id}"
