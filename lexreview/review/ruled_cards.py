"""What the page of a decision says of cards: on which it was asked for, and which are looked at again because of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from lexreview.accounts.models import User
from lexreview.methodology.decision_sections import DecisionSection, add_decision_section
from lexreview.methodology.models import Decision
from lexreview.methodology.naming import touched_cards
from lexreview.methodology.rules import can_decide
from lexreview.review.models import Card, RecheckMark, RulingRequest


@dataclass(frozen=True, slots=True)
class RuledCard:
    """`name`: the identifier of its answer, as far as the person may read it; `words`: what was asked on the card, or
    why it is to be looked at again."""

    card: Card
    name: str
    words: str


@dataclass(frozen=True, slots=True)
class RuledCards:
    """`again`: cards marked for the decision, `done` once they were approved since. `leads`: may mark others."""

    decision: Decision
    asked: Sequence[RuledCard]
    again: Sequence[RuledCard]
    done: Sequence[RuledCard]
    leads: bool


def ruled_cards_section(decision: Decision, user: User) -> DecisionSection | None:
    """Only cards that the person may see; for leads also without any, for the way to those that it may touch."""
    visible = Card.objects.visible_to(user).filter(queue_benchmark__slug=decision.benchmark_slug)
    asked = list(RulingRequest.objects.filter(decision=decision, card__in=visible).in_order())
    marks = list(RecheckMark.objects.filter(decision=decision, card__in=visible).in_order())
    leads = can_decide(user, decision.benchmark_slug)
    if not (asked or marks or leads):
        return None
    pks = {row.card_id for row in asked} | {row.card_id for row in marks}
    cards = {card.pk: card for card in Card.objects.filter(pk__in=pks).with_list_data()} if pks else {}
    identifiers = [card.answer.identifier for card in cards.values()]
    named = touched_cards(user, decision.benchmark_slug, identifiers)
    names = {pk: each.name for pk, each in zip(cards, named, strict=True)}

    def line(row: RulingRequest | RecheckMark) -> RuledCard:
        words = row.question if isinstance(row, RulingRequest) else row.reason
        return RuledCard(cards[row.card_id], names[row.card_id], words)

    content = RuledCards(
        decision=decision,
        asked=[line(row) for row in asked],
        again=[line(row) for row in marks if row.done_at is None],
        done=[line(row) for row in marks if row.done_at is not None],
        leads=leads,
    )
    return DecisionSection("review/_ruled_cards.html", content)


add_decision_section(position=10, make=ruled_cards_section)
