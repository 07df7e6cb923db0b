from dataclasses import replace
from itertools import product

import pytest

from lexreview.core.methods.reference_card.facts import CheckResult, OfficialSource, Origin, RequiredBase, Scope
from lexreview.core.methods.reference_card.proposals import (
    cites,
    official_source_of,
    propose_findings,
    propose_origin,
    propose_scores,
)
from lexreview.core.workflow import AnswerState
from tests.core.methods.reference_card.records import KEY, card, citation, key, specification

SPECIFICATION = specification()
PROVISION = RequiredBase("B1", "Art. 17 § 1 CPA", act="qk/2011/9", unit="art=17/par=1")
RULING = RequiredBase("B2", "ruling I C 5/20", docket="I C 5/20")
BASES = (PROVISION, RULING)


def proposed(facts, key_facts=KEY, bases=BASES):
    return {each.criterion: each for each in propose_scores(SPECIFICATION, key=key_facts, card=facts, bases=bases)}


def test_one_proposal_for_each_applicable_criterion_and_most_are_left_to_a_person():
    found = proposed(card())

    assert list(found) == ["A-R", "A1", "A2", "A3", "A4", "A5", "A6", "P", "B1", "B2"]
    assert [code for code, each in found.items() if each.points is not None] == ["A2", "A6"]
    assert list(proposed(card(), key(trap=False, penalties=0))) == ["A-R", "A1", "A2", "A4", "A5", "A6", "B1", "B2"]


@pytest.mark.parametrize(
    ("results", "points", "evidence"),
    [
        ([], 1, "The answer cites no source of law."),
        (["confirmed", "confirmed"], 1, "2 of 2 citations confirmed by code."),
        (["confirmed", "not_found"], 0, "“c1”: not found"),
        (["undetermined", "wrong_identifier", "not_in_force"], 0, "“c1”: wrong identifier; “c2”: not in force"),
        (["confirmed", "undetermined"], None, "Not settled by code: “c1”: undetermined"),
        (["wording_differs"], None, "Not settled by code: “c0”: wording differs"),
        (["ambiguous", "out_of_scope"], None, "Not settled by code: “c0”: ambiguous; “c1”: out of scope"),
        ([None], None, "Not settled by code: “c0”: not checked by code"),
    ],
)
def test_no_hallucination_is_proposed_only_where_every_citation_is_settled(results, points, evidence):
    citations = tuple(
        citation(f"c{number}", result=result and CheckResult(result)) for number, result in enumerate(results)
    )

    found = proposed(card(citations=citations))["A6"]

    assert (found.points, found.evidence) == (points, evidence)


def test_what_the_answer_says_itself_is_left_to_a_person():
    said = citation("c0", result=CheckResult.NOT_IN_FORCE, proposed_class="")

    found = proposed(card(citations=(said,)))["A6"]

    assert (found.points, found.evidence) == (None, "Not settled by code: “c0”: not in force")
    assert findings(said) == ()


def test_a_class_proposed_by_the_layer_counts_as_at_odds_with_the_source():
    quoted = citation("c0", result=CheckResult.WORDING_DIFFERS, proposed_class="T")

    assert proposed(card(citations=(quoted,)))["A6"].points == 0


@pytest.mark.parametrize(
    ("act", "unit", "expected"),
    [
        ("qk/2011/9", "art=17/par=1", True),
        ("qk/2011/9", "art=17/par=1/pkt=2", True),
        ("qk/2011/9", "art=17", False),
        ("qk/2011/9", "art=17/par=11", False),
        ("qk/2011/9", None, False),
        ("qk/2012/1", "art=17/par=1", False),
        (None, "art=17/par=1", False),
    ],
)
def test_a_base_is_cited_by_its_unit_or_a_part_of_it(act, unit, expected):
    assert cites(citation(act=act, unit=unit), PROVISION) is expected


@pytest.mark.parametrize(
    ("docket", "expected"), [("I C 5/20", True), ("i c  5/20", True), ("I C 5/21", False), (None, False)]
)
def test_a_ruling_is_cited_by_its_docket(docket, expected):
    assert cites(citation(docket=docket, act="qk/2011/9", unit="art=17/par=1"), RULING) is expected


def test_a_base_that_is_a_whole_act_is_cited_by_any_of_its_units():
    whole = RequiredBase("B1", "CPA", act="qk/2011/9")

    assert cites(citation(act="qk/2011/9", unit="art=3"), whole)
    assert not cites(citation(), RequiredBase("B9", "nothing known"))


def test_bases_cited_are_counted_with_the_citation_that_names_them():
    citations = (
        citation("Art. 17 CPA", act="qk/2011/9", unit="art=17"),
        citation("I C 5/20", docket="I C 5/20"),
        citation("I C 5/20 again", docket="I C 5/20"),
    )

    found = proposed(card(citations=citations))["A2"]

    assert found.points == 1
    assert found.evidence == (
        "Art. 17 § 1 CPA: not cited itself, only “Art. 17 CPA”; ruling I C 5/20: cited as “I C 5/20”"
    )
    assert proposed(card(citations=()))["A2"].evidence == "Art. 17 § 1 CPA: not cited; ruling I C 5/20: not cited"


def test_no_penalty_is_proposed_only_when_the_key_has_none():
    penalty = replace(SPECIFICATION.criterion("P"), not_applicable_when=None)
    always = specification(criteria=(penalty,))

    (none_possible,) = propose_scores(always, key=key(penalties=0), card=card(), bases=BASES)
    (left_open,) = propose_scores(always, key=KEY, card=card(), bases=BASES)

    assert (none_possible.points, none_possible.evidence) == (0, "The key names no penalty.")
    assert left_open.points is None


def test_an_empty_answer_gets_the_minimum_everywhere():
    found = proposed(card(AnswerState.EMPTY, citations=()))

    assert {(each.points, each.evidence) for each in found.values()} == {(0, "The answer is empty.")}
    assert len(found) == 10


@pytest.mark.parametrize("state", [AnswerState.PROVIDER_BLOCK, AnswerState.FAILED])
def test_nothing_is_proposed_where_nothing_is_scored(state):
    assert proposed(card(state)) == {}


def findings(*citations, bases=BASES, tools=True, trace_recorded=True):
    return propose_findings(
        SPECIFICATION, card=card(citations=citations), bases=bases, tools=tools, trace_recorded=trace_recorded
    )


def test_findings_are_proposed_for_what_the_source_contradicts():
    results = list(CheckResult)

    found = findings(*(citation(f"c{number}", result=result) for number, result in enumerate(results)))

    assert {results[each.citation]: each.error_class for each in found} == {
        CheckResult.NOT_FOUND: "F",
        CheckResult.WRONG_IDENTIFIER: "S",
        CheckResult.NOT_IN_FORCE: "W",
    }
    assert found[0].evidence == f"“c{found[0].citation}”: {results[found[0].citation].replace('_', ' ')}"


def test_a_class_the_specification_does_not_have_is_not_proposed():
    without = specification(error_classes=SPECIFICATION.error_classes[:1])
    wrong = card(citations=(citation(result=CheckResult.NOT_FOUND),))

    assert propose_findings(without, card=wrong, bases=BASES, tools=False, trace_recorded=False) == ()


@pytest.mark.parametrize(
    ("unit", "scope"),
    [
        ("art=17/par=1/pkt=2", Scope.CORE),
        ("art=17", Scope.CORE),
        ("art=18", Scope.PERIPHERAL),
        (None, Scope.PERIPHERAL),
    ],
)
def test_an_error_about_a_required_base_is_proposed_as_core(unit, scope):
    (found,) = findings(citation(result=CheckResult.NOT_IN_FORCE, act="qk/2011/9", unit=unit))

    assert found.scope is scope


@pytest.mark.parametrize(("tools", "recorded", "opened"), list(product([False, True], repeat=3)))
def test_origin_follows_the_trace(tools, recorded, opened):
    expected = {
        (True, True, True): Origin.SOURCE_READ,
        (True, True, False): Origin.MEMORY,
        (True, False, False): Origin.UNDETERMINED,
        (True, False, True): Origin.UNDETERMINED,
    }.get((tools, recorded, opened), Origin.MEMORY)

    assert propose_origin(tools=tools, trace_recorded=recorded, source_opened=opened) is expected


@pytest.mark.parametrize(
    ("opened", "expected"),
    [
        (None, OfficialSource.NOT_RECORDED),
        ([], OfficialSource.NONE),
        ([False, False], OfficialSource.SECONDARY_ONLY),
        ([False, True], OfficialSource.OPENED),
    ],
)
def test_official_source_by_the_pages_opened(opened, expected):
    assert official_source_of(opened) is expected
