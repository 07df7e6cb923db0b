"""A person's own keys: changed, refused, switched off, shown."""

import pytest
from django.test import Client
from django.urls import reverse

from lexreview.accounts.models import User
from lexreview.ledger.models import Event
from lexreview.review.keyboard import Keyboard
from lexreview.review.keys import KEYS, is_free
from lexreview.review.models import Card, KeyChoice
from tests.review.swapping import parsed

pytestmark = pytest.mark.django_db
ADDRESS = "/review/keys/"


def fields(**changes: str) -> dict[str, str]:
    own = {key.does: key.key for key in KEYS if not key.fixed}
    return {**own, "single_keys": "on", **{name.replace("_", "-"): key for name, key in changes.items()}}


def test_d5_another_key_is_stored_and_shown_on_buttons_and_sheet(
    reviewers_client: Client, card: Card, reviewer: User
) -> None:
    reply = reviewers_client.post(ADDRESS, fields(agree="ż"))

    assert (reply.status_code, KeyChoice.objects.get(user=reviewer).keys) == (302, {"agree": "ż"})
    page = parsed(reviewers_client.get(reverse("review:card", args=[card.pk])).content)
    assert page.get_element_by_id("agree").xpath("./kbd/text()") == ["ż"]
    assert page.xpath("//div[@data-run='agree']/@data-key") == ["ż"]
    assert Event.objects.newest_first()[0].verb == "choose_keys"
    other = Client()
    other.force_login(User.objects.create(username="someone"))
    assert parsed(other.get(ADDRESS).content).get_element_by_id("id_agree").value == "a"


def test_the_same_keys_again_are_no_event_and_defaults_come_back(reviewers_client: Client, reviewer: User) -> None:
    reviewers_client.post(ADDRESS, fields(agree="ż"))
    events = Event.objects.count()
    reviewers_client.post(ADDRESS, fields(agree="ż"))
    assert Event.objects.count() == events

    reviewers_client.post(ADDRESS, {"defaults": "1"})

    assert Keyboard.of(reviewer).keys == KEYS


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"agree": "j"}, "two things at once"),
        ({"agree": "/"}, "Browsers need this key"),
        ({"agree": " "}, "Browsers need this key"),
        ({"agree": "F5"}, "Browsers need this key"),
        ({"agree": "ab"}, "Browsers need this key"),
        ({"agree": "Ctrl+t"}, "Browsers need this key"),
        ({"agree": "g"}, "two things at once"),
        ({"agree": "q x"}, "two things at once"),
        ({"agree": "g /"}, "Browsers need this key"),
        ({"agree": "g q x"}, "Browsers need this key"),
        ({"agree": "g Enter"}, "Browsers need this key"),
        ({"go_queue": "ż Q"}, ""),
        ({"park": "5"}, ""),
    ],
)
def test_d4_a_key_that_collides_or_is_the_browsers_is_refused(
    reviewers_client: Client, changes: dict[str, str], message: str
) -> None:
    reply = reviewers_client.post(ADDRESS, fields(**changes))

    assert reply.status_code == (422 if message else 302)
    assert message in reply.content.decode()
    assert KeyChoice.objects.exists() is not bool(message)


def test_a_criterion_key_may_be_a_citation_key_too(reviewers_client: Client) -> None:
    """They are never heard at the same time."""
    assert reviewers_client.post(ADDRESS, fields(rule="a")).status_code == 302


def test_a_key_of_the_registry_gives_way_to_one_that_a_person_chose_before_it(
    reviewers_client: Client, reviewer: User
) -> None:
    KeyChoice.objects.create(user=reviewer, keys={"agree": "l", "park": "g"})

    keyboard = Keyboard.of(reviewer)
    keys = {key.does: key.key for key in keyboard.keys}
    assert (keys["agree"], keys["next-open"], keys["park"]) == ("l", "", "g")
    assert [keys[does] for does in ("go-queue", "go-decisions", "go-log")] == ["", "", ""]
    assert "next-open" not in keyboard.signs
    page = parsed(reviewers_client.get(ADDRESS).content)
    assert (page.get_element_by_id("id_next-open").value, page.get_element_by_id("id_agree").value) == ("", "l")
    reviewers_client.post("/review/keys/switch/", {})
    assert KeyChoice.objects.get(user=reviewer).keys == {"agree": "l", "park": "g"}


def test_d3_switched_off_keys_are_off_on_the_page_and_leave_the_buttons(
    reviewers_client: Client, card: Card, reviewer: User
) -> None:
    reviewers_client.post(ADDRESS, fields(agree="ż"))
    off = reviewers_client.post("/review/keys/switch/", {}, headers={"HX-Request": "true"})

    keyboard = Keyboard.of(reviewer)
    assert (off.status_code, keyboard.is_on, keyboard.signs["undo"]) == (204, False, "Ctrl Z")
    page = parsed(reviewers_client.get(reverse("review:card", args=[card.pk])).content)
    assert page.get_element_by_id("agree").xpath("./kbd") == []
    assert page.get_element_by_id("keys-on").get("checked") is None
    assert reviewers_client.post("/review/keys/switch/", {"single_keys": "on"}).status_code == 302
    assert Keyboard.of(reviewer).is_on
    assert KeyChoice.objects.get(user=reviewer).keys == {"agree": "ż"}


def test_keys_need_a_person(client: Client) -> None:
    assert [client.get(ADDRESS).status_code, client.post(ADDRESS).status_code] == [302, 302]
    assert client.post("/review/keys/switch/").status_code == 302


def test_d6_every_button_of_the_page_that_a_key_presses_shows_it(reviewers_client: Client, card: Card) -> None:
    reviewers_client.post(reverse("review:note", args=[card.pk]), {"version": card.version, "note": "n"})
    page = parsed(reviewers_client.get(reverse("review:card", args=[card.pk]) + "?citation=1").content)
    signs = Keyboard().signs

    for element in page.xpath("//div[contains(@class, 'screen')]//*[@data-do]"):
        does = element.get("data-do")
        assert signs[does] in element.xpath(".//kbd/text()"), does


def test_free_keys_are_those_of_the_registry_and_no_others_that_browsers_use() -> None:
    assert all(is_free(key.key) for key in KEYS if not key.fixed)
    assert not any(is_free(key) for key in ["", "Tab", "F12", "PageDown", "Ctrl+w", "\t", "\n", "´´", "Shift"])
