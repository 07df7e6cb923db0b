"""What the page of a decision says of cards: on which it was asked for, which are looked at again because of it, and
which it governs with their questions."""

from collections.abc import Sequence
from dataclasses import dataclass

from lexreview.accounts.models import User
from lexreview.core.workflow import Round
from lexreview.methodology.decision_sections import DecisionSection, add_decision_section
from lexreview.methodology.models import Decision
from lexreview.methodology.naming import touched_cards
from lexreview.methodology.rules import can_decide
from lexreview.review.models import Card, RecheckMark, RulingRequest
from lexreview.review.models.card import CardQuerySet
from lexreview.review.rulings import AT_MOST


@dataclass(frozen=True, slots=True)
class RuledCard:
    """`name`: the identifier of its answer, as far as the person may read it; `words`: what was asked on the card, or
    why it is to be looked at again."""

    card: Card
    name: str
    words: str


@dataclass(frozen=True, slots=True)
class RuledCards:
    """`again`: cards marked for the decision, `done` once they were approved since. `governed`: the first reviews of
    the questions that it names, at most AT_MOST; `others`: there are more. `leads`: may mark others."""

    decision: Decision
    asked: Sequence[RuledCard]
    again: Sequence[RuledCard]
    done: Sequence[RuledCard]
    governed: Sequence[RuledCard]
    others: bool
    leads: bool

    @property
    def questions(self) -> Sequence[str]:
        return questions_of(self.decision)


def ruled_cards_section(decision: Decision, user: User) -> DecisionSection | None:
    """Only cards that the person may see; for leads also without any, for the way to those that it may touch."""
    visible = Card.objects.visible_to(user).filter(queue_benchmark__slug=decision.benchmark_slug)
    asked = list(RulingRequest.objects.filter(decision=decision, card__in=visible).in_order())
    marks = list(RecheckMark.objects.filter(decision=decision, card__in=visible).in_order())
    leads = can_decide(user, decision.benchmark_slug)
    governed = governed_by(decision, visible)
    if not (asked or marks or governed or leads):
        return None
    pks = {row.card_id for row in asked} | {row.card_id for row in marks}
    cards = {card.pk: card for card in governed}
    if missing := pks - cards.keys():
        cards |= {card.pk: card for card in Card.objects.filter(pk__in=missing).with_list_data()}
    identifiers = [card.identifier for card in cards.values()]
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
        governed=[RuledCard(card, names[card.pk], "") for card in governed[:AT_MOST]],
        others=len(governed) > AT_MOST,
        leads=leads,
    )
    return DecisionSection("review/_ruled_cards.html", content)


def questions_of(decision: Decision) -> Sequence[str]:
    questions: Sequence[str] = decision.touches.get("questions", [])
    return questions


def governed_by(decision: Decision, cards: CardQuerySet) -> list[Card]:
    """Those of `cards` that are first reviews of the questions that the decision names, of which the page of each links
    the decision; one more than AT_MOST where there are more. No query where it names none."""
    if not questions_of(decision):
        return []
    found = cards.filter(queue_code__in=questions_of(decision), round=Round.FIRST)
    return list(found.with_list_data().in_queue_order()[: AT_MOST + 1])


add_decision_section(position=10, make=ruled_cards_section)
