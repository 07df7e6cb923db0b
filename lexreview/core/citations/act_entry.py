"""One act as the grammars know it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date


@dataclass(frozen=True, slots=True, kw_only=True)
class ActEntry:
    """One act of a registry.

    ``abbreviations`` and ``titles`` hold name forms per language code; the key ``""`` means any language.
    Titles are written in the nominative, without date. ``numbers`` are the act's own identifiers by scheme:
    ``journal`` ("DU/1964/93"), ``sr`` ("235.1"), ``celex`` ("32016R0679"), ``eli``. ``aliases`` are further
    identifiers that mean the same act (consolidated texts). ``top_unit`` is "art", or "par" where the section
    sign is the top unit. ``second_unit`` ("par" or "ust"), ``last_article`` and ``keywords`` serve only to
    choose between acts that share an abbreviation. ``verified`` tells what confirms the entry, "" if nothing.
    """

    id: str
    jurisdiction: str
    abbreviations: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    titles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    numbers: Mapping[str, str] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    adopted_on: date | None = None
    top_unit: str = "art"
    second_unit: str | None = None
    last_article: int | None = None
    keywords: tuple[str, ...] = ()
    verified: str = ""
