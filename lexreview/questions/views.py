from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from lexreview.accounts.models import User
from lexreview.questions.benchmark_page import BenchmarkPage, benchmark_rows
from lexreview.questions.models import Benchmark, Question
from lexreview.questions.question_page import QuestionPage


class MemberRequest(HttpRequest):
    user: User


@require_safe
def benchmarks(request: MemberRequest) -> HttpResponse:
    return render(request, "questions/benchmarks.html", {"rows": benchmark_rows(request.user)})


@require_safe
def benchmark(request: MemberRequest, slug: str) -> HttpResponse:
    shown = get_object_or_404(Benchmark.objects.visible_to(request.user).with_list_data(), slug=slug)
    page = BenchmarkPage(shown, user=request.user)
    return render(request, "questions/benchmark.html", {"page": page, "benchmark": shown})


@require_safe
def question(request: MemberRequest, slug: str, code: str) -> HttpResponse:
    visible = Question.objects.visible_to(request.user).with_page_data()
    shown = get_object_or_404(visible, benchmark__slug=slug, code=code)
    page = QuestionPage(shown, user=request.user)
    return render(request, "questions/question.html", {"page": page, "benchmark": shown.benchmark})
