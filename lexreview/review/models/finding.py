from enum import StrEnum
from typing import Any, Self

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from lexreview.accounts.models import User
from lexreview.choices import choices_of, values_of
from lexreview.core.methods.reference_card.facts import Origin, Scope
from lexreview.methodology.words import ORIGIN_LABELS, SCOPE_LABELS
from lexreview.review.models.card import Card
from lexreview.review.models.citation import CardCitation
from lexreview.review.models.score import PROPOSED_BY_CODE, PROPOSED_BY_MODEL

WORDING = ("error_class", "claim_start", "claim_end", "origin", "scope")


class FindingState(StrEnum):
    """A proposal of code or of a model counts only once a person accepted it."""

    PROPOSED = "proposed"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    REMOVED = "removed"


FINDING_STATE_LABELS = {
    FindingState.PROPOSED: _("proposed"),
    FindingState.ACCEPTED: _("accepted"),
    FindingState.REJECTED: _("rejected"),
    FindingState.REMOVED: _("removed"),
}


class FindingQuerySet(models.QuerySet["Finding"]):
    def standing(self) -> Self:
        """Findings that count: a person made or accepted them."""
        return self.filter(state=FindingState.ACCEPTED)

    def in_order(self) -> Self:
        return self.order_by("card_id", "number")


class Finding(models.Model):
    """An error finding with its evidence. Nothing is deleted: a removed finding stays, with who removed it and why.

    `claim` is the answer's text at `claim_start`..`claim_end` (code points, end exclusive).
    `proposed_by`: PROPOSED_BY_CODE, PROPOSED_BY_MODEL, or the username of the person who added it. `proposed_as`: the
    wording of a proposal that a person worded otherwise; null where nobody did.
    """

    card = models.ForeignKey(Card, on_delete=models.CASCADE, related_name="findings")
    number = models.PositiveIntegerField()
    citation = models.ForeignKey(CardCitation, on_delete=models.PROTECT, null=True, related_name="findings")
    error_class = models.CharField(max_length=10)
    claim = models.TextField()
    claim_start = models.PositiveIntegerField()
    claim_end = models.PositiveIntegerField()
    source_says = models.TextField(blank=True)
    checked_source = models.TextField(blank=True)
    checked_address = models.CharField(max_length=500, blank=True)
    checked_edition = models.CharField(max_length=100, blank=True)
    checked_on = models.DateField(null=True)
    origin = models.CharField(max_length=20, choices=choices_of(ORIGIN_LABELS), default=Origin.UNDETERMINED)
    scope = models.CharField(max_length=20, choices=choices_of(SCOPE_LABELS), default=Scope.CORE)
    state = models.CharField(max_length=10, choices=choices_of(FINDING_STATE_LABELS), default=FindingState.PROPOSED)
    proposed_by = models.CharField(max_length=150)
    proposed_as = models.JSONField(null=True)
    reason = models.TextField(blank=True)
    decided_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True)

    objects = FindingQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["card", "number"], name="finding_number_once"),
            models.CheckConstraint(condition=Q(claim_end__gt=F("claim_start")), name="finding_claim_not_empty"),
            models.CheckConstraint(condition=Q(state__in=values_of(FindingState)), name="finding_state_known"),
            models.CheckConstraint(
                condition=Q(state=FindingState.PROPOSED) | Q(decided_by__isnull=False, decided_at__isnull=False),
                name="finding_decided_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"finding {self.number} of card {self.card_id}"

    @property
    def is_proposal(self) -> bool:
        """Whether code or a model came up with it."""
        return self.proposed_by in (PROPOSED_BY_CODE, PROPOSED_BY_MODEL)

    @property
    def wording(self) -> dict[str, Any]:
        """What it claims, without the evidence for it."""
        return {name: getattr(self, name) for name in WORDING}
