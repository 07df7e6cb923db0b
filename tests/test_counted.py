"""A number and its noun agree: "1 answer", "2 answers", in what commands and refusals say in English."""

import ast
import itertools
import re
from collections.abc import Iterable
from pathlib import Path

import polib
from django.conf import settings

from lexreview.core.words import counted

PROJECT = Path(settings.BASE_DIR)
NOUNS = (
    "acts|answers|calls|cards|citations|days|decisions|editions|events|files|findings|hours|items|judges|lines|minutes|"
    "people|prices|questions|reviews|rulings|runs|seconds|systems|tokens|units|verdicts|versions|warnings"
)
FIXED = {"MAX_FILES", "LONGEST.days", "TOTAL_SECONDS", "MOST_SECONDS"}
"""Numbers that are set and are not one."""
ALWAYS_MANY = {"count", "draft.answer.identifier"}
"""More than one approved version, as the sentence is only said then; and a name before a verb."""


def uncounted(source: str) -> list[str]:
    """Numbers in f-strings that are followed by a noun in the plural, whatever the number is."""
    found = []
    for node in ast.walk(ast.parse(source)):
        parts = node.values if isinstance(node, ast.JoinedStr) else []
        for value, after in itertools.pairwise(parts):
            said = after.value if isinstance(after, ast.Constant) else ""
            number = ast.unparse(value.value) if isinstance(value, ast.FormattedValue) else ""
            if number and number not in {*FIXED, *ALWAYS_MANY} and re.match(rf" (?:{NOUNS})\b", str(said)):
                found.append(f"{number}{said}")
    return found


def test_numbers_agree_with_their_nouns_in_commands_and_refusals() -> None:
    """One of a thing is not called many: `counted` writes number and noun."""
    assert uncounted('f"{len(stored)} answers imported."') == ["len(stored) answers imported."]
    assert uncounted("f\"{counted(len(stored), 'answer')} imported.\"") == []

    found = {
        str(path.relative_to(PROJECT)): said
        for path in sorted((PROJECT / "lexreview").rglob("*.py"))
        if "migrations" not in path.parts and (said := uncounted(path.read_text()))
    }

    assert found == {}


MORE_NOUNS = "languages|pages|penalties|points|searches|values|views|words"
NEVER_ONE = {
    "%(points)s points",  # of an element, and said only of those that do not give one
    "You keep %(n)s views already. Delete one first.",
    "%(code)s takes %(least)s to %(most)s points, not %(given)s.",
}


def of_one_form(sentences: Iterable[str]) -> list[str]:
    """Sentences without a form for one in which a number stands before a plural, or before one of its adjectives."""
    pattern = re.compile(rf"%\(\w+\)[sd] (?:(?:approved|checked|disclosed|open) )?(?:{NOUNS}|{MORE_NOUNS})\b")
    return [sentence for sentence in sentences if pattern.search(sentence) and sentence not in NEVER_ONE]


def test_numbers_agree_with_their_nouns_in_translated_sentences() -> None:
    assert of_one_form(["%(approved)s of %(answers)s cards approved."]) == [
        "%(approved)s of %(answers)s cards approved."
    ]
    assert of_one_form(["%(n)s approved cards"]) == ["%(n)s approved cards"]
    assert of_one_form(["answer %(place)s of %(places)s"]) == []

    catalogue = polib.pofile(str(PROJECT / "locale/pl/LC_MESSAGES/django.po"))

    assert of_one_form(entry.msgid for entry in catalogue if not entry.msgid_plural) == []


def test_counted_writes_one_and_many() -> None:
    assert [counted(number, "answer") for number in (0, 1, 2)] == ["0 answers", "1 answer", "2 answers"]
    assert [counted(number, "person", "people") for number in (1, 3)] == ["1 person", "3 people"]
