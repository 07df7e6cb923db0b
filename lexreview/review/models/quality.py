from enum import StrEnum
from typing import Self

from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from lexreview.accounts.models import User
from lexreview.choices import choices_of, values_of
from lexreview.questions.models import Benchmark
from lexreview.review.models.card import Card


class CheckOutcome(StrEnum):
    OPEN = "open"
    AGREED = "agreed"
    OVERTURNED = "overturned"


class CheckOrigin(StrEnum):
    """How a card came into the sample. Only those drawn at random say something of all cards."""

    DRAWN = "drawn"
    FAST = "fast"


CHECK_OUTCOME_LABELS = {
    CheckOutcome.OPEN: _("not checked yet"),
    CheckOutcome.AGREED: _("agreed"),
    CheckOutcome.OVERTURNED: _("overturned"),
}
CHECK_ORIGIN_LABELS = {CheckOrigin.DRAWN: _("drawn"), CheckOrigin.FAST: _("approved very fast")}


class QualityCheckQuerySet(models.QuerySet["QualityCheck"]):
    def visible_to(self, person: User | AnonymousUser) -> Self:
        """Those of cards that the person sees: who takes part in a blind round learns of no check of the others."""
        return self.filter(card__in=Card.objects.visible_to(person))

    def of_benchmark(self, benchmark: Benchmark) -> Self:
        return self.filter(card__queue_benchmark=benchmark)

    def open(self) -> Self:
        return self.filter(outcome=CheckOutcome.OPEN)

    def checked(self) -> Self:
        return self.exclude(outcome=CheckOutcome.OPEN)

    def in_order(self) -> Self:
        return self.order_by("card__answer__question__code", "card__answer__sha256", "pk")


class QualityCheck(models.Model):
    """An approved revision of a card that a lead looks at again: agreed or overturned, with the reason.

    `reviewer` is who approved that revision; a card is checked at most once in each revision.
    """

    card = models.ForeignKey(Card, on_delete=models.CASCADE, related_name="quality_checks")
    revision = models.PositiveIntegerField()
    reviewer = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    origin = models.CharField(max_length=10, choices=choices_of(CHECK_ORIGIN_LABELS), default=CheckOrigin.DRAWN)
    drawn_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    drawn_at = models.DateTimeField()
    outcome = models.CharField(max_length=10, choices=choices_of(CHECK_OUTCOME_LABELS), default=CheckOutcome.OPEN)
    reason = models.TextField(blank=True)
    checked_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    checked_at = models.DateTimeField(null=True)

    objects = QualityCheckQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["card", "revision"], name="quality_check_once_per_revision"),
            models.CheckConstraint(condition=Q(outcome__in=values_of(CheckOutcome)), name="quality_check_outcome"),
            models.CheckConstraint(condition=Q(origin__in=values_of(CheckOrigin)), name="quality_check_origin"),
            models.CheckConstraint(
                condition=Q(outcome=CheckOutcome.OPEN, checked_by__isnull=True, checked_at__isnull=True)
                | (~Q(outcome=CheckOutcome.OPEN) & Q(checked_by__isnull=False, checked_at__isnull=False)),
                name="quality_check_by_somebody",
            ),
            models.CheckConstraint(
                condition=~Q(outcome=CheckOutcome.OVERTURNED) | ~Q(reason=""),
                name="quality_check_has_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"quality check of card {self.card_id}, revision {self.revision}"
