"""What the people of a case do before and after the review: accounts, import, jobs."""

from pathlib import Path

from django.core.management import call_command
from django.utils import timezone

from lexreview.accounts.actions import grant_role
from lexreview.accounts.models import User
from lexreview.core.workflow import Role
from lexreview.jobs.actions import start_job
from lexreview.jobs.models import Job
from lexreview.jobs.running import run_to_end
from lexreview.jobs.states import JobState
from tests.factories import make_user
from tests.flows.bundles import Bundle, write_bundle

PEOPLE = {"rita": Role.REVIEWER, "lena": Role.LEAD, "olek": Role.OPERATOR}


def make_people(*slugs: str) -> None:
    """One reviewer, one lead, one operator, in every benchmark."""
    for username, role in PEOPLE.items():
        user = make_user(username)
        for slug in slugs:
            grant_role(user=user, benchmark_slug=slug, role=role, by=None, now=timezone.now())


def person(username: str) -> User:
    return User.objects.get(username=username)


def import_written(bundle: Bundle, folder: Path) -> None:
    """Write the bundle and import it with the command that a user has."""
    call_command("import_benchmark", str(write_bundle(bundle, folder)))


def run_job(kind: str, slug: str) -> Job:
    """The whole job, started by the operator and done here, without a worker."""
    job = start_job(kind=kind, benchmark_slug=slug, params={"benchmark": slug}, by=person("olek"), now=timezone.now())
    job = run_to_end(job)
    errors = list(job.items.exclude(error="").values_list("key", "error"))
    assert (job.state, errors) == (JobState.SUCCEEDED, [])
    return job
