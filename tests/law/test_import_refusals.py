"""What cannot be read or understood on the command line is refused in words, never with a traceback."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from lexreview.verification.lines import BadLine, read_lines


@pytest.mark.parametrize("kind", ["missing", "folder"])
@pytest.mark.parametrize(
    ("name", "content"), [("x.struct.json", "{}"), ("x.html", '<div class="unit_arti">Art. 1</div>')]
)
def test_a_polish_file_without_readable_metadata_beside_it_is_refused(
    tmp_path: Path, name: str, content: str, kind: str
) -> None:
    (tmp_path / name).write_text(content)
    if kind == "folder":
        (tmp_path / "x.meta.json").mkdir()
    with pytest.raises(CommandError, match=r"metadata of the act beside it in x\.meta\.json"):
        call_command("law", "import", str(tmp_path / name))


@pytest.mark.django_db
def test_a_unit_key_with_a_broken_step_is_refused_and_named() -> None:
    with pytest.raises(CommandError, match=r"'par=' in unit key 'art=1/par='"):
        call_command("law", "unit", "art=1/par= eli/qk/act/1998/16")


def test_a_line_nested_too_deep_is_refused_with_its_number() -> None:
    with pytest.raises(BadLine, match="line 2: not JSON"):
        list(read_lines(["\n", "[" * 100_000], needed=["id"]))
