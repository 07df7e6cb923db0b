from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from lexreview.accounts.models import User
from lexreview.answers.actions import start_collecting
from lexreview.answers.answer_page import AnswerPage
from lexreview.answers.collecting import Plan, make_plan
from lexreview.answers.forms import CollectForm
from lexreview.answers.masking import is_unmasked_for
from lexreview.answers.models import Answer
from lexreview.jobs.models import Job
from lexreview.providers.start_page import plan_page, start_page
from lexreview.questions.models import Benchmark
from lexreview.questions.rules import check_can_operate

COLLECT_PAGE = "answers/collect.html"


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
    page = AnswerPage(shown, user=request.user, unmasked=unmasked, as_stored=request.GET.get("view") == "stored")
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
    benchmark = _benchmark_to_collect(request, slug)
    form = CollectForm(request.GET or None, benchmark=benchmark)
    return plan_page(request, COLLECT_PAGE, benchmark=benchmark, form=form, make_plan=make_plan)


@require_POST
def start(request: MemberRequest, slug: str) -> HttpResponse:
    benchmark = _benchmark_to_collect(request, slug)

    def begin(plan: Plan, spending: dict[str, Any]) -> Job:
        return start_collecting(plan=plan, by=request.user, now=timezone.now(), **spending)

    return start_page(
        request,
        COLLECT_PAGE,
        benchmark=benchmark,
        form=CollectForm(request.POST, benchmark=benchmark),
        make_plan=make_plan,
        start=begin,
        started=_("The answers are being collected."),
    )


def _benchmark_to_collect(request: MemberRequest, slug: str) -> Benchmark:
    """404 for people who may not know of it, 403 for members who are no operators."""
    benchmark = get_object_or_404(Benchmark.objects.visible_to(request.user), slug=slug)
    check_can_operate(request.user, slug)
    return benchmark
