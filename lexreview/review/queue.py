"""What the queue shows: rows of cards, the filters it offers, the cards beside a card."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Value
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from lexreview.accounts.models import Membership, User
from lexreview.answers.models import Condition, System
from lexreview.core.methods.reference_card.facts import CheckResult
from lexreview.core.methods.reference_card.label import Label
from lexreview.core.workflow import CardState, CitationState, Role
from lexreview.ledger.models import Event
from lexreview.prepared import Prepared
from lexreview.questions.models import Benchmark, Question, QuestionSet, asked_text
from lexreview.review.models import (
    CARD_STATE_LABELS,
    LABEL_LABELS,
    OPEN_STATES,
    QUEUE_ORDER,
    ApprovedAs,
    Card,
    CardCitation,
    SavedView,
)
from lexreview.review.models.card import UNAPPROVED, CardQuerySet, identifier_of, ledger_id_of
from lexreview.review.paging import Order
from lexreview.review.piles import Desk, is_outcome_shown

__all__ = ["OPEN_STATES", "QueueRow", "Sort", "counts_around", "filter_choices", "listed", "neighbours_of", "rows_of"]


class Sort(StrEnum):
    QUESTION = "question"
    LAST_QUESTION = "last_question"
    NEWEST = "newest"
    OLDEST = "oldest"


SORT_LABELS = {
    Sort.QUESTION: _("question"),
    Sort.LAST_QUESTION: _("question, last first"),
    Sort.NEWEST: _("approved last"),
    Sort.OLDEST: _("approved first"),
}
ORDERS = {
    Sort.QUESTION: Order(QUEUE_ORDER),
    Sort.LAST_QUESTION: Order(QUEUE_ORDER, descending=True),
    Sort.NEWEST: Order(("approved_at", "pk"), descending=True),
    Sort.OLDEST: Order(("approved_at", "pk")),
}
BY_APPROVAL = (Sort.NEWEST, Sort.OLDEST)
COLUMNS = {
    "pk": "pk", "version": "version", "state": "state", "label": "label", "approved_at": "approved_at",
    "claimed_until": "claimed_until", "returned_at": "returned_at", "queue_benchmark_id": "queue_benchmark_id",
    "queue_question_id": "queue_question_id", "queue_code": "queue_code", "queue_shuffle": "queue_shuffle",
    "holder": "assigned_to__username", "condition": "queue_condition__code", "system": "queue_system__name",
    "in_masked_batch": "batch__masks_systems",
    "asked": "queue_question__asked", "original_text": "queue_question__original_text",
    "benchmark_text": "queue_question__benchmark_text", "language": "queue_question__language",
    "answer": "answer__identifier", "scoring_pass": "scoring_pass", "round": "round", "seat": "seat",
    "ruling_question": "ruling_question", "revision_reason": "revision_reason",
}  # fmt: skip
"""What a row of a list is made of: the name of each value in `Listed`, and where it comes from."""


class Listed(NamedTuple):
    """A card as `listed` reads it."""

    pk: int
    version: int
    state: str
    label: str
    approved_at: datetime | None
    claimed_until: datetime | None
    returned_at: datetime | None
    queue_benchmark_id: int
    queue_question_id: int
    queue_code: str
    queue_shuffle: str
    holder: str | None
    condition: str
    system: str
    in_masked_batch: bool | None
    asked: str
    original_text: str
    benchmark_text: str
    language: str
    answer: str
    scoring_pass: int
    round: int
    seat: int
    ruling_question: str
    revision_reason: str

    @property
    def asked_text(self) -> str:
        return asked_text(self.asked, original=self.original_text, benchmark=self.benchmark_text)

    @property
    def identifier(self) -> str:
        return identifier_of(self.answer, scoring_pass=self.scoring_pass, round_=self.round, seat=self.seat)


@dataclass(frozen=True, slots=True)
class QueueRow:
    """A card in a list. `benchmark`: its slug. `system` and `label` are "" where the person may not know them; `state`
    and `answer_of` are words, these of the answer's place among those to the same question, in queue order. `why`: what
    the card waits for or is to be done again for, in the words of whoever said it. `leads`: its benchmark."""

    card: Listed
    benchmark: str
    citations: int
    checked: int
    flagged_unopened: int
    system: str
    label: str
    state: str
    answer_of: str
    why: str
    leads: bool


def listed(cards: CardQuerySet, sort: Sort = Sort.QUESTION) -> "QuerySet[Card, tuple[Any, ...]]":
    """What `Listed` holds of each card; texts of answers and sources, traces and specifications are not read.

    Nothing is counted here: SQLite would count for every card of a list that it has to sort, not for those of a page.
    """
    if sort in BY_APPROVAL:
        cards = cards.filter(approved_at__isnull=False)
    return cards.values_list(*COLUMNS.values())


def rows_of(page: Sequence[Listed], *, desk: Desk) -> list[QueueRow]:
    """The rows of one page of cards: one query, however many, and one more where cards are parked."""
    places, citations, unsettled = _counts_of([card.pk for card in page])
    benchmarks = {row.pk: row for row in desk.benchmarks.values()}
    leads = {pk: desk.leads([row]) for pk, row in benchmarks.items()}
    states = {state.value: str(words) for state, words in CARD_STATE_LABELS.items()}
    answer_of = gettext("answer %(place)s of %(places)s")
    parked = _parked_because([card for card in page if card.state == CardState.PARKED], benchmarks)
    rows = []
    for card in page:
        benchmark = benchmarks[card.queue_benchmark_id]
        sees_system = desk.sees_system(benchmark, in_masked_batch=bool(card.in_masked_batch))
        shown = is_outcome_shown(card.state, lead=leads[benchmark.pk]) and card.label != Label.NONE
        place, places_in_all = places[card.pk]
        rows.append(
            QueueRow(
                card,
                benchmark.slug,
                *citations.get(card.pk, (0, 0, 0)),
                system=card.system if sees_system or card.pk not in unsettled else "",
                label=card.label if shown else "",
                state=states[card.state],
                answer_of=answer_of % {"place": place, "places": places_in_all},
                why=parked.get(card.pk) or _why(card),
                leads=leads[benchmark.pk],
            )
        )
    return rows


def _why(card: Listed) -> str:
    if card.state == CardState.NEEDS_RULING:
        return card.ruling_question
    return card.revision_reason if card.state in (CardState.IN_REVIEW, CardState.STALE) else ""


def _parked_because(cards: Sequence[Listed], benchmarks: Mapping[int, Benchmark]) -> dict[int, str]:
    """By card what whoever parked it gave as the reason."""
    if not cards:
        return {}
    names = {ledger_id_of(benchmarks[card.queue_benchmark_id].slug, card.identifier): card.pk for card in cards}
    events = Event.objects.filter(object_type="card", object_id__in=list(names), verb="park").in_order()
    return {names[object_id]: reason for object_id, reason in events.values_list("object_id", "reason")}


class _Counted(NamedTuple):
    """By card its place and how many there are; its citations, those that are checked, those that code flags and nobody
    has opened, where it has any; and the cards of whose answer some card is not approved."""

    places: dict[int, tuple[int, int]]
    citations: dict[int, tuple[int, int, int]]
    unsettled: set[int]


def _counts_of(cards: Sequence[int]) -> _Counted:
    counted = _Counted({}, {}, set())
    if cards:
        asked = next((size for size in SIZES if size >= len(cards)), len(cards))
        for kind, card, *counts in _counts_of_cards(asked)(*cards, *[NO_CARD] * (asked - len(cards))):
            if kind == "citations":
                counted.citations[card] = (counts[0], counts[1], counts[2])
                continue
            counted.places[card] = (counts[0] or 0, counts[1] or 0)
            if counts[2]:
                counted.unsettled.add(card)
    return counted


SIZES = (1, 10, 50)
"""Queries for so many cards are made once and asked with fewer."""
NO_CARD = 0


@lru_cache(maxsize=16)
def _counts_of_cards(count: int) -> Prepared[Any]:
    siblings = Card.objects.filter(queue_question=OuterRef("queue_question"))
    earlier = Q(queue_shuffle__lt=OuterRef("queue_shuffle")) | Q(
        queue_shuffle=OuterRef("queue_shuffle"), answer__lte=OuterRef("answer")
    )
    unsettled = Card.objects.filter(answer=OuterRef("answer"), state__in=UNAPPROVED)
    flagged = Q(checked__isnull=False, opened_at__isnull=True) & ~Q(checked__result=CheckResult.CONFIRMED)

    def make(*cards: int) -> "QuerySet[Any, tuple[Any, ...]]":
        placed = Card.objects.filter(pk__in=cards).annotate(
            place=_count_of_answers(siblings.filter(earlier)),
            places=_count_of_answers(siblings),
            open_=_count(unsettled, "answer"),
        )
        counted = CardCitation.objects.filter(card__in=cards).order_by().values("card_id").annotate(
            citations=Count("pk"),
            settled=Count("pk", filter=~Q(state=CitationState.UNCHECKED)),
            flagged=Count("pk", filter=flagged),
        )  # fmt: skip
        places = placed.order_by().values_list(Value("place"), "pk", "place", "places", "open_")
        return places.union(
            counted.values_list(Value("citations"), "card_id", "citations", "settled", "flagged"), all=True
        )

    return Prepared(make, *[int] * count)


def _count(cards: CardQuerySet, same: str) -> Subquery:
    """How many of cards that are all alike in the column `same`; None for none."""
    return Subquery(cards.order_by().values(same).annotate(n=Count("pk")).values("n"))


def _count_of_answers(cards: CardQuerySet) -> Subquery:
    """Of how many answers, each with any number of reviews, cards to one question are; None for none."""
    rows = cards.order_by().values("queue_question").annotate(n=Count("answer", distinct=True))
    return Subquery(rows.values("n"))


class Counts(NamedTuple):
    """`place` of `places`: the card's answer among those to the same question, in queue order. `done` of `total`: the
    person's approved cards of the benchmark; of a person who has none there, the question's."""

    place: int
    places: int
    done: int
    total: int


def counts_around(card: Card, *, user: User) -> Counts:
    """One query."""
    rows = _counts_around(card.queue_shuffle, card.answer_id, card.queue_question_id, card.queue_benchmark_id, user.pk)
    found = {kind: (part, whole) for kind, part, whole in rows}
    return Counts(*found.get("place", (0, 0)), *(found.get("person") or found.get("question", (0, 0))))


def _around(shuffle: str, answer: int, question: int, benchmark: int, person: int) -> QuerySet[Any, Any]:
    earlier = Q(queue_shuffle__lt=shuffle) | Q(queue_shuffle=shuffle, answer__lte=answer)
    approved = Q(state=CardState.APPROVED)
    of_question = Card.objects.filter(queue_question=question)
    of_person = Card.objects.filter(queue_benchmark=benchmark, assigned_to=person)
    parts = [
        _answers("place", of_question, part=earlier),
        _counted("question", of_question, "queue_question", part=approved),
        _counted("person", of_person, "assigned_to", part=approved),
    ]
    return parts[0].union(*parts[1:], all=True)


def _answers(kind: str, cards: CardQuerySet, *, part: Q) -> QuerySet[Any, Any]:
    """(kind, of how many answers those are that fit `part`, of how many all are) of cards to one question."""
    counts = cards.order_by().values("queue_question").annotate(
        part=Count("answer", filter=part, distinct=True), whole=Count("answer", distinct=True)
    )  # fmt: skip
    rows: QuerySet[Any, Any] = counts.values_list(Value(kind), "part", "whole")
    return rows


def _counted(kind: str, cards: CardQuerySet, same: str, *, part: Q) -> QuerySet[Any, Any]:
    """(kind, how many fit `part`, how many) of cards that are all alike in the column `same`; no row where none are."""
    counts = cards.order_by().values(same).annotate(part=Count(Value(1), filter=part), whole=Count(Value(1)))
    rows: QuerySet[Any, Any] = counts.values_list(Value(kind), "part", "whole")
    return rows


_counts_around: Prepared[Any] = Prepared(_around, str, int, int, int, int)


def filter_choices(desk: Desk, *, benchmark: str) -> dict[str, list[tuple[str, str]]]:
    """What each filter offers, of one benchmark where one is chosen; with the person's saved views, as "view".

    One query. "system" is there only where the person learns every system, "person" only for leads.
    """
    chosen = desk.chosen(benchmark)
    leads, sees_systems = desk.leads(chosen), desk.sees_systems(chosen)
    values: list[int | str] = [desk.user.pk, *[row.pk for row in chosen], *[row.slug for row in chosen if leads]]
    found: dict[str, list[tuple[str, str]]] = {
        "benchmark": [(row.slug, row.title) for row in desk.benchmarks.values()],
        **{name: [] for name in ("condition", "set", "area", "view", "system", "person")},
        "finding_class": sorted({(code, code) for row in chosen for code in desk.error_classes[row.slug]}),
        "label": [(label.value, str(words)) for label, words in LABEL_LABELS.items() if label is not Label.NONE],
        "state": [(state.value, str(words)) for state, words in CARD_STATE_LABELS.items()],
        "approved_as": offered_as(),
    }
    for kind, value, words in sorted(_choices(len(chosen), leads=leads, sees_systems=sees_systems)(*values)):
        found[kind].append((value, words))
    return found


@lru_cache(maxsize=64)
def _choices(count: int, *, leads: bool, sees_systems: bool) -> Prepared[Any]:
    """(kind, value, words) of what so many benchmarks offer. Asked with the person's key and those of the benchmarks,
    for a lead also with the slugs of these."""

    def make(person: int, *values: Any) -> "QuerySet[Any, tuple[Any, ...]]":
        keys, slugs = values[:count], values[count:]
        parts = [SavedView.objects.filter(person=person).values_list(Value("view"), "name", "query")]
        if keys:
            parts += [
                _part("condition", Condition.objects.filter(benchmark__in=keys), "code"),
                _part("set", QuestionSet.objects.filter(benchmark__in=keys), "code"),
                _part("area", Question.objects.filter(benchmark__in=keys).exclude(area=""), "area"),
            ]
        if keys and sees_systems:
            parts.append(_part("system", System.objects.filter(benchmark__in=keys), "code"))
        if leads:
            parts.append(_part("person", _assessors(slugs), "user__username"))
        return parts[0].union(*parts[1:]) if keys else parts[0]

    return Prepared(make, int, *[int] * count, *[str] * (count if leads else 0))


def offered_as() -> list[tuple[str, str]]:
    """What can be looked for: cards approved as they were proposed, or otherwise."""
    return [(each.value, str(each.label)) for each in (ApprovedAs.UNCHANGED, ApprovedAs.WITH_CHANGES)]


def _part(kind: str, rows: QuerySet[Any], column: str) -> QuerySet[Any]:
    """(kind, value, words) of each row; the code of a row is also its word."""
    return rows.values_list(Value(kind), column, F(column))


def _assessors(slugs: Iterable[str]) -> QuerySet[Membership]:
    roles = (Role.REVIEWER, Role.LEAD)
    return Membership.objects.filter(benchmark_slug__in=list(slugs), role__in=roles, user__is_active=True)


def neighbours_of(card: Card, *, user: User) -> tuple[Card | None, Card | None]:
    """The cards before and after this one among the person's cards of the benchmark (all cards, if they have none)."""
    cards = Card.objects.visible_to(user).filter(queue_benchmark=card.queue_benchmark_id)
    if card.assigned_to_id == user.pk:
        cards = cards.filter(assigned_to=user)
    return cards_behind(cards, card, backwards=True).first(), cards_behind(cards, card).first()


def cards_behind(cards: CardQuerySet, card: Card, *, backwards: bool = False) -> CardQuerySet:
    """Those of `cards` behind `card` in queue order, or, nearest first, those before it."""
    order = ORDERS[Sort.LAST_QUESTION if backwards else Sort.QUESTION]
    return order.sort(order.beyond(cards, [getattr(card, name) for name in QUEUE_ORDER]))
