"""The acts of the corpus as the citation grammars know acts."""

import re
from collections import defaultdict
from collections.abc import Iterable

from lexreview.core.citations import ActEntry
from lexreview.law.models import Act, ActName

_SR = re.compile(r"(?:SR|RS)\s+(\d+(?:\.\d+)*)", re.IGNORECASE)
_CELEX = re.compile(r"(?:CELEX\s+)?(\d{5}[A-Z]{1,2}\d{4}(?:\(\d+\))?)")
_JOURNAL = re.compile(r"[A-Z]{2,8}/\d{4}/\d+")
# Executive acts of Poland have the section sign as their top unit.
_PARAGRAPH_ACTS = ("rozporządzenie", "zarządzenie")


def entry_of(act: Act, names: Iterable[ActName]) -> ActEntry:
    """The act with all its names by kind and language; its id is the key under which the corpus holds it."""
    abbreviations: dict[str, list[str]] = defaultdict(list)
    titles: dict[str, list[str]] = defaultdict(list)
    numbers = [act.eli]
    for name in names:
        if name.kind == ActName.Kind.NUMBER:
            numbers.append(name.value)
        else:
            (abbreviations if name.kind == ActName.Kind.ABBREVIATION else titles)[name.language].append(name.value)
    for language, title in act.titles.items():
        if title and title not in titles[language]:
            titles[language].append(title)
    schemes, aliases = _by_scheme(numbers)
    return ActEntry(
        id=act.eli,
        jurisdiction=act.jurisdiction.lower(),
        abbreviations={language: tuple(values) for language, values in abbreviations.items() if values},
        titles={language: tuple(values) for language, values in titles.items() if values},
        numbers=schemes,
        aliases=aliases,
        adopted_on=act.adopted_on,
        top_unit="par" if _is_executive(act) else "art",
        verified="corpus",
    )


def _is_executive(act: Act) -> bool:
    return act.jurisdiction == "PL" and act.title("pl").lower().startswith(_PARAGRAPH_ACTS)


def _by_scheme(numbers: Iterable[str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """The first number of each scheme, and the further ones (consolidated texts) as aliases."""
    schemes: dict[str, str] = {}
    aliases: list[str] = []
    for number in dict.fromkeys(numbers):
        scheme, value = _scheme_of(number)
        if not scheme:
            continue
        if schemes.setdefault(scheme, value) != value:
            aliases.append(value)
    return schemes, tuple(dict.fromkeys(aliases))


def _scheme_of(number: str) -> tuple[str, str]:
    if match := _SR.fullmatch(number):
        return "sr", match.group(1)
    if match := _CELEX.fullmatch(number):
        return "celex", match.group(1)
    if _JOURNAL.fullmatch(number):
        return "journal", number
    if number.startswith("eli/"):
        return "eli", number
    return "", ""
