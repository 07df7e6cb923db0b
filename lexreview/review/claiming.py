"""Taking cards: the next one, this one; who holds which; giving them back.

A card that a person takes is claimed for some hours (`REVIEW_CLAIM_HOURS`); work on it prolongs the claim. Whether a
claim has lapsed is asked when somebody wants a card, so nothing has to sweep. A card that a lead assigns never lapses.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from functools import lru_cache
from typing import Any

from django.db.models import Count, Max, Min, Q

from lexreview.accounts.models import User
from lexreview.accounts.rules import roles_by_benchmark
from lexreview.core.workflow import CardState, Role, Round
from lexreview.prepared import Prepared, Value
from lexreview.questions.models import Benchmark
from lexreview.review.actions.claiming import claim, prolong, take_card
from lexreview.review.blinding import REVIEWS
from lexreview.review.models import QUEUE_ORDER, Card
from lexreview.review.models.card import CardQuerySet
from lexreview.review.paging import Order
from lexreview.review.queue import ORDERS, Sort

__all__ = ["claim", "holdings", "next_own_card", "prolong", "take_card", "take_next_card", "warning_of"]

TRIES = 25
LOTS = 20
REVIEWING = {Role.REVIEWER.value, Role.LEAD.value}
NOT_READ = (
    "answer__text", "answer__trace", "answer__settings", "answer__usage", "answer__question__original_text",
    "answer__question__benchmark_text", "answer__question__benchmark__summaries",
    "answer__question__benchmark__limitations",
)  # fmt: skip


class Whose(Enum):
    """Open cards to go on with, in the order in which they are looked for."""

    OWN = "own"
    NOBODYS = "nobody's"
    LEFT_ALONE = "claimed by somebody and left alone"


class Start(Enum):
    """Where to look: anywhere, behind a place, or anywhere but at a card."""

    ANYWHERE = "anywhere"
    BEHIND = "behind"
    NOT_AT = "not at"


WHOSE: dict[Whose, list[type[Value]]] = {Whose.OWN: [int], Whose.NOBODYS: [], Whose.LEFT_ALONE: [int, datetime]}
STARTS: dict[Start, list[type[Value]]] = {Start.ANYWHERE: [], Start.BEHIND: [int, str, str, int], Start.NOT_AT: [int]}
"""The types of the values that each needs."""
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
    benchmarks = _benchmarks_to_review(user, benchmark)
    if mine := _own(user, benchmarks, after):
        return mine
    for free in (Whose.NOBODYS, Whose.LEFT_ALONE):
        if taken := _claim_one(free, benchmarks, after=after, user=user, now=now):
            return taken
    return None


def next_own_card(*, user: User, after: Card, benchmark: str) -> Card | None:
    """The card that `take_next_card` would give without taking one: an open one of the person's; None else. Reads."""
    return _own(user, _benchmarks_to_review(user, benchmark), after)


def _own(user: User, benchmarks: list[int], after: Card | None) -> Card | None:
    return next(iter(_in_order(Whose.OWN, benchmarks, [user.pk], after)), None)


def _claim_one(free: Whose, benchmarks: list[int], *, after: Card | None, user: User, now: datetime) -> Card | None:
    """The first of the free cards that nobody else takes at the same moment."""
    values: list[Value] = [user.pk, now] if free is Whose.LEFT_ALONE else []
    for _lot in range(LOTS):
        candidates = _in_order(free, benchmarks, values, after)
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
    held = roles_by_benchmark(user).items()
    slugs = [each for each, roles in held if roles & REVIEWING and slug in ("", each)]
    return [key for (key,) in _keys(len(slugs))(*slugs)] if slugs else []


@lru_cache(maxsize=16)
def _keys(count: int) -> Prepared[Any]:
    return Prepared(lambda *slugs: Benchmark.objects.filter(slug__in=slugs).by_slug().values_list("pk"), *[str] * count)


def _in_order(whose: Whose, benchmarks: list[int], values: Sequence[Value], after: Card | None) -> list[Card]:
    """A few of these cards in queue order: those behind `after`, or where there are none, those before it."""
    if not benchmarks:
        return []
    asked = [*benchmarks, *values]
    if after is None:
        return _open_cards(whose, len(benchmarks), Start.ANYWHERE)(*asked)
    place = [getattr(after, name) for name in QUEUE_ORDER]
    behind = _open_cards(whose, len(benchmarks), Start.BEHIND)(*asked, *place)
    return behind or _open_cards(whose, len(benchmarks), Start.NOT_AT)(*asked, after.pk)


@lru_cache(maxsize=64)
def _open_cards(whose: Whose, benchmarks: int, start: Start) -> Prepared[Card]:
    """Asked with the keys of so many benchmarks, with what `whose` and with what `start` needs."""

    def make(*values: Any) -> CardQuerySet:
        keys, rest = values[:benchmarks], values[benchmarks:]
        cards = Card.objects.in_benchmark(keys[0]) if benchmarks == 1 else Card.objects.in_benchmarks(keys)
        cards = cards.open().exclude(round=Round.ADJUDICATED)
        of_whom, of_start = rest[: len(WHOSE[whose])], rest[len(WHOSE[whose]) :]
        if start is Start.BEHIND:
            # With the person in front, PostgreSQL looks among their cards and not among all of the benchmark.
            own = whose is Whose.OWN
            order = Order(("assigned_to_id", *QUEUE_ORDER)) if own else ORDERS[Sort.QUESTION]
            cards = order.beyond(cards, [*of_whom, *of_start] if own else of_start)
        elif start is Start.NOT_AT:
            cards = cards.exclude(pk=of_start[0])
        if whose is Whose.OWN:
            return cards.filter(assigned_to=of_whom[0]).in_queue_order()[:1]
        cards = cards.filter(round__in=REVIEWS)
        if whose is Whose.NOBODYS:
            cards = cards.filter(assigned_to__isnull=True)
        else:
            person, now = of_whom
            # A second review that somebody began is theirs alone: nobody goes on with the blind review of another.
            begun = {"round": Round.SECOND, "state": CardState.IN_REVIEW}
            cards = cards.lapsed(now).exclude(**begun).exclude(assigned_to=person)
        rows = cards.select_related("answer__question__benchmark", "assigned_to").defer(*NOT_READ)
        return rows.in_queue_order()[:TRIES]

    return Prepared(make, *[int] * benchmarks, *WHOSE[whose], *STARTS[start])
