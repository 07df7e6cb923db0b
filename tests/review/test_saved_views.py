"""Filters that a person keeps under a name."""

from urllib.parse import parse_qsl, urlencode

import pytest
from django.test import Client
from django.urls import reverse

from lexreview.accounts.models import User
from lexreview.ledger.models import Event
from lexreview.review.models import Card, SavedView
from tests.review.swapping import parsed

pytestmark = pytest.mark.django_db
KEEP = "/review/views/"


def views_on(page: bytes) -> list[tuple[str, str]]:
    links = parsed(page.decode()).xpath("//div[@id='views']/a")
    return [(link.text, link.get("href")) for link in links]


def test_b11_a_view_is_kept_for_the_person_and_nobody_else(
    client: Client, reviewer: User, colleague: User, card: Card
) -> None:
    client.force_login(reviewer)

    reply = client.post(KEEP, {"name": "Fees", "query": "pile=all&question=P04&after=abc&evil=1"})

    assert reply["Location"] == "/review/?pile=all&question=P04"
    assert views_on(client.get("/review/").content) == [("Fees", "?pile=all&question=P04")]
    client.force_login(colleague)
    assert views_on(client.get("/review/").content) == []
    event = Event.objects.get(verb="save_view")
    assert (event.actor, event.object_id, event.after) == ("rita", "rita/Fees", {"query": "pile=all&question=P04"})


def test_the_same_name_gets_the_new_filters_and_can_be_deleted(client: Client, reviewer: User) -> None:
    client.force_login(reviewer)
    for query in ("pile=all", "pile=parked", "pile=parked"):
        client.post(KEEP, {"name": "Mine", "query": query})

    assert list(SavedView.objects.values_list("name", "query")) == [("Mine", "pile=parked")]
    assert Event.objects.filter(verb="save_view").count() == 2
    client.post(reverse("review:forget_view"), {"name": "Mine", "query": "pile=parked"})
    client.post(reverse("review:forget_view"), {"name": "Mine"})
    assert not SavedView.objects.exists()
    assert Event.objects.filter(verb="delete_view").count() == 1


def test_nobody_deletes_a_view_of_somebody_else(client: Client, reviewer: User, colleague: User) -> None:
    SavedView.objects.create(person=colleague, name="Theirs", query="pile=all")
    client.force_login(reviewer)

    client.post(reverse("review:forget_view"), {"name": "Theirs"})

    assert SavedView.objects.count() == 1


@pytest.mark.parametrize("name", ["", "x" * 61])
def test_a_name_that_does_not_do_is_refused(client: Client, reviewer: User, name: str) -> None:
    client.force_login(reviewer)

    page = client.post(KEEP, {"name": name, "query": "pile=all"}, follow=True).content.decode()

    assert "Give the view a name" in page
    assert not SavedView.objects.exists()


def test_the_longest_filters_are_kept_whole(client: Client, reviewer: User) -> None:
    text = "\U00010348" * 200
    client.force_login(reviewer)

    reply = client.post(KEEP, {"name": "Gothic", "query": urlencode({"pile": "all", "text": text})})

    view = SavedView.objects.get()
    view.full_clean()
    assert reply["Location"] == f"/review/?{view.query}"
    assert dict(parse_qsl(view.query))["text"] == text


def test_too_many_views_are_refused(client: Client, reviewer: User) -> None:
    SavedView.objects.bulk_create([SavedView(person=reviewer, name=str(n), query="pile=all") for n in range(50)])
    client.force_login(reviewer)

    page = client.post(KEEP, {"name": "One more", "query": "pile=all"}, follow=True).content.decode()

    assert "You keep 50 views already" in page
    assert SavedView.objects.count() == 50
