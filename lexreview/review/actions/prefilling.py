from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max

from lexreview.accounts.models import User
from lexreview.core.methods.reference_card.facts import CardFacts, OfficialSource, RequiredBase
from lexreview.core.methods.reference_card.proposals import (
    Proposal,
    ProposedFinding,
    official_source_of,
    propose_findings,
    propose_scores,
)
from lexreview.core.methods.reference_card.scoring import is_applicable
from lexreview.core.workflow import CARD_TRANSITIONS, CardState, CardVerb, Role, check_transition
from lexreview.ledger.actions import record_event
from lexreview.ledger.chain import plain
from lexreview.questions.key_facts import key_facts_of
from lexreview.review.changing import PARTS, locked_card, recompute
from lexreview.review.facts import facts_of, only_secondary_opened, source_checked, specification_of
from lexreview.review.models import PROPOSED_BY_CODE, Card, CardCitation, Finding, FindingState, Score
from lexreview.review.parts import CardParts
from lexreview.review.recording import fields_since, values_of, versions_of
from lexreview.review.rules import check_can_prefill
from lexreview.verification.models import Verification


@transaction.atomic
def prefill_card(*, card: Card, by: User | None, now: datetime) -> Card:
    """Lay out the card and propose by code what code can tell from the current verification of the answer.

    Running it again replaces earlier proposals and never a person's decision: what a person decided on a stale card
    is carried over as the new proposal. A card that is past pre-filling is left as it is. The proposals for a blind
    card are kept out of its parts, in `withheld`. What a model proposed before is taken off with the rest.
    """
    current = locked_card(card)
    check_can_prefill(by, current.benchmark)
    if CardState(current.state) not in CARD_TRANSITIONS[CardVerb.PREFILL].sources:
        return current
    was_stale, values = current.state == CardState.STALE, values_of(current)
    current.state = check_transition(
        CARD_TRANSITIONS, CardVerb.PREFILL, state=CardState(current.state), roles=[Role.OPERATOR]
    )
    current.verification = Verification.objects.current().filter(answer=current.answer).first()
    _lay_citations(current)
    facts = facts_of(current)
    bases = required_bases_of(current)
    proposals = propose_scores(
        specification_of(current), key=key_facts_of(current.key_version), card=facts, bases=bases
    )
    findings = _proposed_findings(current, facts, bases)
    current.withheld, current.model_proposal = {}, None
    if current.blind:
        current.withheld = _withheld(current, proposals, findings)
        proposals, findings = (), ()
    _write_scores(current, proposals, carry_over=was_stale)
    _write_findings(current, findings, now=now)
    if current.answer.run.condition.tools and not current.official_source:
        current.official_source = _official_source(current)
    recompute(current)
    current.version += 1
    current.save()
    record_event(
        by=by,
        verb="prefill",
        object_type="card",
        object_id=current.ledger_id,
        after=_summary(current) | versions_of(current) | fields_since(values, current),
        now=now,
    )
    return current


def required_bases_of(card: Card) -> list[RequiredBase]:
    """The required bases of the card's key version, as the method reads them."""
    return [
        RequiredBase(
            code=base["code"],
            label=base["citation"],
            act=base.get("act"),
            unit=base.get("unit"),
            docket=base.get("docket"),
        )
        for base in card.key_version.bases
    ]


def _lay_citations(card: Card) -> None:
    """One row per citation of the verification; rows that a person judged stay, the others follow the new pass."""
    card.findings.filter(state=FindingState.PROPOSED).delete()
    card.citations.filter(decided_by__isnull=True, opened_at__isnull=True, findings__isnull=True).delete()
    if card.verification is None:
        return
    kept = {(row.start, row.end): row for row in card.citations.filter(checked__isnull=False)}
    number = max((row.number for row in card.citations.all()), default=0)
    for checked in card.verification.citations.in_text_order():
        if (old := kept.pop((checked.start, checked.end), None)) is not None:
            old.checked = checked
            old.save(update_fields=["checked"])
            continue
        number += 1
        CardCitation.objects.create(
            card=card, number=number, checked=checked, start=checked.start, end=checked.end, raw=checked.raw
        )


def _write_scores(card: Card, proposals: Sequence[Proposal], *, carry_over: bool) -> None:
    specification, key = specification_of(card), key_facts_of(card.key_version)
    proposed = {proposal.criterion: proposal for proposal in proposals}
    for criterion in specification.criteria:
        row, _ = Score.objects.get_or_create(card=card, criterion=criterion.code)
        row.not_applicable = not is_applicable(criterion, key)
        kept = (row.decided, row.evidence) if row.decided is not None else (row.proposed, row.proposed_evidence)
        proposal = proposed.get(criterion.code)
        row.proposed = proposal.points if proposal else None
        row.proposed_evidence = proposal.evidence if proposal else ""
        row.proposed_by = ""
        if proposal and proposal.bases and row.decided is None:
            row.details = {"bases": list(proposal.bases)}
        if carry_over and kept[0] is not None and criterion.rule is None:
            row.proposed, row.proposed_evidence = kept
        if carry_over or row.not_applicable:
            row.decided, row.decided_by, row.decided_at, row.reason = None, None, None, ""
        row.save()


def _withheld(card: Card, proposals: Sequence[Proposal], findings: Sequence[ProposedFinding]) -> Any:
    """The proposals as the card keeps them unseen; citations by their number on the card."""
    numbers = [row.number for row in card.citations.in_text_order()]
    return plain(
        {
            "scores": {
                each.criterion: {"points": each.points, "evidence": each.evidence, "bases": list(each.bases)}
                for each in proposals
            },
            "findings": [
                {
                    "citation": numbers[each.citation],
                    "error_class": each.error_class,
                    "scope": each.scope,
                    "origin": each.origin,
                }
                for each in findings
            ],
        }
    )


def _proposed_findings(card: Card, facts: CardFacts, bases: Sequence[RequiredBase]) -> Sequence[ProposedFinding]:
    return propose_findings(
        specification_of(card),
        card=facts,
        bases=bases,
        tools=card.answer.run.condition.tools,
        trace_recorded=bool(card.answer.trace),
        secondary_only=only_secondary_opened(card.answer.trace),
    )


def _write_findings(card: Card, proposed: Sequence[ProposedFinding], *, now: datetime) -> None:
    citations = list(card.citations.in_text_order().with_result())
    settled = set(card.findings.filter(citation__isnull=False).values_list("citation_id", flat=True))
    number = (card.findings.aggregate(highest=Max("number"))["highest"] or 0) + 1
    for finding in proposed:
        row = citations[finding.citation]
        if row.pk in settled:
            continue
        Finding.objects.create(
            card=card, number=number, citation=row, proposed_by=PROPOSED_BY_CODE, **_evidence(row, finding, now=now)
        )
        number += 1


def _evidence(row: CardCitation, finding: ProposedFinding, *, now: datetime) -> dict[str, Any]:
    checked = row.checked
    if checked is None:
        raise ValueError(f"citation {row.number} was added by a person and has no result to propose from")
    edition = checked.edition
    return {
        "error_class": finding.error_class,
        "claim": row.raw,
        "claim_start": row.start,
        "claim_end": row.end,
        "source_says": checked.explanation or finding.evidence,
        "checked_source": source_checked(checked, "en"),
        "checked_address": checked.source_url,
        "checked_edition": edition.valid_from.isoformat() if edition else "",
        "checked_on": now.date(),
        "origin": finding.origin,
        "scope": finding.scope,
    }


def _official_source(card: Card) -> OfficialSource:
    trace = card.answer.trace
    return official_source_of(
        [bool(step.get("official")) for step in trace if step.get("kind") == "open"] if trace else None
    )


def _summary(card: Card) -> dict[str, Any]:
    return {
        "version": card.version,
        "state": card.state,
        "label": card.label,
        "verification": card.verification_id,
        "proposed": {row.criterion: row.proposed for row in card.scores.exclude(proposed=None).order_by("pk")},
        "findings": card.findings.filter(state=FindingState.PROPOSED).count(),
        PARTS: CardParts(card).records(),
    }
