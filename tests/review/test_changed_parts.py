"""Replies that bring only what an act can have changed: the page is then a fresh load, or the reply is whole."""

from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from lxml.html import fragments_fromstring

from lexreview.accounts.models import User
from lexreview.questions.models import Benchmark
from lexreview.review.actions import decide_score, set_note
from lexreview.review.models import Card
from tests.methodology.factories import make_decision
from tests.review.factories import make_card
from tests.review.model_prefilling import propose
from tests.review.sending import FORMS
from tests.review.swapping import comparable, parsed, renewed, swapped
from tests.review.test_model_on_card import MIXED
from tests.review.test_views_saving import fresh, page_of

pytestmark = pytest.mark.django_db
WHOLE = {"undo", "ask_ruling"}
"""What these do stands all over the page."""


def htmx_on(version: int) -> dict[str, str]:
    return {"HX-Request": "true", "Page-Version": str(version)}


@pytest.fixture
def begun(card: Card, reviewer: User, now: datetime) -> Card:
    """A card in review: its first save changes what may be done with it."""
    return set_note(card=card, note="Begun.", version=card.version, by=reviewer, now=now)


def address_of(card: Card, number: int = 1) -> str:
    return reverse("review:card", args=[card.pk]) + f"?citation={number}"


@pytest.mark.parametrize("with_opinion", [False, True], ids=["plain", "with a model's opinion"])
@pytest.mark.parametrize("blind", [False, True], ids=["", "without proposals"])
@pytest.mark.parametrize("name", FORMS)
def test_the_parts_of_a_reply_make_the_old_page_a_fresh_one(
    reviewers_client: Client, begun: Card, name: str, with_opinion: bool, blind: bool, now: datetime
) -> None:
    Benchmark.objects.update(masks_systems=False)
    if blind:
        Card.objects.update(blind=True)
    card = propose(begun, MIXED, now=now) if with_opinion else fresh(begun)
    old = page_of(reviewers_client, address_of(card))
    sent = FORMS[name](card)

    reply = reviewers_client.post(sent.address, sent.fields, headers=htmx_on(card.version))

    if reply.status_code != 200:
        assert blind, reply.content.decode()[:2000]
        return
    new = page_of(reviewers_client, address_of(card))
    assert reply["HX-Replace-Url"] == address_of(card)
    assert (reply.get("HX-Reswap") == "none") == (name.split()[0] not in WHOLE)
    page = swapped(old, reply.content)
    assert comparable(renewed(page)) == comparable(parsed(new))
    assert f"Saved, version {card.version + 1}" in reply.content.decode()


def test_answers_with_tools_too(reviewers_client: Client, reviewer: User, now: datetime) -> None:
    card = make_card(condition="W1", assigned_to=reviewer)
    card = set_note(card=card, note="Begun.", version=card.version, by=reviewer, now=now)
    old = page_of(reviewers_client, address_of(card))
    form = {"version": card.version, "selected": 1, "form_key": "k", "official_source": "secondary_only"}

    reply = reviewers_client.post(
        reverse("review:official_source", args=[card.pk]), form, headers=htmx_on(card.version)
    )

    assert reply["HX-Reswap"] == "none"
    assert comparable(renewed(swapped(old, reply.content))) == comparable(
        parsed(page_of(reviewers_client, address_of(card)))
    )


def test_a_reply_with_few_parts_is_short_and_takes_few_queries(reviewers_client: Client, begun: Card) -> None:
    sent = FORMS["decide_score"](begun)

    with CaptureQueriesContext(connection) as captured:
        reply = reviewers_client.post(sent.address, sent.fields, headers=htmx_on(begun.version))

    page = page_of(reviewers_client, address_of(begun))
    assert b'id="criterion-A-R"' in reply.content
    assert b'id="criterion-B1"' not in reply.content
    assert b'id="answer"' not in reply.content
    assert len(reply.content) < len(page) / 4
    asked = [
        each["sql"] for each in captured if not each["sql"].startswith(("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE"))
    ]
    lock_of_the_chain = connection.vendor == "postgresql"
    assert len(asked) <= 10 + lock_of_the_chain


def test_a_reply_tells_what_the_decision_log_says_of_its_criterion(reviewers_client: Client, begun: Card) -> None:
    make_decision(slug=begun.benchmark.slug, decision="Half is half.", touches={"criteria": ["A-R"]})
    sent = FORMS["decide_score"](begun)

    reply = reviewers_client.post(sent.address, sent.fields, headers=htmx_on(begun.version))

    assert reply["HX-Reswap"] == "none"
    assert "Half is half." in reply.content.decode()


def test_a_reply_adds_its_line_to_the_history_and_sends_no_other(reviewers_client: Client, begun: Card) -> None:
    sent = FORMS["decide_score"](begun)

    reply = reviewers_client.post(sent.address, sent.fields, headers=htmx_on(begun.version))

    (added,) = [each for each in fragments_fromstring(reply.content.decode()) if each.get("id") == "history-lines"]
    assert [each.text_content() for each in added.xpath("li//span")] == ["rita decided A-R – → 1: Half of the core."]


@pytest.mark.parametrize("name", [name for name in FORMS if name not in WHOLE])
def test_a_page_of_another_version_gets_every_part(reviewers_client: Client, begun: Card, name: str) -> None:
    sent = FORMS[name](begun)

    reply = reviewers_client.post(sent.address, sent.fields, headers=htmx_on(begun.version - 1))

    assert "HX-Reswap" not in reply
    assert b'id="criteria"' in reply.content


def test_the_first_save_gets_every_part(reviewers_client: Client, card: Card) -> None:
    sent = FORMS["note"](card)

    reply = reviewers_client.post(sent.address, sent.fields, headers=htmx_on(card.version))

    assert "HX-Reswap" not in reply


def test_a_repeat_of_a_form_that_came_through_gets_its_parts(reviewers_client: Client, begun: Card) -> None:
    """The first reply was lost, so the page still shows the version before."""
    sent = FORMS["note"](begun)
    old = page_of(reviewers_client, address_of(begun))
    reviewers_client.post(sent.address, sent.fields, headers=htmx_on(begun.version))

    reply = reviewers_client.post(sent.address, sent.fields, headers=htmx_on(begun.version))

    assert reply["HX-Reswap"] == "none"
    new = parsed(page_of(reviewers_client, address_of(begun)))
    assert comparable(renewed(swapped(old, reply.content))) == comparable(new)


def test_what_somebody_else_changed_meanwhile_is_not_taken_for_seen(
    reviewers_client: Client, begun: Card, reviewer: User, lead: User, now: datetime
) -> None:
    """What is asked for stands already, so there is no conflict; but the page lacks the colleague's note."""
    card = decide_score(
        card=begun,
        criterion="A-R",
        points=Decimal(1),
        evidence="Half of the core.",
        version=begun.version,
        by=reviewer,
        now=now,
    )
    sent = FORMS["decide_score"](card)
    set_note(card=card, note="Read § 2 again.", version=card.version, by=lead, now=now)

    reply = reviewers_client.post(sent.address, sent.fields, headers=htmx_on(card.version))

    assert reply.status_code == 200
    assert "HX-Reswap" not in reply
    assert "Read § 2 again." in reply.content.decode()


@pytest.mark.parametrize("raw", [False, True])
@pytest.mark.parametrize("way", ["open", "choose"])
def test_choosing_a_citation_brings_what_depends_on_it(
    reviewers_client: Client, begun: Card, way: str, raw: bool
) -> None:
    tail = "&raw=1" if raw else ""
    old = page_of(reviewers_client, address_of(begun) + tail)
    headers: Any = htmx_on(begun.version)

    if way == "open":
        opening = reverse("review:open_citation", args=[begun.pk, 3])
        reply = reviewers_client.post(opening, {"raw": "1"} if raw else {}, headers=headers)
    else:
        reply = reviewers_client.get(address_of(begun, 3) + tail, headers=headers)

    assert reply["HX-Reswap"] == "none"
    assert reply["HX-Replace-Url"] == address_of(begun, 3) + tail
    assert b'id="criteria"' not in reply.content
    new = parsed(page_of(reviewers_client, address_of(begun, 3) + tail))
    assert comparable(renewed(swapped(old, reply.content))) == comparable(new)


def test_choosing_on_a_page_of_an_older_version_brings_every_part(
    reviewers_client: Client, begun: Card, lead: User, now: datetime
) -> None:
    set_note(card=begun, note="Read § 2 again.", version=begun.version, by=lead, now=now)

    reply = reviewers_client.get(address_of(begun, 3), headers=htmx_on(begun.version))

    assert "HX-Reswap" not in reply
    assert "Read § 2 again." in reply.content.decode()


def test_the_reply_varies_with_the_version_shown(reviewers_client: Client, begun: Card) -> None:
    reply = reviewers_client.get(address_of(begun), headers=htmx_on(begun.version))

    assert "Page-Version" in reply["Vary"]
