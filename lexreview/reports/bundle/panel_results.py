"""`panels/<code>.jsonl`: what a panel came to, with the votes on which that stands and what people said beside it."""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

from lexreview.accounts.models import User
from lexreview.answers.models import Answer
from lexreview.core.methods.criteria.panel import PanelState, Seat
from lexreview.judging.actions import OverrideDraft, PanelResultDraft, VoteDraft
from lexreview.judging.models import Panel, PanelOverride, PanelResult, PanelVote

Record = dict[str, Any]


def records_of_panel(panel: Panel) -> Iterator[Record]:
    """One record per result that is settled or has an override, by answer and item; of equal ones the earlier first.

    One that is neither is still at work: it comes to be again with the next vote.
    """
    rows = PanelResult.objects.of_panel(panel).settled_or_overridden().with_votes()
    for row in rows.order_by("answer__identifier", "item", "repeat", "begun_at", "address"):
        yield {
            "answer": row.answer.identifier,
            "item": row.item,
            "repeat": row.repeat,
            "specification": row.specification_version,
            "key": row.key_version.number,
            "address": row.address,
            "state": row.state,
            "value": row.value,
            "consensus": row.consensus,
            "supporting": row.supporting,
            "tie_breaker_used": row.tie_breaker_used,
            "begun_at": row.begun_at.isoformat(),
            "settled_at": row.settled_at.isoformat() if row.settled_at else None,
            "votes": [_vote(vote) for vote in sorted(row.votes.all(), key=lambda vote: vote.pk)],
            "overrides": [_override(each) for each in row.overrides.all()],
        }


def _vote(row: PanelVote) -> Record:
    verdict = row.verdict
    return {
        "seat": row.seat,
        "judge": verdict.judge.code,
        "request_sha256": verdict.request_sha256,
        "attempt": verdict.attempt,
    }


def _override(row: PanelOverride) -> Record:
    return {
        "value": row.value,
        "reason": row.reason,
        "by": row.by.username,
        "decided_at": row.decided_at.isoformat(),
    }


def draft_of_result(
    record: Record, *, answers: Mapping[str, Answer], person: Callable[[str], User], time: Callable[[str], datetime]
) -> PanelResultDraft:
    answer = answers[record["answer"]]
    return PanelResultDraft(
        answer=answer,
        item=record["item"],
        specification_version=record["specification"],
        key_version=answer.question.key_versions.get(number=record["key"]),
        repeat=record["repeat"],
        address=record["address"],
        state=PanelState(record["state"]),
        value=record["value"],
        consensus=record["consensus"],
        supporting=record["supporting"],
        tie_breaker_used=record["tie_breaker_used"],
        begun_at=time(record["begun_at"]),
        settled_at=time(record["settled_at"]) if record["settled_at"] else None,
        votes=[VoteDraft(**{**vote, "seat": Seat(vote["seat"])}) for vote in record["votes"]],
        overrides=[
            OverrideDraft(
                value=each["value"],
                reason=each["reason"],
                by=person(each["by"]),
                decided_at=time(each["decided_at"]),
            )
            for each in record["overrides"]
        ],
    )
