"""Cards that come from an export: put back exactly, or refused."""

from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.db import transaction

from lexreview.accounts.models import User
from lexreview.answers.models import Answer
from lexreview.core.methods.reference_card.versions import parse_version
from lexreview.ledger.actions import record_event
from lexreview.methodology.models import Decision, Specification
from lexreview.questions.rules import check_can_operate
from lexreview.review.models import (
    AdjudicatedReview,
    Attendance,
    Card,
    CardCitation,
    CardRevision,
    Choice,
    Finding,
    ModelProposal,
    RulingRequest,
    Score,
)
from lexreview.review.parts import CardParts
from lexreview.review.recording import ROWS, fields_since
from lexreview.review.snapshot import MODEL_PROPOSAL_FIELDS, content_of, record_of
from lexreview.verification.models import Citation, Verification
from lexreview.verification.restoring import restore_verification

Record = dict[str, Any]
People = Callable[[str | None], User | None]


# What records written before there were rounds leave out.
EARLIER: Record = {
    "seat": 1, "reviews": [], "choices": [], "rulings": [], "blind": False, "withheld": {}, "to_repeat": False
}  # fmt: skip


class CardDiffers(ValueError):
    """A card of that answer, pass and round is stored with other content; an import never overwrites one."""


@transaction.atomic
def restore_card(*, answer: Answer, record: Record, person: People, by: User | None, now: datetime) -> Card:
    """Store a card as `snapshot.record_of` gave it. The same card again changes nothing, also after more time of work
    on it. Raises CardDiffers."""
    check_can_operate(by, answer.run.benchmark.slug)
    record = {**EARLIER, **record}
    stored = (
        Card.objects.with_answer()
        .filter(answer=answer, scoring_pass=record["scoring_pass"], round=record["round"], seat=record["seat"])
        .first()
    )
    if stored is not None:
        if content_of(record_of(stored)) != content_of(record):
            raise CardDiffers(f"the card of {answer.identifier} is stored with other content")
        return stored
    verification = _restore_verification(answer, record, by=by, now=now)
    card = _restore_row(answer, record, verification=verification, person=person)
    _restore_parts(card, record, verification=verification, person=person)
    _restore_beyond_the_parts(card, record, person=person)
    _restore_model_proposals(card, record.get("model_proposals", []))
    CardRevision.objects.bulk_create([_revision(card, row, person) for row in record["revisions"]])
    _restore_times(card, record.get("active_seconds", []), person=person, now=now)
    record_event(
        by=by,
        verb="restore_card",
        object_type="card",
        object_id=card.ledger_id,
        after={
            "state": card.state,
            "label": card.label,
            "revision": card.revision,
            "version": card.version,
            **fields_since(None, card),
            ROWS: CardParts(card).records(),
        },
        now=now,
    )
    return card


def _restore_verification(answer: Answer, record: Record, *, by: User | None, now: datetime) -> Verification | None:
    if record["verification"] is None:
        return None
    spans = ("start", "end", "raw")
    results = [{**row["layer"], **{name: row[name] for name in spans}} for row in record["citations"] if row["layer"]]
    return restore_verification(answer=answer, record=record["verification"], results=results, by=by, now=now)


def _restore_row(answer: Answer, record: Record, *, verification: Verification | None, person: People) -> Card:
    major, minor, patch = parse_version(record["specification"])
    name = answer.run.benchmark.specification.name
    return Card.objects.create(
        answer=answer,
        scoring_pass=record["scoring_pass"],
        round=record["round"],
        seat=record["seat"],
        blind=record["blind"],
        withheld=record["withheld"],
        to_repeat=record["to_repeat"],
        specification=Specification.objects.get(name=name, major=major, minor=minor, patch=patch),
        key_version=answer.question.key_versions.get(number=record["key_version"]),
        verification=verification,
        state=record["state"],
        version=1,
        assigned_to=person(record["assigned_to"]),
        official_source=record["official_source"] or "",
        note=record["note"] or "",
        ruling_question=record["ruling_question"] or "",
        label=record["label"] or "",
        label_rule=record["label_rule"] or "",
        a_points=_points(record["a_points"]),
        a_available=_points(record["a_available"]),
        revision=record["revision"],
        revision_reason=record["revision_reason"] or "",
        approved_by=person(record["approved_by"]),
        approved_at=_time(record["approved_at"]),
    )


def _restore_parts(card: Card, record: Record, *, verification: Verification | None, person: People) -> None:
    results = verification.citations.all() if verification else []
    checked: dict[int, Citation] = {citation.number: citation for citation in results}
    for row in record["scores"]:
        Score.objects.create(card=card, **score_fields(row, person))
    citations = {}
    for row in record["citations"]:
        layer = row["layer"]
        citations[row["number"]] = CardCitation.objects.create(
            card=card, checked=checked[layer["number"]] if layer else None, **citation_fields(row, person)
        )
    for row in record["findings"]:
        number = row["citation"]
        Finding.objects.create(
            card=card, citation=citations[number] if number is not None else None, **finding_fields(row, person)
        )


def _restore_beyond_the_parts(card: Card, record: Record, *, person: People) -> None:
    """Reviews are restored before the adjudicated cards that name them, decisions before every card."""
    siblings = {each.identifier: each for each in Card.objects.filter(answer=card.answer_id).select_related("answer")}
    for position, row in enumerate(record["reviews"], start=1):
        review = _named(siblings, row["card"])
        AdjudicatedReview.objects.create(card=card, review=review, position=position, revision=row["revision"])
    for row in record["choices"]:
        source = row["taken_from"]
        Choice.objects.create(
            card=card, taken_from=_named(siblings, source) if source else None, **_choice(row, person)
        )
    decisions = Decision.objects.of_benchmark(card.benchmark.slug)
    for row in record["rulings"]:
        decision = decisions.get(number=row["decision"]) if row["decision"] else None
        RulingRequest.objects.create(card=card, decision=decision, **_ruling(row, person))


def _restore_model_proposals(card: Card, records: list[Record]) -> None:
    for row in records:
        fields = {name: row[name] for name in MODEL_PROPOSAL_FIELDS}
        stored = ModelProposal.objects.create(
            card=card, proposed_at=datetime.fromisoformat(row["proposed_at"]), **fields
        )
        if row["is_laid"]:
            card.model_proposal = stored
            card.save(update_fields=["model_proposal"])


def _restore_times(card: Card, records: list[Record], *, person: People, now: datetime) -> None:
    timed = [row for row in records if row["active_seconds"] is not None]
    Attendance.objects.bulk_create(
        Attendance(
            card=card, person=person(row["person"]), active_seconds=row["active_seconds"], open_until=now, beat_at=now
        )
        for row in timed
    )


def _choice(row: Record, person: People) -> Record:
    return {
        **{name: row[name] for name in ("kind", "target", "reason")},
        "decided_by": person(row["decided_by"]),
        "decided_at": _time(row["decided_at"]),
    }


def _ruling(row: Record, person: People) -> Record:
    return {
        **{name: row[name] for name in ("number", "question")},
        "asked_by": person(row["asked_by"]),
        "asked_at": _time(row["asked_at"]),
        "answered_by": person(row["answered_by"]),
        "answered_at": _time(row["answered_at"]),
    }


def _named(siblings: dict[str, Card], name: str) -> Card:
    try:
        return siblings[name]
    except KeyError:
        raise CardDiffers(f"it names the card {name}, which is not one of the same answer") from None


def score_fields(row: Record, person: People) -> Record:
    return {
        "criterion": row["criterion"],
        "not_applicable": row["not_applicable"],
        "proposed": _points(row["proposed"]),
        "proposed_evidence": row["proposed_evidence"] or "",
        "decided": _points(row["decided"]),
        "details": row["details"],
        "evidence": row["evidence"] or "",
        "reason": row["reason"] or "",
        "decided_by": person(row["decided_by"]),
        "decided_at": _time(row["decided_at"]),
        "proposed_by": row.get("proposed_by", ""),
    }


def citation_fields(row: Record, person: People) -> Record:
    return {
        "number": row["number"],
        "start": row["start"],
        "end": row["end"],
        "raw": row["raw"],
        "state": row["state"],
        "in_bulk": row.get("in_bulk", False),
        "opened_at": _time(row["opened_at"]),
        "note": row["note"] or "",
        "decided_by": person(row["decided_by"]),
        "decided_at": _time(row["decided_at"]),
    }


def finding_fields(row: Record, person: People) -> Record:
    texts = ("source_says", "checked_source", "checked_address", "checked_edition", "reason")
    same = ("number", "error_class", "claim", "claim_start", "claim_end", "origin", "scope", "state", "proposed_by")
    return {
        **{name: row[name] for name in same},
        **{name: row[name] or "" for name in texts},
        "checked_on": date.fromisoformat(row["checked_on"]) if row["checked_on"] else None,
        "proposed_as": row.get("proposed_as"),
        "decided_by": person(row["decided_by"]),
        "decided_at": _time(row["decided_at"]),
    }


def _revision(card: Card, row: Record, person: People) -> CardRevision:
    approver = person(row["approved_by"])
    if approver is None:
        raise CardDiffers(f"revision {row['number']} names nobody who approved it")
    return CardRevision(
        card=card,
        number=row["number"],
        snapshot=row["snapshot"],
        reason=row["reason"] or "",
        approved_by=approver,
        approved_at=datetime.fromisoformat(row["approved_at"]),
        approved_as=row.get("approved_as", ""),
    )


def _points(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
