"""A form that pages offer on some cards only can be sent for any card: it is refused with a reason, never an error."""

import re
from datetime import datetime
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from lexreview.accounts.models import User
from lexreview.core.workflow import CardState, Round
from lexreview.review.actions.adjudicating import begin_adjudication
from lexreview.review.actions.repeating import bring_back_all
from lexreview.review.actions.second_review import RoundRefused, cancel_second_review
from lexreview.review.lead_urls import urlpatterns as lead_patterns
from lexreview.review.models import Card
from lexreview.review.urls import urlpatterns
from tests.review.factories import make_card
from tests.review.rounds import adjudicating, ask, fresh, review
from tests.review.sending import NEW_FINDING

pytestmark = pytest.mark.django_db
POSTED = {
    **NEW_FINDING, "reason": "A reason.", "question": "A question?", "note": "A note.", "verdict": "state:confirmed",
    "points": "1", "evidence": "Evidence.", "quote": "file number", "official_source": "opened", "active": "20",
    "order": "text", "kind": "criterion", "target": "B1", "take": "1", "entry": "new", "decision": "A decision.",
    "confirm_unchecked": "1", "selected": "1",
}  # fmt: skip


def addresses(card: Card) -> list[str]:
    """Of every page and form of the card."""
    found = []
    for space, patterns in (("review", urlpatterns), ("rounds", lead_patterns)):
        for pattern in patterns:
            names = re.findall(r"<(?:\w+:)?(\w+)>", str(pattern.pattern))
            if str(pattern.pattern).startswith("cards/"):
                known = {"pk": card.pk, "number": 1, "finding": 1, "code": "B1"}
                found.append(reverse(f"{space}:{pattern.name}", kwargs={name: known[name] for name in names}))
    return found


@pytest.fixture
def cards(card: Card, reviewer: User, colleague: User, lead: User, now: datetime) -> dict[str, Card]:
    """One of each round: a first review that waits for its seat, and another one whose conflict is being settled."""
    Card.objects.filter(pk=card.pk).update(to_repeat=True)
    waiting = review(card, by=reviewer, now=now)
    [repeat] = bring_back_all(benchmark=card.benchmark, by=lead, now=now)
    [seat] = ask(colleague, by=lead, card=waiting, now=now)
    first, second = adjudicating(make_card(code="P05"), first=reviewer, second=colleague, lead=lead, now=now)
    made = begin_adjudication(card=first, by=lead, now=now)
    every = {"first": waiting, "seat": seat, "repeat": repeat, "differing": first, "second": second, "made": made}
    assert {each.round for each in every.values()} == set(Round) - {Round.REHEARSAL}
    return {name: fresh(each) for name, each in every.items()}


@pytest.mark.parametrize("name", ["first", "seat", "repeat", "differing", "second", "made"])
@pytest.mark.parametrize("person", ["lead", "colleague"])
def test_no_form_of_a_card_fails_on_a_card_of_any_round(
    client: Client, request: pytest.FixtureRequest, cards: dict[str, Card], name: str, person: str
) -> None:
    client.force_login(request.getfixturevalue(person))
    card = cards[name]

    def replied(address: str, fields: dict[str, Any]) -> int:
        with transaction.atomic():
            status = client.post(address, fields).status_code
            transaction.set_rollback(True)
        return status

    replies = {each: replied(each, {**POSTED, "version": card.version}) for each in addresses(card)}

    assert len(replies) > 35
    assert set(replies.values()) <= {200, 204, 302, 400, 403, 404, 405, 409, 422}


def test_a_second_review_is_called_off_by_its_seat_too(cards: dict[str, Card], lead: User, now: datetime) -> None:
    first = cancel_second_review(card=cards["seat"], reason="Asked by mistake.", by=lead, now=now)

    assert first.pk == cards["first"].pk
    assert first.state == CardState.APPROVED
    assert not Card.objects.filter(pk=cards["seat"].pk).exists()


@pytest.mark.parametrize("name", ["repeat", "made"])
def test_a_card_outside_the_rounds_of_a_review_calls_nothing_off(
    cards: dict[str, Card], name: str, lead: User, now: datetime
) -> None:
    with pytest.raises(RoundRefused, match="belongs to no second review"):
        cancel_second_review(card=cards[name], reason="Asked by mistake.", by=lead, now=now)
