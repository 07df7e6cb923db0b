"""The figures of the agreement page as lines of a table, for the file that a lead downloads."""

from collections.abc import Iterator

from lexreview.core.methods.reference_card.human_agreement import HumanAgreement
from lexreview.review.agreement import SELF, AgreementPage

COLUMNS = (
    "specification", "pairs", "measure", "positive", "n", "questions", "agreeing", "agreement", "kappa", "kappa_low",
    "kappa_high", "confidence", "commonest", "base_rate", "both_yes", "first_only", "second_only", "both_no", "reason",
)  # fmt: skip


def agreement_lines(page: AgreementPage) -> Iterator[list[str]]:
    """One line per group of pairs and measure; the people with themselves are the group `self`."""
    for group, figures in page.groups:
        for each in figures:
            yield _line(page.version, group.value, each)
    for each in page.self_agreement:
        yield _line(page.version, SELF, each)


def _line(version: str, group: str, each: HumanAgreement) -> list[str]:
    interval, table = each.kappa_over_questions.interval, each.table
    share = each.agreement.share
    return [
        version,
        group,
        each.measure.name,
        each.measure.positive,
        str(each.n),
        str(each.questions),
        str(each.agreement.successes),
        _number(float(share) if share is not None else None),
        _number(each.kappa.value),
        _number(interval.low if interval else None),
        _number(interval.high if interval else None),
        _number(interval.confidence if interval else None),
        each.commonest,
        _number(float(each.base_rate) if each.base_rate is not None else None),
        *([str(table.tp), str(table.fp), str(table.fn), str(table.tn)] if table else ["", "", "", ""]),
        each.kappa.reason or each.kappa_over_questions.reason,
    ]


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.6f}"
