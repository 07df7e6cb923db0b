"""Who may write specifications and the decision log."""

from django.utils.translation import gettext as _

from lexreview.accounts.models import Membership, User
from lexreview.accounts.rules import NotAllowed, as_question, check_has_role
from lexreview.core.workflow import Role


def check_can_decide(user: User | None, benchmark_slug: str) -> None:
    """Leads write the decision log; code acting by itself (an import) may too."""
    if user is not None:
        check_has_role(user, benchmark_slug, Role.LEAD)


def slugs_to_decide(user: User) -> set[str]:
    """Slugs of the benchmarks in whose log the person writes: `can_decide` for many at once, one query."""
    return set(Membership.objects.held_by(user).filter(role=Role.LEAD).values_list("benchmark_slug", flat=True))


def check_can_write_specification(user: User | None) -> None:
    """Leads of any benchmark: specifications are shared by all. Code acting by itself (an import) may too."""
    if user is None:
        return
    if not Membership.objects.held_by(user).filter(role=Role.LEAD).exists():
        raise NotAllowed(_("Only a methodology lead may add a version of a specification."))


can_decide = as_question(check_can_decide)
can_write_specification = as_question(check_can_write_specification)
