"""The page of a rehearsal: a lead gives it to reviewers and sees how many planted errors they found; a reviewer who is
through sees their own."""

import csv
import json

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from lexreview.accounts.rules import check_has_role
from lexreview.core.workflow import Role
from lexreview.questions.models import Benchmark
from lexreview.review.actions.rehearsing import RehearsalRefused, give_rehearsal
from lexreview.review.actions.sent_once import SentBefore
from lexreview.review.changing import sent_form
from lexreview.review.forms import form_key_of
from lexreview.review.lead_forms import GiveRehearsalForm, first_error
from lexreview.review.models import Rehearsal
from lexreview.review.rehearsal_set import FaultyRehearsal
from lexreview.review.rehearsals import COLUMNS, RehearsalReport, report_lines, report_record
from lexreview.review.rounds import people_who_review
from lexreview.review.rules import check_can_plan_reviews
from lexreview.review.views.rendering import ReviewRequest


def _rehearsal(request: ReviewRequest, slug: str) -> Rehearsal:
    """404 for outsiders and where the benchmark is no rehearsal, 403 for members who review nothing."""
    benchmark = get_object_or_404(Benchmark.objects.visible_to(request.user), slug=slug)
    check_has_role(request.user, slug, Role.LEAD, Role.REVIEWER)
    return get_object_or_404(Rehearsal.objects.select_related("benchmark"), benchmark=benchmark)


@require_safe
def report(request: ReviewRequest, slug: str) -> HttpResponse:
    return _page(request, _rehearsal(request, slug))


@require_POST
def give(request: ReviewRequest, slug: str) -> HttpResponse:
    rehearsal = _rehearsal(request, slug)
    check_can_plan_reviews(request.user, rehearsal.benchmark)
    form = GiveRehearsalForm(request.POST, people=people_who_review(rehearsal.benchmark))
    if not form.is_valid():
        return _page(request, rehearsal, form=form, error=first_error(form), status=422)
    person = form.cleaned_data["reviewer"]
    try:
        with sent_form(form_key_of(request)):
            give_rehearsal(rehearsal=rehearsal, to=person, by=request.user, now=timezone.now())
    except SentBefore:
        pass
    except (RehearsalRefused, FaultyRehearsal) as refusal:
        return _page(request, rehearsal, form=form, error=str(refusal), status=422)
    messages.success(request, _("%(person)s has the cards of the rehearsal.") % {"person": person.username})
    return redirect("rounds:rehearsal", slug)


@require_safe
def report_csv(request: ReviewRequest, slug: str) -> HttpResponse:
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slug}-rehearsal.csv"'
    writer = csv.writer(response)
    writer.writerow(COLUMNS)
    writer.writerows(report_lines(_told(request, slug)))
    return response


@require_safe
def report_json(request: ReviewRequest, slug: str) -> HttpResponse:
    content = json.dumps(report_record(_told(request, slug)), ensure_ascii=False, indent=2) + "\n"
    response = HttpResponse(content, content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{slug}-rehearsal.json"'
    return response


def _told(request: ReviewRequest, slug: str) -> RehearsalReport:
    """404 for a reviewer who is not through: there is nothing to tell yet."""
    report = RehearsalReport(_rehearsal(request, slug), request.user)
    if not report.is_told:
        raise Http404
    return report


def _page(
    request: ReviewRequest,
    rehearsal: Rehearsal,
    *,
    form: GiveRehearsalForm | None = None,
    error: str = "",
    status: int = 200,
) -> HttpResponse:
    report = RehearsalReport(rehearsal, request.user)
    people = report.candidates
    context = {
        "benchmark": rehearsal.benchmark,
        "page": report,
        "form": form or (GiveRehearsalForm(people=people) if people else None),
        "error": error,
    }
    return render(request, "review/rehearsal.html", context, status=status)
