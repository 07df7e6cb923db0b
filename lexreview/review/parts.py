"""The rows below a card, read once for a whole change or a whole page."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from lexreview.review.models import Card, CardCitation, Finding, Score
from lexreview.review.snapshot import citation_record, finding_record, rows_below, score_record

Records = dict[str, dict[str, Any]]
Changed = dict[str, dict[str, Any]]
OWN_FIELDS = ("note", "official_source")


class CardParts:
    """Scores, citations and findings of a card: one query each, when first asked for, and the same objects after.

    Whoever changes a card through its parts changes these objects, so that everything that follows sees the change.
    `watched`: remember what is read, so that `changes` can tell what became of it.
    """

    def __init__(self, card: Card, *, watched: bool = False) -> None:
        self.card = card
        self._before: dict[str, Records] | None = {"card": _own_fields_of(card)} if watched else None

    @cached_property
    def scores(self) -> list[Score]:
        return self._read("scores")

    @cached_property
    def citations(self) -> list[CardCitation]:
        """In text order, with what the layer said."""
        return self._read("citations")

    @cached_property
    def findings(self) -> list[Finding]:
        return self._read("findings")

    def take_over(self, kind: str, rows: Sequence[Any]) -> None:
        """Rows that were read together with the card, as they are now."""
        for row in rows:
            row.card = self.card
        setattr(self, kind, self._kept(kind, list(rows)))

    def _read(self, kind: str) -> list[Any]:
        return self._kept(kind, rows_below(self.card, kind))

    def _kept(self, kind: str, rows: list[Any]) -> list[Any]:
        if self._before is not None:
            self._before[kind] = _records_of(rows)
        return rows

    def rows(self) -> dict[str, Sequence[Any]]:
        """Each kind under its name in `snapshot.ROWS`."""
        return {"scores": self.scores, "citations": self.citations, "findings": self.findings}

    def score(self, criterion: str) -> Score | None:
        return next((row for row in self.scores if row.criterion == criterion), None)

    def citation(self, number: int) -> CardCitation:
        """Raises CardCitation.DoesNotExist for a number that the card does not have."""
        for row in self.citations:
            if row.number == number:
                return row
        raise CardCitation.DoesNotExist(number)

    def finding(self, number: int) -> Finding:
        """Raises Finding.DoesNotExist for a number that the card does not have."""
        for row in self.findings:
            if row.number == number:
                return row
        raise Finding.DoesNotExist(number)

    def findings_of(self, citation: CardCitation) -> list[Finding]:
        return [row for row in self.findings if row.citation_id == citation.pk]

    @property
    def next_finding_number(self) -> int:
        return max((row.number for row in self.findings), default=0) + 1

    @property
    def next_citation_number(self) -> int:
        return max((row.number for row in self.citations), default=0) + 1

    def records(self) -> dict[str, Records]:
        """Everything that a person can change on the card, as plain data under the names that people use."""
        return {
            "card": _own_fields_of(self.card),
            "scores": _records_of(self.scores),
            "citations": _records_of(self.citations),
            "findings": _records_of(self.findings),
        }

    def changes(self) -> tuple[Changed, Changed]:
        """For parts that are `watched`: what differs from when it was read, as it was and as it is. None stands for a
        row that was not there, or is there no longer."""
        before = self._before or {}
        after = {
            kind: _own_fields_of(self.card) if kind == "card" else _records_of(getattr(self, kind)) for kind in before
        }
        return changed_records(before, after)


def _own_fields_of(card: Card) -> Records:
    return {name: {"value": getattr(card, name)} for name in OWN_FIELDS}


def _records_of(rows: Iterable[Score | CardCitation | Finding]) -> Records:
    records: Records = {}
    for row in rows:
        if isinstance(row, Score):
            records[row.criterion] = score_record(row)
        elif isinstance(row, CardCitation):
            records[str(row.number)] = citation_record(row)
        else:
            records[str(row.number)] = finding_record(row)
    return records


def changed_records(before: dict[str, Records], after: dict[str, Records]) -> tuple[Changed, Changed]:
    """What differs between two states of a card, as it was and as it is; None for a row that is not there."""
    was: Changed = {}
    became: Changed = {}
    for kind in before:
        for name in before[kind].keys() | after[kind].keys():
            old, new = before[kind].get(name), after[kind].get(name)
            if old != new:
                was.setdefault(kind, {})[name] = old
                became.setdefault(kind, {})[name] = new
    return was, became
