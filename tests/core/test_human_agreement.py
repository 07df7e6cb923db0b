"""Agreement of two people against figures worked out by hand."""

from fractions import Fraction

import pytest

from lexreview.core.methods.reference_card.human_agreement import Measure, PairRow, human_agreement

# Both say yes 20 times, only the first 5 times, only the second 10 times, neither 15 times (Cohen's textbook table):
# agreement (20 + 15) / 50 = 0.70; by chance 0.5 * 0.6 + 0.5 * 0.4 = 0.50; kappa (0.70 - 0.50) / (1 - 0.50) = 0.40.
TABLE = [("yes", "yes")] * 20 + [("yes", "no")] * 5 + [("no", "yes")] * 10 + [("no", "no")] * 15


def rows(pairs: list[tuple[str, str]], *, questions: int = 5) -> list[PairRow]:
    return [
        PairRow(f"P{number % questions:02}", f"answer {number:03}", "prefilled", {"label": first}, {"label": second})
        for number, (first, second) in enumerate(pairs)
    ]


def test_c3_kappa_of_a_two_by_two_table_worked_by_hand() -> None:
    [figure] = human_agreement(rows(TABLE, questions=7), measures=[Measure("label", "yes")], seed=1, resamples=200)

    assert figure.kappa.value == pytest.approx(0.40)
    assert figure.kappa.expected == pytest.approx(0.50)
    assert (figure.agreement.successes, figure.agreement.n) == (35, 50)
    assert figure.table is not None
    assert (figure.table.tp, figure.table.fp, figure.table.fn, figure.table.tn) == (20, 5, 10, 15)
    # 25 + 30 of the 100 words of both are yes.
    assert (figure.commonest, figure.base_rate) == ("yes", Fraction(55, 100))
    interval = figure.kappa_over_questions.interval
    assert interval is not None
    assert interval.low < 0.40 < interval.high


def test_kappa_of_three_values_worked_by_hand() -> None:
    # 2/2 three times, 1/1 twice, 0/0 once, 2/1 and 1/0 twice: agreement 6/10. First says 2 five times, 1 four, 0 one;
    # second 2 three, 1 four, 0 three: by chance (15 + 16 + 3) / 100 = 0.34; kappa (0.6 - 0.34) / 0.66 = 0.3939.
    pairs = [("2", "2")] * 3 + [("1", "1")] * 2 + [("0", "0")] + [("2", "1")] * 2 + [("1", "0")] * 2

    [figure] = human_agreement(rows(pairs), measures=[Measure("label")], seed=1, resamples=50)

    assert figure.kappa.value == pytest.approx(0.26 / 0.66)
    assert figure.table is None


def test_the_order_of_rows_changes_nothing() -> None:
    one, other = (
        human_agreement(listed, measures=[Measure("label")], seed=7, resamples=100)
        for listed in (rows(TABLE), rows(TABLE)[::-1])
    )

    assert one == other


def test_answers_that_lack_the_value_are_left_out_and_nothing_is_made_up() -> None:
    half = PairRow("P01", "x", "blind", {"A3": "1"}, {})

    [figure] = human_agreement([half], measures=[Measure("A3")], seed=1)

    assert (figure.n, figure.kappa.value, figure.agreement.share, figure.base_rate) == (0, None, None, None)
    assert figure.kappa.reason


def test_one_and_the_same_value_throughout_is_undefined() -> None:
    [figure] = human_agreement(rows([("1", "1")] * 8), measures=[Measure("label")], seed=1, resamples=20)

    assert figure.kappa.value is None
    assert figure.base_rate == 1
