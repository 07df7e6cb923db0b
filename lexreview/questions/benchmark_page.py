"""What the pages about whole benchmarks show, gathered in a fixed number of queries."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from django.utils.translation import gettext as _

from lexreview.accounts.models import ROLE_LABELS, User
from lexreview.accounts.rules import roles_of
from lexreview.core.workflow import KeyState, Role
from lexreview.questions.models import Benchmark, KeyVersion, Question, QuestionSet
from lexreview.questions.rules import can_write_questions
from lexreview.questions.sections import Figure, Place, Section, figures_of, sections_of


@dataclass(frozen=True, slots=True)
class BenchmarkRow:
    """A benchmark in the list; it was fetched `with_list_data()`."""

    benchmark: Benchmark
    figures: list[Figure]


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """A question in a table with the key that counts: the approved version, else the newest draft, else None."""

    question: Question
    key: KeyVersion | None
    versions: int
    departed: bool


@dataclass(frozen=True, slots=True)
class QuestionGroup:
    set: QuestionSet
    rows: list[QuestionRow]


def benchmark_rows(user: User) -> list[BenchmarkRow]:
    """The benchmarks of a person by slug."""
    benchmarks = list(Benchmark.objects.visible_to(user).with_list_data().by_slug())
    figures = figures_of(benchmarks, user)
    return [BenchmarkRow(each, figures[each.pk]) for each in benchmarks]


def key_that_counts(versions: Iterable[KeyVersion]) -> KeyVersion | None:
    """The approved version, else the newest; None for a question without any."""
    ordered = sorted(versions, key=lambda each: (each.state == KeyState.APPROVED, each.number))
    return ordered[-1] if ordered else None


class BenchmarkPage:
    """One benchmark as a member sees it; it was fetched `with_list_data()`."""

    def __init__(self, benchmark: Benchmark, *, user: User) -> None:
        self.benchmark = benchmark
        self.user = user

    @cached_property
    def roles(self) -> str:
        """The person's roles in words."""
        held = roles_of(self.user, self.benchmark.slug)
        return ", ".join(str(ROLE_LABELS[role]) for role in Role if role in held)

    @cached_property
    def may_write(self) -> bool:
        return can_write_questions(self.user, self.benchmark.slug)

    @cached_property
    def figures(self) -> list[Figure]:
        return figures_of([self.benchmark], self.user)[self.benchmark.pk]

    @cached_property
    def groups(self) -> list[QuestionGroup]:
        """The questions by set, in the order of the sets; sets without a question are left out."""
        questions = Question.objects.of_benchmark(self.benchmark).with_list_data().by_code()
        ordered = sorted(questions, key=lambda each: (each.set.position, each.set_id))
        return [
            QuestionGroup(group[0].set, [self._row(question) for question in group])
            for group in (list(each) for _set, each in groupby(ordered, key=lambda each: each.set_id))
        ]

    @cached_property
    def _keys(self) -> dict[int, list[KeyVersion]]:
        versions = KeyVersion.objects.of_benchmark(self.benchmark).with_people().in_order()
        return {pk: list(keys) for pk, keys in groupby(versions, key=lambda key: key.question_id)}

    def _row(self, question: Question) -> QuestionRow:
        versions = self._keys.get(question.pk, [])
        departed = any(version.departure and version.state != KeyState.DRAFT for version in versions)
        return QuestionRow(question, key_that_counts(versions), len(versions), departed)

    @cached_property
    def sections(self) -> list[Section]:
        return sections_of(Place.BENCHMARK, self.benchmark, self.user)

    @property
    def method_words(self) -> str:
        return _("method %(method)s") % {"method": self.benchmark.get_method_display()}
