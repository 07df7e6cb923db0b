from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from lexreview.accounts.models import User
from lexreview.core.workflow import CARD_TRANSITIONS, CardState, CardVerb, Role, check_transition
from lexreview.ledger.actions import record_event
from lexreview.review.actions.prefilling import prefill_card
from lexreview.review.changing import locked_card, recompute
from lexreview.review.models import Card, FindingState, Score
from lexreview.review.parts import CardParts, changed_records
from lexreview.review.recording import ROWS, fields_since, values_of, versions_of
from lexreview.review.rules import check_can_recompute
from lexreview.review.staleness import WORKED_ON, Rules, carried_over
from lexreview.review.withholding import with_model


@transaction.atomic
def recompute_card(*, card: Card, rules: Rules, by: User | None, now: datetime) -> Card:
    """Put a card under the rules that count now. A card that is there already is left as it is.

    What a person decided becomes the proposal for the same criterion, as far as the new rules allow the value; a card
    that somebody has worked on is stale then and waits for a person to confirm. What was approved stays as its
    revision. A card on which nobody has worked is pre-filled anew.
    """
    current = locked_card(card)
    check_can_recompute(by, current.benchmark)
    key = rules.key_of(current)
    if current.specification_id == rules.specification.pk and current.key_version_id == key.pk:
        return current
    worked_on, was_empty = current.state in WORKED_ON, current.state == CardState.EMPTY
    before: dict[str, Any] = versions_of(current) | {"state": current.state, "label": current.label}
    reason = _reason(current, rules)
    parts = CardParts(current)
    records, values = parts.records(), values_of(current)
    old_key = current.key_version
    current.specification, current.key_version = rules.specification, key
    if worked_on:
        # What a model said was said under other rules.
        current.model_proposal, current.withheld = None, with_model(current.withheld, None)
        _mark_stale(current, reason=reason)
        _carry_over(parts, rules=rules, old_key=old_key)
        recompute(current, parts)
    current.version += 1
    current.save()
    was, became = changed_records(records, parts.records())
    after = versions_of(current) | {"version": current.version, "state": current.state, "label": current.label}
    record_event(
        by=by,
        verb="mark_stale" if worked_on else "change_rules",
        object_type="card",
        object_id=current.ledger_id,
        before=before | ({ROWS: was} if was else {}),
        after=after | fields_since(values, current) | ({ROWS: became} if became else {}),
        reason=reason,
        now=now,
    )
    return current if worked_on or was_empty else prefill_card(card=current, by=None, now=now)


def _mark_stale(card: Card, *, reason: str) -> None:
    if card.state != CardState.STALE:
        card.state = check_transition(
            CARD_TRANSITIONS, CardVerb.MARK_STALE, state=CardState(card.state), roles=[Role.LEAD], reason=reason
        )
    card.revision_reason = reason


def _carry_over(parts: CardParts, *, rules: Rules, old_key: Any) -> None:
    """Decisions become proposals. Criteria and error classes that are no more stay on record and count for nothing."""
    card = parts.card
    known = {each.code for each in rules.content.criteria}
    for carried in carried_over(parts, old_key=old_key, rules=rules, key=card.key_version):
        row = parts.score(carried.criterion.code)
        if row is None:
            row = Score(card=card, criterion=carried.criterion.code)
            parts.scores.append(row)
        row.not_applicable = not carried.applicable
        if carried.criterion.rule is None:
            row.proposed, row.proposed_evidence = carried.points, carried.evidence or carried.why
            row.proposed_by = ""
            row.details = dict(carried.details or {})
        _undecide(row)
    for row in parts.scores:
        if row.criterion not in known:
            row.not_applicable = True
            _undecide(row)
    classes = {each.code for each in rules.content.error_classes}
    for finding in parts.findings:
        if finding.state == FindingState.ACCEPTED and finding.error_class not in classes:
            finding.state = FindingState.PROPOSED
            finding.save(update_fields=["state"])


def _undecide(row: Score) -> None:
    row.decided, row.decided_by, row.decided_at = None, None, None
    row.evidence, row.reason = "", ""
    row.save()


def _reason(card: Card, rules: Rules) -> str:
    """What changed, in words: it stands on the card until it is approved again."""
    said = []
    if card.specification_id != rules.specification.pk:
        versions = {"old": card.specification.version, "new": rules.specification.version}
        said.append(_("Specification %(old)s was followed by %(new)s.") % versions)
    key = rules.key_of(card)
    if card.key_version_id != key.pk:
        numbers = {"old": card.key_version.number, "new": key.number}
        said.append(_("Key version %(old)s was followed by %(new)s.") % numbers)
    return " ".join(said)
