from hypothesis import given, settings
from hypothesis import strategies as st

from lexreview.core.side_by_side import Op, Run, side_by_side

WORDS = st.lists(st.sampled_from(["fee", "is", "due", "within", "seven", "fourteen", "days", "\n"]), max_size=14)


def same(text: str) -> Run:
    return Run(Op.SAME, text)


def changed(text: str) -> Run:
    return Run(Op.CHANGED, text)


def test_each_side_shows_its_own_words() -> None:
    sides = side_by_side("The fee is due within fourteen days.", "The fee is due within seven days.")

    assert sides.left == (same("The fee is due within"), changed("fourteen"), same("days."))
    assert sides.right == (same("The fee is due within"), changed("seven"), same("days."))
    assert not sides.same


def test_equal_texts_are_one_run_and_empty_ones_none() -> None:
    assert side_by_side("Repealed.", "Repealed.").left == (same("Repealed."),)
    assert side_by_side("Repealed.", "Repealed.").same
    assert side_by_side("", "").left == ()
    assert side_by_side("", "New.") == ((), (changed("New."),))
    assert side_by_side("Old.", "") == ((changed("Old."),), ())


def test_a_capital_is_a_difference_and_a_hard_space_or_soft_hyphen_is_none() -> None:
    assert not side_by_side("The fee is due now", "the fee is due now").same
    assert side_by_side("§\u00a01 applies", "§ 1 ap\u00adplies").same


def test_lines_stay_lines() -> None:
    sides = side_by_side("§ 1. One.\n§ 2. Two.", "§ 1. One.\n§ 2. Three.")

    assert sides.left == (same("§ 1. One.\n§ 2."), changed("Two."))
    assert sides.right == (same("§ 1. One.\n§ 2."), changed("Three."))


def test_texts_with_little_in_common_are_shown_whole() -> None:
    left = "The e-mail is enough; nothing else is asked for."
    right = "It depends on whether the parties wanted the contract to be void."

    assert side_by_side(left, right) == ((changed(left),), (changed(right),))


def test_word_that_recurs_inside_a_rewritten_stretch_joins_the_change() -> None:
    # "the" stands in both rewritten stretches; alone it would be a common word inside two foreign sentences.
    left = "A party to a lease pays alpha beta gamma the delta epsilon zeta at the end of each month."
    right = "A party to a lease pays one two three the four five six at the end of each month."

    sides = side_by_side(left, right)

    assert sides.left[1] == changed("alpha beta gamma the delta epsilon zeta")
    assert sides.right[1] == changed("one two three the four five six")


def test_long_texts_are_not_aligned() -> None:
    long = " ".join(f"word{number}" for number in range(4_000))

    assert side_by_side(long, long + " more") == ((changed(long),), (changed(long + " more"),))
    assert side_by_side(long, long).same


@settings(deadline=None)
@given(WORDS, WORDS)
def test_runs_hold_every_word_of_their_side_in_order(left: list[str], right: list[str]) -> None:
    sides = side_by_side(" ".join(left), " ".join(right))

    assert [word for run in sides.left for word in run.text.split()] == " ".join(left).split()
    assert [word for run in sides.right for word in run.text.split()] == " ".join(right).split()
    assert sides.same == (left == right)


@settings(deadline=None)
@given(WORDS, WORDS)
def test_unchanged_runs_are_the_same_words_on_both_sides(left: list[str], right: list[str]) -> None:
    sides = side_by_side(" ".join(left), " ".join(right))

    assert [run.text.split() for run in sides.left if run.op is Op.SAME] == [
        run.text.split() for run in sides.right if run.op is Op.SAME
    ]
