"""Publications: frozen copies of what a reader may see. Public pages read nothing else."""

from typing import Self

from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Q
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from lexreview.accounts.models import User
from lexreview.accounts.rules import benchmark_slugs_of


class PublicationQuerySet(models.QuerySet["Publication"]):
    def visible_to(self, user: User | AnonymousUser) -> Self:
        """For members of the benchmark. Readers get `standing()`."""
        return self.filter(benchmark_slug__in=benchmark_slugs_of(user))

    def of_benchmark(self, slug: str) -> Self:
        return self.filter(benchmark_slug=slug)

    def standing(self) -> Self:
        """Publications that were not withdrawn."""
        return self.filter(withdrawn_at__isnull=True)

    def newest_first(self) -> Self:
        return self.order_by("benchmark_slug", "-number")

    def newest_of_each(self) -> Self:
        """The newest standing publication of every benchmark, the latest first."""
        later = Publication.objects.standing().filter(
            benchmark_slug=models.OuterRef("benchmark_slug"), number__gt=models.OuterRef("number")
        )
        return self.standing().filter(~models.Exists(later)).order_by("-published_at", "benchmark_slug")


class Publication(models.Model):
    """One published state of a benchmark, whole. Its pages and files never change; it can only be withdrawn.

    `sha256` is over the content of all pages, without number, note and time: the same content has the same hash.
    `approved` of `answers` cards are counted in it. `benchmark_slug` is no foreign key: a publication outlives its
    source.
    """

    benchmark_slug = models.SlugField(max_length=80)
    number = models.PositiveIntegerField()
    titles = models.JSONField(default=dict)
    language = models.CharField(max_length=5)
    note = models.TextField()
    specification = models.CharField(max_length=100)
    canary = models.UUIDField()
    approved = models.PositiveIntegerField()
    answers = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    published_at = models.DateTimeField()
    published_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    publisher = models.CharField(max_length=150)
    withdrawn_at = models.DateTimeField(null=True)
    withdrawn_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    withdrawn_reason = models.TextField(blank=True)

    objects = PublicationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["benchmark_slug", "number"], name="publication_number_once"),
            models.CheckConstraint(condition=Q(number__gt=0), name="publication_number_positive"),
            models.CheckConstraint(
                condition=Q(approved__gt=0, approved__lte=models.F("answers")), name="publication_counts_cards"
            ),
            models.CheckConstraint(
                condition=Q(withdrawn_at__isnull=True, withdrawn_by__isnull=True, withdrawn_reason="")
                | (Q(withdrawn_at__isnull=False, withdrawn_by__isnull=False) & ~Q(withdrawn_reason="")),
                name="publication_withdrawn_by_somebody_with_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.benchmark_slug} publication {self.number}"

    @property
    def title(self) -> str:
        short = (get_language() or self.language).split("-")[0]
        text: str = self.titles.get(short) or self.titles.get(self.language) or self.benchmark_slug
        return text

    @property
    def history_name(self) -> str:
        return f"{self.benchmark_slug}/{self.number}"

    @property
    def is_withdrawn(self) -> bool:
        return self.withdrawn_at is not None

    @property
    def is_complete(self) -> bool:
        """Whether every answer's card was approved."""
        return self.approved == self.answers


class PageKind(models.TextChoices):
    BENCHMARK = "benchmark", _("results")
    QUESTION = "question", _("question")
    CARD = "card", _("card")
    ERRORS = "errors", _("errors")
    JUDGES = "judges", _("judges")
    VERIFICATION = "verification", _("verification")
    COST = "cost", _("cost")
    METHOD = "method", _("method")
    DECISIONS = "decisions", _("decisions")


class PublicationPageQuerySet(models.QuerySet["PublicationPage"]):
    def of_kind(self, kind: PageKind) -> Self:
        return self.filter(kind=kind).order_by("position", "key")

    def in_order(self) -> Self:
        return self.order_by("kind", "position", "key")


class PublicationPage(models.Model):
    """The frozen content of one page; `key` is the question's code or the answer's identifier, "" where one suffices.

    What `content` holds is described where it is made, in `lexreview.reports.freezing`.
    """

    publication = models.ForeignKey(Publication, on_delete=models.PROTECT, related_name="pages")
    kind = models.CharField(max_length=20, choices=PageKind.choices)
    key = models.CharField(max_length=160, blank=True)
    position = models.PositiveIntegerField(default=0)
    content = models.JSONField()

    objects = PublicationPageQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["publication", "kind", "key"], name="publication_page_once"),
            models.CheckConstraint(condition=Q(kind__in=PageKind.values), name="publication_page_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.publication_id} {self.kind} {self.key}"


class PublicationFile(models.Model):
    """A file made from a publication's pages, such as `report.pdf`; stored once."""

    publication = models.ForeignKey(Publication, on_delete=models.PROTECT, related_name="files")
    name = models.CharField(max_length=80)
    media_type = models.CharField(max_length=80)
    content = models.BinaryField()
    size = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    made_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["publication", "name"], name="publication_file_once")]

    def __str__(self) -> str:
        return f"{self.publication_id} {self.name}"
