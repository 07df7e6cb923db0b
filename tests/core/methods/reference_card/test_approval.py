import pytest

from lexreview.core.methods.reference_card.approval import MissingKind, can_be_approved, missing_for_approval
from lexreview.core.methods.reference_card.facts import CheckResult
from lexreview.core.workflow import AnswerState, CitationState
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


def missing(facts, key_facts=KEY):
    return missing_for_approval(SPECIFICATION, key=key_facts, card=facts)


def with_score(changed):
    return card(scores=tuple(changed if each.criterion == changed.criterion else each for each in full_scores()))


def test_a_complete_card_lacks_nothing():
    assert missing(card(findings=(finding(),))) == ()
    assert can_be_approved(SPECIFICATION, key=KEY, card=card(findings=(finding(),)))


def test_each_applicable_criterion_needs_points():
    found = missing(card(scores=()), key(trap=False))

    assert [(each.kind, each.target) for each in found] == [
        (MissingKind.POINTS, code) for code in ["A-R", "A1", "A2", "A4", "A5", "P", "B1", "B2"]
    ]
    assert found[0].message == "A-R has no points yet."
    assert not can_be_approved(SPECIFICATION, key=KEY, card=card(scores=()))


@pytest.mark.parametrize(
    ("changed", "kind", "message"),
    [
        (score("A2", 1, evidence="  "), MissingKind.EVIDENCE, "A2 has points without evidence."),
        (score("A2", 3), MissingKind.POINTS_OUT_OF_RANGE, "A2 takes 0 to 2 points, not 3."),
        (
            score("A2", "1.00", proposed=score("A2", 2).points, reason=" "),
            MissingKind.REASON,
            "A2 was changed from 2 to 1 without a reason.",
        ),
    ],
)
def test_a_score_with_a_fault_blocks_in_words(changed, kind, message):
    (found,) = missing(with_score(changed))

    assert (found.kind, found.target, found.message, found.blocking) == (kind, "A2", message, True)
    assert not can_be_approved(SPECIFICATION, key=KEY, card=with_score(changed))


def test_a_changed_score_with_a_reason_and_an_agreed_one_are_complete():
    assert missing(with_score(score("A2", 1, proposed=score("A2", 2).points, reason="base 2 is another one"))) == ()
    assert missing(with_score(score("A2", 2, proposed=score("A2", "2.0").points))) == ()


def test_a_finding_needs_evidence():
    (found,) = missing(card(findings=(finding(), finding("F", has_evidence=False))))

    assert (found.kind, found.target, found.position, found.blocking) == (MissingKind.FINDING_EVIDENCE, "F", 1, True)
    assert found.message == "Finding 2 (class F) has no evidence."


@pytest.mark.parametrize("result", CheckResult)
def test_a_flagged_citation_has_to_be_opened(result):
    facts = card(citations=(citation(), citation("Art. 9 ABC", result=result)))
    flagged = result is not CheckResult.CONFIRMED

    found = missing(facts)

    assert [each.kind for each in found] == [MissingKind.FLAGGED_CITATION_NOT_OPENED] * flagged
    assert [(each.target, each.position) for each in found] == [("Art. 9 ABC", 1)] * flagged
    assert can_be_approved(SPECIFICATION, key=KEY, card=facts) is not flagged
    assert missing(card(citations=(citation(result=result, opened=True),))) == ()


def test_an_unchecked_citation_is_said_and_does_not_block():
    facts = card(citations=(citation("Art. 9 ABC", CitationState.UNCHECKED, result=None),))

    (found,) = missing(facts)

    assert (found.kind, found.blocking) == (MissingKind.CITATION_UNCHECKED, False)
    assert found.message == "Citation 1 (Art. 9 ABC) was not checked."
    assert can_be_approved(SPECIFICATION, key=KEY, card=facts)
    assert (facts.citations_checked, len(facts.citations)) == (0, 1)


def test_a_blocked_answer_has_nothing_to_fill_in_and_an_empty_one_has():
    assert missing(card(AnswerState.PROVIDER_BLOCK, scores=())) == ()
    assert len(missing(card(AnswerState.EMPTY, scores=(), citations=()))) == 9
