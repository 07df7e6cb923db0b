"""Who may change the corpus of law."""

from django.utils.translation import gettext as _

from lexreview.accounts.models import Membership, User
from lexreview.accounts.rules import NotAllowed, as_question
from lexreview.core.workflow import Role


def check_can_import_law(user: User | None) -> None:
    """Raises NotAllowed unless the person is operator or lead of any benchmark; None is code acting by itself.

    The corpus is shared by all benchmarks, so a role in one of them is enough.
    """
    if user is None:
        return
    roles = set(Membership.objects.held_by(user).values_list("role", flat=True))
    if not roles & {Role.OPERATOR.value, Role.LEAD.value}:
        raise NotAllowed(_("Only operators and leads of a benchmark may import law."))


can_import_law = as_question(check_can_import_law)
