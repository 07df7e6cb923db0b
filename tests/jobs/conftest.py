from pathlib import Path
from typing import Any

import pytest

from tests.jobs.factories import rehearsals
from tests.jobs.installation import installation

__all__ = ["installation", "rehearsals"]


@pytest.fixture(autouse=True)
def _collected_static_files(settings: Any, tmp_path: Path) -> None:
    """Whitenoise warns, and warnings are errors, where nothing was collected yet."""
    settings.STATIC_ROOT = tmp_path
