from typing import Self

from django.db import models
from django.db.models import Q

from lexreview.accounts.models import User
from lexreview.core.workflow import DecisionState
from lexreview.methodology.models import Decision
from lexreview.review.models.card import Card


class RulingRequestQuerySet(models.QuerySet["RulingRequest"]):
    def in_order(self) -> Self:
        return self.order_by("card_id", "number")

    def unanswered(self) -> Self:
        return self.filter(decision__isnull=True)

    def waiting_for_publication(self) -> Self:
        """Answered by an entry that is still a draft."""
        return self.filter(decision__isnull=False).exclude(decision__state=DecisionState.PUBLISHED)


class RulingRequest(models.Model):
    """A question that a reviewer put to the lead, and the entry of the decision log that answers it.

    The card cannot be approved before that entry is published.
    """

    card = models.ForeignKey(Card, on_delete=models.CASCADE, related_name="ruling_requests")
    number = models.PositiveIntegerField()
    question = models.TextField()
    asked_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField()
    decision = models.ForeignKey(Decision, on_delete=models.PROTECT, null=True, related_name="ruling_requests")
    answered_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    answered_at = models.DateTimeField(null=True)

    objects = RulingRequestQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["card", "number"], name="ruling_request_number_once"),
            models.CheckConstraint(
                condition=Q(decision__isnull=True, answered_by__isnull=True, answered_at__isnull=True)
                | Q(decision__isnull=False, answered_by__isnull=False, answered_at__isnull=False),
                name="ruling_request_answered_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"ruling request {self.number} of card {self.card_id}"


class RecheckMarkQuerySet(models.QuerySet["RecheckMark"]):
    def standing(self) -> Self:
        return self.filter(done_at__isnull=True)

    def in_order(self) -> Self:
        return self.order_by("marked_at", "pk")


class RecheckMark(models.Model):
    """A card that a lead wants looked at again because of a decision; its next approval settles the mark."""

    card = models.ForeignKey(Card, on_delete=models.CASCADE, related_name="recheck_marks")
    decision = models.ForeignKey(Decision, on_delete=models.PROTECT, related_name="recheck_marks")
    reason = models.TextField()
    marked_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    marked_at = models.DateTimeField()
    done_at = models.DateTimeField(null=True)

    objects = RecheckMarkQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["card", "decision"], condition=Q(done_at__isnull=True), name="recheck_mark_once"
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="recheck_mark_has_reason"),
        ]

    def __str__(self) -> str:
        return f"card {self.card_id} to be checked again"
