"""What the verification report of one answer shows: how many citations were checked, and why the others were not."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import Promise

from lexreview.core.methods.reference_card.facts import CheckResult
from lexreview.verification.advice import advice_on
from lexreview.verification.models import Citation, SupportCheck
from lexreview.verification.reasons import REASONS

DECIDED = {
    CheckResult.CONFIRMED,
    CheckResult.WORDING_DIFFERS,
    CheckResult.WRONG_IDENTIFIER,
    CheckResult.NOT_FOUND,
    CheckResult.NOT_IN_FORCE,
}


@dataclass(frozen=True, slots=True)
class ReasonCount:
    """Why citations could not be decided, in words, and how many."""

    reason: str | Promise
    count: int


@dataclass(frozen=True, slots=True)
class Summary:
    """`checked` of `total` citations were decided; `flagged` of the checked are not plainly confirmed."""

    total: int
    checked: int
    flagged: int
    undecided: list[ReasonCount]
    out_of_scope: list[Citation]


def summary_of(citations: Sequence[Citation]) -> Summary:
    """Count one verification's citations. Out of scope are those that no source here could decide either way."""
    results = [CheckResult(citation.result) for citation in citations]
    decided = [result for result in results if result in DECIDED]
    open_ones = Counter(
        citation.reason or citation.result
        for citation, result in zip(citations, results, strict=True)
        if result not in DECIDED and result is not CheckResult.OUT_OF_SCOPE
    )
    return Summary(
        total=len(citations),
        checked=len(decided),
        flagged=sum(result is not CheckResult.CONFIRMED for result in decided),
        undecided=[ReasonCount(REASONS.get(code, code), count) for code, count in open_ones.most_common()],
        out_of_scope=[
            each for each, result in zip(citations, results, strict=True) if result is CheckResult.OUT_OF_SCOPE
        ],
    )


def with_advice(citations: Sequence[Citation]) -> list[tuple[Citation, SupportCheck | None]]:
    """Each citation with a model's advice on it, None where there is none; one query."""
    advice = advice_on(citations)
    return [(citation, advice.get(citation.pk)) for citation in citations]


def mark_of(citation: Citation) -> str:
    """The sign of a row: the proposed class, `ok` where confirmed, `open` where not decided."""
    if citation.result == CheckResult.CONFIRMED:
        return "ok"
    return citation.proposed_class or "open"
