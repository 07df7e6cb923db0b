from collections.abc import Iterator

import pytest
from django.conf import settings
from django.utils import translation

from lexreview.reports.actions import publish, store_files
from lexreview.reports.freezing import judges, overview
from lexreview.reports.models import Publication
from tests.reports.factories import HOSTILE_TEXT, NOW, Scene, approved, make_scene


@pytest.fixture(autouse=True)
def _english_afterwards() -> Iterator[None]:
    """A page in another language leaves that language active in the thread."""
    yield
    translation.activate(settings.LANGUAGE_CODE)


@pytest.fixture
def scene(db: None, monkeypatch: pytest.MonkeyPatch) -> Scene:
    monkeypatch.setattr(judges, "RESAMPLES", 100)
    monkeypatch.setattr(overview, "RESAMPLES", 100)
    scene = make_scene()
    approved(scene, "P02", "cedar", text=HOSTILE_TEXT)
    return scene


@pytest.fixture
def publication(scene: Scene) -> Publication:
    row = publish(benchmark=scene.benchmark, note="First.", by=scene.lead, now=NOW)
    files = {"report.pdf": ("application/pdf", b"%PDF-1.7"), "report.html": ("text/html", b"<!doctype html><p>report")}
    store_files(publication=row, files=files, by=None, now=NOW)
    return row
