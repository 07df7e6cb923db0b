"""Which system answered stays hidden from reviewers until the card is approved, on every surface."""

import re
from datetime import datetime

import pytest
from django.test import Client
from django.urls import reverse

from lexreview.accounts.models import User
from lexreview.answers.masking import is_unmasked_for, masked_name
from lexreview.ledger.models import Event
from lexreview.questions.actions import set_system_masking
from lexreview.questions.models import Benchmark
from lexreview.review.actions import approve_card
from lexreview.review.models import Card
from tests.methodology.factories import make_decision
from tests.review.factories import fill_card, make_card

pytestmark = pytest.mark.django_db
TELLTALE = ("argon", "Argon", "Noble")


def surfaces(card: Card) -> dict[str, str]:
    """Every address on which an open card's answer is shown to members."""
    answer, slug = card.answer, card.benchmark.slug
    return {
        "card": f"/review/cards/{card.pk}/",
        "queue": "/review/?pile=all",
        "queue by system": "/review/?pile=all&system=argon-4",
        "search": "/review/?pile=all&text=argon",
        "question": reverse("questions:question", args=[slug, answer.question.code]),
        "answer": reverse("answers:masked_answer", args=[answer.pk]),
        "verification": reverse("verification:report", args=[answer.pk]),
        "verified answers": reverse("verification:benchmark", args=[slug]),
        "API answers": "/api/answers/",
        "API answer": f"/api/answers/{answer.pk}/",
        "API cards": "/api/cards/",
        "API card": f"/api/cards/{card.pk}/",
    }


def telling(client: Client, addresses: dict[str, str]) -> set[str]:
    """The surfaces whose page has a word that tells the system."""
    found = set()
    for name, address in addresses.items():
        reply = client.get(address)
        assert reply.status_code == 200, name
        page = re.sub(r'(system=argon-4|text=argon|value="argon")', "", reply.content.decode())
        if any(word in page for word in TELLTALE):
            found.add(name)
    return found


def approved(card: Card, by: User, now: datetime) -> Card:
    card = fill_card(card, by=by, now=now)
    return approve_card(card=card, version=card.version, confirm_unchecked=True, by=by, now=now)


def test_reviewers_do_not_learn_the_system_of_an_open_card(client: Client, card: Card, reviewer: User) -> None:
    client.force_login(reviewer)

    assert telling(client, surfaces(card)) == set()
    named = reverse("answers:answer", args=[card.benchmark.slug, card.answer.identifier])
    assert client.get(named).status_code == 404
    history = reverse("ledger:history", args=["answer", f"{card.benchmark.slug}/{card.answer.identifier}"])
    assert client.get(history).status_code == 404


def decision_surfaces(card: Card) -> dict[str, str]:
    """Every address that shows which cards a decision touches."""
    decision = make_decision(
        slug=card.benchmark.slug, touches={"cards": [card.answer.identifier, f"{card.answer.identifier}.round2"]}
    )
    name = f"{card.benchmark.slug}/{decision.number}"
    return {
        "decision": reverse("methodology:decision", args=[card.benchmark.slug, decision.number]),
        "history": reverse("ledger:history", args=["decision", name]),
        "API": f"/api/decisions/{decision.pk}/",
        "API list": "/api/decisions/",
    }


def test_a_decision_names_no_system_of_an_open_card(client: Client, card: Card, reviewer: User, lead: User) -> None:
    addresses = decision_surfaces(card)
    client.force_login(reviewer)

    assert telling(client, addresses) == set()
    assert masked_name(card.answer) in client.get(addresses["decision"]).content.decode()

    client.force_login(lead)
    assert telling(client, addresses) == set(addresses)


@pytest.mark.parametrize("who", ["lead", "operator"])
def test_leads_and_operators_do(request: pytest.FixtureRequest, client: Client, card: Card, who: str) -> None:
    client.force_login(request.getfixturevalue(who))

    assert telling(client, surfaces(card)) == set(surfaces(card))


def test_after_approval_everybody_does(client: Client, card: Card, reviewer: User, now: datetime) -> None:
    card = approved(card, reviewer, now)
    client.force_login(reviewer)

    assert telling(client, surfaces(card)) >= {"card", "queue", "question", "answer", "verification", "API answer"}
    named = reverse("answers:answer", args=[card.benchmark.slug, card.answer.identifier])
    assert client.get(named).status_code == 200
    history = reverse("ledger:history", args=["answer", f"{card.benchmark.slug}/{card.answer.identifier}"])
    assert client.get(history).status_code == 200


def test_a_filter_or_a_search_by_system_does_not_sort_out_masked_cards(
    client: Client, card: Card, reviewer: User
) -> None:
    other = make_card(system="boron-2")
    client.force_login(reviewer)

    by_filter = client.get("/review/?pile=all&system=argon-4").content.decode()
    by_search = client.get("/review/?pile=all&text=argon-4").content.decode()

    assert all(f"/review/cards/{each.pk}/" in by_filter for each in (card, other))
    assert not any(f"/review/cards/{each.pk}/" in by_search for each in (card, other))
    assert client.get("/api/answers/?system=argon-4").json()["count"] == 0


def test_a_masked_answer_does_not_tell_when_it_came(client: Client, card: Card, reviewer: User, lead: User) -> None:
    """Answers of one run come one after the other: their times would sort them by system."""
    times = []
    for person in (reviewer, lead):
        client.force_login(person)
        times.append(client.get(f"/api/answers/{card.answer_id}/").json()["answered_at"])

    assert times[0] is None and times[1] is not None


def test_masked_answers_of_a_question_stand_in_no_order_of_systems(client: Client, reviewer: User, lead: User) -> None:
    cards = [make_card(system=f"system-{number}", text=f"Answer {number}.", citations=()) for number in range(6)]
    question = cards[0].answer.question
    address = reverse("questions:question", args=[question.benchmark.slug, question.code])
    by_hash = sorted(cards, key=lambda card: card.answer.sha256)
    client.force_login(reviewer)

    page = client.get(address).content.decode()

    places = [page.index(f"/answers/{card.answer_id}/") for card in by_hash]
    assert places == sorted(places)
    assert by_hash != cards


def test_a_lead_shows_and_hides_the_systems_and_both_are_events(
    client: Client, card: Card, reviewer: User, lead: User
) -> None:
    address, form = reverse("review:set_masking"), {"benchmark": card.benchmark.slug, "masked": "0"}
    client.force_login(reviewer)
    assert client.post(address, form).status_code == 403
    assert not is_unmasked_for(reviewer, card.answer)

    client.force_login(lead)
    for _twice in range(2):
        client.post(address, form)

    assert [(event.actor, event.before, event.after) for event in Event.objects.filter(verb="set_system_masking")] == [
        ("lena", {"masks_systems": True}, {"masks_systems": False})
    ]
    client.force_login(reviewer)
    assert "card" in telling(client, surfaces(card))


def test_outsiders_switch_nothing(client: Client, card: Card, outsider: User, now: datetime) -> None:
    client.force_login(outsider)

    reply = client.post(reverse("review:set_masking"), {"benchmark": card.benchmark.slug, "masked": "0"})

    assert reply.status_code == 404
    assert Benchmark.objects.get().masks_systems


def test_setting_what_is_set_records_nothing(card: Card, lead: User, now: datetime) -> None:
    set_system_masking(benchmark=card.benchmark, masked=True, by=lead, now=now)

    assert not Event.objects.filter(verb="set_system_masking").exists()
