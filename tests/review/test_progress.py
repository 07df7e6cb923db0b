"""Progress, returns, and what a person decided."""

from datetime import datetime, timedelta
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from lexreview.accounts.models import User
from lexreview.ledger.models import Event
from lexreview.questions.models import Benchmark
from lexreview.review.actions import approve_card, park_card, revise_card
from lexreview.review.actions.planning import PlanDraft, save_review_plan
from lexreview.review.actions.repeating import bring_back_all
from lexreview.review.actions.returning import return_card
from lexreview.review.models import Attendance, Card
from lexreview.review.piles import Desk
from lexreview.review.progress import progress_of
from tests.factories import LONG_AGO
from tests.review.factories import fill_card, make_benchmark, make_card
from tests.review.rounds import ask
from tests.review.swapping import parsed

pytestmark = pytest.mark.django_db


def approved(card: Card, by: User, now: datetime) -> Card:
    card = fill_card(card, by=by, now=now)
    return approve_card(card=card, version=card.version, confirm_unchecked=True, by=by, now=now)


def facts_on(page: bytes) -> dict[str, str]:
    facts = parsed(page.decode()).xpath("//div[@class='fact']")
    return {fact.xpath("string(dt)"): fact.xpath("string(dd[1])") for fact in facts}


def people_on(page: bytes) -> list[str]:
    return [name.strip() for name in parsed(page.decode()).xpath("//table//tbody/tr/th/text()")]


def test_what_is_left_is_said_in_cards_and_in_citations(client: Client, reviewer: User, now: datetime) -> None:
    approved(make_card(assigned_to=reviewer), reviewer, now)
    make_card(system="boron-2", assigned_to=reviewer)
    make_card(system="carbon-1", citations=())
    client.force_login(reviewer)

    page = client.get(reverse("review:progress"))

    assert facts_on(page.content) == {
        "card approved": "1",
        "cards left": "2",
        "citations left": "7",
        "open returns": "0",
    }
    assert "1 of them free" in page.content.decode()


def test_a8_a_returned_card_is_its_reviewers_again_and_counts_as_an_open_return(
    client: Client, card: Card, reviewer: User, lead: User, now: datetime
) -> None:
    done = approved(card, reviewer, now)

    back = return_card(card=done, reason="Art. 17 was not read.", by=lead, now=now)

    assert (back.state, back.assigned_to, back.returned_at, back.claimed_until) == ("in_review", reviewer, now, None)
    client.force_login(reviewer)
    for pile in ("mine", "returned"):
        assert f"/review/cards/{card.pk}/" in client.get("/review/", {"pile": pile}).content.decode()
    assert facts_on(client.get(reverse("review:progress")).content)["open return"] == "1"

    again = approve_card(card=back, version=back.version, confirm_unchecked=True, by=reviewer, now=now)

    assert (again.revision, again.returned_at) == (2, None)
    assert again.revisions.get(number=2).reason == "Art. 17 was not read."
    assert facts_on(client.get(reverse("review:progress")).content)["open returns"] == "0"
    events = Event.objects.about("card", card.ledger_id).filter(verb__in=["approve", "return"]).in_order()
    assert [(event.verb, event.actor, event.reason) for event in events] == [
        ("approve", "rita", ""),
        ("return", "lena", "Art. 17 was not read."),
        ("approve", "rita", ""),
    ]


def test_a12_parked_cards_are_open_work_and_none_of_the_approved(client: Client, reviewer: User, now: datetime) -> None:
    cards = [make_card(code=f"P0{number}", assigned_to=reviewer) for number in range(4)]
    for card in cards[:2]:
        park_card(card=card, reason="later", version=card.version, by=reviewer, now=now)
    for card in cards[2:]:
        approved(card, reviewer, now)
    client.force_login(reviewer)

    row = progress_of(Desk.of(reviewer), now=now)[0]

    assert (row.cards, row.approved, row.cards_left) == (4, 2, 2)
    assert {state: n for state, _words, n in row.states if n} == {"parked": 2, "approved": 2}
    assert row.people[0].open == 0
    assert len(parsed(client.get("/review/?pile=parked").content.decode()).xpath("//tbody/tr")) == 2
    assert len(parsed(client.get("/review/?pile=approved").content.decode()).xpath("//tbody/tr")) == 2


def test_nothing_on_the_page_tells_of_a_repeat(
    client: Client, reviewer: User, colleague: User, lead: User, now: datetime
) -> None:
    benchmark = make_benchmark()
    plan = PlanDraft(blind_share=Decimal(0), repeat_share=Decimal(1), repeat_after=9)
    save_review_plan(benchmark=benchmark, draft=plan, by=None, now=LONG_AGO)
    card = approved(make_card(benchmark, assigned_to=reviewer), reviewer, now)
    Attendance.objects.create(card=card, person=reviewer, active_seconds=60, open_until=now, beat_at=now)
    client.force_login(reviewer)
    before = progress_of(Desk.of(reviewer), now=now)

    [repeat] = bring_back_all(benchmark=benchmark, by=lead, now=now)
    assert progress_of(Desk.of(reviewer), now=now) == before
    approved(Card.objects.with_answer().get(pk=repeat.pk), reviewer, now)
    Attendance.objects.create(card=repeat, person=reviewer, active_seconds=60, open_until=now, beat_at=now)

    assert progress_of(Desk.of(reviewer), now=now) == before


def test_second_reviews_stand_apart(
    client: Client, card: Card, reviewer: User, colleague: User, lead: User, now: datetime
) -> None:
    ask(colleague, by=lead, card=approved(card, reviewer, now), now=now)
    client.force_login(lead)

    [row] = progress_of(Desk.of(lead), now=now)

    assert [(each.person, each.open, each.approved, each.second) for each in row.people] == [
        ("karl", 0, 0, 1), ("rita", 0, 0, 0),
    ]  # fmt: skip
    assert "Open second reviews" in client.get(reverse("review:progress")).content.decode()


def test_time_per_card_is_for_oneself_and_the_lead(
    client: Client, reviewer: User, colleague: User, lead: User, operator: User, now: datetime
) -> None:
    for person, system, spent in ((reviewer, "argon-4", 90), (colleague, "boron-2", 600)):
        card = approved(make_card(system=system, assigned_to=person), person, now)
        Attendance.objects.create(card=card, person=person, active_seconds=spent, open_until=now, beat_at=now)
    seen = {}

    for person in (reviewer, colleague, lead, operator):
        client.force_login(person)
        page = client.get(reverse("review:progress"))
        seen[person.username] = (
            people_on(page.content),
            [minutes in page.content.decode() for minutes in ("1.5 <", "10.0 <")],
        )

    assert seen == {
        "rita": (["rita"], [True, False]),
        "karl": (["karl"], [False, True]),
        "lena": (["karl", "rita"], [True, True]),
        "olek": ([], [False, False]),
    }


def test_progress_takes_the_same_queries_for_any_number_of_cards(
    client: Client, reviewer: User, django_assert_max_num_queries: object
) -> None:
    make_card(assigned_to=reviewer)
    client.force_login(reviewer)

    with django_assert_max_num_queries(13):  # type: ignore[operator]
        client.get(reverse("review:progress"))


def test_a9_my_decisions_lists_mine_by_question_label_and_date_and_opens_the_card(
    client: Client, reviewer: User, colleague: User, now: datetime
) -> None:
    first = approved(make_card(code="P01", assigned_to=reviewer), reviewer, now)
    second = approved(make_card(code="P02", assigned_to=reviewer), reviewer, now + timedelta(days=2))
    approved(make_card(code="P03", assigned_to=colleague), colleague, now)
    revise_card(card=first, reason="a slip", version=first.version, by=reviewer, now=now)
    client.force_login(reviewer)
    day = f"{now + timedelta(days=1):%Y-%m-%d}"

    def shown(**query: str) -> list[str]:
        page = parsed(client.get(reverse("review:my_decisions"), query).content.decode())
        return [link.get("href") for link in page.xpath("//tbody//th//a")]

    links = [f"/review/cards/{card.pk}/" for card in (second, first)]
    assert shown() == links
    assert shown(question="P01") == links[1:]
    assert shown(label="hallucinated") == links and shown(label="provider_block") == []
    assert shown(since=day) == links[:1] and shown(until=day) == links[1:]
    assert client.get(links[0]).status_code == 200
    assert "in review" in client.get(reverse("review:my_decisions"), {"question": "P01"}).content.decode()


def test_a7_the_last_twenty_decisions_stand_on_the_first_page(
    client: Client, card: Card, reviewer: User, now: datetime
) -> None:
    for number in range(22):
        at = now + timedelta(minutes=number)
        card = approved(card, reviewer, at) if number == 0 else card
        if number:
            card = revise_card(card=card, reason="again", version=card.version, by=reviewer, now=at)
            card = approve_card(card=card, version=card.version, confirm_unchecked=True, by=reviewer, now=at)
    client.force_login(reviewer)

    first = parsed(client.get(reverse("review:my_decisions")).content.decode())
    numbers = [row.xpath("string(td[6])") for row in first.xpath("//tbody/tr")]
    rest = first.xpath("//nav[@class='pager']/a[.='Next']/@href")[0]
    second = parsed(client.get(reverse("review:my_decisions") + rest).content.decode())

    assert numbers == [str(number) for number in range(22, 2, -1)]
    assert [row.xpath("string(td[6])") for row in second.xpath("//tbody/tr")] == ["2", "1"]


def test_a_wrong_date_says_so(client: Client, reviewer: User) -> None:
    client.force_login(reviewer)

    page = client.get(reverse("review:my_decisions"), {"since": "soon"})

    assert "Enter a valid date" in page.content.decode()


def test_pages_are_closed_to_anonymous_people_and_empty_for_outsiders(
    client: Client, card: Card, outsider: User
) -> None:
    for name in ("progress", "my_decisions"):
        assert client.get(reverse(f"review:{name}")).status_code == 302
    client.force_login(outsider)
    for name in ("progress", "my_decisions"):
        assert Benchmark.objects.get().titles["en"] not in client.get(reverse(f"review:{name}")).content.decode()
