"""What every source of law offers: search for acts or rulings, list editions, fetch one, parse it."""

from dataclasses import dataclass
from datetime import date
from typing import Protocol

from lexreview.law.parsed import ParsedAct, ParsedRuling
from lexreview.law.sources.fetch import Answer


@dataclass(frozen=True, slots=True)
class FoundAct:
    """A hit of a search. `identifier` is what `editions` takes."""

    identifier: str
    title: str
    in_force_on: date | None = None
    repealed_on: date | None = None


@dataclass(frozen=True, slots=True)
class EditionRef:
    """One text of an act that a source has. `address` is empty where it has no readable file of it."""

    act: str
    language: str
    valid_from: date
    valid_to: date | None
    address: str
    identifier: str = ""


class ActSource(Protocol):
    name: str
    hosts: frozenset[str]

    def search(self, text: str) -> list[FoundAct]: ...

    def editions(self, identifier: str) -> list[EditionRef]: ...

    def fetch(self, ref: EditionRef) -> Answer: ...

    def parse(self, answer: Answer, ref: EditionRef) -> ParsedAct: ...


class RulingSource(Protocol):
    name: str
    hosts: frozenset[str]

    def search(self, text: str) -> list[ParsedRuling]: ...
