"""What parsers return and importers take: plain records of acts, editions, units, amendments and rulings."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import NamedTuple


class UnreadableSource(ValueError):
    """A file or an answer is not what its reader expects; the message says what was expected and what was found."""


@dataclass(slots=True)
class ParsedUnit:
    """One unit. `number` is the label as printed, `text` stands before the children, `closing` behind them.

    `range_end` is the last number of a printed range ("28f" of "Art. 28d–28f"), else empty.
    """

    key: str
    level: str
    number: str = ""
    heading: str = ""
    text: str = ""
    closing: str = ""
    notes: list[str] = field(default_factory=list)
    eid: str = ""
    range_end: str = ""
    is_repealed: bool = False
    children: list["ParsedUnit"] = field(default_factory=list)


class PlacedUnit(NamedTuple):
    """A unit with its place: `position` in text order from 0, that of its last descendant, and of its parent."""

    unit: ParsedUnit
    position: int
    last_position: int
    parent_position: int | None


@dataclass(frozen=True, slots=True)
class ParsedName:
    kind: str
    value: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class ParsedAmendment:
    """`units` is None while nobody has read which units the amending act names. `kind` as in `Amendment.Kind`."""

    amending_eli: str
    promulgated_on: date | None = None
    effective_on: date | None = None
    units: tuple[str, ...] | None = None
    instructions: tuple[dict[str, object], ...] | None = None
    citation: str = ""
    force_note: str = ""
    source_url: str = ""
    kind: str = "amendment"


@dataclass(frozen=True, slots=True)
class ParsedEdition:
    """One text of an act. `valid_from` is None where the file does not say it and the importer must be told."""

    act: str
    language: str
    valid_from: date | None
    units: tuple[ParsedUnit, ...]
    sha256: str
    valid_to: date | None = None
    standing: str = "official"
    extent: str = "whole"
    identifier: str = ""
    promulgated_on: date | None = None
    source_url: str = ""
    note: str = ""
    fetched_at: datetime | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ParsedAct:
    """An act with whatever of it one source gave: names, dates, editions, amendments."""

    eli: str
    jurisdiction: str
    titles: dict[str, str] = field(default_factory=dict)
    names: tuple[ParsedName, ...] = ()
    adopted_on: date | None = None
    in_force_on: date | None = None
    repealed_on: date | None = None
    force_note: str = ""
    source_url: str = ""
    note: str = ""
    journal: str = ""
    identifiers: dict[str, str] = field(default_factory=dict)
    editions: tuple[ParsedEdition, ...] = ()
    amendments: tuple[ParsedAmendment, ...] = ()


@dataclass(frozen=True, slots=True)
class ParsedRuling:
    jurisdiction: str
    court: str
    docket: str
    decided_on: date | None
    language: str
    sha256: str
    ecli: str = ""
    form: str = ""
    title: str = ""
    theses: tuple[str, ...] = ()
    text: str = ""
    cited_law: tuple[str, ...] = ()
    source: str = ""
    source_url: str = ""


@dataclass(frozen=True, kw_only=True)
class Coverage:
    """One line of what a source of rulings holds; see the model `SourceCoverage`."""

    source: str
    jurisdiction: str
    court: str
    covered_from: date | None = None
    covered_to: date | None = None
    is_complete: bool = False
    checked_on: date | None = None
    note: str = ""


def as_reconstructed(edition: ParsedEdition) -> ParsedEdition:
    """An edition that somebody rebuilt: whatever its file copies from an official one, no official page holds it."""
    return replace(edition, standing="reconstructed", source_url="")


def sha256_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def place(units: Sequence[ParsedUnit]) -> list[PlacedUnit]:
    """All units of a forest in text order with their places."""
    found: list[ParsedUnit] = []
    parents: list[int | None] = []
    last: list[int] = []

    def visit(unit: ParsedUnit, parent: int | None) -> None:
        position = len(found)
        found.append(unit)
        parents.append(parent)
        last.append(position)
        for child in unit.children:
            visit(child, position)
        last[position] = len(found) - 1

    for unit in units:
        visit(unit, None)
    places = enumerate(zip(found, last, parents, strict=True))
    return [PlacedUnit(unit, position, end, parent) for position, (unit, end, parent) in places]


def walk(units: Sequence[ParsedUnit]) -> Iterator[ParsedUnit]:
    """Every unit of a forest in text order."""
    return (entry.unit for entry in place(units))


def full_text(unit: ParsedUnit) -> str:
    """The text of a unit with everything under it, one line per block, labels of the sub-units as printed."""
    lines = [unit.text]
    for child in unit.children:
        head = " ".join(part for part in (child.number, child.heading) if part)
        lines.append(f"{head} {full_text(child)}".strip())
    lines.append(unit.closing)
    return "\n".join(line for line in lines if line)
