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


OF_LIBRARIES = {
    "alert-info", "alert-success", "btn-danger", "btn-link", "btn-primary", "col-form-label", "htmx-indicator",
    "htmx-request", "is-valid",
}  # fmt: skip
"""Names that forms, messages and htmx bring with them."""
COMPOSED = ("by-", "colour-", "depth-", "sides-")
"""Names whose end a template fills in."""


@pytest.fixture(scope="module")
def pages() -> str:
    """All that can give an element a class or id."""
    code = [*TEMPLATES.rglob("*.html"), *STATIC.glob("js/*.js"), *(Path(settings.BASE_DIR) / "lexreview").rglob("*.py")]
    return "\n".join(path.read_text() for path in code)


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_every_class_and_id_of_a_style_sheet_is_used(sheet: Path, pages: str) -> None:
    rules = re.sub(r'/\*.*?\*/|"[^"]*"', "", sheet.read_text(), flags=re.DOTALL)
    named = {
        name for selector in re.findall(r"([^{}]+)\{", rules) for name in re.findall(r"[.#]([A-Za-z][\w-]*)", selector)
    }

    unused = {name for name in named - OF_LIBRARIES if not re.search(rf"(?<![\w-]){name}(?![\w-])", pages)}

    assert {name for name in unused if not name.startswith(COMPOSED)} == set()


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


@pytest.mark.parametrize("family", ["lexreview-serif", "inter", "lexreview-mono"])
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


@pytest.mark.parametrize("family", ["Lexreview Serif", "Inter", "Lexreview Mono"])
def test_letters_of_all_interface_languages_are_in_the_fonts_of_the_pages(family: str) -> None:
    from fontTools.ttLib import TTFont

    faces = re.findall(r"@font-face \{ ([^}]+) \}", (STATIC / "css" / "fonts.css").read_text())
    found: set[str] = set()
    for face in faces:
        if f'"{family}"' not in face:
            continue
        name, ranges = re.search(r'url\("\.\./([^"]+)"\)', face), re.search(r"unicode-range: ([^;]+);", face)
        assert name is not None and ranges is not None
        with TTFont(STATIC / name[1]) as font:
            letters = {chr(code) for code in font.getBestCmap()}
        found |= {letter for letter in letters if in_ranges(letter, ranges[1])}

    signs = "" if family != "Inter" else "≥≤✓✗→←↑↓↗⏎⇧⌘▲▼●○κα⁴‑"
    assert set("ąćęłńóśźżĄĆĘŁŃÓŚŹŻäöüßÄÖÜàâæçéèêëîïôœùûüÿÀÇÉÈŒìíòóú§–—„”“«»…−·€" + signs) <= found


@pytest.mark.parametrize("family", ["lexreview-serif", "inter", "lexreview-mono"])
def test_texts_of_all_interface_languages_need_the_two_small_files_only(family: str) -> None:
    from fontTools.ttLib import TTFont

    files = [path for path in (STATIC / "fonts" / family).glob("*.woff2") if re.search("latin-(?!rare|ext)", path.name)]
    files += (STATIC / "fonts" / family).glob("lexreview-mono-latin.woff2")
    letters: set[str] = set()
    for path in files:
        with TTFont(path) as font:
            letters |= {chr(code) for code in font.getBestCmap()}
    words = "".join(path.read_text() for path in (settings.BASE_DIR / "locale").glob("*/LC_MESSAGES/*.po"))
    assert {letter for letter in words if letter.isalpha() and ord(letter) < 0x250} <= letters
    assert set("ßŒœÿ§–—„”“«»…·€°½²") <= letters


def in_ranges(letter: str, ranges: str) -> bool:
    for part in ranges.split(","):
        first, _, last = part.strip()[2:].partition("-")
        if int(first, 16) <= ord(letter) <= int(last or first, 16):
            return True
    return False


def test_classes_of_bootstrap_that_templates_name_are_in_the_parts_that_are_shipped() -> None:
    """The file holds only parts of Bootstrap: a class that it lacks would silently do nothing."""
    shipped = {
        name
        for path in [STATIC / "vendor" / "bootstrap" / "parts.min.css", *(STATIC / "css").glob("*.css")]
        for name in re.findall(r"\.([a-zA-Z][\w-]*)", path.read_text())
    }
    of_bootstrap = re.compile(
        r"(btn|form|alert|d|mb|mt|my|me|ms|p|text|col|row|gap|visually|invalid|input|card|table)-[\w-]+"
    )
    named = {
        name
        for path in TEMPLATES.rglob("*.html")
        for value in re.findall(r'class="([^"]*)"', path.read_text())
        for name in re.sub(r"\{[{%].*?[%}]\}", " ", value).split()
        if of_bootstrap.fullmatch(name)
    }

    assert "btn-sm" in named
    assert named - shipped == set()


def test_report_uses_one_whole_file_per_style() -> None:
    faces = re.findall(r"@font-face \{ ([^}]+) \}", (STATIC / "css" / "report.css").read_text())

    styles = [re.sub(r" src:.*", "", face) for face in faces]
    assert len(styles) == len(set(styles)) == 8
    assert all("fonts/print/" in face for face in faces)
