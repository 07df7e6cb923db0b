"""The adjudicated card laid out from its reviews: what they agree on is taken over, what differs is left open.

Laying out again fills only what nobody touched: a thing that was chosen stays as it was chosen.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from lexreview.accounts.models import User
from lexreview.core.workflow import CitationState
from lexreview.review.differences import Item, Part, elements_named, items_of
from lexreview.review.models import (
    AdjudicatedReview,
    Card,
    CardCitation,
    Choice,
    Finding,
    FindingState,
    ItemKind,
    Score,
)

FINDING_FIELDS = (
    "error_class", "claim", "claim_start", "claim_end", "source_says", "checked_source", "checked_address",
    "checked_edition", "checked_on", "origin", "scope", "proposed_by",
)  # fmt: skip


def reviews_behind(card: Card) -> list[Card]:
    """The reviews of an adjudicated card, in the order in which they are compared."""
    rows = AdjudicatedReview.objects.filter(card=card).order_by("position")
    by_pk = {review.pk: review for review in Card.objects.with_answer().filter(adjudicated_in__card=card)}
    return [by_pk[row.review_id] for row in rows]


def merge(card: Card, reviews: Sequence[Card], *, by: User, now: datetime) -> list[Item]:
    """Write on the card what the reviews agree on, except where somebody chose. Returns the items as they were."""
    touched = set(Choice.objects.filter(card=card).values_list("kind", "target"))
    first = reviews[0]
    for row in first.scores.order_by("pk"):
        Score.objects.get_or_create(card=card, criterion=row.criterion, defaults={"not_applicable": row.not_applicable})
    items = items_of([*reviews, card])
    for item in items:
        *sides, made = item.parts
        if made is not None and (item.kind.value, target_of(item.kind, made)) in touched:
            continue
        agreed = not Item(item.kind, item.name, tuple(sides)).differs
        _WRITERS[item.kind](card, item, sides, made, agreed, by, now)
    for position, review in enumerate(reviews, start=1):
        AdjudicatedReview.objects.update_or_create(
            card=card, review=review, defaults={"position": position, "revision": review.revision}
        )
    return items


def target_of(kind: ItemKind, part: Part) -> str:
    """How a choice names what it is about on the adjudicated card."""
    match part:
        case Score():
            return part.criterion
        case CardCitation() | Finding():
            return str(part.number)
        case _:
            return ""


def _write_criterion(
    card: Card, item: Item, sides: Sequence[Any], made: Any, agreed: bool, by: User, now: datetime
) -> None:
    row = made or Score.objects.get(card=card, criterion=item.name)
    naming = next((side for side in sides if elements_named(side)), sides[0])
    take_score(row, naming if agreed else None)
    row.save()


def take_score(row: Score, side: Score | None) -> None:
    """What a review says of the criterion; None leaves it open."""
    taken = side if side is not None and side.decided is not None else None
    row.decided, row.details = (taken.decided, taken.details) if taken else (None, {})
    row.evidence, row.reason = (taken.evidence, taken.reason) if taken else ("", "")
    row.decided_by, row.decided_at = (taken.decided_by, taken.decided_at) if taken else (None, None)


def _write_citation(
    card: Card, item: Item, sides: Sequence[Any], made: Any, agreed: bool, by: User, now: datetime
) -> None:
    shown = next((side for side in sides if side is not None), None)
    if shown is None:
        return
    row = made or CardCitation(
        card=card,
        number=(card.citations.order_by("-number").values_list("number", flat=True).first() or 0) + 1,
        checked=shown.checked,
        start=shown.start,
        end=shown.end,
        raw=shown.raw,
    )
    row.opened_at = max((side.opened_at for side in sides if side and side.opened_at), default=row.opened_at)
    take_citation(row, sides[0] if agreed else None)
    row.save()


def take_citation(row: CardCitation, side: CardCitation | None) -> None:
    """What a review says of the citation; a review without it did not check it."""
    row.state = side.state if side else CitationState.UNCHECKED
    row.note = side.note if side else ""
    row.decided_by, row.decided_at = (side.decided_by, side.decided_at) if side else (None, None)


def _write_finding(
    card: Card, item: Item, sides: Sequence[Any], made: Any, agreed: bool, by: User, now: datetime
) -> None:
    shown: Finding | None = next((side for side in sides if side is not None), None)
    if shown is None:
        if made is not None:
            made.state, made.reason = FindingState.REMOVED, "no review has it any more"
            made.decided_by, made.decided_at = by, now
            made.save()
        return
    number = (card.findings.order_by("-number").values_list("number", flat=True).first() or 0) + 1
    row = made or Finding(card=card, number=number)
    take_finding(row, shown)
    if not agreed:
        row.state, row.decided_by, row.decided_at = FindingState.PROPOSED, None, None
    row.save()


def take_finding(row: Finding, side: Finding) -> None:
    """The finding as a review words it, counting."""
    for name in FINDING_FIELDS:
        setattr(row, name, getattr(side, name))
    where = (side.citation.start, side.citation.end) if side.citation else None
    places = {(each.start, each.end): each for each in row.card.citations.all()} if where else {}
    row.citation = places.get(where) if where else None
    row.state, row.reason = FindingState.ACCEPTED, ""
    row.decided_by, row.decided_at = side.decided_by, side.decided_at


def _write_official_source(
    card: Card, item: Item, sides: Sequence[Any], made: Any, agreed: bool, by: User, now: datetime
) -> None:
    card.official_source = sides[0] if agreed else ""
    card.save(update_fields=["official_source"])


_WRITERS = {
    ItemKind.CRITERION: _write_criterion,
    ItemKind.CITATION: _write_citation,
    ItemKind.FINDING: _write_finding,
    ItemKind.OFFICIAL_SOURCE: _write_official_source,
}
