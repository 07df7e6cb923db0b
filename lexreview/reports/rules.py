"""Who may see the figures before publication, and who publishes."""

from lexreview.accounts.models import User
from lexreview.accounts.rules import as_question, check_has_role, check_is_member
from lexreview.core.workflow import Role


def check_can_preview(user: User, benchmark_slug: str) -> None:
    """Members of the benchmark, in any role."""
    check_is_member(user, benchmark_slug)


def check_can_publish(user: User, benchmark_slug: str) -> None:
    """Leads, for publishing and for withdrawing. Code by itself never publishes: a person answers for it."""
    check_has_role(user, benchmark_slug, Role.LEAD)


can_preview = as_question(check_can_preview)
can_publish = as_question(check_can_publish)
