"""The lists of the queue, and what narrows them down."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from typing import Any

from django.db.models import Exists, F, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from lexreview.accounts.models import User
from lexreview.accounts.rules import roles_by_benchmark
from lexreview.answers.masking import sees_systems
from lexreview.core.workflow import CardState, Role, Round
from lexreview.prepared import Prepared
from lexreview.questions.models import Benchmark
from lexreview.review.blinding import UNDECIDED, shown_at_desk
from lexreview.review.models import OPEN_STATES, Batch, Card, CardRevision, Finding, FindingState
from lexreview.review.models.card import CardQuerySet
from lexreview.review.text_search import cards_with_text


class Pile(StrEnum):
    """The lists of the queue page."""

    MINE = "mine"
    UNASSIGNED = "unassigned"
    RETURNED = "returned"
    RULING = "ruling"
    SECOND = "second"
    ADJUDICATION = "adjudication"
    STALE = "stale"
    PARKED = "parked"
    APPROVED = "approved"
    ALL = "all"


PILE_LABELS = {
    Pile.MINE: _("My cards"),
    Pile.UNASSIGNED: _("Unassigned"),
    Pile.RETURNED: _("Returned"),
    Pile.RULING: _("Needs ruling"),
    Pile.SECOND: _("Second review"),
    Pile.ADJUDICATION: _("In adjudication"),
    Pile.STALE: _("Stale"),
    Pile.PARKED: _("Parked"),
    Pile.APPROVED: _("Approved"),
    Pile.ALL: _("All"),
}
PILE_STATES = {
    Pile.RULING: CardState.NEEDS_RULING,
    Pile.ADJUDICATION: CardState.IN_ADJUDICATION,
    Pile.STALE: CardState.STALE,
    Pile.PARKED: CardState.PARKED,
    Pile.APPROVED: CardState.APPROVED,
}
FILTERS: Mapping[str, str] = {
    "benchmark": "queue_benchmark__slug",
    "question": "queue_code",
    "system": "queue_system__code",
    "condition": "queue_condition__code",
    "set": "queue_question__set__code",
    "area": "queue_question__area",
    "state": "state",
    "person": "assigned_to__username",
}
OUTCOME_FILTERS = ("label", "finding_class", "approved_as")


@dataclass(frozen=True)
class Desk:
    """A person with their benchmarks and roles, looked up once for a page: at most two queries.

    `benchmarks`: by slug, in order of slug; `roles`: stored values by slug; `error_classes`: codes by slug;
    `masked_in_batches`: slugs of benchmarks in which a batch masks the system of an open card.
    """

    user: User
    benchmarks: Mapping[str, Benchmark]
    roles: Mapping[str, frozenset[str]]
    error_classes: Mapping[str, list[str]]
    masked_in_batches: frozenset[str]

    @classmethod
    def of(cls, user: User) -> "Desk":
        roles = roles_by_benchmark(user)
        found: list[Any] = _benchmarks(len(roles))(*roles) if roles else []
        return cls(
            user,
            {row.slug: row for row in found},
            roles,
            {row.slug: [each["code"] for each in row.classes or ()] for row in found},
            frozenset(row.slug for row in found if row.masked_in_batch),
        )

    def chosen(self, slug: str = "") -> list[Benchmark]:
        """The benchmark of that slug; without one, all."""
        return [row for row in self.benchmarks.values() if slug in ("", row.slug)]

    def leads(self, benchmarks: Collection[Benchmark]) -> bool:
        """Whether the person is a lead of all of these benchmarks, and there is at least one."""
        return bool(benchmarks) and all(Role.LEAD in self.roles[row.slug] for row in benchmarks)

    def sees_systems(self, benchmarks: Collection[Benchmark]) -> bool:
        """Whether the person learns the system of every card of all of these benchmarks."""
        return all(self.sees_system(row, in_masked_batch=row.slug in self.masked_in_batches) for row in benchmarks)

    def sees_some_systems(self, benchmarks: Collection[Benchmark]) -> bool:
        """Whether there may be an open card in one of these benchmarks whose system the person learns."""
        return any(self.sees_system(row, in_masked_batch=False) for row in benchmarks)

    def sees_system(self, benchmark: Benchmark, *, in_masked_batch: bool) -> bool:
        """Whether the person learns the system of an open card of the benchmark."""
        return sees_systems(self.roles[benchmark.slug], benchmark, in_masked_batch=in_masked_batch)

    def cards(self, benchmarks: Collection[Benchmark]) -> CardQuerySet:
        """The cards of these benchmarks that the person may see."""
        led = [row.pk for row in benchmarks if self.leads([row])]
        return cards_at_desk(self.user.pk, [row.pk for row in benchmarks], led=led)


@lru_cache(maxsize=64)
def _benchmarks(count: int) -> "Prepared[Benchmark]":
    """Benchmarks by slug, for so many slugs, with the error classes of their specification as `classes`, and whether a
    batch masks the system of an open card as `masked_in_batch`."""
    masking = Batch.objects.masking().filter(benchmark=OuterRef("pk"))

    def make(*slugs: str) -> Any:
        rows = Benchmark.objects.filter(slug__in=slugs).defer("summaries", "limitations").by_slug()
        return rows.annotate(classes=F("specification__content__error_classes"), masked_in_batch=Exists(masking))

    return Prepared(make, *[str] * count)


def cards_at_desk(person: int, benchmarks: Sequence[int], *, led: Collection[int]) -> CardQuerySet:
    """The cards of these benchmarks that a member of them may see, asked for so that an index gives them in order.

    All by primary key; `led`: those of the benchmarks that the person leads.
    """
    cards = Card.objects.in_benchmark(benchmarks[0]) if len(benchmarks) == 1 else Card.objects.in_benchmarks(benchmarks)
    return shown_at_desk(cards, person, led=led)


def cards_in(pile: Pile, cards: CardQuerySet, *, person: int, now: datetime) -> CardQuerySet:
    """`person`: the primary key of the one whose list it is."""
    match pile:
        case Pile.MINE:
            return cards.filter(assigned_to=person).exclude(state=CardState.APPROVED)
        case Pile.UNASSIGNED:
            return cards.open().filter(is_free(now))
        case Pile.RETURNED:
            return cards.returned()
        case Pile.SECOND:
            return cards.filter(Q(state=CardState.SECOND_REVIEW) | Q(round=Round.SECOND, state__in=OPEN_STATES))
        case Pile.ALL:
            return cards
        case _:
            return cards.filter(state=PILE_STATES[pile])


def is_free(now: datetime) -> Q:
    """Nobody's cards, and those that somebody took and left alone."""
    return Q(assigned_to__isnull=True) | Q(claimed_until__lte=now)


def narrowed(cards: CardQuerySet, values: Mapping[str, str], *, desk: Desk) -> CardQuerySet:
    """`values`: names of filters with what was chosen; an empty value filters nothing.

    What a person may not see they cannot look for: systems that are masked for them, labels and error classes of
    cards whose outcome they do not see yet.
    """
    benchmarks = desk.chosen(values.get("benchmark", ""))
    sees_systems = desk.sees_systems(benchmarks)
    cards = filtered(cards, values, leads=desk.leads(benchmarks), sees_systems=sees_systems)
    if text := values.get("text"):
        cards = cards_with_text(cards, text, benchmarks=benchmarks, with_systems=sees_systems)
    return cards


def filtered(cards: CardQuerySet, values: Mapping[str, str], *, leads: bool, sees_systems: bool) -> CardQuerySet:
    """The same without the words, for a person who leads all benchmarks in question or learns every system in them."""
    used = usable(values, sees_systems=sees_systems)
    cards = cards.filter(**{path: values[name] for name, path in FILTERS.items() if name in used})
    if used.intersection(OUTCOME_FILTERS):
        cards = cards.filter(outcome_shown(lead=leads))
    if label := values.get("label"):
        cards = cards.filter(label=label)
    if taken := values.get("approved_as"):
        approved = CardRevision.objects.filter(card=OuterRef("pk"), number=OuterRef("revision"), approved_as=taken)
        cards = cards.filter(Exists(approved), state=CardState.APPROVED)
    if error_class := values.get("finding_class"):
        findings = Finding.objects.filter(card=OuterRef("pk"), state=FindingState.ACCEPTED, error_class=error_class)
        cards = cards.filter(Exists(findings))
    return cards


def usable(values: Mapping[str, str], *, sees_systems: bool) -> set[str]:
    """The names of the filters that are in use and that the person may use."""
    known = {*FILTERS, *OUTCOME_FILTERS, "text"} - (set() if sees_systems else {"system"})
    return {name for name in known if values.get(name)}


def outcome_shown(*, lead: bool) -> Q:
    """Cards whose label and findings stand in a list: approved ones; for a lead also drafts, never a blind round."""
    return ~Q(state__in=UNDECIDED) if lead else Q(state=CardState.APPROVED)


def is_outcome_shown(state: str, *, lead: bool) -> bool:
    """The same of one card in this state."""
    return state not in UNDECIDED if lead else state == CardState.APPROVED
