"""What a study has cost so far: answers, verification, pre-filling and judges, by system, condition and role.

For members, live, and about everything that was paid for; the page of costs of a publication is frozen and about what
it shows. Cost enters no score.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from lexreview.answers.models import Answer
from lexreview.jobs.models import Job
from lexreview.providers.budgets import Spent, spent_by, spent_on
from lexreview.providers.models import Call, CallState, Price, Role
from lexreview.providers.money import money
from lexreview.providers.pricing import Cost
from lexreview.questions.models import Benchmark

# Calls whose answer is on record are counted with it.
KEPT = (CallState.ANSWERED, CallState.EMPTY, CallState.BLOCKED)
WITHOUT_ANSWER = _("calls that brought no answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class CostRow:
    """`what` is the system, or the model where a role has none; `calls` of which `priced` have a known cost."""

    role: str
    what: str | Promise
    condition: str
    calls: int
    priced: int
    tokens: int
    cost: Cost

    @property
    def usd(self) -> str:
        return money(self.cost.usd, lower=self.cost.is_lower_bound)

    @property
    def role_label(self) -> str:
        return str(Role(self.role).label)

    def cells(self) -> list[str]:
        """As the CSV has it; the amount without its mark, which has a column of its own."""
        amount = "" if self.cost.usd is None else format(self.cost.usd.normalize(), "f")
        lower = "yes" if self.cost.is_lower_bound else "no"
        counts = [str(number) for number in (self.calls, self.priced, self.tokens)]
        return [self.role, str(self.what), self.condition, *counts, amount, lower]


CSV_HEAD = ["role", "system_or_model", "condition", "calls", "priced", "tokens", "usd", "usd_is_lower_bound"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningJob:
    """A live job that calls models; `expected`: the whole job at the present cost per finished item."""

    job: Job
    spent: Spent
    expected: Decimal | None

    @property
    def spent_usd(self) -> str:
        return money(self.spent.usd, lower=self.spent.is_lower_bound)

    @property
    def expected_usd(self) -> str:
        return money(self.expected, lower=self.spent.is_lower_bound)


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyCosts:
    rows: list[CostRow]
    running: list[RunningJob]

    @property
    def total(self) -> Cost:
        return Cost.sum([row.cost for row in self.rows])

    @property
    def total_usd(self) -> str:
        return money(self.total.usd, lower=self.total.is_lower_bound)

    @property
    def by_role(self) -> list[tuple[str, str]]:
        """What each role cost, as words; roles that cost nothing yet are left out."""
        made = []
        for role in Role:
            costs = [row.cost for row in self.rows if row.role == role]
            if costs:
                cost = Cost.sum(costs)
                made.append((str(role.label), money(cost.usd, lower=cost.is_lower_bound)))
        return made


def priced_providers(slug: str) -> list[str]:
    """The providers that the benchmark called and whose prices are listed."""
    called = Call.objects.of_benchmark(slug).values("provider")
    listed = Price.objects.filter(provider__in=called).order_by("provider")
    return list(listed.values_list("provider", flat=True).distinct())


def study_costs(benchmark: Benchmark) -> StudyCosts:
    calls = list(Call.objects.of_benchmark(benchmark.slug).exclude(state=CallState.STARTED).order_by("pk"))
    rows = [*_answer_rows(benchmark), *_lost_rows(calls), *_other_rows(calls)]
    return StudyCosts(rows=rows, running=list(_running(benchmark)))


def _answer_rows(benchmark: Benchmark) -> Iterator[CostRow]:
    """Answers by system and condition, wherever they were made."""
    groups: dict[tuple[str, str], list[Answer]] = {}
    for answer in Answer.objects.of_benchmark(benchmark).scored().with_run().defer("text", "trace").in_order():
        groups.setdefault((answer.run.system.name, answer.run.condition.code), []).append(answer)
    for (system, condition), answers in sorted(groups.items()):
        costs = [Cost(answer.cost_usd, answer.cost_is_lower_bound) for answer in answers]
        yield CostRow(
            role=Role.ANSWER,
            what=system,
            condition=condition,
            calls=len(answers),
            priced=sum(cost.usd is not None for cost in costs),
            tokens=sum(answer.usage.get("input", 0) + answer.usage.get("output", 0) for answer in answers),
            cost=Cost.sum(costs),
        )


def _lost_rows(calls: Sequence[Call]) -> Iterator[CostRow]:
    lost = [call for call in calls if call.role == Role.ANSWER and call.state not in KEPT]
    if lost:
        yield _row_of(lost, what=WITHOUT_ANSWER)


def _other_rows(calls: Sequence[Call]) -> Iterator[CostRow]:
    groups: dict[tuple[str, str], list[Call]] = {}
    for call in calls:
        if call.role != Role.ANSWER:
            groups.setdefault((call.role, f"{call.provider} {call.model}"), []).append(call)
    for (_role, model), group in sorted(groups.items()):
        yield _row_of(group, what=model)


def _row_of(calls: Sequence[Call], *, what: str | Promise) -> CostRow:
    costs = [Cost(call.cost_usd, call.cost_is_lower_bound) for call in calls]
    return CostRow(
        role=calls[0].role,
        what=what,
        condition="",
        calls=len(calls),
        priced=sum(cost.usd is not None for cost in costs),
        tokens=spent_on(calls).tokens,
        cost=Cost.sum(costs),
    )


def _running(benchmark: Benchmark) -> Iterator[RunningJob]:
    for job in Job.objects.live().of_benchmark(benchmark.slug).newest_first():
        spent = spent_by(job)
        if spent.calls:
            expected = spent.usd / job.done * job.total if job.done and spent.usd else None
            yield RunningJob(job=job, spent=spent, expected=expected)
