"""What a chain of units is made of, and how its numbers are to be read."""

from __future__ import annotations

from dataclasses import dataclass, field

from lexreview.core.citations.language_words import LEVEL_ORDER

DEPTH = {level: at for at, level in enumerate(LEVEL_ORDER)} | {"motyw": 0, "akapit": 6}


@dataclass(slots=True)
class Unit:
    """One atomic unit in the making.

    ``brackets`` stand behind the number of the level ``bracket_of``; ``range_of`` are the ends of the range that
    the unit was
    expanded from; ``point_in_letter`` says that the point was named below the letter.
    """

    levels: dict[str, str]
    brackets: tuple[str, ...] = ()
    bracket_of: str | None = None
    literal: str | None = None
    open_range: bool = False
    range_end: str | None = None
    range_of: tuple[str, str] | None = None
    point_in_letter: bool = False


@dataclass(slots=True)
class Member:
    """Units that share a span."""

    start: int
    end: int
    units: list[Unit] = field(default_factory=list)


@dataclass(slots=True)
class Chain:
    """A chain of members; ``first_level`` is the level of its first word."""

    start: int
    end: int
    first_level: str
    first_word: str
    members: list[Member]


@dataclass(frozen=True, slots=True)
class NumberStyle:
    """How numbers are read.

    ``raised`` keeps superscripts, ``flattened`` reads "385 1 §" as 385^1, ``dotted`` reads "Article 6.1" as paragraph 1
    of Article 6, ``glued`` are abbreviations that may stand directly behind a number ("118kc"), ``inner_section`` is
    the level of a section sign behind an article where it is a top unit otherwise, ``roman`` reads "Art. 8 II" as
    paragraph 2 of Article 8.
    """

    raised: bool = True
    flattened: bool = False
    dotted: bool = False
    glued: frozenset[str] = frozenset()
    inner_section: str | None = None
    roman: bool = False
