from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexreview.core.methods.criteria.panel import (
    MOVES,
    SETTLED,
    Consensus,
    Decision,
    PanelState,
    Seat,
    Strategy,
    Vote,
    Votes,
    came_to,
    decide,
    first_seats,
    seats_of,
    seats_to_ask,
    state_of,
)

A, B, C = Seat
ADAPTIVE = Strategy.ADAPTIVE
WORDS = {"P": "pass", "F": "fail", "E": None}

# The published table, written by hand: A, B, C (- where C is not asked) > verdict, how, who, whether C broke a tie.
TABLE = """
    P P - > pass initial_agreement AB no
    F F - > fail initial_agreement AB no
    P F P > pass tie_breaker AC yes
    P F F > fail tie_breaker BC yes
    F P P > pass tie_breaker BC yes
    F P F > fail tie_breaker AC yes
    P F E > - unresolved - no
    F P E > - unresolved - no
    P E P > pass recovery_agreement AC no
    F E F > fail recovery_agreement AC no
    E P P > pass recovery_agreement BC no
    E F F > fail recovery_agreement BC no
    P E F > - unresolved - no
    F E P > - unresolved - no
    E P F > - unresolved - no
    E F P > - unresolved - no
    P E E > - unresolved - no
    F E E > - unresolved - no
    E P E > - unresolved - no
    E F E > - unresolved - no
    E E - > - unresolved - no
"""
ROWS = [line.split() for line in TABLE.strip().splitlines()]


def votes(signs: str) -> dict[Seat, Vote]:
    """ "PF-": pass, fail, not asked."""
    return {seat: Vote(WORDS[sign]) for seat, sign in zip(Seat, signs, strict=False) if sign != "-"}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: "".join(row[:3]))
def test_every_row_of_the_adaptive_table(row: list[str]) -> None:
    a, b, c, _arrow, value, consensus, supporting, tie = row
    decision = decide(ADAPTIVE, votes(a + b + c))

    assert decision == Decision(
        None if value == "-" else value,
        Consensus(consensus),
        () if supporting == "-" else tuple(Seat(each) for each in supporting),
        tie_breaker_used=tie == "yes",
    )


def test_table_is_complete() -> None:
    """Every combination of A and B, with every vote of C where C is asked, and without C where not."""
    asked = {(a, b): [c for a2, b2, c, *_ in ROWS if (a2, b2) == (a, b)] for a, b in product("PFE", repeat=2)}

    for (a, b), thirds in asked.items():
        c_is_asked = seats_to_ask(ADAPTIVE, votes(a + b)) == (C,)
        assert sorted(thirds) == (sorted("PFE") if c_is_asked else ["-"])


@pytest.mark.parametrize(("a", "b"), list(product("PFE", repeat=2)))
def test_third_judge_is_asked_exactly_where_the_table_says(a: str, b: str) -> None:
    """One question costs two calls, and a third only on disagreement or one failure: 2N + D."""
    expected = (C,) if a != b else ()

    assert seats_to_ask(ADAPTIVE, votes(a + b)) == expected
    assert (decide(ADAPTIVE, votes(a + b)) is None) == bool(expected)


@pytest.mark.parametrize("c", "PFE")
@pytest.mark.parametrize("ab", ["PP", "FF", "EE"])
def test_vote_of_a_third_judge_who_was_not_needed_changes_nothing(ab: str, c: str) -> None:
    assert decide(ADAPTIVE, votes(ab + c)) == decide(ADAPTIVE, votes(ab))


def test_first_two_are_asked_together_and_whoever_is_missing_is_asked_next() -> None:
    assert seats_to_ask(ADAPTIVE, {}) == (A, B)
    assert seats_to_ask(ADAPTIVE, {A: Vote("pass")}) == (B,)
    assert seats_to_ask(ADAPTIVE, {B: Vote(None)}) == (A,)
    assert seats_to_ask(ADAPTIVE, {A: Vote("pass"), C: Vote("pass")}) == (B,)


@pytest.mark.parametrize("strategy", Strategy)
def test_nothing_is_decided_before_the_first_judges_have_voted(strategy: Strategy) -> None:
    for present in product([True, False], repeat=3):
        some = {seat: Vote("pass") for seat, there in zip(Seat, present, strict=True) if there}
        if not set(first_seats(strategy)) <= set(some):
            assert decide(strategy, some) is None


@pytest.mark.parametrize(
    ("signs", "value", "consensus", "supporting"),
    [
        ("PPP", "pass", "unanimous", "ABC"), ("FFF", "fail", "unanimous", "ABC"),
        ("PPF", "pass", "majority", "AB"), ("PFP", "pass", "majority", "AC"), ("FPP", "pass", "majority", "BC"),
        ("FFP", "fail", "majority", "AB"), ("FPF", "fail", "majority", "AC"), ("PFF", "fail", "majority", "BC"),
        ("PPE", "pass", "majority", "AB"), ("PEP", "pass", "majority", "AC"), ("EPP", "pass", "majority", "BC"),
        ("FFE", "fail", "majority", "AB"), ("FEF", "fail", "majority", "AC"), ("EFF", "fail", "majority", "BC"),
        ("PFE", None, "unresolved", ""), ("FPE", None, "unresolved", ""), ("PEF", None, "unresolved", ""),
        ("FEP", None, "unresolved", ""), ("EPF", None, "unresolved", ""), ("EFP", None, "unresolved", ""),
        ("PEE", None, "unresolved", ""), ("EPE", None, "unresolved", ""), ("EEP", None, "unresolved", ""),
        ("FEE", None, "unresolved", ""), ("EFE", None, "unresolved", ""), ("EEF", None, "unresolved", ""),
        ("EEE", None, "unresolved", ""),
    ],
)  # fmt: skip
def test_majority_of_three_over_every_combination(
    signs: str, value: str | None, consensus: str, supporting: str
) -> None:
    expected = Decision(value, Consensus(consensus), tuple(Seat(each) for each in supporting))
    assert decide(Strategy.MAJORITY, votes(signs)) == expected


def test_three_different_values_are_no_majority() -> None:
    different = {A: Vote("0"), B: Vote("1"), C: Vote("2")}

    assert decide(Strategy.MAJORITY, different) == decide(ADAPTIVE, different)
    assert decide(Strategy.MAJORITY, different) == Decision(None, Consensus.UNRESOLVED)


@pytest.mark.parametrize(("sign", "value", "consensus"), [("P", "pass", "single"), ("E", None, "unresolved")])
def test_one_judge_alone_decides_with_a_valid_vote(sign: str, value: str | None, consensus: str) -> None:
    decision = decide(Strategy.SINGLE, votes(sign))

    assert decision is not None
    assert (decision.value, decision.consensus) == (value, Consensus(consensus))
    assert decision.supporting == ((A,) if value else ())
    assert seats_of(Strategy.SINGLE) == (A,)


def test_states_follow_the_votes() -> None:
    def state(signs: str, *, at_work: bool) -> PanelState:
        return state_of(ADAPTIVE, votes(signs), at_work=at_work)

    assert state("---", at_work=False) == PanelState.PENDING
    assert state("---", at_work=True) == PanelState.AB_RUNNING
    assert state("P--", at_work=False) == PanelState.AB_RUNNING
    assert state("PF-", at_work=False) == PanelState.TIE
    assert state("PE-", at_work=False) == PanelState.ONE_FAILED
    assert state("PF-", at_work=True) == PanelState.C_RUNNING
    assert state("PP-", at_work=True) == PanelState.RESOLVED
    assert state("EE-", at_work=True) == PanelState.UNRESOLVED
    assert state("PFE", at_work=False) == PanelState.UNRESOLVED
    assert state("PFP", at_work=False) == PanelState.RESOLVED
    assert came_to(votes("PP")) == PanelState.AGREED
    assert came_to(votes("EE")) == PanelState.BOTH_FAILED


def test_every_state_is_reached_and_only_what_is_resolved_stays() -> None:
    assert set(MOVES) == set(PanelState)
    assert {state for targets in MOVES.values() for state in targets} | {PanelState.PENDING} == set(PanelState)
    assert [state for state, targets in MOVES.items() if not targets] == [PanelState.RESOLVED]
    assert frozenset({PanelState.RESOLVED, PanelState.UNRESOLVED}) == SETTLED


VOTES = st.dictionaries(st.sampled_from(Seat), st.sampled_from(["pass", "fail", "2", None]).map(Vote))


@given(st.sampled_from(Strategy), VOTES)
def test_a_verdict_rests_on_enough_equal_valid_votes(strategy: Strategy, given_votes: Votes) -> None:
    decision = decide(strategy, given_votes)
    if decision is None:
        assert seats_to_ask(strategy, given_votes)
        return

    assert (decision.value is None) == (decision.consensus == Consensus.UNRESOLVED) == (not decision.supporting)
    assert all(given_votes[seat].value == decision.value for seat in decision.supporting)
    if decision.value is not None:
        assert len(decision.supporting) >= (1 if strategy is Strategy.SINGLE else 2)
    assert not decision.tie_breaker_used or all(given_votes[seat].is_valid for seat in Seat)


@given(st.sampled_from(Strategy), VOTES)
def test_asking_whoever_is_next_always_ends(strategy: Strategy, given_votes: Votes) -> None:
    votes_now = dict(given_votes)
    for _ in range(4):
        wanted = seats_to_ask(strategy, votes_now)
        assert not set(wanted) & set(votes_now)
        assert set(wanted) <= set(seats_of(strategy))
        votes_now |= dict.fromkeys(wanted, Vote(None))

    assert decide(strategy, votes_now) is not None


@given(VOTES)
def test_a_and_b_may_change_seats(given_votes: Votes) -> None:
    swapped = {{A: B, B: A}.get(seat, seat): vote for seat, vote in given_votes.items()}
    first, second = decide(ADAPTIVE, given_votes), decide(ADAPTIVE, swapped)

    assert (first and first.value, first and first.consensus) == (second and second.value, second and second.consensus)
