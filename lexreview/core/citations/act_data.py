"""Reads the package's registries of acts: one CSV file per jurisdiction.

Columns: ``abbreviations`` and ``titles`` as ``lang:form|form;lang:form`` (an empty language means any), ``numbers`` as
``scheme=number|scheme=number``, ``aliases`` and ``keywords`` with ``|``. ``verified`` says what confirms a row: ``act``
(title and number), ``number`` (the number only), ``text`` (the newest consolidated text), empty = from memory. The
columns ``second_unit``, ``last_article`` and ``keywords`` only help to choose between acts and are never verified.
"""

from __future__ import annotations

import csv
from datetime import date
from functools import cache
from importlib.resources import files

from lexreview.core.citations.act_entry import ActEntry

REGISTRIES = ("pl", "eu", "ch", "it")


@cache
def registry_of(name: str) -> tuple[ActEntry, ...]:
    """The acts of one registry file, in file order. Raises ``KeyError`` for a registry that does not exist."""
    if name not in REGISTRIES:
        raise KeyError(name)
    content = files(__package__).joinpath("data", f"{name}.csv").read_text(encoding="utf-8")
    return tuple(_entry(name, row) for row in csv.DictReader(content.splitlines()))


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
