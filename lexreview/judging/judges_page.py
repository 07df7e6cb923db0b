"""The judges and panels of a benchmark: what they have judged, what it cost, how far a judge agrees with itself."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Count, Exists, OuterRef, Q, Sum
from django.utils.functional import Promise

from lexreview.answers.models import Answer
from lexreview.core.methods.criteria.panel import PanelState
from lexreview.core.methods.criteria.self_agreement import RepeatedRow, SelfAgreement, self_agreement
from lexreview.judging.assisting import also_assisted, assisting_models
from lexreview.judging.models import HALLUCINATED, STRATEGY_LABELS, Judge, Panel, PanelResult, Verdict
from lexreview.judging.prompts import versions
from lexreview.providers.models import Call, Role
from lexreview.providers.money import money
from lexreview.questions.models import Benchmark

SEED = 20261002
RESAMPLES = 500


@dataclass(frozen=True, slots=True)
class JudgeLine:
    """`judged` answers have a valid verdict, `failed` ones only failed votes. `cost` is "n/a" where nothing is known.

    `repeated` is None where no question was put twice. `can_be_asked`: the instructions are registered here.
    `assisted`: its model also worked on what it is compared with.
    """

    judge: Judge
    judged: int
    failed: int
    cost: str
    repeated: SelfAgreement | None
    can_be_asked: bool
    assisted: bool


@dataclass(frozen=True, slots=True)
class PanelLine:
    """How many items of answers the panel resolved, could not resolve, and has not finished."""

    panel: Panel
    strategy: str | Promise
    resolved: int
    unresolved: int
    open: int


class JudgesPage:
    """Everything in a fixed number of queries."""

    def __init__(self, benchmark: Benchmark) -> None:
        self.benchmark = benchmark

    @cached_property
    def answers(self) -> int:
        """How many answers are scored."""
        return Answer.objects.of_benchmark(self.benchmark).scored().count()

    @cached_property
    def judges(self) -> list[JudgeLine]:
        judges = list(Judge.objects.of_benchmark(self.benchmark).in_order())
        counts, costs, repeated = self._counts(), self._costs(judges), self._repeated()
        known, assisting = set(versions()), assisting_models(self.benchmark.slug)
        return [
            JudgeLine(
                judge=judge,
                judged=counts.get(judge.pk, (0, 0))[0],
                failed=counts.get(judge.pk, (0, 0))[1],
                cost=costs[judge.pk],
                repeated=repeated.get(judge.pk),
                can_be_asked=judge.instructions_version in known,
                assisted=also_assisted(judge, assisting),
            )
            for judge in judges
        ]

    @property
    def can_ask(self) -> bool:
        return any(line.can_be_asked for line in self.judges)

    @cached_property
    def panels(self) -> list[PanelLine]:
        rows = PanelResult.objects.filter(panel__benchmark=self.benchmark).values_list("panel_id", "state")
        counts: dict[int, dict[str, int]] = {}
        for panel, state, count in rows.annotate(n=Count("pk")).order_by():
            counts.setdefault(panel, {})[state] = count
        panels = Panel.objects.of_benchmark(self.benchmark).with_judges().in_order()
        return [_panel_line(panel, counts.get(panel.pk, {})) for panel in panels]

    def _counts(self) -> dict[int, tuple[int, int]]:
        """By judge: answers with a valid verdict, answers with failed votes alone."""
        first = Verdict.objects.of_benchmark(self.benchmark).filter(repeat=1).values_list("judge_id")
        valid = Q(hallucinated__isnull=False)
        rows = first.annotate(
            judged=Count("answer", filter=valid, distinct=True), asked=Count("answer", distinct=True)
        ).order_by()
        return {judge: (judged, asked - judged) for judge, judged, asked in rows}

    def _costs(self, judges: Iterable[Judge]) -> dict[int, str]:
        """What all calls of each judge cost, those of failed votes too; one query."""
        listed = list(judges)
        calls = Call.objects.filter(benchmark_slug=self.benchmark.slug, role=Role.JUDGE)
        wanted: dict[str, Sum | Count] = {}
        for judge in listed:
            own = Q(item_key__startswith=f"{judge.code}/")
            wanted[f"usd_{judge.pk}"] = Sum("cost_usd", filter=own)
            wanted[f"unsure_{judge.pk}"] = Count("pk", filter=own & (Q(cost_is_lower_bound=True) | Q(cost_usd=None)))
        sums = calls.aggregate(**wanted) if wanted else {}
        return {judge.pk: money(sums[f"usd_{judge.pk}"], lower=bool(sums[f"unsure_{judge.pk}"])) for judge in listed}

    def _repeated(self) -> dict[int, SelfAgreement]:
        """By judge, over answers that were judged more than once in the same words under the same rules."""
        same = {
            name: OuterRef(name)
            for name in ("judge", "answer", "specification_version", "key_version", "prompt_version")
        }
        again = Exists(Verdict.objects.filter(repeat__gt=1, **same))
        rows = Verdict.objects.of_benchmark(self.benchmark).filter(again).select_related("answer__question")
        newest: dict[tuple[int, int, str, int | None, str], dict[int, Verdict]] = {}
        for row in rows.defer("answer__text", "answer__trace").order_by("judged_at", "attempt", "pk"):
            place = (row.judge_id, row.answer_id, row.specification_version, row.key_version_id, row.prompt_version)
            newest.setdefault(place, {})[row.repeat] = row
        by_judge: dict[int, list[RepeatedRow]] = {}
        for (judge, *_same), repeats in newest.items():
            in_order = [repeats[repeat] for repeat in sorted(repeats)]
            votes = tuple(each.value_on(HALLUCINATED) for each in in_order)
            answer = in_order[0].answer
            by_judge.setdefault(judge, []).append(RepeatedRow(answer.question.code, answer.identifier, votes))
        return {judge: self_agreement(rows, seed=SEED, resamples=RESAMPLES) for judge, rows in by_judge.items()}


def _panel_line(panel: Panel, counts: dict[str, int]) -> PanelLine:
    resolved, unresolved = counts.get(PanelState.RESOLVED, 0), counts.get(PanelState.UNRESOLVED, 0)
    return PanelLine(
        panel=panel,
        strategy=dict(STRATEGY_LABELS.items())[panel.strategy],  # type: ignore[index]
        resolved=resolved,
        unresolved=unresolved,
        open=sum(counts.values()) - resolved - unresolved,
    )
