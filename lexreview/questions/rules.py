"""Who may write benchmarks, questions and keys."""

from lexreview.accounts.models import User
from lexreview.accounts.rules import as_question, check_has_role
from lexreview.core.workflow import Role


def check_can_write_questions(user: User | None, benchmark_slug: str) -> None:
    """Leads; code acting by itself (an import by command) may too."""
    if user is not None:
        check_has_role(user, benchmark_slug, Role.LEAD)


def check_can_operate(user: User | None, benchmark_slug: str) -> None:
    """Operators run collection, imports and verification; code acting by itself may too."""
    if user is not None:
        check_has_role(user, benchmark_slug, Role.OPERATOR)


can_write_questions = as_question(check_can_write_questions)
can_operate = as_question(check_can_operate)
