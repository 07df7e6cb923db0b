from itertools import product

import pytest

from lexreview.core.methods.reference_card.label import Label, LabelReason, NotScored, decide_label
from lexreview.core.workflow import AnswerState, CitationState
from tests.core.methods.reference_card.records import card, citation, finding, full_scores, specification

SPECIFICATION = specification()
SCORED = [state for state in AnswerState if state is not AnswerState.FAILED]
FINDINGS = {"none": (), "slip": (finding("X"),), "hallucination": (finding("X"), finding("S"))}
CITATIONS = {
    "none": (),
    "unchecked": (citation(state=CitationState.UNCHECKED),),
    "error": (citation(state=CitationState.ERROR),),
    "unofficial": (citation(official=False),),
    "confirmed": (citation(state=CitationState.UNCHECKED), citation()),
}


def expected(state, findings, undecided, core, citations):
    """The rules in their order, as one row each."""
    rows = [
        (state == "provider_block", ("provider_block", "provider_blocked")),
        (state == "empty", ("none", "empty_answer")),
        (findings == "hallucination", ("hallucinated", "hallucination_found")),
        (undecided, ("none", "findings_not_decided")),
        (core is None, ("none", "core_not_decided")),
        (core == 2 and citations == "confirmed", ("correctly_grounded", "full_core_and_confirmed_citation")),
        (core != 2, ("no_hallucination", "incomplete_core")),
        (True, ("no_hallucination", "no_confirmed_citation")),
    ]
    return next(result for fits, result in rows if fits)


@pytest.mark.parametrize(
    ("state", "findings", "undecided", "core", "citations"),
    list(product(SCORED, FINDINGS, [0, 2], [None, 0, 1, 2], CITATIONS)),
)
def test_the_first_rule_that_fits_gives_the_label(state, findings, undecided, core, citations):
    facts = card(
        state,
        findings=FINDINGS[findings],
        undecided=undecided,
        scores=full_scores(A_R=core),
        citations=CITATIONS[citations],
    )

    decision = decide_label(SPECIFICATION, facts)

    assert (decision.label, decision.reason) == expected(state, findings, undecided, core, citations)


def test_every_label_and_every_reason_occurs():
    combinations = product(["answered", "empty", "provider_block"], FINDINGS, [0, 1], [None, 1, 2], CITATIONS)
    found = {expected(*combination) for combination in combinations}

    assert {label for label, _ in found} == set(Label)
    assert {reason for _, reason in found} == set(LabelReason)


def test_one_hallucination_outweighs_a_right_conclusion():
    decision = decide_label(SPECIFICATION, card(findings=(finding("W"),)))

    assert decision.label is Label.HALLUCINATED


def test_a_failed_answer_has_no_label_at_all():
    with pytest.raises(NotScored):
        decide_label(SPECIFICATION, card(AnswerState.FAILED))
