from typing import Self

from django.db import models

from lexreview.accounts.models import User

LONGEST_QUERY = 5000
"""Every filter of the queue filled with letters that take twelve characters each in an address."""


class SavedViewQuerySet(models.QuerySet["SavedView"]):
    def kept_by(self, person: User) -> Self:
        return self.filter(person=person)

    def by_name(self) -> Self:
        return self.order_by("name", "pk")


class SavedView(models.Model):
    """Filters of the queue that a person keeps under a name. `query`: the address after the question mark."""

    person = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=60)
    query = models.CharField(max_length=LONGEST_QUERY)

    objects = SavedViewQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "name"], name="saved_view_name_once_per_person")]

    def __str__(self) -> str:
        return f"view {self.name} of person {self.person_id}"
