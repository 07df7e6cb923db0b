"""The quality of approvals: what can be drawn for a check, and how often a check overturned a card."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Exists, F, OuterRef

from lexreview.accounts.models import User
from lexreview.accounts.rules import roles_of
from lexreview.core.stats.intervals import Proportion, proportion
from lexreview.core.stats.sampling import stratified_sample
from lexreview.core.workflow import Role
from lexreview.questions.models import Benchmark
from lexreview.review.models import Card, CheckOrigin, CheckOutcome, QualityCheck
from lexreview.review.models.card import CardQuerySet
from lexreview.review.pace import fast_approvals


@dataclass(frozen=True, kw_only=True)
class Draw:
    """`size` cards for each reviewer, spread over the questions; of one reviewer or question only where given."""

    size: int
    seed: int = 1
    reviewer: User | None = None
    question: str = ""


@dataclass(frozen=True, slots=True)
class ReviewerQuality:
    """How a reviewer's approvals fared. `overturned`: of those drawn at random and checked; `fast`: of the others."""

    reviewer: User
    approved: int
    overturned: Proportion
    fast: Proportion
    open: int


def checkable(benchmark: Benchmark, *, by: User) -> CardQuerySet:
    """Approved first reviews whose present revision was not drawn before; nobody checks their own."""
    drawn = QualityCheck.objects.filter(card=OuterRef("pk"), revision=OuterRef("revision"))
    cards = Card.objects.visible_to(by).of_benchmark(benchmark).first_round().approved()
    return cards.filter(~Exists(drawn)).exclude(approved_by=by)


def fast_cards(benchmark: Benchmark, *, by: User) -> CardQuerySet:
    """Of those that can be checked the ones that were approved strikingly fast."""
    return checkable(benchmark, by=by).filter(pk__in=fast_approvals(benchmark))


def fast_cards_of(benchmark: Benchmark, draw: Draw, *, by: User) -> list[Card]:
    """Those among the cards that can be drawn so: they come into every sample, besides what chance takes."""
    return list(_narrowed(fast_cards(benchmark, by=by), draw).with_answer().order_by("pk"))


def _narrowed(cards: CardQuerySet, draw: Draw) -> CardQuerySet:
    if draw.reviewer is not None:
        cards = cards.filter(approved_by=draw.reviewer)
    return cards.filter(queue_code=draw.question) if draw.question else cards


def drawn_cards(benchmark: Benchmark, draw: Draw, *, by: User) -> list[Card]:
    cards = _narrowed(checkable(benchmark, by=by), draw)
    by_reviewer: dict[int | None, list[Card]] = {}
    for card in cards.with_list_data().in_queue_order():
        by_reviewer.setdefault(card.approved_by_id, []).append(card)
    return [
        card
        for _reviewer, own in sorted(by_reviewer.items(), key=lambda item: item[0] or 0)
        for card in stratified_sample(
            own, lambda card: card.queue_code, size=draw.size, seed=draw.seed, name_key=lambda card: card.identifier
        )
    ]


def quality_of(benchmark: Benchmark, *, user: User) -> list[ReviewerQuality]:
    """By reviewer: all of them for a lead, oneself for a reviewer. Checks of cards that are kept from the user do not
    count: one that is overturned would say something of the card."""
    checks = QualityCheck.objects.of_benchmark(benchmark).visible_to(user).select_related("reviewer")
    approved = Card.objects.of_benchmark(benchmark).first_round().filter(approved_by__isnull=False)
    if Role.LEAD not in roles_of(user, benchmark.slug):
        checks, approved = checks.filter(reviewer=user), approved.filter(approved_by=user)
    counts: dict[int, int] = {}
    for person in approved.annotate(person=F("approved_by")).values_list("person", flat=True):
        counts[person] = counts.get(person, 0) + 1
    rows = list(checks.order_by("pk"))
    people = {person.pk: person for person in User.objects.filter(pk__in={*counts, *(row.reviewer_id for row in rows)})}
    return [
        _quality(person, counts.get(person.pk, 0), [row for row in rows if row.reviewer_id == person.pk])
        for person in sorted(people.values(), key=lambda each: each.username)
    ]


def _quality(person: User, approved: int, checks: Sequence[QualityCheck]) -> ReviewerQuality:
    return ReviewerQuality(
        reviewer=person,
        approved=approved,
        overturned=_overturned(checks, CheckOrigin.DRAWN),
        fast=_overturned(checks, CheckOrigin.FAST),
        open=sum(row.outcome == CheckOutcome.OPEN for row in checks),
    )


def _overturned(checks: Sequence[QualityCheck], origin: CheckOrigin) -> Proportion:
    done = [row for row in checks if row.origin == origin and row.outcome != CheckOutcome.OPEN]
    return proportion(sum(row.outcome == CheckOutcome.OVERTURNED for row in done), len(done))
