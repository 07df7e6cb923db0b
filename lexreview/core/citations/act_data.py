"""Reads the package's registries of acts: one CSV file per jurisdiction.

Columns: ``abbreviations`` and ``titles`` as ``lang:form|form;lang:form`` (an empty language means any), ``numbers`` as
``scheme=number|scheme=number``, ``aliases`` and ``keywords`` with ``|``. ``verified`` says what confirms a row: ``act``
(title and number), ``number`` (the number only), ``text`` (the newest consolidated text), empty = from memory. The
columns ``second_unit``, ``last_article`` and ``keywords`` only help to choose between acts and are never verified.

``former_acts.csv`` lists acts that an act of the same name and, in Switzerland, of the same number has replaced.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files

from lexreview.core.citations.act_entry import ActEntry

REGISTRIES = ("pl", "eu", "ch", "it")


@dataclass(frozen=True, slots=True, kw_only=True)
class FormerAct:
    """An act that went by the name of a later one. ``number`` is that of the later act: SR number or journal position.

    ``last_day`` is the last day on which it was in force. ``eli`` is "" where it is not known; ``verified`` as above.
    """

    number: str
    jurisdiction: str
    title: str
    eli: str
    adopted_on: date
    in_force_on: date
    last_day: date
    verified: str


@cache
def registry_of(name: str) -> tuple[ActEntry, ...]:
    """The acts of one registry file, in file order. Raises ``KeyError`` for a registry that does not exist."""
    if name not in REGISTRIES:
        raise KeyError(name)
    return tuple(_entry(name, row) for row in _rows(name))


@cache
def former_acts() -> tuple[FormerAct, ...]:
    """The acts that went by the name of a later one, in file order."""
    return tuple(
        FormerAct(
            number=row["number"],
            jurisdiction=row["jurisdiction"],
            title=row["title"],
            eli=row["eli"],
            adopted_on=date.fromisoformat(row["adopted_on"]),
            in_force_on=date.fromisoformat(row["in_force_on"]),
            last_day=date.fromisoformat(row["last_day"]),
            verified=row["verified"],
        )
        for row in _rows("former_acts")
    )


def _rows(name: str) -> csv.DictReader[str]:
    content = files(__package__).joinpath("data", f"{name}.csv").read_text(encoding="utf-8")
    return csv.DictReader(content.splitlines())


def _entry(jurisdiction: str, row: dict[str, str]) -> ActEntry:
    return ActEntry(
        id=row["id"],
        jurisdiction=jurisdiction.upper(),
        abbreviations=_by_language(row["abbreviations"]),
        titles=_by_language(row["titles"]),
        numbers=dict(pair.split("=", 1) for pair in _parts(row["numbers"])),
        aliases=_parts(row["aliases"]),
        adopted_on=date.fromisoformat(row["adopted_on"]) if row["adopted_on"] else None,
        top_unit=row["top_unit"] or "art",
        second_unit=row["second_unit"] or None,
        last_article=int(row["last_article"]) if row["last_article"] else None,
        keywords=_parts(row["keywords"]),
        verified=row["verified"],
    )


def _parts(cell: str) -> tuple[str, ...]:
    return tuple(part for part in cell.split("|") if part)


def _by_language(cell: str) -> dict[str, tuple[str, ...]]:
    names: dict[str, tuple[str, ...]] = {}
    for part in filter(None, cell.split(";")):
        language, _, forms = part.partition(":")
        names[language] = _parts(forms)
    return names
