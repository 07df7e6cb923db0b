"""Rows as the records that the pure method reads: one per approved card, one per verdict."""

from lexreview.core.methods.reference_card.agreement import VerdictRow
from lexreview.core.methods.reference_card.card_rows import CardRow
from lexreview.core.methods.reference_card.facts import (
    CardFacts,
    FindingFacts,
    OfficialSource,
    Origin,
    Scope,
    ScoreInput,
)
from lexreview.core.methods.reference_card.label import Label
from lexreview.core.methods.reference_card.scoring import a_percent, separate_scores
from lexreview.core.methods.reference_card.specification import Specification
from lexreview.core.workflow import AnswerState, CitationState
from lexreview.judging.models import Verdict
from lexreview.questions.key_facts import key_facts_of
from lexreview.reports.gather import Material
from lexreview.review.models import Card


def card_rows(material: Material) -> list[CardRow]:
    """The counted cards, in reading order."""
    return [card_row(card, material.rules_of(card)) for card in material.cards.values()]


def card_row(card: Card, specification: Specification) -> CardRow:
    answer, citations = card.answer, card.citations.all()
    facts, key = card_facts(card, specification), key_facts_of(card.key_version)
    return CardRow(
        answer=answer.identifier,
        question=answer.question.code,
        system=answer.run.system.code,
        condition=answer.run.condition.code,
        repetition=answer.run.repetition,
        specification=specification.version,
        state=AnswerState(answer.state),
        label=Label(card.label),
        a=a_percent(specification, key=key, card=facts),
        separate=separate_scores(specification, key=key, card=facts),
        findings=facts.findings,
        citations_checked=sum(CitationState(row.state).is_checked for row in citations),
        citations_total=len(citations),
        official_source=_official_source(card),
        cost=answer.cost_usd,
        cost_is_lower_bound=answer.cost_is_lower_bound,
    )


def verdict_rows(material: Material) -> list[VerdictRow]:
    """Every judge's verdicts beside the approved cards; an answer without an approved card has no reference."""
    rows = []
    for verdict in material.verdicts:
        card = material.cards.get(verdict.answer_id)
        rows.append(verdict_row(verdict, card, "" if card is None else material.rules_of(card).version))
    return rows


def verdict_row(verdict: Verdict, card: Card | None, card_specification: str, *, assisted: bool = False) -> VerdictRow:
    """A verdict beside the card that counts, if there is one, and the version under which that was scored."""
    judge, system = verdict.judge, verdict.answer.run.system
    return VerdictRow(
        judge=judge.code,
        answer=verdict.answer.identifier,
        question=verdict.answer.question.code,
        question_set=verdict.answer.question.set.code,
        verdict=verdict.hallucinated,
        card=None if card is None else card.label == Label.HALLUCINATED,
        same_family=judge.is_of_family_of(system),
        own_answer=judge.gave(verdict.answer),
        verdict_specification=verdict.specification_version,
        card_specification=verdict.specification_version if card is None else card_specification,
        assisted=assisted,
    )


def card_facts(card: Card, specification: Specification) -> CardFacts:
    """What the points of a card depend on, from prefetched rows. Citations are left out: no points depend
    on them, and the label is kept on the card.
    """
    return CardFacts(
        answer_state=AnswerState(card.answer.state),
        scores=tuple(
            ScoreInput(criterion=row.criterion, points=row.decided)
            for row in card.scores.all()
            if not row.not_applicable
        ),
        findings=tuple(
            FindingFacts(
                error_class=row.error_class,
                origin=Origin(row.origin),
                scope=Scope(row.scope),
                hallucination=specification.error_class(row.error_class).hallucination,
            )
            for row in card.findings.all()
        ),
    )


def _official_source(card: Card) -> OfficialSource | None:
    """None in a condition without tools, where nothing could be opened."""
    if not card.answer.run.condition.tools:
        return None
    return OfficialSource(card.official_source or OfficialSource.NOT_RECORDED)
