"""How the person of a request is read."""

from django.contrib.auth.backends import ModelBackend
from django.db.models import F

from lexreview.accounts.models import User
from lexreview.prepared import Prepared

_with_roles = Prepared(
    lambda pk: User.objects.filter(pk=pk).annotate(
        held_in=F("memberships__benchmark_slug"), held_role=F("memberships__role")
    ),
    int,
)


class PersonBackend(ModelBackend):
    """Signs in by name and password as Django does, and reads the person of a session with their roles: one query."""

    def get_user(self, user_id: int) -> User | None:
        rows = _with_roles(user_id)
        if not rows or not self.user_can_authenticate(rows[0]):
            return None
        held: dict[str, set[str]] = {}
        for row in rows:
            if row.held_in is not None:
                held.setdefault(row.held_in, set()).add(row.held_role)
        person = rows[0]
        person.roles_read = {slug: frozenset(roles) for slug, roles in held.items()}
        return person
