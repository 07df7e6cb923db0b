"""What the queue shows: rows of cards, the filters it offers, the cards beside a card."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Value
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from lexreview.accounts.models import Membership, User
from lexreview.answers.models import Condition, System
from lexreview.core.methods.reference_card.facts import CheckResult
from lexreview.core.methods.reference_card.label import Label
from lexreview.core.workflow import CardState, CitationState, Role
from lexreview.prepared import Prepared
from lexreview.questions.models import Benchmark, Question, QuestionSet
from lexreview.review.models import (
    CARD_STATE_LABELS,
    LABEL_LABELS,
    OPEN_STATES,
    QUEUE_ORDER,
    Card,
    CardCitation,
    SavedView,
)
from lexreview.review.models.card import CardQuerySet
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
SHOWN = (
    "version", "state", "label", "round", "scoring_pass", "approved_at", "claimed_until", "returned_at", "answer_id",
    "queue_code", "queue_shuffle", "queue_benchmark_id", "assigned_to__username", "queue_condition__code",
    "queue_system__name", "queue_question__code", "queue_question__asked", "queue_question__original_text",
    "queue_question__benchmark_text", "queue_question__language",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class QueueRow:
    """A card in a list. `place` of `places`: the answer among those to the same question, in queue order.

    `benchmark`: its slug. `system` and `label` are "" where the person may not know them; `state` and `answer_of` are
    words.
    """

    card: Card
    benchmark: str
    place: int
    places: int
    citations: int
    checked: int
    flagged_unopened: int
    system: str
    label: str
    state: str
    answer_of: str

    @property
    def key(self) -> str:
        return str(self.card.pk)

    @property
    def address(self) -> str:
        return reverse("review:card", args=[self.card.pk])


def listed(cards: CardQuerySet, sort: Sort = Sort.QUESTION) -> CardQuerySet:
    """The cards with what a row shows; texts of answers and sources, traces and specifications are not read."""
    if sort in BY_APPROVAL:
        cards = cards.filter(approved_at__isnull=False)
    siblings = Card.objects.first_round().filter(queue_question=OuterRef("queue_question"))
    earlier = Q(queue_shuffle__lt=OuterRef("queue_shuffle")) | Q(
        queue_shuffle=OuterRef("queue_shuffle"), answer__lte=OuterRef("answer")
    )
    return (
        cards.select_related("assigned_to", "queue_condition", "queue_system", "queue_question")
        .only(*SHOWN)
        .annotate(place=_count(siblings.filter(earlier)), places=_count(siblings))
    )


def _count(cards: CardQuerySet) -> Subquery:
    return Subquery(cards.order_by().values("queue_question").annotate(n=Count("pk")).values("n"))


def rows_of(cards: Iterable[Card], *, desk: Desk) -> list[QueueRow]:
    """The rows of one page of `listed` cards: one query, however many."""
    page = list(cards)
    counts = {row["card_id"]: row for row in _citation_counts(page)}
    benchmarks = {row.pk: row for row in desk.benchmarks.values()}
    states = {state.value: str(words) for state, words in CARD_STATE_LABELS.items()}
    answer_of = gettext("answer %(place)s of %(places)s")
    return [
        _row(
            card,
            benchmark=benchmarks[card.queue_benchmark_id],
            counts=counts,
            desk=desk,
            state=states[card.state],
            answer_of=answer_of,
        )
        for card in page
    ]


def _citation_counts(page: Iterable[Card]) -> Iterable[Mapping[str, Any]]:
    flagged = Q(checked__isnull=False, opened_at__isnull=True) & ~Q(checked__result=CheckResult.CONFIRMED)
    return (
        CardCitation.objects.filter(card__in=page)
        .values("card_id")
        .annotate(
            citations=Count("pk"),
            settled=Count("pk", filter=~Q(state=CitationState.UNCHECKED)),
            flagged_unopened=Count("pk", filter=flagged),
        )
        .order_by("card_id")
    )


def _row(
    card: Card,
    *,
    benchmark: Benchmark,
    counts: Mapping[int, Mapping[str, int]],
    desk: Desk,
    state: str,
    answer_of: str,
) -> QueueRow:
    found = counts.get(card.pk, {})
    unmasked = card.state == CardState.APPROVED or desk.sees_systems([benchmark])
    shown = is_outcome_shown(card, lead=desk.leads([benchmark])) and card.label != Label.NONE
    return QueueRow(
        card=card,
        benchmark=benchmark.slug,
        place=(place := getattr(card, "place", 0)),
        places=(places := getattr(card, "places", 0)),
        citations=found.get("citations", 0),
        checked=found.get("settled", 0),
        flagged_unopened=found.get("flagged_unopened", 0),
        system=card.queue_system.name if unmasked else "",
        label=card.label if shown else "",
        state=state,
        answer_of=answer_of % {"place": place, "places": places},
    )


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
        _counted("place", of_question.first_round(), "queue_question", part=earlier),
        _counted("question", of_question, "queue_question", part=approved),
        _counted("person", of_person, "assigned_to", part=approved),
    ]
    return parts[0].union(*parts[1:], all=True)


def _counted(kind: str, cards: CardQuerySet, same: str, *, part: Q) -> QuerySet[Any, Any]:
    """(kind, how many fit `part`, how many) of cards that are all alike in the column `same`; no row where none are."""
    counts = cards.order_by().values(same).annotate(part=Count("pk", filter=part), whole=Count("pk"))
    rows: QuerySet[Any, Any] = counts.values_list(Value(kind), "part", "whole")
    return rows


_counts_around: Prepared[Any] = Prepared(_around, str, int, int, int, int)


def filter_choices(desk: Desk, *, benchmark: str) -> dict[str, list[tuple[str, str]]]:
    """What each filter offers, of one benchmark where one is chosen; with the person's saved views, as "view".

    One query. "system" is there only where the person learns every system, "person" only for leads.
    """
    chosen = desk.chosen(benchmark)
    keys = [row.pk for row in chosen]
    parts = [
        _part("condition", Condition.objects.filter(benchmark__in=keys), "code"),
        _part("set", QuestionSet.objects.filter(benchmark__in=keys), "code"),
        _part("area", Question.objects.filter(benchmark__in=keys).exclude(area=""), "area"),
        SavedView.objects.kept_by(desk.user).values_list(Value("view"), "name", "query"),
    ]
    if desk.sees_systems(chosen):
        parts.append(_part("system", System.objects.filter(benchmark__in=keys), "code"))
    if desk.leads(chosen):
        parts.append(_part("person", _assessors([row.slug for row in chosen]), "user__username"))
    found: dict[str, list[tuple[str, str]]] = {
        "benchmark": [(row.slug, row.title) for row in desk.benchmarks.values()],
        **{name: [] for name in ("condition", "set", "area", "view", "system", "person")},
        "finding_class": sorted({(code, code) for row in chosen for code in desk.error_classes[row.slug]}),
        "label": [(label.value, str(words)) for label, words in LABEL_LABELS.items() if label is not Label.NONE],
        "state": [(state.value, str(words)) for state, words in CARD_STATE_LABELS.items()],
    }
    for kind, value, words in sorted(parts[0].union(*parts[1:])):
        found[kind].append((value, words))
    return found


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
