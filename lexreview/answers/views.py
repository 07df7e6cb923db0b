from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from lexreview.accounts.models import User
from lexreview.answers.actions import start_collecting
from lexreview.answers.answer_page import AnswerPage
from lexreview.answers.collecting import CannotCollect, Plan, make_plan
from lexreview.answers.forms import CollectForm, StartForm
from lexreview.answers.masking import is_unmasked_for
from lexreview.answers.models import Answer
from lexreview.jobs.actions import AlreadyRunning, NothingToDo
from lexreview.providers.confirming import NotConfirmed
from lexreview.questions.models import Benchmark
from lexreview.questions.rules import check_can_operate

BUDGET = ("budget_usd", "budget_tokens", "confirmed")


class MemberRequest(HttpRequest):
    user: User


@require_safe
def answer(request: MemberRequest, slug: str, identifier: str) -> HttpResponse:
    """The page of an answer under its identifier, which names the system: 404 while that is masked for the person."""
    visible = Answer.objects.visible_to(request.user).with_run()
    shown = get_object_or_404(visible.with_identifier(slug=slug, identifier=identifier))
    if not is_unmasked_for(request.user, shown):
        raise Http404
    return _page(request, shown, unmasked=True)


@require_safe
def masked_answer(request: MemberRequest, pk: int) -> HttpResponse:
    """The same page under an address that does not name the system."""
    shown = get_object_or_404(Answer.objects.visible_to(request.user).with_run(), pk=pk)
    return _page(request, shown, unmasked=is_unmasked_for(request.user, shown))


def _page(request: MemberRequest, shown: Answer, *, unmasked: bool) -> HttpResponse:
    page = AnswerPage(shown, user=request.user, as_stored=request.GET.get("view") == "stored")
    context = {
        "page": page,
        "answer": shown,
        "benchmark": page.benchmark,
        "system_shown": unmasked,
        "unmasked": {shown.pk} if unmasked else set(),
    }
    return render(request, "answers/answer.html", context)


@require_safe
def collect(request: MemberRequest, slug: str) -> HttpResponse:
    """The choice of what to collect and, once it is made, what that would take: nothing is called here."""
    benchmark = _benchmark_to_collect(request, slug)
    form = CollectForm(request.GET or None, benchmark=benchmark)
    plan = _plan(form, benchmark) if form.is_valid() else None
    return render(request, "answers/collect.html", {"benchmark": benchmark, "form": form, "plan": plan})


@require_POST
def start(request: MemberRequest, slug: str) -> HttpResponse:
    benchmark = _benchmark_to_collect(request, slug)
    form = StartForm(request.POST, benchmark=benchmark)
    plan = _plan(form, benchmark) if form.is_valid() else None
    if plan is not None:
        chosen: Mapping[str, Any] = {name: form.cleaned_data[name] for name in BUDGET}
        try:
            job = start_collecting(plan=plan, by=request.user, now=timezone.now(), **chosen)
        except (NotConfirmed, NothingToDo) as refusal:
            form.add_error(None, str(refusal))
        except AlreadyRunning as refusal:
            messages.warning(request, str(refusal))
            return redirect("jobs:page", number=refusal.job.pk)
        else:
            messages.success(request, _("The answers are being collected."))
            return redirect("jobs:page", number=job.pk)
    return render(request, "answers/collect.html", {"benchmark": benchmark, "form": form, "plan": plan}, status=422)


def _benchmark_to_collect(request: MemberRequest, slug: str) -> Benchmark:
    """404 for people who may not know of it, 403 for members who are no operators."""
    benchmark = get_object_or_404(Benchmark.objects.visible_to(request.user), slug=slug)
    check_can_operate(request.user, slug)
    return benchmark


def _plan(form: CollectForm, benchmark: Benchmark) -> Plan | None:
    """The plan, or None with the reasons as errors of the form."""
    names = ("systems", "conditions", "sets", "repetitions")
    try:
        return make_plan(benchmark=benchmark, **{name: form.cleaned_data[name] for name in names})
    except CannotCollect as refusal:
        for problem in refusal.problems:
            form.add_error(None, problem)
        return None
