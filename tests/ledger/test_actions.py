from datetime import datetime, timedelta
from decimal import Decimal

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

from lexreview.ledger.actions import EventDraft, NotInTransaction, record_event, record_events
from lexreview.ledger.chain import first_break
from lexreview.ledger.models import Event, EventsAreFinal


def record(number: int, now: datetime) -> Event:
    with transaction.atomic():
        return record_event(
            by=None,
            verb="approve",
            object_type="card",
            object_id=number,
            before={"a": number},
            after={"a": Decimal("1.50"), "żółć": "≥"},
            reason="because",
            now=now + timedelta(minutes=number),
        )


def change_by_sql(statement: str, parameters: list[object]) -> None:
    """As somebody with the database password would do it: past the code, and past the trigger where there is one."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("ALTER TABLE ledger_event DISABLE TRIGGER ledger_refuse_change")
        cursor.execute(statement, parameters)
        if connection.vendor == "postgresql":
            cursor.execute("ALTER TABLE ledger_event ENABLE TRIGGER ledger_refuse_change")


@pytest.mark.django_db(transaction=True)
def test_event_outside_a_transaction_is_refused(now: datetime) -> None:
    with pytest.raises(NotInTransaction):
        record_event(by=None, verb="v", object_type="t", object_id=1, now=now)
    assert Event.objects.count() == 0


@pytest.mark.django_db
def test_chain_of_recorded_events_holds(now: datetime) -> None:
    for number in range(1, 5):
        record(number, now)
    with transaction.atomic():
        record_events(by=None, drafts=[EventDraft(verb="v", object_type="t", object_id=n) for n in range(3)], now=now)

    assert first_break(Event.objects.in_order()) is None
    assert [event.number for event in Event.objects.in_order()] == list(range(1, 8))
    call_command("verify_ledger")


@pytest.mark.django_db
@pytest.mark.parametrize("column", ["reason", "actor", "verb", "object_id", "object_type", "hash", "previous_hash"])
def test_verify_ledger_names_the_first_event_changed_by_sql(now: datetime, column: str) -> None:
    for number in range(1, 5):
        record(number, now)

    change_by_sql(f"UPDATE ledger_event SET {column} = %s WHERE number = 3", ["changed"])

    with pytest.raises(CommandError, match="event 3"):
        call_command("verify_ledger")


@pytest.mark.django_db
def test_verify_ledger_names_a_removed_event(now: datetime) -> None:
    for number in range(1, 5):
        record(number, now)

    change_by_sql("DELETE FROM ledger_event WHERE number = %s", [2])

    with pytest.raises(CommandError, match="event 2 is missing"):
        call_command("verify_ledger")


@pytest.mark.django_db
def test_code_has_no_way_to_change_or_delete_an_event(now: datetime) -> None:
    event = record(1, now)
    event.reason = "better reason"

    with pytest.raises(EventsAreFinal):
        event.save()
    with pytest.raises(EventsAreFinal):
        event.delete()
    with pytest.raises(EventsAreFinal):
        Event.objects.all().delete()
    with pytest.raises(EventsAreFinal):
        Event.objects.all().update(reason="")


@pytest.mark.django_db
@pytest.mark.parametrize("statement", ["UPDATE ledger_event SET reason = 'x'", "DELETE FROM ledger_event"])
def test_postgresql_itself_refuses_a_change(now: datetime, statement: str) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("the trigger is PostgreSQL's")
    record(1, now)

    with pytest.raises(DatabaseError, match="only grows"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.django_db
def test_event_is_gone_with_its_rolled_back_change(now: datetime) -> None:
    with transaction.atomic():
        record(1, now)
        transaction.set_rollback(True)

    assert Event.objects.count() == 0
    assert record(2, now).number == 1
