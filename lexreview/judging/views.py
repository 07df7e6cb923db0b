"""Pages of judges and panels: for leads and operators; everybody else is not told that there are any."""

import csv
from collections.abc import Iterator

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from lexreview.accounts.models import User
from lexreview.answers.open_reviews import under_review_by
from lexreview.core.csv_cells import plain_cell
from lexreview.judging.actions import PanelRefused, override_result, save_panel
from lexreview.judging.forms import OverrideForm, PanelForm
from lexreview.judging.judges_page import JudgesPage
from lexreview.judging.models import Panel, PanelResult, Verdict
from lexreview.judging.panel_page import PanelPage
from lexreview.judging.rules import can_see_verdicts, check_can_override
from lexreview.judging.verdict_page import VerdictPage
from lexreview.judging.verdict_table import HEAD, verdict_table
from lexreview.questions.models import Benchmark
from lexreview.questions.rules import can_operate, check_can_operate


class MemberRequest(HttpRequest):
    user: User


@require_safe
def judges(request: MemberRequest, slug: str) -> HttpResponse:
    benchmark = _benchmark(request, slug)
    context = {"benchmark": benchmark, "page": JudgesPage(benchmark), "may_ask": can_operate(request.user, slug)}
    return render(request, "judging/judges.html", context)


@require_safe
def verdicts_csv(request: MemberRequest, slug: str) -> StreamingHttpResponse:
    benchmark = _benchmark(request, slug)
    name = f'attachment; filename="{slug}-verdicts.csv"'
    lines = _csv_lines(benchmark, request.user)
    return StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8", headers={"Content-Disposition": name})


@require_safe
def verdict(request: MemberRequest, slug: str, pk: int) -> HttpResponse:
    benchmark = _benchmark(request, slug)
    rows = Verdict.objects.of_benchmark(benchmark).select_related(
        "judge__benchmark", "key_version", "call__raw", "answer__question__benchmark", "answer__run__system"
    )
    shown = get_object_or_404(rows, pk=pk)
    if shown.answer_id in under_review_by(request.user, benchmark):
        raise Http404
    return render(request, "judging/verdict.html", {"benchmark": benchmark, "page": VerdictPage(shown)})


@require_safe
def panel(request: MemberRequest, slug: str, code: str) -> HttpResponse:
    benchmark = _benchmark(request, slug)
    shown = get_object_or_404(Panel.objects.of_benchmark(benchmark).with_judges(), code=code)
    return _panel_page(request, shown, item=request.GET.get("item"))


@require_http_methods(["GET", "HEAD", "POST"])
def new_panel(request: MemberRequest, slug: str) -> HttpResponse:
    benchmark = _benchmark_to_judge(request, slug)
    form = PanelForm(request.POST or None, benchmark=benchmark)
    if form.is_valid():
        code, now = form.cleaned_data["code"], timezone.now()
        try:
            save_panel(benchmark=benchmark, code=code, fields=form.panel_fields, by=request.user, now=now, is_new=True)
        except PanelRefused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The panel is there; ask it now."))
            return redirect("judging:panel", slug, code)
    context = {"benchmark": benchmark, "form": form}
    return render(request, "judging/panel_form.html", context, status=422 if form.is_bound else 200)


@require_POST
def override(request: MemberRequest, slug: str, pk: int) -> HttpResponse:
    benchmark = _benchmark(request, slug)
    result = get_object_or_404(PanelResult.objects.filter(panel__benchmark=benchmark).select_related("panel"), pk=pk)
    check_can_override(request.user, slug)
    if result.answer_id in under_review_by(request.user, benchmark):
        raise Http404
    shown = Panel.objects.with_judges().get(pk=result.panel_id)
    page = PanelPage(shown, user=request.user, item=result.item)
    form = OverrideForm(request.POST, choices=page.values, prefix=str(pk))
    if form.is_valid():
        values = form.cleaned_data
        try:
            override_result(
                result=result, value=values["value"], reason=values["reason"], by=request.user, now=timezone.now()
            )
        except PanelRefused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("Your decision stands beside the panel's."))
            address = reverse("judging:panel", args=[slug, shown.code])
            return redirect(f"{address}?item={result.item}#result-{pk}")
    return _panel_page(request, shown, item=result.item, refused=(pk, form))


def _panel_page(
    request: MemberRequest, shown: Panel, *, item: str | None, refused: tuple[int, OverrideForm] | None = None
) -> HttpResponse:
    page = PanelPage(shown, user=request.user, item=item, number=request.GET.get("page"))
    forms = {row.result.pk: OverrideForm(choices=page.values, prefix=str(row.result.pk)) for row in page.rows}
    if refused is not None:
        forms[refused[0]] = refused[1]
    context = {
        "benchmark": shown.benchmark,
        "page": page,
        "rows": [(row, forms[row.result.pk]) for row in page.rows],
        "refused": refused[0] if refused else None,
    }
    return render(request, "judging/panel.html", context, status=422 if refused else 200)


def _benchmark(request: MemberRequest, slug: str) -> Benchmark:
    """404 for all but its leads and operators."""
    benchmark = get_object_or_404(Benchmark.objects.visible_to(request.user).select_related("specification"), slug=slug)
    if not can_see_verdicts(request.user, slug):
        raise Http404
    return benchmark


def _benchmark_to_judge(request: MemberRequest, slug: str) -> Benchmark:
    """404 for people who may not know of it, 403 for leads who are no operators."""
    benchmark = _benchmark(request, slug)
    check_can_operate(request.user, slug)
    return benchmark


class _Echo:
    """What csv writes to: it hands every line back."""

    def write(self, line: str) -> str:
        return line


def _csv_lines(benchmark: Benchmark, user: User) -> Iterator[str]:
    writer = csv.writer(_Echo())
    yield writer.writerow(HEAD)
    for row in verdict_table(benchmark, user=user):
        yield writer.writerow([plain_cell(cell) for cell in row])
