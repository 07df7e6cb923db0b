from enum import StrEnum
from typing import Self

from django.db import models
from django.utils.translation import gettext_lazy as _

from lexreview.answers.models import Answer, System
from lexreview.choices import choices_of
from lexreview.questions.models import Benchmark


class Variant(StrEnum):
    """Whether the judge is handed the citation layer's report as an aid."""

    PLAIN = "plain"
    WITH_REPORT = "with_report"


VARIANT_LABELS = {Variant.PLAIN: _("plain"), Variant.WITH_REPORT: _("with verification report")}


class JudgeQuerySet(models.QuerySet["Judge"]):
    def of_benchmark(self, benchmark: Benchmark) -> Self:
        return self.filter(benchmark=benchmark)

    def in_order(self) -> Self:
        return self.order_by("position", "code", "pk")


class Judge(models.Model):
    """A model with instructions that gives verdicts on answers.

    `settings`: those of a call, and `endpoint`, where it is called (see `answers.System`). `instructions_version`
    names a registered prompt; empty, or a name that is not registered: a judge whose verdicts were made elsewhere.
    """

    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="judges")
    code = models.SlugField(max_length=60)
    name = models.CharField(max_length=120)
    provider = models.CharField(max_length=120)
    family = models.CharField(max_length=120)
    model_identifier = models.CharField(max_length=200)
    variant = models.CharField(max_length=20, choices=choices_of(VARIANT_LABELS))
    search = models.BooleanField(default=False)
    instructions_version = models.CharField(max_length=40, blank=True)
    settings = models.JSONField(default=dict)
    position = models.PositiveIntegerField(default=0)

    objects = JudgeQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["benchmark", "code"], name="judge_code_once")]

    def __str__(self) -> str:
        return f"{self.benchmark_id} {self.code}"

    @property
    def endpoint(self) -> str:
        """Where the judge is called: its setting `endpoint`, else its provider."""
        return str(self.settings.get("endpoint") or self.provider.strip().lower())

    def is_of_family_of(self, system: System) -> bool:
        return _same(self.family, system.family)

    def gave(self, answer: Answer) -> bool:
        """Whether the judge is the model that gave the answer, by the name asked for or the one that served it."""
        return any(
            _same(self.model_identifier, name) for name in (answer.run.system.model_identifier, answer.served_model)
        )


def _same(first: str, second: str) -> bool:
    return bool(first.strip()) and first.strip().casefold() == second.strip().casefold()
