"""A card, citation or finding that is deleted between the moment it is found and the write: 404 with a way on."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.exceptions import ObjectDoesNotExist
from django.db import IntegrityError
from django.test import Client, RequestFactory
from django.urls import reverse

from lexreview.accounts.models import User
from lexreview.review.lead_urls import urlpatterns as lead_patterns
from lexreview.review.models import Card, CardCitation, Finding
from lexreview.review.urls import urlpatterns
from lexreview.review.views import citations, findings, gone, rendering
from tests.review.sending import ALL
from tests.review.swapping import parsed

pytestmark = pytest.mark.django_db(transaction=True)
POSTED = {"version": "1", "reason": "Gone.", "active": "20", "order": "text", "kind": "criterion", "target": "B1"}


@pytest.fixture
def vanishing(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Callable[[], Any]]]:
    """What is put in here happens once, as soon as a card was read and found to be shown to the person."""
    deletions: list[Callable[[], Any]] = []
    is_shown = rendering.is_shown

    def shown_and_deleted(card: Card, person: User) -> bool:
        shown = is_shown(card, person)
        while deletions:
            deletions.pop()()
        return shown

    monkeypatch.setattr(rendering, "is_shown", shown_and_deleted)
    yield deletions
    assert not deletions, "no card was looked for"


def delete(card: Card) -> None:
    Finding.objects.filter(card=card).delete()
    Card.objects.filter(pk=card.pk).delete()


@pytest.mark.parametrize("name", ALL)
def test_a_form_of_a_card_that_is_called_off_meanwhile(
    client: Client, card: Card, lead: User, vanishing: list[Callable[[], Any]], name: str
) -> None:
    client.force_login(lead if name == "take" else card.assigned_to)
    vanishing.append(lambda: delete(card))

    sent = ALL[name](card)
    reply = client.post(sent.address, sent.fields)

    assert reply.status_code == 404
    assert not Card.objects.exists()


def test_opening_a_citation_of_such_a_card_says_what_happened_and_leads_on(
    client: Client, card: Card, vanishing: list[Callable[[], Any]]
) -> None:
    client.force_login(card.assigned_to)
    vanishing.append(lambda: delete(card))

    reply = client.post(reverse("review:open_citation", args=[card.pk, 1]))

    page = parsed(reply.content.decode())
    assert reply.status_code == 404
    assert page.xpath("string(//h1)").strip() == "This card is no longer there"
    assert reverse("review:queue") in page.xpath("//main//a/@href")


OF_CARDS = [each for each in (*urlpatterns, *lead_patterns) if "cards/<int:pk>/" in str(each.pattern)]


@pytest.mark.parametrize("pattern", OF_CARDS, ids=lambda each: each.name)
@pytest.mark.parametrize("method", ["get", "post"])
def test_every_address_of_a_card(
    client: Client, card: Card, lead: User, vanishing: list[Callable[[], Any]], pattern: Any, method: str
) -> None:
    """Whatever it does, a card that goes away under it is no error of the server."""
    route = str(pattern.pattern)
    room = "rounds" if pattern in lead_patterns else "review"
    values = {"number": 1, "finding": 1, "code": "B1"}
    named = {name: value for name, value in values.items() if f":{name}>" in route}
    address = reverse(f"{room}:{pattern.name}", kwargs={"pk": card.pk, **named})
    for person in (lead, card.assigned_to):
        client.force_login(person)
        vanishing[:] = [lambda: delete(card)] if Card.objects.exists() else []

        reply = getattr(client, method)(address, POSTED if method == "post" else {})

        assert reply.status_code < 500
        assert reply.status_code != 404 or not Card.objects.exists()
        if vanishing:
            assert reply.status_code in (403, 405)
            vanishing.clear()


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("open_citation", lambda card: CardCitation.objects.filter(card=card, number=4)),
        ("accept_finding", lambda card: Finding.objects.filter(card=card, number=2)),
    ],
)
def test_a_citation_or_finding_that_is_taken_back_meanwhile(
    client: Client, card: Card, monkeypatch: pytest.MonkeyPatch, name: str, row: Callable[[Card], Any]
) -> None:
    """It is there when the address is looked up, and gone when the action begins."""
    client.force_login(card.assigned_to)
    module, number = (citations, 4) if name == "open_citation" else (findings, 2)
    ordinary = getattr(module, name)

    def deleted_before(**values: Any) -> Any:
        row(card).delete()
        return ordinary(**values)

    monkeypatch.setattr(module, name, deleted_before)

    reply = client.post(reverse(f"review:{name}", args=[card.pk, number]), {"version": card.version, "selected": 1})

    page = parsed(reply.content.decode())
    assert reply.status_code == 404
    assert "is no longer there" in page.xpath("string(//h1)")
    assert reverse("review:card", args=[card.pk]) in page.xpath("//main//a/@href")


@pytest.mark.parametrize("error", [IntegrityError("a constraint"), ObjectDoesNotExist("something else")])
def test_the_same_error_of_a_card_that_is_whole_is_an_error(card: Card, rf: RequestFactory, error: Exception) -> None:
    def broken(request: Any, pk: int) -> Any:
        raise error

    [pattern] = gone.pages_of_cards([urlpatterns[0].__class__(urlpatterns[0].pattern, broken)])

    with pytest.raises(type(error)):
        pattern.callback(rf.get("/"), pk=card.pk)
