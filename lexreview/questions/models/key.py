import hashlib
import json
from typing import Self

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from lexreview.accounts.models import User
from lexreview.choices import choices_of, values_of
from lexreview.core.methods.reference_card.facts import Calibration
from lexreview.core.workflow import KeyState
from lexreview.methodology.models import Decision
from lexreview.questions.models.benchmark import Benchmark
from lexreview.questions.models.question import Question

KEY_STATE_LABELS = {
    KeyState.DRAFT: _("draft"),
    KeyState.APPROVED: _("approved"),
    KeyState.SUPERSEDED: _("superseded"),
}
CALIBRATION_LABELS = {Calibration.CATEGORICAL: _("categorical"), Calibration.CONDITIONAL: _("conditional")}


class KeyVersionQuerySet(models.QuerySet["KeyVersion"]):
    def approved(self) -> Self:
        return self.filter(state=KeyState.APPROVED)

    def of_benchmark(self, benchmark: Benchmark) -> Self:
        return self.filter(question__benchmark=benchmark)

    def with_people(self) -> Self:
        return self.select_related("decision", "approved_by")

    def in_order(self) -> Self:
        return self.order_by("question_id", "number")


class KeyVersion(models.Model):
    """One version of a question's key; what is approved never changes in place.

    `rubric`: [{"code", "text", "points"}]. `penalties`: [{"code", "text"}], one point each. `bases`: required bases,
    [{"code", "citation", "kind": provision|ruling, "act", "unit", "source", "edition", "quotation", and for rulings
    "court", "docket", "decided_on", "passage"}].
    """

    CONTENT = ("state", "dated", "core_answer", "rubric", "penalties", "bases", "calibration", "condition", "disputed",
               "verification_note", "reason", "departure", "decision_id")  # fmt: skip

    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="key_versions")
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=12, choices=choices_of(KEY_STATE_LABELS), default=KeyState.DRAFT)
    dated = models.DateField()
    core_answer = models.TextField()
    rubric = models.JSONField(default=list)
    penalties = models.JSONField(default=list)
    bases = models.JSONField(default=list)
    calibration = models.CharField(max_length=12, choices=choices_of(CALIBRATION_LABELS))
    condition = models.TextField(blank=True)
    disputed = models.BooleanField(default=False)
    verification_note = models.TextField(blank=True)
    reason = models.TextField(blank=True)
    approved_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    approved_on = models.DateField(null=True)
    frozen_at = models.DateTimeField(null=True)
    departure = models.BooleanField(default=False)
    decision = models.ForeignKey(Decision, on_delete=models.PROTECT, null=True, related_name="key_versions")

    objects = KeyVersionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["question", "number"], name="key_version_number_once"),
            models.UniqueConstraint(
                fields=["question"], condition=Q(state=KeyState.APPROVED), name="key_one_approved_version"
            ),
            models.CheckConstraint(condition=Q(state__in=values_of(KeyState)), name="key_state_known"),
            models.CheckConstraint(
                condition=Q(state=KeyState.DRAFT) | Q(approved_on__isnull=False), name="key_approved_is_dated"
            ),
            models.CheckConstraint(
                condition=Q(departure=False) | (~Q(reason="") & Q(decision__isnull=False)),
                name="key_departure_has_reason_and_decision",
            ),
        ]

    def __str__(self) -> str:
        return f"key {self.question_id} v{self.number}"

    @property
    def is_draft(self) -> bool:
        return self.state == KeyState.DRAFT

    @property
    def digest(self) -> str:
        """Names the content of the version, so that a writer can say which one was read."""
        fields = [json.dumps(getattr(self, name), sort_keys=True, default=str) for name in self.CONTENT]
        return hashlib.sha256("\x1f".join(fields).encode()).hexdigest()[:16]
