import pytest
from django.core.cache import cache

from lexreview.reports.freezing import judges, overview
from tests.reports.factories import Scene, make_scene


def few_resamples(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(judges, "RESAMPLES", 100)
    patch.setattr(overview, "RESAMPLES", 100)


@pytest.fixture(autouse=True)
def _quick_and_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """No preview kept from another test, and few resamples: what is tested here does not depend on how
    fine an interval is; the core's own tests look at that.
    """
    cache.clear()
    few_resamples(monkeypatch)


@pytest.fixture
def scene(db: None) -> Scene:
    return make_scene()
