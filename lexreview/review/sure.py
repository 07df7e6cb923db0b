"""What code is so sure of that a person may say yes to several at once."""

from django.db.models import Exists, F, OuterRef, Q

from lexreview.accounts.models import User
from lexreview.core.methods.reference_card.facts import CheckResult
from lexreview.core.words import says_nothing
from lexreview.core.workflow import AnswerState, CardState, CitationState
from lexreview.review.models import PROPOSED_BY_MODEL, Card, CardCitation, Finding, FindingState, Score
from lexreview.review.models.card import CardQuerySet
from lexreview.review.parts import CardParts
from lexreview.verification.models import QuotationMatch

ALIVE = (FindingState.PROPOSED, FindingState.ACCEPTED)


def is_sure(row: Score) -> bool:
    """Whether the proposed points may be taken over together with others: code proposed them and says from what. What
    only a model proposed, and what stands there without evidence, a person decides one by one."""
    by_code = row.proposed is not None and row.proposed_by != PROPOSED_BY_MODEL
    return by_code and not says_nothing(row.proposed_evidence)


def is_identical(row: CardCitation) -> bool:
    """Unit, date and wording were found identical, and what the answer says of the source is a verbatim quotation.

    A citation without a quotation carries a claim about the content that only a reader can judge.
    """
    checked = row.checked
    return (
        checked is not None
        and checked.result == CheckResult.CONFIRMED
        and bool(checked.quotation)
        and checked.quotation_match == QuotationMatch.EXACT
    )


def can_be_confirmed_in_bulk(row: CardCitation, parts: CardParts) -> bool:
    """Whether nobody has decided the citation, code found it identical, and no finding hangs on it."""
    alive = any(finding.state in ALIVE for finding in parts.findings_of(row))
    return row.state == CitationState.UNCHECKED and is_identical(row) and not alive and not parts.card.blind


def sure_cards(cards: CardQuerySet) -> CardQuerySet:
    """Those of which every point is proposed with evidence and unchanged, every citation is identical or confirmed, and
    nothing is called an error: what a person may approve from a list. What only a model proposed is not sure."""
    of_card = {"card": OuterRef("pk")}
    identical = Q(
        state=CitationState.UNCHECKED,
        checked__result=CheckResult.CONFIRMED,
        checked__quotation_match=QuotationMatch.EXACT,
    ) & ~Q(checked__quotation="")
    applicable = Score.objects.filter(**of_card, not_applicable=False)
    unsure_points = applicable.filter(
        Q(proposed=None)
        | Q(decided=None, proposed_evidence="")
        | Q(decided=None, proposed_by=PROPOSED_BY_MODEL)
        | (Q(decided__isnull=False) & ~Q(decided=F("proposed")))
    )
    unsure_citations = CardCitation.objects.filter(**of_card).exclude(identical | Q(state=CitationState.CONFIRMED))
    return cards.filter(
        Exists(applicable),
        ~Exists(unsure_points),
        ~Exists(unsure_citations),
        ~Exists(Finding.objects.filter(**of_card, state__in=ALIVE)),
        state__in=[CardState.PREFILLED, CardState.IN_REVIEW],
        answer__state__in=[AnswerState.ANSWERED, AnswerState.EMPTY],
        round=1,
    )


def sure_cards_of(user: User) -> CardQuerySet:
    """Those that the person may decide: their own, and nobody's."""
    cards = Card.objects.visible_to(user).filter(Q(assigned_to=user) | Q(assigned_to=None))
    return sure_cards(cards).in_queue_order()
