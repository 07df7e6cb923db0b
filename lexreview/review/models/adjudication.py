from enum import StrEnum
from typing import Self

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from lexreview.accounts.models import User
from lexreview.choices import choices_of, values_of
from lexreview.review.models.card import Card


class ItemKind(StrEnum):
    """What two reviews of an answer can differ in. The label follows from the others and is never chosen."""

    CRITERION = "criterion"
    CITATION = "citation"
    FINDING = "finding"
    OFFICIAL_SOURCE = "official_source"


ITEM_KIND_LABELS = {
    ItemKind.CRITERION: _("criterion"),
    ItemKind.CITATION: _("citation"),
    ItemKind.FINDING: _("finding"),
    ItemKind.OFFICIAL_SOURCE: _("official source"),
}


class AdjudicatedReview(models.Model):
    """A review behind an adjudicated card, in the approved revision that was last merged."""

    card = models.ForeignKey(Card, on_delete=models.CASCADE, related_name="adjudicated_reviews")
    review = models.ForeignKey(Card, on_delete=models.PROTECT, related_name="adjudicated_in")
    position = models.PositiveSmallIntegerField()
    revision = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["card", "review"], name="adjudicated_review_once"),
            models.UniqueConstraint(fields=["card", "position"], name="adjudicated_review_position_once"),
        ]

    def __str__(self) -> str:
        return f"review {self.review_id} behind card {self.card_id}"


class ChoiceQuerySet(models.QuerySet["Choice"]):
    def in_order(self) -> Self:
        return self.order_by("card_id", "kind", "target", "pk")


class Choice(models.Model):
    """What the lead took for one thing in which the reviews differ: that of one review, or (null) a value of their own.

    `target`: the criterion's code, the number of the citation or finding on the adjudicated card, or "".
    """

    card = models.ForeignKey(Card, on_delete=models.CASCADE, related_name="choices")
    kind = models.CharField(max_length=20, choices=choices_of(ITEM_KIND_LABELS))
    target = models.CharField(max_length=20, blank=True)
    taken_from = models.ForeignKey(Card, on_delete=models.PROTECT, null=True, related_name="+")
    reason = models.TextField()
    decided_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField()

    objects = ChoiceQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["card", "kind", "target"], name="choice_once"),
            models.CheckConstraint(condition=Q(kind__in=values_of(ItemKind)), name="choice_kind_known"),
            models.CheckConstraint(condition=~Q(reason=""), name="choice_has_reason"),
        ]

    def __str__(self) -> str:
        return f"choice {self.kind} {self.target} of card {self.card_id}"
