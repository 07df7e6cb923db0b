from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from lexreview.accounts.models import User
from lexreview.jobs.models import Job
from lexreview.judging.actions import start_judging
from lexreview.judging.forms import AskForm
from lexreview.judging.planning import Plan, make_plan
from lexreview.providers.start_page import plan_page, start_page
from lexreview.questions.models import Benchmark
from lexreview.questions.rules import check_can_operate

ASK_PAGE = "judging/ask.html"


class MemberRequest(HttpRequest):
    user: User


@require_safe
def ask(request: MemberRequest, slug: str) -> HttpResponse:
    benchmark = _benchmark_to_judge(request, slug)
    form = AskForm(request.GET or None, benchmark=benchmark)
    return plan_page(request, ASK_PAGE, benchmark=benchmark, form=form, make_plan=make_plan)


@require_POST
def start(request: MemberRequest, slug: str) -> HttpResponse:
    benchmark = _benchmark_to_judge(request, slug)

    def begin(plan: Plan, spending: dict[str, Any]) -> Job:
        return start_judging(plan=plan, by=request.user, now=timezone.now(), **spending)

    return start_page(
        request,
        ASK_PAGE,
        benchmark=benchmark,
        form=AskForm(request.POST, benchmark=benchmark),
        make_plan=make_plan,
        start=begin,
        started=_("The judges are being asked."),
    )


def _benchmark_to_judge(request: MemberRequest, slug: str) -> Benchmark:
    """404 for people who may not know of it, 403 for members who are no operators."""
    visible = Benchmark.objects.visible_to(request.user).select_related("specification")
    benchmark = get_object_or_404(visible, slug=slug)
    check_can_operate(request.user, slug)
    return benchmark
