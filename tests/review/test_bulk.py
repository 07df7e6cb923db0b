"""Confirming identical citations together, and approving cards of which everything is sure."""

from datetime import datetime
from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from lexreview.accounts.models import User
from lexreview.core.workflow import CitationState
from lexreview.ledger.models import Event
from lexreview.review.actions import (
    InvalidCitation,
    NotSure,
    accept_proposals,
    approve_sure_card,
    confirm_in_bulk,
    decide_citation,
    set_note,
)
from lexreview.review.models import Card, Score
from lexreview.review.snapshot import record_of
from lexreview.review.sure import sure_cards_of
from lexreview.review.verdicts import call_wrong
from tests.review.factories import CITATIONS, make_card
from tests.review.swapping import parsed

pytestmark = pytest.mark.django_db
IDENTICAL = CITATIONS[-1:]


def make_sure_card(assigned_to: User | None, code: str = "P04") -> Card:
    """A card with one identical citation and a proposal for everything, as a recomputed one has."""
    card = make_card(code=code, citations=IDENTICAL, assigned_to=assigned_to)
    Score.objects.filter(card=card, not_applicable=False).update(proposed=Decimal(1), proposed_evidence="As before.")
    return card


def test_only_identical_citations_are_confirmed_and_counted_apart(reviewer: User, now: datetime) -> None:
    card = make_card()

    card = confirm_in_bulk(card=card, version=card.version, by=reviewer, now=now)

    assert {row.number: row.in_bulk for row in card.citations.filter(state=CitationState.CONFIRMED)} == {7: True}
    assert [row.get("in_bulk") for row in record_of(card)["citations"]] == [None] * 6 + [True]
    with pytest.raises(InvalidCitation, match="in bulk"):
        confirm_in_bulk(card=card, version=card.version, by=reviewer, now=now)


@pytest.mark.parametrize("change", [{"quotation": ""}, {"quotation_match": "differs"}, {"result": "ambiguous"}])
def test_what_carries_a_content_claim_or_differs_is_not_confirmed_in_bulk(
    reviewer: User, now: datetime, change: dict[str, str]
) -> None:
    card = make_card(citations=IDENTICAL)
    checked = card.citations.get().checked
    assert checked is not None
    for name, value in change.items():
        setattr(checked, name, value)
    checked.save()

    with pytest.raises(InvalidCitation):
        confirm_in_bulk(card=card, version=card.version, by=reviewer, now=now)


def test_a_citation_called_wrong_is_not_confirmed_in_bulk(reviewer: User, now: datetime) -> None:
    card = make_card(citations=IDENTICAL)
    card = call_wrong(card=card, number=1, error_class="T", version=card.version, by=reviewer, now=now)

    with pytest.raises(InvalidCitation):
        confirm_in_bulk(card=card, version=card.version, by=reviewer, now=now)


def test_deciding_a_citation_alone_takes_it_out_of_the_bulk(reviewer: User, now: datetime) -> None:
    card = make_card()
    card = confirm_in_bulk(card=card, version=card.version, by=reviewer, now=now)
    card = decide_citation(
        card=card, number=7, state=CitationState.UNDETERMINED, version=card.version, by=reviewer, now=now
    )

    assert card.citations.get(number=7).in_bulk is False


def test_database_refuses_a_bulk_mark_on_what_is_not_confirmed(db: None) -> None:
    card = make_card()

    with pytest.raises(IntegrityError), transaction.atomic():
        card.citations.filter(number=7).update(in_bulk=True)


def test_the_list_on_the_page_names_them_and_one_form_confirms(reviewers_client: Client, card: Card) -> None:
    page = parsed(reviewers_client.get(reverse("review:card", args=[card.pk])).content)
    form = page.get_element_by_id("form-identical")
    assert "Confirm 1 identical" in form.text_content() and "Citation 7: unit" in form.text_content()

    reply = reviewers_client.post(form.get("action"), dict(form.form_values()), headers={"HX-Request": "true"})

    assert 'id="form-identical"' not in reply.content.decode()
    assert "in bulk" in reviewers_client.get(reverse("review:card", args=[card.pk]) + "?citation=7").content.decode()
    assert "confirmed in bulk the citations 7" in reply.content.decode()


def test_sure_cards_are_approved_together(reviewers_client: Client, reviewer: User, colleague: User) -> None:
    cards = [make_sure_card(reviewer, code="P01"), make_sure_card(None, code="P02")]
    make_sure_card(colleague, code="P03")
    make_card(code="P05", assigned_to=reviewer)
    page = parsed(reviewers_client.get(reverse("review:bulk")).content)
    offered = page.xpath("//input[@name='card']/@value")
    assert offered == [f"{card.pk}:{card.version}" for card in cards]

    reply = reviewers_client.post(reverse("review:bulk"), {"card": offered}, follow=True)

    assert "2 cards were approved." in reply.content.decode()
    for card in cards:
        card.refresh_from_db()
        assert (card.state, card.approved_by, card.citations.get().in_bulk) == ("approved", reviewer, True)
    verbs = [event.verb for event in Event.objects.about("card", cards[0].ledger_id).in_order()]
    assert verbs[-3:] == ["confirm_in_bulk", "accept_proposals", "approve"]


def test_a_card_changed_since_the_list_was_made_is_left(
    reviewers_client: Client, reviewer: User, lead: User, now: datetime
) -> None:
    card, other = make_sure_card(reviewer, code="P01"), make_sure_card(reviewer, code="P02")
    set_note(card=card, note="Wait.", version=card.version, by=lead, now=now)

    sent = {"card": [f"{card.pk}:{card.version}", f"{other.pk}:{other.version}", "x:y", "999:1"]}
    assert reviewers_client.post(reverse("review:bulk"), sent).status_code == 302
    sent["card"] = sent["card"][:2]
    reply = reviewers_client.post(reverse("review:bulk"), sent, follow=True)

    text = reply.content.decode()
    assert ("1 card was approved." in text, "1 card was changed meanwhile" in text) == (True, True)
    card.refresh_from_db()
    assert card.state != "approved"


def spoil_points(card: Card, by: User, now: datetime) -> None:
    card.scores.filter(criterion="A-R").update(decided=Decimal(2), evidence="x", decided_by=by, decided_at=now)


SPOILERS = {
    "a point without proposal": lambda card, by, now: card.scores.filter(criterion="A-R").update(proposed=None),
    "a proposal without evidence": lambda card, by, now: card.scores.filter(criterion="A-R").update(
        proposed_evidence=""
    ),
    "a changed point": spoil_points,
    "an error": lambda card, by, now: call_wrong(
        card=card, number=1, error_class="T", version=card.version, by=by, now=now
    ),
    "a citation that cannot be told": lambda card, by, now: decide_citation(
        card=card, number=1, state=CitationState.UNDETERMINED, version=card.version, by=by, now=now
    ),
    "another round": lambda card, by, now: Card.objects.filter(pk=card.pk).update(round=2),
}


@pytest.mark.parametrize("name", SPOILERS)
def test_a_card_with_anything_to_read_is_not_offered(reviewer: User, now: datetime, name: str) -> None:
    card = make_sure_card(reviewer)
    assert list(sure_cards_of(reviewer)) == [card]

    SPOILERS[name](card, reviewer, now)

    assert list(sure_cards_of(reviewer)) == []
    with pytest.raises(NotSure):
        approve_sure_card(card=card, version=card.version, by=reviewer, now=now)


def test_what_was_done_by_hand_as_proposed_is_still_sure(reviewer: User, now: datetime) -> None:
    card = make_sure_card(reviewer)
    card = accept_proposals(card=card, version=card.version, by=reviewer, now=now)
    card = confirm_in_bulk(card=card, version=card.version, by=reviewer, now=now)

    approved = approve_sure_card(card=card, version=card.version, by=reviewer, now=now)

    assert approved.state == "approved"


def test_bulk_page_is_for_the_people_of_the_benchmark(client: Client, reviewer: User, outsider: User) -> None:
    card = make_sure_card(reviewer)
    assert client.get(reverse("review:bulk")).status_code == 302
    client.force_login(outsider)

    assert f"{card.pk}:" not in client.get(reverse("review:bulk")).content.decode()
    client.post(reverse("review:bulk"), {"card": [f"{card.pk}:{card.version}"]})

    card.refresh_from_db()
    assert card.state == "prefilled"
