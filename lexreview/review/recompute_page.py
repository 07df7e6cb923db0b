"""What pages say of recomputing: the plan of a benchmark, and the notes on pages of specifications and questions."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from lexreview.accounts.models import User
from lexreview.core.methods.reference_card.versions import parse_version
from lexreview.jobs.models import Job
from lexreview.methodology.models import Specification
from lexreview.methodology.specification_sections import SpecificationSection, add_specification_section
from lexreview.questions.models import Benchmark, Question
from lexreview.questions.sections import Place, Section, add_section
from lexreview.review.models import Card
from lexreview.review.recompute_job import RECOMPUTE
from lexreview.review.rules import can_recompute
from lexreview.review.staleness import Plan, PlanRow, outdated, plan_of, rules_of, words_of_label

MOST_SHOWN = 200


@dataclass(frozen=True, slots=True)
class LabelLine:
    label: str
    before: int
    after: int


class RecomputePage:
    """The cards of a benchmark under the rules that count, or under another version of its specification."""

    def __init__(self, benchmark: Benchmark, *, user: User, target: Specification | None = None) -> None:
        self.benchmark = benchmark
        self.user = user
        self.target = target or benchmark.specification

    @cached_property
    def plan(self) -> Plan:
        shown = Card.objects.visible_to(self.user).of_benchmark(self.benchmark)
        return plan_of(self.benchmark, rules_of(self.benchmark, self.target), shown=shown)

    @property
    def adopts(self) -> bool:
        """Whether the version shown is not the one that counts yet."""
        return self.target.pk != self.benchmark.specification_id

    @property
    def is_stored(self) -> bool:
        return self.target.pk is not None

    @property
    def rows(self) -> Sequence[PlanRow]:
        """Cards that change first, then those that need a person, then the rest."""
        ordered = sorted(self.plan.rows, key=lambda row: (not row.changes, not row.open, row.card.queue_code))
        return ordered[:MOST_SHOWN]

    @property
    def labels(self) -> list[LabelLine]:
        return [LabelLine(words_of_label(label), before, after) for label, before, after in self.plan.labels]

    @cached_property
    def later_versions(self) -> list[Specification]:
        """Versions that the benchmark may adopt, oldest first."""
        current = parse_version(self.benchmark.specification.version)
        named = Specification.objects.named(self.benchmark.specification.name).defer("content").in_version_order()
        return [row for row in named if parse_version(row.version) > current]

    @cached_property
    def job(self) -> Job | None:
        """The newest recompute of the benchmark."""
        jobs = Job.objects.visible_to(self.user).filter(benchmark_slug=self.benchmark.slug, kind=RECOMPUTE)
        return jobs.newest_first().first()


def specification_section(specification: Specification, user: User) -> SpecificationSection | None:
    """For every benchmark whose lead the person is: what the version would do there."""
    visible = Benchmark.objects.visible_to(user).filter(specification__name=specification.name)
    mine = [each for each in visible.select_related("specification").by_slug() if can_recompute(user, each)]
    version = parse_version(specification.version)
    later = [each for each in mine if parse_version(each.specification.version) < version]
    if not later:
        return None
    pages = [RecomputePage(each, user=user, target=specification) for each in later]
    return SpecificationSection("review/_plans.html", pages)


@dataclass(frozen=True, slots=True)
class OutdatedNote:
    benchmark: Benchmark
    cards: int


def outdated_section(benchmark: Benchmark, user: User) -> Section | None:
    """How many cards were scored under rules that no longer count; for leads."""
    if not can_recompute(user, benchmark):
        return None
    cards = sum(1 for _card in outdated(benchmark, rules_of(benchmark)))
    return Section("review/_outdated.html", OutdatedNote(benchmark, cards)) if cards else None


def outdated_by_key_section(question: Question, user: User) -> Section | None:
    """How many cards of the question were scored under an earlier key; for leads."""
    benchmark = question.benchmark
    if not can_recompute(user, benchmark):
        return None
    cards = [card for card in outdated(benchmark, rules_of(benchmark)) if card.queue_question_id == question.pk]
    return Section("review/_outdated.html", OutdatedNote(benchmark, len(cards))) if cards else None


add_specification_section(position=10, make=specification_section)
add_section(place=Place.BENCHMARK, position=5, make=outdated_section)
add_section(place=Place.QUESTION, position=5, make=outdated_by_key_section)
