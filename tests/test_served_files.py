import re
from pathlib import Path

from django.conf import settings
from django.core.files.storage import FileSystemStorage

from lexreview.served_files import ServedFilesStorage, without_comments

SCRIPTS = sorted((settings.BASE_DIR / "static/js").glob("*.js"))


def test_comments_and_indentation_are_left_out_and_nothing_else() -> None:
    script = "// What it does.\n(function () {\n  // Why.\n  const at = 'https://x'; // here\n\n})();\n"

    assert without_comments(script) == "(function () {\nconst at = 'https://x'; // here\n})();\n"


def test_no_text_of_our_scripts_goes_over_the_end_of_a_line() -> None:
    """A line within a text or a long comment could look like a comment."""
    for path in SCRIPTS:
        code = re.sub(r"^\s*//.*$", "", path.read_text(), flags=re.MULTILINE)
        assert not re.search(r"`|\\$|/\*(?![^\n]*\*/)", code, re.MULTILINE), path.name


def test_collected_scripts_are_lean_and_have_names_of_their_content(tmp_path: Path) -> None:
    source = FileSystemStorage(settings.BASE_DIR / "static")
    names = ["js/live.js", "js/review-saving.js", "vendor/htmx/htmx.min.js"]
    storage = ServedFilesStorage(location=tmp_path, base_url="/static/")
    for name in names:
        with source.open(name) as file:
            storage.save(name, file)

    done = list(storage.post_process({name: (source, name) for name in names}))

    assert all(processed is True for _name, _hashed, processed in done), done
    for name in names:
        whole = Path(source.path(name)).read_text()
        named = storage.stored_name(name)
        assert named != name
        assert Path(storage.path(named)).read_text() == (without_comments(whole) if name.startswith("js/") else whole)


def test_no_file_holds_what_a_merge_left_open() -> None:
    """A browser passes over such lines without a word, and with them over rules and scripts."""
    folders = ("static/css", "static/js", "templates", "lexreview", "locale", "docs")
    paths = [path for folder in folders for path in (settings.BASE_DIR / folder).rglob("*.*")]
    texts = [path for path in paths if path.suffix in {".css", ".js", ".html", ".py", ".po", ".md", ".yaml"}]
    assert len(texts) > 500
    left = re.compile(r"^(<<<<<<<|>>>>>>>) ", re.MULTILINE)
    assert [path.name for path in texts if left.search(path.read_text())] == []
