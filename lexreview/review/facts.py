"""Rows of a card as the records that the pure method reads, and what the method says of them."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from lexreview.core.methods.reference_card.approval import Missing, missing_for_approval
from lexreview.core.methods.reference_card.facts import (
    CardFacts,
    CheckResult,
    CitationFacts,
    FindingFacts,
    Origin,
    Scope,
    ScoreInput,
)
from lexreview.core.methods.reference_card.label import LabelDecision, decide_label
from lexreview.core.methods.reference_card.proposals import propose_origin
from lexreview.core.methods.reference_card.scoring import APercent, a_percent
from lexreview.core.methods.reference_card.specification import Specification
from lexreview.core.workflow import AnswerState, CitationState
from lexreview.methodology.reading import read_specification
from lexreview.questions.key_facts import key_facts_of
from lexreview.review.models import Card, CardCitation, Finding, FindingState, Score
from lexreview.review.parts import CardParts
from lexreview.verification.models import Citation


def specification_of(card: Card) -> Specification:
    """The specification that the card is scored under. Its rows never change, so it is read once per process."""
    return read_specification(card.specification)


def facts_of(card: Card, parts: CardParts | None = None) -> CardFacts:
    """The card as it stands now. `parts`: its rows, where the caller has them; else three queries read them."""
    specification = specification_of(card)
    parts = parts or CardParts(card)
    opened = addresses_opened(card.answer.trace)
    harmless = {each.code for each in specification.error_classes if not each.hallucination}
    proposed = [row for row in parts.findings if row.state == FindingState.PROPOSED]
    return CardFacts(
        answer_state=AnswerState(card.answer.state),
        scores=tuple(_score(row) for row in parts.scores if not row.not_applicable),
        findings=tuple(_finding(row, specification) for row in parts.findings if row.state == FindingState.ACCEPTED),
        citations=tuple(_citation(row, opened) for row in parts.citations),
        undecided=sum(row.error_class not in harmless for row in proposed),
    )


def addresses_opened(trace: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Addresses of the pages of official sources that the trace shows as opened."""
    return tuple(
        step["address"] for step in trace if step.get("kind") == "open" and step.get("official") and step.get("address")
    )


def source_checked(checked: Citation, language: str) -> str:
    """Where the layer looked, by name: the act, the ruling's court, or the stored rulings in which one is missing."""
    if checked.act is not None:
        return checked.act.title(language)
    if checked.ruling is not None:
        return checked.ruling.court
    missing = checked.kind == "ruling" and checked.result == CheckResult.NOT_FOUND
    return _("all stored rulings of the court") if missing else ""


def origin_of(card: Card, citation: CardCitation | None) -> Origin:
    """Where an error of this answer comes from, as far as its trace tells: read in the citation's official source, in
    other pages only, or from memory."""
    trace = card.answer.trace
    checked = citation.checked if citation else None
    return propose_origin(
        tools=card.answer.run.condition.tools,
        trace_recorded=bool(trace),
        source_opened=checked is not None and any(_same_page(checked, each) for each in addresses_opened(trace)),
        secondary_only=only_secondary_opened(trace),
    )


def only_secondary_opened(trace: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the trace shows pages that were opened, and none of them is of an official source."""
    opened = [step for step in trace if step.get("kind") == "open"]
    return bool(opened) and not any(step.get("official") for step in opened)


def _citation(row: CardCitation, opened: tuple[str, ...]) -> CitationFacts:
    """`official` holds for a person's confirmation of anything but an edition that the corpus calls reconstructed."""
    checked = row.checked
    edition = checked.edition if checked else None
    return CitationFacts(
        raw=row.raw,
        result=CheckResult(checked.result) if checked else None,
        state=CitationState(row.state),
        opened=row.opened_at is not None,
        act=checked.act.eli if checked and checked.act else None,
        unit=(checked.unit_key or None) if checked else None,
        docket=checked.ruling.docket if checked and checked.ruling else None,
        official=edition is None or edition.standing != edition.Standing.RECONSTRUCTED,
        source_opened=checked is not None and any(_same_page(checked, address) for address in opened),
        proposed_class=checked.proposed_class if checked else "",
    )


def _same_page(checked: Citation, address: str) -> bool:
    """Whether an opened page is the source of the citation, or the page of its act."""
    addresses = [checked.source_url, checked.act.source_url if checked.act else ""]
    return any(known and (address.startswith(known) or known.startswith(address)) for known in addresses)


def missing_of(card: Card, parts: CardParts | None = None) -> tuple[Missing, ...]:
    """What the card lacks for approval."""
    facts = facts_of(card, parts)
    return missing_for_approval(specification_of(card), key=key_facts_of(card.key_version), card=facts)


def label_of(card: Card, facts: CardFacts | None = None) -> LabelDecision:
    return decide_label(specification_of(card), facts or facts_of(card))


def a_percent_of(card: Card, facts: CardFacts | None = None) -> APercent:
    return a_percent(specification_of(card), key=key_facts_of(card.key_version), card=facts or facts_of(card))


def _score(row: Score) -> ScoreInput:
    return ScoreInput(
        criterion=row.criterion, points=row.decided, proposed=row.proposed, evidence=row.evidence, reason=row.reason
    )


def _finding(row: Finding, specification: Specification) -> FindingFacts:
    return FindingFacts(
        error_class=row.error_class,
        origin=Origin(row.origin),
        scope=Scope(row.scope),
        hallucination=specification.error_class(row.error_class).hallucination,
        has_evidence=bool(row.source_says.strip() and (row.checked_source.strip() or row.checked_address.strip())),
    )
