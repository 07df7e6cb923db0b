from typing import Self

from django.db import models
from django.db.models import Count, Exists, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from lexreview.accounts.models import User
from lexreview.core.workflow import Round
from lexreview.questions.models import Benchmark
from lexreview.review.models.card import UNAPPROVED, Card


class BatchQuerySet(models.QuerySet["Batch"]):
    def of_benchmark(self, benchmark: Benchmark) -> Self:
        return self.filter(benchmark=benchmark)

    def masking(self) -> Self:
        """Those that mask their systems and have a card that is not approved."""
        open_ = Card.objects.filter(batch=OuterRef("pk"), state__in=UNAPPROVED)
        return self.filter(Exists(open_), masks_systems=True)

    def with_left(self) -> Self:
        """With the cards that are not approved, as `left`, and who gave them out."""
        open_ = Card.objects.filter(batch=OuterRef("pk"), state__in=UNAPPROVED, round=Round.FIRST).order_by()
        counted = open_.values("batch").annotate(n=Count("pk")).values("n")
        return self.select_related("given_by").annotate(left=Coalesce(Subquery(counted), 0))

    def newest_first(self) -> Self:
        return self.order_by("-number", "-pk")


class Batch(models.Model):
    """Cards of a benchmark that a lead gave out at once: the `number`th time, `size` of them, by this seed.

    `masks_systems`: the system that gave the answer of one of its cards is hidden from reviewers until that card is
    approved, whether the benchmark masks its systems or not. `filters`: which free cards were asked for.
    """

    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="batches", db_index=False)
    number = models.PositiveIntegerField()
    seed = models.PositiveIntegerField()
    filters = models.JSONField(default=dict)
    size = models.PositiveIntegerField()
    masks_systems = models.BooleanField(default=False)
    given_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    given_at = models.DateTimeField()

    objects = BatchQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "number"], name="batch_number_once"),
            models.CheckConstraint(condition=Q(number__gt=0, size__gt=0), name="batch_has_cards"),
        ]

    def __str__(self) -> str:
        return f"batch {self.number} of benchmark {self.benchmark_id}"
