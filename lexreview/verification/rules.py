"""Who may run the verification layer."""

from lexreview.accounts.models import User
from lexreview.accounts.rules import check_has_role
from lexreview.core.workflow import Role
from lexreview.questions.models import Benchmark


def check_can_verify(user: User | None, benchmark: Benchmark) -> None:
    """Raises NotAllowed unless the person is operator or lead of the benchmark; None is code acting by itself."""
    if user is not None:
        check_has_role(user, benchmark.slug, Role.OPERATOR, Role.LEAD)
