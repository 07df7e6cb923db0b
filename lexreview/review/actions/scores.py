from datetime import datetime
from decimal import Decimal
from typing import Any

from lexreview.accounts.models import User
from lexreview.core.methods.reference_card.facts import OfficialSource
from lexreview.core.methods.reference_card.scoring import PointsRefused, check_points
from lexreview.questions.key_facts import key_facts_of
from lexreview.review.changing import Change, change_card
from lexreview.review.facts import specification_of
from lexreview.review.models import Card, Score
from lexreview.review.parts import CardParts
from lexreview.review.sure import is_sure


def decide_score(
    *,
    card: Card,
    criterion: str,
    points: Decimal,
    evidence: str = "",
    reason: str = "",
    details: dict[str, Any] | None = None,
    version: int,
    by: User,
    now: datetime,
) -> Card:
    """A person's points for a criterion, with evidence and, where they differ from the proposal, a reason.

    An empty `evidence` takes over that of the proposal when the points agree with it. Raises PointsRefused for a
    criterion that the specification lacks or that does not apply, and for points outside its range or steps.
    """

    def wanted(row: Score) -> dict[str, Any]:
        taken_over = row.proposed_evidence if points == row.proposed else ""
        return {
            "decided": points,
            "evidence": evidence or taken_over,
            "reason": reason,
            "details": details or {},
        }

    def already(parts: CardParts) -> bool:
        row = parts.score(criterion)
        return row is not None and _values(row) == wanted(row) and row.decided_by_id == by.pk

    with change_card(card=card, verb="decide_score", version=version, by=by, now=now, already_in=already) as change:
        if change.nothing:
            return change.card
        row = _score_of(change, criterion, points)
        change.before = {"criterion": criterion, **_values(row)}
        _decide(row, by=by, now=now, **wanted(row))
        change.after = {"criterion": criterion, **_values(row)}
    return change.card


def accept_proposals(*, card: Card, version: int, by: User, now: datetime) -> Card:
    """Take over, with its evidence, every proposal that is sure and on which nothing was decided yet."""
    with change_card(card=card, verb="accept_proposals", version=version, by=by, now=now) as change:
        by_hand = {each.code for each in specification_of(change.card).criteria if each.rule is None}
        rows = [
            row
            for row in change.parts.scores
            if row.decided is None and is_sure(row) and not row.not_applicable and row.criterion in by_hand
        ]
        change.nothing = not rows
        for row in rows:
            _decide(row, decided=row.proposed, evidence=row.proposed_evidence, details=row.details, by=by, now=now)
        change.after = {"accepted": {row.criterion: row.decided for row in rows}}
    return change.card


def set_official_source(*, card: Card, official_source: OfficialSource, version: int, by: User, now: datetime) -> Card:
    """What the trace shows of official sources; for answers given with tools."""
    with change_card(
        card=card,
        verb="set_official_source",
        version=version,
        by=by,
        now=now,
        already=lambda current: current.official_source == official_source and current.version > version,
    ) as change:
        if not change.nothing:
            change.recomputes = False
            change.before = {"official_source": change.card.official_source}
            change.card.official_source = official_source
            change.after = {"official_source": official_source}
    return change.card


def set_note(*, card: Card, note: str, version: int, by: User, now: datetime) -> Card:
    with change_card(
        card=card, verb="set_note", version=version, by=by, now=now, already=lambda current: current.note == note
    ) as change:
        if not change.nothing:
            change.recomputes = False
            change.before = {"note": change.card.note}
            change.card.note = note
            change.after = {"note": note}
    return change.card


def _score_of(change: Change, criterion: str, points: Decimal) -> Score:
    card = change.card
    try:
        rule = specification_of(card).criterion(criterion)
    except KeyError:
        raise PointsRefused(f"{criterion} is not a criterion of specification {card.specification.version}.") from None
    check_points(rule, key=key_facts_of(card.key_version), points=points)
    row = change.parts.score(criterion)
    if row is None:
        row = Score(card=card, criterion=criterion)
        change.parts.scores.append(row)
    return row


def _decide(
    row: Score,
    *,
    decided: Decimal | None,
    evidence: str,
    details: dict[str, Any],
    by: User,
    now: datetime,
    reason: str = "",
) -> None:
    row.decided, row.evidence, row.details, row.reason = decided, evidence, details, reason
    row.decided_by, row.decided_at = by, now
    row.save()


def _values(row: Score) -> dict[str, Any]:
    return {"decided": row.decided, "evidence": row.evidence, "reason": row.reason, "details": row.details}
