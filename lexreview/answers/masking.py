"""Who learns which system gave an answer. Pages, lists, search and the API all ask here.

Reviewers of a benchmark that masks its systems learn the name once the card is approved; leads and operators always.
The cards are kept in a room above: it registers what is approved, in its module `page_sections`.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field

from django.db.models import Q, QuerySet

from lexreview.accounts.models import User
from lexreview.accounts.rules import roles_of
from lexreview.answers.models import Answer
from lexreview.core.workflow import Role
from lexreview.methodology.naming import add_masked_names
from lexreview.questions.models import Benchmark

OF_A_CARD = re.compile(r"(\.p\d+)?(\.round\d+)?$")
"""What the identifier of a card may have behind that of its answer."""
SEEING_ROLES = frozenset({Role.LEAD.value, Role.OPERATOR.value})
Settled = Callable[[Iterable[int]], set[int]]


@dataclass
class _Registry:
    settled: list[Settled] = field(default_factory=list)


_registry = _Registry()


def add_settled(settled: Settled) -> None:
    """`settled` gets primary keys of answers and returns those whose review is over, in a fixed number of queries."""
    _registry.settled = [settled]


def sees_every_system(roles: Collection[str], benchmark: Benchmark) -> bool:
    """Whether a member with these roles in the benchmark learns the system of every answer."""
    return not benchmark.masks_systems or bool(SEEING_ROLES & set(roles))


def answers_unmasked_for(user: User, answers: Collection[Answer]) -> set[int]:
    """Primary keys of those answers whose system the person may learn. `question.benchmark` is loaded with them.

    One query for the roles in each benchmark, and one for the cards where a system may have to be hidden.
    """
    benchmarks = {answer.question.benchmark_id: answer.question.benchmark for answer in answers}
    open_ = {pk for pk, each in benchmarks.items() if sees_every_system(roles_of(user, each.slug), each)}
    shown = {answer.pk for answer in answers if answer.question.benchmark_id in open_}
    hidden = {answer.pk for answer in answers} - shown
    for settled in _registry.settled if hidden else ():
        shown |= settled(hidden)
    return shown


def is_unmasked_for(user: User, answer: Answer) -> bool:
    return answer.pk in answers_unmasked_for(user, [answer])


def masked_name(answer: Answer) -> str:
    """A name of the answer that does not tell the system: the question's code and the begin of the text's SHA-256."""
    return f"{answer.question.code} · {answer.sha256[:6]}"


def in_unmasked_benchmarks(rows: QuerySet[Answer], user: User) -> QuerySet[Answer]:
    """The answers of benchmarks in which the person learns every system: only these can be searched by system."""
    slugs = user.memberships.filter(role__in=SEEING_ROLES).values("benchmark_slug")
    return rows.filter(Q(question__benchmark__masks_systems=False) | Q(question__benchmark__slug__in=slugs))


def names_of_masked(person: User, slug: str, identifiers: Sequence[str]) -> dict[str, str]:
    """What stands in place of those identifiers of answers or cards that would tell the person a masked system."""
    answer_of = {each: OF_A_CARD.sub("", each) for each in identifiers}
    answers = Answer.objects.filter(question__benchmark__slug=slug, identifier__in=set(answer_of.values()))
    found = {answer.identifier: answer for answer in answers.select_related("question__benchmark")}
    unmasked = answers_unmasked_for(person, list(found.values()))
    masked = {name: masked_name(answer) for name, answer in found.items() if answer.pk not in unmasked}
    return {each: masked[answer] for each, answer in answer_of.items() if answer in masked}


add_masked_names(names_of_masked)
