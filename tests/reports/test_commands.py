import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from lexreview.reports.models import Publication
from lexreview.reports.render import ReportFiles
from tests.reports.factories import Scene, change_and_approve_again


@pytest.fixture(autouse=True)
def _no_rendering(monkeypatch: pytest.MonkeyPatch) -> None:
    files = ReportFiles(html=b"<p>report", pdf=b"%PDF-report")
    monkeypatch.setattr("lexreview.reports.files.render_report", lambda publication: files)


def test_publish_then_report(scene: Scene, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("publish", "kestria-01", by="lena", note="First.")
    call_command("report", "kestria-01", pdf=tmp_path / "out" / "a.pdf", html=tmp_path / "a.html")

    assert (tmp_path / "out" / "a.pdf").read_bytes() == b"%PDF-report"
    assert (tmp_path / "a.html").read_bytes() == b"<p>report"
    assert "3 of 4 cards" in capsys.readouterr().out


def test_publishing_again_says_that_nothing_changed(scene: Scene, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("publish", "kestria-01", by="lena")
    call_command("publish", "kestria-01", by="lena", note="Again.")

    assert "Nothing changed since publication 1" in capsys.readouterr().out
    assert Publication.objects.count() == 1


def test_publishing_something_else_without_a_note_names_the_option(scene: Scene) -> None:
    call_command("publish", "kestria-01", by="lena")
    change_and_approve_again(scene.card("P01_borealis_W0_r1"), core=2, by=scene.reviewer)

    with pytest.raises(CommandError, match=r"since publication 1\. Give it by --note"):
        call_command("publish", "kestria-01", by="lena")


@pytest.mark.parametrize(
    ("slug", "options", "said"),
    [
        ("kestria-01", {"by": "nobody"}, "no active account nobody"),
        ("other-01", {"by": "lena"}, "no benchmark other-01"),
        ("kestria-01", {"by": "rita"}, "methodology lead"),
    ],
)
def test_publish_refuses_in_words(scene: Scene, slug: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        call_command("publish", slug, **options)

    assert not Publication.objects.exists()


def test_report_needs_a_publication_and_a_path(scene: Scene, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no publication"):
        call_command("report", "kestria-01", pdf=tmp_path / "a.pdf")
    with pytest.raises(CommandError, match="no benchmark kestria-10"):
        call_command("report", "kestria-10", pdf=tmp_path / "a.pdf")
    with pytest.raises(CommandError, match="--pdf"):
        call_command("report", "kestria-01")


@pytest.mark.parametrize("inside", ["", "folder"])
def test_a_bundle_that_cannot_be_written_says_where(scene: Scene, tmp_path: Path, inside: str) -> None:
    (tmp_path / "file").write_text("not a folder")

    with pytest.raises(CommandError, match=r"exists|cannot be written"):
        call_command("export_benchmark", "kestria-01", str(tmp_path / "file" / inside))


def test_a_device_is_no_place_for_a_bundle(scene: Scene) -> None:
    with pytest.raises(CommandError, match="/dev/null exists"):
        call_command("export_benchmark", "kestria-01", "/dev/null")


def test_an_argument_that_is_not_utf_8_is_named() -> None:
    ended = subprocess.run(
        [sys.executable, str(settings.BASE_DIR / "manage.py"), "check", b"\xff"], capture_output=True, check=False
    )

    assert ended.returncode == 1
    assert b"Argument 2 is not UTF-8: '\\udcff'" in ended.stderr
    assert b"Traceback" not in ended.stderr
