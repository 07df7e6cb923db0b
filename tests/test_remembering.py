"""A case laid down from memory is the case that the actions made, and only where all stands as it did."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.utils.translation import override

from lexreview.accounts.models import User
from lexreview.core.workflow import Role
from lexreview.ledger.models import Event
from lexreview.questions.models import Benchmark
from lexreview.review.models import Card
from tests import remembering
from tests.factories import make_user
from tests.remembering import remembered
from tests.review.factories import fill_card, make_card

pytestmark = pytest.mark.django_db
calls: list[str] = []
said: list[str] = []


@remembered
def make_named(name: str) -> User:
    calls.append(name)
    transaction.on_commit(lambda: said.append(name))
    return make_user(name)


@pytest.fixture(autouse=True)
def _nothing_called(monkeypatch: pytest.MonkeyPatch) -> None:
    remembering.forget()
    calls.clear()
    said.clear()


@contextmanager
def taken_back() -> Iterator[None]:
    """As the end of a test takes it back."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def make_and_take_back(*names: str) -> None:
    with taken_back():
        for name in names:
            make_named(name)


def test_what_is_laid_down_again_is_what_the_actions_wrote(now: datetime) -> None:
    seen = []
    for _ in range(2):
        with taken_back():
            reviewer = make_user("rita", roles=(Role.REVIEWER,))
            card = fill_card(make_card(assigned_to=reviewer), by=reviewer, now=now)
            kept = len(remembering._deeds)
            seen.append((remembering._database().read(), card.version, card.answer.question.benchmark, kept))

    assert seen[0] == seen[1]  # rows and counters; nothing was remembered in the second round
    assert Event.objects.count() == 0
    [(rows, _counters), *_others] = seen[0]
    assert len(rows["ledger_event"]) > 30
    assert len(rows["review_score"]) > 8


def test_a_second_call_does_not_work_again_and_hands_out_its_own_copy() -> None:
    with taken_back():
        first = make_named("ada")

    again = make_named("ada")

    assert calls == ["ada"]
    assert again.username == "ada"
    assert again is not first
    assert User.objects.get() == again


def test_other_arguments_other_rows_and_another_order_work_anew() -> None:
    make_and_take_back("ada")
    make_and_take_back("bea")
    make_and_take_back("ada", "bea")
    make_and_take_back("bea", "ada")

    assert calls == ["ada", "bea", "bea", "ada"]


@pytest.mark.parametrize(("jurisdiction", "made"), [("QK", ["ada"]), ("XX", ["ada", "ada"])])
def test_one_changed_field_is_another_content(jurisdiction: str, made: list[str]) -> None:
    for value in ("QK", jurisdiction):
        with taken_back():
            card = make_card()
            Benchmark.objects.filter(pk=card.benchmark.pk).update(jurisdiction=value)
            make_named("ada")

    assert calls == made


def test_another_setting_language_or_value_in_the_code_works_anew(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_and_take_back("ada")
    settings.REVIEW_CLAIM_HOURS = 1
    make_and_take_back("ada")
    with override("pl"):
        make_and_take_back("ada")
    monkeypatch.setattr(remembering, "ROWS_AT_MOST", 2000)
    make_and_take_back("ada")
    make_and_take_back("ada")

    assert calls == ["ada"] * 4


def test_beside_what_is_made_on_the_spot_the_factory_always_works(monkeypatch: pytest.MonkeyPatch) -> None:
    make_and_take_back("ada")
    monkeypatch.setattr(remembering, "forget", lambda: None)
    make_and_take_back("ada")
    make_and_take_back("ada")

    assert calls == ["ada"] * 3


def test_people_made_afterwards_get_the_next_numbers() -> None:
    make_and_take_back("ada", "bea")
    ada, bea = make_named("ada"), make_named("bea")

    eve = make_user("eve")

    assert ada.pk < bea.pk < eve.pk
    assert not Card.objects.exists()
    assert User.objects.count() == 3


@pytest.mark.django_db(transaction=True)
def test_outside_a_transaction_each_call_is_one_and_an_emptied_database_is_as_new() -> None:
    first = make_named("ada")
    call_command("flush", verbosity=0, interactive=False)
    assert not User.objects.exists()

    again = make_named("ada")

    assert calls == ["ada"]
    assert said == ["ada", "ada"]
    assert not connection.in_atomic_block
    assert User.objects.get() == again == first
