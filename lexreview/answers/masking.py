"""Who learns which system gave an answer. Pages, lists, search and the API all ask here; `sees_systems` is the rule.

A benchmark may mask its systems, and so may a batch in which cards were given out; either is enough. Reviewers then
learn the name once the card is approved; leads and operators always. Cards and batches are kept in a room above: it
registers what they say of answers, in its module `page_sections`.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet

from lexreview.accounts.models import User
from lexreview.accounts.rules import roles_of
from lexreview.answers.models import Answer
from lexreview.core.workflow import Role
from lexreview.methodology.naming import add_masked_names
from lexreview.questions.models import Benchmark

OF_A_CARD = re.compile(r"(\.p\d+)?(\.round\d+(\.\d+)?)?$")
"""What the identifier of a card may have behind that of its answer."""
SEEING_ROLES = frozenset({Role.LEAD.value, Role.OPERATOR.value})


class Reviewed(NamedTuple):
    """How the reviews of an answer stand. `settled`: all its cards are approved, and there is one; `in_masked_batch`:
    one of them was given out in a batch that masks its systems."""

    settled: bool = False
    in_masked_batch: bool = False


@dataclass(frozen=True)
class Reviews:
    """What the room of the cards says of answers.

    `of_answers` gets primary keys of answers and returns what is known of them, in a fixed number of queries;
    `masking_benchmarks` is a query for the primary keys of benchmarks in which a masked batch has an open card.
    """

    of_answers: Callable[[Iterable[int]], Mapping[int, Reviewed]]
    masking_benchmarks: Callable[[], QuerySet[Any, Any]]


@dataclass
class _Registry:
    reviews: list[Reviews] = field(default_factory=list)


_registry = _Registry()


def add_reviews(reviews: Reviews) -> None:
    _registry.reviews = [reviews]


def sees_systems(roles: Collection[str], benchmark: Benchmark, *, in_masked_batch: bool) -> bool:
    """Whether a member with these roles in the benchmark learns the system of an answer whose card is open.

    `in_masked_batch`: of this answer; or, asked about all answers of the benchmark, of one of them.
    """
    return not (benchmark.masks_systems or in_masked_batch) or bool(SEEING_ROLES & set(roles))


def sees_every_system(user: User, benchmark: Benchmark) -> bool:
    """The same of all answers of the benchmark: one query for the roles, and one where a batch may mask some."""
    roles = roles_of(user, benchmark.slug)
    if sees_systems(roles, benchmark, in_masked_batch=True):
        return True
    if not sees_systems(roles, benchmark, in_masked_batch=False):
        return False
    return not any(each.masking_benchmarks().filter(benchmark=benchmark).exists() for each in _registry.reviews)


def answers_unmasked_for(user: User, answers: Collection[Answer]) -> set[int]:
    """Primary keys of those answers whose system the person may learn. `question.benchmark` is loaded with them.

    One query for the roles in each benchmark, and one for the cards where a system may have to be hidden.
    """
    roles = {slug: roles_of(user, slug) for slug in {answer.question.benchmark.slug for answer in answers}}
    asked = {
        answer.pk
        for answer in answers
        if not sees_systems(roles[answer.question.benchmark.slug], answer.question.benchmark, in_masked_batch=True)
    }
    reviewed: dict[int, Reviewed] = {}
    for reviews in _registry.reviews if asked else ():
        reviewed.update(reviews.of_answers(asked))
    return {answer.pk for answer in answers if _is_shown(answer, roles, reviewed.get(answer.pk, Reviewed()))}


def _is_shown(answer: Answer, roles: Mapping[str, Collection[str]], reviewed: Reviewed) -> bool:
    benchmark = answer.question.benchmark
    return reviewed.settled or sees_systems(roles[benchmark.slug], benchmark, in_masked_batch=reviewed.in_masked_batch)


def is_settled(answer: int) -> bool:
    """Whether all cards of the answer with this primary key are approved: then its system is masked no longer."""
    return any(reviews.of_answers([answer]).get(answer, Reviewed()).settled for reviews in _registry.reviews)


def is_unmasked_for(user: User, answer: Answer) -> bool:
    return answer.pk in answers_unmasked_for(user, [answer])


def masked_name(answer: Answer) -> str:
    """A name of the answer that does not tell the system: the question's code and the begin of the text's SHA-256."""
    return f"{answer.question.code} · {answer.sha256[:6]}"


def in_unmasked_benchmarks(rows: QuerySet[Answer], user: User) -> QuerySet[Answer]:
    """The answers of benchmarks in which the person learns every system: only these can be searched by system."""
    slugs = user.memberships.filter(role__in=SEEING_ROLES).values("benchmark_slug")
    unmasked = Q(question__benchmark__masks_systems=False)
    for reviews in _registry.reviews:
        unmasked &= ~Q(question__benchmark__in=reviews.masking_benchmarks())
    return rows.filter(unmasked | Q(question__benchmark__slug__in=slugs))


def names_of_masked(person: User, slug: str, identifiers: Sequence[str]) -> dict[str, str]:
    """What stands in place of those identifiers of answers or cards that would tell the person a masked system."""
    answer_of = {each: OF_A_CARD.sub("", each) for each in identifiers}
    answers = Answer.objects.filter(question__benchmark__slug=slug, identifier__in=set(answer_of.values()))
    found = {answer.identifier: answer for answer in answers.select_related("question__benchmark")}
    unmasked = answers_unmasked_for(person, list(found.values()))
    masked = {name: masked_name(answer) for name, answer in found.items() if answer.pk not in unmasked}
    return {each: masked[answer] for each, answer in answer_of.items() if answer in masked}


add_masked_names(names_of_masked)
