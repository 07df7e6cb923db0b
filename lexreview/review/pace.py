"""How long first reviews take. A person's own figures are for them and for the lead; nobody is held to a minimum."""

from collections.abc import Mapping
from statistics import median
from typing import NamedTuple

from django.db.models import Count, F, QuerySet, Sum

from lexreview.accounts.models import User
from lexreview.core.workflow import CardState, Round
from lexreview.questions.models import Benchmark
from lexreview.review.models import Attendance

ENOUGH = 20
FAST_SHARE = 0.25
FAST_WITHOUT_MEDIAN = 2.0


class Pace(NamedTuple):
    """Active seconds on `cards` approved cards of one person."""

    cards: int
    seconds: int

    @property
    def minutes_per_card(self) -> float | None:
        """None where no card was timed."""
        return self.seconds / self.cards / 60 if self.cards else None


def paces_of(benchmark: Benchmark, *, only: User | None = None) -> Mapping[int, Pace]:
    """By person's key the pace on cards that they approved: one query. `only`: of one person."""
    rows = _timed(benchmark)
    if only is not None:
        rows = rows.filter(person=only)
    found = rows.values_list("person_id").annotate(cards=Count("pk"), seconds=Sum("active_seconds"))
    return {person: Pace(cards, seconds) for person, cards, seconds in found.order_by("person_id")}


def fast_approvals(benchmark: Benchmark) -> list[int]:
    """Keys of approved cards on which the approver spent strikingly little active time: they go to the QC sample.

    Measured is time per citation, the answer itself counting as one: under a quarter of the benchmark's median, or
    under two seconds where fewer than 20 cards were timed. A card without any timing (no script) is not among them:
    unknown is not fast. In order of key; one query.
    """
    rows = _timed(benchmark).annotate(citations=Count("card__citations"))
    per_citation = {
        card: seconds / (citations + 1)
        for card, seconds, citations in rows.values_list("card_id", "active_seconds", "citations")
    }
    limit = FAST_WITHOUT_MEDIAN
    if len(per_citation) >= ENOUGH:
        limit = FAST_SHARE * median(per_citation.values())
    return sorted(card for card, seconds in per_citation.items() if seconds < limit)


def _timed(benchmark: Benchmark) -> "QuerySet[Attendance]":
    approved = Attendance.objects.filter(
        card__queue_benchmark=benchmark, card__round=Round.FIRST, card__state=CardState.APPROVED
    )
    return approved.filter(person=F("card__approved_by"))
