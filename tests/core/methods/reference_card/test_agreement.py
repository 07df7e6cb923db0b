from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexreview.core.methods.reference_card.agreement import LeftOut, VerdictRow, judge_agreement
from lexreview.core.methods.reference_card.versions import MixedSpecifications
from lexreview.core.stats.kappa import BinaryTable
from tests.core.methods.reference_card.records import CHAIN


def verdict(question, said, card, *, system="argon", judge="lynx", question_set="pilot", **changes):
    values = {
        "judge": judge,
        "answer": f"{question}_{system}_W0_r1",
        "question": question,
        "question_set": question_set,
        "verdict": said,
        "card": card,
        "same_family": False,
        "own_answer": False,
        "verdict_specification": "1.0.1",
        "card_specification": "1.0.1",
    }
    return VerdictRow(**(values | changes))


def agreement(rows, *, judge="lynx", question_set=None, left_out=LeftOut.NOTHING):
    found = judge_agreement(rows, chain=CHAIN, seed=1, resamples=200)
    (one,) = [
        each for each in found if (each.judge, each.question_set, each.left_out) == (judge, question_set, left_out)
    ]
    return one


# Eight answers: 3 both yes, 1 judge alone, 2 card alone, 2 both no.
EIGHT = [(True, True)] * 3 + [(True, False)] + [(False, True)] * 2 + [(False, False)] * 2


def test_hand_worked_agreement():
    # agreement 5/8; judge yes 4/8, card yes 5/8: expected 4/8 * 5/8 + 4/8 * 3/8 = 32/64 = 1/2
    # kappa = (5/8 - 1/2) / (1/2) = 1/4; always "yes" would agree in 5 of 8
    rows = [verdict(f"P{number:02}", said, card) for number, (said, card) in enumerate(EIGHT)]

    found = agreement(rows)

    assert (found.n, found.questions) == (8, 8)
    assert found.table == BinaryTable(tp=3, fp=1, fn=2, tn=2)
    assert (found.false_alarms, found.misses) == (1, 2)
    assert found.agreement.share == found.constant_guess == Fraction(5, 8)
    assert found.kappa.value == pytest.approx(0.25)
    assert found.kappa_over_questions.estimate == found.kappa.value
    assert found.kappa_over_questions.interval.low < 0.25 < found.kappa_over_questions.interval.high


def test_failed_votes_and_answers_without_card_are_counted_and_left_out():
    rows = [verdict(f"P{number:02}", said, card) for number, (said, card) in enumerate(EIGHT)]
    rows += [verdict("P20", None, True), verdict("P21", True, None), verdict("P22", None, None)]

    found = agreement(rows)

    assert (found.n, found.failed_votes, found.without_card) == (8, 2, 2)
    assert found.table == agreement(rows[:8]).table


def test_each_set_and_all_sets_with_and_without_kin():
    rows = [
        verdict("P01", True, True, question_set="pilot"),
        verdict("P02", True, False, question_set="extension", same_family=True),
        verdict("P03", False, False, question_set="extension", own_answer=True, same_family=True),
        verdict("P04", False, True, question_set="extension"),
        verdict("P01", True, True, judge="wolf"),
    ]

    found = judge_agreement(rows, chain=CHAIN, seed=1, resamples=50)

    assert [(each.judge, each.left_out.value, each.question_set, each.n) for each in found] == [
        ("lynx", "nothing", "extension", 3),
        ("lynx", "nothing", "pilot", 1),
        ("lynx", "nothing", None, 4),
        ("lynx", "same_family", "extension", 1),
        ("lynx", "same_family", "pilot", 1),
        ("lynx", "same_family", None, 2),
        ("wolf", "nothing", "pilot", 1),
        ("wolf", "nothing", None, 1),
        ("wolf", "same_family", "pilot", 1),
        ("wolf", "same_family", None, 1),
    ]
    assert agreement(rows, left_out=LeftOut.SAME_FAMILY).table == BinaryTable(tp=1, fp=0, fn=1, tn=0)


def test_an_own_answer_is_left_out_even_when_no_family_is_known():
    rows = [verdict("P01", True, True, own_answer=True), verdict("P02", True, True)]

    assert agreement(rows, left_out=LeftOut.SAME_FAMILY).n == 1


def test_kappa_is_undefined_with_a_reason_when_both_say_the_same_throughout():
    found = agreement([verdict("P01", True, True), verdict("P02", True, True)])

    assert (found.kappa.value, found.kappa.agreement) == (None, 1)
    assert found.kappa.reason == "both gave the same verdict throughout"
    assert found.kappa_over_questions.reason == "undefined in every resample"
    assert found.kappa_over_questions.undefined == 200


def test_nothing_to_compare():
    found = agreement([verdict("P01", None, True)])

    assert (found.n, found.failed_votes, found.constant_guess) == (0, 1, None)
    assert (found.agreement.share, found.kappa.value, found.kappa_over_questions.interval) == (None, None, None)


def test_all_answers_of_a_drawn_question_come_along():
    # 20 systems each: full agreement on "yes" for P01, full disagreement on P02 (judge yes, card no).
    # Every resample of P01 alone has no variation (undefined), of P02 alone kappa 0, of both kappa 0.
    rows = [verdict("P01", True, True, system=f"s{number}") for number in range(20)]
    rows += [verdict("P02", True, False, system=f"s{number}") for number in range(20)]

    found = agreement(rows)

    assert (found.n, found.questions) == (40, 2)
    assert 0 < found.kappa_over_questions.undefined < 200
    assert (found.kappa_over_questions.interval.low, found.kappa_over_questions.interval.high) == (0, 0)


def test_a_verdict_under_other_rules_than_the_card_is_refused_by_name():
    rows = [verdict("P01", True, True, verdict_specification="1.0"), verdict("P02", True, True)]

    with pytest.raises(MixedSpecifications, match="To be scored again: verdict of lynx on P01_argon_W0_r1"):
        judge_agreement(rows, chain=CHAIN, seed=1)

    later = [verdict("P01", True, True, card_specification="1.0.2"), verdict("P02", True, True)]
    assert agreement(later).n == 2


def test_versions_of_what_is_not_compared_do_not_matter():
    rows = [verdict("P01", None, True, verdict_specification="1.0"), verdict("P02", True, True)]

    assert agreement(rows).n == 1


def test_two_verdicts_of_one_judge_on_an_answer_are_refused():
    with pytest.raises(ValueError, match="lynx has more than one verdict on P01_argon_W0_r1"):
        judge_agreement([verdict("P01", True, True), verdict("P01", False, True)], chain=CHAIN, seed=1)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.sampled_from([True, False, None]), st.sampled_from([True, False, None])), max_size=15))
def test_what_is_compared_and_left_out_is_everything(pairs):
    rows = [verdict(f"P{number:02}", said, card) for number, (said, card) in enumerate(pairs)]
    if not rows:
        return

    found = agreement(rows)

    assert found.n == sum(None not in pair for pair in pairs)
    assert found.failed_votes == sum(said is None for said, _ in pairs)
    assert found.without_card == sum(card is None for _, card in pairs)
    assert found.table.agreeing == sum(said == card is not None for said, card in pairs)
