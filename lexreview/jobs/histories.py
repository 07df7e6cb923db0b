"""The history of a job: what it does may name systems, so it is for people who may see its items."""

from django.urls import reverse
from django.utils.translation import gettext_lazy

from lexreview.accounts.models import User
from lexreview.jobs.kinds import label_of
from lexreview.jobs.models import Job
from lexreview.jobs.rules import can_see_items
from lexreview.ledger.histories import add_history
from lexreview.ledger.timeline import History
from lexreview.ledger.values import add_values, add_words

VERBS = {
    "start_job": gettext_lazy("started the job"),
    "cancel_job": gettext_lazy("cancelled the job"),
    "resume_job": gettext_lazy("resumed the job"),
    "retry_failed_items": gettext_lazy("queued the failed items once more"),
    "end_job": gettext_lazy("ended the job"),
}


def job_history(person: User, name: str) -> History | None:
    """`name` is the number of the job."""
    if not name.isdecimal() or len(name) > 18:
        return None
    job = Job.objects.visible_to(person).filter(pk=int(name)).first()
    if job is None or not can_see_items(person, job):
        return None
    return History(
        title=f"{job.label} {job.pk}",
        back_url=reverse("jobs:page", args=[job.pk]),
        about=[("job", str(job.pk), "")],
        verbs=VERBS,
    )


add_history("job", job_history, of=["job"])
add_values("job", Job)
add_words("job", "kind", label_of)
