"""Rulings, and for each source of them which courts and periods it covers."""

from datetime import date
from typing import Any, Self

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Length
from django.db.models.lookups import Exact

from lexreview.law.names import fold_docket


class RulingQuerySet(models.QuerySet["Ruling"]):
    def with_docket(self, docket: str) -> Self:
        return self.filter(docket_folded=fold_docket(docket))

    def in_date_order(self) -> Self:
        return self.order_by("decided_on", "court", "docket", "pk")


class Ruling(models.Model):
    """A docket alone does not name a ruling: court and date belong to its identity."""

    jurisdiction = models.CharField(max_length=12)
    court = models.CharField(max_length=200)
    docket = models.CharField(max_length=120)
    docket_folded = models.CharField(max_length=120)
    decided_on = models.DateField(null=True)
    ecli = models.CharField(max_length=120, blank=True)
    language = models.CharField(max_length=8)
    form = models.CharField(max_length=60, blank=True)
    title = models.TextField(blank=True)
    theses = models.JSONField(default=list)
    text = models.TextField(blank=True)
    cited_law = models.JSONField(default=list)
    source = models.CharField(max_length=60, blank=True)
    source_url = models.CharField(max_length=500, blank=True)
    fetched_at = models.DateTimeField(null=True)
    sha256 = models.CharField(max_length=64)

    objects = RulingQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["jurisdiction", "court", "docket_folded", "decided_on", "language", "form"], name="ruling_once"
            ),
            models.UniqueConstraint(
                fields=["jurisdiction", "court", "docket_folded", "language", "form"],
                condition=Q(decided_on__isnull=True),
                name="ruling_once_without_day",
            ),
            models.CheckConstraint(condition=~Q(docket_folded=""), name="ruling_has_a_docket"),
            models.CheckConstraint(condition=Exact(Length("sha256"), 64), name="ruling_has_a_sha256"),
        ]
        indexes = [
            models.Index(fields=["docket_folded"], name="ruling_by_docket"),
            models.Index(fields=["ecli"], name="ruling_by_ecli"),
        ]

    def __str__(self) -> str:
        return f"{self.court} {self.docket} of {self.decided_on or 'an unknown day'} ({self.language})"

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.docket_folded = fold_docket(self.docket)
        super().save(*args, **kwargs)


class SourceCoverageQuerySet(models.QuerySet["SourceCoverage"]):
    def covering(self, *, jurisdiction: str, court: str, day: date | None) -> Self:
        """Rows that say the source holds all rulings of the court on that day; no day: only unbounded rows."""
        rows = self.filter(jurisdiction=jurisdiction.upper(), court=court, is_complete=True)
        if day is None:
            return rows.filter(covered_from__isnull=True, covered_to__isnull=True)
        return rows.filter(
            Q(covered_from__isnull=True) | Q(covered_from__lte=day), Q(covered_to__isnull=True) | Q(covered_to__gte=day)
        )


class SourceCoverage(models.Model):
    """What a source of rulings holds. Outside these periods, or where not complete, silence proves nothing."""

    source = models.CharField(max_length=60)
    jurisdiction = models.CharField(max_length=12)
    court = models.CharField(max_length=200)
    covered_from = models.DateField(null=True)
    covered_to = models.DateField(null=True)
    is_complete = models.BooleanField(default=False)
    checked_on = models.DateField(null=True)
    note = models.TextField(blank=True)

    objects = SourceCoverageQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["source", "jurisdiction", "court", "covered_from", "covered_to"], name="coverage_once"
            ),
            models.CheckConstraint(
                condition=Q(covered_from__isnull=True)
                | Q(covered_to__isnull=True)
                | Q(covered_to__gte=F("covered_from")),
                name="coverage_ends_after_it_begins",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.source}: {self.court} {self.covered_from or ''}..{self.covered_to or ''}"


class Jurisdiction(models.Model):
    """How a state without a grammar of its own is cited: the mapping that `JurisdictionProfile.from_mapping` reads."""

    code = models.CharField(max_length=16, unique=True)
    profile = models.JSONField()

    def __str__(self) -> str:
        return self.code
