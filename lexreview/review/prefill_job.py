"""The job "prefill": a card for every answer that has none, each pre-filled from the current verification."""

from collections.abc import Iterator

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from lexreview.jobs.kinds import JobKind, Params, register
from lexreview.jobs.models import Job
from lexreview.questions.models import Benchmark
from lexreview.review.actions import open_cards, prefill_card
from lexreview.review.models import Card

PREFILL = "prefill"


def pending(params: Params) -> Iterator[str]:
    """Cards still to be pre-filled, by primary key, in the order of the queue; missing ones are opened first."""
    benchmark = Benchmark.objects.get(slug=params["benchmark"])
    open_cards(benchmark=benchmark, by=None, now=timezone.now())
    cards = Card.objects.of_benchmark(benchmark).pending_prefill().in_queue_order()
    return (str(pk) for pk in cards.values_list("pk", flat=True))


def prefill(key: str, params: Params, job: Job) -> None:
    """Doing it twice is safe: a card that somebody works on is left alone, another gets the same proposals again."""
    prefill_card(card=Card.objects.get(pk=int(key)), by=None, now=timezone.now())


def register_prefill() -> None:
    register(JobKind(name=PREFILL, label=_("Pre-fill cards"), items=pending, process=prefill))
