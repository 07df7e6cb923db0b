"""How far a model judge agrees with the approved cards on the label "hallucinated"."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from lexreview.core.methods.reference_card.versions import DatedRules, check_same_rules
from lexreview.core.stats.bootstrap import Bootstrap, bootstrap_over_clusters
from lexreview.core.stats.intervals import Proportion, proportion
from lexreview.core.stats.kappa import BinaryTable, Kappa, binary_table, cohen_kappa, kappa_of_table


class LeftOut(StrEnum):
    """Which answers a row of the table leaves out."""

    NOTHING = "nothing"
    SAME_FAMILY = "same_family"
    ASSISTED = "assisted"


USUAL = (LeftOut.NOTHING, LeftOut.SAME_FAMILY)
NO_PAIRS = BinaryTable(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """A judge's verdict on one answer beside the approved card of that answer.

    `verdict` is None for a failed vote; `card` is whether the card's label is hallucinated, None
    when the answer has no approved card. `same_family`: judge and answering system come from the
    same family; `own_answer`: the judge is the answering system; `assisted`: the judge's model proposed on
    the card, or checked the answer's sources for whoever filled it, so the card is not independent of it.
    """

    judge: str
    answer: str
    question: str
    question_set: str
    verdict: bool | None
    card: bool | None
    same_family: bool
    own_answer: bool
    verdict_specification: str
    card_specification: str
    assisted: bool = False

    def stays(self, left_out: LeftOut) -> bool:
        """Whether the answer is in a row of the table that leaves `left_out` out."""
        if left_out is LeftOut.SAME_FAMILY:
            return not (self.same_family or self.own_answer)
        return left_out is LeftOut.NOTHING or not self.assisted


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """One judge on one set; `question_set` None means all sets together.

    Everything rests on the `n` answers with both a verdict and an approved card; `failed_votes` and
    `without_card` count what that leaves out. In `table` a positive is "hallucinated" and the card
    is the reference. `constant_guess` is the agreement that the better of "always yes" and "always
    no" would reach, against which `agreement` has to be read. `kappa_over_questions` counts its
    undefined resamples.
    """

    judge: str
    question_set: str | None
    left_out: LeftOut
    n: int
    questions: int
    failed_votes: int
    without_card: int
    table: BinaryTable
    agreement: Proportion
    constant_guess: Fraction | None
    kappa: Kappa
    kappa_over_questions: Bootstrap

    @property
    def false_alarms(self) -> int:
        return self.table.fp

    @property
    def misses(self) -> int:
        return self.table.fn


def judge_agreement(
    rows: Iterable[VerdictRow],
    *,
    chain: Sequence[DatedRules],
    seed: int,
    resamples: int = 2000,
    leaving_out: Sequence[LeftOut] = USUAL,
) -> tuple[JudgeAgreement, ...]:
    """Agreement per judge: every set and all sets, once for each of `leaving_out`: all answers, those without kin,
    those whose card the judge's model did not help to fill.

    One row per judge and answer. Without kin means: without answers of the judge's own family and
    without its own. Sorted by judge, then what is left out, sets by code with all sets last. Raises
    `MixedSpecifications` when the rules changed between the versions of two verdicts or cards that
    are compared, `ValueError` when a judge has two verdicts on an answer.
    """
    listed = sorted(rows, key=lambda row: (row.judge, row.answer))
    _check_one_verdict_each(listed)
    _check_versions(listed, chain=chain)
    found: list[JudgeAgreement] = []
    for judge in sorted({row.judge for row in listed}):
        own = [row for row in listed if row.judge == judge]
        for left_out in leaving_out:
            kept = [row for row in own if row.stays(left_out)]
            for question_set in (*sorted({row.question_set for row in own}), None):
                part = [row for row in kept if question_set is None or row.question_set == question_set]
                found.append(
                    _agreement(judge, question_set, left_out=left_out, rows=part, seed=seed, resamples=resamples)
                )
    return tuple(found)


def _agreement(
    judge: str, question_set: str | None, *, left_out: LeftOut, rows: Sequence[VerdictRow], seed: int, resamples: int
) -> JudgeAgreement:
    compared = [
        (row.question, (row.verdict, row.card)) for row in rows if row.verdict is not None and row.card is not None
    ]
    pairs = [pair for _, pair in compared]
    table = binary_table(pairs)
    return JudgeAgreement(
        judge=judge,
        question_set=question_set,
        left_out=left_out,
        n=table.n,
        questions=len({question for question, _ in compared}),
        failed_votes=sum(row.verdict is None for row in rows),
        without_card=sum(row.card is None for row in rows),
        table=table,
        agreement=proportion(table.agreeing, table.n),
        constant_guess=Fraction(max(table.positives, table.n - table.positives), table.n) if table.n else None,
        kappa=cohen_kappa(pairs),
        kappa_over_questions=bootstrap_over_clusters(
            _table_per_question(compared),
            lambda drawn: kappa_of_table(sum((part for _, part in drawn), NO_PAIRS)).value,
            cluster_key=lambda row: row[0],
            seed=seed,
            resamples=resamples,
        ),
    )


def _table_per_question(compared: Sequence[tuple[str, tuple[bool, bool]]]) -> list[tuple[str, BinaryTable]]:
    """A drawn question brings all its answers, so its table is all that a resample needs."""
    pairs: dict[str, list[tuple[bool, bool]]] = {}
    for question, pair in compared:
        pairs.setdefault(question, []).append(pair)
    return [(question, binary_table(listed)) for question, listed in pairs.items()]


def _check_one_verdict_each(rows: Sequence[VerdictRow]) -> None:
    seen: set[tuple[str, str]] = set()
    for row in rows:
        if (row.judge, row.answer) in seen:
            raise ValueError(f"{row.judge} has more than one verdict on {row.answer}")
        seen.add((row.judge, row.answer))


def _check_versions(rows: Sequence[VerdictRow], *, chain: Sequence[DatedRules]) -> None:
    versions: dict[str, str] = {}
    for row in rows:
        if row.verdict is not None and row.card is not None:
            versions[f"verdict of {row.judge} on {row.answer}"] = row.verdict_specification
            versions[f"card {row.answer}"] = row.card_specification
    check_same_rules(versions, chain=chain)
