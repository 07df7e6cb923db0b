"""A publication as a report: HTML and PDF from the same templates, made from frozen pages alone."""

import base64
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe
from django.utils.translation import override

from lexreview.reports.canary import canary_sentence
from lexreview.reports.models import PageKind, Publication, PublicationPage

STATIC = Path(settings.BASE_DIR) / "static"
STYLESHEET = "css/report.css"
PDF_PROGRAM = Path(__file__).with_name("pdf.py")
"""Run and never imported: what it loads takes time and memory, and warns of fonts that no other command needs."""
MOST_SECONDS = 900
MOST_MEMORY = 4_000_000_000
"""Address space of the process that makes the PDF. It uses far less memory; libraries reserve more than they use."""


class CannotRender(Exception):
    """The PDF could not be made; the message holds what the renderer said last."""


class ReportFiles(NamedTuple):
    html: bytes
    pdf: bytes


def render_report(publication: Publication) -> ReportFiles:
    """Both files, in the publication's language. Reads only. Raises CannotRender."""
    context = report_context(publication)
    with override(publication.language):
        html = render_to_string("reports/report.html", {**context, "style": embedded_style()})
        paper = render_to_string("reports/report.html", {**context, "style": ""})
    return ReportFiles(html=html.lstrip().encode(), pdf=pdf_in_own_process(paper, identifier=publication.sha256))


def report_context(publication: Publication) -> dict[str, Any]:
    """What the templates of the report need: one query."""
    pages: dict[str, list[PublicationPage]] = {kind: [] for kind in PageKind.values}
    for page in publication.pages.in_order():
        pages[page.kind].append(page)
    questions = [page.content for page in pages[PageKind.QUESTION]]
    cards = [page.content for page in pages[PageKind.CARD]]
    return {
        "publication": publication,
        "canary": canary_sentence(publication.canary),
        "questions": questions,
        "annex": annex_of(questions, cards),
        "main": pages[PageKind.BENCHMARK][0].content,
        "judges": pages[PageKind.JUDGES][0].content,
        "layer": pages[PageKind.VERIFICATION][0].content,
        "cost": pages[PageKind.COST][0].content,
        "method": pages[PageKind.METHOD][0].content,
        "log": pages[PageKind.DECISIONS][0].content,
    }


def annex_of(
    questions: Sequence[dict[str, Any]], cards: Sequence[dict[str, Any]]
) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Every question with its cards, both in reading order."""
    return [(question, [card for card in cards if card["question"] == question["code"]]) for question in questions]


def embedded_style() -> str:
    """The report's style sheet with its fonts inside, so that the file needs nothing beside it."""
    sheet = STATIC / STYLESHEET
    embedded = re.sub(r'url\("([^"]+\.woff2)"\)', lambda link: _inside(sheet.parent / link[1]), sheet.read_text())
    return mark_safe(embedded)  # noqa: S308 - our own style sheet


def _inside(font: Path) -> str:
    return f'url("data:font/woff2;base64,{base64.b64encode(font.read_bytes()).decode()}")'


def pdf_in_own_process(html: str, *, identifier: str) -> bytes:
    """The PDF, made by a process with limits of time and memory. Raises CannotRender."""
    options = ["--identifier", identifier, "--memory", str(MOST_MEMORY)]
    command = [sys.executable, str(PDF_PROGRAM), str(STATIC), *options]
    try:
        done = subprocess.run(  # noqa: S603 - our own program, no shell
            command, input=html.encode(), capture_output=True, timeout=MOST_SECONDS, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise CannotRender(f"the PDF was not ready after {MOST_SECONDS} seconds") from error
    if done.returncode != 0 or not done.stdout.startswith(b"%PDF"):
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise CannotRender(said[-1] if said else "the renderer ended early")
    return done.stdout
