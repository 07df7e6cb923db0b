"""An act, the names it goes by, and the amendments that are known to touch it."""

from datetime import date
from typing import Any, Self

from django.db import models
from django.db.models import Q

from lexreview.law.names import fold_name


class ActQuerySet(models.QuerySet["Act"]):
    def named(self, name: str) -> Self:
        """Acts that carry the name in any spelling, or whose key it is; one row per act."""
        return self.filter(Q(eli=name) | Q(names__folded=fold_name(name))).distinct()

    def of_jurisdiction(self, jurisdiction: str) -> Self:
        return self.filter(jurisdiction=jurisdiction.upper())

    def in_reading_order(self) -> Self:
        return self.order_by("jurisdiction", "eli", "pk")


class Act(models.Model):
    """A law of a state.

    `eli` is the key: the ELI path, or the one identifier that the source gives (`SR 152.3`, `CELEX 32014R0596`).
    `repealed_on` is the first day on which the act is no longer in force.
    """

    eli = models.CharField(max_length=200, unique=True)
    jurisdiction = models.CharField(max_length=12)
    titles = models.JSONField(default=dict)
    adopted_on = models.DateField(null=True)
    in_force_on = models.DateField(null=True)
    repealed_on = models.DateField(null=True)
    force_note = models.TextField(blank=True)
    source_url = models.CharField(max_length=500, blank=True)
    journal = models.CharField(max_length=200, blank=True)
    identifiers = models.JSONField(default=dict)
    note = models.TextField(blank=True)

    objects = ActQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(eli=""), name="act_has_a_key"),
            models.CheckConstraint(condition=~Q(jurisdiction=""), name="act_has_a_jurisdiction"),
        ]
        indexes = [models.Index(fields=["jurisdiction", "eli"], name="act_by_jurisdiction")]

    def __str__(self) -> str:
        return self.eli

    def title(self, language: str) -> str:
        """The title in the language, else in the first language that has one, else the key."""
        titles: dict[str, str] = self.titles
        return titles.get(language) or next((titles[code] for code in sorted(titles) if titles[code]), self.eli)

    def in_force_state(self, day: date) -> str:
        """`not_yet`, `in_force`, `repealed`, or `unknown` where no day of entry into force is stored."""
        if self.repealed_on and self.repealed_on <= day:
            return "repealed"
        if self.in_force_on is None:
            return "unknown"
        return "not_yet" if day < self.in_force_on else "in_force"


class ActName(models.Model):
    class Kind(models.TextChoices):
        ABBREVIATION = "abbreviation"
        TITLE = "title"
        NUMBER = "number"

    act = models.ForeignKey(Act, on_delete=models.CASCADE, related_name="names")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    language = models.CharField(max_length=8, blank=True)
    value = models.TextField()
    folded = models.CharField(max_length=400)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["act", "kind", "language", "folded"], name="act_name_once"),
            models.CheckConstraint(condition=~Q(folded=""), name="act_name_can_be_looked_up"),
        ]
        indexes = [models.Index(fields=["folded"], name="act_name_by_folded")]

    def __str__(self) -> str:
        return f"{self.value} ({self.kind} {self.pk})"

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.folded = fold_name(self.value)[:400]
        super().save(*args, **kwargs)


class AmendmentQuerySet(models.QuerySet["Amendment"]):
    def in_promulgation_order(self) -> Self:
        return self.order_by("promulgated_on", "amending_eli", "effective_on", "pk")


class Amendment(models.Model):
    """One act changing another. `units` and `instructions` are null while the amending text has not been read."""

    class Kind(models.TextChoices):
        AMENDMENT = "amendment"
        TRIBUNAL = "tribunal"
        CORRECTION = "correction"

    act = models.ForeignKey(Act, on_delete=models.CASCADE, related_name="amendments")
    kind = models.CharField(max_length=12, choices=Kind.choices, default=Kind.AMENDMENT)
    amending_eli = models.CharField(max_length=200)
    promulgated_on = models.DateField(null=True)
    effective_on = models.DateField(null=True)
    citation = models.TextField(blank=True)
    force_note = models.TextField(blank=True)
    units = models.JSONField(null=True)
    instructions = models.JSONField(null=True)
    source_url = models.CharField(max_length=500, blank=True)

    objects = AmendmentQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["act", "kind", "amending_eli", "effective_on"], name="amendment_once_per_effect"
            ),
            models.UniqueConstraint(
                fields=["act", "kind", "amending_eli"],
                condition=Q(effective_on__isnull=True),
                name="amendment_once_without_effect",
            ),
        ]
        indexes = [models.Index(fields=["act", "promulgated_on"], name="amendment_by_promulgation")]

    def __str__(self) -> str:
        return f"{self.kind} {self.amending_eli} of act {self.act_id} from {self.effective_on or 'an unknown day'}"

    def may_touch(self, key: str) -> bool:
        """Whether it changes the unit, one around it or one inside it; True too while nobody has read it."""
        return self.units is None or any(
            key == unit or key.startswith(f"{unit}/") or unit.startswith(f"{key}/") for unit in self.units
        )
