from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass

import pytest

from lexreview.reports.actions import publish, store_files
from lexreview.reports.models import Publication
from tests.reports.conftest import few_resamples
from tests.reports.factories import HOSTILE_TEXT, NOW, Scene, approved, make_scene


@dataclass(frozen=True)
class Published:
    scene: Scene
    publication: Publication


@pytest.fixture(scope="module")
def published(walking: Callable[[], AbstractContextManager[None]]) -> Iterator[Published]:
    """One publication for all tests of a file; what a test changes is taken back after it."""
    with walking(), pytest.MonkeyPatch.context() as patch:
        few_resamples(patch)
        scene = make_scene()
        approved(scene, "P02", "cedar", text=HOSTILE_TEXT)
        row = publish(benchmark=scene.benchmark, note="First.", by=scene.lead, now=NOW)
        files = {
            "report.pdf": ("application/pdf", b"%PDF-1.7"),
            "report.html": ("text/html", b"<!doctype html><p>report"),
        }
        store_files(publication=row, files=files, by=None, now=NOW)
        yield Published(scene, row)


@pytest.fixture
def scene(published: Published, db: None, monkeypatch: pytest.MonkeyPatch) -> Scene:
    few_resamples(monkeypatch)
    return published.scene


@pytest.fixture
def publication(published: Published, db: None) -> Publication:
    return Publication.objects.get(pk=published.publication.pk)
