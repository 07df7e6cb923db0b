"""What a lead does to a card while its reviewer works on it: clear words, nothing lost, no error of the server."""

import threading
from collections.abc import Callable, Mapping
from datetime import datetime
from decimal import Decimal

import pytest
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from lexreview.accounts.actions import revoke_role
from lexreview.accounts.models import User
from lexreview.core.workflow import Role
from lexreview.ledger.models import Event
from lexreview.methodology.actions import DecisionDraft
from lexreview.methodology.models import Decision
from lexreview.questions.actions import set_system_masking
from lexreview.review.actions import ask_ruling, assign_card, decide_score, recompute_card
from lexreview.review.actions.rulings import rule_by_new_entry
from lexreview.review.actions.second_review import cancel_second_review
from lexreview.review.models import Card
from lexreview.review.staleness import rules_of
from tests.factories import make_user
from tests.review.factories import SLUG, make_card
from tests.review.rounds import ask, fresh, review
from tests.review.sending import ALL, FORMS
from tests.review.test_recomputing import adopt, new_key, next_version

pytestmark = pytest.mark.django_db


def revoke(card: Card, lead: User, now: datetime) -> None:
    rita = User.objects.get(username="rita")
    revoke_role(user=rita, benchmark_slug=SLUG, role=Role.REVIEWER, reason="Left.", by=lead, now=now)


def give_away(card: Card, lead: User, now: datetime) -> None:
    assign_card(card=card, to=make_user("karl", roles=(Role.REVIEWER,)), by=lead, now=now)


def set_free(card: Card, lead: User, now: datetime) -> None:
    assign_card(card=card, to=None, by=lead, now=now)


def change_rules(card: Card, lead: User, now: datetime) -> None:
    adopt(next_version(B2=None))
    recompute_card(card=fresh(card), rules=rules_of(fresh(card).benchmark), by=lead, now=now)


def change_key(card: Card, lead: User, now: datetime) -> None:
    new_key(card.answer.question, rubric=[{"code": "R9", "text": "Seven days.", "points": 3}])
    recompute_card(card=fresh(card), rules=rules_of(fresh(card).benchmark), by=lead, now=now)


def mask(card: Card, lead: User, now: datetime) -> None:
    set_system_masking(benchmark=card.benchmark, masked=True, by=lead, now=now)


PULLED: Mapping[Callable[[Card, User, datetime], None], set[int]] = {
    revoke: {404}, give_away: {403}, set_free: {409}, change_rules: {409}, change_key: {409}, mask: {302},
}  # fmt: skip


@pytest.mark.parametrize("pull", PULLED)
def test_every_form_is_refused_in_words_and_changes_nothing(
    client: Client, card: Card, reviewer: User, lead: User, now: datetime, pull: Callable[[Card, User, datetime], None]
) -> None:
    seen = decide_score(
        card=card, criterion="B1", points=Decimal(1), evidence="Read.", version=card.version, by=reviewer, now=now
    )
    client.force_login(reviewer)
    pull(seen, lead, now)
    done = Event.objects.count()

    for name, form in FORMS.items():
        address, fields = form(seen)
        with transaction.atomic():
            reply = client.post(address, fields)
            events = Event.objects.count()
            transaction.set_rollback(True)
        assert {reply.status_code} == PULLED[pull], name
        if reply.status_code == 302:
            continue
        assert events == done, name
        page = reply.content.decode()
        said = {403: "assigned to somebody else", 404: "nothing at this address", 409: "changed meanwhile"}
        assert said[reply.status_code] in page, name
        if reply.status_code == 409 and "evidence" in fields:
            assert fields["evidence"] in page, name


def test_a_seat_that_is_called_off_while_it_is_open_is_gone_and_says_so(
    client: Client, card: Card, reviewer: User, colleague: User, lead: User, now: datetime
) -> None:
    review(card, by=reviewer, now=now)
    [seat] = ask(colleague, by=lead, card=card, now=now)
    client.force_login(colleague)
    client.post(reverse("review:open_citation", args=[seat.pk, 1]))
    client.post(reverse("review:beat", args=[seat.pk]), {"active": 20})
    page = client.get(reverse("review:card", args=[seat.pk])).content.decode()
    assert "This card is no longer open to you" in page
    cancel_second_review(card=fresh(card), reason="Too early.", by=lead, now=now)

    for name, form in ALL.items():
        assert client.post(*form(seat)).status_code == 404, name
    assert client.post(reverse("review:beat", args=[seat.pk]), {"active": 20}).status_code == 404


@pytest.mark.skipif(connection.vendor == "sqlite", reason="threads cannot share the test database of SQLite")
@pytest.mark.django_db(transaction=True)
def test_two_leads_who_answer_at_once_write_two_entries(reviewer: User, lead: User, now: datetime) -> None:
    leads = [lead, make_user("luis", roles=(Role.LEAD,))]
    asking = []
    for repetition in (1, 2, 3):
        card = make_card(repetition=repetition, assigned_to=reviewer)
        asking.append(ask_ruling(card=card, question="Why?", version=card.version, by=reviewer, now=now))
    drafts = [
        DecisionDraft(decided_on=now.date(), question=each.username, decision="So.", reason="By law.") for each in leads
    ]
    first = asking.pop()
    rule_by_new_entry(card=first, draft=drafts[0], version=first.version, by=lead, now=now)
    together = threading.Barrier(2)

    def answer(card: Card, draft: DecisionDraft, by: User) -> None:
        try:
            together.wait()
            rule_by_new_entry(card=card, draft=draft, version=card.version, by=by, now=now)
        finally:
            connection.close()

    threads = [threading.Thread(target=answer, args=each) for each in zip(asking, drafts, leads, strict=True)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

    assert sorted(Decision.objects.values_list("number", "question")) in (
        [(1, "lena"), (2, "lena"), (3, "luis")], [(1, "lena"), (2, "luis"), (3, "lena")],
    )  # fmt: skip
    assert Card.objects.filter(state="in_review").count() == 3
