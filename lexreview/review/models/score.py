from decimal import Decimal

from django.db import models
from django.db.models import Q

from lexreview.accounts.models import User
from lexreview.review.models.card import Card

PROPOSED_BY_CODE = "code"
PROPOSED_BY_MODEL = "model:prefill"
"""Who proposed, where a model did; which one stands in the card's ModelProposal. No user name holds a colon."""


class Score(models.Model):
    """One criterion on a card: what was proposed and what a person decided, side by side.

    `details`: {"elements": [rubric codes met]}, {"bases": [base codes cited]} or {"penalties": [penalty codes]}.
    A criterion by rule (A6) keeps its computed points in `proposed` and is never decided by hand.
    `proposed_by`: PROPOSED_BY_MODEL, or empty where code proposed or an earlier decision was carried over.
    """

    card = models.ForeignKey(Card, on_delete=models.CASCADE, related_name="scores")
    criterion = models.CharField(max_length=20)
    not_applicable = models.BooleanField(default=False)
    proposed = models.DecimalField(max_digits=6, decimal_places=2, null=True)
    proposed_evidence = models.TextField(blank=True)
    proposed_by = models.CharField(max_length=20, blank=True)
    decided = models.DecimalField(max_digits=6, decimal_places=2, null=True)
    details = models.JSONField(default=dict)
    evidence = models.TextField(blank=True)
    reason = models.TextField(blank=True)
    decided_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["card", "criterion"], name="score_one_per_criterion"),
            models.CheckConstraint(
                condition=Q(decided__isnull=True) | Q(not_applicable=False), name="score_not_applicable_is_undecided"
            ),
            models.CheckConstraint(
                condition=Q(decided__isnull=True) | Q(decided_by__isnull=False, decided_at__isnull=False),
                name="score_decided_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"score {self.criterion} of card {self.card_id}"

    @property
    def points(self) -> Decimal | None:
        """The decision; without one, the proposal."""
        return self.decided if self.decided is not None else self.proposed

    @property
    def is_changed(self) -> bool:
        """Whether a person decided otherwise than was proposed."""
        return self.decided is not None and self.proposed is not None and self.decided != self.proposed
