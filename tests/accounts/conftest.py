from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def _collected_files_are_elsewhere(settings: Any, tmp_path: Path) -> None:
    """The folder of collected files may not exist yet; WhiteNoise would warn about it."""
    settings.STATIC_ROOT = tmp_path
