import re
from collections.abc import Callable
from datetime import datetime
from typing import Any, NamedTuple

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers
from django_htmx.middleware import HtmxDetails

from lexreview.accounts.models import User
from lexreview.jobs.actions import NotPossible, cancel_job, resume_job, retry_failed
from lexreview.jobs.models import Job, JobItem, JobItemQuerySet
from lexreview.jobs.obstacles import Obstacle, obstacle_of
from lexreview.jobs.pace import pace_of
from lexreview.jobs.rules import can_see_items, can_steer
from lexreview.jobs.sections import sections_of_item, sections_of_job
from lexreview.jobs.states import ItemState

PER_PAGE = 50
SHOWN_FAILURES = 20
SHOWN_REASONS = 10
# Not states of their own: what queued items wait for, and what there is to know about items that are done.
HELD, LATER, REMARKED = "held", "later", "remarked"
JOB_NUMBER = re.compile(r"[0-9]{1,18}")


class JobRequest(HttpRequest):
    user: User
    htmx: HtmxDetails


@require_safe
def job_list(request: JobRequest) -> HttpResponse:
    jobs = Job.objects.visible_to(request.user).with_list_data().newest_first()
    before = request.GET.get("before", "")
    if JOB_NUMBER.fullmatch(before):
        jobs = jobs.older_than(int(before))
    page = list(jobs[: PER_PAGE + 1])
    return render(request, "jobs/list.html", {"jobs": page[:PER_PAGE], "older": page[PER_PAGE:], "before": before})


@require_safe
@vary_on_headers("HX-Request", "HX-History-Restore-Request")
def job_page(request: JobRequest, number: int) -> HttpResponse:
    job = get_object_or_404(Job.objects.visible_to(request.user), pk=number)
    fragment = request.htmx and not request.htmx.history_restore_request
    template = "jobs/_progress.html" if fragment else "jobs/page.html"
    return render(request, template, _context(job, request.user))


@require_safe
def item_list(request: JobRequest, number: int) -> HttpResponse:
    job = _with_items(request, number)
    state = request.GET.get("state", "")
    items = _in_state(job.items.in_order(), state)
    page = Paginator(items, PER_PAGE).get_page(request.GET.get("page"))
    further = [(HELD, _("held")), (LATER, _("to be tried again")), (REMARKED, _("done with a remark"))]
    states = [*ItemState.choices, *further]
    context = {"job": job, "page": page, "state": state, "states": states}
    return render(request, "jobs/items.html", context)


def _in_state(items: JobItemQuerySet, state: str) -> JobItemQuerySet:
    if state == HELD:
        return items.held()
    if state == LATER:
        return items.later(timezone.now())
    if state == REMARKED:
        return items.remarked()
    return items.filter(state=state) if state in ItemState.values else items


@require_safe
def item_page(request: JobRequest, number: int, item: int) -> HttpResponse:
    job = _with_items(request, number)
    shown = get_object_or_404(JobItem.objects.select_related("job"), job=job, pk=item)
    return render(request, "jobs/item.html", {"job": job, "item": shown, "sections": sections_of_item(shown)})


def _with_items(request: JobRequest, number: int) -> Job:
    """The job, for those who may see its items; for others there are none."""
    job = get_object_or_404(Job.objects.visible_to(request.user), pk=number)
    if not can_see_items(request.user, job):
        raise Http404
    return job


@require_POST
def cancel(request: JobRequest, number: int) -> HttpResponse:
    return _steer(request, number, cancel_job, _("The job stops after the item at hand."))


@require_POST
def resume(request: JobRequest, number: int) -> HttpResponse:
    return _steer(request, number, resume_job, _("The job goes on with what is left."))


@require_POST
def retry(request: JobRequest, number: int) -> HttpResponse:
    return _steer(request, number, retry_failed, _("The failed items are queued once more."))


def _steer(request: JobRequest, number: int, action: Callable[..., Job], done: str) -> HttpResponse:
    job = get_object_or_404(Job.objects.visible_to(request.user), pk=number)
    try:
        action(job=job, by=request.user, now=timezone.now())
    except NotPossible as refusal:
        messages.warning(request, str(refusal))
    else:
        messages.success(request, done)
    return redirect("jobs:page", number=number)


def _context(job: Job, user: User) -> dict[str, Any]:
    sees_items, now = can_see_items(user, job), timezone.now()
    held = job.items.held().count()
    return {
        "job": job,
        "pace": pace_of(job, now, held=held),
        "now": now,
        "held": held if sees_items else 0,
        "later": job.items.later(now).count() if sees_items and job.is_live else 0,
        "reasons": _reasons(job, now) if sees_items else [],
        "remarks": _grouped(REMARKED, _("done"), job.items.remarked().by_reason("note")) if sees_items else [],
        "sections": sections_of_job(job) if sees_items else [],
        "lapsed": job.is_lapsed(now),
        "sees_items": sees_items,
        "can_steer": can_steer(user, job),
        "may_resume": job.may_resume(now),
        "failed_items": job.items.failed().in_order()[:SHOWN_FAILURES] if sees_items and job.failed else [],
    }


class Reason(NamedTuple):
    """What was said of so many `items`; `first` is one of them."""

    items: int
    first: int
    in_the_way: Obstacle | None
    words: str


class Reasons(NamedTuple):
    """Why items of one state are where they are, most frequent first; `has_more`: there are further reasons."""

    state: str
    label: str
    rows: list[Reason]
    has_more: bool


def _reasons(job: Job, now: datetime) -> list[Reasons]:
    """Of failed items, of those held until the job is resumed and, while it runs, of those that are tried again."""
    asked = [(ItemState.FAILED.value, _("failed"), job.items.failed().by_reason("error"))] if job.failed else []
    if job.left:
        asked.append((HELD, _("held"), job.items.held().by_reason("note")))
        if job.is_live:
            later = job.items.later(now).exclude(note="", obstacle="").by_reason("note")
            asked.append((LATER, _("tried again by itself"), later))
    return [group for state, label, rows in asked for group in _grouped(state, label, rows)]


def _grouped(state: str, label: str, rows: Any) -> list[Reasons]:
    """One group, or none where nothing is said."""
    found = list(rows[: SHOWN_REASONS + 1])
    shown = [
        Reason(row["count"], row["first"], obstacle_of(row["obstacle"]), row["reason"]) for row in found[:SHOWN_REASONS]
    ]
    return [Reasons(state, label, shown, len(found) > SHOWN_REASONS)] if shown else []
