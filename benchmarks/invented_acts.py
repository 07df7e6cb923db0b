"""Acts that nobody adopted, to fill a corpus up to a size: names, two editions each, articles with paragraphs."""

import random
from collections.abc import Iterator
from datetime import date

from lexreview.law.parsed import ParsedAct, ParsedEdition, ParsedName, ParsedUnit, sha256_of

_THINGS = ("Brunnen", "Stege", "Hecken", "Glocken", "Leuchten", "Kähne", "Mühlen", "Wege", "Türme", "Zäune")
_MATTERS = ("Bau", "Unterhalt", "Abgabe", "Aufsicht", "Schutz", "Verleih", "Register", "Beitrag", "Prüfung", "Wartung")
_WORDS = (
    "wer eine anlage betreibt hat der behörde jede änderung binnen frist zu melden und trägt die kosten soweit der"
    " kanton nichts anderes bestimmt die bewilligung erlischt wenn sie nicht genutzt wird"
)


def invented_acts(count: int, *, seed: int = 11) -> Iterator[ParsedAct]:
    """`count` acts of Switzerland with names that no real act has; the same seed gives the same acts."""
    rng = random.Random(seed)
    for number in range(count):
        thing, matter = _THINGS[number % 10], _MATTERS[number // 10 % 10]
        title = f"Bundesgesetz über {matter} der {thing} Nr. {number + 1}"
        short = f"{matter[:2]}{thing[:3]}{number + 1}G"
        eli = f"eli/cc/2009/90{number:03d}"
        days = ((date(2010, 1, 1), date(2022, 12, 31)), (date(2023, 1, 1), None))
        yield ParsedAct(
            eli=eli,
            jurisdiction="CH",
            titles={"de": title},
            names=(ParsedName("abbreviation", short, "de"), ParsedName("number", f"SR 999.{number + 1}")),
            in_force_on=days[0][0],
            editions=tuple(_edition(eli, first, last, rng) for first, last in days),
        )


def _edition(eli: str, first: date, last: date | None, rng: random.Random) -> ParsedEdition:
    units = tuple(_article(number, rng) for number in range(1, 81))
    return ParsedEdition(
        act=eli,
        language="de",
        valid_from=first,
        valid_to=last,
        units=units,
        sha256=sha256_of(f"{eli} {first}".encode()),
    )


def _article(number: int, rng: random.Random) -> ParsedUnit:
    key = f"art={number}"
    paragraphs = [
        ParsedUnit(
            f"{key}/ust={each}",
            "ust",
            number=str(each),
            text=f"{' '.join(rng.choices(_WORDS.split(), k=25)).capitalize()}.",
        )
        for each in range(1, 4)
    ]
    return ParsedUnit(key, "art", number=f"Art. {number}", heading="Grundsatz", children=paragraphs)
