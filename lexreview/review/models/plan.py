from decimal import Decimal

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q

from lexreview.questions.models import Benchmark

SHARE = [MinValueValidator(Decimal(0)), MaxValueValidator(Decimal(1))]


class ReviewPlan(models.Model):
    """How the cards of a benchmark are reviewed. A benchmark without a row has the defaults.

    `blind_share` of new cards come without pre-fill, `repeat_share` come back to their reviewer once `repeat_after`
    more cards were approved; shares in [0, 1], drawn by `seed`. `names_hidden`: who adjudicates sees the reviews
    without names and in random order. `model_hidden`: what a model proposes for a criterion is kept from the reviewer
    until they have decided it.
    """

    benchmark = models.OneToOneField(Benchmark, on_delete=models.CASCADE, related_name="review_plan")
    blind_share = models.DecimalField(max_digits=4, decimal_places=3, default=Decimal("0.1"), validators=SHARE)
    repeat_share = models.DecimalField(max_digits=4, decimal_places=3, default=Decimal("0.05"), validators=SHARE)
    repeat_after = models.PositiveIntegerField(default=20)
    names_hidden = models.BooleanField(default=False)
    model_hidden = models.BooleanField(default=False)
    seed = models.PositiveIntegerField(default=1)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(blind_share__range=(0, 1), repeat_share__range=(0, 1)), name="review_plan_shares"
            ),
        ]

    def __str__(self) -> str:
        return f"review plan of benchmark {self.benchmark_id}"

    @classmethod
    def of(cls, benchmark: Benchmark) -> "ReviewPlan":
        """The benchmark's plan; the defaults, not stored, where it has none."""
        return cls.objects.filter(benchmark=benchmark).first() or cls(benchmark=benchmark)
