import re
from pathlib import Path

import pytest
from django.conf import settings

STATIC = Path(settings.BASE_DIR) / "static"
TEMPLATES = Path(settings.BASE_DIR) / "templates"
# Files to download, which have to look right without the site.
STAND_ALONE = {"reports/report.html"}
INLINE = re.compile(r"\sstyle=|<style|\son[a-z]+=\"|hx-on|js:|<script(?![^>]*(src=|application/json))")
SHEETS = sorted(STATIC.glob("css/*.css"))


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_every_file_named_in_a_style_sheet_is_there(sheet: Path) -> None:
    for address in re.findall(r'url\("([^"]+)"\)', sheet.read_text()):
        assert (sheet.parent / address).resolve().is_file(), address


@pytest.mark.parametrize("path", [*SHEETS, *STATIC.glob("js/*.js")], ids=lambda path: path.name)
def test_nothing_of_ours_is_loaded_from_elsewhere(path: Path) -> None:
    assert not re.search(r"https?://|//\w+\.\w", path.read_text().replace("http://www.w3.org", ""))


def test_no_template_of_the_site_has_inline_style_or_script() -> None:
    offenders = {
        path.relative_to(TEMPLATES).as_posix() for path in TEMPLATES.rglob("*.html") if INLINE.search(path.read_text())
    }

    assert offenders - STAND_ALONE == set()


def test_a_stand_alone_file_has_inline_style_only() -> None:
    for name in STAND_ALONE:
        text = (TEMPLATES / name).read_text()
        assert [found.group() for found in INLINE.finditer(text)] == ["<style"], name


@pytest.mark.parametrize("family", ["source-serif-4", "inter", "ibm-plex-mono"])
def test_fonts_carry_their_licence(family: str) -> None:
    assert "SIL OPEN FONT LICENSE Version 1.1" in (STATIC / "fonts" / family / "OFL.txt").read_text()


def test_letters_of_all_interface_languages_are_in_the_fonts_of_the_report() -> None:
    from fontTools.ttLib import TTFont

    letters = "ąćęłńóśźżĄĆĘŁŃÓŚŹŻäöüßÄÖÜàâæçéèêëîïôœùûüÿÀÇÉÈŒàèéìíîòóùú§–—„”“«»…≥≤−·✓κα⁴‑"
    for path in sorted((STATIC / "fonts" / "print").glob("*.woff2")):
        with TTFont(path) as font:
            missing = {letter for letter in letters if ord(letter) not in font.getBestCmap()}
        allowed = {"‑", "κ", "α", "⁴"} if "Plex" in path.name else {"‑"}
        assert missing <= allowed, path.name


def test_report_uses_one_whole_file_per_style() -> None:
    faces = re.findall(r"@font-face \{ ([^}]+) \}", (STATIC / "css" / "report.css").read_text())

    styles = [re.sub(r" src:.*", "", face) for face in faces]
    assert len(styles) == len(set(styles)) == 8
    assert all("fonts/print/" in face for face in faces)
