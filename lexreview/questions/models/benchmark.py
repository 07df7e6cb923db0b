from typing import Self

from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Count, Q
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from lexreview.accounts.models import User
from lexreview.accounts.rules import benchmark_slugs_of
from lexreview.core.workflow import KeyState
from lexreview.methodology.models import Specification


class Method(models.TextChoices):
    REFERENCE_CARD = "reference-card", _("reference card")
    POINT_IN_TIME = "point-in-time", _("point in time")
    GRADED_PANEL = "graded-panel", _("graded panel")
    CRITERIA = "criteria", _("criteria")


class BenchmarkQuerySet(models.QuerySet["Benchmark"]):
    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Benchmarks of which the user is a member. Readers see publications instead, never these rows."""
        return self.filter(slug__in=benchmark_slugs_of(user))

    def with_list_data(self) -> Self:
        """With the number of questions and of those that have an approved key."""
        approved = Q(questions__key_versions__state=KeyState.APPROVED)
        return self.select_related("specification").annotate(
            question_count=Count("questions", distinct=True),
            keyed_count=Count("questions", filter=approved, distinct=True),
        )

    def by_slug(self) -> Self:
        return self.order_by("slug")


class Benchmark(models.Model):
    """A set of questions scored by one method against the law of one day.

    `masks_systems`: reviewers do not learn which system gave an answer before its card is approved.
    """

    slug = models.SlugField(max_length=80, unique=True)
    titles = models.JSONField(default=dict)
    summaries = models.JSONField(default=dict, blank=True)
    limitations = models.JSONField(default=list, blank=True)
    language = models.CharField(max_length=5, default="en")
    jurisdiction = models.CharField(max_length=20)
    legal_state_on = models.DateField()
    method = models.CharField(max_length=20, choices=Method.choices)
    canary = models.UUIDField()
    specification = models.ForeignKey(Specification, on_delete=models.PROTECT, related_name="+")
    masks_systems = models.BooleanField(default=True)

    objects = BenchmarkQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(method__in=Method.values), name="benchmark_method_known"),
        ]

    def __str__(self) -> str:
        return self.slug

    @property
    def title(self) -> str:
        return text_in(self.titles, get_language() or self.language, self.language) or self.slug

    @property
    def summary(self) -> str:
        return text_in(self.summaries, get_language() or self.language, self.language)

    @property
    def limitation_texts(self) -> list[str]:
        return [text_in(texts, get_language() or self.language, self.language) for texts in self.limitations]

    def set_titles(self) -> dict[str, str]:
        """Titles of the question sets by code, in their order."""
        return {row.code: row.title for row in self.sets.order_by("position", "pk")}


class QuestionSet(models.Model):
    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="sets")
    code = models.SlugField(max_length=40)
    titles = models.JSONField(default=dict)
    position = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["benchmark", "code"], name="question_set_once")]

    def __str__(self) -> str:
        return f"{self.benchmark_id} {self.code}"

    @property
    def title(self) -> str:
        return text_in(self.titles, get_language() or "en", "en") or self.code


def text_in(texts: dict[str, str], language: str, fallback: str) -> str:
    """The text in `language`, else in `fallback`, else any; "" where there is none."""
    short = language.split("-")[0]
    return texts.get(short) or texts.get(fallback) or next((texts[code] for code in sorted(texts)), "")
