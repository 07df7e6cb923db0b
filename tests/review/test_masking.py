"""Which system answered stays hidden from reviewers until the card is approved, on every surface."""

import re
from datetime import datetime

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from lexreview.accounts.models import User
from lexreview.accounts.rules import NotAllowed
from lexreview.answers.masking import Reviewed, is_unmasked_for, masked_name, sees_every_system
from lexreview.answers.models import Answer, Condition
from lexreview.core.workflow import Round
from lexreview.ledger.models import Event
from lexreview.questions.actions import set_system_masking
from lexreview.questions.models import Benchmark
from lexreview.review.actions import approve_card
from lexreview.review.actions.adjudicating import begin_adjudication
from lexreview.review.actions.giving_out import assign_batch, set_batch_masking
from lexreview.review.actions.repeating import bring_back_all
from lexreview.review.actions.returning import return_card
from lexreview.review.batches import BatchOrder, BatchPlan
from lexreview.review.models import Batch, Card
from lexreview.review.models.card import identifier_of
from lexreview.review.page_sections import reviews_of_answers
from lexreview.review.piles import Desk
from tests.methodology.factories import make_decision
from tests.review.factories import fill_card, make_card
from tests.review.rounds import adjudicating, ask, fresh, review
from tests.review.swapping import parsed

pytestmark = pytest.mark.django_db
TELLTALE = ("argon", "Argon", "Noble")


@pytest.fixture(params=["benchmark", "batch"], autouse=True)
def masked_by(request: pytest.FixtureRequest) -> str:
    """Every case twice: masked by the benchmark, or only by the batch that the card was given out in."""
    return str(request.param)


@pytest.fixture
def card(card: Card, masked_by: str, lead: User, now: datetime) -> Card:
    if masked_by == "batch":
        mask_by_batch([card], by=lead, now=now)
        Benchmark.objects.update(masks_systems=False)
    return Card.objects.with_answer().get(pk=card.pk)


def mask_by_batch(cards: list[Card], *, by: User, now: datetime) -> Batch:
    benchmark = cards[0].benchmark
    number = Batch.objects.count() + 1
    batch = Batch.objects.create(
        benchmark=benchmark, number=number, seed=1, size=len(cards), masks_systems=True, given_by=by, given_at=now
    )
    Card.objects.filter(pk__in=[card.pk for card in cards]).update(batch=batch)
    return batch


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
    answer = card.answer.identifier
    later = [identifier_of(answer, scoring_pass=2, round_=round_, seat=seat) for round_ in Round for seat in (1, 2)]
    decision = make_decision(slug=card.benchmark.slug, touches={"cards": [answer, f"{answer}.round2", *later]})
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
    Card.objects.update(batch=card.batch)
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


TRACED = [
    {"order": 1, "kind": "search", "query": "fee", "at": "2026-10-12T09:29:01Z"},
    {"order": 2, "kind": "open", "title": "kestria.example", "at": "2026-10-12T09:29:31Z",
     "address": "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZIYQ"},
    {"order": 3, "kind": "open", "title": "Fees", "address": "https://law.kestria.example/fees?utm_source=noble&x=1"},
]  # fmt: skip


def test_how_a_masked_answer_was_collected_does_not_tell_when_or_by_whom(
    client: Client, card: Card, reviewer: User, lead: User
) -> None:
    """Answers of one run come one after the other, so a time sorts them by system; a link of a search names its
    provider."""
    Answer.objects.filter(pk=card.answer_id).update(trace=TRACED)
    Condition.objects.update(tools=True)
    telling_marks = ("2026-10-12", "09:29", "09:30", "October 12", "Oct. 12", "vertexaisearch", "utm_source")

    def told_by(address: str) -> set[str]:
        page = client.get(address).content.decode()
        return {mark for mark in telling_marks if mark in page}

    client.force_login(reviewer)
    assert {name: told for name, address in surfaces(card).items() if (told := told_by(address))} == {}
    for name in ("card", "answer", "API answer"):
        page = client.get(surfaces(card)[name]).content.decode()
        assert "kestria.example" in page and "https://law.kestria.example/fees?x=1" in page, name
    assert "+30 s" in client.get(surfaces(card)["answer"]).content.decode()
    steps = client.get(surfaces(card)["API answer"]).json()["trace"]
    assert [step.get("after") for step in steps] == [0, 30, None]

    client.force_login(lead)
    assert {"09:29", "vertexaisearch", "utm_source"} <= told_by(surfaces(card)["answer"])
    assert {"09:29", "vertexaisearch", "utm_source"} <= told_by(surfaces(card)["API answer"])


def test_the_words_with_which_a_provider_refused_tell_no_system(
    client: Client, card: Card, reviewer: User, lead: User
) -> None:
    Answer.objects.filter(pk=card.answer_id).update(state="provider_block", block_reason="Policy of Noble.", text="")
    client.force_login(reviewer)

    assert telling(client, surfaces(card)) == set()

    client.force_login(lead)
    assert "Policy of Noble." in client.get(surfaces(card)["card"]).content.decode()


def test_the_runs_of_masked_systems_are_listed_for_those_who_learn_them(
    client: Client, card: Card, reviewer: User, lead: User
) -> None:
    """Their dates and their empty and blocked answers would tell which answer is whose."""
    address = reverse("questions:benchmark", args=[card.benchmark.slug])

    client.force_login(lead)
    assert "<caption>Runs</caption>" in client.get(address).content.decode()
    client.force_login(reviewer)
    assert "<caption>Runs</caption>" not in client.get(address).content.decode()


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


PHASES = ("open", "second review", "in adjudication", "sent back", "brought back", "settled")


def in_phase(card: Card, phase: str, *, reviewer: User, colleague: User, lead: User, now: datetime) -> Card:
    """The first review of the answer, once its reviews are in this phase."""
    if phase in ("second review", "settled", "sent back", "brought back"):
        review(card, by=reviewer, now=now)
    if phase == "second review":
        ask(colleague, by=lead, card=fresh(card), now=now)
    elif phase == "in adjudication":
        adjudicating(card, first=reviewer, second=colleague, lead=lead, now=now)
    elif phase == "brought back":
        Card.objects.filter(pk=card.pk).update(to_repeat=True)
        bring_back_all(benchmark=card.benchmark, by=lead, now=now)
    elif phase == "sent back":
        return_card(card=fresh(card), reason="Look again.", by=lead, now=now)
    return fresh(card)


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("who", ["reviewer", "colleague", "lead", "operator"])
def test_every_role_in_every_phase_on_every_surface(
    request: pytest.FixtureRequest, client: Client, card: Card, phase: str, who: str,
    reviewer: User, colleague: User, lead: User, now: datetime,
) -> None:  # fmt: skip
    card = in_phase(card, phase, reviewer=reviewer, colleague=colleague, lead=lead, now=now)
    client.force_login(request.getfixturevalue(who))
    learns = phase == "settled" or who in ("lead", "operator")

    for name, address in surfaces(card).items():
        reply = client.get(address)
        kept_back = reply.status_code == 404 and phase in ("second review", "in adjudication")
        assert kept_back or reply.status_code == 200, name
        page = re.sub(r'(system=argon-4|text=argon|value="argon")', "", reply.content.decode())
        told = any(word in page for word in TELLTALE)
        assert told == learns or (learns and (kept_back or name in PERHAPS)), name


PERHAPS = {"queue by system", "search", "queue", "API cards"}
"""Lists in which a card that is blinded, or masked by its benchmark, cannot be looked for; they need not name it."""


def test_what_masks_the_card_is_lifted_by_a_lead_and_recorded(
    client: Client, card: Card, reviewer: User, lead: User, masked_by: str
) -> None:
    address, form = reverse("review:set_masking"), {"benchmark": card.benchmark.slug, "masked": "0"}
    if masked_by == "batch":
        address, form = reverse("review:mask_batch", args=[card.benchmark.slug, 1]), {"masked": "0"}
    client.force_login(reviewer)
    assert client.post(address, form).status_code == 403
    assert not is_unmasked_for(reviewer, card.answer)

    client.force_login(lead)
    for _twice in range(2):
        assert client.post(address, form).status_code == 302

    verb, named = ("set_batch_masking", {"batch": 1}) if masked_by == "batch" else ("set_system_masking", {})
    assert [(event.actor, event.before, event.after) for event in Event.objects.filter(verb=verb)] == [
        ("lena", {**named, "masks_systems": True}, {**named, "masks_systems": False})
    ]
    client.force_login(reviewer)
    assert telling(client, surfaces(card)) >= {"card", "queue", "question", "answer", "verification", "API answer"}


def test_outsiders_switch_nothing(client: Client, card: Card, outsider: User, lead: User, now: datetime) -> None:
    batch = mask_by_batch([card], by=lead, now=now)
    Benchmark.objects.update(masks_systems=True)
    client.force_login(outsider)

    for address, form in (
        (reverse("review:set_masking"), {"benchmark": card.benchmark.slug, "masked": "0"}),
        (reverse("review:mask_batch", args=[card.benchmark.slug, batch.number]), {"masked": "0"}),
    ):
        assert client.post(address, form).status_code == 404

    batch.refresh_from_db()
    assert Benchmark.objects.get().masks_systems and batch.masks_systems


def test_setting_what_is_set_records_nothing(card: Card, lead: User, now: datetime) -> None:
    batch = mask_by_batch([card], by=lead, now=now)

    set_system_masking(benchmark=card.benchmark, masked=card.benchmark.masks_systems, by=lead, now=now)
    set_batch_masking(batch=batch, masked=True, by=lead, now=now)

    assert not Event.objects.filter(verb__in=("set_system_masking", "set_batch_masking")).exists()


def test_lifting_the_mask_of_the_benchmark_leaves_that_of_a_batch(
    card: Card, reviewer: User, lead: User, now: datetime
) -> None:
    mask_by_batch([card], by=lead, now=now)

    set_system_masking(benchmark=card.benchmark, masked=False, by=lead, now=now)

    assert not is_unmasked_for(reviewer, Card.objects.with_answer().get(pk=card.pk).answer)


def test_a_batch_masks_its_own_cards_only(client: Client, card: Card, reviewer: User, masked_by: str) -> None:
    other = make_card(system="boron-2", assigned_to=reviewer)
    client.force_login(reviewer)

    page = client.get(f"/review/cards/{other.pk}/").content.decode()
    queue = client.get("/review/?pile=mine").content.decode()

    name = other.answer.run.system.name
    assert (name in page, name in queue) == (masked_by == "batch", masked_by == "batch")
    assert not any(word in queue for word in TELLTALE)


def test_lists_of_masked_batches_make_no_more_queries(
    client: Client, card: Card, reviewer: User, lead: User, now: datetime
) -> None:
    client.force_login(reviewer)
    question = reverse("questions:question", args=[card.benchmark.slug, card.answer.question.code])
    addresses = ["/review/?pile=all", question, "/api/answers/", "/api/cards/"]

    counted = []
    for more in (0, 2):
        systems = [f"system-{number}" for number in range(more)]
        others = [make_card(system=system, text=f"Answer of {system}.", citations=()) for system in systems]
        if others:
            mask_by_batch(others[:1], by=lead, now=now)
            mask_by_batch(others[1:], by=lead, now=now)
        for address in addresses:
            client.get(address)
        sums = []
        for address in addresses:
            with CaptureQueriesContext(connection) as queries:
                assert client.get(address).status_code == 200
            sums.append(len(queries))
        counted.append(sums)

    assert counted[0] == counted[1]


def test_a_batch_is_given_out_masked_and_its_page_says_so(
    client: Client, reviewer: User, lead: User, masked_by: str
) -> None:
    card = make_card()
    Benchmark.objects.update(masks_systems=masked_by == "benchmark")
    client.force_login(lead)
    asked = {"benchmark": card.benchmark.slug, "count": "1", "seed": "1", "person": "rita", "masks_systems": "on"}

    split = parsed(client.get("/review/batches/", asked).content.decode()).xpath("//section[@id='split']//form")[0]
    sent = {field.get("name"): field.get("value") for field in split.xpath(".//input[@name!='csrfmiddlewaretoken']")}
    assert client.post("/review/batches/", sent).status_code == 302

    given = parsed(client.get("/review/batches/", {"benchmark": card.benchmark.slug}).content.decode())
    assert "system masked" in given.xpath("string(//section[@id='given']//tbody)")
    client.force_login(reviewer)
    bar = parsed(client.get(f"/review/cards/{card.pk}/").content.decode()).xpath("string(//header[@id='bar'])")
    assert "system masked" in bar and "argon" not in bar
    client.force_login(lead)
    assert ("except in batches" in client.get("/review/progress/").content.decode()) == (masked_by == "batch")


def test_only_leads_lift_the_mask_of_a_batch(card: Card, reviewer: User, lead: User, now: datetime) -> None:
    batch = mask_by_batch([card], by=lead, now=now)

    with pytest.raises(NotAllowed):
        set_batch_masking(batch=batch, masked=False, by=reviewer, now=now)

    batch.refresh_from_db()
    assert batch.masks_systems


def test_a_batch_that_masks_nothing_leaves_search_by_system(
    card: Card, reviewer: User, lead: User, now: datetime
) -> None:
    batch = mask_by_batch([card], by=lead, now=now)
    Benchmark.objects.update(masks_systems=False)

    def sees_all() -> tuple[bool, bool]:
        desk = Desk.of(reviewer)
        return desk.sees_systems(list(desk.benchmarks.values())), sees_every_system(reviewer, Benchmark.objects.get())

    assert sees_all() == (False, False)
    set_batch_masking(batch=batch, masked=False, by=lead, now=now)
    assert sees_all() == (True, True)


def test_an_answer_is_masked_by_the_batch_of_any_of_its_cards(card: Card, lead: User, now: datetime) -> None:
    mask_by_batch([card], by=lead, now=now)
    rounds = {"specification": card.specification, "key_version": card.key_version}
    for seat in (1, 2):
        Card.objects.create(answer=card.answer, round=Round.SECOND, seat=seat, **rounds)

    assert reviews_of_answers([card.answer_id]) == {card.answer_id: Reviewed(settled=False, in_masked_batch=True)}


def test_later_rounds_of_an_answer_are_cards_of_the_same_batch(
    card: Card, reviewer: User, colleague: User, lead: User, now: datetime
) -> None:
    first = mask_by_batch([card], by=lead, now=now)
    adjudicating(fresh(card), first=reviewer, second=colleague, lead=lead, now=now)
    begin_adjudication(card=fresh(card), by=lead, now=now)
    other = review(make_card(code="P05", assigned_to=reviewer), by=reviewer, now=now)
    second = mask_by_batch([other], by=lead, now=now)
    Card.objects.filter(pk=other.pk).update(to_repeat=True)
    bring_back_all(benchmark=card.benchmark, by=lead, now=now)

    found = Card.objects.order_by("batch__number", "round").values_list("batch", "round")
    assert list(found) == [(first.pk, 1), (first.pk, 2), (first.pk, 3), (second.pk, 1), (second.pk, 4)]
    left = {batch.pk: batch.left for batch in Batch.objects.with_left()}
    assert (left[first.pk], left[second.pk]) == (1, 0)


def test_cards_given_out_again_are_of_the_new_batch(lead: User, reviewer: User, now: datetime) -> None:
    card = make_card()
    Benchmark.objects.update(masks_systems=False)
    for masked in (True, False):
        order = BatchOrder(
            benchmark=card.benchmark, filters={}, people=[reviewer], seed=1, count=1, masks_systems=masked
        )
        plan = BatchPlan(order, by=lead, now=now)
        assert assign_batch(plan=plan, fingerprint=plan.fingerprint, by=lead, now=now) == 1
        assert is_unmasked_for(reviewer, fresh(card).answer) == (not masked)
        Card.objects.update(assigned_to=None)

    assert [batch.number for batch in Batch.objects.newest_first()] == [2, 1]
