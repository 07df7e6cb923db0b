from typing import Self

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from lexreview.accounts.models import User
from lexreview.choices import choices_of, values_of
from lexreview.core.workflow import CitationState
from lexreview.review.models.card import Card
from lexreview.verification.models import Citation

CITATION_STATE_LABELS = {
    CitationState.UNCHECKED: _("not checked"),
    CitationState.CONFIRMED: _("confirmed"),
    CitationState.ERROR: _("wrong"),
    CitationState.UNDETERMINED: _("cannot be established"),
}


class CardCitationQuerySet(models.QuerySet["CardCitation"]):
    def in_text_order(self) -> Self:
        return self.order_by("card_id", "number")

    def with_result(self) -> Self:
        return self.select_related(
            "checked", "checked__act", "checked__edition", "checked__other_edition", "checked__ruling", "decided_by"
        )


class CardCitation(models.Model):
    """A citation of the answer as a person judged it; `checked` is what the layer said (null where a person added it).

    `start`, `end`: code points of the answer's text, end exclusive. `in_bulk`: confirmed together with others that
    code had found identical.
    """

    card = models.ForeignKey(Card, on_delete=models.CASCADE, related_name="citations")
    number = models.PositiveIntegerField()
    checked = models.ForeignKey(Citation, on_delete=models.PROTECT, null=True, related_name="+")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    raw = models.TextField()
    state = models.CharField(max_length=14, choices=choices_of(CITATION_STATE_LABELS), default=CitationState.UNCHECKED)
    opened_at = models.DateTimeField(null=True)
    note = models.TextField(blank=True)
    in_bulk = models.BooleanField(default=False)
    decided_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True)

    objects = CardCitationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["card", "number"], name="card_citation_number_once"),
            models.CheckConstraint(condition=Q(end__gt=F("start")), name="card_citation_span_not_empty"),
            models.CheckConstraint(condition=Q(state__in=values_of(CitationState)), name="card_citation_state_known"),
            models.CheckConstraint(
                condition=Q(state=CitationState.UNCHECKED) | Q(decided_by__isnull=False, decided_at__isnull=False),
                name="card_citation_decided_by_somebody",
            ),
            models.CheckConstraint(
                condition=Q(in_bulk=False) | Q(state=CitationState.CONFIRMED), name="card_citation_bulk_is_confirmed"
            ),
        ]

    def __str__(self) -> str:
        return f"citation {self.number} of card {self.card_id}"
