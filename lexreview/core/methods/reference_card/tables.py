"""Tables beside the headline: each counts answers, never findings, and keeps its denominator."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from lexreview.core.methods.reference_card.card_rows import (
    CardRow,
    Count,
    Group,
    Mean,
    by_group,
    check_one_row_each,
    mean_of,
    scored,
)
from lexreview.core.methods.reference_card.facts import OfficialSource, Origin, Scope
from lexreview.core.methods.reference_card.label import Label
from lexreview.core.methods.reference_card.specification import Specification

CORE = "core"
PERIPHERAL_ONLY = "peripheral_only"


@dataclass(frozen=True, slots=True)
class GroupCounts:
    """Of `answers` answers of a group, how many fall under each category.

    An answer may fall under several categories (error classes) or under none, so the counts need
    not add up to `answers`.
    """

    group: Group
    answers: int
    counts: Mapping[str, int]

    def count(self, category: str) -> Count:
        return Count(self.counts[category], self.answers)


CountTable = Mapping[Group, GroupCounts]


@dataclass(frozen=True, slots=True)
class QuestionCell:
    """The answers of one group to one question; `labels` in order of system, condition, repetition."""

    question: str
    group: Group
    labels: tuple[Label, ...]
    grounded: Count
    hallucinated: Count
    a_percent: Mean


@dataclass(frozen=True, slots=True)
class Tables:
    error_classes: CountTable
    origins: CountTable
    scopes: CountTable
    grounding: CountTable
    questions: Mapping[str, Mapping[Group, QuestionCell]]


def tables(rows: Iterable[CardRow], *, specification: Specification) -> Tables:
    """All tables of a set of approved cards, one row per answer; failed answers are left out.

    `specification` is the version the report is made under; its error classes are listed even
    where none occurred. `headline` has to have accepted the rows: it refuses mixed versions.
    """
    listed = list(rows)
    check_one_row_each(listed)
    counted = scored(listed)
    with_tools = [row for row in counted if row.official_source is not None]
    return Tables(
        error_classes=error_class_table(counted, classes=[each.code for each in specification.error_classes]),
        origins=_count(counted, list(Origin), lambda row: {finding.origin for finding in row.findings}),
        scopes=_count(counted, [CORE, PERIPHERAL_ONLY], _scope_of),
        grounding=_count(with_tools, list(OfficialSource), lambda row: {row.official_source or ""}),
        questions=question_table(counted),
    )


def error_class_table(rows: Sequence[CardRow], *, classes: Sequence[str]) -> CountTable:
    """Answers in which each class occurs at least once; a class found but not listed comes after."""
    found = {finding.error_class for row in rows for finding in row.findings}
    listed = [*classes, *sorted(found.difference(classes))]
    return _count(rows, listed, lambda row: {finding.error_class for finding in row.findings})


def question_table(rows: Sequence[CardRow]) -> Mapping[str, Mapping[Group, QuestionCell]]:
    """Per question, in order of code, every group's answers to it."""
    questions = sorted({row.question for row in rows})
    return {
        question: {
            group: _question_cell(question, group, members)
            for group, members in by_group([row for row in rows if row.question == question]).items()
        }
        for question in questions
    }


def _question_cell(question: str, group: Group, rows: Sequence[CardRow]) -> QuestionCell:
    ordered = sorted(rows, key=lambda row: (row.system, row.condition, row.repetition))
    labels = Counter(row.label for row in rows)
    return QuestionCell(
        question=question,
        group=group,
        labels=tuple(row.label for row in ordered),
        grounded=Count(labels[Label.CORRECTLY_GROUNDED], len(rows)),
        hallucinated=Count(labels[Label.HALLUCINATED], len(rows)),
        a_percent=mean_of(None if row.a is None else row.a.value for row in ordered),
    )


def _count(
    rows: Sequence[CardRow], categories: Sequence[str], categories_of: Callable[[CardRow], Iterable[str]]
) -> CountTable:
    table: dict[Group, GroupCounts] = {}
    for group, members in by_group(rows).items():
        counts = Counter(category for row in members for category in categories_of(row))
        table[group] = GroupCounts(group, len(members), {str(each): counts[each] for each in categories})
    return table


def _scope_of(row: CardRow) -> set[str]:
    """An answer with one error in the core counts there, whatever else it has."""
    scopes = {finding.scope for finding in row.findings}
    if Scope.CORE in scopes:
        return {CORE}
    return {PERIPHERAL_ONLY} if scopes else set()
