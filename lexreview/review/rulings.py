"""Rulings asked for on cards: what blocks an approval, and which cards the same decision may touch."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from lexreview.accounts.models import User
from lexreview.core.methods.reference_card.approval import Missing, MissingKind
from lexreview.core.workflow import Round
from lexreview.methodology.models import Decision
from lexreview.review.models import Card, CardCitation, RecheckMark, RulingRequest, Score

AT_MOST = 200


def missing_rulings(card: Card) -> list[Missing]:
    """Entries of the decision log that answer a question on the card and are not published yet. No query where nothing
    was ever asked."""
    if not card.ruling_question:
        return []
    waiting = RulingRequest.objects.filter(card=card).waiting_for_publication().select_related("decision")
    return [
        Missing(
            MissingKind.RULING,
            "ruling",
            _("Decision %(number)s, which answers the question on this card, is not published yet.")
            % {"number": row.decision.number if row.decision else ""},
        )
        for row in waiting.in_order()
    ]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A card that a decision may touch, and why. `marked`: it is marked for this decision already."""

    card: Card
    reasons: Sequence[str]
    marked: bool


def cards_ruled_by(decision: Decision, *, user: User) -> list[Card]:
    """The cards on which the question was asked that the decision answers, and those it names."""
    named = decision.touches.get("cards", [])
    cards = Card.objects.visible_to(user).filter(queue_benchmark__slug=decision.benchmark_slug)
    asked = RulingRequest.objects.filter(decision=decision).values("card")
    found = cards.filter(Q(pk__in=asked) | Q(round=Round.FIRST, answer__in=_answers_named(cards, named)))
    return list(found.with_list_data().in_queue_order())


def recheck_candidates(decision: Decision, *, user: User) -> list[Candidate]:
    """First reviews with the same question, the same criterion or the same citation as the decision or the cards that
    it rules, those with most in common first; at most AT_MOST."""
    ruled = cards_ruled_by(decision, user=user)
    questions = {card.queue_code for card in ruled} | set(decision.touches.get("questions", []))
    criteria = list(decision.touches.get("criteria", []))
    cards = (
        Card.objects.visible_to(user)
        .filter(queue_benchmark__slug=decision.benchmark_slug, round=Round.FIRST)
        .exclude(pk__in=[card.pk for card in ruled])
    )
    units = _units_of(ruled)
    same_unit = dict.fromkeys(_citing(cards, units)) if units else {}
    scored = _scored(cards, criteria)
    wanted = cards.filter(Q(queue_code__in=questions) | Q(pk__in=list(same_unit)) | Q(pk__in=list(scored)))
    marked = set(RecheckMark.objects.standing().filter(decision=decision).values_list("card_id", flat=True))
    found = []
    for card in wanted.with_list_data().in_queue_order()[:AT_MOST]:
        reasons = []
        if card.queue_code in questions:
            reasons.append(_("same question"))
        if card.pk in same_unit:
            reasons.append(_("cites the same provision"))
        if card.pk in scored:
            reasons.append(_("scored by %(criteria)s") % {"criteria": ", ".join(sorted(scored[card.pk]))})
        found.append(Candidate(card, reasons, card.pk in marked))
    return sorted(found, key=lambda each: -len(each.reasons))


def _answers_named(cards: Any, names: Sequence[str]) -> list[int]:
    """Answers by their identifiers, which are not stored but made: those of the questions that the names begin with."""
    codes = {name.split("_", 1)[0] for name in names}
    rows = cards.filter(queue_code__in=codes, round=Round.FIRST).with_list_data()
    return [card.answer_id for card in rows if card.answer.identifier in names]


def _units_of(cards: Sequence[Card]) -> list[tuple[int, str]]:
    rows = CardCitation.objects.filter(card__in=cards, checked__act__isnull=False).exclude(checked__unit_key="")
    return list(rows.values_list("checked__act", "checked__unit_key").distinct().order_by())


def _citing(cards: Any, units: Sequence[tuple[int, str]]) -> list[int]:
    same = Q()
    for act, unit in units:
        same |= Q(checked__act=act, checked__unit_key=unit)
    return list(CardCitation.objects.filter(same, card__in=cards).values_list("card_id", flat=True).distinct())


def _scored(cards: Any, criteria: Sequence[str]) -> dict[int, set[str]]:
    if not criteria:
        return {}
    found: dict[int, set[str]] = {}
    rows = Score.objects.filter(card__in=cards, criterion__in=criteria, decided__isnull=False)
    for card, criterion in rows.values_list("card_id", "criterion"):
        found.setdefault(card, set()).add(criterion)
    return found
