"""Who has a card open, and for how long somebody worked on it."""

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from lexreview.accounts.models import User
from lexreview.ledger.models import Event
from lexreview.questions.models import Benchmark
from lexreview.review.actions import approve_card
from lexreview.review.claiming import take_next_card
from lexreview.review.models import Attendance, Card
from lexreview.review.pace import fast_approvals, paces_of
from lexreview.review.presence import beat, others_at
from tests.review.factories import fill_card, make_card, make_many_cards

pytestmark = pytest.mark.django_db


def seconds(value: int) -> timedelta:
    return timedelta(seconds=value)


def test_a_card_is_open_until_the_page_is_left_or_falls_silent(
    card: Card, reviewer: User, colleague: User, now: datetime
) -> None:
    beat(card=card, person=colleague, active_seconds=0, now=now)

    assert others_at(card, person=reviewer, now=now + seconds(60)) == [colleague]
    assert others_at(card, person=colleague, now=now) == []
    assert others_at(card, person=reviewer, now=now + seconds(80)) == []

    beat(card=card, person=colleague, active_seconds=0, now=now + seconds(90))
    beat(card=card, person=colleague, active_seconds=0, now=now + seconds(95), leaving=True)
    assert others_at(card, person=reviewer, now=now + seconds(95)) == []


@pytest.mark.parametrize(
    ("beats", "total"),
    [
        ([(0, 0), (30, 25), (60, 30)], 55),
        ([(0, 500)], 30),
        ([(0, 0), (30, 400)], 30),
        ([(0, 0), (600, 300)], 60),
        ([(0, 0), (30, 30), (31, 30), (60, 30)], 60),
        ([(0, 0), (30, -5)], 0),
    ],
    ids=["usual", "first beat", "more than passed", "more than a minute", "two windows", "negative"],
)
def test_active_time_is_capped_per_beat(
    card: Card, reviewer: User, now: datetime, beats: list[tuple[int, int]], total: int
) -> None:
    for at, active in beats:
        beat(card=card, person=reviewer, active_seconds=active, now=now + seconds(at))

    assert Attendance.objects.get().active_seconds == total


def test_reading_an_approved_card_takes_no_time(card: Card, reviewer: User, now: datetime) -> None:
    done = fill_card(card, by=reviewer, now=now)
    done = approve_card(card=done, version=done.version, confirm_unchecked=True, by=reviewer, now=now)

    beat(card=done, person=reviewer, active_seconds=20, now=now)

    assert Attendance.objects.get().active_seconds == 0


def test_the_beat_says_who_else_is_there_and_changes_nothing_of_the_card(
    client: Client, card: Card, reviewer: User, colleague: User
) -> None:
    events, version = Event.objects.count(), card.version
    client.force_login(colleague)
    client.post(reverse("review:beat", args=[card.pk]), {"active": "0"})
    client.force_login(reviewer)

    page = client.post(reverse("review:beat", args=[card.pk]), {"active": "12"}).content.decode()
    left = client.post(reverse("review:beat", args=[card.pk]), {"active": "1", "leaving": "1"})

    assert "Karl has this card open" in page
    assert (left.status_code, left.content) == (204, b"")
    card.refresh_from_db()
    assert (Event.objects.count(), card.version) == (events, version)


def test_b4_the_beat_warns_before_the_claim_ends_and_use_keeps_it(client: Client, reviewer: User) -> None:
    make_card()
    card = take_next_card(user=reviewer, now=timezone.now() - timedelta(hours=11, minutes=57))
    assert card is not None
    client.force_login(reviewer)
    address = reverse("review:beat", args=[card.pk])

    idle = client.post(address, {"active": "0"}).content.decode()
    used = client.post(address, {"active": "5"}).content.decode()

    assert "Your claim on this card ends at" in idle
    assert "Your claim on this card ends at" not in used
    card.refresh_from_db()
    assert card.claimed_until is not None
    assert card.claimed_until > timezone.now() + timedelta(hours=11)


@pytest.mark.parametrize("sent", [{}, {"active": "x"}, {"active": "-1"}, {"active": "99999"}])
def test_a_beat_without_sense_adds_nothing(client: Client, card: Card, reviewer: User, sent: dict[str, str]) -> None:
    client.force_login(reviewer)

    assert client.post(reverse("review:beat", args=[card.pk]), sent).status_code == 200

    assert Attendance.objects.get().active_seconds == 0


def test_outsiders_leave_no_beat(client: Client, card: Card, outsider: User) -> None:
    client.force_login(outsider)

    assert client.post(reverse("review:beat", args=[card.pk])).status_code == 404
    assert client.get(reverse("review:beat", args=[card.pk])).status_code == 405
    assert not Attendance.objects.exists()


def approved_in(seconds_spent: list[int], person: User, now: datetime) -> list[Card]:
    """Approved cards without citations on which the person spent so many seconds."""
    cards = make_many_cards(len(seconds_spent))
    Card.objects.update(state="approved", approved_by=person, approved_at=now, revision=1, assigned_to=person)
    Attendance.objects.bulk_create(
        [
            Attendance(card=card, person=person, active_seconds=spent, open_until=now, beat_at=now)
            for card, spent in zip(cards, seconds_spent, strict=True)
        ]
    )
    return cards


def test_very_fast_approvals_are_marked_against_the_median(reviewer: User, now: datetime) -> None:
    cards = approved_in([100] * 18 + [26, 24], reviewer, now)

    assert fast_approvals(Benchmark.objects.get()) == [cards[19].pk]


def test_without_enough_times_two_seconds_per_citation_are_fast(reviewer: User, colleague: User, now: datetime) -> None:
    cards = approved_in([1, 2, 300], reviewer, now)
    Attendance.objects.create(card=cards[1], person=colleague, active_seconds=0, open_until=now, beat_at=now)

    assert fast_approvals(Benchmark.objects.get()) == [cards[0].pk]


def test_a_card_without_timing_is_not_fast(reviewer: User, now: datetime) -> None:
    make_many_cards(2)
    Card.objects.update(state="approved", approved_by=reviewer, approved_at=now, revision=1)

    assert fast_approvals(Benchmark.objects.get()) == []
    assert paces_of(Benchmark.objects.get()) == {}


def test_pace_is_the_mean_of_the_approvers_own_time(reviewer: User, colleague: User, now: datetime) -> None:
    approved_in([60, 180], reviewer, now)

    pace = paces_of(Benchmark.objects.get())[reviewer.pk]

    assert (pace.cards, pace.seconds, pace.minutes_per_card) == (2, 240, 2.0)
    assert paces_of(Benchmark.objects.get(), only=colleague) == {}
