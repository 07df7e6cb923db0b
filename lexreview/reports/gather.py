"""The rows of a benchmark that a publication may draw on. Undisclosed questions are left out here, once, for all."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Prefetch

from lexreview.answers.models import Answer
from lexreview.core.methods.reference_card.specification import Specification, specification_from_dict
from lexreview.core.workflow import DecisionState, KeyState
from lexreview.judging.models import Judge, Verdict
from lexreview.methodology.models import Decision
from lexreview.methodology.models import Specification as SpecificationRow
from lexreview.questions.models import Benchmark, Disclosure, KeyVersion, Question
from lexreview.review.models import Card, CardCitation, CardRevision, Finding, RulingRequest, Score
from lexreview.review.staleness import is_scored_otherwise


@dataclass(frozen=True, kw_only=True)
class Material:
    """What is known of a benchmark's disclosed questions, each list in its reading order.

    `answers` are the scored ones (all but technical failures, which are in `failed`), `cards` the approved card of an
    answer by the answer's key, its parts prefetched. `asked`: numbers of published decisions that answer a question put
    on a card of an answer, by the answer's key. `hidden` are the undisclosed questions: nothing but the guard
    against leaks may look at them.
    """

    benchmark: Benchmark
    questions: Sequence[Question]
    keys: Mapping[int, Sequence[KeyVersion]]
    answers: Sequence[Answer]
    failed: Sequence[Answer]
    cards: Mapping[int, Card]
    specifications: Sequence[SpecificationRow]
    decisions: Sequence[Decision]
    asked: Mapping[int, Collection[int]]
    judges: Sequence[Judge]
    verdicts: Sequence[Verdict]
    hidden: Sequence[Question]

    @property
    def approved(self) -> int:
        return len(self.cards)

    @property
    def open(self) -> list[Answer]:
        """Answers whose card is not approved, and which are therefore in no figure."""
        return [answer for answer in self.answers if answer.pk not in self.cards]

    @cached_property
    def rules(self) -> Mapping[int, Specification]:
        """Every version of the scoring specification, read, by the key of its row."""
        return {row.pk: specification_from_dict(row.content) for row in self.specifications}

    @cached_property
    def newest_rules(self) -> Specification:
        """The newest version under which a counted card was scored; without cards, the benchmark's own."""
        used = {card.specification_id for card in self.cards.values()} or {self.benchmark.specification_id}
        return next(self.rules[row.pk] for row in reversed(self.specifications) if row.pk in used)

    @property
    def mixed_keys(self) -> list[Card]:
        """Counted cards under an earlier key than another card of the same question, where the two score otherwise."""
        by_question: dict[int, list[Card]] = {}
        for card in self.cards.values():
            by_question.setdefault(card.answer.question_id, []).append(card)
        return [
            card
            for cards in by_question.values()
            for card in cards
            if is_scored_otherwise(
                card.key_version, max((each.key_version for each in cards), key=lambda key: key.number)
            )
        ]

    def rules_of(self, card: Card) -> Specification:
        return self.rules[card.specification_id]


def gather(benchmark: Benchmark, *, lock: bool = False) -> Material:
    """Everything in a fixed number of queries. `lock` holds the benchmark's cards until the end of the transaction."""
    if lock:
        list(Card.objects.of_benchmark(benchmark).select_for_update(of=("self",)).only("pk").order_by("pk"))
    questions = list(benchmark.questions.disclosed().select_related("set", "mirror").by_code())
    answers = _answers(benchmark, questions)
    keys = _keys(questions)
    decisions = Decision.objects.of_benchmark(benchmark.slug).published().select_related("author", "supersedes")
    return Material(
        benchmark=benchmark,
        questions=questions,
        keys=keys,
        answers=[answer for answer in answers if answer.state != "failed"],
        failed=[answer for answer in answers if answer.state == "failed"],
        cards=_cards(benchmark, answers, keys),
        specifications=list(SpecificationRow.objects.named(benchmark.specification.name).in_version_order()),
        decisions=list(decisions.in_order()),
        asked=_asked(answers),
        judges=list(benchmark.judges.order_by("position", "code")),
        verdicts=_verdicts(benchmark, answers),
        hidden=list(benchmark.questions.exclude(disclosure=Disclosure.PUBLISHED).prefetch_related("key_versions")),
    )


def _answers(benchmark: Benchmark, questions: Sequence[Question]) -> list[Answer]:
    by_key = {question.pk: question for question in questions}
    rows = Answer.objects.filter(question__in=by_key).select_related("run__system", "run__condition").in_order()
    answers = list(rows)
    for answer in answers:
        answer.question = by_key[answer.question_id]
    return answers


def _keys(questions: Sequence[Question]) -> dict[int, list[KeyVersion]]:
    """Key versions by question, oldest first. A draft is nobody's business yet."""
    by_question: dict[int, list[KeyVersion]] = {question.pk: [] for question in questions}
    by_key = {question.pk: question for question in questions}
    rows = KeyVersion.objects.filter(question__in=by_question).exclude(state=KeyState.DRAFT)
    for key in rows.select_related("approved_by", "decision").in_order():
        key.question = by_key[key.question_id]
        by_question[key.question_id].append(key)
    return by_question


def _cards(
    benchmark: Benchmark, answers: Sequence[Answer], keys: Mapping[int, Sequence[KeyVersion]]
) -> dict[int, Card]:
    """The card that counts of each answer; an answer that is not settled has none."""
    parts = (
        Prefetch("scores", Score.objects.select_related("decided_by").order_by("pk")),
        Prefetch("citations", CardCitation.objects.in_text_order().with_result()),
        Prefetch("findings", Finding.objects.standing().select_related("decided_by", "citation").in_order()),
        Prefetch("revisions", CardRevision.objects.select_related("approved_by").defer("snapshot").order_by("number")),
    )
    rows = Card.objects.filter(answer__in=answers).select_related("approved_by", "verification")
    known_answers = {answer.pk: answer for answer in answers if answer.state != "failed"}
    known_keys = {key.pk: key for versions in keys.values() for key in versions}
    cards: dict[int, Card] = {}
    for card in rows.counting().prefetch_related(*parts).order_by("answer_id"):
        if card.answer_id in known_answers:
            card.answer = known_answers[card.answer_id]
            card.key_version = known_keys[card.key_version_id]
            cards[card.answer_id] = card
    return {answer.pk: cards[answer.pk] for answer in answers if answer.pk in cards}


def _asked(answers: Sequence[Answer]) -> dict[int, set[int]]:
    """Whatever round the question was asked in: the card that counts may be the adjudicated one."""
    found: dict[int, set[int]] = {}
    rows = RulingRequest.objects.filter(card__answer__in=answers, decision__state=DecisionState.PUBLISHED)
    for answer, number in rows.order_by().values_list("card__answer", "decision__number"):
        found.setdefault(answer, set()).add(number)
    return found


def _verdicts(benchmark: Benchmark, answers: Sequence[Answer]) -> list[Verdict]:
    by_key = {answer.pk: answer for answer in answers}
    rows = Verdict.objects.of_benchmark(benchmark).filter(answer__in=by_key)
    counting = rows.counting(benchmark.specification.version)
    verdicts = list(counting.select_related("judge").in_order())
    for verdict in verdicts:
        verdict.answer = by_key[verdict.answer_id]
    return verdicts


def count_of_cards(benchmark: Benchmark) -> tuple[int, int]:
    """How many of the disclosed, scored answers have an approved card: for lists, without gathering everything."""
    scored = Answer.objects.filter(question__benchmark=benchmark, question__disclosure=Disclosure.PUBLISHED).scored()
    counting = Card.objects.filter(answer__in=scored).counting()
    return counting.count(), scored.count()
