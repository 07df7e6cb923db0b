from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest

from lexreview.core.methods.reference_card.card_rows import Count, Group, Mean
from lexreview.core.methods.reference_card.headline import cost_per_grounded, headline
from lexreview.core.methods.reference_card.label import Label
from lexreview.core.methods.reference_card.versions import MixedSpecifications, UnknownVersion
from lexreview.core.stats.intervals import wilson_interval
from lexreview.core.workflow import AnswerState
from tests.core.methods.reference_card.records import CHAIN
from tests.core.methods.reference_card.rows import (
    BLOCKED,
    CLEAN,
    GROUNDED,
    HALLUCINATED,
    NO_LABEL,
    a,
    b,
    published_study,
    row,
)


def figures(rows, **options):
    return headline(rows, chain=CHAIN, **{"seed": 1, "resamples": 200, **options})


def test_published_totals():
    found = figures(published_study())
    without_tools, with_tools = found.cells[Group(None, "W0")], found.cells[Group(None, "W1")]

    assert (without_tools.grounded.successes, without_tools.grounded.n) == (19, 80)
    assert (with_tools.grounded.successes, with_tools.grounded.n) == (27, 80)
    assert (without_tools.hallucinated.successes, with_tools.hallucinated.successes) == (51, 40)
    assert with_tools.labels[Label.PROVIDER_BLOCK] == 1
    assert found.total.answers == 160
    assert found.total.hallucinated.successes == 91
    assert found.total.citations_checked == Count(1436, 1454)
    assert without_tools.grounded.wilson == wilson_interval(19, 80)
    assert {cell.answers for group, cell in found.cells.items() if None not in group} == {10}
    assert len(found.cells) == 8 * 2 + 8 + 2 + 1


def test_the_blocked_and_the_empty_answer_stay_in_the_denominator():
    rows = [
        row("P01", label=GROUNDED),
        row("P02", label=BLOCKED, state=AnswerState.PROVIDER_BLOCK, a=None),
        row("P03", label=NO_LABEL, state=AnswerState.EMPTY, a=a(0, 2)),
        row("P04", label=HALLUCINATED),
    ]

    cell = figures(rows).total

    assert (cell.grounded.successes, cell.grounded.n, cell.grounded.share) == (1, 4, Fraction(1, 4))
    assert cell.labels == {HALLUCINATED: 1, GROUNDED: 1, CLEAN: 0, BLOCKED: 1, NO_LABEL: 1}
    # (1/2 + 0 + 1/2) / 3 over the three answers that were scored
    assert cell.a_percent == Mean(Fraction(1, 3), 3, 4)


def test_a_failed_answer_is_counted_and_enters_no_figure():
    found = figures([row("P01", label=GROUNDED), row("P02", state=AnswerState.FAILED, label=NO_LABEL, a=None)])

    assert found.failed == 1
    assert (found.total.answers, found.total.grounded.share) == (1, 1)


def test_block_b_has_a_mean_per_criterion_over_the_answers_it_was_decided_for():
    rows = [row("P01", separate=b(2, 1)), row("P02", separate=b(1, None)), row("P03", separate=b(2, 0)), row("P04")]

    found = figures(rows).total.separate

    # B1 (2 + 1 + 2) / 3, B2 (1 + 0) / 2; P04 has neither criterion
    assert found == {"B1": Mean(Fraction(5, 3), 3, 3), "B2": Mean(Fraction(1, 2), 2, 3)}


def test_the_bootstrap_draws_questions_with_all_their_runs():
    # Three runs each: P01 always grounded, P02 never. 6 answers of 2 questions, so a resample has share
    # 0, 1/2 or 1 and the interval is [0, 1], while Wilson takes the 6 answers for independent.
    rows = [row("P01", repetition=run, label=GROUNDED) for run in (1, 2, 3)]
    rows += [row("P02", repetition=run) for run in (1, 2, 3)]

    cell = figures(rows).total

    assert (cell.runs, cell.questions, cell.answers) == (3, 2, 6)
    assert cell.grounded_over_questions.estimate == 0.5
    assert (cell.grounded_over_questions.interval.low, cell.grounded_over_questions.interval.high) == (0, 1)
    assert cell.grounded.wilson == wilson_interval(3, 6)


def test_one_seed_gives_one_result_whatever_the_order_of_rows():
    rows = published_study()

    assert figures(rows) == figures(rows[::-1])
    first, second = (figures(rows, seed=seed).total.grounded_over_questions.interval for seed in (1, 2))
    assert first != second


def test_cells_come_in_order_each_system_each_condition_then_the_total():
    rows = [row(system=system, condition=condition) for system in ("neon", "argon") for condition in ("W1", "W0")]

    assert list(figures(rows).cells) == [
        Group("argon", "W0"),
        Group("argon", "W1"),
        Group("neon", "W0"),
        Group("neon", "W1"),
        Group("argon", None),
        Group("neon", None),
        Group(None, "W0"),
        Group(None, "W1"),
        Group(None, None),
    ]


def test_no_cards_give_no_share_but_a_table():
    found = figures([])

    assert found.specification is None
    assert list(found.cells) == [Group(None, None)]
    assert (found.total.grounded.n, found.total.grounded.share, found.total.grounded.wilson) == (0, None, None)
    assert found.total.a_percent == Mean(None, 0, 0)


def test_cards_of_different_rules_are_refused_by_name():
    rows = [row("P01"), row("P02", specification="1.0"), row("P03", specification="1.0.2")]

    with pytest.raises(MixedSpecifications, match="To be scored again: P02_argon_W0_r1") as mixed:
        figures(rows)

    assert list(mixed.value.groups) == ["1.0", "1.0.1", "1.0.2"]
    assert figures([rows[0], rows[2]]).specification == "1.0.2"
    with pytest.raises(UnknownVersion):
        figures([row(specification="9.9")])


def test_two_cards_of_one_answer_are_refused():
    with pytest.raises(ValueError, match="P01_argon_W0_r1 has more than one card"):
        figures([row(), row(label=GROUNDED)])


def test_hand_worked_cost_per_grounded_answer():
    # 4 answers at 0.10 + 0.20 + 0.25 + 0.05 = 0.60; 2 grounded: 0.30
    costs = ["0.10", "0.20", "0.25", "0.05"]
    rows = [row(f"P0{n}", label=GROUNDED if n < 2 else CLEAN, cost=Decimal(cost)) for n, cost in enumerate(costs)]

    found = cost_per_grounded(rows)

    assert (found.run_cost, found.priced, found.grounded) == (Decimal("0.60"), Count(4, 4), 2)
    assert (found.value, found.is_lower_bound, found.reason) == (Decimal("0.30"), False, "")


@pytest.mark.parametrize("second", [{"cost": None}, {"cost": Decimal("0.10"), "cost_is_lower_bound": True}])
def test_an_unknown_part_makes_the_cost_a_lower_bound(second):
    found = cost_per_grounded([row("P01", label=GROUNDED), replace(row("P02"), **second)])

    assert found.is_lower_bound
    assert found.value == sum(cost for cost in [Decimal("0.10"), second["cost"]] if cost)
    assert found.priced == Count(2 if second["cost"] else 1, 2)


def test_no_grounded_answer_or_no_known_cost_gives_no_value():
    no_success, no_cost = cost_per_grounded([row()]), cost_per_grounded([row(label=GROUNDED, cost=None)])

    assert (no_success.run_cost, no_success.value, no_success.reason) == (
        Decimal("0.10"),
        None,
        "no correctly grounded answer",
    )
    assert (no_cost.run_cost, no_cost.value, no_cost.reason) == (None, None, "the cost is not known")
    assert no_cost.is_lower_bound
