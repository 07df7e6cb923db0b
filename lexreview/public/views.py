"""Pages for readers. Each shows frozen content and nothing else."""

from typing import Any

from csp.decorators import csp_replace
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from lexreview.public.reading import Shown, published
from lexreview.reports.files import HTML_NAME, MEDIA_TYPES, PDF_NAME
from lexreview.reports.models import PageKind, Publication
from lexreview.reports.report_job import publications_at_work

ALONE: dict[str, Any] = {
    "default-src": ["'none'"],
    "style-src": ["'unsafe-inline'"],
    "font-src": ["data:"],
    "sandbox": [],
}
"""For the report as one file: its own style and fonts inside, and nothing else."""


@login_not_required
@require_safe
def publications(request: HttpRequest) -> HttpResponse:
    rows = list(Publication.objects.newest_of_each())
    return render(request, "public/publications.html", {"publications": rows})


@published
def benchmark(request: HttpRequest, shown: Shown) -> HttpResponse:
    return page(request, shown, "benchmark", main=shown.content(PageKind.BENCHMARK))


@published
def questions(request: HttpRequest, shown: Shown) -> HttpResponse:
    main = shown.content(PageKind.BENCHMARK)
    pages = shown.contents(PageKind.QUESTION)
    rows = list(zip(pages, main["by_question"], strict=True))
    return page(request, shown, "questions", main=main, rows=rows)


@published
def question(request: HttpRequest, shown: Shown, code: str) -> HttpResponse:
    return page(request, shown, "question", question=shown.content(PageKind.QUESTION, code))


@published
def card(request: HttpRequest, shown: Shown, identifier: str) -> HttpResponse:
    return page(request, shown, "card", card=shown.content(PageKind.CARD, identifier))


@published
def errors(request: HttpRequest, shown: Shown) -> HttpResponse:
    content = shown.content(PageKind.ERRORS)
    listed = [
        (row, [each for each in content["findings"] if each["class"] == row["code"]]) for row in content["classes"]
    ]
    return page(request, shown, "errors", classes=listed, count=len(content["findings"]))


@published
def judges(request: HttpRequest, shown: Shown) -> HttpResponse:
    return page(request, shown, "judges", judges=shown.content(PageKind.JUDGES))


@published
def verification(request: HttpRequest, shown: Shown) -> HttpResponse:
    return page(request, shown, "verification", layer=shown.content(PageKind.VERIFICATION))


@published
def cost(request: HttpRequest, shown: Shown) -> HttpResponse:
    return page(request, shown, "cost", cost=shown.content(PageKind.COST))


@published
def method(request: HttpRequest, shown: Shown) -> HttpResponse:
    return page(request, shown, "method", method=shown.content(PageKind.METHOD))


@published
def decisions(request: HttpRequest, shown: Shown) -> HttpResponse:
    return page(request, shown, "decisions", log=shown.content(PageKind.DECISIONS))


@published
def versions(request: HttpRequest, shown: Shown) -> HttpResponse:
    rows = Publication.objects.of_benchmark(shown.publication.benchmark_slug).newest_first()
    return page(request, shown, "versions", versions=rows)


@published
def report_pdf(request: HttpRequest, shown: Shown) -> HttpResponse:
    return stored_file(request, shown, PDF_NAME)


@csp_replace(ALONE)
@published
def report_html(request: HttpRequest, shown: Shown) -> HttpResponse:
    return stored_file(request, shown, HTML_NAME)


def page(request: HttpRequest, shown: Shown, name: str, **context: Any) -> HttpResponse:
    return render(request, f"public/{name}.html", {"shown": shown, "publication": shown.publication, **context})


def stored_file(request: HttpRequest, shown: Shown, name: str) -> HttpResponse:
    """A file of the publication, to be shown in the browser under a name that says what it is.

    409 with a page that says so while the file is being made, 404 where nobody makes it.
    """
    file = shown.publication.files.filter(name=name).first()
    if file is None:
        if shown.publication.number not in publications_at_work(shown.publication.benchmark_slug):
            raise Http404
        at_work = render(request, "public/at_work.html", {"shown": shown, "publication": shown.publication}, status=409)
        at_work.headers["Retry-After"] = "30"
        return at_work
    response = HttpResponse(bytes(file.content), content_type=MEDIA_TYPES[name])
    saved_as = f"{shown.publication.benchmark_slug}-{shown.publication.number}-{name}"
    response.headers["Content-Disposition"] = f'inline; filename="{saved_as}"'
    response.headers["X-Robots-Tag"] = "noindex, noai"
    return response
