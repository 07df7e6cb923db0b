"""Who may do what in a benchmark, by role. Every rule is a pair: `check_can_x` raises, `can_x` answers."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _

from lexreview.accounts.models import ROLE_LABELS, Membership, User
from lexreview.core.workflow import Role
from lexreview.prepared import Prepared

Person = User | AnonymousUser


_held = Prepared(lambda user: Membership.objects.held_by(user).values_list("benchmark_slug", "role"), int)


class NotAllowed(PermissionDenied):
    """A refusal with a reason that the user may read. Django answers it with 403."""


def roles_by_benchmark(user: Person) -> Mapping[str, frozenset[str]]:
    """By slug the roles that `user` holds; empty for inactive people. One query; none where they are kept in mind."""
    if not isinstance(user, User) or not user.is_active:
        return {}
    kept: Mapping[str, frozenset[str]] | None = getattr(user, "memberships_by_slug", None)
    if kept is not None:
        return kept
    found: dict[str, set[str]] = {}
    for slug, role in _held(user.pk):
        found.setdefault(slug, set()).add(role)
    roles = {slug: frozenset(held) for slug, held in found.items()}
    if hasattr(user, "memberships_by_slug"):
        user.memberships_by_slug = roles
    return roles


def roles_of(user: Person, benchmark_slug: str) -> set[str]:
    """The roles that `user` holds in the benchmark; empty for outsiders and inactive people."""
    return set(roles_by_benchmark(user).get(benchmark_slug, ()))


def benchmark_slugs_of(user: Person) -> set[str]:
    """Slugs of the benchmarks in which `user` has any role."""
    return set(roles_by_benchmark(user))


def keep_memberships_in_mind(user: Person) -> None:
    """Let this object read its memberships once, for the length of one request; with the person, where they were read
    with the session. Never for an object that lives on."""
    if isinstance(user, User):
        user.memberships_by_slug = getattr(user, "roles_read", None)


def check_has_role(user: Person, benchmark_slug: str, *roles: Role) -> None:
    """Raises NotAllowed unless `user` holds one of `roles` in the benchmark. Being staff or superuser gives none."""
    if not roles_of(user, benchmark_slug) & {role.value for role in roles}:
        names = ", ".join(str(ROLE_LABELS[role]) for role in roles)
        raise NotAllowed(_("This needs the role %(roles)s in this benchmark.") % {"roles": names})


def check_is_member(user: Person, benchmark_slug: str) -> None:
    check_has_role(user, benchmark_slug, *Role)


def as_question(check: Callable[..., None]) -> Callable[..., bool]:
    """The bool half of a rule, made from its raising half."""

    def can(*args: Any, **kwargs: Any) -> bool:
        try:
            check(*args, **kwargs)
        except PermissionDenied:
            return False
        return True

    can.__name__ = check.__name__.removeprefix("check_")
    can.__doc__ = f"Whether `{check.__name__}` passes."
    return can


has_role = as_question(check_has_role)
is_member = as_question(check_is_member)
