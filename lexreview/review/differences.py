"""What the reviews of one answer say of the same things, side by side, and where they differ.

Points, citations, findings and the official source are compared; evidence and notes are not: two people may say the
same in other words. The label follows from the others. Elements are compared where two reviews name them; a review that
gives the same points and names none contradicts nobody.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lexreview.core.workflow import CitationState, Round
from lexreview.review.models import Card, CardCitation, Finding, FindingState, ItemKind, Score

Part = Score | CardCitation | Finding | str | None
Parts = tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that every card has, or could have. `parts`: that of each card in the order of the cards, None where a
    card has none. Criteria are named by `name`; the parts of the others say what they are."""

    kind: ItemKind
    name: str
    parts: Parts

    @property
    def differs(self) -> bool:
        values = {value_of(part, self.kind) for part in self.parts}
        named = {each for each in map(elements_named, self.parts) if each is not None}
        return len(values) > 1 or len(named) > 1


def items_of(cards: Sequence[Card]) -> list[Item]:
    """Criteria in order of the first card, then citations and findings in text order, then the official source."""
    return [*_criteria(cards), *_citations(cards), *_findings(cards), _official_source(cards)]


def differing(cards: Sequence[Card]) -> list[Item]:
    return [item for item in items_of(cards) if item.differs]


def value_of(part: Part, kind: ItemKind) -> Any:
    """What is compared of a part, but for elements. A citation that a card lacks is one that nobody checked there."""
    if part is None and kind is ItemKind.CITATION:
        return CitationState.UNCHECKED.value
    match part:
        case Score():
            return part.not_applicable, part.decided
        case CardCitation():
            return part.state
        case Finding():
            return (part.error_class, part.scope, part.origin) if part.state == FindingState.ACCEPTED else None
        case _:
            return part


def elements_named(part: Part) -> tuple[str, ...] | None:
    """The codes of the key's elements that the points were given for, sorted; none for no points. None where the points
    say nothing of elements."""
    if not isinstance(part, Score) or part.decided is None:
        return None
    codes = tuple(sorted(each for group in part.details.values() for each in group))
    return codes if codes or not part.decided else None


def _criteria(cards: Sequence[Card]) -> list[Item]:
    """Those that a person decides: a criterion by rule follows from the findings."""
    rows = [{row.criterion: row for row in card.scores.order_by("pk")} for card in cards]
    codes = dict.fromkeys(code for each in rows for code, row in each.items() if row.decided is not None)
    order = list(rows[0]) if rows else []
    codes_in_order = sorted(codes, key=lambda code: order.index(code) if code in order else len(order))
    return [Item(ItemKind.CRITERION, code, tuple(each.get(code) for each in rows)) for code in codes_in_order]


def _citations(cards: Sequence[Card]) -> list[Item]:
    """The same place and unit are the same citation."""
    found: dict[tuple[Any, ...], dict[int, CardCitation]] = {}
    for place, card in enumerate(cards):
        seen: dict[tuple[Any, ...], int] = {}
        for row in card.citations.in_text_order().with_result():
            where = (row.start, row.end, row.checked.unit_key if row.checked else "")
            seen[where] = seen.get(where, 0) + 1
            found.setdefault((*where, seen[where]), {})[place] = row
    return [
        Item(ItemKind.CITATION, "", tuple(rows.get(place) for place in range(len(cards))))
        for _where, rows in sorted(found.items(), key=lambda item: item[0])
    ]


def _findings(cards: Sequence[Card]) -> list[Item]:
    """A finding that counts goes with one of another card that overlaps it, rather with one of the same class.

    Of an adjudicated card every finding is looked at: there one that does not count is one that was refused.
    """
    groups: list[dict[int, Finding]] = []
    for place, card in enumerate(cards):
        whole = card.findings.exclude(state=FindingState.REMOVED)
        kept = whole if card.round == Round.ADJUDICATED else card.findings.standing()
        rows = list(kept.select_related("citation", "decided_by").order_by("claim_start", "number"))
        for same_class in (True, False):
            for row in list(rows):
                group = next((each for each in groups if _joins(row, each, place, same_class=same_class)), None)
                if group is not None:
                    group[place] = row
                    rows.remove(row)
        groups += [{place: row} for row in rows]
    groups.sort(key=lambda group: min((row.claim_start, row.claim_end) for row in group.values()))
    return [Item(ItemKind.FINDING, "", tuple(group.get(place) for place in range(len(cards)))) for group in groups]


def _joins(row: Finding, group: dict[int, Finding], place: int, *, same_class: bool) -> bool:
    return place not in group and any(
        overlaps(row, other) and (not same_class or row.error_class == other.error_class) for other in group.values()
    )


def overlaps(one: Finding, other: Finding) -> bool:
    return one.claim_start < other.claim_end and other.claim_start < one.claim_end


def _official_source(cards: Sequence[Card]) -> Item:
    return Item(ItemKind.OFFICIAL_SOURCE, "", tuple(card.official_source for card in cards))
