"""The headline table: correctly grounded answers per system and condition, with what stands beside."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from lexreview.core.methods.reference_card.card_rows import (
    CardRow,
    Count,
    Group,
    Mean,
    by_group,
    check_one_row_each,
    mean_of,
    scored,
)
from lexreview.core.methods.reference_card.label import Label
from lexreview.core.methods.reference_card.versions import DatedRules, check_same_rules
from lexreview.core.stats.bootstrap import Bootstrap, bootstrap_over_clusters
from lexreview.core.stats.intervals import Proportion, proportion


@dataclass(frozen=True, slots=True)
class CostPerGrounded:
    """USD per correctly grounded answer, with the cost of the run and the answers it rests on.

    `run_cost` sums the `priced.n` of `priced.of` answers whose cost is known; it is a lower bound
    when one is unknown or known only in part. `value` is None without a grounded answer or without
    any cost, and `reason` says which; a page shows "n/a" then.
    """

    run_cost: Decimal | None
    priced: Count
    grounded: int
    value: Decimal | None
    is_lower_bound: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class HeadlineCell:
    """The figures of one group of answers.

    `answers` is the denominator: all scored answers, with empty and blocked ones. `grounded` and
    `hallucinated` carry Wilson intervals over answers, `grounded_over_questions` the bootstrap over
    questions, which is the one to trust when a question has several answers. `separate` has the mean
    of each criterion of block B by code. `runs` counts the repetitions found.
    """

    group: Group
    answers: int
    questions: int
    runs: int
    labels: Mapping[Label, int]
    grounded: Proportion
    grounded_over_questions: Bootstrap
    hallucinated: Proportion
    a_percent: Mean
    separate: Mapping[str, Mean]
    citations_checked: Count
    cost: CostPerGrounded


@dataclass(frozen=True, slots=True)
class Headline:
    """`cells` holds every system in every condition, then each system, each condition and the total.

    `specification` is the newest version among the cards, None without cards; `failed` counts
    answers that were not collected and are in no figure.
    """

    cells: Mapping[Group, HeadlineCell]
    specification: str | None
    failed: int

    @property
    def total(self) -> HeadlineCell:
        return self.cells[Group(None, None)]


def headline(rows: Iterable[CardRow], *, chain: Sequence[DatedRules], seed: int, resamples: int = 2000) -> Headline:
    """The headline of a set of approved cards, one row per answer.

    `chain` are the versions of the scoring specification. Raises `MixedSpecifications` when the
    rules changed between two rows' versions, `ValueError` when an answer has two rows.
    """
    listed = list(rows)
    check_one_row_each(listed)
    counted = scored(listed)
    newest = check_same_rules({row.answer: row.specification for row in counted}, chain=chain)
    cells = {
        group: _cell(group, members, seed=seed, resamples=resamples) for group, members in by_group(counted).items()
    }
    return Headline(cells, newest, len(listed) - len(counted))


def _cell(group: Group, rows: Sequence[CardRow], *, seed: int, resamples: int) -> HeadlineCell:
    labels = Counter(row.label for row in rows)
    return HeadlineCell(
        group=group,
        answers=len(rows),
        questions=len({row.question for row in rows}),
        runs=len({row.repetition for row in rows}),
        labels={label: labels[label] for label in Label},
        grounded=proportion(labels[Label.CORRECTLY_GROUNDED], len(rows)),
        grounded_over_questions=_grounded_over_questions(rows, seed=seed, resamples=resamples),
        hallucinated=proportion(labels[Label.HALLUCINATED], len(rows)),
        a_percent=mean_of(None if row.a is None else row.a.value for row in rows),
        separate=_separate(rows),
        citations_checked=Count(sum(row.citations_checked for row in rows), sum(row.citations_total for row in rows)),
        cost=cost_per_grounded(rows),
    )


def _grounded_over_questions(rows: Sequence[CardRow], *, seed: int, resamples: int) -> Bootstrap:
    outcomes = [(row.question, row.label is Label.CORRECTLY_GROUNDED) for row in rows]
    return bootstrap_over_clusters(
        outcomes,
        lambda drawn: sum(grounded for _, grounded in drawn) / len(drawn) if drawn else None,
        cluster_key=lambda outcome: outcome[0],
        seed=seed,
        resamples=resamples,
    )


def _separate(rows: Sequence[CardRow]) -> Mapping[str, Mean]:
    """A criterion's denominator is the answers to which it applies."""
    points: dict[str, list[Fraction | None]] = {}
    for row in rows:
        for score in row.separate:
            points.setdefault(score.criterion, []).append(None if score.points is None else Fraction(score.points))
    return {criterion: mean_of(points[criterion]) for criterion in sorted(points)}


def cost_per_grounded(rows: Sequence[CardRow]) -> CostPerGrounded:
    """Cost of the answers divided by how many of them are correctly grounded; see `CostPerGrounded`."""
    costs = [row.cost for row in rows if row.cost is not None]
    grounded = sum(row.label is Label.CORRECTLY_GROUNDED for row in rows)
    priced = Count(len(costs), len(rows))
    lower_bound = len(costs) < len(rows) or any(row.cost_is_lower_bound for row in rows)
    if not costs:
        return CostPerGrounded(None, priced, grounded, None, lower_bound, "the cost is not known")
    total = sum(costs, Decimal(0))
    if grounded == 0:
        return CostPerGrounded(total, priced, grounded, None, lower_bound, "no correctly grounded answer")
    return CostPerGrounded(total, priced, grounded, total / grounded, lower_bound)
