import zlib
from datetime import date
from typing import Self

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from lexreview.jobs.models import Job
from lexreview.jobs.obstacles import LONGEST_CODE, Obstacle, obstacle_of
from lexreview.providers.requests import Outcome


class Role(models.TextChoices):
    """What a call was for; the cost of a study is the sum of all."""

    ANSWER = "answer", _("answers")
    VERIFICATION = "verification", _("verification")
    PREFILL = "prefill", _("pre-filling")
    JUDGE = "judge", _("judges")


class CallState(models.TextChoices):
    """The outcome of a call; `STARTED` until there is one, `LOST` when the worker died before."""

    STARTED = "started", _("at work")
    ANSWERED = Outcome.ANSWERED.value, _("answered")
    EMPTY = Outcome.EMPTY.value, _("empty")
    BLOCKED = Outcome.BLOCKED.value, _("blocked by the provider")
    PASSING = Outcome.PASSING.value, _("failed for now")
    PAUSING = Outcome.PAUSING.value, _("refused until something changes")
    REJECTED = Outcome.REJECTED.value, _("request refused")
    LOST = "lost", _("lost with its worker")


class PriceQuerySet(models.QuerySet["Price"]):
    def of(self, provider: str) -> Self:
        return self.filter(provider=provider)

    def dated_by(self, on: date) -> Self:
        return self.filter(valid_from__lte=on)

    def newest_first(self) -> Self:
        """Of two rows of one date the one that was added later comes first."""
        return self.order_by("-valid_from", "-pk")

    def in_order(self) -> Self:
        return self.order_by("provider", "model", "-valid_from", "-pk")


class Price(models.Model):
    """What a model costs from a day on. Never changed: a later row replaces it from its own date on.

    `prices`: USD in quotes per million tokens by kind of usage, `searches` per thousand. `tiers`: [{"above": tokens
    read, "prices": {...}}], which hold for the whole call. `match`: for which names of models, as genai-prices writes
    it ({"starts_with": …}, {"or": [...]} …); null: `model` alone.
    """

    provider = models.CharField(max_length=60)
    model = models.CharField(max_length=200)
    match = models.JSONField(null=True)
    valid_from = models.DateField()
    prices = models.JSONField()
    tiers = models.JSONField(default=list)
    source = models.CharField(max_length=200)
    added_at = models.DateTimeField()

    objects = PriceQuerySet.as_manager()

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(source=""), name="price_has_source")]
        indexes = [models.Index(fields=["provider", "-valid_from", "-id"], name="price_newest")]

    def __str__(self) -> str:
        return f"{self.provider} {self.model} from {self.valid_from}"


class Gate(models.Model):
    """The one place where all workers queue for a provider's account: when the next call may start.

    `pace_seconds`: the least time between two starts that the provider's refusals have taught us, beside the limits.
    `slowed_at`: when they last did; calls that had started before do not slow us down once more.
    """

    provider = models.CharField(max_length=60, unique=True)
    next_call_at = models.DateTimeField()
    next_token_at = models.DateTimeField()
    held_until = models.DateTimeField()
    pace_seconds = models.FloatField(default=0.0)
    slowed_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"gate of {self.provider}"


class CallQuerySet(models.QuerySet["Call"]):
    def of_job(self, job: Job) -> Self:
        return self.filter(job=job)

    def of_benchmark(self, slug: str) -> Self:
        return self.filter(benchmark_slug=slug)

    def at_work(self) -> Self:
        return self.filter(state=CallState.STARTED)

    def twins_at_work(self, job: Job, request_sha256: str) -> Self:
        """The same request, put in this turn of the job and waiting for its reply; what a dead worker left is not."""
        if job.turn_taken_at is None:
            return self.none()
        return self.of_job(job).at_work().filter(request_sha256=request_sha256, started_at__gte=job.turn_taken_at)

    def newest_first(self) -> Self:
        return self.order_by("-pk")


class Call(models.Model):
    """One call of a model, written before it leaves and completed when it is back.

    `subject`: what it was about, as that room names it. `usage`: see Reply. `cost_usd` null: nothing is known of it;
    `cost_is_lower_bound`: a part is not. `estimated_usd`, `estimated_tokens` stand for it until it is back.
    """

    job = models.ForeignKey(Job, on_delete=models.PROTECT, null=True, related_name="calls")
    item_key = models.CharField(max_length=200, blank=True)
    benchmark_slug = models.SlugField(max_length=80)
    role = models.CharField(max_length=15, choices=Role.choices)
    subject = models.CharField(max_length=200, blank=True)
    provider = models.CharField(max_length=60)
    model = models.CharField(max_length=200)
    served_model = models.CharField(max_length=200, blank=True)
    request_sha256 = models.CharField(max_length=64)
    state = models.CharField(max_length=10, choices=CallState.choices, default=CallState.STARTED)
    reason = models.CharField(max_length=500, blank=True)
    obstacle = models.CharField(max_length=LONGEST_CODE, blank=True)
    stop_reason = models.CharField(max_length=500, blank=True)
    http_status = models.PositiveSmallIntegerField(null=True)
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    latency_ms = models.PositiveIntegerField(null=True)
    usage = models.JSONField(default=dict)
    estimated_tokens = models.PositiveIntegerField(default=0)
    estimated_usd = models.DecimalField(max_digits=15, decimal_places=10, null=True)
    cost_usd = models.DecimalField(max_digits=15, decimal_places=10, null=True)
    cost_is_lower_bound = models.BooleanField(default=False)

    objects = CallQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(state__in=CallState.values), name="call_state_known"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="call_role_known"),
            models.CheckConstraint(
                condition=Q(state=CallState.STARTED, finished_at=None)
                | (~Q(state=CallState.STARTED) & Q(finished_at__isnull=False)),
                name="call_finished_has_a_time",
            ),
        ]
        indexes = [
            models.Index(fields=["job", "item_key"], name="call_of_item"),
            models.Index(fields=["benchmark_slug", "role"], name="call_of_benchmark"),
        ]

    def __str__(self) -> str:
        return f"call {self.pk} of {self.provider} {self.model}"

    @property
    def in_the_way(self) -> Obstacle | None:
        return obstacle_of(self.obstacle)

    @property
    def seconds(self) -> float | None:
        return None if self.latency_ms is None else self.latency_ms / 1000


class RawResponse(models.Model):
    """The bodies that a provider sent for one call, compressed; `sha256` is over them as they came, keys blanked."""

    call = models.OneToOneField(Call, on_delete=models.CASCADE, related_name="raw")
    sha256 = models.CharField(max_length=64)
    size = models.PositiveIntegerField()
    compressed = models.BinaryField()

    def __str__(self) -> str:
        return f"raw response of call {self.call_id}"

    @property
    def body(self) -> bytes:
        return zlib.decompress(self.compressed)
