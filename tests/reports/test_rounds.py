"""What a publication takes of answers that were reviewed more than once."""

from datetime import datetime

import pytest

from lexreview.accounts.models import User
from lexreview.core.workflow import Role
from lexreview.questions.models import Question
from lexreview.reports.actions import publish
from lexreview.reports.gather import count_of_cards, gather
from lexreview.reports.layer_metrics import approved_cards
from lexreview.review.actions.adjudicating import begin_adjudication, choose, finish_adjudication
from lexreview.review.models import Card, ItemKind
from tests.factories import make_user
from tests.review.factories import make_card
from tests.review.rounds import adjudicating, ask, review

pytestmark = pytest.mark.django_db


@pytest.fixture
def colleague(db: None) -> User:
    return make_user("karl", roles=(Role.REVIEWER,))


def counted(card: Card) -> list[Card]:
    """What gathering takes of the answer; list, count and layer figures agree with it."""
    Question.objects.update(disclosure="published")
    cards = list(gather(card.benchmark).cards.values())
    assert count_of_cards(card.benchmark) == (len(cards), 1)
    assert approved_cards(card.benchmark) == cards
    return cards


def test_c1_a_card_in_a_blind_round_is_in_no_result(reviewer: User, colleague: User, lead: User, now: datetime) -> None:
    card = review(make_card(assigned_to=reviewer), by=reviewer, now=now)
    assert counted(card) == [card]

    [seat] = ask(colleague, by=lead, card=card, now=now)
    assert counted(card) == []
    review(seat, by=colleague, now=now)

    assert counted(card) == [card], "the reviews agree: the first counts, and only once"


def test_the_adjudicated_card_is_the_one_that_is_published(
    reviewer: User, colleague: User, lead: User, now: datetime
) -> None:
    card = make_card(assigned_to=reviewer)
    first, second = adjudicating(card, first=reviewer, second=colleague, lead=lead, now=now)
    assert counted(card) == []
    made = begin_adjudication(card=first, by=lead, now=now)
    made = choose(
        card=made, kind=ItemKind.CRITERION, target="B1", review=second, reason="By the rule.", version=made.version,
        by=lead, now=now,
    )  # fmt: skip
    finish_adjudication(card=made, reason="Settled.", version=made.version, by=lead, now=now)

    assert counted(card) == [made]
    publication = publish(benchmark=card.benchmark, note="First.", by=lead, now=now)
    [page] = publication.pages.filter(kind="card")
    assert "Evidence of karl for B1." in str(page.content)
    assert "Evidence of rita for B1." not in str(page.content)
    assert "First." not in str(page.content.get("note", ""))
