"""The last guard before pages are frozen: nothing of an undisclosed question and no account's address is in them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from lexreview.accounts.models import User
from lexreview.questions.models import KeyVersion, Question
from lexreview.reports.freezing import FrozenPage
from lexreview.reports.freezing.log import questions_touched
from lexreview.reports.gather import Material

SHORTEST_TEXT = 20
"""Texts below this length say too little to be recognised by."""
WRITTEN_BY_MODELS = frozenset(
    {"html", "raw", "claim", "trace", "quotation", "diff", "settings", "served_model", "usage"}
)
"""Fields that repeat an answer or a source word by word: a code such as P11 may stand there by chance."""
CODE = re.compile(r"(?=.*[^\W\d_])(?=.*\d)")


class Leak(NamedTuple):
    page: str
    field: str
    what: str

    def __str__(self) -> str:
        return f"{self.page}, {self.field}: {self.what}"


def leaks_in(pages: Iterable[FrozenPage], material: Material) -> list[Leak]:
    """Every place where something shows that must not: for each, the page and field, and never the text itself."""
    guard = _Guard(material)
    found = []
    for page in pages:
        for path, text in _texts(page.content, ()):
            for what in guard.of(text, by_model=not WRITTEN_BY_MODELS.isdisjoint(path)):
                found.append(Leak(f"{page.kind} {page.key}".strip(), ".".join(path), what))
    return found


def mixed_decisions(material: Material) -> list[int]:
    """Published decisions that touch disclosed and undisclosed questions: they can be neither shown nor left out."""
    hidden = {question.code for question in material.hidden}
    shown = {question.code for question in material.questions}
    named = {each.number: questions_touched(each) for each in material.decisions}
    return [number for number, codes in named.items() if codes & hidden and codes & shown]


class _Guard:
    def __init__(self, material: Material) -> None:
        taken = _taken_codes(material)
        codes = {question.code for question in material.hidden if CODE.match(question.code)} - taken
        self._code = _as_words(codes)
        hidden = {text for each in material.hidden for text in _telling(each, each.key_versions.all())}
        shown = {text for each in material.questions for text in _telling(each, material.keys[each.pk])}
        self._texts = sorted(hidden - shown)
        addresses = User.objects.exclude(email="").values_list("email", flat=True)
        self._addresses = sorted({address.casefold() for address in addresses})

    def of(self, text: str, *, by_model: bool) -> Iterator[str]:
        folded = _folded(text)
        if any(each in folded for each in self._texts):
            yield "the text of an undisclosed question or key"
        if any(address in folded for address in self._addresses):
            yield "the e-mail address of an account"
        if not by_model and self._code is not None and self._code.search(text):
            yield "the code of an undisclosed question"


def _as_words(codes: Iterable[str]) -> re.Pattern[str] | None:
    """Finds a code on its own or as the head of an answer's identifier (`P11_argon-4_W0_r1`); None without codes."""
    listed = "|".join(re.escape(code) for code in sorted(codes))
    return re.compile(rf"(?<![^\W_])(?:{listed})(?![^\W_])") if listed else None


def _taken_codes(material: Material) -> set[str]:
    """Codes that mean something else too: criteria, and elements of the published keys."""
    parts = [part for keys in material.keys.values() for key in keys for part in (key.rubric, key.penalties, key.bases)]
    return {each["code"] for part in parts for each in part} | {
        criterion.code for rules in material.rules.values() for criterion in rules.criteria
    }


def _telling(question: Question, keys: Iterable[KeyVersion]) -> Iterator[str]:
    """The texts by which a question or its key can be told, folded. A mirror shares some with its pair."""
    texts: list[str] = [question.original_text, question.benchmark_text]
    texts += [str((question.trap or {}).get("premise", "")), str(question.expected.get("condition") or "")]
    for key in keys:
        texts += [key.core_answer, key.condition, *(element["text"] for element in (*key.rubric, *key.penalties))]
    yield from (folded for text in texts if len(folded := _folded(text)) >= SHORTEST_TEXT)


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _texts(value: Any, path: Sequence[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every string of the content with the names on the way to it; the names of objects are strings too."""
    if isinstance(value, str):
        yield tuple(path), value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _texts(inner, (*path, name))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner, path)
