"""Who sees whose review: one rule, asked of every list and card, in every phase and for every role."""

from collections.abc import Sequence
from datetime import datetime
from itertools import product
from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet

from lexreview.accounts.actions import grant_role
from lexreview.accounts.models import User
from lexreview.core.workflow import CardState, Role, Round, Viewer
from lexreview.review.blinding import is_shown, plainly_shown, sees
from lexreview.review.models import Card
from tests.factories import LONG_AGO, make_user
from tests.review.factories import make_card
from tests.review.rounds import adjudicating, ask, fresh, review

pytestmark = pytest.mark.django_db
PHASES = (CardState.IN_REVIEW, CardState.SECOND_REVIEW, CardState.IN_ADJUDICATION, CardState.APPROVED, CardState.STALE)
REACHED = (CardState.EMPTY, CardState.IN_REVIEW, CardState.APPROVED)


@pytest.fixture
def family(card: Card, reviewer: User, colleague: User, lead: User, now: datetime) -> list[Card]:
    """First and second review, the adjudicated card, a repeat and a rehearsal of one answer, all approved."""
    first = review(card, by=reviewer, now=now)
    [seat] = ask(colleague, by=lead, card=card, now=now)
    seat = review(seat, by=colleague, now=now)
    others = []
    for round_, person in ((Round.ADJUDICATED, lead), (Round.REPEAT, reviewer), (Round.REHEARSAL, colleague)):
        made = Card.objects.create(
            answer=card.answer, round=round_, specification=card.specification, key_version=card.key_version,
            assigned_to=person, approved_by=person, approved_at=now, revision=1, state=CardState.APPROVED,
        )  # fmt: skip
        others.append(made)
    return [first, seat, *others]


def test_the_list_and_the_rule_agree_in_every_case(
    family: list[Card], reviewer: User, colleague: User, lead: User
) -> None:
    """Every role and part in the round × state of the first card × state of the second × made or not."""
    people = [reviewer, colleague, lead, *(make_user(f"the-{role}", roles=(role,)) for role in Role)]
    grant_role(user=colleague, benchmark_slug="kestria-01", role=Role.LEAD, by=None, now=LONG_AGO)
    first, second, adjudicated, _repeat, _rehearsal = family
    roles = {person.pk: frozenset(person.memberships.values_list("role", flat=True)) for person in people}
    # What is asked of the database depends on the person and not on the cards: its text is made once.
    lists = {person.pk: statement(Card.objects.visible_to(person)) for person in people}
    plain = {person.pk: statement(plainly_shown(Card.objects.all(), person.pk)) for person in people}
    compared = 0
    for state, second_state, made_state, seat in product(
        PHASES, REACHED, (CardState.IN_REVIEW, CardState.APPROVED), ("taken", "free")
    ):
        if state == CardState.SECOND_REVIEW and second_state == CardState.APPROVED:
            continue  # the approval of the last second review moves the first card in the same transaction
        if seat == "free" and second_state != CardState.EMPTY:
            continue
        approved = second_state == CardState.APPROVED
        Card.objects.filter(pk=first.pk).update(state=state)
        Card.objects.filter(pk=second.pk).update(
            state=second_state,
            approved_by=colleague if approved else None,
            assigned_to=None if seat == "free" else colleague,
        )
        Card.objects.filter(pk=adjudicated.pk).update(state=made_state)
        rows = list(Card.objects.with_answer().order_by("pk"))
        for person in people:
            listed = keys_of(*lists[person.pk])
            viewer = Viewer(person.pk, roles[person.pk])
            asked = {card.pk for card in rows if sees(card, family=rows, viewer=viewer)}
            case = (state, second_state, made_state, seat, person.username)
            assert listed == asked, case
            assert {card.pk for card in rows if is_shown(card, person)} == asked, case
            assert not roles[person.pk] or keys_of(*plain[person.pk]) <= asked, case
            compared += 1
    assert compared == 228


def statement(cards: QuerySet[Card]) -> tuple[str, Sequence[Any]]:
    return cards.values_list("pk", flat=True).query.sql_with_params()


def keys_of(wanted: str, params: Sequence[Any]) -> set[int]:
    with connection.cursor() as cursor:
        cursor.execute(wanted, params)
        return {key for (key,) in cursor.fetchall()}


def rounds_seen(person: User) -> set[int]:
    return set(Card.objects.visible_to(person).values_list("round", flat=True))


def test_neither_reviewer_sees_the_other_before_both_are_done(
    card: Card, reviewer: User, colleague: User, lead: User, operator: User, now: datetime
) -> None:
    bystander = make_user("nina", roles=(Role.REVIEWER,))
    review(card, by=reviewer, now=now)
    [seat] = ask(colleague, by=lead, card=card, now=now)

    assert [rounds_seen(each) for each in (reviewer, colleague, bystander, operator)] == [{1}, {2}, set(), set()]
    assert rounds_seen(lead) == {1, 2}

    review(seat, by=colleague, now=now, points={"B1": 2})
    assert fresh(card).state == "in_adjudication"
    assert [rounds_seen(each) for each in (reviewer, colleague, lead)] == [{1, 2}] * 3
    assert [rounds_seen(each) for each in (bystander, operator)] == [set(), set()]


def test_a_lead_who_takes_part_is_as_blind_as_a_reviewer(card: Card, reviewer: User, lead: User, now: datetime) -> None:
    second_lead = make_user("luis", roles=(Role.LEAD,))
    review(card, by=reviewer, now=now)
    ask(second_lead, by=lead, card=card, now=now)

    assert rounds_seen(second_lead) == {2}
    assert rounds_seen(lead) == {1, 2}


def test_other_benchmarks_and_strangers_see_nothing(
    card: Card, reviewer: User, colleague: User, lead: User, outsider: User, now: datetime
) -> None:
    adjudicating(card, first=reviewer, second=colleague, lead=lead, now=now)
    elsewhere = make_user("elsa", roles=tuple(Role), benchmark="elsewhere-01")

    assert rounds_seen(outsider) == rounds_seen(elsewhere) == set()


def test_a_repeat_is_between_its_reviewer_and_the_leads(family: list[Card], reviewer: User, colleague: User) -> None:
    repeat = family[3]

    assert Card.objects.visible_to(reviewer).contains(repeat)
    assert not Card.objects.visible_to(colleague).contains(repeat)


def test_a_card_in_its_first_review_is_seen_by_members(reviewer: User, colleague: User, operator: User) -> None:
    make_card(assigned_to=reviewer)

    assert [rounds_seen(each) for each in (reviewer, colleague, operator)] == [{1}] * 3
