from typing import Self

from django.db import models

from lexreview.providers.models import Call
from lexreview.review.models.card import Card


class ModelProposalQuerySet(models.QuerySet["ModelProposal"]):
    def newest_first(self) -> Self:
        return self.order_by("-pk")

    def in_order(self) -> Self:
        return self.order_by("pk")


class ModelProposal(models.Model):
    """What a model said of a card, as code checked it. Rows are only added; a card shows one of them at most.

    `content`: {"sources", "criteria", "findings"}, see `core.methods.reference_card.opinion` for the last two, with
    what was dropped and why. `fingerprint`: SHA-256 over the whole request: the same one is never sent twice for a
    card. `call` is null on a card that was imported; cards that ask the very same share a call.
    """

    card = models.ForeignKey(Card, on_delete=models.CASCADE, related_name="model_proposals")
    provider = models.CharField(max_length=60)
    model = models.CharField(max_length=200)
    served_model = models.CharField(max_length=200)
    prompt_version = models.CharField(max_length=20)
    prompt_sha256 = models.CharField(max_length=64)
    fingerprint = models.CharField(max_length=64)
    call = models.ForeignKey(Call, on_delete=models.PROTECT, null=True, related_name="+")
    content = models.JSONField()
    proposed_at = models.DateTimeField()

    objects = ModelProposalQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["card", "fingerprint"], name="model_proposal_asked_once")]

    def __str__(self) -> str:
        return f"model proposal {self.pk} for card {self.card_id}"

    @property
    def asked_model(self) -> str:
        return f"{self.provider}:{self.model}"
