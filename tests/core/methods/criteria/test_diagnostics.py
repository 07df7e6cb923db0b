from fractions import Fraction

import pytest

from lexreview.core.methods.criteria.diagnostics import PanelRow, combination_of, panel_diagnostics
from lexreview.core.methods.criteria.panel import Consensus, Seat, Strategy
from tests.core.methods.criteria.test_panel import votes

A, B, C = Seat


def rows(*signs: str) -> list[PanelRow]:
    """Two items per question."""
    return [
        PanelRow(question=f"P{number // 2}", answer=f"P{number // 2}_x", item=f"C-{number}", votes=votes(each))
        for number, each in enumerate(signs)
    ]


EIGHT = rows("PP-", "PP-", "FF-", "PFP", "FPE", "PEP", "EPF", "EE-")


def test_rates_are_shares_of_what_was_decided() -> None:
    made = panel_diagnostics(EIGHT, Strategy.ADAPTIVE, seed=1, resamples=50)

    assert (made.evaluated, made.open) == (8, 0)
    counts = {consensus: rate.successes for consensus, rate in made.consensus_rates.items() if rate.successes}
    # PP, PP, FF agree; PFP is a tie broken; PEP recovers; FPE, EPF and EE stay open.
    assert counts == {
        Consensus.INITIAL_AGREEMENT: 3, Consensus.TIE_BREAKER: 1, Consensus.RECOVERY_AGREEMENT: 1,
        Consensus.UNRESOLVED: 3,
    }  # fmt: skip
    assert made.unresolved_rate.share == Fraction(3, 8)
    assert sum(rate.successes for rate in made.consensus_rates.values()) == 8


def test_calls_are_two_for_each_item_and_one_for_each_third_vote() -> None:
    made = panel_diagnostics(EIGHT, Strategy.ADAPTIVE, seed=1, resamples=50)

    assert made.third_evaluated == 4
    assert made.calls == {A: 8, B: 8, C: 4}
    assert sum(made.calls.values()) == 2 * 8 + 4
    assert made.failed == {A: 2, B: 2, C: 1}


def test_rates_of_a_judge_are_over_its_valid_votes() -> None:
    made = panel_diagnostics(EIGHT, Strategy.ADAPTIVE, seed=1, resamples=50)

    # A: P P F P F P E E, so four of six valid votes pass; C: P E P F, two of three.
    assert (made.value_rates[A]["pass"].successes, made.value_rates[A]["pass"].n) == (4, 6)
    assert (made.value_rates[C]["pass"].successes, made.value_rates[C]["pass"].n) == (2, 3)


def test_combinations_of_votes_are_counted() -> None:
    made = panel_diagnostics(EIGHT, Strategy.ADAPTIVE, seed=1, resamples=50)

    assert combination_of(votes("PEF")) == "A:pass|B:error|C:fail"
    assert made.matrix["A:pass|B:pass|C:not_called"] == 2
    assert made.matrix["A:error|B:error|C:not_called"] == 1
    assert sum(made.matrix.values()) == 8


def test_kappa_of_the_first_two_is_over_pairs_of_valid_votes() -> None:
    made = panel_diagnostics(EIGHT, Strategy.ADAPTIVE, seed=1, resamples=50)

    # Five pairs: PP PP FF PF FP. Equal: 3/5. By chance: A and B pass 3/5 each: 9/25 + 4/25 = 13/25.
    # kappa = (3/5 - 13/25) / (1 - 13/25) = (2/25) / (12/25) = 1/6.
    assert made.kappa_ab.n == 5
    assert made.kappa_ab.value == pytest.approx(1 / 6)
    assert made.kappa_ab_over_questions.estimate == pytest.approx(1 / 6)
    assert made.kappa_ab_over_questions.clusters == 3


def test_items_whose_votes_are_not_complete_are_in_no_figure() -> None:
    made = panel_diagnostics(rows("PP-", "P--", "PF-"), Strategy.ADAPTIVE, seed=1, resamples=50)

    assert (made.evaluated, made.open) == (1, 2)
    assert made.calls == {A: 1, B: 1, C: 0}
    assert made.kappa_ab.value is None
    assert made.kappa_ab.reason


def test_nothing_is_undefined_without_saying_so() -> None:
    made = panel_diagnostics([], Strategy.ADAPTIVE, seed=1, resamples=50)

    assert made.evaluated == 0
    assert made.unresolved_rate.share is None
    assert (made.kappa_ab.n, made.kappa_ab.value) == (0, None)
    assert made.kappa_ab_over_questions.interval is None
    assert made.matrix == {}


def test_one_judge_alone_has_no_kappa() -> None:
    made = panel_diagnostics(rows("P--", "E--"), Strategy.SINGLE, seed=1, resamples=50)

    assert made.consensus_rates[Consensus.SINGLE].successes == 1
    assert made.kappa_ab.n == 0
