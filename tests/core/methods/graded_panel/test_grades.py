from itertools import permutations, product

import pytest

from lexreview.core.methods.graded_panel.grades import Grade, PanelGrade, panel_grade

C, P, I = Grade  # noqa: E741


@pytest.mark.parametrize("grades", list(product([C, P, I, None], repeat=3)), ids=str)
def test_grade_of_every_combination_of_three_votes(grades: tuple[Grade | None, ...]) -> None:
    """A slow twin: count each grade by hand."""
    valid = [grade for grade in grades if grade]
    twice = [grade for grade in Grade if valid.count(grade) >= 2]

    made = panel_grade(grades)

    if twice:
        assert made == PanelGrade(twice[0], unanimous=grades.count(twice[0]) == 3)
    elif len(valid) == 3:
        assert made == PanelGrade(P, no_majority=True)
    else:
        assert made.grade is None
        assert made.reason


def test_three_different_grades_make_a_p_without_majority_in_any_order() -> None:
    assert {panel_grade(order) for order in permutations(Grade)} == {PanelGrade(P, no_majority=True)}


@pytest.mark.parametrize("grades", [[C, P], [C, I], [P, I]])
def test_two_judges_who_differ_come_to_nothing(grades: list[Grade]) -> None:
    assert panel_grade(grades) == PanelGrade(None, reason="the votes are divided")


@pytest.mark.parametrize("grades", [[], [C], [None, None, None], [C, None, None]])
def test_fewer_than_two_valid_votes_come_to_nothing(grades: list[Grade | None]) -> None:
    assert panel_grade(grades).reason == "fewer than two valid votes"
