from itertools import product

import pytest

from lexreview.core.workflow import (
    ANSWER_TRANSITIONS,
    CARD_TRANSITIONS,
    DECISION_TRANSITIONS,
    KEY_TRANSITIONS,
    AnswerState,
    AnswerVerb,
    CardState,
    CardVerb,
    CitationState,
    DecisionState,
    DecisionVerb,
    KeyState,
    KeyVerb,
    ReviewPhase,
    ReviewSlip,
    Role,
    TransitionRefused,
    Viewer,
    allowed_verbs,
    check_adjudicator,
    check_transition,
    outcome_visible,
    phase_of,
    visible_reviews,
)

# verb: from > to, roles (r reviewer, l lead, o operator), ! where a reason is needed. Written by hand
# from the description of the states, so that it differs when the dict is changed by mistake.
EXPECTED = {
    "card": """
        prefill: empty prefilled stale > prefilled, o
        start_review: empty prefilled stale > in_review, rl
        save: in_review > in_review, rl
        approve: in_review > approved, rl
        ask_ruling: in_review > needs_ruling, rl!
        give_ruling: needs_ruling > in_review, l!
        park: empty prefilled in_review stale > parked, rl!
        unpark: parked > in_review, rl
        withdraw: in_review approved > prefilled, rl!
        return: approved > in_review, l!
        revise: approved > in_review, rl!
        select_for_second_review: approved > second_review, l
        cancel_second_review: second_review > approved, l!
        record_agreement: second_review > approved, rl
        record_conflict: second_review > in_adjudication, rl
        adjudicate: in_adjudication > approved, l!
        reopen_adjudication: approved > in_adjudication, l!
        mark_stale: prefilled in_review approved needs_ruling second_review in_adjudication parked > stale, lo!
    """,
    "key": """
        edit: draft > draft, l
        approve: draft > approved, l
        supersede: approved > superseded, l!
    """,
    "decision": """
        edit: draft > draft, l
        publish: draft > published, l
    """,
    "answer": """
        collect_again: failed > answered, o
    """,
}
MACHINES = {
    "card": (CARD_TRANSITIONS, CardVerb, CardState),
    "key": (KEY_TRANSITIONS, KeyVerb, KeyState),
    "decision": (DECISION_TRANSITIONS, DecisionVerb, DecisionState),
    "answer": (ANSWER_TRANSITIONS, AnswerVerb, AnswerState),
}
LETTERS = {"r": Role.REVIEWER, "l": Role.LEAD, "o": Role.OPERATOR}


def expected_moves(machine):
    moves = {}
    for line in EXPECTED[machine].strip().splitlines():
        verb, rest = line.strip().split(": ")
        states, roles = rest.split(", ")
        sources, target = states.split(" > ")
        holders = {LETTERS[letter] for letter in roles.rstrip("!")}
        for source in sources.split():
            moves[verb, source] = (target, holders, roles.endswith("!"))
    return moves


EVERY_PAIR = [
    pytest.param(machine, verb, state, role, reason, id=f"{machine}-{verb}-{state}-{role}-{reason or 'no reason'}")
    for machine, (_, verbs, states) in MACHINES.items()
    for verb, state, role, reason in product(verbs, states, Role, ["", "because"])
]


@pytest.mark.parametrize(("machine", "verb", "state", "role", "reason"), EVERY_PAIR)
def test_every_verb_in_every_state_by_every_role(machine, verb, state, role, reason):
    transitions = MACHINES[machine][0]
    target, holders, needs_reason = expected_moves(machine).get((verb, state), (None, set(), False))

    if role in holders and (reason or not needs_reason):
        assert check_transition(transitions, verb, state=state, roles={role}, reason=reason) == target
    else:
        with pytest.raises(TransitionRefused) as refused:
            check_transition(transitions, verb, state=state, roles={role}, reason=reason)
        why = "state" if target is None else "role" if role not in holders else "reason"
        assert (refused.value.why, refused.value.verb, refused.value.state) == (why, verb, state)
    assert (verb in allowed_verbs(transitions, state=state, roles={role})) == (role in holders)


@pytest.mark.parametrize("machine", MACHINES)
def test_every_verb_has_its_transition(machine):
    transitions, verbs, _ = MACHINES[machine]

    assert set(transitions) == set(verbs)


def test_an_operator_leads_no_card_to_approval():
    approving = [transition for transition in CARD_TRANSITIONS.values() if transition.target is CardState.APPROVED]

    assert approving
    assert not any(Role.OPERATOR in transition.roles for transition in approving)


def test_every_card_state_is_reached_from_empty_and_left_again():
    reached = {CardState.EMPTY}
    while grown := {t.target for t in CARD_TRANSITIONS.values() if t.sources & reached} - reached:
        reached |= grown

    assert reached == set(CardState)
    assert all(allowed_verbs(CARD_TRANSITIONS, state=state, roles=set(Role)) for state in CardState)


def test_refusals_say_what_the_user_can_understand():
    with pytest.raises(TransitionRefused) as state:
        check_transition(CARD_TRANSITIONS, CardVerb.ASK_RULING, state=CardState.SECOND_REVIEW, roles={"reviewer"})
    with pytest.raises(TransitionRefused) as role:
        check_transition(KEY_TRANSITIONS, KeyVerb.APPROVE, state=KeyState.DRAFT, roles={"reviewer"})
    with pytest.raises(TransitionRefused) as reason:
        check_transition(CARD_TRANSITIONS, CardVerb.PARK, state=CardState.EMPTY, roles={"lead"}, reason=" \n")

    assert str(state.value) == (
        "This card cannot be changed by “ask ruling”: it is “second review” and would have to be “in review”."
    )
    assert str(role.value) == "This key version cannot be changed by “approve” by you: that takes the role lead."
    assert str(reason.value) == "This card cannot be changed by “park” without a reason."


def test_a_stored_state_and_stored_roles_work_like_the_enums():
    assert check_transition(CARD_TRANSITIONS, CardVerb.APPROVE, state="in_review", roles={"lead"}) is CardState.APPROVED
    with pytest.raises(TransitionRefused, match="it is “parked”"):
        check_transition(CARD_TRANSITIONS, CardVerb.APPROVE, state="parked", roles={"lead"})


def test_only_a_failed_answer_is_not_scored():
    assert [state for state in AnswerState if not state.is_scored] == [AnswerState.FAILED]


def test_a_citation_counts_as_checked_once_a_person_said_anything():
    assert [state for state in CitationState if not state.is_checked] == [CitationState.UNCHECKED]


def test_nobody_adjudicates_a_card_they_reviewed():
    with pytest.raises(TransitionRefused, match="somebody else"):
        check_adjudicator(person_id=1, reviewers={1, 2})
    check_adjudicator(person_id=3, reviewers={1, 2})


ANNA, BELA, CARLA = 1, 2, 3
FIRST_DONE = ReviewSlip(review_id=10, reviewer_id=ANNA, submitted=True)
FIRST_DRAFT = ReviewSlip(review_id=10, reviewer_id=ANNA, submitted=False)
SECOND_DONE = ReviewSlip(review_id=20, reviewer_id=BELA, submitted=True)
SECOND_DRAFT = ReviewSlip(review_id=20, reviewer_id=BELA, submitted=False)


def seen(reviews, phase, person, role, asked=()):
    viewer = Viewer(person, frozenset({role} if role else ()))
    return [slip.review_id for slip in visible_reviews(reviews, phase=phase, viewer=viewer, asked=asked)]


@pytest.mark.parametrize("second", [None, SECOND_DRAFT])
@pytest.mark.parametrize("role", Role)
def test_second_reviewer_cannot_see_the_first_review_before_both_are_handed_in(role, second):
    phase = phase_of(CardState.SECOND_REVIEW)
    reviews = [FIRST_DONE, second] if second else [FIRST_DONE]

    assert seen(reviews, phase, BELA, role, asked={ANNA, BELA}) == ([20] if second else [])
    viewer = Viewer(BELA, frozenset({role}))
    assert not outcome_visible(reviews, phase=phase, viewer=viewer, asked={ANNA, BELA})


def test_first_reviewer_does_not_see_the_second_while_it_is_being_written():
    assert seen([FIRST_DONE, SECOND_DRAFT], ReviewPhase.SECOND_REVIEW, ANNA, Role.REVIEWER, asked={BELA}) == [10]


def test_both_reviewers_see_both_once_both_are_handed_in():
    reviews = [FIRST_DONE, SECOND_DONE]

    assert seen(reviews, ReviewPhase.SECOND_REVIEW, ANNA, Role.REVIEWER, asked={BELA}) == [10, 20]
    assert seen(reviews, ReviewPhase.SECOND_REVIEW, BELA, Role.REVIEWER, asked={BELA}) == [10, 20]
    assert seen(reviews, ReviewPhase.SECOND_REVIEW, BELA, Role.REVIEWER, asked={BELA, CARLA}) == [20]


def test_a_reviewer_who_is_writing_again_does_not_see_the_other_review():
    again = ReviewSlip(review_id=11, reviewer_id=ANNA, submitted=False)

    assert seen([FIRST_DONE, SECOND_DONE, again], ReviewPhase.SECOND_REVIEW, ANNA, Role.REVIEWER) == [10, 11]


def test_one_handed_in_review_does_not_open_a_round_that_nobody_else_was_asked_into():
    assert seen([FIRST_DONE], ReviewPhase.SECOND_REVIEW, BELA, Role.REVIEWER) == []
    assert not outcome_visible(
        [FIRST_DONE], phase=ReviewPhase.SECOND_REVIEW, viewer=Viewer(BELA, frozenset({Role.REVIEWER}))
    )


@pytest.mark.parametrize(
    ("phase", "role", "expected"),
    [
        (ReviewPhase.FIRST_REVIEW, Role.REVIEWER, [10]),
        (ReviewPhase.FIRST_REVIEW, Role.OPERATOR, [10]),
        (ReviewPhase.FIRST_REVIEW, Role.LEAD, [10, 20]),
        (ReviewPhase.SECOND_REVIEW, Role.REVIEWER, []),
        (ReviewPhase.SECOND_REVIEW, Role.OPERATOR, []),
        (ReviewPhase.SECOND_REVIEW, Role.LEAD, [10, 20]),
        (ReviewPhase.ADJUDICATION, Role.REVIEWER, []),
        (ReviewPhase.ADJUDICATION, Role.OPERATOR, []),
        (ReviewPhase.ADJUDICATION, Role.LEAD, [10]),
        (ReviewPhase.SETTLED, Role.REVIEWER, [10]),
        (ReviewPhase.SETTLED, Role.OPERATOR, [10]),
        (ReviewPhase.SETTLED, Role.LEAD, [10]),
    ],
)
def test_what_a_member_who_takes_no_part_sees(phase, role, expected):
    assert seen([FIRST_DONE, SECOND_DRAFT], phase, CARLA, role) == expected


def test_whoever_takes_over_a_returned_card_sees_what_was_handed_in_before_but_no_draft():
    phase = phase_of(CardState.STALE)

    assert seen([FIRST_DONE], phase, BELA, Role.REVIEWER) == [10]
    assert outcome_visible([FIRST_DONE], phase=phase, viewer=Viewer(BELA, frozenset({Role.REVIEWER})))
    assert seen([FIRST_DRAFT], phase_of(CardState.IN_REVIEW), BELA, Role.REVIEWER) == []


@pytest.mark.parametrize("phase", ReviewPhase)
def test_everybody_sees_their_own_review_and_a_reader_sees_none(phase):
    assert 10 in seen([FIRST_DRAFT, SECOND_DONE], phase, ANNA, Role.REVIEWER)
    assert seen([FIRST_DONE, SECOND_DONE], phase, None, None) == []
    assert seen([FIRST_DONE, SECOND_DONE], phase, ANNA, None) == []
    assert not outcome_visible([FIRST_DONE], phase=phase, viewer=Viewer(None, frozenset()))


@pytest.mark.parametrize("phase", ReviewPhase)
def test_outcome_is_shown_exactly_to_who_may_see_every_review_behind_it(phase):
    reviews = [FIRST_DONE, SECOND_DRAFT]

    for person, role in product([ANNA, BELA, CARLA], Role):
        may = 10 in seen(reviews, phase, person, role, asked={BELA})
        viewer = Viewer(person, frozenset({role}))
        assert outcome_visible(reviews, phase=phase, viewer=viewer, asked={BELA}) == may


def test_prefilled_values_of_a_card_nobody_reviewed_are_shown_to_members():
    viewer = Viewer(ANNA, frozenset({Role.REVIEWER}))

    assert outcome_visible([], phase=ReviewPhase.FIRST_REVIEW, viewer=viewer)


@pytest.mark.parametrize("state", CardState)
def test_only_an_approved_card_is_settled(state):
    assert (phase_of(state) is ReviewPhase.SETTLED) == (state is CardState.APPROVED)
