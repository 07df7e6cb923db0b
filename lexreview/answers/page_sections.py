"""What this room adds to the pages of a benchmark: systems, conditions and runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count
from django.utils.translation import npgettext_lazy

from lexreview.accounts.models import User
from lexreview.answers.masking import sees_every_system
from lexreview.answers.models import Answer, Condition, Run, System
from lexreview.questions.models import Benchmark
from lexreview.questions.rules import can_operate
from lexreview.questions.sections import Figure, Place, Section, add_figures, add_section


@dataclass(frozen=True, slots=True)
class ConditionRow:
    """A condition with its preamble in each language that it is put in."""

    condition: Condition
    preambles: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run with the titles of the sets that it was asked; none for the whole benchmark."""

    run: Run
    sets: list[str]


@dataclass(frozen=True, slots=True)
class MaterialSection:
    """How the answers of a benchmark were collected.

    `runs`: none while a system is masked for the person, as their dates, questions, empty and blocked answers tell
    which ones are its.
    """

    benchmark: Benchmark
    systems: list[System]
    conditions: list[ConditionRow]
    runs: list[RunRow]
    may_collect: bool


def collected_figures(benchmarks: Sequence[Benchmark], user: User) -> Mapping[int, Sequence[Figure]]:
    """Runs and scored answers of each benchmark, two queries."""
    all_runs = Run.objects.filter(benchmark__in=benchmarks).values_list("benchmark_id")
    scored = Answer.objects.scored().filter(question__benchmark__in=benchmarks).values_list("question__benchmark_id")
    runs = dict(all_runs.annotate(n=Count("pk")).order_by())
    answers = dict(scored.annotate(n=Count("pk")).order_by())
    return {
        each.pk: [
            Figure(label=npgettext_lazy("figure", "run", "runs", made), part=made),
            Figure(label=npgettext_lazy("figure", "answer", "answers", given), part=given),
        ]
        for each in benchmarks
        for made, given in [(runs.get(each.pk, 0), answers.get(each.pk, 0))]
    }


def material_section(benchmark: Benchmark, user: User) -> Section | None:
    """None while the benchmark has neither system nor condition."""
    systems = list(benchmark.systems.order_by("position", "pk"))
    conditions = list(benchmark.conditions.order_by("position", "pk"))
    if not systems and not conditions:
        return None
    rows = [ConditionRow(each, sorted(each.preambles.items())) for each in conditions]
    runs = _runs(benchmark) if sees_every_system(user, benchmark) else []
    return Section(
        "answers/_material.html", MaterialSection(benchmark, systems, rows, runs, can_operate(user, benchmark.slug))
    )


def _runs(benchmark: Benchmark) -> list[RunRow]:
    titles = benchmark.set_titles()
    return [
        RunRow(run, [titles[code] for code in run.sets])
        for run in Run.objects.of_benchmark(benchmark).with_list_data().in_order()
    ]


add_figures(position=10, make=collected_figures)
add_section(place=Place.BENCHMARK, position=10, make=material_section)
