from decimal import Decimal
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexreview.core.methods.reference_card.facts import QuestionType
from lexreview.core.methods.reference_card.scoring import (
    PointsRefused,
    a6_points,
    a_percent,
    applicable_criteria,
    check_points,
    maximum_of,
    separate_scores,
    shown_points,
)
from lexreview.core.workflow import AnswerState
from tests.core.methods.reference_card.records import (
    KEY,
    card,
    citation,
    finding,
    full_scores,
    key,
    score,
    specification,
)

SPECIFICATION = specification()


def codes(key_facts):
    return [criterion.code for criterion in applicable_criteria(SPECIFICATION, key_facts)]


def test_everything_applies_to_a_key_that_has_everything():
    assert codes(KEY) == ["A-R", "A1", "A2", "A3", "A4", "A5", "A6", "P", "B1", "B2"]


@pytest.mark.parametrize(
    ("rubric", "bases", "penalties", "trap", "disputed", "question_type"),
    list(product([0, 2], [0, 1], [0, 1], [False, True], [False, True], QuestionType)),
)
def test_what_the_key_lacks_does_not_apply(rubric, bases, penalties, trap, disputed, question_type):
    expected = {"A-R", "A6", "B1", "B2"}
    expected |= {"A1"} if rubric else set()
    expected |= {"A2"} if bases else set()
    expected |= {"A3"} if trap else set()
    expected |= {"A4"} if question_type != "closed" else set()
    expected |= {"A5"} if disputed else set()
    expected |= {"P"} if penalties else set()

    facts = key(
        rubric_points=Decimal(rubric),
        bases=bases,
        penalties=penalties,
        trap=trap,
        disputed=disputed,
        question_type=question_type,
    )

    assert set(codes(facts)) == expected


def test_maxima_come_from_the_criterion_or_the_key():
    maxima = {each.code: maximum_of(each, key(rubric_points=Decimal("4.5"))) for each in SPECIFICATION.criteria}

    assert maxima == {
        "A-R": 2, "A1": Decimal("4.5"), "A2": 2, "A3": 1, "A4": 1, "A5": 1, "A6": 1, "P": 2, "B1": 2, "B2": 1,
    }  # fmt: skip


@pytest.mark.parametrize(("code", "points"), [("A-R", 0), ("A-R", 1), ("A-R", 2), ("A1", 3), ("P", 2), ("B1", 1)])
def test_points_on_a_step_are_taken(code, points):
    check_points(SPECIFICATION.criterion(code), key=KEY, points=Decimal(points))


@pytest.mark.parametrize(
    ("code", "points", "message"),
    [
        ("A-R", "3", "A-R takes 0 to 2 points, not 3."),
        ("A-R", "-1", "A-R takes 0 to 2 points, not -1."),
        ("A-R", "0.50", "A-R goes up from 0 by 1; 0.5 lies between two steps."),
        ("A-R", "NaN", "A-R takes 0 to 2 points, not NaN."),
        ("A2", "3", "A2 takes 0 to 2 points, not 3."),
        ("A6", "1", "A6 follows from the findings and is not scored by hand."),
    ],
)
def test_points_that_cannot_be_given_are_refused_in_words(code, points, message):
    with pytest.raises(PointsRefused) as refused:
        check_points(SPECIFICATION.criterion(code), key=KEY, points=Decimal(points))

    assert str(refused.value) == message


def test_points_for_what_does_not_apply_are_refused():
    with pytest.raises(PointsRefused, match=r"^A3 does not apply to this question\.$"):
        check_points(SPECIFICATION.criterion("A3"), key=key(trap=False), points=Decimal(0))


@pytest.mark.parametrize(("points", "shown"), [("2.00", "2"), ("10", "10"), ("0.50", "0.5"), ("0.00", "0")])
def test_points_are_shown_without_trailing_zeros(points, shown):
    assert shown_points(Decimal(points)) == shown


@pytest.mark.parametrize(
    ("state", "findings", "points"),
    [
        (AnswerState.ANSWERED, (), 1),
        (AnswerState.ANSWERED, (finding("X"),), 1),
        (AnswerState.ANSWERED, (finding("X"), finding("T")), 0),
        (AnswerState.EMPTY, (), 0),
        (AnswerState.PROVIDER_BLOCK, (), None),
        (AnswerState.FAILED, (), None),
    ],
)
def test_points_for_no_hallucination(state, findings, points):
    assert a6_points(card(state, findings=findings)) == points


def test_an_answer_without_citations_has_no_hallucination():
    assert a6_points(card(citations=())) == 1
    assert a6_points(card(citations=(citation(), citation()))) == 1


def test_hand_worked_a_percent():
    # available: A-R 2 + A1 3 + A2 2 + A3 1 + A4 1 + A5 1 + A6 1 = 11
    # points: A-R 1 + A1 2 + A2 1 + A3 1 + A4 0 + A5 1 + A6 0 (one finding) = 6; penalties 2
    # A % = (6 - 2) / 11 = 4/11
    scores = full_scores(A_R=1, A1=2, A2=1, A4=0, P=2)

    found = a_percent(SPECIFICATION, key=KEY, card=card(scores=scores, findings=(finding(),)))

    assert (found.points, found.penalties, found.available) == (6, 2, 11)
    assert found.value == Fraction(4, 11)
    assert found.floored is False


def test_what_does_not_apply_is_not_available():
    # closed question without trap, dispute and penalties: A-R 2 + A1 3 + A2 2 + A6 1 = 8
    facts = key(trap=False, disputed=False, penalties=0, question_type=QuestionType.CLOSED)

    found = a_percent(SPECIFICATION, key=facts, card=card(scores=full_scores(facts)))

    assert (found.points, found.available, found.value) == (8, 8, 1)


def test_a_percent_stops_at_zero_unless_the_specification_says_otherwise():
    # A-R 0, A1 0, A2 0, A3 0, A4 0, A5 0, A6 1 = 1; penalties 2; (1 - 2) / 11 = -1/11
    low = card(scores=full_scores(A_R=0, A1=0, A2=0, A3=0, A4=0, A5=0, P=2))

    stopped = a_percent(SPECIFICATION, key=KEY, card=low)
    below = a_percent(specification(a_percent_below_zero=True), key=KEY, card=low)

    assert (stopped.value, stopped.floored) == (0, True)
    assert (below.value, below.floored) == (Fraction(-1, 11), False)


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        (card(AnswerState.PROVIDER_BLOCK), "the provider blocked the answer"),
        (card(AnswerState.FAILED), "the answer was not collected"),
        (card(scores=full_scores(A_R=None, A3=None)), "not decided yet: A-R, A3"),
        (card(scores=full_scores()[1:]), "not decided yet: A-R"),
    ],
)
def test_a_percent_is_undefined_with_its_reason(facts, reason):
    found = a_percent(SPECIFICATION, key=KEY, card=facts)

    assert found.value is None
    assert found.reason == reason


def test_a_percent_is_undefined_when_nothing_can_be_earned():
    only_penalties = specification(criteria=(SPECIFICATION.criterion("P"),))

    found = a_percent(only_penalties, key=KEY, card=card(scores=(score("P", 1),)))

    assert (found.value, found.reason) == (None, "no points are available")


def test_an_empty_answer_is_scored_and_has_no_point_for_hallucination():
    scores = full_scores(A_R=0, A1=0, A2=0, A3=0, A4=0, A5=0)

    found = a_percent(SPECIFICATION, key=KEY, card=card(AnswerState.EMPTY, scores=scores, citations=()))

    assert (found.points, found.available, found.value) == (0, 11, 0)


def test_block_b_stands_apart_and_never_enters_a_percent():
    high, low = (card(scores=full_scores(B1=b1, B2=b2)) for b1, b2 in [(2, 1), (0, None)])

    assert a_percent(SPECIFICATION, key=KEY, card=high) == a_percent(SPECIFICATION, key=KEY, card=low)
    scores = separate_scores(SPECIFICATION, key=KEY, card=low)
    assert [(each.criterion, each.points, each.maximum) for each in scores] == [("B1", 0, 2), ("B2", None, 1)]


def test_scores_of_criteria_that_do_not_apply_change_nothing():
    facts = key(trap=False)
    without = card(scores=tuple(each for each in full_scores() if each.criterion != "A3"))

    assert a_percent(SPECIFICATION, key=facts, card=card()) == a_percent(SPECIFICATION, key=facts, card=without)


@given(st.data(), st.booleans(), st.booleans(), st.sampled_from(QuestionType), st.booleans())
def test_a_percent_agrees_with_adding_up_by_hand(data, trap, disputed, question_type, hallucinated):
    facts = key(trap=trap, disputed=disputed, question_type=question_type)
    maxima = {"A-R": 2, "A1": 3, "A2": 2, "A3": trap, "A4": question_type != "closed", "A5": disputed}
    given_points = {code: data.draw(st.integers(0, int(maximum))) for code, maximum in maxima.items()}
    penalties = data.draw(st.integers(0, 2))
    scores = (*(score(code, points) for code, points in given_points.items()), score("P", penalties))

    found = a_percent(SPECIFICATION, key=facts, card=card(scores=scores, findings=(finding(),) if hallucinated else ()))

    earned = sum(given_points.values()) + (not hallucinated) - penalties
    assert found.value == max(Fraction(0), Fraction(earned, sum(maxima.values()) + 1))
