"""Pages for members: what would be published, what was, and for leads to publish and to withdraw."""

import csv
from typing import Any

from django.contrib import messages
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers
from django_htmx.middleware import HtmxDetails

from lexreview.accounts.models import User
from lexreview.core.csv_cells import plain_cell
from lexreview.jobs.actions import AlreadyRunning, NothingToDo, start_job
from lexreview.judging.models import Judge
from lexreview.judging.rules import can_see_verdicts
from lexreview.methodology.naming import touched_cards
from lexreview.providers.rules import can_see_calls
from lexreview.questions.models import Benchmark
from lexreview.reports.actions import CannotPublish, CannotWithdraw, publish, withdraw_publication
from lexreview.reports.calibration import CalibrationPage
from lexreview.reports.files import MEDIA_TYPES, NAMES
from lexreview.reports.forms import CalibrationForm, PublishForm, WithdrawForm
from lexreview.reports.layer_metrics import layer_metrics
from lexreview.reports.models import Publication
from lexreview.reports.preview import preview_of
from lexreview.reports.report_job import REPORT, publications_at_work
from lexreview.reports.rules import can_publish, check_can_publish
from lexreview.reports.study_costs import CSV_HEAD, priced_providers, study_costs

AGAIN = {"Retry-After": "30", "Cache-Control": "no-store"}
"""With a report that is being made."""


class MemberRequest(HttpRequest):
    user: User
    htmx: HtmxDetails


@require_safe
def overview(request: MemberRequest, slug: str) -> HttpResponse:
    return overview_page(request, benchmark_of(request, slug))


@require_safe
def layer(request: MemberRequest, slug: str) -> HttpResponse:
    benchmark = benchmark_of(request, slug)
    metrics = layer_metrics(benchmark).as_json()
    return render(request, "reports/layer.html", {"benchmark": benchmark, "metrics": metrics})


@require_safe
def calibration(request: MemberRequest, slug: str, code: str) -> HttpResponse:
    """A judge beside the cards; 404 for all whom a verdict could sway."""
    benchmark = benchmark_of(request, slug)
    if not can_see_verdicts(request.user, slug):
        raise Http404
    judge = get_object_or_404(Judge.objects.of_benchmark(benchmark), code=code)
    judge.benchmark = benchmark
    form = CalibrationForm(request.GET)
    page = CalibrationPage(judge, user=request.user, number=request.GET.get("page"), **form.chosen)
    return render(request, "reports/calibration.html", {"benchmark": benchmark, "page": page, "form": form})


@require_safe
@vary_on_headers("HX-Request", "HX-History-Restore-Request")
def costs(request: MemberRequest, slug: str) -> HttpResponse:
    benchmark = _benchmark_with_costs(request, slug)
    fragment = request.htmx and not request.htmx.history_restore_request
    template = "reports/_study_costs.html" if fragment else "reports/costs.html"
    context = {"benchmark": benchmark, "costs": study_costs(benchmark), "providers": priced_providers(slug)}
    return render(request, template, context)


@require_safe
def costs_csv(request: MemberRequest, slug: str) -> HttpResponse:
    benchmark = _benchmark_with_costs(request, slug)
    name = f'attachment; filename="{slug}-costs.csv"'
    reply = HttpResponse(content_type="text/csv; charset=utf-8", headers={"Content-Disposition": name})
    writer = csv.writer(reply)
    writer.writerow(CSV_HEAD)
    writer.writerows([plain_cell(cell) for cell in row.cells()] for row in study_costs(benchmark).rows)
    return reply


def _benchmark_with_costs(request: MemberRequest, slug: str) -> Benchmark:
    """Costs name systems, which a blind reviewer must not see; 404 for all but leads and operators."""
    benchmark = benchmark_of(request, slug)
    if not can_see_calls(request.user, slug):
        raise Http404
    return benchmark


@require_POST
def publish_benchmark(request: MemberRequest, slug: str) -> HttpResponse:
    benchmark = benchmark_of(request, slug)
    check_can_publish(request.user, slug)
    form = PublishForm(request.POST, first=not Publication.objects.of_benchmark(slug).exists())
    if not form.is_valid():
        return overview_page(request, benchmark, publish_form=form)
    now = timezone.now()
    try:
        publication = publish(benchmark=benchmark, note=form.cleaned_data["note"], by=request.user, now=now)
    except CannotPublish as refusal:
        form.add_error(None, str(refusal))
        return overview_page(request, benchmark, publish_form=form)
    if publication.published_at != now:
        messages.info(request, _("Nothing changed since publication %(number)s.") % {"number": publication.number})
    else:
        messages.success(request, _("Publication %(number)s is out.") % {"number": publication.number})
    make_files(request, publication)
    return redirect("reports:overview", slug=slug)


@require_POST
def withdraw(request: MemberRequest, slug: str, number: int) -> HttpResponse:
    benchmark, publication = benchmark_of(request, slug), publication_of(request, slug, number)
    check_can_publish(request.user, slug)
    form = WithdrawForm(request.POST, prefix=str(number))
    if not form.is_valid():
        return overview_page(request, benchmark, withdraw_form=(number, form))
    try:
        withdraw_publication(
            publication=publication, reason=form.cleaned_data["reason"], by=request.user, now=timezone.now()
        )
    except CannotWithdraw as refusal:
        form.add_error(None, str(refusal))
        return overview_page(request, benchmark, withdraw_form=(number, form))
    messages.success(request, _("Publication %(number)s is withdrawn.") % {"number": number})
    return redirect("reports:overview", slug=slug)


@require_POST
def make_report(request: MemberRequest, slug: str, number: int) -> HttpResponse:
    publication = publication_of(request, slug, number)
    check_can_publish(request.user, slug)
    make_files(request, publication)
    return redirect("reports:overview", slug=slug)


@require_safe
def file(request: MemberRequest, slug: str, number: int, name: str) -> HttpResponse:
    """A file of the report; 409 with a page that says so while it is being made, 404 where nobody makes it."""
    publication = publication_of(request, slug, number)
    stored = publication.files.filter(name=name).first()
    if name not in NAMES:
        raise Http404
    if stored is None:
        if number not in publications_at_work(slug):
            raise Http404
        context = {"benchmark": benchmark_of(request, slug), "publication": publication}
        at_work = render(request, "reports/at_work.html", context, status=409)
        for name_of_header, value in AGAIN.items():
            at_work.headers[name_of_header] = value
        return at_work
    response = HttpResponse(bytes(stored.content), content_type=MEDIA_TYPES[name])
    response.headers["Content-Disposition"] = f'attachment; filename="{slug}-{number}-{name}"'
    return response


def benchmark_of(request: MemberRequest, slug: str) -> Benchmark:
    """The benchmark; 404 for people who may not know of it."""
    return get_object_or_404(Benchmark.objects.visible_to(request.user).select_related("specification"), slug=slug)


def publication_of(request: MemberRequest, slug: str, number: int) -> Publication:
    return get_object_or_404(Publication.objects.visible_to(request.user), benchmark_slug=slug, number=number)


def make_files(request: MemberRequest, publication: Publication) -> None:
    """The report is made by the workers; a report that is there, or being made, is left alone."""
    params = {"benchmark": publication.benchmark_slug, "publication": publication.number}
    try:
        start_job(
            kind=REPORT,
            benchmark_slug=publication.benchmark_slug,
            params=params,
            by=request.user,
            now=timezone.now(),
        )
    except (AlreadyRunning, NothingToDo):
        return
    messages.info(request, _("The report is being made."))


def overview_page(
    request: MemberRequest,
    benchmark: Benchmark,
    *,
    publish_form: PublishForm | None = None,
    withdraw_form: tuple[int, WithdrawForm] | None = None,
) -> HttpResponse:
    publications = list(
        Publication.objects.of_benchmark(benchmark.slug)
        .annotate(stored=Count("files", filter=Q(files__name__in=NAMES)))
        .newest_first()
    )
    preview = preview_of(benchmark)
    refused = withdraw_form[0] if withdraw_form else None
    context = {
        "benchmark": benchmark,
        "sees_costs": can_see_calls(request.user, benchmark.slug),
        "preview": preview,
        "main": preview.main,
        "open_cards": _open_cards(request.user, benchmark.slug, preview.main),
        "unchanged": any(row.sha256 == preview.sha256 and not row.is_withdrawn for row in publications[:1]),
        "publications": [
            (row, withdraw_form[1] if withdraw_form and row.number == refused else WithdrawForm(prefix=str(row.number)))
            for row in publications
        ],
        "being_made": publications_at_work(benchmark.slug),
        "refused": refused,
        "may_publish": can_publish(request.user, benchmark.slug),
        "form": publish_form or PublishForm(first=not publications),
        "file_names": NAMES,
    }
    wrong = publish_form is not None or withdraw_form is not None
    return render(request, "reports/overview.html", context, status=422 if wrong else 200)


def _open_cards(person: User, slug: str, main: dict[str, Any] | None) -> list[str]:
    """Names of the cards that no figure counts yet, in an order that tells no more than they do: a system may be masked
    for a member who works on the card."""
    identifiers = [answer["identifier"] for answer in main["open"]] if main else []
    return sorted(card.name for card in touched_cards(person, slug, identifiers))
