import uuid
from datetime import datetime, timedelta
from typing import Any, Self

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Count, F, Min, Q

from lexreview.accounts.models import User
from lexreview.accounts.rules import benchmark_slugs_of
from lexreview.jobs.kinds import label_of
from lexreview.jobs.obstacles import LONGEST_CODE, Obstacle, obstacle_of
from lexreview.jobs.states import FINISHED, LIVE, ItemState, JobState


def lease() -> timedelta:
    """How long a job whose worker gives no sign of life is left alone (setting JOB_LEASE_SECONDS, default 60)."""
    return timedelta(seconds=getattr(settings, "JOB_LEASE_SECONDS", 60))


def new_turn() -> str:
    return uuid.uuid4().hex


class JobQuerySet(models.QuerySet["Job"]):
    def visible_to(self, user: User | AnonymousUser) -> Self:
        return self.filter(benchmark_slug__in=benchmark_slugs_of(user))

    def of_benchmark(self, slug: str) -> Self:
        return self.filter(benchmark_slug=slug)

    def live(self) -> Self:
        return self.filter(state__in=LIVE)

    def older_than(self, number: int) -> Self:
        return self.filter(pk__lt=number)

    def newest_first(self) -> Self:
        return self.order_by("-pk")

    def with_list_data(self) -> Self:
        return self.select_related("created_by").defer("params", "error")

    def on_offer(self, *, number: int, turn: str) -> Self:
        """The job, if the turn is its newest and no worker has taken it."""
        return self.live().filter(pk=number, turn=turn, turn_taken_at=None)

    def waiting_for_worker(self, now: datetime) -> Self:
        """Live jobs that no worker has, or whose worker seems to be dead."""
        return self.live().filter(Q(turn_taken_at=None) | Q(heartbeat_at__lt=now - lease()))

    def lapsed(self, now: datetime) -> Self:
        """Live jobs of which nobody has heard for longer than the lease, longest silence first."""
        return self.live().filter(heartbeat_at__lt=now - lease()).order_by("heartbeat_at", "pk")


class Job(models.Model):
    """A long piece of work: a list of items, done one by one.

    A *turn* is a stretch of work by one worker. Its random token travels in the message to the workers, can be taken
    once, and is asked for at every write: whoever holds an older one can no longer change the job.
    """

    kind = models.CharField(max_length=60)
    benchmark_slug = models.SlugField(max_length=80)
    params = models.JSONField(default=dict)
    # Empty for an exclusive kind, else the SHA-256 of the parameters: what no second live job may share.
    fingerprint = models.CharField(max_length=64, blank=True)
    state = models.CharField(max_length=10, choices=JobState.choices, default=JobState.QUEUED)
    step = models.CharField(max_length=200, blank=True)
    total = models.PositiveIntegerField()
    done = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    created_by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="jobs")
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    cancel_requested_at = models.DateTimeField(null=True)
    turn = models.CharField(max_length=32, blank=True)
    turn_taken_at = models.DateTimeField(null=True)
    heartbeat_at = models.DateTimeField()
    error = models.TextField(blank=True)
    obstacle = models.CharField(max_length=LONGEST_CODE, blank=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["benchmark_slug", "kind", "fingerprint"],
                condition=Q(state__in=LIVE),
                name="jobs_job_live_once",
            ),
            models.CheckConstraint(condition=Q(state__in=JobState.values), name="jobs_job_state_known"),
            models.CheckConstraint(
                condition=Q(state__in=FINISHED, finished_at__isnull=False)
                | Q(state__in=LIVE, finished_at__isnull=True),
                name="jobs_job_finished_has_a_time",
            ),
            models.CheckConstraint(
                condition=Q(failed__lte=F("done"), done__lte=F("total")), name="jobs_job_counts_agree"
            ),
        ]
        indexes = [
            models.Index(fields=["benchmark_slug", "-id"], name="jobs_job_of_benchmark"),
            models.Index(fields=["heartbeat_at"], condition=Q(state__in=LIVE), name="jobs_job_live_heartbeat"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.benchmark_slug} ({self.pk})"

    @property
    def label(self) -> str:
        return label_of(self.kind)

    @property
    def in_the_way(self) -> Obstacle | None:
        return obstacle_of(self.obstacle)

    @property
    def has_reason(self) -> bool:
        return bool(self.error or self.obstacle)

    @property
    def is_live(self) -> bool:
        return self.state in LIVE

    @property
    def is_stopping(self) -> bool:
        return self.is_live and self.cancel_requested_at is not None

    @property
    def left(self) -> int:
        return self.total - self.done

    @property
    def succeeded(self) -> int:
        return self.done - self.failed

    def is_lapsed(self, now: datetime) -> bool:
        """Whether the job is live and its worker, or the message to the workers, seems to be dead."""
        return self.is_live and self.heartbeat_at < now - lease()

    def may_resume(self, now: datetime) -> bool:
        """Whether going on changes anything: not where nothing is left but items that failed."""
        if self.is_live:
            return self.is_lapsed(now)
        return self.state != JobState.SUCCEEDED and (self.left > 0 or not self.failed)


class JobItemQuerySet(models.QuerySet["JobItem"]):
    def waiting(self) -> Self:
        return self.filter(state=ItemState.QUEUED)

    def held(self) -> Self:
        return self.waiting().filter(held=True)

    def due(self, now: datetime) -> Self:
        """Queued, not held, and not told to wait until later."""
        return self.waiting().filter(Q(due_at=None) | Q(due_at__lte=now), held=False)

    def later(self, now: datetime) -> Self:
        """Queued, and told to wait until later."""
        return self.waiting().filter(due_at__gt=now, held=False)

    def by_reason(self, field: str) -> "models.QuerySet[JobItem, Any]":
        """What `field` (`error` or `note`) says, under which obstacle and of how many items, most frequent first;
        `first` is one of them."""
        grouped = self.values("obstacle", reason=F(field))
        return grouped.annotate(count=Count("pk"), first=Min("pk")).order_by("-count", "first")

    def under(self, prefix: str) -> Self:
        return self.filter(key__startswith=prefix)

    def succeeded(self) -> Self:
        return self.filter(state=ItemState.SUCCEEDED)

    def remarked(self) -> Self:
        """Done, with something to know about it."""
        return self.succeeded().exclude(obstacle="")

    def begun(self) -> Self:
        return self.filter(state=ItemState.RUNNING)

    def failed(self) -> Self:
        return self.filter(state=ItemState.FAILED)

    def in_order(self) -> Self:
        return self.order_by("pk")


class JobItem(models.Model):
    """One item of a job. `attempts` counts the times it was begun since a person last queued it and not put back;
    `tries` the times it was told to try again later. `note` says what it waits for, what the last try met, or what
    there is to know about it once it is done; `obstacle` what kind of thing that, or the error, is.
    """

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="items")
    key = models.CharField(max_length=200)
    state = models.CharField(max_length=10, choices=ItemState.choices, default=ItemState.QUEUED)
    error = models.TextField(blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    tries = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(null=True)
    held = models.BooleanField(default=False)
    note = models.TextField(blank=True)
    obstacle = models.CharField(max_length=LONGEST_CODE, blank=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    objects = JobItemQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["job", "key"], name="jobs_item_once"),
            models.CheckConstraint(condition=Q(state__in=ItemState.values), name="jobs_item_state_known"),
            models.CheckConstraint(
                condition=Q(state__in=[ItemState.SUCCEEDED, ItemState.FAILED], finished_at__isnull=False)
                | Q(state__in=[ItemState.QUEUED, ItemState.RUNNING], finished_at__isnull=True),
                name="jobs_item_finished_has_a_time",
            ),
        ]
        indexes = [
            models.Index(fields=["job", "state", "id"], name="jobs_item_next"),
            models.Index(fields=["job"], condition=Q(held=True), name="jobs_item_held"),
        ]

    def __str__(self) -> str:
        return f"{self.key} of job {self.job_id}"

    @property
    def in_the_way(self) -> Obstacle | None:
        return obstacle_of(self.obstacle)

    @property
    def words(self) -> str:
        """What is said beside the obstacle, where there is one: often in a provider's words."""
        return self.error or self.note

    @property
    def has_reason(self) -> bool:
        return bool(self.words or self.obstacle)
