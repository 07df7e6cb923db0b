"""How a name of an act is folded so that every usual spelling of it meets the same index entry."""

import re
import unicodedata

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
