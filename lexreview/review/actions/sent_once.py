"""What a lead asks for as a whole is done once for each form that was sent: a second click is no second sample."""

from typing import Any

from lexreview.accounts.models import User
from lexreview.ledger.models import Event
from lexreview.questions.models import Benchmark
from lexreview.review.changing import key_of_sent_form

FORM = "form"


class SentBefore(Exception):
    """The person sent this very form before, and it was done. `after`: what its event says."""

    def __init__(self, event: Event) -> None:
        super().__init__(f"done as event {event.number}")
        self.after: dict[str, Any] = event.after or {}


def check_not_sent_before(benchmark: Benchmark, *, verb: str, by: User) -> None:
    """Raises SentBefore where an event of the benchmark carries the key of the form that is being done.

    The benchmark is locked, so that of two clicks one waits for the other and then finds its event.
    """
    lock_benchmark(benchmark.pk)
    done = done_before("benchmark", benchmark.slug, verb=verb, by=by)
    if done is not None:
        raise SentBefore(done)


def lock_benchmark(key: int) -> None:
    """Until the end of the transaction; what is drawn from all its cards is drawn by one at a time."""
    Benchmark.objects.select_for_update(of=("self",)).only("pk").get(pk=key)


def done_before(object_type: str, object_id: str, *, verb: str, by: User) -> Event | None:
    """The event of this very form, if the person sent it before."""
    key = key_of_sent_form()
    if not key:
        return None
    events = Event.objects.about(object_type, object_id).filter(verb=verb, actor=by.get_username())
    return events.filter(**{f"after__{FORM}": key}).first()


def with_key(after: dict[str, Any]) -> dict[str, Any]:
    """What the event says, with the key of the form."""
    key = key_of_sent_form()
    return {**after, FORM: key} if key else after
