"""States, the transitions allowed between them, and who sees whose review.

Everything that moves a card, a key version, a decision or an answer asks this module first;
pages, documentation and tests derive from the same dicts.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Generic, TypeVar

from lexreview.core.words import says_nothing


class Role(StrEnum):
    """What a member of a benchmark may be; one person can hold several roles."""

    REVIEWER = "reviewer"
    LEAD = "lead"
    OPERATOR = "operator"


class CardState(StrEnum):
    EMPTY = "empty"
    PREFILLED = "prefilled"
    IN_REVIEW = "in_review"
    APPROVED = "approved"
    NEEDS_RULING = "needs_ruling"
    SECOND_REVIEW = "second_review"
    IN_ADJUDICATION = "in_adjudication"
    STALE = "stale"
    PARKED = "parked"


class Round(IntEnum):
    """Which review of an answer a card holds. A repeat is a first review given to its reviewer once more, unannounced,
    for the agreement of a person with themselves; a rehearsal is done on a pre-fill with planted errors, to see how
    many of them the person finds. Neither counts in any result."""

    FIRST = 1
    SECOND = 2
    ADJUDICATED = 3
    REPEAT = 4
    REHEARSAL = 5


ASIDE = (Round.REPEAT, Round.REHEARSAL)
"""Rounds that are between their reviewer and the leads."""


class KeyState(StrEnum):
    DRAFT = "draft"
    APPROVED = "approved"
    SUPERSEDED = "superseded"


class DecisionState(StrEnum):
    DRAFT = "draft"
    PUBLISHED = "published"


class AnswerState(StrEnum):
    """`failed` is technical: it can be collected again and is never scored."""

    ANSWERED = "answered"
    EMPTY = "empty"
    PROVIDER_BLOCK = "provider_block"
    FAILED = "failed"

    @property
    def is_scored(self) -> bool:
        return self is not AnswerState.FAILED


class CitationState(StrEnum):
    """What a person said about a citation; the machine's result is kept beside it, never in it."""

    UNCHECKED = "unchecked"
    CONFIRMED = "confirmed"
    ERROR = "error"
    UNDETERMINED = "undetermined"

    @property
    def is_checked(self) -> bool:
        return self is not CitationState.UNCHECKED


class CardVerb(StrEnum):
    PREFILL = "prefill"
    START_REVIEW = "start_review"
    SAVE = "save"
    APPROVE = "approve"
    ASK_RULING = "ask_ruling"
    GIVE_RULING = "give_ruling"
    PARK = "park"
    UNPARK = "unpark"
    WITHDRAW = "withdraw"
    RETURN = "return"
    REVISE = "revise"
    SELECT_FOR_SECOND_REVIEW = "select_for_second_review"
    CANCEL_SECOND_REVIEW = "cancel_second_review"
    RECORD_AGREEMENT = "record_agreement"
    RECORD_CONFLICT = "record_conflict"
    ADJUDICATE = "adjudicate"
    REOPEN_ADJUDICATION = "reopen_adjudication"
    MARK_STALE = "mark_stale"


class KeyVerb(StrEnum):
    EDIT = "edit"
    APPROVE = "approve"
    SUPERSEDE = "supersede"


class DecisionVerb(StrEnum):
    EDIT = "edit"
    PUBLISH = "publish"


class AnswerVerb(StrEnum):
    COLLECT_AGAIN = "collect_again"


S = TypeVar("S", CardState, KeyState, DecisionState, AnswerState)
V = TypeVar("V", CardVerb, KeyVerb, DecisionVerb, AnswerVerb)


@dataclass(frozen=True, slots=True)
class Transition(Generic[S]):
    """One allowed move: from any of `sources` to `target`, by a holder of any of `roles`."""

    sources: frozenset[S]
    target: S
    roles: frozenset[Role]
    needs_reason: bool = False


class TransitionRefused(Exception):
    """The move is not allowed; the text is fit for the user.

    `why` is "state", "role" or "reason"; `verb` and `state` are the stored values.
    """

    def __init__(self, message: str, *, why: str, verb: str, state: str) -> None:
        super().__init__(message)
        self.why = why
        self.verb = verb
        self.state = state


_ASSESSORS = frozenset({Role.REVIEWER, Role.LEAD})
_LEAD = frozenset({Role.LEAD})

CARD_TRANSITIONS: Mapping[CardVerb, Transition[CardState]] = {
    CardVerb.PREFILL: Transition(
        frozenset({CardState.EMPTY, CardState.PREFILLED, CardState.STALE}),
        CardState.PREFILLED,
        frozenset({Role.OPERATOR}),
    ),
    CardVerb.START_REVIEW: Transition(
        frozenset({CardState.EMPTY, CardState.PREFILLED, CardState.STALE}), CardState.IN_REVIEW, _ASSESSORS
    ),
    CardVerb.SAVE: Transition(frozenset({CardState.IN_REVIEW}), CardState.IN_REVIEW, _ASSESSORS),
    CardVerb.APPROVE: Transition(frozenset({CardState.IN_REVIEW}), CardState.APPROVED, _ASSESSORS),
    CardVerb.ASK_RULING: Transition(
        frozenset({CardState.IN_REVIEW}), CardState.NEEDS_RULING, _ASSESSORS, needs_reason=True
    ),
    CardVerb.GIVE_RULING: Transition(
        frozenset({CardState.NEEDS_RULING}), CardState.IN_REVIEW, _LEAD, needs_reason=True
    ),
    CardVerb.PARK: Transition(
        frozenset({CardState.EMPTY, CardState.PREFILLED, CardState.IN_REVIEW, CardState.STALE}),
        CardState.PARKED,
        _ASSESSORS,
        needs_reason=True,
    ),
    CardVerb.UNPARK: Transition(frozenset({CardState.PARKED}), CardState.IN_REVIEW, _ASSESSORS),
    CardVerb.WITHDRAW: Transition(
        frozenset({CardState.IN_REVIEW, CardState.APPROVED}), CardState.PREFILLED, _ASSESSORS, needs_reason=True
    ),
    CardVerb.RETURN: Transition(frozenset({CardState.APPROVED}), CardState.IN_REVIEW, _LEAD, needs_reason=True),
    CardVerb.REVISE: Transition(frozenset({CardState.APPROVED}), CardState.IN_REVIEW, _ASSESSORS, needs_reason=True),
    CardVerb.SELECT_FOR_SECOND_REVIEW: Transition(frozenset({CardState.APPROVED}), CardState.SECOND_REVIEW, _LEAD),
    CardVerb.CANCEL_SECOND_REVIEW: Transition(
        frozenset({CardState.SECOND_REVIEW}), CardState.APPROVED, _LEAD, needs_reason=True
    ),
    CardVerb.RECORD_AGREEMENT: Transition(frozenset({CardState.SECOND_REVIEW}), CardState.APPROVED, _ASSESSORS),
    CardVerb.RECORD_CONFLICT: Transition(frozenset({CardState.SECOND_REVIEW}), CardState.IN_ADJUDICATION, _ASSESSORS),
    CardVerb.ADJUDICATE: Transition(
        frozenset({CardState.IN_ADJUDICATION}), CardState.APPROVED, _LEAD, needs_reason=True
    ),
    CardVerb.REOPEN_ADJUDICATION: Transition(
        frozenset({CardState.APPROVED}), CardState.IN_ADJUDICATION, _LEAD, needs_reason=True
    ),
    CardVerb.MARK_STALE: Transition(
        frozenset(CardState) - {CardState.EMPTY, CardState.STALE},
        CardState.STALE,
        frozenset({Role.LEAD, Role.OPERATOR}),
        needs_reason=True,
    ),
}

KEY_TRANSITIONS: Mapping[KeyVerb, Transition[KeyState]] = {
    KeyVerb.EDIT: Transition(frozenset({KeyState.DRAFT}), KeyState.DRAFT, _LEAD),
    KeyVerb.APPROVE: Transition(frozenset({KeyState.DRAFT}), KeyState.APPROVED, _LEAD),
    KeyVerb.SUPERSEDE: Transition(frozenset({KeyState.APPROVED}), KeyState.SUPERSEDED, _LEAD, needs_reason=True),
}

DECISION_TRANSITIONS: Mapping[DecisionVerb, Transition[DecisionState]] = {
    DecisionVerb.EDIT: Transition(frozenset({DecisionState.DRAFT}), DecisionState.DRAFT, _LEAD),
    DecisionVerb.PUBLISH: Transition(frozenset({DecisionState.DRAFT}), DecisionState.PUBLISHED, _LEAD),
}

# What a new attempt ends in is the provider's doing; the target is the state it sets out to reach.
ANSWER_TRANSITIONS: Mapping[AnswerVerb, Transition[AnswerState]] = {
    AnswerVerb.COLLECT_AGAIN: Transition(
        frozenset({AnswerState.FAILED}), AnswerState.ANSWERED, frozenset({Role.OPERATOR})
    ),
}

_NOUNS: Mapping[type[StrEnum], str] = {
    CardState: "card",
    KeyState: "key version",
    DecisionState: "decision",
    AnswerState: "answer",
}


def check_transition(
    transitions: Mapping[V, Transition[S]], verb: V, *, state: S, roles: Collection[str], reason: str = ""
) -> S:
    """Return the state that `verb` leads to from `state`, or raise `TransitionRefused`.

    `transitions` is one of the four dicts above, `roles` are the roles the person holds in the
    benchmark (stored values or `Role`). The state is checked before the role and the role before
    the reason, so the user is told first what they can do least about. A blank `reason` counts as none.
    """
    transition = transitions[verb]
    states = type(transition.target)
    what = f"{_NOUNS[states]} cannot be changed by “{_spoken(verb)}”"
    if state not in transition.sources:
        sources = " or ".join(f"“{_spoken(each)}”" for each in states if each in transition.sources)
        message = f"This {what}: it is “{_spoken(states(state))}” and would have to be {sources}."
        raise TransitionRefused(message, why="state", verb=verb, state=state)
    if not transition.roles.intersection(roles):
        needed = " or ".join(each for each in Role if each in transition.roles)
        message = f"This {what} by you: that takes the role {needed}."
        raise TransitionRefused(message, why="role", verb=verb, state=state)
    if transition.needs_reason and says_nothing(reason):
        raise TransitionRefused(f"This {what} without a reason.", why="reason", verb=verb, state=state)
    return transition.target


def allowed_verbs(transitions: Mapping[V, Transition[S]], *, state: S, roles: Collection[str]) -> tuple[V, ...]:
    """The verbs a holder of `roles` may use on something in `state`, in the dict's order."""
    return tuple(
        verb
        for verb, transition in transitions.items()
        if state in transition.sources and transition.roles.intersection(roles)
    )


def _spoken(value: StrEnum) -> str:
    return value.value.replace("_", " ")


class ReviewPhase(StrEnum):
    FIRST_REVIEW = "first_review"
    SECOND_REVIEW = "second_review"
    ADJUDICATION = "adjudication"
    SETTLED = "settled"


_PHASES: Mapping[CardState, ReviewPhase] = {
    CardState.SECOND_REVIEW: ReviewPhase.SECOND_REVIEW,
    CardState.IN_ADJUDICATION: ReviewPhase.ADJUDICATION,
    CardState.APPROVED: ReviewPhase.SETTLED,
}


def phase_of(state: CardState) -> ReviewPhase:
    """The phase that decides who sees which review of an answer whose first-round card is in `state`.

    A blind second review kept as a card of its own has its own state; asking with that one would
    open the round too early.
    """
    return _PHASES.get(state, ReviewPhase.FIRST_REVIEW)


@dataclass(frozen=True, slots=True)
class ReviewSlip:
    """What blinding needs to know of one review: whose it is and whether it was handed in."""

    review_id: int
    reviewer_id: int
    submitted: bool


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: `person_id` None is a reader without login; `roles` are those in this benchmark."""

    person_id: int | None
    roles: frozenset[str]


def visible_reviews(
    reviews: Iterable[ReviewSlip], *, phase: ReviewPhase, viewer: Viewer, asked: Collection[int] = ()
) -> tuple[ReviewSlip, ...]:
    """The reviews of one card that `viewer` may see, in the order given.

    `asked` are the ids of people asked to review this card, including those who have not begun.
    Page, API and export all call this and nothing else decides.

    - A reviewer always sees their own review.
    - First review: a draft is seen only by its author and by leads; what was handed in before the
      card came back (returned, stale) by every member.
    - Second review (blind): a lead who takes no part sees all; whoever takes part sees only their
      own review until every review asked for was handed in; nobody else sees any.
    - Adjudication: those who take part and leads see all.
    - Settled: every member sees all that was handed in.
    - A reader without login sees publications, never a review.
    """
    slips = tuple(reviews)
    if viewer.person_id is None or not viewer.roles:
        return ()
    others = _others_shown(slips, phase=phase, viewer=viewer, asked=asked)
    return tuple(slip for slip in slips if slip.reviewer_id == viewer.person_id or slip in others)


def _others_shown(
    slips: tuple[ReviewSlip, ...], *, phase: ReviewPhase, viewer: Viewer, asked: Collection[int]
) -> frozenset[ReviewSlip]:
    taking_part = frozenset(asked) | {slip.reviewer_id for slip in slips}
    takes_part = viewer.person_id in taking_part
    is_lead = Role.LEAD in viewer.roles
    submitted = frozenset(slip for slip in slips if slip.submitted)
    match phase:
        case ReviewPhase.FIRST_REVIEW:
            return frozenset(slips) if is_lead else submitted
        case ReviewPhase.SECOND_REVIEW if takes_part:
            handed_in = {slip.reviewer_id for slip in submitted}
            complete = taking_part == handed_in and len(submitted) == len(slips)
            return submitted if complete else frozenset()
        case ReviewPhase.SECOND_REVIEW:
            return frozenset(slips) if is_lead else frozenset()
        case ReviewPhase.ADJUDICATION:
            return submitted if takes_part or is_lead else frozenset()
        case ReviewPhase.SETTLED:
            return submitted


def outcome_visible(
    reviews: Iterable[ReviewSlip], *, phase: ReviewPhase, viewer: Viewer, asked: Collection[int] = ()
) -> bool:
    """Whether `viewer` may see the card's own scores, label and findings.

    They repeat what the handed-in reviews say, so they are shown only to who may see all of those.
    A card without any handed-in review shows its pre-filled values to every member.
    """
    slips = tuple(reviews)
    if viewer.person_id is None or not viewer.roles:
        return False
    seen = visible_reviews(slips, phase=phase, viewer=viewer, asked=asked)
    return all(slip in seen for slip in slips if slip.submitted)


def check_adjudicator(*, person_id: int, reviewers: Collection[int]) -> None:
    """Raise `TransitionRefused` when the person reviewed the card they are about to adjudicate."""
    if person_id in reviewers:
        raise TransitionRefused(
            "You reviewed this card, so somebody else has to adjudicate it.",
            why="role",
            verb=CardVerb.ADJUDICATE,
            state=CardState.IN_ADJUDICATION,
        )
