from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from lexreview.accounts.models import User
from lexreview.jobs.actions import AlreadyRunning, NothingToDo
from lexreview.judging.actions import start_judging
from lexreview.judging.forms import AskForm, StartForm
from lexreview.judging.planning import CannotJudge, Plan, make_plan
from lexreview.providers.confirming import NotConfirmed
from lexreview.questions.models import Benchmark
from lexreview.questions.rules import check_can_operate

SPENDING = ("budget_usd", "budget_tokens", "confirmed")


class MemberRequest(HttpRequest):
    user: User


@require_safe
def ask(request: MemberRequest, slug: str) -> HttpResponse:
    """The choice of whom to ask and, once it is made, what that would take: nothing is called here."""
    benchmark = _benchmark_to_judge(request, slug)
    form = AskForm(request.GET or None, benchmark=benchmark)
    plan = _plan(form, benchmark) if form.is_valid() else None
    return render(request, "judging/ask.html", {"benchmark": benchmark, "form": form, "plan": plan})


@require_POST
def start(request: MemberRequest, slug: str) -> HttpResponse:
    benchmark = _benchmark_to_judge(request, slug)
    form = StartForm(request.POST, benchmark=benchmark)
    plan = _plan(form, benchmark) if form.is_valid() else None
    if plan is not None:
        chosen: Mapping[str, Any] = {name: form.cleaned_data[name] for name in SPENDING}
        try:
            job = start_judging(plan=plan, by=request.user, now=timezone.now(), **chosen)
        except (NotConfirmed, NothingToDo) as refusal:
            form.add_error(None, str(refusal))
        except AlreadyRunning as refusal:
            messages.warning(request, str(refusal))
            return redirect("jobs:page", number=refusal.job.pk)
        else:
            messages.success(request, _("The judges are being asked."))
            return redirect("jobs:page", number=job.pk)
    return render(request, "judging/ask.html", {"benchmark": benchmark, "form": form, "plan": plan}, status=422)


def _benchmark_to_judge(request: MemberRequest, slug: str) -> Benchmark:
    """404 for people who may not know of it, 403 for members who are no operators."""
    visible = Benchmark.objects.visible_to(request.user).select_related("specification")
    benchmark = get_object_or_404(visible, slug=slug)
    check_can_operate(request.user, slug)
    return benchmark


def _plan(form: AskForm, benchmark: Benchmark) -> Plan | None:
    """The plan, or None with the reasons as errors of the form."""
    try:
        return make_plan(
            benchmark=benchmark, **{name: form.cleaned_data[name] for name in ("panel", "judges", "repeats")}
        )
    except CannotJudge as refusal:
        for problem in refusal.problems:
            form.add_error(None, problem)
        return None
