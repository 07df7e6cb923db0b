"""Giving out many cards at once: which, how many, to whom; shown first, then done."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from hashlib import sha256

from django.utils.translation import gettext as _

from lexreview.accounts.models import User
from lexreview.core.dealing import Item, choose_evenly, deal
from lexreview.questions.models import Benchmark
from lexreview.review.piles import Desk, Pile, cards_in, narrowed

LARGEST_BATCH = 100_000


class BatchChanged(Exception):
    """The free cards are others than when the split was shown; nothing was given out."""

    def __init__(self) -> None:
        super().__init__(_("Meanwhile other cards are free than when you looked. This is the split now."))


@dataclass(frozen=True, kw_only=True)
class BatchOrder:
    """What a lead asks for: `count` cards, or `share` (0 to 1) of the free ones that fit `filters`, for `people`.

    `masks_systems`: reviewers do not learn which system gave the answer of such a card before it is approved.
    """

    benchmark: Benchmark
    filters: Mapping[str, str]
    people: Sequence[User]
    seed: int
    count: int | None = None
    share: float | None = None
    masks_systems: bool = False


@dataclass(frozen=True, slots=True)
class Hand:
    """What one person would get: cards in all, by system in the order of the plan's `systems`, and questions."""

    person: User
    cards: int
    by_system: list[int]
    questions: int


class BatchPlan:
    """The split of an order, computed from the cards that are free at `now`."""

    def __init__(self, order: BatchOrder, *, by: User, now: datetime) -> None:
        self.order = order
        cards = cards_in(Pile.UNASSIGNED, Desk.of(by).cards([order.benchmark]), person=by.pk, now=now)
        fitting = narrowed(cards.first_round(), {**order.filters, "benchmark": order.benchmark.slug}, desk=Desk.of(by))
        rows = fitting.order_by("pk").values_list("pk", "queue_question_id", "queue_system__name")[:LARGEST_BATCH]
        self.pool = [Item(*row) for row in rows]

    @property
    def size(self) -> int:
        if self.order.count is not None:
            return min(self.order.count, len(self.pool))
        return round(len(self.pool) * (self.order.share or 0))

    @cached_property
    def dealt(self) -> dict[User, list[Item]]:
        chosen = choose_evenly(self.pool, self.size, seed=self.order.seed)
        hands = deal(chosen, [person.pk for person in self.order.people]) if self.order.people else {}
        return {person: hands[person.pk] for person in self.order.people}

    @property
    def systems(self) -> list[str]:
        return sorted({str(item.column) for item in self.pool})

    @property
    def hands(self) -> list[Hand]:
        return [
            Hand(
                person=person,
                cards=len(items),
                by_system=[sum(item.column == system for item in items) for system in self.systems],
                questions=len({item.row for item in items}),
            )
            for person, items in self.dealt.items()
        ]

    @property
    def fingerprint(self) -> str:
        """The same for the same split, whoever computes it."""
        said = [f"{person.pk}:{','.join(str(item.key) for item in items)}" for person, items in self.dealt.items()]
        return sha256("|".join(said).encode()).hexdigest()[:16]
