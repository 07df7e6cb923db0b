"""What this room adds to the page of a benchmark: its judges and panels, for those whom no verdict can sway."""

from dataclasses import dataclass

from lexreview.accounts.models import User
from lexreview.judging.models import Judge, Panel, Verdict
from lexreview.judging.rules import can_see_verdicts
from lexreview.questions.models import Benchmark
from lexreview.questions.rules import can_operate
from lexreview.questions.sections import Place, Section, add_section


@dataclass(frozen=True, slots=True)
class JudgesSection:
    benchmark: Benchmark
    judges: int
    panels: int
    verdicts: int
    may_ask: bool


def judges_section(benchmark: Benchmark, user: User) -> Section | None:
    """Three queries; None for everybody but leads and operators."""
    if not can_see_verdicts(user, benchmark.slug):
        return None
    counts = JudgesSection(
        benchmark=benchmark,
        judges=Judge.objects.of_benchmark(benchmark).count(),
        panels=Panel.objects.of_benchmark(benchmark).count(),
        verdicts=Verdict.objects.of_benchmark(benchmark).valid().count(),
        may_ask=can_operate(user, benchmark.slug),
    )
    return Section("judging/_judges_of_benchmark.html", counts)


add_section(place=Place.BENCHMARK, position=15, make=judges_section)
