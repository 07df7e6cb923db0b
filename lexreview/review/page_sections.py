"""What this room adds to the pages of benchmarks, questions and answers: progress, states and labels of cards."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.conf import settings
from django.db.models import Count, Q, QuerySet
from django.utils.translation import ngettext_lazy

from lexreview.accounts.models import User
from lexreview.accounts.rules import roles_by_benchmark, roles_of
from lexreview.answers.masking import SEEING_ROLES, Reviewed, Reviews, add_reviews, answers_unmasked_for
from lexreview.answers.models import Answer
from lexreview.answers.open_reviews import add_open_reviews
from lexreview.core.workflow import ASIDE, CardState, Role, Round
from lexreview.questions.models import Benchmark, Question
from lexreview.questions.sections import Figure, Place, Section, add_figures, add_section
from lexreview.review import recompute_page, ruled_cards  # noqa: F401 - add their sections
from lexreview.review.blinding import HANDED_IN
from lexreview.review.lead_forms import ModelPrefillForm
from lexreview.review.models import LABEL_LABELS, Batch, Card, QualityCheck, is_rehearsal
from lexreview.verification.advice import add_withheld

LABELS = {label.value: words for label, words in LABEL_LABELS.items()}


@dataclass(frozen=True, slots=True)
class CardMark:
    """A card as other pages mention it. `label` is "" until the card is approved and the person may see the outcome."""

    card: Card
    label: str

    @property
    def label_words(self) -> str:
        return str(LABELS[self.label]) if self.label else ""


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """`unmasked`: whether the person may learn which system gave the answer."""

    answer: Answer
    mark: CardMark | None
    unmasked: bool


@dataclass(frozen=True, slots=True)
class AnswersSection:
    """The answers to a question in order of system, condition and repetition; masked ones behind, in no such order.

    `unmasked`: primary keys of the answers whose system the person may learn.
    """

    benchmark: Benchmark
    rows: list[AnswerRow]
    unmasked: set[int]


def approved_figures(benchmarks: Sequence[Benchmark], user: User) -> Mapping[int, Sequence[Figure]]:
    """First-round cards and how many are approved, one query."""
    grouped = Card.objects.filter(round=Round.FIRST, answer__question__benchmark__in=benchmarks).values_list(
        "answer__question__benchmark_id"
    )
    counts = grouped.annotate(cards=Count("pk"), approved=Count("pk", filter=Q(state=CardState.APPROVED))).order_by()
    found = {pk: (approved, cards) for pk, cards, approved in counts}
    both = {each.pk: found.get(each.pk, (0, 0)) for each in benchmarks}
    return {
        pk: [Figure(label=ngettext_lazy("card approved", "cards approved", approved), part=approved, whole=cards)]
        for pk, (approved, cards) in both.items()
    }


def answers_section(question: Question, user: User) -> Section | None:
    """The answers with their cards; None before the first answer."""
    answers = list(
        Answer.objects.filter(question=question)
        .with_run()
        .defer("text", "trace", "settings", "usage", "question__benchmark__summaries")
        .in_order()
    )
    if not answers:
        return None
    marks = card_marks(answers, user=user)
    unmasked = answers_unmasked_for(user, answers)
    answers.sort(key=lambda answer: "" if answer.pk in unmasked else answer.sha256)
    rows = [AnswerRow(answer, marks.get(answer.pk), answer.pk in unmasked) for answer in answers]
    return Section("review/_answers_of_question.html", AnswersSection(question.benchmark, rows, unmasked))


def card_section(answer: Answer, user: User) -> Section | None:
    """The card of the answer; None before it was opened."""
    mark = card_marks([answer], user=user).get(answer.pk)
    return Section("review/_card_of_answer.html", mark) if mark else None


def card_marks(answers: Iterable[Answer], *, user: User) -> dict[int, CardMark]:
    """By primary key of the answer the card that the person is shown for it, of its newest scoring pass; two queries.

    That is the one that counts, else the first review, else, where that one is kept from them, their own.
    """
    cards = (
        Card.objects.visible_to(user)
        .filter(answer__in=list(answers))
        .exclude(round__in=ASIDE)
        .select_related("assigned_to", "approved_by")
        .order_by("answer_id", "-scoring_pass", "round", "-seat", "pk")
    )
    marks = {}
    for answer_pk, group in groupby(cards, key=lambda card: card.answer_id):
        every = list(group)
        marks[answer_pk] = _mark([card for card in every if card.scoring_pass == every[0].scoring_pass])
    return marks


def _mark(cards: Sequence[Card]) -> CardMark:
    """`cards`: those of one pass that the person sees, the first round first."""
    first = cards[0]
    if first.round != Round.FIRST or first.state != CardState.APPROVED:
        return CardMark(first, "")
    counting = next((card for card in cards if _replaces(card, first)), first)
    return CardMark(counting, counting.label)


def _replaces(card: Card, first: Card) -> bool:
    return (
        card.round == Round.ADJUDICATED
        and card.state == CardState.APPROVED
        and (card.specification_id, card.key_version_id) == (first.specification_id, first.key_version_id)
    )


@dataclass(frozen=True, slots=True)
class ReviewsSection:
    """How the reviews of a benchmark stand, for leads and, as far as it is theirs, for reviewers."""

    benchmark: Benchmark
    is_lead: bool
    second: int
    differing: int
    rulings: int
    checks: int


@dataclass(frozen=True, slots=True)
class RehearsalSection:
    """That a benchmark is for practice, with the way to what became of its planted errors."""

    benchmark: Benchmark
    is_lead: bool


def reviews_section(benchmark: Benchmark, user: User) -> Section | None:
    """Second reviews, adjudications, rulings and checks that wait; None for whoever reviews nothing here."""
    roles = roles_of(user, benchmark.slug)
    if not roles & {Role.LEAD, Role.REVIEWER}:
        return None
    is_lead = Role.LEAD in roles
    if is_rehearsal(benchmark):
        return Section("review/_rehearsal_of_benchmark.html", RehearsalSection(benchmark, is_lead))
    seen = Card.objects.visible_to(user).of_benchmark(benchmark)
    states = seen.aggregate(
        second=Count("pk", filter=Q(round=Round.FIRST, state=CardState.SECOND_REVIEW)),
        differing=Count("pk", filter=Q(round=Round.FIRST, state=CardState.IN_ADJUDICATION)),
        rulings=Count("pk", filter=Q(state=CardState.NEEDS_RULING)),
    )
    checks = QualityCheck.objects.of_benchmark(benchmark).visible_to(user).open().count() if is_lead else 0
    return Section("review/_reviews_of_benchmark.html", ReviewsSection(benchmark, is_lead, checks=checks, **states))


@dataclass(frozen=True, slots=True)
class PrefillSection:
    """What an operator can have pre-filled. `waiting`: answers without a pre-filled card; `open`: cards that a model
    may still be asked about."""

    benchmark: Benchmark
    waiting: int
    open: int
    form: ModelPrefillForm


def prefill_section(benchmark: Benchmark, user: User) -> Section | None:
    """None for whoever does not operate the benchmark, and before the first answer."""
    if Role.OPERATOR not in roles_of(user, benchmark.slug):
        return None
    cards = Card.objects.of_benchmark(benchmark)
    without = Answer.objects.of_benchmark(benchmark).scored().filter(cards__isnull=True).count()
    waiting, open_ = without + cards.pending_prefill().count(), cards.open_to_a_model().count()
    if not (waiting or open_):
        return None
    form = ModelPrefillForm(initial={"model": settings.PREFILL_MODEL}, auto_id="prefill-%s")
    return Section("review/_prefill_of_benchmark.html", PrefillSection(benchmark, waiting, open_, form))


def reviews_of_answers(answers: Iterable[int]) -> dict[int, Reviewed]:
    """By primary key of the answers that have a card: one query."""
    cards = Card.objects.filter(answer__in=list(answers)).values_list("answer_id", "state", "batch__masks_systems")
    reviewed: dict[int, Reviewed] = {}
    for answer, state, masked in cards:
        settled, in_masked_batch = reviewed.get(answer, Reviewed(settled=True))
        reviewed[answer] = Reviewed(settled and state == CardState.APPROVED, in_masked_batch or bool(masked))
    return reviewed


def masking_benchmarks() -> QuerySet[Batch, Any]:
    """Benchmarks in which a batch still masks the system of a card."""
    return Batch.objects.masking().values("benchmark")


def answers_without_advice(user: User) -> QuerySet[Card, int]:
    """The answers of which a card waits to be reviewed without proposals: for whoever has it, and for every member who
    is neither lead nor operator, for one of them may get it. One query for the roles, none for the cards."""
    roles = roles_by_benchmark(user)
    may_get_it = [slug for slug, held in roles.items() if not held & SEEING_ROLES]
    kept = Q(assigned_to=user) | Q(queue_benchmark__slug__in=may_get_it)
    return Card.objects.filter(kept, blind=True).exclude(state=CardState.APPROVED).values_list("answer_id", flat=True)


def open_reviews(user: User, benchmark: Benchmark) -> set[int]:
    """The answers of which the person holds a card of any round that is not handed in: one query."""
    held = Card.objects.of_benchmark(benchmark).filter(assigned_to=user).exclude(state__in=HANDED_IN)
    return set(held.values_list("answer_id", flat=True))


add_reviews(Reviews(reviews_of_answers, masking_benchmarks))
add_open_reviews(open_reviews)
add_withheld(answers_without_advice)
add_figures(position=20, make=approved_figures)
add_section(place=Place.QUESTION, position=20, make=answers_section)
add_section(place=Place.ANSWER, position=20, make=card_section)
add_section(place=Place.BENCHMARK, position=20, make=reviews_section)
add_section(place=Place.BENCHMARK, position=21, make=prefill_section)
