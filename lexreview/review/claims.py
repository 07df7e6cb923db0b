"""Where the words of a claim stand in an answer, when a person quotes them as they read them."""

from array import array
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from django.utils.translation import gettext as _

from lexreview.answers.answer_html import KEPT_ANSWERS, visible_text
from lexreview.review.actions import InvalidFinding


class Claim(NamedTuple):
    """`text` is the stored text from `start` to `end` (code points, end exclusive), markup in between included."""

    text: str
    start: int
    end: int


def find_claim(answer: str, quote: str, occurrence: int = 1) -> Claim:
    """The `occurrence`-th place (from 1) of the quoted words in the stored answer.

    Words are looked for as they are read, so emphasis and line breaks between them do not matter; what is quoted with
    its markup, as in the view of the stored text, is found there. Raises InvalidFinding where there is no such place.
    """
    wanted = " ".join(quote.split())
    if not wanted:
        raise InvalidFinding(_("Quote the words of the answer that are wrong."))
    for read in (_as_read, _as_stored):
        reading = read(answer)
        if (found := _nth(reading.text, wanted, occurrence)) is not None:
            start, end = reading.starts[found], reading.ends[found + len(wanted) - 1]
            return Claim(answer[start:end], start, end)
    if occurrence > 1 and _nth(_as_read(answer).text, wanted, 1) is not None:
        raise InvalidFinding(_("These words do not stand in the answer that often; give a smaller number."))
    raise InvalidFinding(_("These words do not stand in the answer. Copy them from it exactly."))


def occurrence_at(answer: str, claim: str, start: int) -> int:
    """Which occurrence of the claim begins at `start`; 1 where none does."""
    number = 1
    while True:
        try:
            found = find_claim(answer, claim, number)
        except InvalidFinding:
            return 1
        if found.start >= start:
            return number if found.start == start else 1
        number += 1


class _Reading(NamedTuple):
    """A text with every run of white space as one space, and where in the answer each character begins and ends."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]


@lru_cache(maxsize=KEPT_ANSWERS)
def _as_read(answer: str) -> _Reading:
    """A page asks for it once per finding."""
    return _squeezed(*visible_text(answer))


@lru_cache(maxsize=KEPT_ANSWERS)
def _as_stored(answer: str) -> _Reading:
    return _squeezed(answer, [(place, place + 1) for place in range(len(answer))])


def _squeezed(text: str, spans: Sequence[tuple[int, int]]) -> _Reading:
    characters: list[str] = []
    starts, ends = array("l"), array("l")
    for character, (start, end) in zip(text, spans, strict=True):
        space = character.isspace()
        if space and (not characters or characters[-1] == " "):
            continue
        characters.append(" " if space else character)
        starts.append(start)
        ends.append(end)
    return _Reading("".join(characters), starts, ends)


def _nth(text: str, wanted: str, occurrence: int) -> int | None:
    """Where the n-th hit begins; hits may overlap, as a reader counts them."""
    position = -1
    for _turn in range(max(1, occurrence)):
        position = text.find(wanted, position + 1)
        if position < 0:
            return None
    return position
