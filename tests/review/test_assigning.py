"""Giving out cards: ticked ones, batches with a split shown before, and the rights of it."""

from collections import Counter
from datetime import datetime

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from lexreview.accounts.models import User
from lexreview.accounts.rules import NotAllowed
from lexreview.core.workflow import Role
from lexreview.ledger.models import Event
from lexreview.review.actions import approve_card, assign_cards
from lexreview.review.actions.giving_out import assign_batch
from lexreview.review.batches import BatchChanged, BatchOrder, BatchPlan
from lexreview.review.models import Batch, Card
from tests.factories import make_user
from tests.review.factories import fill_card, make_card, make_many_cards
from tests.review.swapping import parsed

pytestmark = pytest.mark.django_db
BATCHES = "/review/batches/"


def order(card: Card, *people: User, **fields: object) -> BatchOrder:
    return BatchOrder(benchmark=card.benchmark, people=people, **({"filters": {}, "seed": 5, "count": 4} | fields))  # type: ignore[arg-type]


def test_every_assignment_is_an_event_and_many_cost_few_queries(lead: User, reviewer: User, now: datetime) -> None:
    cards = make_many_cards(30)

    with CaptureQueriesContext(connection) as few:
        assign_cards(cards={card.pk: reviewer for card in cards[:3]}, by=lead, now=now)
    with CaptureQueriesContext(connection) as many:
        changed = assign_cards(cards={card.pk: reviewer for card in cards}, by=lead, now=now)

    assert (changed, len(many)) == (27, len(few))
    events = Event.objects.filter(verb="assign").in_order()
    assert [event.object_id for event in events] == [card.ledger_id for card in cards]
    assert {(event.actor, event.after["assigned_to"]) for event in events} == {("lena", "rita")}
    assert set(Card.objects.values_list("assigned_to__username", "claimed_until")) == {("rita", None)}
    for card in Card.objects.all():
        event = Event.objects.get(verb="assign", object_id=card.ledger_id)
        assert card.version == event.after["version"]


def test_assigning_is_for_leads_and_to_assessors(
    lead: User, reviewer: User, operator: User, colleague: User, now: datetime
) -> None:
    card = make_card()

    with pytest.raises(NotAllowed):
        assign_cards(cards={card.pk: reviewer}, by=reviewer, now=now)
    with pytest.raises(NotAllowed, match="olek does not review"):
        assign_cards(cards={card.pk: operator}, by=lead, now=now)

    assert not Event.objects.filter(verb="assign").exists()


def test_approved_cards_are_passed_over(lead: User, reviewer: User, colleague: User, now: datetime) -> None:
    card = fill_card(make_card(), by=reviewer, now=now)
    approve_card(card=card, version=card.version, confirm_unchecked=True, by=reviewer, now=now)

    assert assign_cards(cards={card.pk: colleague}, by=lead, now=now) == 0


def test_a_lead_gives_ticked_cards_to_somebody_and_takes_them_back(client: Client, lead: User, reviewer: User) -> None:
    cards = [make_card(), make_card(system="boron-2")]
    client.force_login(lead)
    page = parsed(client.get("/review/", {"pile": "unassigned", "question": "P04"}).content.decode())
    ticks = page.xpath("//form[@id='assign']//input[@name='card']/@value")
    query = page.xpath("//form[@id='assign']//input[@name='query']/@value")[0]
    form = {"card": ticks, "query": query}

    given = client.post(reverse("review:assign_cards"), {**form, "person": "rita"}, follow=True)
    assert "2 cards changed hands." in given.content.decode()
    assert given.redirect_chain == [("/review/?pile=unassigned&question=P04", 302)]
    assert set(Card.objects.values_list("assigned_to", flat=True)) == {reviewer.pk}

    client.post(reverse("review:assign_cards"), {**form, "person": ""})
    assert set(Card.objects.values_list("assigned_to", flat=True)) == {None}
    assert sorted(ticks) == sorted(str(card.pk) for card in cards)


@pytest.mark.parametrize("form", [{}, {"card": "x"}, {"card": ["1", "y"]}, {"card": "9" * 30}])
def test_a_form_without_ticks_or_with_wrong_ones_says_so(client: Client, lead: User, form: dict[str, object]) -> None:
    client.force_login(lead)

    reply = client.post(reverse("review:assign_cards"), form, follow=True)

    assert reply.status_code == 200
    assert 'class="message error' in reply.content.decode()


def test_reviewers_get_no_ticks_and_outsiders_reach_nothing(
    client: Client, reviewer: User, outsider: User, lead: User
) -> None:
    card = make_card()
    form = {"card": [str(card.pk)], "person": "rita"}
    client.force_login(reviewer)
    assert 'name="card"' not in client.get("/review/?pile=all").content.decode()
    assert client.post(reverse("review:assign_cards"), form).status_code == 403
    assert client.get(BATCHES).status_code == 404
    assert client.get(BATCHES, {"benchmark": card.benchmark.slug}).status_code == 403
    client.force_login(outsider)
    client.post(reverse("review:assign_cards"), form)
    assert client.get(BATCHES, {"benchmark": card.benchmark.slug}).status_code == 404
    card.refresh_from_db()
    assert card.assigned_to is None


def test_b8_a_batch_is_balanced_over_systems_and_questions(
    lead: User, reviewer: User, colleague: User, now: datetime
) -> None:
    systems = ("argon-4", "boron-2")
    cards = [make_card(code=f"P{n}", citations=(), system=system) for n in range(4) for system in systems]

    plan = BatchPlan(order(cards[0], reviewer, colleague, count=8), by=lead, now=now)

    assert [(hand.cards, hand.by_system, hand.questions) for hand in plan.hands] == [(4, [2, 2], 4)] * 2
    half = BatchPlan(order(cards[0], reviewer, count=None, share=0.5), by=lead, now=now)
    assert Counter(item.column for item in half.dealt[reviewer]) == {"Argon-4": 2, "Boron-2": 2}
    assert len({item.row for item in half.dealt[reviewer]}) == 4


def test_b8_the_same_seed_gives_the_same_split(lead: User, reviewer: User, colleague: User, now: datetime) -> None:
    first = make_many_cards(6)[0]

    prints = [
        BatchPlan(order(first, reviewer, colleague, seed=seed), by=lead, now=now).fingerprint for seed in (1, 1, 2)
    ]

    assert prints[0] == prints[1] != prints[2]


def test_b8_the_dry_run_gives_nothing_out_and_the_second_step_what_was_shown(
    client: Client, lead: User, reviewer: User, colleague: User
) -> None:
    cards = make_many_cards(6)
    client.force_login(lead)
    asked = {"benchmark": cards[0].benchmark.slug, "count": "4", "seed": "9", "person": ["rita", "karl"]}

    shown = client.get(BATCHES, asked)
    page = parsed(shown.content.decode())
    assert Card.objects.filter(assigned_to=None).count() == 6
    assert [row.xpath("string(td[1])") for row in page.xpath("//section[@id='split']//tbody/tr")] == ["2", "2"]
    form = page.xpath("//section[@id='split']//form")[0]
    sent: dict[str, list[str]] = {}
    for field in form.xpath(".//input[@name!='csrfmiddlewaretoken']"):
        sent.setdefault(field.get("name"), []).append(field.get("value"))
    replies = [client.post(BATCHES, sent, follow=True) for _click in range(2)]

    for done in replies:
        assert "4 cards were given out." in done.content.decode()
    held = Counter(Card.objects.filter(assigned_to__isnull=False).values_list("assigned_to__username", flat=True))
    assert held == {"rita": 2, "karl": 2}
    event = Event.objects.get(verb="assign_batch")
    [key] = sent["form_key"]
    said, _dot, _digest = event.after.pop("form").partition(".")
    assert said == key
    assert event.after == {
        "batch": 1, "masks_systems": False, "filters": {}, "seed": 9, "cards": {"karl": 2, "rita": 2}, "of": 6,
    }  # fmt: skip
    assert Event.objects.filter(verb="assign", reason="batch 1, seed 9", after__batch=1).count() == 4
    batch = Batch.objects.get()
    assert (batch.number, batch.size, batch.seed, batch.given_by, batch.cards.count()) == (1, 4, 9, lead, 4)


def test_a_split_that_changed_meanwhile_is_shown_again(
    client: Client, lead: User, reviewer: User, now: datetime
) -> None:
    cards = make_many_cards(3)
    plan = BatchPlan(order(cards[0], reviewer, count=3), by=lead, now=now)
    assign_cards(cards={cards[1].pk: reviewer}, by=lead, now=now)
    client.force_login(lead)
    sent = {
        "benchmark": cards[0].benchmark.slug,
        "count": "3",
        "seed": "5",
        "person": ["rita"],
        "fingerprint": plan.fingerprint,
    }

    reply = client.post(BATCHES, sent)

    assert reply.status_code == 409
    assert "Meanwhile other cards are free" in reply.content.decode()
    with pytest.raises(BatchChanged):
        assign_batch(
            plan=BatchPlan(order(cards[0], reviewer, count=3), by=lead, now=now),
            fingerprint=plan.fingerprint,
            by=lead,
            now=now,
        )
    assert Card.objects.filter(assigned_to=None).count() == 2


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"count": "4", "share": "50"}, "one of the two"),
        ({"count": ""}, "one of the two"),
        ({"count": "0"}, "greater than or equal to 1"),
        ({"person": []}, "required"),
        ({"person": ["olek"]}, "not one of the available choices"),
        ({"seed": "x"}, "whole number"),
    ],
)
def test_an_order_that_makes_no_sense_says_where(
    client: Client, lead: User, operator: User, wrong: dict[str, object], said: str
) -> None:
    card = make_card()
    client.force_login(lead)
    good = {"benchmark": card.benchmark.slug, "count": "1", "seed": "1", "person": ["lena"]}

    reply = client.get(BATCHES, {**good, **wrong})

    assert reply.status_code == 422
    assert said in reply.content.decode()


def test_a_lead_of_one_benchmark_gives_out_nothing_of_another(client: Client, lead: User) -> None:
    elsewhere = make_user("lars", roles=(Role.LEAD,), benchmark="norland-01")
    card = make_card()
    client.force_login(elsewhere)

    client.post(reverse("review:assign_cards"), {"card": [str(card.pk)], "person": "lars"})

    card.refresh_from_db()
    assert card.assigned_to is None
