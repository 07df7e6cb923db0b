"""The catalogues say every word of the interface, each with the same places to fill in as the English one."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import polib
import pytest
from django.conf import settings

LANGUAGES = ["pl", "de", "fr", "it"]
PLACE = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}")
SOURCES = ["lexreview", "templates", "manage.py", "locale"]


def catalogue_of(language: str, root: Path = Path(settings.BASE_DIR)) -> polib.POFile:
    return polib.pofile(str(root / "locale" / language / "LC_MESSAGES" / "django.po"))


def translations_of(entry: polib.POEntry) -> list[str]:
    return list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_is_translated_and_none_is_doubtful(language: str) -> None:
    entries = catalogue_of(language)

    assert len(entries) > 1000
    assert [entry.msgid for entry in entries if not all(translations_of(entry))] == []
    assert [entry.msgid for entry in entries if entry.fuzzy or entry.obsolete] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_counted_word_has_all_forms_of_its_language(language: str) -> None:
    entries = catalogue_of(language)
    said = re.match(r"nplurals=(\d)", entries.metadata["Plural-Forms"])

    assert said is not None
    forms = list(range(int(said[1])))
    assert [each.msgid for each in entries if each.msgid_plural and sorted(each.msgstr_plural) != forms] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_fills_in_what_the_original_fills_in(language: str) -> None:
    wrong = []
    for entry in catalogue_of(language):
        allowed = set(PLACE.findall(entry.msgid)) | set(PLACE.findall(entry.msgid_plural))
        needed = set(PLACE.findall(entry.msgid)) & set(PLACE.findall(entry.msgid_plural or entry.msgid))
        for text in translations_of(entry):
            places = set(PLACE.findall(text))
            if not needed <= places <= allowed:
                wrong.append((entry.msgid, text))

    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_spaces_and_line_breaks_at_the_ends_are_kept(language: str) -> None:
    def ends(text: str) -> tuple[bool, bool]:
        return text[:1].isspace(), text[-1:].isspace()

    assert [
        entry.msgid
        for entry in catalogue_of(language)
        if any(ends(text) != ends(entry.msgid) for text in translations_of(entry))
    ] == []


@pytest.mark.skipif(not shutil.which("xgettext"), reason="gettext's xgettext is not installed")
def test_the_catalogues_have_exactly_the_words_of_the_code(tmp_path: Path) -> None:
    for name in SOURCES:
        source = Path(settings.BASE_DIR) / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, tmp_path / name)
    options = ["--no-obsolete", "--add-location", "file", "--no-wrap"]
    languages = [part for language in LANGUAGES for part in ("-l", language)]

    subprocess.run([sys.executable, "manage.py", "makemessages", *languages, *options], cwd=tmp_path, check=True)

    for language in LANGUAGES:
        known = {(entry.msgctxt, entry.msgid) for entry in catalogue_of(language)}
        needed = {(entry.msgctxt, entry.msgid) for entry in catalogue_of(language, tmp_path) if not entry.obsolete}
        assert (needed - known, known - needed) == (set(), set()), "run `make words` and translate what is new"


def test_what_a_worker_keeps_is_in_no_language() -> None:
    """It does not know who will read it: it keeps a code, whose words are looked up where they are shown."""
    root = Path(settings.BASE_DIR) / "lexreview"
    at_work = ["jobs/running.py", "jobs/elsewhere.py", "jobs/actions/turns.py", "providers/calling.py"]
    at_work += ["providers/asking.py", "providers/actions/calls.py"]
    files = [*root.glob("*/*_job.py"), *(root / name for name in at_work)]

    assert len(files) > 9
    speaking = re.compile(r"import (?:n?gettext|pgettext)\b(?!_)")
    assert [str(file.relative_to(root)) for file in files if speaking.search(file.read_text(encoding="utf-8"))] == []
