"""How far a judge agrees with itself: the same question asked several times. Measured before agreement with anybody."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from lexreview.core.stats.bootstrap import Bootstrap, bootstrap_over_clusters
from lexreview.core.stats.intervals import Proportion, proportion


@dataclass(frozen=True, slots=True)
class RepeatedRow:
    """The votes of one judge on one item of an answer, repeats in order; None for a failed one."""

    question: str
    answer: str
    votes: tuple[str | None, ...]

    @property
    def valid(self) -> tuple[str, ...]:
        return tuple(vote for vote in self.votes if vote is not None)


@dataclass(frozen=True, slots=True)
class SelfAgreement:
    """Over the `answers` with two valid votes or more; `single` have fewer and are in no figure.

    `same`: share of answers on which all valid votes are equal. `pairs`: mean share of equal pairs of votes, in [0, 1],
    each answer weighing the same, with an interval from resampling questions; its estimate is None without an answer.
    """

    answers: int
    single: int
    failed_votes: int
    same: Proportion
    pairs: Bootstrap


def self_agreement(rows: Iterable[RepeatedRow], *, seed: int, resamples: int = 2000) -> SelfAgreement:
    """One row per answer (and item)."""
    listed = list(rows)
    repeated = [row for row in listed if len(row.valid) > 1]
    return SelfAgreement(
        answers=len(repeated),
        single=len(listed) - len(repeated),
        failed_votes=sum(vote is None for row in listed for vote in row.votes),
        same=proportion(sum(len(set(row.valid)) == 1 for row in repeated), len(repeated)),
        pairs=bootstrap_over_clusters(
            repeated, _mean_of_pairs, cluster_key=lambda row: row.question, seed=seed, resamples=resamples
        ),
    )


def _mean_of_pairs(rows: Sequence[RepeatedRow]) -> float | None:
    if not rows:
        return None
    return sum(_equal_pairs(row.valid) for row in rows) / len(rows)


def _equal_pairs(votes: Sequence[str]) -> float:
    pairs = list(combinations(votes, 2))
    return sum(first == second for first, second in pairs) / len(pairs)
