"""Units of a run: no test is left out or done twice, and what a file makes once is made by one process."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from tests import sharing_out

WHOLE, IN_PIECES = "tests/flows/test_real_law.py", "tests/core/test_dealing.py"


def nodeids(file: str, count: int) -> list[str]:
    return [f"{file}::test_{number}[a::b/c]" for number in range(count)]


def test_file_that_makes_something_once_is_one_unit_and_others_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing_out, "TESTS_IN_A_PIECE", 4)
    tests = nodeids(WHOLE, 9) + nodeids(IN_PIECES, 9)

    units = sharing_out.in_units(tests)

    assert list(units) == tests
    assert {units[each] for each in tests[:9]} == {WHOLE}
    pieces = [units[each] for each in tests[9:]]
    assert [pieces.count(each) for each in dict.fromkeys(pieces)] == [4, 4, 1]


def test_long_work_begins_first_and_its_names_are_names_of_files() -> None:
    assert sharing_out.rank(nodeids(WHOLE, 1)[0]) < sharing_out.rank(nodeids(IN_PIECES, 1)[0])
    for name in sharing_out.LONG:
        folder, start = (Path(settings.BASE_DIR) / name).parent, Path(name).name
        assert any(path.name.startswith(start) for path in folder.iterdir()), name


def test_what_is_made_once_for_a_file_is_told_from_its_words() -> None:
    """`walking` is for tests of one module: whoever uses it says so in the file."""
    files = Path(settings.BASE_DIR, "tests").rglob("test_*.py")
    taking = re.compile(r"def \w+\([^)]*\bwalking:")
    walked = [str(path.relative_to(settings.BASE_DIR)) for path in files if taking.search(path.read_text())]

    assert WHOLE in walked
    assert [file for file in walked if not sharing_out.is_whole(file)] == []
