"""Up to three judges as one: whom to ask next, and what their votes decide, one item (a criterion, say) at a time.

A vote's value is any word ("pass", "fail", "yes", "no", "2"); what it means is up to the item.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Seat(StrEnum):
    A = "A"
    B = "B"
    C = "C"


class Strategy(StrEnum):
    """`SINGLE`: judge A alone. `MAJORITY`: three judges, always all asked. `ADAPTIVE`: A and B, and C only where one of
    them failed or they differ."""

    SINGLE = "single"
    MAJORITY = "majority"
    ADAPTIVE = "adaptive_majority"


class Consensus(StrEnum):
    """How a decision came about."""

    SINGLE = "single"
    UNANIMOUS = "unanimous"
    MAJORITY = "majority"
    INITIAL_AGREEMENT = "initial_agreement"
    TIE_BREAKER = "tie_breaker"
    RECOVERY_AGREEMENT = "recovery_agreement"
    UNRESOLVED = "unresolved"


class PanelState(StrEnum):
    """`AB_RUNNING`: the judges who are asked first are at work. `AGREED`, `TIE`, `ONE_FAILED`, `BOTH_FAILED`: what A
    and B came to, as long as nothing followed from it."""

    PENDING = "pending"
    AB_RUNNING = "ab_running"
    AGREED = "agreed"
    TIE = "tie"
    ONE_FAILED = "one_failed"
    BOTH_FAILED = "both_failed"
    C_RUNNING = "c_running"
    RESOLVED = "resolved"
    UNRESOLVED = "unresolved"


SETTLED = frozenset({PanelState.RESOLVED, PanelState.UNRESOLVED})
MOVES: Mapping[PanelState, frozenset[PanelState]] = {
    PanelState.PENDING: frozenset({PanelState.AB_RUNNING}),
    PanelState.AB_RUNNING: frozenset(
        {PanelState.AGREED, PanelState.TIE, PanelState.ONE_FAILED, PanelState.BOTH_FAILED, *SETTLED}
    ),
    PanelState.AGREED: frozenset({PanelState.RESOLVED}),
    PanelState.TIE: frozenset({PanelState.C_RUNNING}),
    PanelState.ONE_FAILED: frozenset({PanelState.C_RUNNING}),
    PanelState.BOTH_FAILED: frozenset({PanelState.UNRESOLVED}),
    PanelState.C_RUNNING: SETTLED,
    # Failed votes may be asked for again; what is resolved stays.
    PanelState.UNRESOLVED: frozenset({PanelState.AB_RUNNING, PanelState.C_RUNNING, PanelState.RESOLVED}),
    PanelState.RESOLVED: frozenset(),
}
"""Every state a panel may go to from each; staying is always allowed."""


@dataclass(frozen=True, slots=True)
class Vote:
    """What a judge said of the item; `value` is None where no valid vote came, after all tries."""

    value: str | None

    @property
    def is_valid(self) -> bool:
        return self.value is not None


Votes = Mapping[Seat, Vote]
"""The newest vote of each judge who has answered so far; whoever is at work, or was never asked, is missing."""
FAILED = Vote(None)
_FIRST = {
    Strategy.SINGLE: (Seat.A,),
    Strategy.MAJORITY: (Seat.A, Seat.B, Seat.C),
    Strategy.ADAPTIVE: (Seat.A, Seat.B),
}


@dataclass(frozen=True, slots=True)
class Decision:
    """What a panel decided on one item. `value` is None where it is unresolved; `supporting` are in order of seats."""

    value: str | None
    consensus: Consensus
    supporting: tuple[Seat, ...] = ()
    tie_breaker_used: bool = False


NOT_RESOLVED = Decision(None, Consensus.UNRESOLVED)


def seats_of(strategy: Strategy) -> tuple[Seat, ...]:
    """Every seat that the strategy may ask."""
    return (Seat.A,) if strategy is Strategy.SINGLE else tuple(Seat)


def first_seats(strategy: Strategy) -> tuple[Seat, ...]:
    """The judges who are asked at once, without knowing of each other."""
    return _FIRST[strategy]


def seats_to_ask(strategy: Strategy, votes: Votes) -> tuple[Seat, ...]:
    """Whom to ask now: the first seats still missing; then, adaptively, C where the table asks for it. Empty: nobody.

    A failed vote is a vote here: to ask again, leave it out.
    """
    if missing := tuple(seat for seat in first_seats(strategy) if seat not in votes):
        return missing
    return (Seat.C,) if strategy is Strategy.ADAPTIVE and needs_third(votes) and Seat.C not in votes else ()


def needs_third(votes: Votes) -> bool:
    """Whether A and B, both there, leave the item to C: they differ, or exactly one of them failed.

    Where both failed C is not asked: one vote could not resolve it.
    """
    a, b = votes[Seat.A], votes[Seat.B]
    if not a.is_valid and not b.is_valid:
        return False
    return a != b


def decide(strategy: Strategy, votes: Votes) -> Decision | None:
    """What the votes decide; None while somebody has still to be asked.

    Single: a valid vote of A decides. Majority: at least two equal valid votes decide; one valid vote is no majority.
    Adaptive: the table of LegalITA; a verdict needs two equal valid votes, and C's vote counts only where C is asked.
    """
    if seats_to_ask(strategy, votes):
        return None
    match strategy:
        case Strategy.SINGLE:
            vote = votes[Seat.A]
            return Decision(vote.value, Consensus.SINGLE, (Seat.A,)) if vote.is_valid else NOT_RESOLVED
        case Strategy.MAJORITY:
            return _majority(votes)
        case Strategy.ADAPTIVE:
            return _adaptive(votes)


def _majority(votes: Votes) -> Decision:
    counts = Counter(vote.value for vote in votes.values() if vote.is_valid)
    value, count = counts.most_common(1)[0] if counts else (None, 0)
    if count < 2:
        return NOT_RESOLVED
    supporting = _supporting(votes, value)
    return Decision(value, Consensus.UNANIMOUS if len(supporting) == len(Seat) else Consensus.MAJORITY, supporting)


def _adaptive(votes: Votes) -> Decision:
    a, b = votes[Seat.A], votes[Seat.B]
    if not needs_third(votes):
        return Decision(a.value, Consensus.INITIAL_AGREEMENT, (Seat.A, Seat.B)) if a.is_valid else NOT_RESOLVED
    c = votes[Seat.C]
    if not c.is_valid or c.value not in {a.value, b.value}:
        return NOT_RESOLVED
    both_valid = a.is_valid and b.is_valid
    consensus = Consensus.TIE_BREAKER if both_valid else Consensus.RECOVERY_AGREEMENT
    return Decision(c.value, consensus, _supporting(votes, c.value), tie_breaker_used=both_valid)


def _supporting(votes: Votes, value: str | None) -> tuple[Seat, ...]:
    return tuple(seat for seat in Seat if seat in votes and votes[seat].value == value)


def state_of(strategy: Strategy, votes: Votes, *, at_work: bool) -> PanelState:
    """Where the panel stands with these votes. `at_work`: whether whoever has still to be asked is being asked.

    What A and B came to lasts only as long as C is not asked yet.
    """
    decision = decide(strategy, votes)
    if decision is not None:
        return PanelState.UNRESOLVED if decision.value is None else PanelState.RESOLVED
    if any(seat not in votes for seat in first_seats(strategy)):
        return PanelState.AB_RUNNING if at_work or votes else PanelState.PENDING
    if at_work:
        return PanelState.C_RUNNING
    return came_to(votes)


def came_to(votes: Votes) -> PanelState:
    """What A and B, both there, came to."""
    a, b = votes[Seat.A], votes[Seat.B]
    if a.is_valid and b.is_valid:
        return PanelState.AGREED if a == b else PanelState.TIE
    return PanelState.ONE_FAILED if a.is_valid or b.is_valid else PanelState.BOTH_FAILED
