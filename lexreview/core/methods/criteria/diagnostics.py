"""How the judges of a panel got along over many items: rates, votes, agreement of the first two."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from lexreview.core.methods.criteria.panel import Consensus, Decision, Seat, Strategy, Votes, decide
from lexreview.core.stats.bootstrap import Bootstrap, bootstrap_over_clusters
from lexreview.core.stats.intervals import Proportion, proportion
from lexreview.core.stats.kappa import Kappa, cohen_kappa

NOT_CALLED, ERROR = "not_called", "error"


@dataclass(frozen=True, slots=True)
class PanelRow:
    """One item of one answer: the newest vote of each judge who was asked. `question` is its cluster."""

    question: str
    answer: str
    item: str
    votes: Votes


@dataclass(frozen=True, slots=True)
class PanelDiagnostics:
    """Over the `evaluated` items whose votes are complete; `open` are the others, which are in no figure.

    The rates are shares of `evaluated`; those of consensus sum to 1. `value_rates`: per judge and value its share of
    the judge's valid votes. `matrix`: how often each combination of votes came, as `A:pass|B:error|C:not_called`.
    `kappa_ab` is over items on which A and B both gave a valid vote, and undefined (with a reason) without any;
    its interval comes from resampling questions.
    """

    evaluated: int
    open: int
    consensus_rates: Mapping[Consensus, Proportion]
    third_evaluated: int
    calls: Mapping[Seat, int]
    failed: Mapping[Seat, int]
    value_rates: Mapping[Seat, Mapping[str, Proportion]]
    matrix: Mapping[str, int]
    kappa_ab: Kappa
    kappa_ab_over_questions: Bootstrap

    @property
    def unresolved_rate(self) -> Proportion:
        return self.consensus_rates[Consensus.UNRESOLVED]


def panel_diagnostics(
    rows: Iterable[PanelRow], strategy: Strategy, *, seed: int, resamples: int = 2000
) -> PanelDiagnostics:
    """One row per answer and item. Calls are counted as votes; a call that was tried again is one vote here.

    Source: diagnostics of LegalITA; kappa is per run instead of per task, with n and an interval.
    """
    listed = list(rows)
    decided = [(row, decision) for row in listed if (decision := decide(strategy, row.votes)) is not None]
    votes = [row.votes for row, _decision in decided]
    pairs = [(row.question, pair) for row, _decision in decided if (pair := _valid_pair(row.votes)) is not None]
    return PanelDiagnostics(
        evaluated=len(decided),
        open=len(listed) - len(decided),
        consensus_rates=_rates([decision for _row, decision in decided]),
        third_evaluated=sum(Seat.C in each for each in votes),
        calls={seat: sum(seat in each for each in votes) for seat in Seat},
        failed={seat: sum(seat in each and not each[seat].is_valid for each in votes) for seat in Seat},
        value_rates={seat: _value_rates(votes, seat) for seat in Seat},
        matrix=dict(sorted(Counter(combination_of(each) for each in votes).items())),
        kappa_ab=cohen_kappa(pair for _question, pair in pairs),
        kappa_ab_over_questions=bootstrap_over_clusters(
            pairs,
            lambda drawn: cohen_kappa(pair for _question, pair in drawn).value,
            cluster_key=lambda row: row[0],
            seed=seed,
            resamples=resamples,
        ),
    )


def combination_of(votes: Votes) -> str:
    """The votes as one word: `A:pass|B:error|C:not_called`."""
    return "|".join(f"{seat}:{_word(votes, seat)}" for seat in Seat)


def _word(votes: Votes, seat: Seat) -> str:
    if seat not in votes:
        return NOT_CALLED
    return votes[seat].value or ERROR


def _valid_pair(votes: Votes) -> tuple[str, str] | None:
    a, b = votes[Seat.A].value, votes[Seat.B].value if Seat.B in votes else None
    return None if a is None or b is None else (a, b)


def _rates(decisions: Sequence[Decision]) -> dict[Consensus, Proportion]:
    counts = Counter(decision.consensus for decision in decisions)
    return {consensus: proportion(counts[consensus], len(decisions)) for consensus in Consensus}


def _value_rates(votes: Sequence[Votes], seat: Seat) -> dict[str, Proportion]:
    values = [value for each in votes if seat in each and (value := each[seat].value) is not None]
    return {value: proportion(count, len(values)) for value, count in sorted(Counter(values).items())}
