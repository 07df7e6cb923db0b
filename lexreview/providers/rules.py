"""Who may look into calls: what a provider sent names the system, which a blind reviewer must not see."""

from lexreview.accounts.models import User
from lexreview.accounts.rules import as_question, check_has_role
from lexreview.core.workflow import Role
from lexreview.providers.models import Call


def check_can_see_calls(user: User, benchmark_slug: str) -> None:
    """Leads and operators of the benchmark. Raises NotAllowed."""
    check_has_role(user, benchmark_slug, Role.LEAD, Role.OPERATOR)


def can_see_call(user: User, call: Call) -> bool:
    return can_see_calls(user, call.benchmark_slug)


can_see_calls = as_question(check_can_see_calls)
