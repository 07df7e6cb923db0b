"""A unit key as people write it: `art=17/ust=1` is "Art. 17 Abs. 1" in Swiss German, "art. 17 ust. 1" in Polish."""

import re

_RAISED = re.compile(r"\^(\d+)")
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_WORDS = {
    "pl": {"art": "art.", "par": "§", "ust": "ust.", "pkt": "pkt", "lit": "lit.", "tiret": "tiret", "motyw": "motyw"},
    "de": {
        "art": "Art.",
        "par": "§",
        "ust": "Abs.",
        "pkt": "Ziff.",
        "lit": "lit.",
        "tiret": "Strich",
        "motyw": "Erwägung",
    },
    "fr": {
        "art": "art.",
        "par": "§",
        "ust": "al.",
        "pkt": "ch.",
        "lit": "let.",
        "tiret": "tiret",
        "motyw": "considérant",
    },
    "it": {
        "art": "art.",
        "par": "§",
        "ust": "cpv.",
        "pkt": "n.",
        "lit": "lett.",
        "tiret": "trattino",
        "motyw": "considerando",
    },
    "en": {
        "art": "Art.",
        "par": "§",
        "ust": "para.",
        "pkt": "point",
        "lit": "letter",
        "tiret": "indent",
        "motyw": "recital",
    },
}
_TRANSITIONAL = {
    "pl": "przepisy przejściowe",
    "de": "Übergangsbestimmungen",
    "fr": "dispositions transitoires",
    "it": "disposizioni transitorie",
    "en": "transitional provisions",
}


def raised(number: str) -> str:
    """A number of a unit as people write it: `Art. 21^1.` with raised digits."""
    return _RAISED.sub(lambda match: match[1].translate(_SUPERSCRIPTS), number)


def unit_name(key: str, *, jurisdiction: str = "", lang: str = "en") -> str:
    """The key in words of the language; English EU style puts paragraphs and letters in brackets. "" for no key."""
    words = _WORDS.get(lang, _WORDS["en"])
    if key.startswith("@"):
        return key.removeprefix("@")
    parts = [part.partition("=") for part in key.split("/") if part]
    if jurisdiction.upper() == "EU" and lang == "en":
        return _bracketed([(level, value) for level, _, value in parts])
    named = [f"{words[level]} {value}" if level in words else value for level, _, value in parts if level != "dis"]
    name = raised(" ".join(named))
    part = next((value for level, _, value in parts if level == "dis"), "")
    return f"{name} ({_part(part, lang)})".strip() if part else name


def _part(number: str, lang: str) -> str:
    """The transitional provisions; a number tells several of them apart."""
    name = _TRANSITIONAL.get(lang, _TRANSITIONAL["en"])
    return name if number == "1" else f"{name} {number}"


def _bracketed(parts: list[tuple[str, str]]) -> str:
    name = ""
    for level, value in parts:
        if level == "art":
            name += f"Article {value}"
        elif level == "motyw":
            name += f"recital {value}"
        else:
            name += f"({value})"
    return name
