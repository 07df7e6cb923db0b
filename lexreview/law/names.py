"""How a name of an act is folded so that every usual spelling of it meets the same index entry."""

import re
import unicodedata
from collections.abc import Iterator

from lexreview.core.citations.dates import dates_in
from lexreview.core.citations.view import fold

_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-") | {"ł": "l", "Ł": "L", "ß": "ss", "æ": "ae", "œ": "oe"})
_NOISE = re.compile(r"[.,;„”“\"'’«»()\[\]]")
_SPACE = re.compile(r"\s+")
_STEM = 5
# Beginnings of words that say what kind of text it is, not which one.
_KIND_STEMS = frozenset(
    {
        "bunde",
        "geset",
        "veror",
        "feder",
        "ustaw",
        "rozpo",
        "regul",
        "direc",
        "kodek",
        "ordon",
        "ordin",
        "minis",
        "zmian",
        "zmien",
        "spraw",
    }
)


def fold_name(value: str) -> str:
    """The form under which a name is looked up: no case, accents, dots, quotation marks or double spaces.

    `k.c.`, `K. C.` and `KC` meet at `kc`; a title keeps its words. An empty result: nothing is left to look up.
    """
    text = unicodedata.normalize("NFKD", value.translate(_DASHES))
    text = "".join(char for char in text if not unicodedata.combining(char)).casefold()
    text = _SPACE.sub(" ", _NOISE.sub(" ", text)).strip()
    return re.sub(r"\b(\w) (?=\w\b)", r"\1", text)


_TO_DAY = re.compile(r"\s(?:vom|du|del|dell['’]|of|z dnia|dals)\s*\Z")
_BEHIND_DAY = re.compile(r"\s?(?:r\.)?\s*")
_BRACKET_AT_END = re.compile(r"\s*\([^()]*\)\.?\s*\Z")


def title_forms(title: str) -> Iterator[str]:
    """A title as it stands and as it is shortened: without short names in brackets, without the day of adoption.

    Of a Polish title also what the act is about, as its first word changes with the case: "o ochronie ludności". That
    of an amending act is left out.
    """
    yield title
    short = _BRACKET_AT_END.sub("", title)
    yield short
    day = next(iter(dates_in(fold(short))), None)
    if day is None:
        return
    front, behind = _TO_DAY.sub("", short[: day.start]), short[_end_of_day(short, day.end) :]
    yield f"{front} {behind}".strip()
    if front.lower() == "ustawa" and behind.startswith("o ") and not behind.startswith("o zmianie"):
        yield behind


def _end_of_day(title: str, end: int) -> int:
    match = _BEHIND_DAY.match(title, end)
    return match.end() if match else end


def fold_docket(value: str) -> str:
    """The form under which a docket is looked up: dashes alike, spaces and dots gone, upper case.

    `III CZP 25/22`, `iii czp  25/22` and `IIICZP 25/22` meet; a four-digit year stays another docket.
    """
    text = unicodedata.normalize("NFKC", value.translate(_DASHES)).upper()
    return re.sub(r"[\s.]+", "", text)


def name_stems(value: str) -> frozenset[str]:
    """The beginnings of the long words of a name, of which a title in another case or order keeps some."""
    long = {word[:_STEM] for word in fold_name(value).split() if len(word) > _STEM and not word.isdigit()}
    return frozenset(long - _KIND_STEMS)
