"""Which language are words in? Of quoted ones enough to say that no text of that language is stored, and no more."""

import re

from lexreview.answers.models import Answer

_WORD = re.compile(r"[^\W\d_]+")
_COMMON = {
    "en": "the of and to in is or shall for by be that with not any which from may it as on an are this such has have",
    "de": "der die das und ist des den dem nicht oder wird werden von zu mit sich auf für ein eine im bei nach durch",
    "fr": "le la les des du et est un une dans ou par pour que qui au aux pas sont sur ne se ce son sa il peut doit",
    "it": "il lo la gli le dei della delle del di che è un una per non con sono nel alla dal si può ai da o e",
    "pl": "i w z na do nie się jest oraz lub o od po za przez dla jeżeli który która które albo być może u ze że",
}
_WORDS = {language: frozenset(words.split()) for language, words in _COMMON.items()}


def language_of(text: str) -> str | None:
    """The language whose commonest words the text uses most; None where it has fewer than two more than any other."""
    words = [word.lower() for word in _WORD.findall(text[:2_000])]
    counts = sorted(((sum(word in common for word in words), code) for code, common in _WORDS.items()), reverse=True)
    (most, code), (second, _) = counts[0], counts[1]
    return code if most >= second + 2 else None


def language_of_answer(answer: Answer) -> str:
    """The language in which the question was asked, else the benchmark's."""
    return (answer.question.language or answer.question.benchmark.language).split("-")[0]
