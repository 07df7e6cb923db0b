"""What every action owes: its event in the same transaction, nothing on repetition, a refusal for the wrong role."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction

from lexreview.ledger.chain import first_break
from lexreview.ledger.models import Event


@contextmanager
def aborted() -> Iterator[None]:
    """A transaction that is rolled back at its end, as by a lost connection."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def verbs_since(number: int) -> list[str]:
    """Verbs of the events recorded after the first `number`."""
    return [event.verb for event in Event.objects.in_order()[number:]]


def check_written_once(act: Callable[[], Any], *, verbs: list[str]) -> None:
    """The act records `verbs`; the same again records nothing; an aborted one leaves no event."""
    before = Event.objects.count()
    with aborted():
        act()
        assert verbs_since(before) == verbs
    assert Event.objects.count() == before

    first = act()
    assert verbs_since(before) == verbs
    again = act()

    assert verbs_since(before) == verbs
    assert again == first
    assert first_break(Event.objects.in_order()) is None
