from collections.abc import Mapping

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _

from lexreview.choices import choices_of, values_of
from lexreview.core.workflow import Role
from lexreview.ledger.actions import SYSTEM_ACTOR


class User(AbstractUser):
    language = models.CharField(_("language"), max_length=5, blank=True, default="")
    roles_read: Mapping[str, frozenset[str]]  # by slug, as the person of a session was read, see accounts.backends
    memberships_by_slug: Mapping[str, frozenset[str]] | None  # only on the object of a request, see accounts.rules

    class Meta(AbstractUser.Meta):
        constraints = [
            models.CheckConstraint(condition=~models.Q(username=SYSTEM_ACTOR), name="accounts_user_is_not_system"),
        ]


ROLE_LABELS = {
    Role.REVIEWER: _("reviewer"),
    Role.LEAD: _("methodology lead"),
    Role.OPERATOR: _("operator"),
}


class MembershipQuerySet(models.QuerySet["Membership"]):
    def held_by(self, user: "User") -> "MembershipQuerySet":
        return self.filter(user=user, user__is_active=True)

    def of_benchmark(self, slug: str) -> "MembershipQuerySet":
        return self.filter(benchmark_slug=slug)

    def by_benchmark(self) -> "MembershipQuerySet":
        return self.order_by("benchmark_slug", "role", "pk")


class Membership(models.Model):
    """A role of a person in one benchmark, which this lower room knows by its slug (slugs never change)."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    benchmark_slug = models.SlugField(max_length=80)
    role = models.CharField(max_length=20, choices=choices_of(ROLE_LABELS))

    objects = MembershipQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "benchmark_slug", "role"], name="accounts_membership_once"),
            models.CheckConstraint(condition=models.Q(role__in=values_of(Role)), name="accounts_membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.role} {self.benchmark_slug}"
