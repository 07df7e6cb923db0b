from dataclasses import replace

import pytest

from lexreview.core.side_by_side import Op, Run
from lexreview.questions.key_differences import Difference, changes_of, differences
from lexreview.questions.models import KeyVersion
from tests.questions.test_actions import A_KEY, bare_question, write

pytestmark = pytest.mark.django_db

BASE = {"code": "B1", "citation": "Art. 17 § 1 CPA", "quotation": "The fee is payable within seven days."}


def versions(**changes: object) -> tuple[KeyVersion, KeyVersion]:
    question = bare_question()
    return write(question, 1, A_KEY), write(question, 2, replace(A_KEY, **changes))


def names(found: list[Difference]) -> list[str]:
    return [each.name for each in found]


def test_versions_with_the_same_content_do_not_differ() -> None:
    assert differences(*versions(reason="Dated anew.")) == []


def test_parts_that_differ_come_in_the_order_of_the_page() -> None:
    found = differences(
        *versions(
            core_answer="No. Ten days.",
            calibration="conditional",
            condition="where it was served",
            disputed=True,
            verification_note="Older rulings.",
            rubric=[{"code": "R1", "text": "Ten days.", "points": 1}],
            penalties=[],
            bases=[BASE],
        )
    )

    assert names(found) == [
        "Core answer",
        "Expected form",
        "Condition",
        "Case law",
        "What was not checked",
        "Rubric element R1",
        "Penalty K1",
        "Required basis B1",
    ]


def test_words_that_changed_are_marked_on_their_side() -> None:
    [found] = differences(*versions(core_answer="No. Ten days."))

    assert found.sides.left == (Run(Op.SAME, "No."), Run(Op.CHANGED, "Seven"), Run(Op.SAME, "days."))
    assert found.sides.right == (Run(Op.SAME, "No."), Run(Op.CHANGED, "Ten"), Run(Op.SAME, "days."))


def test_element_that_one_version_lacks_has_an_empty_side() -> None:
    added = {"code": "R2", "text": "Ten days.", "points": 2}
    [found] = differences(*versions(rubric=[*A_KEY.rubric, added]))

    assert found.name == "Rubric element R2"
    assert found.sides.left == ()
    assert found.sides.right == (Run(Op.CHANGED, "Ten days.\n2 points"),)


def test_points_of_an_element_are_a_difference() -> None:
    assert names(differences(*versions(rubric=[{**A_KEY.rubric[0], "points": 2}]))) == ["Rubric element R1"]


@pytest.mark.parametrize("field", ["citation", "quotation", "passage", "source"])
def test_every_word_of_a_basis_counts(field: str) -> None:
    question = bare_question()
    old = write(question, 1, replace(A_KEY, bases=[BASE]))
    new = write(question, 2, replace(A_KEY, bases=[{**BASE, field: "Something else."}]))

    assert names(differences(old, new)) == ["Required basis B1"]


def test_each_version_is_laid_beside_the_one_before_it_newest_first() -> None:
    question = bare_question()
    every = [write(question, number, replace(A_KEY, core_answer=f"Answer {number}.")) for number in (1, 2, 3)]

    changes = changes_of(every)

    assert [(each.before.number, each.after.number) for each in changes] == [(2, 3), (1, 2)]
    assert changes_of(every[:1]) == []
