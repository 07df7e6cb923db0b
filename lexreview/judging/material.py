"""What a judge is shown of one answer, as text. All of it is foreign and is fenced where it enters the prompt."""

from collections.abc import Mapping, Sequence
from typing import Any

from lexreview.core.methods.reference_card.facts import KeyFacts
from lexreview.core.methods.reference_card.specification import Specification
from lexreview.judging.replies import asked_criteria, range_of
from lexreview.questions.models import KeyVersion, Question
from lexreview.questions.models.benchmark import text_in
from lexreview.verification.models import Citation, Verification

LANGUAGE = "en"
LONGEST_SOURCE = 1500


class NoReport(ValueError):
    """The judge is to see the report on the citations, and they were not checked yet."""


def rules_text(rules: Specification, key: KeyFacts) -> str:
    lines = [f"Specification {rules.name} {rules.version}", "", _said(rules.text), "", "Criteria:"]
    for criterion in asked_criteria(rules, key):
        helped = f" {_said(criterion.help)}" if _said(criterion.help) else ""
        lines.append(f"- {criterion.code}, {_said(criterion.name)}, {range_of(criterion, key)} points.{helped}")
    lines += ["", "Error classes:"]
    for each in rules.error_classes:
        kind = "hallucination" if each.hallucination else "no hallucination"
        lines.append(f"- {each.code}, {_said(each.name)} ({kind}): {_said(each.description)}")
    return "\n".join(lines)


def question_text(question: Question) -> str:
    return question.asked_text


def key_text(key: KeyVersion) -> str:
    """Everything the key says, and what is expected of the question."""
    question = key.question
    lines = [f"Core answer: {key.core_answer}"]
    lines += _expected(question.expected)
    lines += _list("Rubric", [f"{each['code']} ({each['points']} points): {each['text']}" for each in key.rubric])
    lines += _list("Penalties, one point each", [f"{each['code']}: {each['text']}" for each in key.penalties])
    lines += _list("Required bases", [_basis(each) for each in key.bases])
    if question.trap:
        lines.append(f"Trap: {question.trap['premise']} ({question.trap['direction']})")
    lines.append(f"Form of the conclusion: {key.calibration}" + (f", on {key.condition}" if key.condition else ""))
    lines.append("Case law is divided on this." if key.disputed else "")
    lines.append(f"Not checked: {key.verification_note}" if key.verification_note else "")
    return "\n".join(line for line in lines if line)


def report_text(verification: Verification) -> str:
    """The newest check of the citations, with what it established about each."""
    rows = list(verification.citations.select_related("edition").in_text_order())
    if not rows:
        return "The answer has no citation that the program found."
    return "\n\n".join(_citation(number, row) for number, row in enumerate(rows, start=1))


def _citation(number: int, row: Citation) -> str:
    lines = [f"{number}. {row.raw}: {row.result}" + (f" ({row.reason})" if row.reason else "")]
    if row.edition is not None:
        lines.append(f"Wording in force from {row.edition.valid_from} to {row.edition.valid_to or 'now'}.")
    if row.quotation:
        lines.append(f"Quoted in the answer: {row.quotation} ({row.quotation_match or 'not compared'})")
    if row.suggestion:
        lines.append(f"Perhaps meant: {row.suggestion}")
    if row.source_text:
        cut = " […]" if len(row.source_text) > LONGEST_SOURCE else ""
        lines.append(f"Official text: {row.source_text[:LONGEST_SOURCE]}{cut}")
    return "\n".join(lines)


def _expected(expected: Mapping[str, Any]) -> list[str]:
    """The answer expected of the question's type, a line for each part that is set."""
    return [f"Expected {name}: {value}" for name, value in sorted(expected.items()) if value is not None]


def _basis(basis: Mapping[str, Any]) -> str:
    quotation = f": “{basis['quotation']}”" if basis.get("quotation") else ""
    return f"{basis['code']}: {basis['citation']}{quotation}"


def _list(title: str, lines: Sequence[str]) -> list[str]:
    return [f"{title}:", *(f"- {line}" for line in lines)] if lines else []


def _said(texts: Mapping[str, str]) -> str:
    return text_in(dict(texts), LANGUAGE, LANGUAGE).strip()
