"""The lists of the queue, and what narrows them down."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, cast

from django.db.models import Exists, F, OuterRef, Q, prefetch_related_objects
from django.utils.translation import gettext_lazy as _

from lexreview.accounts.models import User
from lexreview.answers.masking import sees_every_system
from lexreview.core.workflow import CardState, Role, Round
from lexreview.questions.models import Benchmark
from lexreview.review.blinding import UNDECIDED, shown_at_desk
from lexreview.review.models import OPEN_STATES, Card, Finding, FindingState
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
OUTCOME_FILTERS = ("label", "finding_class")


@dataclass(frozen=True)
class Desk:
    """A person with their benchmarks and roles, looked up once for a page: two queries.

    `benchmarks`: by slug, in order of slug; `roles`: stored values by slug; `error_classes`: codes by slug.
    """

    user: User
    benchmarks: Mapping[str, Benchmark]
    roles: Mapping[str, frozenset[str]]
    error_classes: Mapping[str, list[str]]

    @classmethod
    def of(cls, user: User) -> "Desk":
        # Kept on the person, so that the menu of the page needs no query of its own.
        user.__dict__.get("_prefetched_objects_cache", {}).pop("memberships", None)
        prefetch_related_objects([user], "memberships")
        roles: dict[str, set[str]] = {}
        for membership in user.memberships.all() if user.is_active else ():
            roles.setdefault(membership.benchmark_slug, set()).add(membership.role)
        rows = Benchmark.objects.filter(slug__in=roles).defer("summaries", "limitations")
        found = list(rows.by_slug().annotate(classes=F("specification__content__error_classes")))
        return cls(
            user,
            {row.slug: row for row in found},
            {slug: frozenset(held) for slug, held in roles.items()},
            {row.slug: [each["code"] for each in cast(Any, row).classes or ()] for row in found},
        )

    def chosen(self, slug: str = "") -> list[Benchmark]:
        """The benchmark of that slug; without one, all."""
        return [row for row in self.benchmarks.values() if slug in ("", row.slug)]

    def leads(self, benchmarks: Collection[Benchmark]) -> bool:
        """Whether the person is a lead of all of these benchmarks, and there is at least one."""
        return bool(benchmarks) and all(Role.LEAD in self.roles[row.slug] for row in benchmarks)

    def sees_systems(self, benchmarks: Collection[Benchmark]) -> bool:
        return all(sees_every_system(self.roles[row.slug], row) for row in benchmarks)

    def cards(self, benchmarks: Collection[Benchmark]) -> CardQuerySet:
        """The cards of these benchmarks that the person may see, asked for so that an index gives them in order."""
        keys = [row.pk for row in benchmarks]
        cards = Card.objects.filter(queue_benchmark=keys[0]) if len(keys) == 1 else Card.objects.in_benchmarks(keys)
        return shown_at_desk(cards, self.user, led=[row.pk for row in benchmarks if self.leads([row])])


def cards_in(pile: Pile, cards: CardQuerySet, *, user: User, now: datetime) -> CardQuerySet:
    match pile:
        case Pile.MINE:
            return cards.filter(assigned_to=user).exclude(state=CardState.APPROVED)
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
    usable = {name: path for name, path in FILTERS.items() if values.get(name)}
    if not desk.sees_systems(benchmarks):
        usable.pop("system", None)
    cards = cards.filter(**{path: values[name] for name, path in usable.items()})
    if any(values.get(name) for name in OUTCOME_FILTERS):
        cards = cards.filter(outcome_shown(lead=desk.leads(benchmarks)))
    if label := values.get("label"):
        cards = cards.filter(label=label)
    if error_class := values.get("finding_class"):
        findings = Finding.objects.filter(card=OuterRef("pk"), state=FindingState.ACCEPTED, error_class=error_class)
        cards = cards.filter(Exists(findings))
    if text := values.get("text"):
        cards = cards_with_text(cards, text, benchmarks=benchmarks, with_systems=desk.sees_systems(benchmarks))
    return cards


def outcome_shown(*, lead: bool) -> Q:
    """Cards whose label and findings stand in a list: approved ones; for a lead also drafts, never a blind round."""
    return ~Q(state__in=UNDECIDED) if lead else Q(state=CardState.APPROVED)


def is_outcome_shown(card: Card, *, lead: bool) -> bool:
    """The same of one card."""
    return card.state not in UNDECIDED if lead else card.state == CardState.APPROVED
