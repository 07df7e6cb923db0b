"""The page of the next card that a browser keeps: it is read without a trace and shown only while it is right."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from django.contrib import messages
from django.contrib.messages import get_messages
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.sessions.models import Session
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from lexreview.accounts.actions import grant_role
from lexreview.accounts.models import User
from lexreview.core.workflow import Role
from lexreview.ledger.models import Event
from lexreview.methodology.actions import DecisionDraft, publish_decision, write_decision
from lexreview.questions.models import Benchmark
from lexreview.review.actions import assign_card, open_citation, set_note
from lexreview.review.actions.giving_out import set_batch_masking
from lexreview.review.models import Attendance, Batch, Card, CardCitation, KeyChoice
from tests.review.factories import SLUG, fill_card, make_card
from tests.review.swapping import comparable, parsed, renewed, swapped
from tests.review.test_views_saving import fresh, page_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def following(card: Card, reviewer: User) -> Card:
    return make_card(code="P05", system="boron-2", assigned_to=reviewer)


def kept(client: Client, card: Card) -> Any:
    return client.get(reverse("review:following_card", args=[card.pk]))


def approved(client: Client, card: Card, *, by: User, now: datetime, keeps: Any) -> Any:
    """The reply to an approval by a browser that keeps the page that `keeps` brought."""
    done = fill_card(fresh(card), by=by, now=now)
    headers = {"HX-Request": "true", "Kept-Card": keeps["Kept-Card"], "Card-Stamp": keeps["Card-Stamp"]}
    form = {"version": done.version, "confirm_unchecked": "on", "raw": "1"}
    reply = client.post(reverse("review:approve", args=[card.pk]), form, headers=headers)
    assert reply.status_code == 200
    return reply


def test_the_kept_page_is_the_page_of_the_next_card(reviewers_client: Client, card: Card, following: Card) -> None:
    reply = kept(reviewers_client, card)

    assert reply["Kept-Card"] == str(following.pk)
    page = page_of(reviewers_client, reverse("review:card", args=[following.pk]))
    assert comparable(parsed(reply.content)) == comparable(parsed(page))
    assert "no-store" in reply["Cache-Control"]


def everything() -> list[list[Any]]:
    tables = [Event, Card, CardCitation, Attendance, Session]
    return [list(table.objects.order_by("pk").values()) for table in tables]  # type: ignore[attr-defined]


def test_keeping_a_page_writes_nothing(reviewers_client: Client, card: Card, following: Card) -> None:
    make_card(code="P06")
    before = everything()

    assert kept(reviewers_client, card).status_code == 200
    assert kept(reviewers_client, following).status_code == 200

    assert everything() == before


def test_a_free_card_is_neither_taken_nor_shown(reviewers_client: Client, card: Card) -> None:
    free = make_card(code="P05")
    before = everything()

    reply = kept(reviewers_client, card)

    assert (reply.status_code, reply.content) == (204, b"")
    assert everything() == before
    assert Card.objects.get(pk=free.pk).assigned_to is None


def test_a_colleagues_card_is_not_shown(reviewers_client: Client, card: Card, colleague: User) -> None:
    make_card(code="P05", assigned_to=colleague)

    assert kept(reviewers_client, card).status_code == 204


def test_messages_wait_for_a_page_that_is_shown(reviewers_client: Client, card: Card, following: Card) -> None:
    request = RequestFactory().get("/")
    request.session = reviewers_client.session
    storage = FallbackStorage(request)
    request._messages = storage  # type: ignore[attr-defined]
    messages.info(request, "Two cards changed hands.")
    reply = kept(reviewers_client, card)
    storage.update(reply)
    reviewers_client.cookies.update(reply.cookies)

    assert b"Two cards changed hands." not in kept(reviewers_client, card).content

    shown = reviewers_client.get(reverse("review:card", args=[following.pk]))
    assert b"Two cards changed hands." in shown.content
    assert [str(each) for each in get_messages(shown.wsgi_request)] == ["Two cards changed hands."]


def test_after_the_approval_the_kept_page_is_still_right(
    reviewers_client: Client, card: Card, following: Card, reviewer: User, now: datetime
) -> None:
    page = kept(reviewers_client, card)

    reply = approved(reviewers_client, card, by=reviewer, now=now, keeps=page)

    assert reply["Next-Card"] == reverse("review:card", args=[following.pk])
    assert reply.content == b""


def test_a_browser_that_keeps_another_page_gets_the_next_one(
    reviewers_client: Client, card: Card, following: Card, reviewer: User, now: datetime
) -> None:
    other = make_card(code="P06", assigned_to=reviewer)
    page = kept(reviewers_client, following)
    assert page["Kept-Card"] == str(other.pk)

    reply = approved(reviewers_client, card, by=reviewer, now=now, keeps=page)

    assert reply["Next-Card"] == reverse("review:card", args=[following.pk])
    assert comparable(parsed(reply.content)) == comparable(parsed(page_of(reviewers_client, reply["Next-Card"])))


def test_a_free_card_that_is_taken_comes_with_the_reply(
    reviewers_client: Client, card: Card, reviewer: User, now: datetime
) -> None:
    free = make_card(code="P05")

    reply = approved(reviewers_client, card, by=reviewer, now=now, keeps={"Kept-Card": "0", "Card-Stamp": ""})

    assert fresh(free).assigned_to == reviewer
    assert reply["Next-Card"] == reverse("review:card", args=[free.pk])
    assert comparable(parsed(reply.content)) == comparable(parsed(page_of(reviewers_client, reply["Next-Card"])))


def test_after_the_last_card_the_queue_is_opened(
    reviewers_client: Client, card: Card, reviewer: User, now: datetime
) -> None:
    reply = approved(reviewers_client, card, by=reviewer, now=now, keeps={"Kept-Card": "0", "Card-Stamp": ""})

    assert reply["HX-Redirect"].startswith(reverse("review:queue"))
    assert "Next-Card" not in reply


def _noted(card: Card, *, reviewer: User, lead: User, now: datetime, client: Client) -> None:
    set_note(card=card, note="Read § 2.", version=card.version, by=lead, now=now)


def _opened(card: Card, *, reviewer: User, lead: User, now: datetime, client: Client) -> None:
    open_citation(card=card, number=1, by=reviewer, now=now)


def _handed_over_and_back(card: Card, *, reviewer: User, lead: User, now: datetime, client: Client) -> None:
    assign_card(card=assign_card(card=card, to=lead, by=lead, now=now), to=reviewer, by=lead, now=now)


def _decided(card: Card, *, reviewer: User, lead: User, now: datetime, client: Client) -> None:
    draft = DecisionDraft(
        decided_on=now.date(), question="Q?", decision="Yes.", reason="R.", touches={"questions": ["P05"]}
    )
    entry = write_decision(benchmark_slug=SLUG, draft=draft, by=lead, now=now)
    publish_decision(decision=entry, by=lead, now=now)


def _unmasked(card: Card, *, reviewer: User, lead: User, now: datetime, client: Client) -> None:
    Benchmark.objects.update(masks_systems=False)


def _made_lead(card: Card, *, reviewer: User, lead: User, now: datetime, client: Client) -> None:
    grant_role(user=reviewer, benchmark_slug=SLUG, role=Role.LEAD, by=lead, now=now)


def _other_keys(card: Card, *, reviewer: User, lead: User, now: datetime, client: Client) -> None:
    KeyChoice.objects.create(user=reviewer, keys={"agree": "z"}, single_keys=True)


def _other_order(card: Card, *, reviewer: User, lead: User, now: datetime, client: Client) -> None:
    client.post(reverse("review:citation_order", args=[card.pk]), {"order": "text"})


def _other_language(card: Card, *, reviewer: User, lead: User, now: datetime, client: Client) -> None:
    client.cookies["django_language"] = "de"


CHANGES = [
    _noted, _opened, _handed_over_and_back, _decided, _unmasked, _made_lead, _other_keys, _other_order, _other_language,
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_changes_the_page_changes_its_stamp(
    reviewers_client: Client,
    card: Card,
    following: Card,
    reviewer: User,
    lead: User,
    now: datetime,
    change: Callable[..., None],
) -> None:
    page = kept(reviewers_client, card)

    change(following, reviewer=reviewer, lead=lead, now=timezone.now(), client=reviewers_client)

    reply = approved(reviewers_client, card, by=reviewer, now=now, keeps=page)
    assert reply["Next-Card"] == reverse("review:card", args=[following.pk])
    assert comparable(parsed(reply.content)) == comparable(parsed(page_of(reviewers_client, reply["Next-Card"])))


def test_a_batch_that_masks_its_systems_meanwhile_changes_the_stamp(
    reviewers_client: Client, card: Card, following: Card, reviewer: User, lead: User, now: datetime
) -> None:
    Benchmark.objects.update(masks_systems=False)
    batch = Batch.objects.create(benchmark=card.benchmark, number=1, seed=1, size=1, given_by=lead, given_at=now)
    Card.objects.filter(pk=following.pk).update(batch=batch)
    page = kept(reviewers_client, card)
    assert b"Boron" in page.content

    set_batch_masking(batch=batch, masked=True, by=lead, now=now)

    shown = approved(reviewers_client, card, by=reviewer, now=now, keeps=page).content
    assert b"system masked" in shown and b"Boron" not in shown


def test_once_shown_the_page_learns_what_other_cards_did_to_it(
    reviewers_client: Client, card: Card, following: Card, reviewer: User, now: datetime
) -> None:
    page = kept(reviewers_client, card)
    approved(reviewers_client, card, by=reviewer, now=now, keeps=page)
    headers = {"HX-Request": "true", "Page-Version": str(following.version)}

    reply = reviewers_client.get(reverse("review:beside", args=[following.pk]), headers=headers)

    new = page_of(reviewers_client, reverse("review:card", args=[following.pk]))
    assert comparable(parsed(page.content)) != comparable(parsed(new))
    assert reply["HX-Reswap"] == "none"
    assert comparable(renewed(swapped(page.content, reply.content))) == comparable(parsed(new))


def test_a_page_that_was_changed_since_gets_every_part(
    reviewers_client: Client, card: Card, following: Card, lead: User, now: datetime
) -> None:
    set_note(card=following, note="Read § 2.", version=following.version, by=lead, now=now)
    headers = {"HX-Request": "true", "Page-Version": str(following.version)}

    reply = reviewers_client.get(reverse("review:beside", args=[following.pk]), headers=headers)

    assert "HX-Reswap" not in reply
    assert "Read § 2." in reply.content.decode()
