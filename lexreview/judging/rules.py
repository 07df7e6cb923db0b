"""Who may see what judges said: nobody whose own judgement it could sway. Who may say otherwise than a panel."""

from lexreview.accounts.models import User
from lexreview.accounts.rules import as_question, check_has_role
from lexreview.core.workflow import Role


def check_can_see_verdicts(user: User, benchmark_slug: str) -> None:
    """Leads and operators; of an answer that a lead has still to review, see `answers.open_reviews`."""
    check_has_role(user, benchmark_slug, Role.LEAD, Role.OPERATOR)


def check_can_override(user: User, benchmark_slug: str) -> None:
    """Leads; code never overrides. Raises NotAllowed."""
    check_has_role(user, benchmark_slug, Role.LEAD)


can_see_verdicts = as_question(check_can_see_verdicts)
can_override = as_question(check_can_override)
