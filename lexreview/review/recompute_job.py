"""The job "recompute": every card that was scored under other rules than count now is put under them."""

from collections.abc import Iterator

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from lexreview.core.workflow import Role
from lexreview.jobs.kinds import JobKind, Params, register
from lexreview.jobs.models import Job
from lexreview.questions.models import Benchmark
from lexreview.review.actions import recompute_card
from lexreview.review.models import Card
from lexreview.review.staleness import outdated, rules_of

RECOMPUTE = "recompute"


def pending(params: Params) -> Iterator[str]:
    """Cards to be put under the rules that count now, by primary key, in the order of the queue."""
    benchmark = Benchmark.objects.select_related("specification").get(slug=params["benchmark"])
    return (str(card.pk) for card in outdated(benchmark, rules_of(benchmark)))


def process(key: str, params: Params, job: Job) -> None:
    """Doing it twice is safe: a card that is under the rules already is left alone, and so is one that is gone."""
    card = Card.objects.with_answer().filter(pk=int(key)).first()
    if card is not None:
        recompute_card(card=card, rules=rules_of(card.benchmark), by=job.created_by, now=timezone.now())


def register_recompute() -> None:
    register(
        JobKind(name=RECOMPUTE, label=_("Recompute cards"), items=pending, process=process, role=Role.LEAD),
    )
