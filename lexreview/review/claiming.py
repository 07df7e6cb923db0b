"""Taking cards: the next one, this one; who holds which; giving them back.

A card that a person takes is claimed for some hours (`REVIEW_CLAIM_HOURS`); work on it prolongs the claim. Whether a
claim has lapsed is asked when somebody wants a card, so nothing has to sweep. A card that a lead assigns never lapses.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Max, Min, Q

from lexreview.accounts.models import User
from lexreview.core.workflow import CardState, Role, Round
from lexreview.questions.models import Benchmark
from lexreview.review.actions.claiming import claim, prolong, take_card
from lexreview.review.blinding import REVIEWS
from lexreview.review.models import Card
from lexreview.review.models.card import CardQuerySet
from lexreview.review.queue import cards_behind

__all__ = ["claim", "holdings", "next_own_card", "prolong", "take_card", "take_next_card", "warning_of"]

TRIES = 25
LOTS = 20
WARNING = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Holding:
    """Open cards of one benchmark in one person's hands. `first`, `last`: when claims end; None for assigned cards."""

    person: str
    benchmark: str
    claimed: int
    assigned: int
    first: datetime | None
    last: datetime | None


def take_next_card(*, user: User, now: datetime, after: Card | None = None, benchmark: str = "") -> Card | None:
    """The next card to work on: an open one of the person's, else a free one, which becomes theirs.

    Free is what nobody has, and then what somebody claimed and left alone. With `after` the search begins behind that
    card and goes round. Two people never get the same free card: taking it is one conditional UPDATE.
    """
    cards = _cards_to_review(user, after=after, benchmark=benchmark)
    if mine := _first(cards.filter(assigned_to=user), after):
        return mine
    reviews = cards.filter(round__in=REVIEWS)
    # A second review that somebody began is theirs alone: nobody goes on with the blind review of another.
    left_alone = reviews.lapsed(now).exclude(round=Round.SECOND, state=CardState.IN_REVIEW)
    for free in (reviews.filter(assigned_to__isnull=True), left_alone.exclude(assigned_to=user)):
        if taken := _claim_one(free, after=after, user=user, now=now):
            return taken
    return None


def next_own_card(*, user: User, after: Card, benchmark: str) -> Card | None:
    """The card that `take_next_card` would give without taking one: an open one of the person's; None else. Reads."""
    return _first(_cards_to_review(user, after=after, benchmark=benchmark).filter(assigned_to=user), after)


def _cards_to_review(user: User, *, after: Card | None, benchmark: str) -> CardQuerySet:
    cards = Card.objects.in_benchmarks(_benchmarks_to_review(user, benchmark)).open().exclude(round=Round.ADJUDICATED)
    return cards if after is None else cards.exclude(pk=after.pk)


def _claim_one(free: CardQuerySet, *, after: Card | None, user: User, now: datetime) -> Card | None:
    """The first of the free cards that nobody else takes at the same moment."""
    for _lot in range(LOTS):
        candidates = _candidates(free, after)
        for candidate in candidates:
            if claim(candidate, user=user, now=now):
                return Card.objects.get(pk=candidate.pk)
        if not candidates:
            break
    return None


def warning_of(card: Card, *, person: User, now: datetime) -> datetime | None:
    """When the person's claim ends, if that is within five minutes or has come; else None."""
    if card.claimed_until is None or card.assigned_to_id != person.pk or card.claimed_until - now > WARNING:
        return None
    return card.claimed_until


def holdings(benchmarks: Iterable[Benchmark], *, now: datetime) -> list[Holding]:
    """Who holds open cards of these benchmarks, by name: one query. Lapsed claims are free and not counted."""
    slugs = {row.pk: row.slug for row in benchmarks}
    live, lasting = Q(claimed_until__gt=now), Q(claimed_until__isnull=True)
    rows = (
        Card.objects.in_benchmarks(slugs)
        .open()
        .filter(live | lasting, assigned_to__isnull=False)
        .values_list("assigned_to__username", "queue_benchmark_id")
        .annotate(
            claimed=Count("pk", filter=live),
            assigned=Count("pk", filter=lasting),
            first=Min("claimed_until", filter=live),
            last=Max("claimed_until", filter=live),
        )
        .order_by("assigned_to__username", "queue_benchmark_id")
    )
    return [Holding(name, slugs[benchmark], *counts) for name, benchmark, *counts in rows]


def _benchmarks_to_review(user: User, slug: str) -> list[int]:
    """Keys of the benchmarks in which the person reviews; of the one with that slug."""
    roles = (Role.REVIEWER, Role.LEAD)
    memberships = user.memberships.filter(role__in=roles, user__is_active=True).values("benchmark_slug")
    rows = Benchmark.objects.filter(slug__in=memberships).by_slug()
    return list((rows.filter(slug=slug) if slug else rows).values_list("pk", flat=True))


def _first(cards: CardQuerySet, after: Card | None) -> Card | None:
    behind = cards_behind(cards, after).first() if after else None
    return behind or cards.in_queue_order().first()


def _candidates(free: CardQuerySet, after: Card | None) -> list[Card]:
    """A few free cards in queue order, those behind `after` first."""
    rows = free.select_related("answer__question__benchmark", "assigned_to").defer("answer__text", "answer__trace")
    behind = list(cards_behind(rows, after)[:TRIES]) if after else []
    return behind or list(rows.in_queue_order()[:TRIES])
