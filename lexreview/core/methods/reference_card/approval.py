"""What still stands between a card and its approval."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from lexreview.core.methods.reference_card.facts import CardFacts, KeyFacts, ScoreInput
from lexreview.core.methods.reference_card.scoring import PointsRefused, applicable_criteria, check_points
from lexreview.core.methods.reference_card.specification import Specification
from lexreview.core.words import Words, gettext_noop, says_nothing
from lexreview.core.workflow import AnswerState


class MissingKind(StrEnum):
    POINTS = "points"
    POINTS_OUT_OF_RANGE = "points_out_of_range"
    EVIDENCE = "evidence"
    REASON = "reason"
    FINDING_EVIDENCE = "finding_evidence"
    FLAGGED_CITATION_NOT_OPENED = "flagged_citation_not_opened"
    CITATION_UNCHECKED = "citation_unchecked"
    RULING = "ruling"


@dataclass(frozen=True, slots=True)
class Missing:
    """One thing missing. `target` is a criterion's code, a finding's class or a citation's text;
    `position` the index of the finding or citation on the card. `blocking` is False for what the
    card only has to say ("checked n of m")."""

    kind: MissingKind
    target: str
    message: str
    position: int | None = None
    blocking: bool = True


def missing_for_approval(specification: Specification, *, key: KeyFacts, card: CardFacts) -> tuple[Missing, ...]:
    """What the card lacks, scores first, then findings, then citations; empty when nothing.

    A criterion needs points and evidence, and a reason where the points differ from the proposal.
    A flagged citation has to be opened by a person before approval. A citation nobody checked does
    not block. A blocked answer has nothing to score, so nothing is missing.
    """
    if card.answer_state is AnswerState.PROVIDER_BLOCK:
        return ()
    return (*_in_scores(specification, key=key, card=card), *_in_findings(card), *_in_citations(card))


def can_be_approved(specification: Specification, *, key: KeyFacts, card: CardFacts) -> bool:
    return not any(missing.blocking for missing in missing_for_approval(specification, key=key, card=card))


def _in_scores(specification: Specification, *, key: KeyFacts, card: CardFacts) -> Iterator[Missing]:
    for criterion in applicable_criteria(specification, key):
        if criterion.rule is not None:
            continue
        code = criterion.code
        score = card.scores_by_criterion.get(code, ScoreInput(criterion=code, points=None))
        if score.points is None:
            yield Missing(MissingKind.POINTS, code, Words(gettext_noop("%(code)s has no points yet."), code=code))
            continue
        try:
            check_points(criterion, key=key, points=score.points)
        except PointsRefused as refused:
            yield Missing(MissingKind.POINTS_OUT_OF_RANGE, code, refused.words)
        if says_nothing(score.evidence):
            message = Words(gettext_noop("%(code)s has points without evidence."), code=code)
            yield Missing(MissingKind.EVIDENCE, code, message)
        if score.proposed is not None and score.points != score.proposed and says_nothing(score.reason):
            message = Words(
                gettext_noop("%(code)s was changed from %(old)s to %(new)s without a reason."),
                code=code, old=score.proposed, new=score.points,
            )  # fmt: skip
            yield Missing(MissingKind.REASON, code, message)


def _in_findings(card: CardFacts) -> Iterator[Missing]:
    for position, finding in enumerate(card.findings):
        if not finding.has_evidence:
            message = Words(
                gettext_noop("Finding %(number)s (class %(code)s) has no evidence."),
                number=position + 1, code=finding.error_class,
            )  # fmt: skip
            yield Missing(MissingKind.FINDING_EVIDENCE, finding.error_class, message, position)


def _in_citations(card: CardFacts) -> Iterator[Missing]:
    for position, citation in enumerate(card.citations):
        if citation.result is not None and citation.result.is_flagged and not citation.opened:
            template = gettext_noop("Citation %(number)s (%(raw)s) is flagged and was not opened.")
            message = Words(template, number=position + 1, raw=citation.raw)
            yield Missing(MissingKind.FLAGGED_CITATION_NOT_OPENED, citation.raw, message, position)
        if not citation.state.is_checked:
            template = gettext_noop("Citation %(number)s (%(raw)s) was not checked.")
            message = Words(template, number=position + 1, raw=citation.raw)
            yield Missing(MissingKind.CITATION_UNCHECKED, citation.raw, message, position, blocking=False)
