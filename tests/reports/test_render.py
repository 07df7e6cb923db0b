"""The report as a reader holds it: its words, its size, and what hostile answers make of it."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.template.loader import render_to_string
from django.utils.translation import override
from weasyprint.urls import URLFetchingError

from lexreview.reports import render
from lexreview.reports.actions import publish
from lexreview.reports.files import report_files
from lexreview.reports.models import Publication
from lexreview.reports.pdf import STATIC_HOST, StaticFetcher
from lexreview.reports.render import CannotRender, ReportFiles, pdf_in_own_process, render_report, report_context
from tests.reports.conftest import few_resamples
from tests.reports.factories import (
    ADDRESS,
    DRAFT_WORD,
    HIDDEN_WORD,
    HOSTILE_TEXT,
    NOW,
    OPEN_WORD,
    approved,
    make_scene,
)

STATIC = render.STATIC
BASE_DIR = STATIC.parent


@pytest.fixture(scope="module")
def published(walking: Callable[[], AbstractContextManager[None]]) -> Iterator[tuple[Publication, ReportFiles]]:
    """One publication and its report for all tests of the file, made with few resamples."""
    with walking(), pytest.MonkeyPatch.context() as patch:
        few_resamples(patch)
        scene = make_scene()
        approved(scene, "P02", "cedar", text=HOSTILE_TEXT)
        publication = publish(benchmark=scene.benchmark, note="First.", by=scene.lead, now=NOW)
        yield publication, render_report(publication)


@pytest.fixture
def publication(published: tuple[Publication, ReportFiles], db: None) -> Publication:
    return Publication.objects.get(pk=published[0].pk)


@pytest.fixture
def files(published: tuple[Publication, ReportFiles]) -> ReportFiles:
    return published[1]


def read_by_poppler(pdf: bytes, folder: Path, option: str) -> str:
    """The PDF through an independent reader; a test that needs it is skipped where it is not installed."""
    program = shutil.which("pdftotext")
    if program is None:
        pytest.skip("pdftotext of poppler-utils is not installed")
    path = folder / "report.pdf"
    path.write_bytes(pdf)
    return subprocess.run([program, option, str(path), "-"], capture_output=True, check=True).stdout.decode()


def words_of(pdf: bytes, folder: Path) -> str:
    """The text as a reader would copy it, in reading order, white space folded."""
    return " ".join(read_by_poppler(pdf, folder, "-layout").split())


def test_long_heads_of_columns_stand_apart(files: ReportFiles, tmp_path: Path) -> None:
    """The head "Run, USD" and what stands on its line right of it: in points, of which 14 are 5 mm."""
    page = ElementTree.fromstring(read_by_poppler(files.pdf, tmp_path, "-bbox"))
    words = [each for each in page.iter("{http://www.w3.org/1999/xhtml}word") if each.text]
    place = next(number for number, each in enumerate(words) if each.text == "Run,") + 1
    head = {name: float(value) for name, value in words[place].attrib.items()}

    near = [{name: float(value) for name, value in each.attrib.items()} for each in words[place - 30 : place + 30]]
    gaps = [each["xMin"] - head["xMax"] for each in near if abs(each["yMin"] - head["yMin"]) < 1]
    assert words[place].text == "USD"
    assert min(gap for gap in gaps if gap > 0) > 14


def test_pdf_holds_every_question_card_figure_and_the_canary(
    files: ReportFiles, publication: Publication, tmp_path: Path
) -> None:
    text = words_of(files.pdf, tmp_path)

    for identifier in ("P01_argon-4_W0_r1", "P01_borealis_W0_r1", "P02_argon-4_W0_r1", "P02_borealis_W1_r1"):
        assert identifier in text
    assert "Was the payment in time?" in text
    assert "The fee is payable within seven days." in text
    assert "not approved yet" in text
    assert "4 of 5 cards approved" in text
    assert str(publication.canary) in text
    assert text.count("Publication 1 · 20 October 2026 · 4 of 5 cards approved") > 3


@pytest.mark.parametrize("word", [HIDDEN_WORD, OPEN_WORD, DRAFT_WORD, ADDRESS])
def test_report_holds_nothing_that_must_not_be_seen(files: ReportFiles, tmp_path: Path, word: str) -> None:
    assert word.encode() not in files.html
    assert word not in words_of(files.pdf, tmp_path)


def test_the_same_publication_gives_the_same_files(files: ReportFiles, publication: Publication) -> None:
    assert render_report(publication) == files


def test_html_needs_nothing_beside_it(files: ReportFiles, publication: Publication) -> None:
    html = files.html.decode()

    assert str(publication.canary) in html
    head, _, body = html.partition("<body>")
    assert html.startswith("<!doctype html>")
    assert not re.findall(r"""(?:src|href)\s*=\s*["'](?!#)""", body)
    assert {address[:10] for address in re.findall(r"url\(([^)]*)", head)} == {'"data:font'}
    assert "<script" not in html


def test_anchors_are_unique_and_all_links_arrive(files: ReportFiles) -> None:
    html = files.html.decode()
    anchors = re.findall(r'\bid="([^"]+)"', html)
    links = re.findall(r'href="#([^"]+)"', html)

    assert len(anchors) == len(set(anchors))
    assert set(links) <= set(anchors)


def test_hostile_answer_is_shown_and_does_nothing(publication: Publication) -> None:
    with override("en"):
        html = render_to_string("reports/report.html", {**report_context(publication), "style": ""})
    body = html.partition("<body>")[2]

    tags = {tag.lower() for tag in re.findall(r"<([a-zA-Z][\w-]*)", body)}
    assert not tags & {"script", "img", "style", "iframe", "object", "embed", "form", "input", "base", "meta"}
    assert "&lt;script&gt;" in body
    assert "&lt;link rel=attachment" in body
    # Headings of an answer stay below the heading of its card.
    assert re.search(r"<h5>Heading one</h5>", body)


def test_intervals_are_drawn_with_colours_of_their_own(publication: Publication) -> None:
    with override("en"):
        html = render_to_string("reports/report.html", {**report_context(publication), "style": ""})

    drawings = [ElementTree.fromstring(svg) for svg in re.findall(r"<svg class=\"ci\".*?</svg>", html, re.DOTALL)]
    # argon-4 over all its questions, the total and the row of the condition; a single question has no interval.
    assert drawings
    assert all(part.get("stroke") for drawing in drawings for part in drawing if part.tag in ("line", "circle"))


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "http://127.0.0.1:1/",
        "https://evil.example/x.css",
        f"https://{STATIC_HOST}/../manage.py",
        f"https://{STATIC_HOST}/../lexreview/settings.py",
        f"https://{STATIC_HOST}/js/live.js",
        "data:text/css,body{}",
    ],
)
def test_fetcher_gives_nothing_but_our_style_and_fonts(url: str) -> None:
    with pytest.raises((ValueError, URLFetchingError)):
        StaticFetcher(STATIC).fetch(url)


def test_fetcher_gives_the_style_sheet() -> None:
    response = StaticFetcher(STATIC).fetch(f"https://{STATIC_HOST}/css/report.css")

    assert b"@page" in response.read()


def test_a_renderer_that_fails_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "MOST_MEMORY", 60_000_000)

    with pytest.raises(CannotRender, match=r"\w"):
        pdf_in_own_process("<p>too much</p>", identifier="x")


def test_only_the_process_that_makes_the_pdf_loads_its_library() -> None:
    program = "import manage, sys; sys.argv = ['manage.py', 'check']; manage.main(); print('weasyprint' in sys.modules)"
    ended = subprocess.run([sys.executable, "-c", program], cwd=BASE_DIR, capture_output=True, text=True, check=True)

    assert ended.stdout.split()[-1] == "False"


def test_a_renderer_that_takes_too_long_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "MOST_SECONDS", 0.01)

    with pytest.raises(CannotRender, match="not ready"):
        pdf_in_own_process("<p>late</p>", identifier="x")


def test_files_are_rendered_once_and_kept(publication: Publication, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def fake(each: Publication) -> ReportFiles:
        calls.append(each)
        return ReportFiles(html=b"<p>", pdf=b"%PDF-")

    monkeypatch.setattr("lexreview.reports.files.render_report", fake)

    first = report_files(publication, now=NOW)
    second = report_files(publication, now=NOW)

    assert first == second == {"report.pdf": b"%PDF-", "report.html": b"<p>"}
    assert len(calls) == 1


def test_report_in_another_language_is_complete(publication: Publication) -> None:
    Publication.objects.filter(pk=publication.pk).update(language="pl")
    publication.refresh_from_db()

    with override("pl"):
        html = render_to_string("reports/report.html", {**report_context(publication), "style": ""})

    assert '<html lang="pl">' in html
    assert "Opłaty i terminy w Kestrii" in html
