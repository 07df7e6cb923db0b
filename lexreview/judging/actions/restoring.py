"""What a panel came to, with what people said of it, as an export wrote it: stored as it was, no model is asked."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from lexreview.accounts.models import User
from lexreview.answers.models import Answer
from lexreview.core.methods.criteria.panel import SETTLED, PanelState, Seat, Strategy, Vote, decide
from lexreview.judging.actions.panels import PanelRefused, checked_value, newest_votes, value_on
from lexreview.judging.models import Panel, PanelOverride, PanelResult, PanelVote, Verdict
from lexreview.judging.requesting import address_of
from lexreview.ledger.actions import record_event
from lexreview.questions.models import KeyVersion
from lexreview.questions.rules import check_can_operate


class PanelResultIsFinal(ValueError):
    """What a panel came to, or what a person said of it, is stored with other content."""


@dataclass(frozen=True, kw_only=True)
class VoteDraft:
    """The verdict that is the vote of a seat: its judge, the request that it answers, and which try of it."""

    seat: Seat
    judge: str
    request_sha256: str
    attempt: int


@dataclass(frozen=True, kw_only=True)
class OverrideDraft:
    value: str
    reason: str
    by: User
    decided_at: datetime


@dataclass(frozen=True, kw_only=True)
class PanelResultDraft:
    """A result with its votes, oldest first, and its overrides in the order in which they were said."""

    answer: Answer
    item: str
    specification_version: str
    key_version: KeyVersion
    repeat: int
    address: str
    state: PanelState
    value: str
    consensus: str
    supporting: list[str]
    tie_breaker_used: bool
    begun_at: datetime
    settled_at: datetime | None
    votes: Sequence[VoteDraft]
    overrides: Sequence[OverrideDraft]


FIELDS = tuple(name for name in PanelResultDraft.__dataclass_fields__ if name not in {"votes", "overrides"})
SAID = tuple(OverrideDraft.__dataclass_fields__)


@transaction.atomic
def restore_panel_result(*, panel: Panel, draft: PanelResultDraft, by: User | None, now: datetime) -> PanelResult:
    """The panel's result at the draft's address, created where it is not stored; overrides that are new are added.

    Load the panel `with_judges()`. Raises PanelRefused for votes that do not lead to the result and for overrides that
    nobody could have said; PanelResultIsFinal where the stored result or an override differs.
    """
    check_can_operate(by, panel.benchmark.slug)
    verdicts = [_verdict(panel, draft, vote) for vote in draft.votes]
    place = {"panel": panel, "answer": draft.answer, "address": draft.address}
    result = PanelResult.objects.select_for_update(of=("self",)).filter(**place).first()
    if is_new := result is None:
        result = PanelResult(panel=panel, **{name: getattr(draft, name) for name in FIELDS})
        result.save(force_insert=True)
        PanelVote.objects.bulk_create(
            PanelVote(result=result, seat=vote.seat, verdict=verdict, value=verdict.value_on(draft.item) or "")
            for vote, verdict in zip(draft.votes, verdicts, strict=True)
        )
        _check_outcome(result, Strategy(panel.strategy))
    else:
        _check_same(result, draft, verdicts)
    said = _add_overrides(result, draft.overrides)
    if is_new or said:
        record_event(
            by=by,
            verb="restore_panel_result",
            object_type="panel_result",
            object_id=result.ledger_name,
            after={"state": result.state, "value": result.value, "address": result.address, "overrides": said},
            now=now,
        )
    return result


def _verdict(panel: Panel, draft: PanelResultDraft, vote: VoteDraft) -> Verdict:
    address = address_of(
        judge=vote.judge,
        answer=draft.answer,
        specification=draft.specification_version,
        key=draft.key_version.number,
        request_sha256=vote.request_sha256,
        repeat=draft.repeat,
    )
    rows = Verdict.objects.filter(judge__benchmark=panel.benchmark_id, judge__code=vote.judge, attempt=vote.attempt)
    verdict = rows.filter(answer=draft.answer).at(address).first()
    if verdict is None:
        raise PanelRefused(f"no verdict of {vote.judge} on {draft.answer.identifier} answers the request of its vote")
    return verdict


def _check_outcome(result: PanelResult, strategy: Strategy) -> None:
    votes: dict[Seat, Vote] = newest_votes(result)
    decision = decide(strategy, votes)
    found: tuple[Any, ...] = (result.value, result.consensus, result.supporting, result.tie_breaker_used)
    expected: tuple[Any, ...] = ("", "", [], False)
    if decision is not None:
        supporting = [seat.value for seat in decision.supporting]
        expected = (decision.value or "", decision.consensus, supporting, decision.tie_breaker_used)
    settled = decision is not None
    if found != expected or (result.state in SETTLED, result.settled_at is not None) != (settled, settled):
        raise PanelRefused(f"the votes on {result.answer.identifier} do not lead to what is said that the panel found")


def _check_same(result: PanelResult, draft: PanelResultDraft, verdicts: Sequence[Verdict]) -> None:
    changed = [name for name in FIELDS if getattr(result, name) != getattr(draft, name)]
    votes = [(vote.seat, vote.verdict_id) for vote in result.votes.order_by("pk")]
    if votes != [(vote.seat, verdict.pk) for vote, verdict in zip(draft.votes, verdicts, strict=True)]:
        changed.append("votes")
    if changed:
        raise PanelResultIsFinal(
            f"the result of {result.panel.code} on {draft.answer.identifier}, {draft.item}, is stored and differs in:"
            f" {', '.join(changed)}"
        )


def _add_overrides(result: PanelResult, drafts: Sequence[OverrideDraft]) -> list[dict[str, Any]]:
    """What was added, as the ledger keeps it. What is stored beyond the drafts stays."""
    stored = list(result.overrides.order_by("number"))
    added = []
    for number, draft in enumerate(drafts, start=1):
        said = {name: getattr(draft, name) for name in SAID}
        if number <= len(stored):
            said["value"] = value_on(result, draft.value)
            if changed := [name for name in SAID if getattr(stored[number - 1], name) != said[name]]:
                raise PanelResultIsFinal(
                    f"override {number} on {result.answer.identifier}, {result.item}, is stored and differs in:"
                    f" {', '.join(changed)}"
                )
            continue
        newest = stored[-1] if stored else None
        said["value"] = checked_value(result, value=draft.value, reason=draft.reason, newest=newest)
        row = PanelOverride(result=result, number=number, **said)
        row.save(force_insert=True)
        stored.append(row)
        added.append({"value": row.value, "reason": row.reason, "by": row.by.username, "decided_at": row.decided_at})
    return added
