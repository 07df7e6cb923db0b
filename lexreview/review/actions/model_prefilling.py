"""What a model proposed: stored as it was checked, and laid on the card where neither a person nor code decided."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import transaction

from lexreview.accounts.models import User
from lexreview.core.methods.reference_card.facts import CheckResult, Origin
from lexreview.core.methods.reference_card.opinion import check_criteria, check_findings
from lexreview.core.workflow import CardState, CitationState
from lexreview.ledger.actions import record_event
from lexreview.ledger.chain import plain
from lexreview.providers.models import Call
from lexreview.review.card_rows import group_of
from lexreview.review.changing import PARTS, locked_card
from lexreview.review.facts import specification_of
from lexreview.review.model_prompt import PROMPT_VERSION, Asked, PrefillReply, opinions_in
from lexreview.review.models import PROPOSED_BY_MODEL, Card, CardCitation, Finding, FindingState, ModelProposal
from lexreview.review.parts import CardParts
from lexreview.review.recording import fields_since, values_of
from lexreview.review.rules import check_can_prefill
from lexreview.review.withholding import hides_model, points_of_code, with_model

SEEN_BY_CODE = frozenset({"W", "F", "S"})
"""Classes that the citation layer proposes itself: of a citation that it confirmed they are no open question."""
PREPARED = "prepared"
"""Stands for the provider of proposals that people prepared."""


@transaction.atomic
def propose_by_model(
    *, card: Card, asked: Asked, reply: PrefillReply, call: Call, by: User | None, now: datetime
) -> ModelProposal:
    """Store what a model replied, checked against what it was given, and lay it on the card.

    A person's decision is never touched; where code is sure, its proposal stays and the model's stands beside it. The
    reply to the same request is stored once per card; a second one changes nothing.
    """
    check_can_prefill(by, card.benchmark)
    current = locked_card(card)
    if stored := ModelProposal.objects.filter(card=current, fingerprint=asked.fingerprint).first():
        return stored
    proposal = ModelProposal.objects.create(
        card=current,
        provider=call.provider,
        model=call.model,
        served_model=call.served_model or call.model,
        prompt_version=PROMPT_VERSION,
        prompt_sha256=asked.prompt_sha256,
        fingerprint=asked.fingerprint,
        call=call,
        content=_checked(reply, asked),
        proposed_at=now,
    )
    _lay(current, proposal, by=by, now=now)
    return proposal


@transaction.atomic
def lay_prepared(*, card: Card, asked: Asked, reply: PrefillReply, name: str, now: datetime) -> ModelProposal:
    """Lay on a card proposals that people prepared for a rehearsal, checked and laid as those of a model are. No model
    was called. `name` stands where that of the model would, for leads and operators."""
    current = locked_card(card)
    proposal = ModelProposal.objects.create(
        card=current,
        provider=PREPARED,
        model=name,
        served_model=name,
        prompt_version=PROMPT_VERSION,
        prompt_sha256=asked.prompt_sha256,
        fingerprint=asked.fingerprint,
        content=_checked(reply, asked),
        proposed_at=now,
    )
    _lay(current, proposal, by=None, now=now)
    return proposal


def _checked(reply: PrefillReply, asked: Asked) -> Any:
    """What of the reply holds and what was dropped, as it is stored."""
    criteria, findings = opinions_in(reply)
    return plain(
        {
            "sources": {source.name: source.record for source in asked.sources},
            "criteria": [
                {**asdict(each), "evidence": each.evidence} for each in check_criteria(criteria, asked.material)
            ],
            "findings": [asdict(each) for each in check_findings(findings, asked.material)],
        }
    )


@transaction.atomic
def lay_known(*, card: Card, known: ModelProposal, by: User | None, now: datetime) -> Card:
    """Lay a reply that was stored before on the card: on this one again after code laid it out anew, or on another
    card that asks the very same. What is laid already is left alone."""
    check_can_prefill(by, card.benchmark)
    current = locked_card(card)
    if known.card_id != current.pk:
        copied = {
            name: getattr(known, name)
            for name in ("provider", "model", "served_model", "prompt_version", "prompt_sha256", "call", "content")
        }
        known, _created = ModelProposal.objects.get_or_create(
            card=current, fingerprint=known.fingerprint, defaults={**copied, "proposed_at": now}
        )
    if current.model_proposal_id != known.pk:
        _lay(current, known, by=by, now=now)
    return current


def _lay(card: Card, proposal: ModelProposal, *, by: User | None, now: datetime) -> None:
    """Inside a transaction that holds the card. A card that was handed in meanwhile stays as it is."""
    parts, values = CardParts(card, watched=True), values_of(card)
    is_open = card.state in (CardState.PREFILLED, CardState.IN_REVIEW)
    if is_open:
        layer = _Layer(card, parts, proposal, now=now)
        layer.take_away()
        hidden = hides_model(card)
        card.withheld = with_model(card.withheld, layer.kept_back() if hidden else None)
        if not hidden:
            layer.lay()
        card.model_proposal = proposal
        card.version += 1
        card.save()
    was, became = parts.changes()
    record_event(
        by=by,
        verb="prefill_by_model",
        object_type="card",
        object_id=card.ledger_id,
        before={PARTS: was} if was else None,
        after={
            "version": card.version,
            "state": card.state,
            "label": card.label,
            "laid": is_open,
            "model_proposal": proposal.pk,
            "prefill_model": proposal.asked_model,
            "served_model": proposal.served_model,
            "prompt_version": proposal.prompt_version,
            "prompt_sha256": proposal.prompt_sha256,
            "fingerprint": proposal.fingerprint,
            "call": proposal.call_id,
            **fields_since(values, card),
            **({PARTS: became} if became else {}),
        },
        now=now,
    )


class _Layer:
    """Lays one opinion on one card: what of it may be proposed there, and where."""

    def __init__(self, card: Card, parts: CardParts, proposal: ModelProposal, *, now: datetime) -> None:
        self.card, self.parts, self.now = card, parts, now
        self.content: Mapping[str, Any] = proposal.content
        self.specification = specification_of(card)

    def take_away(self) -> None:
        """What an earlier model proposed and nobody decided."""
        for score in self.parts.scores:
            if score.proposed_by == PROPOSED_BY_MODEL and score.decided is None:
                score.proposed, score.proposed_evidence, score.proposed_by, score.details = None, "", "", {}
                score.save()
        for finding in list(self.parts.findings):
            if finding.proposed_by == PROPOSED_BY_MODEL and finding.state == FindingState.PROPOSED:
                self.parts.findings.remove(finding)
                finding.delete()

    def lay(self) -> None:
        for criterion, points, evidence, details in self._points():
            score = self.parts.score(criterion)
            if score is None or score.proposed is not None:
                continue
            score.proposed, score.proposed_evidence, score.details = points, evidence, details
            score.proposed_by = PROPOSED_BY_MODEL
            score.save()
        for each in self._findings():
            finding = Finding(
                card=self.card,
                number=self.parts.next_finding_number,
                proposed_by=PROPOSED_BY_MODEL,
                citation=self._citation_at(each),
                **self._evidence(each),
            )
            finding.save()
            self.parts.findings.append(finding)

    def kept_back(self) -> dict[str, Any]:
        """The same as plain data, for a reviewer who is not to see it yet."""
        scores = {
            criterion: {"points": points, "evidence": evidence, "details": details}
            for criterion, points, evidence, details in self._points()
            if points_of_code(self.card.withheld, criterion) is None and self._is_open_to_model(criterion)
        }
        kept = ("error_class", "start", "end", "origin", "scope")
        findings = [{name: each[name] for name in kept} for each in self._findings()]
        whole: dict[str, Any] = plain({"scores": scores, "findings": findings})
        return whole

    def _is_open_to_model(self, criterion: str) -> bool:
        score = self.parts.score(criterion)
        return score is not None and score.proposed is None

    def _points(self) -> list[tuple[str, Decimal, str, dict[str, Any]]]:
        """(criterion, points, evidence, details) of what holds, for criteria by hand on which nobody decided."""
        found = []
        for record in self.content["criteria"]:
            if record["why"] is not None:
                continue
            criterion = self.specification.criterion(record["criterion"])
            score = self.parts.score(criterion.code)
            if criterion.rule is not None or score is None or score.not_applicable or score.decided is not None:
                continue
            group = group_of(criterion)
            details = {group: sorted(record["elements"])} if group and record["elements"] else {}
            found.append((criterion.code, Decimal(record["points"]), record["evidence"], details))
        return found

    def _findings(self) -> list[Mapping[str, Any]]:
        """Those that hold, on whose words nothing was found yet, and which neither a person nor code has settled."""
        return [record for record in self.content["findings"] if record["why"] is None and self._is_new(record)]

    def _is_new(self, record: Mapping[str, Any]) -> bool:
        spans = [(row.claim_start, row.claim_end) for row in self.parts.findings]
        if any(_overlap(record, start, end) for start, end in spans):
            return False
        citation = self._citation_at(record)
        if citation is None:
            return True
        if citation.state != CitationState.UNCHECKED:
            return False
        confirmed = citation.checked is not None and citation.checked.result == CheckResult.CONFIRMED
        return not (confirmed and record["error_class"] in SEEN_BY_CODE)

    def _citation_at(self, record: Mapping[str, Any]) -> CardCitation | None:
        """The first citation that shares words with the claim."""
        return next((row for row in self.parts.citations if _overlap(record, row.start, row.end)), None)

    def _evidence(self, record: Mapping[str, Any]) -> dict[str, Any]:
        source: Mapping[str, str] = self.content["sources"].get(record["source"], {})
        tools = self.card.answer.run.condition.tools
        return {
            "error_class": record["error_class"],
            "claim": record["claim"],
            "claim_start": record["start"],
            "claim_end": record["end"],
            "source_says": record["source_says"],
            "checked_source": " ".join(part for part in (source.get("unit"), source.get("title")) if part),
            "checked_address": source.get("address", "")[:500],
            "checked_edition": source.get("edition", "")[:100],
            "checked_on": self.now.date() if source else None,
            "origin": record["origin"] if tools else Origin.MEMORY.value,
            "scope": record["scope"],
        }


def _overlap(record: Mapping[str, Any], start: int, end: int) -> bool:
    return bool(record["start"] < end and start < record["end"])
