"""The blind second review: sampled, asked for, taken by no more people than wanted, and closed."""

import threading
from collections import Counter
from datetime import datetime
from decimal import Decimal

import pytest
from django.db import IntegrityError, connection, transaction

from lexreview.accounts.models import User
from lexreview.accounts.rules import NotAllowed
from lexreview.core.workflow import Role, TransitionRefused
from lexreview.ledger.models import Event
from lexreview.review.actions import assign_card, decide_score, set_note
from lexreview.review.actions.second_review import (
    RoundRefused,
    cancel_second_review,
    select_for_second_review,
    take_seat,
)
from lexreview.review.claiming import take_next_card
from lexreview.review.models import Card
from lexreview.review.rounds import Sampling, select
from tests.factories import make_user
from tests.review.factories import make_card
from tests.review.rounds import adjudicating, ask, fresh, review

pytestmark = pytest.mark.django_db


@pytest.fixture
def approved(card: Card, reviewer: User, now: datetime) -> Card:
    return review(card, by=reviewer, now=now, points={"B1": 2}, note="Sentinel of the first.")


def verbs_of(card: Card) -> list[str]:
    return [event.verb for event in Event.objects.about("card", card.ledger_id).in_order()]


def test_dry_run_writes_nothing_and_the_selection_is_what_it_showed(
    approved: Card, colleague: User, lead: User, now: datetime
) -> None:
    sampling = Sampling(share=Decimal("0.5"), reviewers=(colleague,), seed=7)
    events = Event.objects.count()

    shown = select(approved.benchmark, sampling)

    assert Event.objects.count() == events
    assert shown.by_question_and_system == [("P04", [("argon-4", 1)])]
    assert shown.by_person == [(colleague, 1)]
    done = select_for_second_review(benchmark=approved.benchmark, sampling=sampling, by=lead, now=now)
    assert [card.pk for card in done.cards] == [card.pk for card in shown.cards]


def test_sample_is_seeded_and_stratified_by_question_and_system(reviewer: User, colleague: User, now: datetime) -> None:
    for code in ("P04", "P09"):
        for system in ("argon-4", "boron-2"):
            for repetition in (1, 2):
                card = make_card(code=code, system=system, repetition=repetition, assigned_to=reviewer)
                review(card, by=reviewer, now=now)
    sampling = Sampling(size=4, reviewers=(colleague, reviewer), seed=3)

    first, again = select(card.benchmark, sampling), select(card.benchmark, sampling)
    other = [select(card.benchmark, Sampling(size=4, reviewers=(colleague,), seed=seed)) for seed in range(4, 10)]

    assert [each.pk for each in first.cards] == [each.pk for each in again.cards]
    assert first.by_question_and_system == [(code, [("argon-4", 1), ("boron-2", 1)]) for code in ("P04", "P09")]
    assert {seat.person for seat in first.seats} == {colleague}, "nobody is asked about their own card"
    assert any([each.pk for each in one.cards] != [each.pk for each in first.cards] for one in other)


def test_work_is_shared_evenly_among_those_asked(reviewer: User, colleague: User, now: datetime) -> None:
    third = make_user("nina", roles=(Role.REVIEWER,))
    for repetition in range(1, 5):
        card = make_card(repetition=repetition, assigned_to=reviewer)
        review(card, by=reviewer, now=now)

    selection = select(card.benchmark, Sampling(share=Decimal(1), reviewers=(colleague, third), seed=1))

    assert Counter(seat.person for seat in selection.seats) == {colleague: 2, third: 2}


def test_a_second_card_holds_nothing_of_the_first(approved: Card, colleague: User, lead: User, now: datetime) -> None:
    [seat] = ask(colleague, by=lead, card=approved, now=now)

    assert (fresh(approved).state, seat.state, seat.round, seat.assigned_to) == (
        "second_review", "prefilled", 2, colleague,
    )  # fmt: skip
    assert not seat.scores.exclude(decided=None).exists()
    assert not seat.citations.exclude(state="unchecked").exists()
    assert not seat.findings.exclude(state="proposed").exists()
    assert seat.note == ""
    assert seat.identifier.endswith(".round2")


def test_b10_each_review_has_its_own_state_and_agreement_settles_the_card(
    approved: Card, colleague: User, lead: User, now: datetime
) -> None:
    [seat] = ask(colleague, by=lead, card=approved, now=now)

    seat = set_note(card=seat, note="Mine.", version=seat.version, by=colleague, now=now)
    assert (fresh(approved).state, seat.state) == ("second_review", "in_review")
    seat = review(seat, by=colleague, now=now, points={"B1": 2})

    assert (fresh(approved).state, seat.state) == ("approved", "approved")
    assert verbs_of(approved)[-2:] == ["select_for_second_review", "record_agreement"]


def test_a_difference_leads_to_adjudication(
    card: Card, reviewer: User, colleague: User, lead: User, now: datetime
) -> None:
    first, _seat = adjudicating(card, first=reviewer, second=colleague, lead=lead, now=now)

    assert first.state == "in_adjudication"
    assert Event.objects.about("card", first.ledger_id).newest_first()[0].after["differences"] == 1


def test_c5_two_identical_reviews_are_both_stored(approved: Card, colleague: User, lead: User, now: datetime) -> None:
    [seat] = ask(colleague, by=lead, card=approved, now=now)

    review(seat, by=colleague, now=now, points={"B1": 2}, note="Sentinel of the first.")

    first, second = Card.objects.filter(answer=approved.answer).order_by("round")
    assert (first.label, first.note) == (second.label, second.note)
    assert first.revisions.count() == second.revisions.count() == 1


def test_a3_one_person_has_at_most_one_review_of_an_answer(
    approved: Card, reviewer: User, colleague: User, lead: User, now: datetime
) -> None:
    [seat, other] = ask(colleague, make_user("nina", roles=(Role.REVIEWER,)), by=lead, card=approved, now=now, seats=2)

    for person in (reviewer, colleague):
        with pytest.raises(NotAllowed, match="takes part in another review"):
            assign_card(card=other, to=person, by=lead, now=now)
        with pytest.raises(IntegrityError), transaction.atomic():
            Card.objects.filter(pk=other.pk).update(assigned_to=person)
    assert fresh(seat).assigned_to == colleague


def test_a_lead_does_not_write_in_somebody_elses_blind_review(
    approved: Card, colleague: User, lead: User, now: datetime
) -> None:
    [seat] = ask(colleague, by=lead, card=approved, now=now)

    with pytest.raises(NotAllowed, match="assigned to somebody else"):
        set_note(card=seat, note="Mine.", version=seat.version, by=lead, now=now)


def test_the_first_card_rests_during_the_second_review(
    approved: Card, reviewer: User, colleague: User, lead: User, now: datetime
) -> None:
    ask(colleague, by=lead, card=approved, now=now)
    first = fresh(approved)

    with pytest.raises(TransitionRefused):
        decide_score(
            card=first, criterion="B1", points=Decimal(0), evidence="No.", version=first.version, by=reviewer, now=now
        )  # fmt: skip
    with pytest.raises(RoundRefused, match="No card can be chosen"):
        ask(colleague, by=lead, card=approved, now=now)


def test_a_round_nobody_began_can_be_called_off(approved: Card, colleague: User, lead: User, now: datetime) -> None:
    [seat] = ask(colleague, by=lead, card=approved, now=now)

    cancel_second_review(card=approved, reason="Asked too early.", by=lead, now=now)

    assert fresh(approved).state == "approved"
    assert not Card.objects.filter(pk=seat.pk).exists()
    [seat] = ask(colleague, by=lead, card=approved, now=now)
    set_note(card=seat, note="Begun.", version=seat.version, by=colleague, now=now)
    with pytest.raises(RoundRefused, match="has begun"):
        cancel_second_review(card=approved, reason="Asked too early.", by=lead, now=now)


@pytest.mark.parametrize("who", ["reviewer", "colleague", "operator", "outsider"])
def test_only_a_lead_asks_for_second_reviews(
    request: pytest.FixtureRequest,
    approved: Card,
    colleague: User,
    operator: User,
    outsider: User,
    now: datetime,
    who: str,
) -> None:
    with pytest.raises(NotAllowed):
        ask(colleague, by=request.getfixturevalue(who), card=approved, now=now)
    assert fresh(approved).state == "approved"


def test_b9_a_third_reviewer_is_refused(approved: Card, colleague: User, lead: User, now: datetime) -> None:
    ask(by=lead, card=approved, now=now, seats=2)
    people = [colleague, make_user("nina", roles=(Role.REVIEWER,))]

    taken = [take_seat(card=approved, by=person, now=now) for person in people]

    assert [seat.assigned_to for seat in taken] == people
    with pytest.raises(RoundRefused, match="no seat"):
        take_seat(card=approved, by=make_user("omar", roles=(Role.REVIEWER,)), now=now)


def test_b9_the_first_reviewer_takes_no_seat(approved: Card, reviewer: User, lead: User, now: datetime) -> None:
    ask(by=lead, card=approved, now=now)

    with pytest.raises(NotAllowed, match="takes part"):
        take_seat(card=approved, by=reviewer, now=now)


def test_c2_the_second_reviewer_finds_the_card_in_their_queue(
    approved: Card, colleague: User, lead: User, now: datetime
) -> None:
    [seat] = ask(colleague, by=lead, card=approved, now=now)

    assert take_next_card(user=colleague, now=now) == seat


@pytest.mark.skipif(connection.vendor == "sqlite", reason="threads cannot share the test database of SQLite")
@pytest.mark.django_db(transaction=True)
def test_b9_no_more_people_review_a_card_than_were_asked_for(
    card: Card, reviewer: User, lead: User, now: datetime
) -> None:
    first = review(card, by=reviewer, now=now)
    ask(by=lead, card=first, now=now, seats=2)
    people = [make_user(name, roles=(Role.REVIEWER,)) for name in ("nina", "omar", "petra")]
    outcomes: list[str] = []
    together = threading.Barrier(len(people))

    def take(person: User) -> None:
        together.wait()
        try:
            take_seat(card=first, by=person, now=now)
            outcomes.append("taken")
        except RoundRefused:
            outcomes.append("refused")
        finally:
            connection.close()

    threads = [threading.Thread(target=take, args=(person,)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(outcomes) == ["refused", "taken", "taken"]
