"""Taking cards: never two people the same one, claims that lapse, who holds what."""

import threading
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.db import connection, connections
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from lxml.html import fromstring

from lexreview.accounts.models import User
from lexreview.accounts.rules import NotAllowed
from lexreview.core.workflow import Role
from lexreview.ledger.models import Event
from lexreview.review.actions import approve_card, assign_card, park_card, set_note
from lexreview.review.claiming import claim, holdings, next_own_card, prolong, take_card, take_next_card, warning_of
from lexreview.review.models import Card
from tests.factories import make_user
from tests.review.factories import VERIFIED_AT, fill_card, make_card, make_many_cards

pytestmark = pytest.mark.django_db
HOURS = timedelta(hours=12)


def test_next_card_goes_round_behind_the_card_before(reviewer: User, now: datetime) -> None:
    cards = [make_card(code=code, assigned_to=reviewer) for code in ("P01", "P02", "P03")]

    following = [take_next_card(user=reviewer, now=now, after=card) for card in cards]

    assert following == [cards[1], cards[2], cards[0]]


def test_b1_of_two_who_try_at_once_one_gets_the_card(reviewer: User, colleague: User, now: datetime) -> None:
    card = make_card()
    seen_by_both = Card.objects.get(pk=card.pk)

    taken = [claim(seen_by_both, user=reviewer, now=now), claim(seen_by_both, user=colleague, now=now)]

    card.refresh_from_db()
    assert taken == [True, False]
    assert (card.assigned_to, card.claimed_until) == (reviewer, now + HOURS)
    event = Event.objects.get(verb="assign")
    assert (event.actor, event.after["assigned_to"], event.after["version"]) == ("rita", "rita", card.version)


def test_b1_a_card_taken_at_the_last_moment_is_not_given_again(
    reviewer: User, colleague: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = make_card(code="P01"), make_card(code="P02")
    taken_by_colleague: list[Card | None] = []

    def claim_after_the_colleague(card: Card, *, user: User, now: datetime) -> bool:
        if not taken_by_colleague:
            taken_by_colleague.append(None)
            taken_by_colleague[0] = take_next_card(user=colleague, now=now)
        return claim(card, user=user, now=now)

    monkeypatch.setattr("lexreview.review.claiming.claim", claim_after_the_colleague)

    mine = take_next_card(user=reviewer, now=now)

    assert (taken_by_colleague, mine) == ([first], second)


@pytest.mark.skipif(connection.vendor == "sqlite", reason="threads cannot share the test database of SQLite")
@pytest.mark.django_db(transaction=True)
def test_b1_twenty_threads_take_a_hundred_cards_and_none_twice(now: datetime) -> None:
    people = [make_user(f"person{number:02}", roles=(Role.REVIEWER,)) for number in range(20)]
    free = make_many_cards(100)
    taken: list[int] = []

    threads = [threading.Thread(target=_takes_all_it_can(person, taken, now)) for person in people]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

    assert sorted(taken) == sorted(card.pk for card in free)
    assert Event.objects.filter(verb="assign").count() == 100
    holders = Card.objects.order_by("pk").values_list("assigned_to__username", flat=True)
    assert list(holders) == [
        Event.objects.get(verb="assign", object_id=card.ledger_id).actor for card in sorted(free, key=lambda c: c.pk)
    ]


def _takes_all_it_can(person: User, taken: list[int], now: datetime) -> Callable[[], None]:
    def run() -> None:
        try:
            while card := take_next_card(user=person, now=now):
                taken.append(card.pk)
                park_card(card=card, reason="seen", version=card.version, by=person, now=now)
        finally:
            connections.close_all()

    return run


def test_b3_a_claim_lapses_without_activity_and_nobody_has_to_sweep(
    reviewer: User, colleague: User, now: datetime
) -> None:
    card = make_card()
    take_next_card(user=colleague, now=now)

    before = take_next_card(user=reviewer, now=now + HOURS - timedelta(seconds=1))
    after = take_next_card(user=reviewer, now=now + HOURS)

    assert (before, after) == (None, card)
    card.refresh_from_db()
    assert (card.assigned_to, card.claimed_until) == (reviewer, now + 2 * HOURS)


def test_b3_hours_are_a_setting(settings: object, reviewer: User, now: datetime) -> None:
    settings.REVIEW_CLAIM_HOURS = 2  # type: ignore[attr-defined]
    make_card()

    card = take_next_card(user=reviewer, now=now)

    assert card is not None
    assert card.claimed_until == now + timedelta(hours=2)


def test_b3_nobodys_cards_are_given_before_lapsed_ones(reviewer: User, colleague: User, now: datetime) -> None:
    make_card(code="P01")
    take_next_card(user=colleague, now=now)
    free = make_card(code="P02")

    assert take_next_card(user=reviewer, now=now + HOURS) == free


def test_a_card_that_a_lead_assigned_does_not_lapse(reviewer: User, colleague: User, lead: User, now: datetime) -> None:
    card = assign_card(card=make_card(), to=colleague, by=lead, now=now)

    assert card.claimed_until is None
    assert take_next_card(user=reviewer, now=now + 100 * HOURS) is None


def test_b4_work_prolongs_the_claim(reviewer: User, now: datetime) -> None:
    make_card()
    card = take_next_card(user=reviewer, now=now)
    assert card is not None

    later = now + timedelta(hours=11)
    card = set_note(card=card, note="Read.", version=card.version, by=reviewer, now=later)

    assert card.claimed_until == later + HOURS


def test_b4_an_open_page_that_is_used_prolongs_the_claim_and_a_strangers_does_not(
    reviewer: User, colleague: User, now: datetime
) -> None:
    make_card()
    card = take_next_card(user=reviewer, now=now)
    assert card is not None
    version, events = card.version, Event.objects.count()

    ends = [
        prolong(card, by=colleague, now=now + timedelta(hours=1)),
        prolong(card, by=reviewer, now=now + timedelta(hours=1)),
    ]

    card.refresh_from_db()
    assert ends == [None, now + timedelta(hours=13)]
    assert (card.claimed_until, card.version, Event.objects.count()) == (ends[1], version, events)


def test_b4_warning_comes_five_minutes_before_the_end(reviewer: User, colleague: User, now: datetime) -> None:
    make_card()
    card = take_next_card(user=reviewer, now=now)
    assert card is not None
    end = now + HOURS

    assert warning_of(card, person=reviewer, now=end - timedelta(minutes=6)) is None
    assert warning_of(card, person=reviewer, now=end - timedelta(minutes=5)) == end
    assert warning_of(card, person=colleague, now=end) is None


def test_who_saves_a_card_of_nobody_claims_it_and_an_approved_or_parked_one_needs_no_claim(
    reviewer: User, now: datetime
) -> None:
    card = make_card()

    card = set_note(card=card, note="Read.", version=card.version, by=reviewer, now=now)
    assert (card.assigned_to, card.claimed_until) == (reviewer, now + HOURS)

    card = park_card(card=card, reason="later", version=card.version, by=reviewer, now=now)
    assert (card.assigned_to, card.claimed_until) == (reviewer, None)


def test_a_lapsed_card_can_be_taken_from_its_page_and_a_held_one_cannot(
    client: Client, reviewer: User, colleague: User
) -> None:
    card = make_card()
    take_next_card(user=colleague, now=timezone.now() - 2 * HOURS)
    client.force_login(reviewer)
    page = client.get(f"/review/cards/{card.pk}/").content.decode()
    assert 'id="take"' in page

    reply = client.post(reverse("review:take", args=[card.pk]))

    card.refresh_from_db()
    assert (reply.status_code, card.assigned_to) == (302, reviewer)
    with pytest.raises(NotAllowed):
        take_card(card, user=colleague, now=timezone.now())


def test_b2_an_empty_queue_says_who_has_the_cards_and_until_when(
    client: Client, reviewer: User, colleague: User, lead: User
) -> None:
    begin = timezone.now()
    make_card(code="P01")
    make_card(code="P02")
    take_next_card(user=colleague, now=begin)
    assign_card(card=Card.objects.get(assigned_to=None), to=lead, by=lead, now=begin)
    client.force_login(reviewer)

    page = client.post(reverse("review:take_next"), follow=True).content.decode()

    assert "No card is left for you" in page
    benchmark = Card.objects.first().benchmark  # type: ignore[union-attr]
    held = holdings([benchmark], now=begin)
    assert [(each.person, each.claimed, each.assigned) for each in held] == [("karl", 1, 0), ("lena", 0, 1)]
    assert "Who has the open cards" in page and f"{(begin + HOURS):%H:%M}" in page
    told = fromstring(page).xpath("//section[@aria-labelledby='holdings-title']//tbody/tr")
    karl, lena = [" ".join(row.text_content().split()) for row in told]
    assert karl.startswith("karl kestria-01 1 ") and f"{(begin + HOURS):%H:%M} 0" in karl
    assert lena.startswith("lena") and f"{(begin + HOURS):%H:%M}" not in lena, "what a lead gave does not lapse"
    assert "Release" not in page


def test_b2_a_lead_releases_claims(client: Client, lead: User, colleague: User, reviewer: User) -> None:
    card = make_card()
    take_next_card(user=colleague, now=timezone.now())
    client.force_login(lead)
    form = {"benchmark": card.benchmark.slug, "person": "karl", "query": "pile=unassigned"}

    assert "Release" in client.get(reverse("review:queue"), {"pile": "unassigned"}).content.decode()
    reply = client.post(reverse("review:release_claims"), form)

    card.refresh_from_db()
    assert (reply["Location"], card.assigned_to, card.claimed_until) == ("/review/?pile=unassigned", None, None)
    event = Event.objects.filter(verb="assign").newest_first().first()
    assert event is not None
    assert (event.actor, event.before, event.after["assigned_to"]) == ("lena", {"assigned_to": "karl"}, None)
    assert take_next_card(user=reviewer, now=timezone.now()) == card


def test_a_reviewer_releases_only_what_is_theirs(client: Client, colleague: User, reviewer: User) -> None:
    card = make_card()
    take_next_card(user=colleague, now=timezone.now())
    client.force_login(reviewer)

    reply = client.post(
        reverse("review:release_claims"), {"benchmark": card.benchmark.slug, "person": "karl"}
    )  # fmt: skip

    card.refresh_from_db()
    assert (reply.status_code, card.assigned_to) == (403, colleague)


def test_cards_of_a_benchmark_where_one_only_operates_are_not_given(operator: User) -> None:
    make_card()

    assert take_next_card(user=operator, now=VERIFIED_AT) is None


def test_a_card_that_was_handed_in_does_not_change_hands(
    client: Client, reviewer: User, lead: User, now: datetime
) -> None:
    card = fill_card(make_card(), by=reviewer, now=now)
    card = approve_card(card=card, version=card.version, confirm_unchecked=True, by=reviewer, now=now)
    client.force_login(lead)

    refused = client.post(reverse("review:take", args=[card.pk]))

    assert refused.status_code == 403
    assert "opened again" in refused.content.decode()
    after = Card.objects.get(pk=card.pk)
    assert (after.version, after.assigned_to, after.claimed_until) == (card.version, reviewer, None)
    client.force_login(reviewer)
    assert client.post(reverse("review:take", args=[card.pk])).status_code == 302
    assert Card.objects.get(pk=card.pk).version == card.version


def test_a_person_without_cards_is_not_looked_for_among_all_cards_of_a_benchmark(reviewer: User, card: Card) -> None:
    """Every approval asks for the next open card of the person: by an index of theirs, in the order of the queue."""
    with CaptureQueriesContext(connection) as captured:
        assert next_own_card(user=reviewer, after=card, benchmark="") is None

    asked = [each["sql"] for each in captured if 'FROM "review_card"' in each["sql"]]
    assert len(asked) == 2
    if connection.vendor == "sqlite":
        for sql in asked:
            with connection.cursor() as cursor:
                cursor.execute(f"EXPLAIN QUERY PLAN {sql}".replace("%", "%%"), ())
                assert "card_of_person (assigned_to_id=?" in str(cursor.fetchall()), sql
