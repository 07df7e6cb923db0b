"""Many synthetic cards in an empty database: rows made in bulk, so no event of the ledger speaks of them.

A card that is opened in a measurement is whole: nine citations with the layer's results, scores, proposed findings. The
others have an answer of the same length, a state, a label and a holder, which is what lists look at.
"""

import random
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import TypeVar

from django.db.models import Model

from lexreview.accounts.actions import grant_role
from lexreview.accounts.models import User
from lexreview.answers.models import Answer, Condition, Run, System, sha256_of
from lexreview.core.workflow import CardState, CitationState, Role
from lexreview.questions.models import Benchmark, KeyVersion, Question
from lexreview.review.models import Card, CardCitation, Finding, FindingState, Score
from lexreview.verification.models import Citation, Verification
from tests.review.factories import ANSWER, CITATIONS, SLUG, Checked, again, make_card

M = TypeVar("M", bound=Model)
SYSTEMS, CONDITIONS, REPETITIONS = 10, 2, 5
PER_QUESTION = SYSTEMS * CONDITIONS * REPETITIONS
REVIEWERS = 25
LOT = 2000
NOW = datetime(2026, 10, 18, 12, tzinfo=UTC)
NINE = (*CITATIONS, Checked(raw="Art. 5 FA", unit="art=5"), Checked(raw="Art. 8 FA", unit="art=8"))
TEXT = ANSWER + "\nSee also Art. 5 FA and Art. 8 FA.\n"
STATES = (CardState.PREFILLED,) * 14 + (CardState.APPROVED,) * 4 + (CardState.IN_REVIEW, CardState.PARKED)
LABELS = ("hallucinated", "no_hallucination", "correctly_grounded")


def people(count: int = REVIEWERS) -> list[User]:
    """Reviewers that can sign in with the password "measured", and the lead "lead"."""
    found = []
    for name, role in [(f"reviewer{n:02}", Role.REVIEWER) for n in range(count)] + [("lead", Role.LEAD)]:
        user, made = User.objects.get_or_create(username=name)
        if made:
            user.set_password("measured")
            user.save()
            grant_role(user=user, benchmark_slug=SLUG, role=role, by=None, now=NOW)
        found.append(user)
    return found


def build(cards: int, *, whole: int) -> Benchmark:
    """`cards` cards, the first `whole` of them with all their rows; a database that has cards is left as it is."""
    if (first := Card.objects.first()) is not None:
        return first.benchmark
    chance = random.Random(1)
    holders = people()
    pattern = make_card(text=TEXT, citations=NINE)
    runs = _runs(pattern)
    made = 0
    for number in range(1, -(-cards // PER_QUESTION) + 1):
        question, key = _question(pattern, number)
        rows = [_answer(pattern, question, run) for run in runs[: cards - made]]
        answers = Answer.objects.bulk_create(rows, batch_size=LOT)
        new = Card.objects.bulk_create(
            [_card(pattern, answer, key, holders=holders, chance=chance) for answer in answers], batch_size=LOT
        )
        _complete(pattern, new[: max(0, whole - made)])
        made += len(new)
    return pattern.benchmark


def _runs(pattern: Card) -> list[Run]:
    benchmark = pattern.benchmark
    systems = [System(benchmark=benchmark, code=f"s{n}", name=f"System {n}", position=n) for n in range(SYSTEMS)]
    conditions = [Condition(benchmark=benchmark, code=f"C{n}", tools=bool(n)) for n in range(CONDITIONS)]
    return Run.objects.bulk_create(
        [
            Run(benchmark=benchmark, system=system, condition=condition, repetition=n + 1, started_on=date(2026, 10, 1))
            for system in System.objects.bulk_create(systems)
            for condition in Condition.objects.bulk_create(conditions if system is systems[0] else [])
            or list(benchmark.conditions.filter(code__startswith="C"))
            for n in range(REPETITIONS)
        ]
    )


def _question(pattern: Card, number: int) -> tuple[Question, KeyVersion]:
    question = again(pattern.answer.question, code=f"Q{number:05}", benchmark_text=f"Question {number}: is it in time?")
    question.save()
    key = again(pattern.key_version, question=question)
    key.save()
    return question, key


def _answer(pattern: Card, question: Question, run: Run) -> Answer:
    text = f"{TEXT}\nFile {question.code}-{run.pk}.\n"
    identifier = f"{question.code}_{run.pk}"
    return again(pattern.answer, question=question, run=run, identifier=identifier, text=text, sha256=sha256_of(text))


def _card(pattern: Card, answer: Answer, key: KeyVersion, *, holders: Sequence[User], chance: random.Random) -> Card:
    card: Card = again(pattern, answer=answer, key_version=key, verification=None, state=chance.choice(STATES))
    holder = chance.choice(holders) if chance.random() < 0.1 else None
    if card.state == CardState.APPROVED:
        holder = chance.choice(holders)
        card.label, card.revision, card.approved_by = chance.choice(LABELS), 1, holder
        card.approved_at = NOW - timedelta(seconds=chance.randrange(10_000_000))
    elif card.state in (CardState.IN_REVIEW, CardState.PARKED):
        holder = chance.choice(holders)
    card.assigned_to = holder
    return card


def _complete(pattern: Card, cards: Sequence[Card]) -> None:
    """Everything that hangs on a card, as on the pattern."""
    checks = list(pattern.verification.citations.order_by("number")) if pattern.verification else []
    made = Verification.objects.bulk_create([again(pattern.verification, answer=card.answer) for card in cards])
    for card, verification in zip(cards, made, strict=True):
        card.verification = verification
    Card.objects.bulk_update(cards, ["verification"], batch_size=200)
    results = [again(row, verification=each) for each in made for row in checks]
    stored = iter(Citation.objects.bulk_create(results, batch_size=LOT))
    by_card = {card.pk: [next(stored) for _row in checks] for card in cards}
    citations = [
        again(row, card=card, checked=by_card[card.pk][place])
        for card in cards
        for place, row in enumerate(pattern.citations.order_by("number"))
    ]
    laid = iter(CardCitation.objects.bulk_create(citations, batch_size=LOT))
    placed = {(row.card_id, row.number): row for row in laid}
    Score.objects.bulk_create([again(row, card=card) for card in cards for row in pattern.scores.all()], batch_size=LOT)
    findings = [
        again(row, card=card, citation=placed[card.pk, row.citation.number] if row.citation else None)
        for card in cards
        for row in pattern.findings.select_related("citation")
    ]
    Finding.objects.bulk_create(findings, batch_size=LOT)


def decide_all(cards: Sequence[Card], holder: User) -> None:
    """Give the cards to a reviewer with everything decided but the approval."""
    chosen = {"card__in": [card.pk for card in cards]}
    decided = {"decided_by": holder, "decided_at": NOW}
    Card.objects.filter(pk__in=chosen["card__in"]).update(assigned_to=holder, state=CardState.IN_REVIEW)
    open_scores = Score.objects.filter(**chosen, not_applicable=False).exclude(criterion="A6")
    open_scores.update(decided=0, evidence="Read beside the key.", reason="As read.", **decided)
    Finding.objects.filter(**chosen).update(state=FindingState.REJECTED, reason="Said otherwise.", **decided)
    CardCitation.objects.filter(**chosen).update(state=CitationState.CONFIRMED, opened_at=NOW, **decided)


def whole_cards(count: int) -> Iterator[Card]:
    """Open cards that have all their rows and nobody, in order of key."""
    found = Card.objects.open().filter(verification__isnull=False, assigned_to=None).exclude(label="")
    yield from found.order_by("pk")[:count]
