import unicodedata
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexreview.core.methods.reference_card.facts import Origin, Scope
from lexreview.core.methods.reference_card.opinion import (
    CriterionOpinion,
    FindingOpinion,
    Material,
    Quote,
    Why,
    check_criteria,
    check_findings,
    stands_in,
)
from lexreview.core.quotations import Wording
from tests.core.methods.reference_card.records import KEY, specification

ANSWER = (
    "The fee is due **within fourteen days** of service (Art. 17 § 1 CPA), and a request filed without it is returned. "
    "The court must first call on the party to pay, and the time limit runs anew from that call."
)
SOURCE = "§ 1. The fee is payable within seven days of service of the demand."


def material(answer: str = ANSWER) -> Material:
    worth = {"A1": {"R1": Decimal(1), "R2": Decimal(1)}}
    return Material(specification=specification(), key=KEY, answer=answer, sources={"S1": SOURCE}, worth=worth)


def opinion(code: str = "A-R", points: str = "1", **more: object) -> CriterionOpinion:
    return CriterionOpinion(criterion=code, points=Decimal(points), reason="Because.", **more)


def finding(claim: str = "the time limit runs anew from that call", **more: object) -> FindingOpinion:
    values = {"error_class": "T", "source": "S1", "source_says": "within seven days", "origin": Origin.MEMORY,
              "scope": Scope.CORE, **more}  # fmt: skip
    return FindingOpinion(claim=claim, **values)


@pytest.mark.parametrize(
    ("quotation", "stands"),
    [
        ("within fourteen days of service", True),
        ("Within  fourteen\ndays of service (art. 17 § 1 cpa)", True),
        ("a request filed without it is returned. […] the time limit runs anew from that call", True),
        ("within seven days of service", False),
        # Words of the answer, not in its order.
        ("the time limit runs anew from that call … within fourteen days of service", False),
        # Any sentence can be put together of shreds.
        ("The fee … is … returned", False),
        # What a model adds in brackets would be shown as quoted.
        ("within fourteen days [and never later] of service", False),
        ("fee", False),
        ("ithin fourteen days of servic", False),
        ("", False),
        ("…", False),
        ("\x00\u202e", False),
    ],
)
def test_a_quotation_stands_where_its_words_do(quotation: str, stands: bool) -> None:
    assert stands_in(quotation, Wording(ANSWER)) is stands


def test_dropped_quotations_are_kept_apart_with_the_reason() -> None:
    quotes = (
        Quote("within fourteen days of service"),
        Quote("within seven days of service"),
        Quote("within seven days of service", "S1"),
        Quote("the party to pay", "S1"),
        Quote("to pay", "S2"),
    )

    checked = check_criteria([opinion(quotes=quotes)], material())[0]

    assert checked.quotes == (quotes[0], quotes[2])
    assert [(each.quote, each.why) for each in checked.dropped] == [
        (quotes[1], Why.NOT_IN_ANSWER), (quotes[3], Why.NOT_IN_SOURCE), (quotes[4], Why.UNKNOWN_SOURCE),
    ]  # fmt: skip
    assert checked.evidence == "Because. “within fourteen days of service” “within seven days of service”"


def test_quotations_none_of_which_holds_are_no_evidence_and_none_at_all_leave_the_reason() -> None:
    invented, silent = check_criteria([opinion(quotes=(Quote("never said here"),)), opinion("B1")], material())
    assert (invented.evidence, invented.why) == ("", None)
    assert silent.evidence == "Because."


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (opinion(), None),
        (opinion(points="0.5"), Why.OUT_OF_RANGE),
        (opinion(points="NaN"), Why.OUT_OF_RANGE),
        (opinion(points="Infinity"), Why.OUT_OF_RANGE),
        (opinion("A6", "1"), None),
        (opinion("A6", "2"), Why.OUT_OF_RANGE),
        (opinion("X"), Why.UNKNOWN_CRITERION),
        (opinion("A1", "2", elements=("R1", "R2")), None),
        (opinion("A1", "1"), Why.ELEMENTS_DIFFER),
        (opinion("A1", "0"), None),
        (opinion("A1", "1", elements=("R7",)), Why.UNKNOWN_ELEMENT),
        (opinion("B1", elements=("R1",)), Why.UNKNOWN_ELEMENT),
    ],
)
def test_points_are_those_of_the_rules(said: CriterionOpinion, why: Why | None) -> None:
    assert check_criteria([said], material())[0].why is why


def test_a_finding_is_placed_in_the_stored_answer() -> None:
    checked = check_findings([finding("due within fourteen days of service")], material())[0]
    assert (checked.why, checked.claim) == (None, "due **within fourteen days** of service")
    assert ANSWER[checked.start : checked.end] == checked.claim
    assert (checked.source, checked.source_says, checked.dropped) == ("S1", "within seven days", None)


def test_of_an_answer_that_is_not_composed_only_exact_words_are_placed() -> None:
    answer = unicodedata.normalize("NFD", "Opłatę wnosi się w terminie siedmiu dni; źle wniesiona przepada.")
    exact = unicodedata.normalize("NFD", "źle wniesiona przepada")

    placed, other = check_findings([finding(exact), finding("źle wniesiona przepada")], material(answer))

    assert answer[placed.start : placed.end] == exact
    assert other.why is Why.CLAIM_NOT_IN_ANSWER


@pytest.mark.parametrize(
    ("said", "why", "dropped"),
    [
        (finding("no such words"), Why.CLAIM_NOT_IN_ANSWER, None),
        (finding(error_class="Q"), Why.UNKNOWN_CLASS, None),
        (finding(source_says="within thirty days"), None, Why.NOT_IN_SOURCE),
        (finding(source="S4"), None, Why.UNKNOWN_SOURCE),
        (finding(source=""), None, Why.UNKNOWN_SOURCE),
        (finding(source="", source_says=""), None, None),
    ],
)
def test_what_is_wrong_with_a_finding_is_said(said: FindingOpinion, why: Why | None, dropped: Why | None) -> None:
    checked = check_findings([said], material())[0]
    assert checked.why is why
    assert (checked.dropped.why if checked.dropped else None) is dropped
    assert not (dropped and checked.source_says)


@given(st.text(max_size=60))
def test_no_claim_is_placed_at_words_that_it_does_not_hold(claim: str) -> None:
    """Whatever a model says, what a finding shows as its claim is a stretch of the answer."""
    checked = check_findings([finding(claim)], material())[0]
    assert checked.why is not None or ANSWER[checked.start : checked.end] == checked.claim != ""
