from collections.abc import Iterable

from django.db import models


class EventQuerySet(models.QuerySet["Event"]):
    def in_order(self) -> "EventQuerySet":
        return self.order_by("number")

    def newest_first(self) -> "EventQuerySet":
        return self.order_by("-number")

    def about(self, object_type: str, object_id: str | int) -> "EventQuerySet":
        return self.filter(object_type=object_type, object_id=str(object_id))

    def about_any(self, things: Iterable[tuple[str, str]]) -> "EventQuerySet":
        """Events about any of the (object type, object identifier); none for no thing."""
        by_type: dict[str, list[str]] = {}
        for object_type, object_id in things:
            by_type.setdefault(object_type, []).append(object_id)
        wanted = models.Q(pk__in=[])
        for object_type, identifiers in by_type.items():
            wanted |= models.Q(object_type=object_type, object_id__in=identifiers)
        return self.filter(wanted)

    def update(self, **kwargs: object) -> int:
        raise EventsAreFinal("Events of the ledger are never changed; record a new one.")

    def delete(self) -> tuple[int, dict[str, int]]:
        raise EventsAreFinal("Events of the ledger are never deleted.")


class EventsAreFinal(Exception):
    """Raised by every attempt of code to change or delete an event."""


class Event(models.Model):
    """One line of the ledger. It has no foreign keys: it outlives what it speaks of."""

    number = models.PositiveBigIntegerField(unique=True)
    at = models.DateTimeField()
    actor = models.CharField(max_length=150)
    verb = models.CharField(max_length=60)
    object_type = models.CharField(max_length=60)
    object_id = models.CharField(max_length=300)
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    reason = models.TextField(blank=True)
    previous_hash = models.CharField(max_length=64, blank=True)
    hash = models.CharField(max_length=64, unique=True)

    objects = EventQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["object_type", "object_id", "number"], name="ledger_event_object")]

    def __str__(self) -> str:
        return f"{self.number} {self.verb} {self.object_type} {self.object_id}"

    def save(self, *args: object, **kwargs: object) -> None:
        if self.pk is not None:
            raise EventsAreFinal("Events of the ledger are never changed; record a new one.")
        super().save(*args, **kwargs)

    def delete(self, *args: object, **kwargs: object) -> tuple[int, dict[str, int]]:
        raise EventsAreFinal("Events of the ledger are never deleted.")
