"""From the text of an amending act to the orders that it gives for one act, and to and from what is stored of them."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from lexreview.law.parsed import ParsedUnit
from lexreview.law.polish.clauses import Clause, read_clauses
from lexreview.law.polish.entry import entry_of, read_day
from lexreview.law.polish.instructions import Instruction, interpret
from lexreview.law.polish.unit_lists import Segment

_HEAD = re.compile(r"W\s+(?:ustawie|rozporządzeniu|dekrecie|Kodeksie|rozporządzeniu\s+\w+)\b", re.IGNORECASE)
_JOURNAL = re.compile(r"\(\s*Dz\.\s?U\.(?P<inside>(?:[^()]|\([^()]*\))*)\)\s*")
_ADDRESS = re.compile(r"(?:z\s+(?P<year>\d{4})\s*r\.)?\s*poz\.\s*(?P<positions>\d+(?:(?:\s*,\s*|\s+i\s+)\d+)*)")
_TAIL = re.compile(r"\s+(?=(?:w|po|uchyla|dodaje|użyte|skreśla|wprowadza|art\.|§)\s)")


@dataclass(frozen=True, slots=True)
class AmendedAct:
    """How amending acts name an act: its identifier and those of its consolidated texts, its day, its title."""

    identifiers: frozenset[str]
    adopted_on: date | None
    title: str


def read_orders(
    content: bytes, *, amended: AmendedAct, in_force_on: date | None, force_note: str
) -> tuple[Instruction, ...]:
    """The orders of an amending act (its text in HTML) for one act, each with the day on which it takes effect.

    Empty where no clause names the act. UnreadableSource where the page has no text.
    """

    def day_of(key: str) -> date | None:
        entry = entry_of(force_note, key)
        return in_force_on if entry is None else entry.on

    orders: list[Instruction] = []
    for clause in read_clauses(content):
        text = _orders_text(clause, amended)
        if text is not None:
            orders += interpret(clause, text=text, day_of=day_of)
    return tuple(orders)


def _orders_text(clause: Clause, amended: AmendedAct) -> str | None:
    """The clause's text behind the name of the amended act; None where it names no act or another one."""
    if not _HEAD.match(clause.text):
        return None
    journal = _JOURNAL.search(clause.text)
    named = set(clause.addresses[:1]) | _addresses(journal["inside"] if journal else "", clause.text)
    head = clause.text[: journal.start()] if journal else clause.text
    by_title = (
        amended.adopted_on is not None and read_day(head) == amended.adopted_on and _same_title(head, amended.title)
    )
    if not (named & amended.identifiers or by_title):
        return None
    if journal:
        return clause.text[journal.end() :]
    tail = _TAIL.search(clause.text, len(clause.text.split(" r.")[0]))
    return clause.text[tail.end() :] if tail else ""


def _addresses(inside: str, text: str) -> set[str]:
    """The first journal position that a bracket names: the act or the consolidated text that the clause changes."""
    match = _ADDRESS.search(inside)
    if match is None:
        return set()
    year = match["year"] or (re.search(r"z\s+dnia\s+\d+\s+\w+\s+(\d{4})", text) or ["", ""])[1]
    return {f"DU/{year}/{re.split(r'[^0-9]', match['positions'])[0]}"}


def _same_title(head: str, title: str) -> bool:
    words = [word for word in re.findall(r"\w+", title.casefold()) if len(word) > 3 and not word.isdigit()]
    spoken = head.casefold()
    return bool(words) and sum(word[: max(4, len(word) - 3)] in spoken for word in words) >= 0.8 * len(words)


def to_record(instruction: Instruction) -> dict[str, Any]:
    """An order as plain data for storing."""
    return {
        "verb": instruction.verb,
        "targets": [[list(segment) for segment in target] for target in instruction.targets],
        "after": None if instruction.after is None else [list(segment) for segment in instruction.after],
        "where": instruction.where,
        "text": instruction.text,
        "effective_on": instruction.effective_on.isoformat() if instruction.effective_on else None,
        "units": [_unit_record(unit) for unit in instruction.units],
        "old": instruction.old,
        "new": instruction.new,
    }


def from_record(record: Mapping[str, Any]) -> Instruction:
    """An order from its stored form. KeyError or TypeError where the record is not one that `to_record` wrote."""
    return Instruction(
        verb=record["verb"],
        targets=tuple(tuple(Segment(*segment) for segment in target) for target in record["targets"]),
        where=record["where"],
        text=record["text"],
        effective_on=date.fromisoformat(record["effective_on"]) if record["effective_on"] else None,
        after=None if record["after"] is None else tuple(Segment(*segment) for segment in record["after"]),
        units=tuple(_unit_of(unit) for unit in record["units"]),
        old=record["old"],
        new=record["new"],
    )


_UNIT_FIELDS = ("key", "level", "number", "heading", "text", "closing", "range_end", "is_repealed")


def _unit_record(unit: ParsedUnit) -> dict[str, Any]:
    record = {name: getattr(unit, name) for name in _UNIT_FIELDS if getattr(unit, name)}
    if unit.children:
        record["children"] = [_unit_record(child) for child in unit.children]
    return record


def _unit_of(record: Mapping[str, Any]) -> ParsedUnit:
    fields = {name: record[name] for name in _UNIT_FIELDS if name in record}
    return ParsedUnit(**fields, children=[_unit_of(child) for child in record.get("children", ())])


def identifiers_of(numbers: Collection[str]) -> frozenset[str]:
    """Those of an act's numbers that are journal addresses such as DU/2024/1061."""
    return frozenset(number for number in numbers if re.fullmatch(r"(?:DU|MP)/\d{4}/\d+", number))
