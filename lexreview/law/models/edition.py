"""Editions of an act (one language, one period) and their units."""

from collections.abc import Sequence
from datetime import date
from typing import Self

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Length
from django.db.models.lookups import Exact

from lexreview.core.periods import Period
from lexreview.law.models.act import Act


class EditionQuerySet(models.QuerySet["Edition"]):
    def covering(self, day: date) -> Self:
        return self.filter(Q(valid_to__isnull=True) | Q(valid_to__gte=day), valid_from__lte=day)

    def in_language(self, language: str) -> Self:
        return self.filter(language=language)

    def in_time_order(self) -> Self:
        return self.order_by("valid_from", "language", "pk")


class Edition(models.Model):
    """The text of an act in one language over one period, both days inclusive; no `valid_to` = still in force.

    Editions may overlap, leave gaps or lie in the future: what the source says is kept, and `law status` reports it.
    """

    class Standing(models.TextChoices):
        OFFICIAL = "official"
        CONSOLIDATED = "consolidated"
        PROMULGATED = "promulgated"
        RECONSTRUCTED = "reconstructed"
        CONVERTED = "converted"

    class Extent(models.TextChoices):
        WHOLE = "whole"
        EXCERPT = "excerpt"
        STRUCTURE = "structure"
        NO_TEXT = "no_text"

    act = models.ForeignKey(Act, on_delete=models.PROTECT, related_name="editions")
    language = models.CharField(max_length=8)
    valid_from = models.DateField()
    valid_to = models.DateField(null=True)
    standing = models.CharField(max_length=14, choices=Standing.choices)
    extent = models.CharField(max_length=10, choices=Extent.choices, default=Extent.WHOLE)
    identifier = models.CharField(max_length=200, blank=True)
    promulgated_on = models.DateField(null=True)
    source_url = models.CharField(max_length=500, blank=True)
    fetched_at = models.DateTimeField(null=True)
    sha256 = models.CharField(max_length=64)
    note = models.TextField(blank=True)

    objects = EditionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["act", "language", "valid_from", "sha256"], name="edition_once_per_bytes"),
            models.CheckConstraint(
                condition=Q(valid_to__isnull=True) | Q(valid_to__gte=F("valid_from")),
                name="edition_ends_after_it_begins",
            ),
            models.CheckConstraint(condition=Exact(Length("sha256"), 64), name="edition_has_a_sha256"),
            models.CheckConstraint(condition=~Q(language=""), name="edition_has_a_language"),
        ]
        indexes = [models.Index(fields=["act", "language", "valid_from"], name="edition_by_act_and_day")]

    def __str__(self) -> str:
        return f"edition {self.pk} of act {self.act_id}, {self.language}, {self.valid_from}..{self.valid_to or ''}"

    @property
    def period(self) -> Period:
        return Period(self.valid_from, self.valid_to)


class UnitQuerySet(models.QuerySet["Unit"]):
    def in_text_order(self) -> Self:
        return self.order_by("edition", "position")

    def at(self, key: str) -> Self:
        return self.filter(key=key)

    def in_editions(self, editions: Sequence[Edition]) -> Self:
        return self.filter(edition__in=editions)


class Unit(models.Model):
    """A part of an edition. `position` counts units in text order; `last_position` is that of its last descendant.

    `text` is what stands before the unit's children, `closing` what stands after them. Containers (parts, chapters)
    are units too, with a key that begins with `@`.
    """

    edition = models.ForeignKey(Edition, on_delete=models.CASCADE, related_name="units", db_index=False)
    parent = models.ForeignKey("self", on_delete=models.CASCADE, null=True, related_name="children")
    position = models.PositiveIntegerField()
    last_position = models.PositiveIntegerField()
    key = models.CharField(max_length=200)
    range_end = models.CharField(max_length=200, blank=True)
    level = models.CharField(max_length=12)
    eid = models.CharField(max_length=200, blank=True)
    number = models.CharField(max_length=120, blank=True)
    heading = models.TextField(blank=True)
    text = models.TextField(blank=True)
    closing = models.TextField(blank=True)
    notes = models.JSONField(default=list)
    is_repealed = models.BooleanField(default=False)

    objects = UnitQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["edition", "position"], name="unit_once_per_position"),
            models.CheckConstraint(condition=~Q(key=""), name="unit_has_a_key"),
            models.CheckConstraint(condition=Q(last_position__gte=F("position")), name="unit_contains_itself"),
        ]
        indexes = [
            models.Index(fields=["edition", "key"], name="unit_by_edition_and_key"),
            models.Index(fields=["edition"], condition=~Q(range_end=""), name="unit_ranges_of_edition"),
        ]

    def __str__(self) -> str:
        return f"{self.key} at {self.position} of edition {self.edition_id}"
