"""Questions that reviewers put to the lead, their answers in the decision log, and the cards to be looked at again."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from lexreview.accounts.models import User
from lexreview.accounts.rules import NotAllowed
from lexreview.core.words import says_nothing
from lexreview.core.workflow import CardState, CardVerb, Round
from lexreview.ledger.actions import record_event
from lexreview.methodology.actions import DecisionDraft, write_decision
from lexreview.methodology.models import Decision
from lexreview.methodology.rules import check_can_decide
from lexreview.review.actions.returning import return_card
from lexreview.review.changing import change_card, locked_card
from lexreview.review.models import Card, RecheckMark, RulingRequest
from lexreview.review.rules import check_can_rule, siblings_of


def ask_ruling(*, card: Card, question: str, version: int, by: User, now: datetime) -> Card:
    """Put a question to the lead; the card waits for a decision of the log."""
    with change_card(
        card=card, verb="ask_ruling", version=version, by=by, now=now, reason=question, transition=CardVerb.ASK_RULING
    ) as change:
        change.card.ruling_question = question
        highest = RulingRequest.objects.filter(card=change.card).aggregate(highest=Max("number"))["highest"] or 0
        RulingRequest.objects.create(card=change.card, number=highest + 1, question=question, asked_by=by, asked_at=now)
        change.after = {"ruling_question": question}
    return change.card


def give_ruling(*, card: Card, decision: Decision, version: int, by: User, now: datetime) -> Card:
    """Answer the question with an entry of the decision log; the card goes back to its reviewer.

    The entry may be a draft: the card links it and cannot be approved before it is published. Raises NotAllowed for an
    entry of another benchmark.
    """
    if decision.benchmark_slug != card.benchmark.slug:
        raise NotAllowed(_("This entry belongs to the decision log of another benchmark."))
    with change_card(
        card=card,
        verb="give_ruling",
        version=version,
        by=by,
        now=now,
        reason=_("Decision %(number)s") % {"number": decision.number},
        transition=CardVerb.GIVE_RULING,
        check=check_can_rule,
    ) as change:
        request = RulingRequest.objects.filter(card=change.card).unanswered().order_by("-number").first()
        if request is None:
            highest = RulingRequest.objects.filter(card=change.card).aggregate(highest=Max("number"))["highest"] or 0
            asked = change.card.ruling_question
            request = RulingRequest(card=change.card, number=highest + 1, question=asked, asked_by=by, asked_at=now)
        request.decision, request.answered_by, request.answered_at = decision, by, now
        request.save()
        change.after = {"decision": decision.number}
    return change.card


@transaction.atomic
def rule_by_new_entry(*, card: Card, draft: DecisionDraft, version: int, by: User, now: datetime) -> Card:
    """Answer with a new draft of the decision log, to be worded and published there."""
    check_can_decide(by, card.benchmark.slug)
    locked_card(card)  # before the ledger is: whoever has the card waits for the ledger
    decision = write_decision(benchmark_slug=card.benchmark.slug, draft=draft, by=by, now=now)
    return give_ruling(card=card, decision=decision, version=version, by=by, now=now)


@transaction.atomic
def mark_for_recheck(
    *, decision: Decision, cards: Sequence[Card], reason: str, by: User, now: datetime
) -> list[RecheckMark]:
    """Have cards looked at again because of a decision, one event each; cards that are marked already are passed over.

    An approved card goes back to its reviewer; one that somebody works on is only marked, and so is one that was
    adjudicated. Raises NotAllowed for others than leads, ValueError without a reason.
    """
    check_can_decide(by, decision.benchmark_slug)
    if says_nothing(reason):
        raise ValueError(_("Say in one line why the cards have to be looked at again."))
    marks = []
    keys = [card.pk for card in cards]
    list(Card.objects.filter(pk__in=keys).select_for_update(of=("self",)).only("pk").order_by("pk"))
    for card in sorted(cards, key=lambda each: each.pk):
        current = locked_card(card)
        check_can_rule(by, current)
        if RecheckMark.objects.standing().filter(card=current, decision=decision).exists():
            continue
        marks.append(
            RecheckMark.objects.create(card=current, decision=decision, reason=reason, marked_by=by, marked_at=now)
        )
        if current.state == CardState.APPROVED and not _is_adjudicated(current):
            return_card(card=current, reason=reason, by=by, now=now, after={"decision": decision.number})
            continue
        record_event(
            by=by,
            verb="mark_for_recheck",
            object_type="card",
            object_id=current.ledger_id,
            after={"decision": decision.number},
            reason=reason,
            now=now,
        )
    return marks


def _is_adjudicated(card: Card) -> bool:
    return siblings_of(card).filter(round=Round.ADJUDICATED, state=CardState.APPROVED).exists()
