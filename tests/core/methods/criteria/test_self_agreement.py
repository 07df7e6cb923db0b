import pytest

from lexreview.core.methods.criteria.self_agreement import RepeatedRow, self_agreement


def row(question: str, *votes: str | None) -> RepeatedRow:
    return RepeatedRow(question=question, answer=f"{question}_x", votes=votes)


def test_h7_self_agreement_is_the_share_of_answers_and_of_pairs_that_are_equal() -> None:
    made = self_agreement(
        [row("P1", "yes", "yes", "yes"), row("P2", "yes", "no", "yes"), row("P3", "no", "no")], seed=1, resamples=100
    )

    # Pairs: 3 of 3, 1 of 3, 1 of 1; the mean is (1 + 1/3 + 1) / 3 = 7/9.
    assert (made.same.successes, made.same.n) == (2, 3)
    assert made.pairs.estimate == pytest.approx(7 / 9)
    assert made.pairs.interval is not None


def test_h7_failed_votes_and_answers_asked_about_once_are_in_no_figure_but_counted() -> None:
    made = self_agreement([row("P1", "yes", None), row("P2", "no"), row("P3", "no", None, "no")], seed=1, resamples=20)

    assert (made.answers, made.single, made.failed_votes) == (1, 2, 2)
    assert (made.same.successes, made.same.n) == (1, 1)
    assert made.pairs.interval is None


def test_h7_without_a_repeated_answer_there_is_no_self_agreement() -> None:
    made = self_agreement([row("P1", "yes")], seed=1, resamples=20)

    assert (made.same.share, made.pairs.estimate) == (None, None)
