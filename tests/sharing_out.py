"""Which process of a run tests what: a file that makes something once for all its tests stays whole, long work first.

Used with `--dist loadscope`. Processes take one unit after the other, so that what comes last must be short.
"""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

# Files and folders whose units are long, the longest first; what is not named follows.
LONG = (
    "tests/flows/test_real_law.py",
    "tests/judging/test_killing.py",
    "tests/answers/test_killing.py",
    "tests/browser/",
    "tests/flows/",
    "tests/reports/test_bundle",
    "tests/review/test_blinding.py",
    "tests/reports/",
    "tests/jobs/test_killing.py",
    "tests/answers/test_interruptions.py",
    "tests/judging/",
    "tests/review/",
    "tests/answers/",
)
# What a process begins with it makes for itself: larger pieces make less twice, smaller ones end together.
TESTS_IN_A_PIECE = 20


def rank(nodeid: str) -> int:
    return next((place for place, name in enumerate(LONG) if nodeid.startswith(name)), len(LONG))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: rank(item.nodeid))


@cache
def is_whole(file: str) -> bool:
    """Whether tests of the file share what only one process should make."""
    path = Path(__file__).parent.parent / file
    return path.is_file() and 'scope="module"' in path.read_text()


def in_units(nodeids: list[str]) -> dict[str, str]:
    """The unit of each test: its file, or a piece of it."""
    units, counted = {}, dict.fromkeys((nodeid.split("::")[0] for nodeid in nodeids), 0)
    for nodeid in nodeids:
        file = nodeid.split("::")[0]
        units[nodeid] = file if is_whole(file) else f"{file} {counted[file] // TESTS_IN_A_PIECE}"
        counted[file] += 1
    return units


class InUnits(LoadScopeScheduling):  # type: ignore[misc]
    def schedule(self) -> None:
        if self.collection is None:
            self._units = in_units(next(iter(self.registered_collections.values())))
        super().schedule()

    def _split_scope(self, nodeid: str) -> str:
        return self._units[nodeid]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: Any, log: Any) -> LoadScopeScheduling | None:
    if config.option.dist != "loadscope":
        return None
    config.option.loadscopereorder = False
    return InUnits(config, log)
