"""A card's page: the answer with what was found in it, its points with their evidence, and its history."""

from collections.abc import Sequence
from decimal import Decimal

from lexreview.answers.answer_html import answer_html
from lexreview.answers.models import Answer
from lexreview.core.methods.reference_card.facts import CheckResult
from lexreview.core.methods.reference_card.scoring import (
    a_percent,
    is_applicable,
    maximum_of,
    points_of,
)
from lexreview.core.methods.reference_card.specification import Criterion, KeyMaximum, Specification
from lexreview.core.workflow import CitationState
from lexreview.law.unit_names import unit_name
from lexreview.questions.key_facts import key_facts_of
from lexreview.questions.models import KeyVersion
from lexreview.reports.freezing.highlights import highlights_of
from lexreview.reports.freezing.log import shown_decisions
from lexreview.reports.freezing.naming import answer_json
from lexreview.reports.freezing.numbers import Json, money, points
from lexreview.reports.freezing.people import display_name
from lexreview.reports.freezing.questions import a_json
from lexreview.reports.gather import Material
from lexreview.reports.records import card_facts
from lexreview.review.models import Card, CardCitation, Finding, Score
from lexreview.verification.models import Citation

DETAILS = {KeyMaximum.RUBRIC: "elements", KeyMaximum.BASES: "bases", KeyMaximum.PENALTIES: "penalties"}


def card_page(answer: Answer, material: Material) -> Json:
    """Of a card that is not approved: its answer, and that it is not approved. No score, finding or verdict."""
    card = material.cards.get(answer.pk)
    page = {**_answer(answer), "approved": card is not None}
    if card is None:
        return {**page, "html": str(answer_html(answer.text).html), "unplaced": []}
    specification = material.rules_of(card)
    citations, findings = list(card.citations.all()), list(card.findings.all())
    shown = answer_html(answer.text, highlights_of(citations, findings, specification, material.benchmark.language))
    key, facts = card.key_version, card_facts(card, specification)
    classes = {row.citation_id: row.error_class for row in findings if row.citation_id}
    return {
        **page,
        "html": str(shown.html),
        "unplaced": sorted(number for kind, number in shown.unplaced if kind == "citation"),
        "label": card.label,
        "rule": card.label_rule,
        "a": a_json(a_percent(specification, key=key_facts_of(key), card=facts)),
        "specification": specification.version,
        "key_version": key.number,
        "departure": key.departure,
        "official_source": card.official_source if answer.run.condition.tools else "",
        "note": card.note,
        "checked": {"n": _checked(citations), "of": len(citations)},
        "criteria": _criteria(card, specification),
        "citations": [_citation(row, classes.get(row.pk, ""), material) for row in citations],
        "findings": [_finding(row, specification) for row in findings],
        "decisions": _decisions(answer, material),
        "verdicts": _verdicts(answer, material),
        "approver": display_name(card.approved_by),
        "approved_at": card.approved_at.isoformat() if card.approved_at else None,
        "history": _history(card),
    }


def errors_page(material: Material) -> Json:
    """Every accepted finding of the counted cards, in reading order, with its answer."""
    return {
        "findings": [
            {**answer_json(card.answer), **_finding(row, material.rules_of(card))}
            for card in material.cards.values()
            for row in card.findings.all()
        ],
        "classes": [
            {"code": each.code, "names": dict(each.name), "descriptions": dict(each.description)}
            for each in material.newest_rules.error_classes
        ],
    }


def _checked(citations: Sequence[CardCitation]) -> int:
    return sum(CitationState(row.state).is_checked for row in citations)


def _answer(answer: Answer) -> Json:
    return {
        **answer_json(answer),
        "question_text": answer.question.asked_text,
        "answered_at": answer.answered_at.isoformat(),
        "served_model": answer.served_model,
        "settings": answer.settings,
        "block_reason": answer.block_reason,
        "usage": answer.usage,
        "cost": money(answer.cost_usd),
        "cost_lower": answer.cost_is_lower_bound,
        "sha256": answer.sha256,
        "characters": len(answer.text),
        "trace": answer.trace,
    }


def _criteria(card: Card, specification: Specification) -> list[Json]:
    scores = {row.criterion: row for row in card.scores.all()}
    facts, key = card_facts(card, specification), key_facts_of(card.key_version)
    rows = []
    for criterion in specification.criteria:
        score = scores.get(criterion.code) or Score()
        applies = is_applicable(criterion, key)
        rows.append(
            {
                "code": criterion.code,
                "block": criterion.block,
                "names": dict(criterion.name),
                "enters": criterion.enters.value,
                "applies": applies,
                "points": points(points_of(criterion, facts)) if applies else None,
                "maximum": points(maximum_of(criterion, key)) if applies else None,
                "proposed": points(score.proposed),
                "changed": score.is_changed,
                "by_rule": criterion.rule is not None,
                "evidence": score.evidence,
                "reason": score.reason,
                "elements": _elements(criterion, score, card.key_version),
                "decider": display_name(score.decided_by),
            }
        )
    return rows


def _elements(criterion: Criterion, score: Score, key: KeyVersion) -> list[Json]:
    """What of the key the criterion counts; [] for a criterion that counts nothing of it.

    `met` is None unless a person's points are those of the elements ticked: else the ticks are of the proposal.
    """
    if not isinstance(criterion.maximum, KeyMaximum):
        return []
    listed = {KeyMaximum.RUBRIC: key.rubric, KeyMaximum.BASES: key.bases, KeyMaximum.PENALTIES: key.penalties}
    elements, ticked = listed[criterion.maximum], score.details.get(DETAILS[criterion.maximum], [])
    worth = sum((Decimal(str(each.get("points", 1))) for each in elements if each["code"] in ticked), Decimal(0))
    known = score.decided is not None and score.decided == worth
    return [
        {
            "code": each["code"],
            "text": each.get("text") or each.get("citation", ""),
            "met": each["code"] in ticked if known else None,
        }
        for each in elements
    ]


def _citation(row: CardCitation, error_class: str, material: Material) -> Json:
    """`class` is that of the finding about the citation, "" where there is none."""
    return {
        "class": error_class,
        "number": row.number,
        "raw": row.raw,
        "state": row.state,
        "note": row.note,
        "decider": display_name(row.decided_by),
        **({"in_bulk": True} if row.in_bulk else {}),
        "layer": None if row.checked is None else _layer(row.checked, material),
    }


def _layer(row: Citation, material: Material) -> Json:
    benchmark = material.benchmark
    return {
        "result": CheckResult(row.result).value,
        "explanation": row.explanation,
        "suggestion": row.suggestion,
        "act": row.act.title(benchmark.language) if row.act else row.act_name,
        "unit": unit_name(row.unit_key, jurisdiction=benchmark.jurisdiction, lang=benchmark.language),
        "ruling": f"{row.ruling.court}, {row.ruling.docket}" if row.ruling else "",
        "valid_from": row.edition.valid_from.isoformat() if row.edition else None,
        "valid_to": row.edition.valid_to.isoformat() if row.edition and row.edition.valid_to else None,
        "standing": row.edition.standing if row.edition else "",
        "source_text": row.source_text,
        "source_url": row.source_url,
        "source_sha256": row.source_sha256,
        "quotation": row.quotation,
        "diff": row.diff,
    }


def _finding(row: Finding, specification: Specification) -> Json:
    error_class = specification.error_class(row.error_class)
    return {
        "number": row.number,
        "class": row.error_class,
        "names": dict(error_class.name),
        "hallucination": error_class.hallucination,
        "claim": row.claim,
        "source_says": row.source_says,
        "source": row.checked_source,
        "address": row.checked_address,
        "edition": row.checked_edition,
        "checked_on": row.checked_on.isoformat() if row.checked_on else None,
        "origin": row.origin,
        "scope": row.scope,
        "citation": row.citation.number if row.citation else None,
        "reason": row.reason,
        "decider": display_name(row.decided_by),
    }


def _decisions(answer: Answer, material: Material) -> list[Json]:
    """Those of the public log that name the answer or its question, or that answer a question put on a card of it."""
    return [
        {"number": each.number, "question": each.question, "decided_on": each.decided_on.isoformat()}
        for each in shown_decisions(material)
        if each.governs(question=answer.question.code, card=answer.identifier)
        or each.number in material.asked.get(answer.pk, ())
    ]


def _verdicts(answer: Answer, material: Material) -> list[Json]:
    return [
        {
            "judge": each.judge.code,
            "name": each.judge.name,
            "hallucinated": each.hallucinated,
            "findings": each.findings,
            "checked": len(each.citations_checked),
            "same_family": each.judge.is_of_family_of(answer.run.system),
        }
        for each in material.verdicts
        if each.answer_id == answer.pk
    ]


def _history(card: Card) -> list[Json]:
    """What happened to the card, oldest first: `what` is a word that the page puts into the reader's language."""
    steps = [{"at": card.answer.answered_at.isoformat(), "what": "collected", "who": "", "why": "", "detail": ""}]
    if card.verification is not None:
        steps.append(
            {
                "at": card.verification.verified_at.isoformat(),
                "what": "verified",
                "who": "",
                "why": "",
                "detail": card.verification.layer_version,
            }
        )
    for revision in card.revisions.all():
        steps.append(
            {
                "at": revision.approved_at.isoformat(),
                "what": "approved" if revision.number == 1 else "revised",
                "who": display_name(revision.approved_by),
                "why": revision.reason,
                "detail": str(revision.number),
            }
        )
    return steps
