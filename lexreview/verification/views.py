import hashlib
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers
from django_htmx.middleware import HtmxDetails

from lexreview.accounts.models import User
from lexreview.answers.masking import answers_unmasked_for
from lexreview.answers.models import Answer
from lexreview.jobs.actions import AlreadyRunning, NothingToDo, start_job
from lexreview.jobs.rules import can_start, check_can_start
from lexreview.providers.confirming import NotConfirmed
from lexreview.questions.models import Benchmark
from lexreview.verification.actions import start_support_check
from lexreview.verification.advice import is_withheld_from
from lexreview.verification.benchmark_page import BenchmarkPage
from lexreview.verification.forms import PageForm, SourceForm, StartSupportForm, SupportForm
from lexreview.verification.job import VERIFY
from lexreview.verification.models import Citation, Verification
from lexreview.verification.report_page import summary_of, with_advice
from lexreview.verification.source_pane import NoSuchEdition, source_pane
from lexreview.verification.support_job import CHECK_SUPPORT
from lexreview.verification.support_planning import CannotCheckSupport, SupportPlan, make_support_plan


class MemberRequest(HttpRequest):
    user: User
    htmx: HtmxDetails


@require_safe
def benchmark(request: MemberRequest, slug: str) -> HttpResponse:
    stored = get_object_or_404(Benchmark.objects.visible_to(request.user), slug=slug)
    form = PageForm(request.GET)
    number = form.cleaned_data["page"] if form.is_valid() else None
    page = BenchmarkPage(stored, user=request.user, number=number or 1)
    context = {
        "benchmark": stored,
        "page": page,
        "unmasked": page.unmasked,
        "may_start": can_start(request.user, VERIFY, stored.slug),
        "may_start_support": can_start(request.user, CHECK_SUPPORT, stored.slug),
    }
    return render(request, "verification/benchmark.html", context)


@require_POST
def start(request: MemberRequest, slug: str) -> HttpResponse:
    stored = get_object_or_404(Benchmark.objects.visible_to(request.user), slug=slug)
    try:
        job = start_job(
            kind=VERIFY,
            benchmark_slug=stored.slug,
            params={"benchmark": stored.slug},
            by=request.user,
            now=timezone.now(),
        )
    except AlreadyRunning as running:
        return redirect("jobs:page", running.job.pk)
    except NothingToDo:
        messages.info(request, _("Every answer is verified by the present layer; nothing was started."))
        return redirect("verification:benchmark", stored.slug)
    return redirect("jobs:page", job.pk)


@require_safe
def support(request: MemberRequest, slug: str) -> HttpResponse:
    """What the support check would take: nothing is asked here."""
    stored = _benchmark_to_check(request, slug)
    form = SupportForm(request.GET or None)
    return render(request, "verification/support.html", {"benchmark": stored, "form": form, **_planned(stored)})


@require_POST
def start_support(request: MemberRequest, slug: str) -> HttpResponse:
    stored = _benchmark_to_check(request, slug)
    form, planned = StartSupportForm(request.POST), _planned(stored)
    plan: SupportPlan | None = planned["plan"]
    if form.is_valid() and plan is not None:
        try:
            job = start_support_check(plan=plan, by=request.user, now=timezone.now(), **form.cleaned_data)
        except (NotConfirmed, NothingToDo) as refusal:
            form.add_error(None, str(refusal))
        except AlreadyRunning as running:
            return redirect("jobs:page", running.job.pk)
        else:
            return redirect("jobs:page", job.pk)
    context = {"benchmark": stored, "form": form, **planned}
    return render(request, "verification/support.html", context, status=422)


def _benchmark_to_check(request: MemberRequest, slug: str) -> Benchmark:
    """404 for people who may not know of it, 403 for members who are no operators."""
    stored = get_object_or_404(Benchmark.objects.visible_to(request.user), slug=slug)
    check_can_start(request.user, CHECK_SUPPORT, stored.slug)
    return stored


def _planned(benchmark: Benchmark) -> dict[str, Any]:
    """The plan, or why there is none."""
    try:
        return {"plan": make_support_plan(benchmark=benchmark, model=settings.SUPPORT_MODEL), "problem": ""}
    except CannotCheckSupport as error:
        return {"plan": None, "problem": str(error)}


@require_safe
def report(request: MemberRequest, pk: int) -> HttpResponse:
    answer = get_object_or_404(Answer.objects.visible_to(request.user).with_run(), pk=pk)
    verification = Verification.objects.current().filter(answer=answer).first()
    withheld = is_withheld_from(request.user, answer)
    citations = list(verification.citations.with_sources().in_text_order()) if verification and not withheld else []
    context = {
        "answer": answer,
        "withheld": withheld,
        "benchmark": answer.question.benchmark,
        "verification": verification,
        "citations": citations,
        "summary": summary_of(citations),
        "lines": with_advice(citations),
        "unmasked": answers_unmasked_for(request.user, [answer]),
    }
    return render(request, "verification/report.html", context)


@require_safe
@vary_on_headers("HX-Request", "HX-History-Restore-Request")
def source(request: MemberRequest, pk: int) -> HttpResponse:
    citation = get_object_or_404(Citation.objects.visible_to(request.user).with_sources(), pk=pk)
    form = SourceForm(request.GET)
    if not form.is_valid():
        return HttpResponseBadRequest(_("There is no such edition."))
    try:
        pane = source_pane(
            citation,
            edition_pk=form.cleaned_data["edition"],
            lang=_interface_language(),
            with_advice=not is_withheld_from(request.user, citation.verification.answer),
        )
    except NoSuchEdition as error:
        raise Http404 from error
    context = {"pane": pane, "benchmark": citation.verification.answer.question.benchmark}
    if request.htmx and not request.htmx.history_restore_request:
        return _kept_while_the_same(request, render(request, "verification/_source.html", context))
    return render(request, "verification/source.html", context)


def _kept_while_the_same(request: MemberRequest, response: HttpResponse) -> HttpResponse:
    """The browser may keep it and asks each time whether it is still the same; if so, nothing is sent again. The tag is
    that of the content, so another edition, language, advice or somebody from whom the advice is kept has another."""
    response["ETag"] = f'"{hashlib.sha256(response.content).hexdigest()}"'
    patch_cache_control(response, private=True, no_cache=True)
    return get_conditional_response(request, etag=response["ETag"], response=response) or response


def _interface_language() -> str:
    return (get_language() or "en").split("-")[0]
