"""The queue page: lists, filters, counts, a fixed number of queries, and the next card."""

import json
from base64 import urlsafe_b64encode
from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from lexreview.accounts.actions import grant_role
from lexreview.accounts.models import Membership, User
from lexreview.answers.models import System
from lexreview.core.workflow import AnswerState, CardState, Role
from lexreview.ledger.models import Event
from lexreview.questions.models import Benchmark, Question
from lexreview.review.actions import approve_card, ask_ruling, park_card, unpark_card
from lexreview.review.actions.returning import return_card
from lexreview.review.models import Card
from lexreview.review.models.card import QUEUE_ORDER
from lexreview.review.urls import app_name
from tests.factories import LONG_AGO, make_user
from tests.review.factories import ANSWER, VERIFIED_AT, fill_card, make_benchmark, make_card, make_many_cards
from tests.review.rounds import adjudicating, ask
from tests.review.swapping import comparable, parsed
from tests.review.test_views_card import text_of

pytestmark = pytest.mark.django_db
SYSTEMS = ("argon-4", "boron-2", "carbon-1")
SORTS = ("question", "last_question", "newest", "oldest")


def queue(client: Client, **query: str) -> str:
    response = client.get(reverse(f"{app_name}:queue"), query)
    assert response.status_code == 200
    return response.content.decode()


def cards_shown(page: str) -> list[str]:
    return [link.get("href").split("/")[-2] for link in parsed(page).xpath("//tbody//th//a")]


def pks(*cards: Card) -> list[str]:
    return [str(card.pk) for card in cards]


def queries_of(client: Client, **query: str) -> list[str]:
    with CaptureQueriesContext(connection) as captured:
        queue(client, **query)
    return [each["sql"] for each in captured.captured_queries]


@pytest.mark.parametrize("pile", ["mine", "unassigned", "approved"])
def test_f2_at_most_eight_queries_however_long_the_list(
    reviewers_client: Client, reviewer: User, now: datetime, pile: str
) -> None:
    def add(system: str) -> None:
        card = make_card(system=system, assigned_to=None if pile == "unassigned" else reviewer)
        if pile == "approved":
            card = fill_card(card, by=reviewer, now=now)
            approve_card(card=card, version=card.version, confirm_unchecked=True, by=reviewer, now=now)

    add(SYSTEMS[0])
    with_one = queries_of(reviewers_client, pile=pile)
    add(SYSTEMS[1])
    add(SYSTEMS[2])

    with_three = queries_of(reviewers_client, pile=pile)

    assert len(cards_shown(queue(reviewers_client, pile=pile))) == 3
    assert len(with_three) == len(with_one) <= 8, with_three


def test_f1_list_never_reads_texts_of_answers_or_sources(reviewers_client: Client, card: Card) -> None:
    for sql in queries_of(reviewers_client, pile="all"):
        for column in (
            '"answers_answer"."text"',
            '"answers_answer"."trace"',
            '"core_answer"',
            '"source_text"',
            '"raw"',
        ):
            assert column not in sql


def test_lists_hold_my_cards_unassigned_ones_and_approved_ones(
    reviewers_client: Client, reviewer: User, colleague: User, now: datetime
) -> None:
    mine = make_card(assigned_to=reviewer)
    free = make_card(system="boron-2")
    make_card(system="carbon-1", assigned_to=colleague)
    done = fill_card(make_card(code="P05", assigned_to=reviewer), by=reviewer, now=now)
    approve_card(card=done, version=done.version, confirm_unchecked=True, by=reviewer, now=now)

    shown = {pile: cards_shown(queue(reviewers_client, pile=pile)) for pile in ("mine", "unassigned", "approved")}

    assert shown == {"mine": pks(mine), "unassigned": pks(free), "approved": pks(done)}
    assert len(cards_shown(queue(reviewers_client, pile="all"))) == 4


FILTERED = [
    ({"question": "P05"}, {"other question"}),
    ({"system": "boron-2"}, {"other system"}),
    ({"condition": "W1"}, {"other condition"}),
    ({"label": "provider_block"}, {"blocked"}),
    ({"state": "parked"}, {"parked"}),
    ({"person": "lea"}, {"parked"}),
    ({"area": "civil procedure", "question": "P05"}, {"other question"}),
    ({"set": "pilot", "system": "boron-2"}, {"other system"}),
    ({"benchmark": "norland-01"}, {"other benchmark"}),
    ({"text": "fourteen days of service", "question": "P04"}, {"plain", "other system", "other condition", "parked",
                                                               "other benchmark"}),
    ({"text": "SILVER spoon"}, {"other condition"}),
    ({"text": "boron"}, {"other system"}),
    ({"text": "p05"}, {"other question"}),
    ({"text": "zz"}, set()),
    ({"question": "P99"}, set()),
    ({"state": "no such state"}, None),
]  # fmt: skip


def test_filters_live_in_the_address(client: Client) -> None:
    both = make_user("lea", roles=(Role.LEAD,))
    grant_role(user=both, benchmark_slug="norland-01", role=Role.LEAD, by=None, now=LONG_AGO)
    cards = {
        "plain": make_card(),
        "other question": make_card(code="P05"),
        "other system": make_card(system="boron-2"),
        "other condition": make_card(condition="W1", text=ANSWER + "The silver spoon."),
        "blocked": make_card(system="carbon-1", state=AnswerState.PROVIDER_BLOCK),
        "parked": make_card(system="deuterium-1"),
        "other benchmark": make_card(make_benchmark("norland-01"), system="argon-4"),
    }
    parked = cards["parked"]
    park_card(card=parked, reason="later", version=parked.version, by=both, now=VERIFIED_AT)
    client.force_login(both)

    for query, expected in FILTERED:
        shown = cards_shown(queue(client, pile="all", **query))

        names = {name for name, card in cards.items() if str(card.pk) in shown}
        assert names == (set(cards) if expected is None else expected), query


def test_filtering_by_the_class_of_a_finding(client: Client, lead: User, now: datetime) -> None:
    card = fill_card(make_card(), by=lead, now=now)
    make_card(code="P05")
    client.force_login(lead)

    assert cards_shown(queue(client, pile="all", finding_class="F")) == pks(card)
    assert cards_shown(queue(client, pile="all", finding_class="T")) == []


def test_search_finds_many_as_it_finds_few(client: Client, lead: User, monkeypatch: pytest.MonkeyPatch) -> None:
    cards = [make_card(), make_card(system="boron-2")]
    make_card(code="P05", text="Nothing of the kind.", citations=())
    client.force_login(lead)

    few = cards_shown(queue(client, pile="all", text="fourteen days of service"))
    monkeypatch.setattr("lexreview.review.text_search.FEW", 2)
    many = cards_shown(queue(client, pile="all", text="fourteen days of service"))

    assert sorted(few) == sorted(many) == sorted(pks(*cards))


@pytest.mark.parametrize("words", ["period", "ps"])
def test_search_finds_every_question_also_where_many_have_the_words(
    client: Client, reviewer: User, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    """Words shorter than the pieces of the index are looked for in questions only."""
    monkeypatch.setattr("lexreview.review.text_search.FEW", 2)
    cards = [make_card(code=code, citations=(), assigned_to=reviewer) for code in ("P05", "P06", "P07")]
    Question.objects.update(original_text="Which period applies, ps?")
    client.force_login(reviewer)

    assert cards_shown(queue(client, pile="mine", text=words)) == pks(*cards)


def test_f2_searching_stays_within_eight_queries(
    reviewers_client: Client, reviewer: User, card: Card, now: datetime
) -> None:
    """Also where cards are parked, whose reasons the ledger has."""
    parked = make_card(system="boron-2", assigned_to=reviewer)
    park_card(card=parked, reason="Later.", version=parked.version, by=reviewer, now=now)

    assert "Later." in queue(reviewers_client, pile="all", text="fourteen")
    assert len(queries_of(reviewers_client, pile="all", text="fourteen")) <= 8


def test_filtered_page_keeps_its_filters_in_lists(reviewers_client: Client, card: Card) -> None:
    page = parsed(queue(reviewers_client, pile="mine", question="P04", sort="last_question"))

    tabs = page.xpath("//ul[@class='tabs piles']//a/@href")
    assert len(tabs) == 10
    assert all("question=P04" in address and "sort=last_question" in address for address in tabs)
    assert page.xpath("//input[@name='question']/@value") == ["P04"]


def test_labels_of_cards_that_are_not_approved_are_for_leads(
    client: Client, reviewer: User, lead: User, now: datetime
) -> None:
    fill_card(make_card(), by=reviewer, now=now)
    label = Card.objects.get().label

    client.force_login(reviewer)
    reviewers = (queue(client, pile="all"), queue(client, pile="all", label=label))
    client.force_login(lead)
    leads = (queue(client, pile="all"), queue(client, pile="all", label=label))

    assert label == "hallucinated"
    assert "hallucinated" not in parsed(reviewers[0]).xpath("string(//tbody)") and cards_shown(reviewers[1]) == []
    assert "hallucinated" in parsed(leads[0]).xpath("string(//tbody)")
    assert len(cards_shown(leads[1])) == 1


def test_f3_long_lists_are_paged_by_place_and_never_counted(
    reviewers_client: Client, reviewer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lexreview.review.views.queue.PER_PAGE", 2)
    everything = pks(*make_many_cards(5))

    def follow(page: str, words: str) -> str:
        address = parsed(page).xpath(f"//nav[@class='pager']/a[.='{words}']/@href")[0]
        return reviewers_client.get("/review/" + address).content.decode()

    first = queue(reviewers_client, pile="all")
    second = follow(first, "Next")
    third = follow(second, "Next")
    last = follow(first, "Last")
    back = follow(third, "Previous")

    assert cards_shown(first) == everything[:2]
    assert cards_shown(second) == cards_shown(back) == everything[2:4]
    assert cards_shown(third) == everything[4:]
    assert cards_shown(last) == everything[3:]
    assert cards_shown(follow(last, "First")) == everything[:2]
    assert "Next" not in parsed(last).xpath("string(//nav[@class='pager'])")
    counting = [sql for sql in queries_of(reviewers_client, pile="all") if sql.startswith("SELECT COUNT(")]
    assert counting == []


@pytest.mark.parametrize("place", ["x", "WzFd", "WzEsImEiLCJiIiwi", "W3RydWUsICJhIiwgImIiLCAxXQ", "last"])
def test_a_place_that_is_none_shows_the_first_page(reviewers_client: Client, card: Card, place: str) -> None:
    assert cards_shown(queue(reviewers_client, pile="all", after=place)) == pks(card)


@pytest.mark.parametrize("time", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"])
def test_a_time_that_no_database_holds_is_no_place(
    reviewers_client: Client, reviewer: User, card: Card, now: datetime, time: str
) -> None:
    filled = fill_card(card, by=reviewer, now=now)
    approve_card(card=filled, version=filled.version, confirm_unchecked=True, by=reviewer, now=now)
    place = urlsafe_b64encode(json.dumps([time, 1]).encode()).decode()

    assert cards_shown(queue(reviewers_client, pile="all", sort="newest", after=place)) == pks(card)


def test_words_that_no_database_holds_are_no_place(reviewers_client: Client, card: Card) -> None:
    values = [1 if name == "pk" or name.endswith("_id") else "\ud800" for name in QUEUE_ORDER]
    place = urlsafe_b64encode(json.dumps(values).encode()).decode()

    assert cards_shown(queue(reviewers_client, pile="all", after=place)) == pks(card)


def test_sorting(client: Client, lead: User, now: datetime) -> None:
    make_card(code="P00")
    cards = [fill_card(make_card(code=code), by=lead, now=now) for code in ("P01", "P02")]
    for minutes, card in enumerate(reversed(cards)):
        at = now + timedelta(minutes=minutes)
        approve_card(card=card, version=card.version, confirm_unchecked=True, by=lead, now=at)
    client.force_login(lead)

    shown = {sort: cards_shown(queue(client, pile="approved", sort=sort)) for sort in SORTS}

    assert shown == dict(zip(SORTS, [pks(*cards), pks(*reversed(cards))] * 2, strict=True))


def test_outsiders_and_other_benchmarks_stay_unseen(client: Client, card: Card, outsider: User) -> None:
    client.force_login(outsider)

    page = queue(client, pile="all")

    assert cards_shown(page) == []
    assert "Kestria" not in page


def test_fragment_for_htmx_and_whole_page_after_going_back(reviewers_client: Client, card: Card) -> None:
    address = reverse("review:queue")

    fragment = reviewers_client.get(address, headers={"HX-Request": "true"})
    back = reviewers_client.get(address, headers={"HX-Request": "true", "HX-History-Restore-Request": "true"})

    assert fragment.content.decode().lstrip().startswith('<div id="queue">')
    assert back.content.startswith(b"<!doctype html>")
    assert "HX-Request" in fragment["Vary"]


def test_turning_a_page_brings_the_cards_alone_and_they_are_those_of_the_whole_page(
    client: Client, lead: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lexreview.review.views.queue.PER_PAGE", 2)
    make_many_cards(5)
    client.force_login(lead)
    first = parsed(queue(client, pile="all", sort="last_question"))
    address = "/review/" + first.xpath("//*[@id='page-after']/@href")[0]

    part = client.get(address, headers={"HX-Request": "true", "HX-Target": "cards"})
    whole = client.get(address)
    back = client.get(
        address, headers={"HX-Request": "true", "HX-Target": "cards", "HX-History-Restore-Request": "true"}
    )

    assert first.xpath("//nav[@class='pager']/@hx-target") == ["#cards"]
    assert part.content.decode().lstrip().startswith('<div id="cards">')
    assert len(cards_shown(part.content.decode())) == 2
    (of_whole,) = parsed(whole.content.decode()).xpath("//*[@id='cards']")
    (of_part,) = parsed(part.content.decode()).xpath("//*[@id='cards']")
    assert comparable(of_part) == comparable(of_whole)
    assert back.content.startswith(b"<!doctype html>")
    assert {"HX-Request", "HX-Target"} <= {each.strip() for each in part["Vary"].split(",")}


@pytest.mark.parametrize("sort", SORTS)
def test_pages_of_every_order_follow_each_other_forwards_and_backwards(
    client: Client, lead: User, now: datetime, monkeypatch: pytest.MonkeyPatch, sort: str
) -> None:
    for minutes, code in enumerate(("P01", "P02", "P03")):
        card = fill_card(make_card(code=code), by=lead, now=now)
        at = now + timedelta(minutes=minutes, microseconds=minutes)
        approve_card(card=card, version=card.version, confirm_unchecked=True, by=lead, now=at)
    client.force_login(lead)
    everything = cards_shown(queue(client, pile="approved", sort=sort))
    monkeypatch.setattr("lexreview.review.views.queue.PER_PAGE", 1)

    def walk(way: str, page: str) -> list[str]:
        seen = cards_shown(page)
        while links := parsed(page).xpath(f"//*[@id='page-{way}']/@href"):
            page = client.get("/review/" + links[0]).content.decode()
            seen += cards_shown(page)
        return seen

    assert len(everything) == 3
    assert walk("after", queue(client, pile="approved", sort=sort)) == everything
    assert walk("before", queue(client, pile="approved", sort=sort, before="last")) == everything[::-1]


def test_a_list_that_was_asked_for_before_knows_of_roles_and_masks_that_changed_since(
    client: Client, reviewer: User, colleague: User
) -> None:
    benchmark = make_benchmark()
    mine, theirs = make_card(assigned_to=reviewer), make_card(system="boron-2", assigned_to=colleague)

    def seen(person: User, **query: str) -> tuple[list[str], bool, bool]:
        client.force_login(person)
        page = queue(client, **query)
        rows = parsed(page).xpath("string(//tbody)")
        return cards_shown(page), mine.queue_system.name in rows, 'id="assign"' in page

    Benchmark.objects.filter(pk=benchmark.pk).update(masks_systems=False)
    assert seen(reviewer, pile="mine") == (pks(mine), True, False)
    assert seen(colleague, pile="mine") == (pks(theirs), False, False)
    Benchmark.objects.filter(pk=benchmark.pk).update(masks_systems=True)
    assert seen(reviewer, pile="mine") == (pks(mine), False, False)
    assert seen(reviewer, pile="all", system="boron-2")[0] == pks(mine, theirs)
    grant_role(user=reviewer, benchmark_slug=benchmark.slug, role=Role.LEAD, by=None, now=LONG_AGO)
    assert seen(reviewer, pile="mine") == (pks(mine), True, True)
    assert seen(reviewer, pile="all", system="boron-2")[0] == pks(theirs)
    Membership.objects.filter(user=reviewer).delete()
    assert seen(reviewer, pile="mine") == ([], False, False)
    assert seen(colleague, pile="mine") == (pks(theirs), False, False)


HOSTILE = "<img src=x onerror=alert(1)>\"'&{}%s"


def test_what_the_database_holds_is_text_in_rows_and_filters(client: Client, lead: User) -> None:
    card = make_card()
    Question.objects.filter(pk=card.answer.question_id).update(benchmark_text=HOSTILE, asked="benchmark", area=HOSTILE)
    System.objects.filter(pk=card.queue_system_id).update(name=HOSTILE)
    Question.objects.create(
        benchmark=card.benchmark, set=card.answer.question.set, code="P77", area="fees", asked="benchmark",
        benchmark_text="Is it?", type=card.answer.question.type, language="en",
    )  # fmt: skip
    client.force_login(lead)

    page = parsed(queue(client, pile="all", text=HOSTILE)), parsed(queue(client, pile="all"))

    assert page[0].xpath("//input[@name='text']/@value") == [HOSTILE]
    assert page[1].xpath("//td[contains(@class, 'asked')]/span/text()") == [HOSTILE]
    assert HOSTILE in page[1].xpath("//select[@name='area']/option/@value")
    assert HOSTILE in page[1].xpath("//tbody//td/text()")
    assert not page[0].xpath("//img") and not page[1].xpath("//img")


def test_next_card_is_mine_first_and_then_an_unassigned_one(reviewers_client: Client, reviewer: User) -> None:
    free = make_card(code="P01")
    mine = make_card(code="P09", assigned_to=reviewer)
    take = reverse("review:take_next")

    first = reviewers_client.post(take)
    park_card(card=mine, reason="later", version=mine.version, by=reviewer, now=VERIFIED_AT)
    second = reviewers_client.post(take)

    assert first["Location"] == f"/review/cards/{mine.pk}/"
    assert second["Location"] == f"/review/cards/{free.pk}/"
    free.refresh_from_db()
    assert free.assigned_to == reviewer
    assert Event.objects.filter(verb="assign", object_id=free.ledger_id).exists()


def test_when_no_card_is_left_the_queue_says_so(reviewers_client: Client) -> None:
    reply = reviewers_client.post(reverse("review:take_next"), follow=True)

    assert "No card is left for you" in reply.content.decode()


@pytest.mark.parametrize("role", [Role.OPERATOR, None])
def test_next_card_gives_nothing_to_people_who_may_not_review(client: Client, role: Role | None) -> None:
    card = make_card()
    client.force_login(make_user("nora", roles=(role,) if role else ()))

    reply = client.post(reverse("review:take_next"))

    card.refresh_from_db()
    assert reply["Location"] == "/review/?pile=unassigned"
    assert card.assigned_to is None


def test_each_list_says_what_its_cards_wait_for(
    client: Client, reviewers_client: Client, reviewer: User, lead: User, now: datetime
) -> None:
    """In the words of whoever said it; a lead is led on to where the card is answered or adjudicated."""

    def done(system: str) -> Card:
        card = fill_card(make_card(system=system, assigned_to=reviewer), by=reviewer, now=now)
        return approve_card(card=card, version=card.version, confirm_unchecked=True, by=reviewer, now=now)

    asked = make_card(assigned_to=reviewer)
    ask_ruling(card=asked, question="Is that <T>?", version=asked.version, by=reviewer, now=now)
    parked = make_card(system="boron-2", assigned_to=reviewer)
    for reason in ("Not today.", "The register is closed."):
        parked = park_card(card=parked, reason=reason, version=parked.version, by=reviewer, now=now)
        if reason == "Not today.":
            parked = unpark_card(card=parked, version=parked.version, by=reviewer, now=now)
    return_card(card=done("carbon-3"), reason="A2 counts one base only.", by=lead, now=now)
    adjudicating(
        make_card(system="dune-2", assigned_to=reviewer),
        first=reviewer,
        second=make_user("karl", roles=(Role.REVIEWER,)),
        lead=lead,
        now=now,
    )
    stale = make_card(system="sulphur-6", assigned_to=reviewer)
    Card.objects.filter(pk=stale.pk).update(state=CardState.STALE, revision_reason="Key version 1 was followed by 2.")
    waiting = {
        "ruling": "Is that <T>?", "parked": "The register is closed.", "returned": "A2 counts one base only.",
        "stale": "Key version 1 was followed by 2.",
    }  # fmt: skip

    for pile, reason in waiting.items():
        assert [each.text for each in parsed(queue(reviewers_client, pile=pile)).xpath("//q")] == [reason]
    assert len(queries_of(reviewers_client, pile="parked")) <= 8
    assert not parsed(queue(reviewers_client, pile="ruling")).xpath("//td/a")
    client.force_login(lead)
    ways = [parsed(queue(client, pile=pile)).xpath("//tbody//td/a/@href") for pile in ("ruling", "adjudication")]
    first = Card.objects.get(answer__run__system__code="dune-2", round=1)
    assert ways == [
        [reverse("rounds:answer_ruling", args=[asked.pk])],
        [reverse("rounds:adjudication", args=[first.pk])],
    ]


def test_a_second_review_is_told_from_the_first_and_a_card_that_comes_back_is_not(
    client: Client, reviewer: User, lead: User, now: datetime
) -> None:
    colleague = make_user("karl", roles=(Role.REVIEWER,))
    card = fill_card(make_card(assigned_to=reviewer), by=reviewer, now=now)
    card = approve_card(card=card, version=card.version, confirm_unchecked=True, by=reviewer, now=now)
    ask(colleague, by=lead, card=card, now=now)
    client.force_login(lead)

    states = [text_of(row) for row in parsed(queue(client, pile="second")).xpath("//tbody/tr/td[5]")]

    assert states == ["second review", "pre-filled second review"]
    Card.objects.filter(round=2).update(round=4, assigned_to=reviewer)
    client.force_login(reviewer)
    assert "second review" not in text_of(parsed(queue(client, pile="mine")).xpath("//tbody/tr[2]")[0])
