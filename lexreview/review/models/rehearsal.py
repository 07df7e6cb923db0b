from decimal import Decimal
from typing import Self

from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Q

from lexreview.accounts.models import User
from lexreview.answers.models import Answer
from lexreview.questions.models import Benchmark
from lexreview.review.blinding import sees_planted
from lexreview.review.models.card import Card
from lexreview.review.models.plan import SHARE


class Rehearsal(models.Model):
    """The mark of a benchmark whose cards are for practice: their pre-fill has planted errors. It has no other cards,
    and is never published or exported.

    `blind_share` (in [0, 1]) of a person's cards come without pre-fill; which ones is drawn by `seed` and the person.
    `sha256` is that of what was planted, as the event of the preparation has it.
    """

    benchmark = models.OneToOneField(Benchmark, on_delete=models.CASCADE, related_name="rehearsal")
    blind_share = models.DecimalField(max_digits=4, decimal_places=3, default=Decimal("0.2"), validators=SHARE)
    seed = models.PositiveIntegerField(default=1)
    sha256 = models.CharField(max_length=64)
    prepared_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    prepared_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(blind_share__range=(0, 1)), name="rehearsal_blind_share"),
        ]

    def __str__(self) -> str:
        return f"rehearsal of benchmark {self.benchmark_id}"


class RehearsalItemQuerySet(models.QuerySet["RehearsalItem"]):
    def visible_to(self, person: User | AnonymousUser, benchmark: Benchmark) -> Self:
        """All of the benchmark or none: see `sees_planted`."""
        cards = Card.objects.of_benchmark(benchmark).rehearsed()
        shown = sees_planted(person, benchmark.slug, cards)
        return self.filter(rehearsal__benchmark=benchmark) if shown else self.none()

    def in_order(self) -> Self:
        return self.order_by("answer__question__code", "answer__sha256", "pk")


class RehearsalItem(models.Model):
    """An answer of a rehearsal: what its pre-fill proposes, and what is right. Never changed once it is there.

    `proposals`: what is laid beside that of code, {"name", "criteria", "findings"} as in `rehearsal_set`, with the
    words of the citations in question by number in "raws". `right` and `proposed`: {aspect: {target: value}} as in
    core's `planted`; where they differ an error is planted.
    """

    rehearsal = models.ForeignKey(Rehearsal, on_delete=models.CASCADE, related_name="items")
    answer = models.OneToOneField(Answer, on_delete=models.PROTECT, related_name="rehearsal_item")
    proposals = models.JSONField()
    right = models.JSONField()
    proposed = models.JSONField()

    objects = RehearsalItemQuerySet.as_manager()

    def __str__(self) -> str:
        return f"answer {self.answer_id} of rehearsal {self.rehearsal_id}"


def is_rehearsal(benchmark: Benchmark) -> bool:
    """Whether the benchmark is for practice: what is done in it is counted, published and exported nowhere."""
    return Rehearsal.objects.filter(benchmark=benchmark).exists()
