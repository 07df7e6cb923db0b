from fractions import Fraction

import pytest

from lexreview.core.methods.reference_card.card_rows import Count, Group, Mean
from lexreview.core.methods.reference_card.facts import OfficialSource, Origin, Scope
from lexreview.core.methods.reference_card.tables import CORE, PERIPHERAL_ONLY, tables
from lexreview.core.workflow import AnswerState
from tests.core.methods.reference_card.records import finding, specification
from tests.core.methods.reference_card.rows import BLOCKED, CLEAN, GROUNDED, HALLUCINATED, a, published_study, row

TOTAL = Group(None, None)


def made(rows):
    return tables(rows, specification=specification())


def test_published_error_classes_and_scopes():
    found = made(published_study())

    assert found.error_classes[TOTAL].counts == {"T": 66, "W": 35, "F": 8, "S": 9, "X": 0}
    assert found.error_classes[TOTAL].answers == 160
    assert found.scopes[TOTAL].counts == {CORE: 57, PERIPHERAL_ONLY: 34}
    assert found.scopes[TOTAL].count(CORE) == Count(57, 160)
    assert found.error_classes[Group(None, "W0")].answers == 80


def test_a_class_is_counted_by_answers_and_not_by_findings():
    rows = [row("P01", findings=(finding("T"), finding("T"), finding("W"))), row("P02", findings=(finding("T"),))]

    found = made([*rows, row("P03")]).error_classes[TOTAL]

    assert found.counts == {"T": 2, "W": 1, "F": 0, "S": 0, "X": 0}
    assert found.count("T") == Count(2, 3)


def test_a_class_outside_the_specification_is_listed_last_and_not_lost():
    found = made([row(findings=(finding("Q"),))]).error_classes[TOTAL]

    assert list(found.counts) == ["T", "W", "F", "S", "X", "Q"]
    assert found.counts["Q"] == 1


@pytest.mark.parametrize(
    ("scopes", "expected"),
    [
        ((), {CORE: 0, PERIPHERAL_ONLY: 0}),
        ((Scope.PERIPHERAL, Scope.PERIPHERAL), {CORE: 0, PERIPHERAL_ONLY: 1}),
        ((Scope.PERIPHERAL, Scope.CORE), {CORE: 1, PERIPHERAL_ONLY: 0}),
    ],
)
def test_one_error_in_the_core_decides_the_scope_of_the_answer(scopes, expected):
    found = made([row(findings=tuple(finding(scope=scope) for scope in scopes))])

    assert found.scopes[TOTAL].counts == expected


def test_origins_are_counted_by_answers():
    both = (finding(origin=Origin.MEMORY), finding(origin=Origin.SOURCE_READ), finding(origin=Origin.MEMORY))

    found = made([row("P01", findings=both), row("P02", findings=both[:1])]).origins[TOTAL]

    assert found.counts == {"memory": 2, "source_read": 1, "secondary_source": 0, "undetermined": 0}


def test_grounding_is_about_answers_given_with_tools_only():
    rows = [
        row("P01", condition="W0"),
        row("P01", condition="W1", official_source=OfficialSource.OPENED),
        row("P02", condition="W1", official_source=OfficialSource.SECONDARY_ONLY),
        row("P03", condition="W1", official_source=OfficialSource.OPENED),
    ]

    found = made(rows).grounding

    assert Group(None, "W0") not in found
    assert found[TOTAL].answers == 3
    assert found[Group("argon", "W1")].counts == {"opened": 2, "secondary_only": 1, "none": 0, "not_recorded": 0}


def test_per_question_every_group_with_its_labels_in_order():
    rows = [
        row("P02", label=GROUNDED),
        row("P01", "neon", label=BLOCKED, state=AnswerState.PROVIDER_BLOCK, a=None),
        row("P01", "argon", repetition=2, label=HALLUCINATED, a=a(1, 4)),
        row("P01", "argon", repetition=1, label=GROUNDED, a=a(3, 4)),
    ]

    found = made(rows).questions

    assert list(found) == ["P01", "P02"]
    assert found["P01"][Group("argon", "W0")].labels == (GROUNDED, HALLUCINATED)
    total = found["P01"][TOTAL]
    assert total.labels == (GROUNDED, HALLUCINATED, BLOCKED)
    assert (total.grounded, total.hallucinated) == (Count(1, 3), Count(1, 3))
    assert total.a_percent == Mean(Fraction(1, 2), 2, 3)
    assert found["P02"][TOTAL].labels == (GROUNDED,)


def test_failed_answers_are_in_no_table():
    found = made([row("P01", label=CLEAN), row("P02", state=AnswerState.FAILED, findings=(finding(),))])

    assert found.error_classes[TOTAL].count("T") == Count(0, 1)
    assert list(found.questions) == ["P01"]


def test_no_rows_give_empty_tables():
    found = made([])

    assert found.scopes[TOTAL].count(CORE) == Count(0, 0)
    assert found.questions == {}


def test_two_cards_of_one_answer_are_refused():
    with pytest.raises(ValueError, match="more than one card"):
        made([row(), row()])
