import hashlib
import json
from typing import Any, Self

from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from lexreview.accounts.models import User
from lexreview.accounts.rules import benchmark_slugs_of
from lexreview.choices import choices_of, values_of
from lexreview.core.methods.reference_card.versions import parse_version
from lexreview.core.workflow import DecisionState


class SpecificationQuerySet(models.QuerySet["Specification"]):
    def visible_to(self, user: User | AnonymousUser) -> Self:
        """All of them for members of any benchmark, which share them; none for others."""
        return self.all() if benchmark_slugs_of(user) else self.none()

    def with_version(self, version: str) -> Self:
        """Versions of every specification that bear the number; none for text that is no version."""
        try:
            major, minor, patch = parse_version(version)
        except ValueError:
            return self.none()
        return self.filter(major=major, minor=minor, patch=patch)

    def named(self, name: str) -> Self:
        return self.filter(name=name)

    def newest(self) -> "Specification":
        """The highest version. Raises Specification.DoesNotExist for none."""
        return self.order_by("-major", "-minor", "-patch", "pk")[:1].get()

    def in_version_order(self) -> Self:
        return self.order_by("name", "major", "minor", "patch")


class Specification(models.Model):
    """One version of a scoring specification. `content` is the whole specification as data; it never changes."""

    name = models.SlugField(max_length=60)
    major = models.PositiveIntegerField()
    minor = models.PositiveIntegerField()
    patch = models.PositiveIntegerField()
    method = models.SlugField(max_length=40)
    dated = models.DateField()
    rules_changed = models.BooleanField()
    content = models.JSONField()
    sha256 = models.CharField(max_length=64)

    objects = SpecificationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["name", "major", "minor", "patch"], name="specification_version_once"),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.version}"

    @property
    def version(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"


DECISION_STATE_LABELS = {DecisionState.DRAFT: _("draft"), DecisionState.PUBLISHED: _("published")}


TOUCHED = ("criteria", "questions", "key_versions", "cards")


class DecisionQuerySet(models.QuerySet["Decision"]):
    def visible_to(self, user: User | AnonymousUser) -> Self:
        return self.filter(benchmark_slug__in=benchmark_slugs_of(user))

    def with_list_data(self) -> Self:
        return self.select_related("author", "supersedes").prefetch_related(
            models.Prefetch("superseded_by", queryset=Decision.objects.order_by("number", "pk"))
        )

    def naming(self, name: str) -> Self:
        """Entries that name a criterion, question, key version or card exactly so among what they touch."""
        wanted = Q()
        for kind in TOUCHED:
            wanted |= Q(**{f"touches__{kind}__icontains": f'"{name}"'})
        return self.filter(wanted)

    def saying(self, words: str) -> Self:
        return self.filter(Q(question__icontains=words) | Q(decision__icontains=words) | Q(reason__icontains=words))

    def in_state(self, state: str) -> Self:
        return self.filter(state=state)

    def changing_rules(self) -> Self:
        return self.filter(rules_changed=True)

    def standing(self) -> Self:
        """Entries that no published entry supersedes."""
        later = Decision.objects.filter(supersedes=models.OuterRef("pk"), state=DecisionState.PUBLISHED)
        return self.filter(~models.Exists(later))

    def landing_in(self, version: str) -> Self:
        return self.filter(specification_version=version)

    def other_than(self, number: int) -> Self:
        return self.exclude(number=number)

    def by_benchmark(self) -> Self:
        return self.order_by("benchmark_slug", "-number", "pk")

    def of_benchmark(self, slug: str) -> Self:
        return self.filter(benchmark_slug=slug)

    def published(self) -> Self:
        return self.filter(state=DecisionState.PUBLISHED)

    def newest_first(self) -> Self:
        return self.order_by("-number", "pk")

    def in_order(self) -> Self:
        return self.order_by("number", "pk")


class Decision(models.Model):
    """An entry of a benchmark's dated decision log. A published entry is never changed, only superseded.

    `touches` names what the entry governs: {"criteria": [...], "questions": [...], "key_versions": ["P09.v2"],
    "cards": [answer identifiers]}.
    """

    CONTENT = ("decided_on", "state", "question", "decision", "reason", "specification_version", "rules_changed",
               "supersedes_id")  # fmt: skip

    benchmark_slug = models.SlugField(max_length=80)
    number = models.PositiveIntegerField()
    decided_on = models.DateField()
    state = models.CharField(max_length=10, choices=choices_of(DECISION_STATE_LABELS), default=DecisionState.DRAFT)
    question = models.TextField()
    decision = models.TextField()
    reason = models.TextField()
    touches = models.JSONField(default=dict)
    specification_version = models.CharField(max_length=30, blank=True)
    rules_changed = models.BooleanField(default=False)
    supersedes = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="superseded_by")
    author = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")

    objects = DecisionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["benchmark_slug", "number"], name="decision_number_once"),
            models.CheckConstraint(condition=Q(state__in=values_of(DecisionState)), name="decision_state_known"),
            models.CheckConstraint(condition=Q(number__gt=0), name="decision_number_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.benchmark_slug} decision {self.number}"

    @property
    def is_published(self) -> bool:
        return self.state == DecisionState.PUBLISHED

    @property
    def digest(self) -> str:
        """Names the content of the entry, so that a writer can say which one was read."""
        fields = [str(getattr(self, name)) for name in self.CONTENT] + [json.dumps(self.touches, sort_keys=True)]
        return hashlib.sha256("\x1f".join(fields).encode()).hexdigest()[:16]

    def governs(self, *, question: str, card: str) -> bool:
        """Whether the entry names the card, or its question as a whole."""
        touches: dict[str, Any] = self.touches
        return card in touches.get("cards", []) or question in touches.get("questions", [])
