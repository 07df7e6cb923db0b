"""Who may see the review pages and who may change a card, for every address of the room."""

from datetime import datetime

import pytest
from django.test import Client
from django.urls import reverse

from lexreview.accounts.models import User
from lexreview.ledger.models import Event
from lexreview.review.models import Card
from lexreview.review.urls import urlpatterns
from tests.review.factories import fill_card
from tests.review.sending import ALL, FORMS

pytestmark = pytest.mark.django_db
PAGES = ("card", "previous_card", "next_card", "following_card", "beside")
OWN_PAGES = {"queue", "take_next", "bulk", "keys", "switch_keys", "citation_order"}
CHANGED_STATE = {"undo", "approve", "revise", "unpark", "give_ruling", "remove_finding", "official_source"}
AROUND_THE_QUEUE = {  # tested with the pages they belong to
    "queue", "take_next", "keep_view", "forget_view", "assign_cards", "release_claims", "my_decisions", "progress",
    "set_masking", "batches", "mask_batch", "beat", "recompute", "prefill", "prefill_by_model",
}  # fmt: skip


def state_of(card: Card) -> tuple[int, str, int]:
    card.refresh_from_db()
    return card.version, card.state, Event.objects.count()


def test_every_address_of_the_room_is_in_these_tests() -> None:
    own = OWN_PAGES | AROUND_THE_QUEUE
    tested = {name.split()[0] for name in ALL} | set(PAGES) | CHANGED_STATE | own

    assert {pattern.name for pattern in urlpatterns} == tested


def test_anonymous_people_are_sent_to_sign_in(client: Client, card: Card) -> None:
    before = state_of(card)

    for name, form in ALL.items():
        response = client.post(form(card).address, form(card).fields)
        assert response.status_code == 302, name
        assert response["Location"].startswith(reverse("account_login")), name
    assert state_of(card) == before


@pytest.mark.parametrize(("who", "status"), [("outsider", 404), ("operator", 403), ("colleague", 403)])
def test_nobody_else_changes_a_card(
    request: pytest.FixtureRequest, client: Client, card: Card, who: str, status: int
) -> None:
    """Outsiders do not learn that the card exists; members lack the role, or the card is assigned to somebody else."""
    client.force_login(request.getfixturevalue(who))
    before = state_of(card)

    for name, form in ALL.items():
        assert client.post(form(card).address, form(card).fields).status_code == status, name
    assert state_of(card) == before


@pytest.mark.parametrize("name", ALL)
def test_the_reviewer_and_the_lead_may(client: Client, card: Card, lead: User, name: str) -> None:
    reviewer = card.assigned_to
    assert reviewer is not None
    client.force_login(lead if name == "take" else reviewer)
    before = state_of(card)
    sent = ALL[name](card)

    response = client.post(sent.address, sent.fields)

    assert response.status_code == 302, response.content.decode()[:3000]
    assert state_of(card) != before


def test_reading_an_address_of_a_form_is_not_allowed(reviewers_client: Client, card: Card) -> None:
    for name, form in ALL.items():
        assert reviewers_client.get(form(card).address).status_code == 405, name


@pytest.mark.parametrize("name", PAGES)
def test_pages_of_a_card_are_closed_to_outsiders(client: Client, card: Card, outsider: User, name: str) -> None:
    address = reverse(f"review:{name}", args=[card.pk])
    assert client.get(address).status_code == 302

    client.force_login(outsider)

    assert client.get(address).status_code == 404
    assert client.post(address).status_code == 405


def test_looking_never_writes(reviewers_client: Client, card: Card) -> None:
    before = state_of(card)
    address = reverse("review:card", args=[card.pk])

    for query in ("", "?citation=1", "?citation=3", "?citation=99", "?citation=x", "?raw=1"):
        for headers in ({}, {"HX-Request": "true"}, {"HX-Request": "true", "HX-History-Restore-Request": "true"}):
            assert reviewers_client.get(address + query, headers=headers).status_code == 200
    assert reviewers_client.get(reverse("review:queue")).status_code == 200

    assert state_of(card) == before
    assert not card.citations.filter(opened_at__isnull=False).exists()


@pytest.mark.parametrize("who", ["operator", "colleague"])
def test_who_may_only_read_gets_no_form(client: Client, card: Card, operator: User, colleague: User, who: str) -> None:
    client.force_login({"operator": operator, "colleague": colleague}[who])

    page = client.get(reverse("review:card", args=[card.pk])).content.decode()

    assert 'name="verdict"' not in page
    assert 'id="approve"' not in page
    assert "decide it" in page or "assigned to" in page


def test_an_approved_card_is_read_only_until_opened_again(reviewers_client: Client, card: Card, now: datetime) -> None:
    reviewer = card.assigned_to
    assert reviewer is not None
    card = fill_card(card, by=reviewer, now=now)
    approve = reverse("review:approve", args=[card.pk])
    assert reviewers_client.post(approve, {"version": card.version, "confirm_unchecked": "on"}).status_code == 302
    card.refresh_from_db()
    assert card.state == "approved"

    before = state_of(card)
    for name, form in FORMS.items():
        reviewers_client.post(form(card).address, form(card).fields)
        assert state_of(card) == before, name
    revise = reverse("review:revise", args=[card.pk])
    assert reviewers_client.post(revise, {"version": card.version, "reason": "B1 was wrong."}).status_code == 302

    card.refresh_from_db()
    assert (card.state, card.revision) == ("in_review", 1)
