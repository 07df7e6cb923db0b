"""How far a benchmark is: cards and citations that are left, what waits for whom, who has what."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Count, Q

from lexreview.accounts.models import User
from lexreview.core.workflow import CardState, CitationState, Round
from lexreview.questions.models import Benchmark
from lexreview.review.blinding import REVIEWS
from lexreview.review.models import CARD_STATE_LABELS, OPEN_STATES, Card, CardCitation, is_rehearsal
from lexreview.review.pace import Pace, paces_of
from lexreview.review.piles import Desk, is_free

NOTHING = [0, 0, 0]


@dataclass(frozen=True, slots=True)
class PersonProgress:
    """What one person has in a benchmark: first reviews that are open, unchecked citations on them, returns, and what
    they approved; and `second` reviews that are open. Repeats are in no figure: nobody is to know that there are any.
    """

    person: str
    open: int
    second: int
    citations: int
    returned: int
    approved: int
    pace: Pace


@dataclass(frozen=True, slots=True)
class BenchmarkProgress:
    """Counts of first reviews in one benchmark. `citations_left`: unchecked ones on cards that are not approved.
    `rehearsed`: its cards are for practice and in none of the counts. `masked_in_batch`: a batch hides which system
    answered on an open card.

    `people` has everybody for leads and only the person themselves for others. `states`: (stored value, words, count).
    """

    benchmark: Benchmark
    leads: bool
    masked_in_batch: bool
    rehearsed: bool
    cards: int
    approved: int
    citations_left: int
    free: int
    returned: int
    states: list[tuple[str, str, int]] = field(default_factory=list)
    people: list[PersonProgress] = field(default_factory=list)

    @property
    def cards_left(self) -> int:
        return self.cards - self.approved


def progress_of(desk: Desk, *, benchmark: str = "", now: datetime) -> list[BenchmarkProgress]:
    """Per benchmark of the person, or of the one with that slug. Counts every card: for a page of its own."""
    return [_progress(row, desk=desk, now=now) for row in desk.chosen(benchmark)]


def _progress(benchmark: Benchmark, *, desk: Desk, now: datetime) -> BenchmarkProgress:
    leads = desk.leads([benchmark])
    cards = Card.objects.of_benchmark(benchmark).first_round()
    by_state = dict(cards.order_by().values_list("state").annotate(n=Count("pk")))
    citations = _citations_left(benchmark)
    counts = cards.aggregate(
        free=Count("pk", filter=Q(state__in=OPEN_STATES) & is_free(now)), returned=Count("pk", filter=_waiting())
    )
    return BenchmarkProgress(
        benchmark=benchmark,
        leads=leads,
        masked_in_batch=benchmark.slug in desk.masked_in_batches,
        rehearsed=not by_state and is_rehearsal(benchmark),
        cards=sum(by_state.values()),
        approved=by_state.get(CardState.APPROVED, 0),
        citations_left=sum(citations.values()),
        free=counts["free"],
        returned=counts["returned"],
        states=[(state.value, str(words), by_state.get(state, 0)) for state, words in CARD_STATE_LABELS.items()],
        people=_people(benchmark, citations, only=None if leads else desk.user),
    )


def _waiting() -> Q:
    return Q(returned_at__isnull=False) & ~Q(state=CardState.APPROVED)


def _citations_left(benchmark: Benchmark) -> dict[int | None, int]:
    """Unchecked citations on cards that are not approved, by the key of whoever has the card."""
    rows = CardCitation.objects.filter(
        card__queue_benchmark=benchmark, card__round=Round.FIRST, state=CitationState.UNCHECKED
    )
    open_ = rows.exclude(card__state=CardState.APPROVED).order_by().values_list("card__assigned_to")
    return dict(open_.annotate(n=Count("pk")))


def _people(benchmark: Benchmark, citations: Mapping[int | None, int], *, only: User | None) -> list[PersonProgress]:
    held = Card.objects.of_benchmark(benchmark).filter(assigned_to__isnull=False, round__in=REVIEWS)
    done = Card.objects.of_benchmark(benchmark).first_round().approved()
    if only is not None:
        held, done = held.filter(assigned_to=only), done.filter(approved_by=only)
    has = {
        person: counts
        for person, *counts in held.order_by()
        .values_list("assigned_to")
        .annotate(
            open=Count("pk", filter=Q(state__in=OPEN_STATES, round=Round.FIRST)),
            returned=Count("pk", filter=_waiting()),
            second=Count("pk", filter=Q(state__in=OPEN_STATES, round=Round.SECOND)),
        )
    }
    approved = dict(done.order_by().values_list("approved_by").annotate(n=Count("pk")))
    paces = paces_of(benchmark, only=only)
    people = User.objects.filter(pk__in={*has, *approved}).order_by("username")
    return [
        PersonProgress(
            person=person.username,
            open=has.get(person.pk, NOTHING)[0],
            second=has.get(person.pk, NOTHING)[2],
            citations=citations.get(person.pk, 0),
            returned=has.get(person.pk, NOTHING)[1],
            approved=approved.get(person.pk, 0),
            pace=paces.get(person.pk, Pace(0, 0)),
        )
        for person in people
    ]
