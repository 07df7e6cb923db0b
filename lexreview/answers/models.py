import hashlib
from typing import Self

from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Count, Q
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from lexreview.accounts.models import User
from lexreview.accounts.rules import benchmark_slugs_of
from lexreview.choices import choices_of, values_of
from lexreview.core.workflow import AnswerState
from lexreview.questions.models import Benchmark, Question
from lexreview.questions.models.benchmark import text_in


class System(models.Model):
    """A model under test, as one benchmark knows it."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="systems")
    code = models.SlugField(max_length=60)
    name = models.CharField(max_length=120)
    provider = models.CharField(max_length=120)
    family = models.CharField(max_length=120)
    model_identifier = models.CharField(max_length=200)
    settings = models.JSONField(default=dict)
    position = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["benchmark", "code"], name="system_code_once")]

    def __str__(self) -> str:
        return f"{self.benchmark_id} {self.code}"


class Condition(models.Model):
    """W0 (no tools), W1 (the provider's own web search) and further ones. The preamble freezes at the first answer."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="conditions")
    code = models.SlugField(max_length=20)
    titles = models.JSONField(default=dict)
    tools = models.BooleanField()
    preambles = models.JSONField(default=dict)
    frozen_at = models.DateTimeField(null=True)
    position = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["benchmark", "code"], name="condition_code_once")]

    def __str__(self) -> str:
        return f"{self.benchmark_id} {self.code}"

    @property
    def title(self) -> str:
        return text_in(self.titles, get_language() or "en", "en") or self.code


class RunQuerySet(models.QuerySet["Run"]):
    def of_benchmark(self, benchmark: Benchmark) -> Self:
        return self.filter(benchmark=benchmark)

    def with_list_data(self) -> Self:
        """With the number of answers by what became of them."""
        states = {f"{state}_count": Count("answers", filter=Q(answers__state=state)) for state in AnswerState}
        return self.select_related("system", "condition").annotate(answer_count=Count("answers"), **states)

    def in_order(self) -> Self:
        return self.order_by("system__position", "system_id", "condition__position", "condition_id", "repetition", "pk")


class Run(models.Model):
    """One pass of a system over the questions in a condition.

    `sets`: codes of the question sets that it was asked, in the order in which they were; empty where none were
    chosen, which is the whole benchmark.
    """

    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="runs")
    system = models.ForeignKey(System, on_delete=models.PROTECT, related_name="runs")
    condition = models.ForeignKey(Condition, on_delete=models.PROTECT, related_name="runs")
    repetition = models.PositiveIntegerField(default=1)
    sets = models.JSONField(default=list)
    started_on = models.DateField()
    note = models.TextField(blank=True)

    objects = RunQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["system", "condition", "repetition"], name="run_once"),
            models.CheckConstraint(condition=Q(repetition__gt=0), name="run_repetition_positive"),
        ]

    def __str__(self) -> str:
        return f"run {self.pk} of system {self.system_id} in {self.condition_id}, {self.repetition}"


ANSWER_STATE_LABELS = {
    AnswerState.ANSWERED: _("answered"),
    AnswerState.EMPTY: _("empty"),
    AnswerState.PROVIDER_BLOCK: _("blocked by the provider"),
    AnswerState.FAILED: _("failed"),
}


class AnswerQuerySet(models.QuerySet["Answer"]):
    def visible_to(self, user: User | AnonymousUser) -> Self:
        return self.filter(question__benchmark__slug__in=benchmark_slugs_of(user))

    def of_benchmark(self, benchmark: Benchmark) -> Self:
        return self.filter(question__benchmark=benchmark)

    def with_identifier(self, *, slug: str, identifier: str) -> Self:
        return self.filter(question__benchmark__slug=slug, identifier=identifier)

    def scored(self) -> Self:
        """All but technical failures, which are collected again and never scored."""
        return self.exclude(state=AnswerState.FAILED)

    def with_run(self) -> Self:
        return self.select_related("question__benchmark", "question__set", "run__system", "run__condition")

    def in_order(self) -> Self:
        return self.order_by(
            "question__code", "run__system__position", "run__condition__position", "run__repetition", "pk"
        )


class Answer(models.Model):
    """What a system returned to a question, exactly. Never changed once stored: `sha256` is over the UTF-8 text.

    `trace`: [{"order", "kind": search|open, "query" or "address", "title", "official", "at"}] in order.
    `usage`: tokens by kind. `cost_usd` null = unknown.
    """

    question = models.ForeignKey(Question, on_delete=models.PROTECT, related_name="answers")
    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="answers")
    identifier = models.CharField(max_length=160)
    text = models.TextField(blank=True)
    sha256 = models.CharField(max_length=64)
    state = models.CharField(max_length=15, choices=choices_of(ANSWER_STATE_LABELS))
    block_reason = models.CharField(max_length=200, blank=True)
    answered_at = models.DateTimeField()
    served_model = models.CharField(max_length=200)
    settings = models.JSONField(default=dict)
    trace = models.JSONField(default=list)
    usage = models.JSONField(default=dict)
    cost_usd = models.DecimalField(max_digits=15, decimal_places=10, null=True)
    cost_is_lower_bound = models.BooleanField(default=False)

    objects = AnswerQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["question", "run"], name="answer_one_per_question_and_run"),
            models.UniqueConstraint(fields=["run", "identifier"], name="answer_identifier_once"),
            models.CheckConstraint(condition=Q(state__in=values_of(AnswerState)), name="answer_state_known"),
            models.CheckConstraint(
                condition=~Q(state=AnswerState.ANSWERED) | ~Q(text=""), name="answer_answered_has_text"
            ),
            models.CheckConstraint(
                condition=~Q(state=AnswerState.PROVIDER_BLOCK) | ~Q(block_reason=""), name="answer_block_has_reason"
            ),
        ]

    def __str__(self) -> str:
        return self.identifier

    @property
    def is_intact(self) -> bool:
        return sha256_of(self.text) == self.sha256


def sha256_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def identifier_of(*, question: str, system: str, condition: str, repetition: int) -> str:
    """The identifier of an answer, as published: `P01_argon-4_W0_r1`."""
    return f"{question}_{system}_{condition}_r{repetition}"
