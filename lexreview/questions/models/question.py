import hashlib
import json
from typing import Self

from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from lexreview.accounts.models import User
from lexreview.accounts.rules import benchmark_slugs_of
from lexreview.choices import choices_of, values_of
from lexreview.core.methods.reference_card.facts import QuestionType
from lexreview.questions.models.benchmark import Benchmark, QuestionSet

QUESTION_TYPE_LABELS = {
    QuestionType.CLOSED: _("closed"),
    QuestionType.CALCULATION: _("calculation"),
    QuestionType.VERIFICATION: _("verification of a claim"),
}


class Disclosure(models.TextChoices):
    UNDISCLOSED = "undisclosed", _("undisclosed")
    PUBLISHED = "published", _("published")


class Asked(models.TextChoices):
    ORIGINAL = "original", _("original text")
    BENCHMARK = "benchmark", _("benchmark text")


def asked_text(asked: str, *, original: str, benchmark: str) -> str:
    """The text of a question that is put to the systems. `asked`: a value of `Asked`."""
    return benchmark if asked == Asked.BENCHMARK else original


class QuestionQuerySet(models.QuerySet["Question"]):
    def visible_to(self, user: User | AnonymousUser) -> Self:
        return self.filter(benchmark__slug__in=benchmark_slugs_of(user))

    def disclosed(self) -> Self:
        """Questions that a reader may ever know of."""
        return self.filter(disclosure=Disclosure.PUBLISHED)

    def of_benchmark(self, benchmark: Benchmark) -> Self:
        return self.filter(benchmark=benchmark)

    def with_list_data(self) -> Self:
        return self.select_related("set", "mirror")

    def with_page_data(self) -> Self:
        return self.select_related("benchmark", "set", "mirror")

    def by_code(self) -> Self:
        return self.order_by("benchmark_id", "code")


class Question(models.Model):
    """A question as the lawyer typed it. `expected` depends on the type: {"answer": "yes"|"no"|"depends",
    "condition": text or null}; {"value": "120.00", "unit": text, "tolerance": "0.00"}; {"claim_holds": bool}.
    `trap` is null or {"premise": text, "direction": text}.
    """

    CONTENT = ("set_id", "code", "type", "language", "area", "task_type", "original_text", "benchmark_text", "asked",
               "expected", "trap", "mirror_id", "disclosure")  # fmt: skip

    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="questions")
    set = models.ForeignKey(QuestionSet, on_delete=models.PROTECT, related_name="questions")
    code = models.CharField(max_length=20)
    type = models.CharField(max_length=20, choices=choices_of(QUESTION_TYPE_LABELS))
    language = models.CharField(max_length=5)
    area = models.CharField(max_length=120, blank=True)
    task_type = models.CharField(max_length=120, blank=True)
    original_text = models.TextField(blank=True)
    benchmark_text = models.TextField(blank=True)
    asked = models.CharField(max_length=10, choices=Asked.choices)
    expected = models.JSONField(default=dict)
    trap = models.JSONField(null=True)
    mirror = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="mirrored_by")
    disclosure = models.CharField(max_length=12, choices=Disclosure.choices, default=Disclosure.UNDISCLOSED)

    objects = QuestionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "code"], name="question_code_once"),
            models.CheckConstraint(condition=Q(type__in=values_of(QuestionType)), name="question_type_known"),
            models.CheckConstraint(condition=Q(disclosure__in=Disclosure.values), name="question_disclosure_known"),
            models.CheckConstraint(
                condition=(Q(asked=Asked.ORIGINAL) & ~Q(original_text=""))
                | (Q(asked=Asked.BENCHMARK) & ~Q(benchmark_text="")),
                name="question_asked_text_exists",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.benchmark_id} {self.code}"

    @property
    def asked_text(self) -> str:
        return asked_text(self.asked, original=self.original_text, benchmark=self.benchmark_text)

    @property
    def is_frozen(self) -> bool:
        """Whether answers to it exist: its texts and what is expected are fixed then. One query."""
        return self.key_versions.filter(frozen_at__isnull=False).exists()

    @property
    def digest(self) -> str:
        """Names the content of the question, so that a writer can say which one was read."""
        fields = [json.dumps(getattr(self, name), sort_keys=True, default=str) for name in self.CONTENT]
        return hashlib.sha256("\x1f".join(fields).encode()).hexdigest()[:16]
