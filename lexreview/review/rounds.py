"""A sample of approved cards for a blind second review: who is asked about which, before anything is written."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from hashlib import sha256
from itertools import groupby

from django.db.models import Exists, OuterRef

from lexreview.accounts.models import Membership, User
from lexreview.core.stats.sampling import stratified_sample
from lexreview.core.workflow import CardState, Role, Round
from lexreview.questions.models import Benchmark
from lexreview.review.blinding import reviewers_of
from lexreview.review.drawing import lot
from lexreview.review.models import Card
from lexreview.review.models.card import CardQuerySet


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """What a lead asks for. `size` cards, or a `share` in (0, 1] of those that can be chosen; one of both is None.

    `reviewers` are asked, `seats` of them about each card; without any the seats stay free, and whoever takes one
    reviews. `blind`: without pre-fill.
    """

    size: int | None = None
    share: Decimal | None = None
    seats: int = 1
    seed: int = 1
    reviewers: tuple[User, ...] = ()
    blind: bool = False


@dataclass(frozen=True, slots=True)
class Seat:
    """A second review to be asked for; `person` None leaves it free."""

    card: Card
    number: int
    person: User | None


@dataclass(frozen=True, slots=True)
class Selection:
    """What a sampling comes to: the cards, their seats, and the cards for which too few people were left."""

    cards: Sequence[Card]
    seats: Sequence[Seat]
    passed_over: Sequence[Card]
    candidates: int

    @property
    def fingerprint(self) -> str:
        """The same for the same cards and people, whoever computes it."""
        said = [f"{seat.card.pk}.{seat.number}:{seat.person.pk if seat.person else ''}" for seat in self.seats]
        return sha256("|".join(said).encode()).hexdigest()[:16]

    @property
    def by_question_and_system(self) -> list[tuple[str, list[tuple[str, int]]]]:
        """By question the systems with how many of their cards were chosen."""
        counted = sorted(Counter(_stratum(card) for card in self.cards).items())
        return [
            (question, [(system, number) for (_question, system), number in group])
            for question, group in groupby(counted, key=lambda item: item[0][0])
        ]

    @property
    def by_person(self) -> list[tuple[User | None, int]]:
        """How many cards each person is asked about, most first; free seats under None."""
        counted = Counter(seat.person for seat in self.seats)
        return sorted(counted.items(), key=lambda item: (-item[1], item[0].username if item[0] else ""))


def candidates_for_second_review(benchmark: Benchmark) -> CardQuerySet:
    """Approved first reviews of the newest pass that no second review was made of under the same rules and key."""
    cards = Card.objects.filter(answer=OuterRef("answer"))
    newer = cards.filter(round=Round.FIRST, scoring_pass__gt=OuterRef("scoring_pass"))
    reviewed = cards.filter(
        round__in=[Round.SECOND, Round.ADJUDICATED],
        scoring_pass=OuterRef("scoring_pass"),
        specification=OuterRef("specification"),
        key_version=OuterRef("key_version"),
    )
    first = Card.objects.of_benchmark(benchmark).first_round().filter(state=CardState.APPROVED)
    return first.filter(~Exists(newer), ~Exists(reviewed))


def select(benchmark: Benchmark, sampling: Sampling) -> Selection:
    """The sample, stratified by question and system. The same cards and people and the same seed give the same."""
    cards = list(candidates_for_second_review(benchmark).with_list_data().in_queue_order())
    size = sampling.size
    if size is None:
        size = int((len(cards) * (sampling.share or Decimal(0))).to_integral_value(ROUND_CEILING))
    drawn = stratified_sample(cards, _stratum, size=size, seed=sampling.seed, name_key=lambda card: card.identifier)
    chosen, seats, passed_over = [], [], []
    load: Counter[int] = Counter()
    for card in drawn:
        people = _people_for(card, sampling, load)
        if people is None:
            passed_over.append(card)
            continue
        chosen.append(card)
        for number, person in enumerate(people, start=1):
            seats.append(Seat(card, number, person))
            if person is not None:
                load[person.pk] += 1
    return Selection(chosen, seats, passed_over, len(cards))


def _people_for(card: Card, sampling: Sampling, load: Counter[int]) -> list[User | None] | None:
    """Those with the least to do so far, ties by lot; None where too few have no part in the card yet."""
    if not sampling.reviewers:
        return [None] * sampling.seats
    free = [person for person in sampling.reviewers if person.pk not in reviewers_of([card])]
    if len(free) < sampling.seats:
        return None
    name = card.identifier
    free.sort(key=lambda each: (load[each.pk], lot(seed=sampling.seed, what=name, name=each.username)))
    return list(free[: sampling.seats])


def _stratum(card: Card) -> tuple[str, str]:
    return card.answer.question.code, card.answer.run.system.code


def people_who_review(benchmark: Benchmark) -> list[User]:
    """Reviewers and leads of the benchmark, by user name."""
    held = Membership.objects.of_benchmark(benchmark.slug).filter(
        role__in=[Role.REVIEWER, Role.LEAD], user__is_active=True
    )
    return list(User.objects.filter(pk__in=held.values("user")).order_by("username"))
