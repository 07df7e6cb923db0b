from typing import Self

from django.db import models
from django.db.models import Case, IntegerField, OuterRef, Q, Subquery, Value, When

from lexreview.answers.models import Answer
from lexreview.judging.models.judge import Judge
from lexreview.providers.models import Call
from lexreview.questions.models import Benchmark, KeyVersion

HALLUCINATED = "hallucinated"
"""The item of a panel that asks whether the answer is hallucinated; every other item is the code of a criterion."""


class VerdictQuerySet(models.QuerySet["Verdict"]):
    def valid(self) -> Self:
        """Votes that were parsed; a failed vote is kept and counts for nothing."""
        return self.filter(hallucinated__isnull=False)

    def of_benchmark(self, benchmark: Benchmark) -> Self:
        return self.filter(judge__benchmark=benchmark)

    def counting(self, specification_version: str) -> Self:
        """The one verdict of each judge on each answer that reports use: the newest under that version of the
        specification; where the judge has none under it, the newest of all. Repetitions beyond the first, which only
        measure how far a judge agrees with itself, never count."""
        current = When(specification_version=specification_version, then=Value(0))
        rows = Verdict.objects.filter(judge=OuterRef("judge"), answer=OuterRef("answer"), repeat=1)
        newest = rows.annotate(rank=Case(current, default=Value(1), output_field=IntegerField())).order_by(
            "rank", "-judged_at", "-pk"
        )
        return self.filter(pk=Subquery(newest.values("pk")[:1]))

    def at(self, address: str) -> Self:
        return self.filter(address=address)

    def in_order(self) -> Self:
        return self.order_by("judge__position", "answer__identifier", "pk")


class Verdict(models.Model):
    """A judge's verdict on an answer, never changed. `hallucinated` null is a failed vote, and `failure` says why.

    `criteria`: points by criterion. `findings`: [{"class", "claim", "source_says"}], each claim verbatim in the text
    that the judge was shown; `dropped`: [{"class", "claim", "source_says", "reason"}], those whose claim was not.
    `citations_checked`: as cited. `flags`: what in the answer seems to speak to a judge (see core.injections).

    Of a verdict asked for here `address` names everything that it depends on: a second valid one with the same address
    cannot be, and failed ones are numbered by `attempt`. Of one made elsewhere it is empty, as are the fields about
    the request, and there is one per judge and answer. `repeat` tells apart verdicts asked for several times on
    purpose.
    """

    judge = models.ForeignKey(Judge, on_delete=models.PROTECT, related_name="verdicts")
    answer = models.ForeignKey(Answer, on_delete=models.PROTECT, related_name="verdicts")
    specification_version = models.CharField(max_length=30)
    key_version = models.ForeignKey(KeyVersion, on_delete=models.PROTECT, null=True, related_name="+")
    judged_at = models.DateTimeField()
    hallucinated = models.BooleanField(null=True)
    criteria = models.JSONField(default=dict)
    findings = models.JSONField(default=list)
    dropped = models.JSONField(default=list)
    citations_checked = models.JSONField(default=list)
    flags = models.JSONField(default=list)
    failure = models.CharField(max_length=500, blank=True)
    raw_sha256 = models.CharField(max_length=64, blank=True)
    address = models.CharField(max_length=64, blank=True)
    request_sha256 = models.CharField(max_length=64, blank=True)
    prompt_version = models.CharField(max_length=40, blank=True)
    prompt_sha256 = models.CharField(max_length=64, blank=True)
    served_model = models.CharField(max_length=200, blank=True)
    repeat = models.PositiveSmallIntegerField(default=1)
    attempt = models.PositiveSmallIntegerField(default=1)
    call = models.ForeignKey(Call, on_delete=models.PROTECT, null=True, related_name="+")

    objects = VerdictQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["judge", "answer"], condition=Q(address=""), name="verdict_one_made_elsewhere"
            ),
            models.UniqueConstraint(
                fields=["judge", "address", "attempt"], condition=~Q(address=""), name="verdict_attempt_once"
            ),
            models.UniqueConstraint(
                fields=["judge", "address"],
                condition=~Q(address="") & Q(hallucinated__isnull=False),
                name="verdict_valid_once_per_address",
            ),
            models.CheckConstraint(condition=~Q(specification_version=""), name="verdict_names_its_specification"),
            models.CheckConstraint(
                condition=Q(address="", request_sha256="", call=None)
                | (~Q(address="") & ~Q(request_sha256="") & ~Q(prompt_version="") & Q(key_version__isnull=False)),
                name="verdict_asked_for_names_its_request",
            ),
            models.CheckConstraint(
                condition=Q(failure="") | Q(hallucinated__isnull=True), name="verdict_valid_has_no_failure"
            ),
            models.CheckConstraint(
                condition=Q(repeat__gt=0, attempt__gt=0), name="verdict_repeat_and_attempt_positive"
            ),
        ]
        indexes = [models.Index(fields=["answer", "judge"], name="verdict_of_answer")]

    def __str__(self) -> str:
        return f"verdict {self.pk} of judge {self.judge_id}"

    @property
    def is_valid(self) -> bool:
        return self.hallucinated is not None

    def value_on(self, item: str) -> str | None:
        """What the verdict says on an item of a panel; None for a failed vote, and where it says nothing.

        "yes" or "no" on HALLUCINATED; on a criterion its points as a word ("2").
        """
        if self.hallucinated is None:
            return None
        if item == HALLUCINATED:
            return "yes" if self.hallucinated else "no"
        points = self.criteria.get(item)
        return None if points is None else f"{points:g}"
