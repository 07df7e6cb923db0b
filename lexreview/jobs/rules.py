"""Who may start, steer and look into jobs. `None` in place of a user is code itself: a command run on the server."""

from lexreview.accounts.models import User
from lexreview.accounts.rules import as_question, check_has_role
from lexreview.core.workflow import Role
from lexreview.jobs.kinds import kind_named, role_of
from lexreview.jobs.models import Job


def check_can_start(user: User | None, kind: str, benchmark_slug: str) -> None:
    """Raises UnknownKind, or NotAllowed unless `user` holds the kind's role in the benchmark."""
    role = kind_named(kind).role
    if user is not None:
        check_has_role(user, benchmark_slug, role)


def check_can_steer(user: User | None, job: Job) -> None:
    """Cancel, resume, retry: the role that may start the kind. Raises NotAllowed."""
    if user is not None:
        check_has_role(user, job.benchmark_slug, role_of(job.kind))


def check_can_see_items(user: User, job: Job) -> None:
    """Keys and errors of items may name systems that a blind reviewer must not see: not for every member."""
    check_has_role(user, job.benchmark_slug, role_of(job.kind), Role.LEAD, Role.OPERATOR)


can_start = as_question(check_can_start)
can_steer = as_question(check_can_steer)
can_see_items = as_question(check_can_see_items)
