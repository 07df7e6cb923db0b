"""A card as plain data: what an approved revision, an export and a publication hold of it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import Any

from django.db.models import Prefetch, QuerySet

from lexreview.prepared import Prepared
from lexreview.review.models import Card, CardCitation, Finding, ModelProposal, Score
from lexreview.review.models.card import CardQuerySet
from lexreview.review.provenance import Provenance, provenance_of_citation, provenance_of_finding, provenance_of_score
from lexreview.verification.models import Citation

# The rows below a card that a record holds, each kind in its order and with what its records name.
ROWS: dict[str, Callable[[Any], QuerySet[Any]]] = {
    "scores": lambda rows: rows.select_related("decided_by").order_by("pk"),
    "citations": lambda rows: rows.in_text_order().with_result(),
    "findings": lambda rows: rows.select_related("decided_by", "citation").in_order(),
    "revisions": lambda rows: rows.select_related("approved_by").order_by("number"),
    "adjudicated_reviews": lambda rows: rows.select_related("review__answer").order_by("position"),
    "choices": lambda rows: rows.select_related("taken_from__answer", "decided_by").in_order(),
    "ruling_requests": lambda rows: rows.select_related("asked_by", "decision", "answered_by").in_order(),
    "model_proposals": lambda rows: rows.in_order(),
    "attendance": lambda rows: rows.select_related("person").order_by("person__username"),
}
PROVENANCE: dict[str, Callable[[Any, Card], Provenance | None]] = {
    "scores": provenance_of_score,
    "citations": provenance_of_citation,
    "findings": provenance_of_finding,
}
LOT = 200


def records_of(cards: CardQuerySet) -> Iterator[tuple[Card, dict[str, Any]]]:
    """Each card with its record, as `record_of` makes it; a few queries for every LOT of cards."""
    below = [
        Prefetch(name, queryset=ordered(getattr(Card, name).rel.related_model.objects.all()))
        for name, ordered in ROWS.items()
    ]
    for card in cards.with_answer().prefetch_related(*below).iterator(chunk_size=LOT):
        yield card, record_of(card)


def _below(name: str, card: int) -> QuerySet[Any]:
    relation = getattr(Card, name).rel
    return ROWS[name](relation.related_model.objects.filter(**{relation.field.name: card}))


_PREPARED: Mapping[str, Prepared[Any]] = {name: Prepared(partial(_below, name), int, keep_plan=True) for name in ROWS}


def rows_below(card: Card, name: str) -> list[Any]:
    """The rows of that kind as they are now, in the order of ROWS: one query."""
    rows, link = _PREPARED[name](card.pk), getattr(Card, name).rel.field.name
    for row in rows:
        setattr(row, link, card)
    return rows


def _rows(card: Card, name: str) -> Sequence[Any]:
    """The same; read already where `records_of` did."""
    read: Mapping[str, Sequence[Any]] = getattr(card, "_prefetched_objects_cache", {})
    return read[name] if name in read else rows_below(card, name)


def snapshot_of(card: Card, *, read: Mapping[str, Sequence[Any]] | None = None) -> dict[str, Any]:
    """The whole card, its parts in order. Points are decimal strings, times ISO, people user names.

    `read`: rows below the card that the caller has as they are now, in the order of ROWS; the others are read.
    """
    rows = {name: _rows(card, name) if read is None or name not in read else read[name] for name in PROVENANCE}
    return {
        "answer": card.answer.identifier,
        "scoring_pass": card.scoring_pass,
        "round": card.round,
        "seat": card.seat,
        "specification": card.specification.version,
        "key_version": card.key_version.number,
        "state": card.state,
        "assigned_to": _username(card.assigned_to),
        "official_source": card.official_source or None,
        "note": card.note or None,
        "ruling_question": card.ruling_question or None,
        "label": card.label or None,
        "label_rule": card.label_rule or None,
        "a_points": _points(card.a_points),
        "a_available": _points(card.a_available),
        "revision": card.revision,
        "revision_reason": card.revision_reason or None,
        "approved_by": _username(card.approved_by),
        "approved_at": _time(card.approved_at),
        "verification": _verification(card),
        "scores": [score_record(row) for row in rows["scores"]],
        "citations": [_citation(row) for row in rows["citations"]],
        "findings": [finding_record(row) for row in rows["findings"]],
        **_beyond_the_parts(card),
    }


def record_of(card: Card) -> dict[str, Any]:
    """What an export holds: the card as shown, where its values come from, how it was drawn and how long people worked
    on it, which is nobody's business but theirs and the lead's.

    `model_proposals` is there only where a model was asked, without the number of its call, which is one of this
    installation.
    """
    drawn = {"blind": card.blind, "withheld": card.withheld, "to_repeat": card.to_repeat}
    proposals = [_model_proposal(row, card) for row in _rows(card, "model_proposals")]
    return {
        **_with_provenance(shown_record_of(card), card),
        **drawn,
        "active_seconds": _active_seconds(card),
        **({"model_proposals": proposals} if proposals else {}),
    }


def content_of(record: Mapping[str, Any]) -> dict[str, Any]:
    """What of a record is the card itself: without times of work, and without what follows from the rest."""
    kept = {name: value for name, value in record.items() if name != "active_seconds"}
    for kind in PROVENANCE:
        kept[kind] = [{name: value for name, value in row.items() if name != "provenance"} for row in kept[kind]]
    return kept


def _with_provenance(record: dict[str, Any], card: Card) -> dict[str, Any]:
    for kind, provenance in PROVENANCE.items():
        rows = zip(record[kind], _rows(card, kind), strict=True)
        record[kind] = [{**each, "provenance": _value(provenance(row, card))} for each, row in rows]
    return record


def _active_seconds(card: Card) -> list[dict[str, Any]]:
    """Of everybody who worked on the card, and of its reviewers also where they were not timed (null), by name."""
    timed = {row.person.username: row.active_seconds for row in _rows(card, "attendance") if row.active_seconds}
    reviewers = [person for person in (_username(card.assigned_to), _username(card.approved_by)) if person]
    people = sorted({*timed, *reviewers})
    return [{"person": person, "active_seconds": timed.get(person)} for person in people]


MODEL_PROPOSAL_FIELDS = (
    "provider", "model", "served_model", "prompt_version", "prompt_sha256", "fingerprint", "content",
)  # fmt: skip


def _model_proposal(row: ModelProposal, card: Card) -> dict[str, Any]:
    return {
        **{name: getattr(row, name) for name in MODEL_PROPOSAL_FIELDS},
        "proposed_at": _time(row.proposed_at),
        "is_laid": row.pk == card.model_proposal_id,
    }


def shown_record_of(card: Card) -> dict[str, Any]:
    """The snapshot with the approved revisions before it: what the API gives to people who may see the card."""
    return {
        **snapshot_of(card),
        "revisions": [
            {
                "number": row.number,
                "reason": row.reason or None,
                "approved_by": row.approved_by.username,
                "approved_at": _time(row.approved_at),
                **({"approved_as": row.approved_as} if row.approved_as else {}),
                "snapshot": row.snapshot,
            }
            for row in _rows(card, "revisions")
        ],
    }


def _beyond_the_parts(card: Card) -> dict[str, Any]:
    """The reviews behind an adjudicated card with what was taken from each, and the rulings asked for."""
    return {
        "reviews": [
            {"card": row.review.identifier, "revision": row.revision} for row in _rows(card, "adjudicated_reviews")
        ],
        "choices": [
            {
                "kind": row.kind,
                "target": row.target,
                "taken_from": row.taken_from.identifier if row.taken_from else None,
                "reason": row.reason,
                "decided_by": _username(row.decided_by),
                "decided_at": _time(row.decided_at),
            }
            for row in _rows(card, "choices")
        ],
        "rulings": [
            {
                "number": row.number,
                "question": row.question,
                "asked_by": _username(row.asked_by),
                "asked_at": _time(row.asked_at),
                "decision": row.decision.number if row.decision else None,
                "answered_by": _username(row.answered_by),
                "answered_at": _time(row.answered_at),
            }
            for row in _rows(card, "ruling_requests")
        ],
    }


def _verification(card: Card) -> dict[str, Any] | None:
    if card.verification is None:
        return None
    return {
        "layer_version": card.verification.layer_version,
        "legal_state_on": card.verification.legal_state_on.isoformat(),
        "verified_at": _time(card.verification.verified_at),
    }


def score_record(row: Score) -> dict[str, Any]:
    """`proposed_by` is there only where a model proposed."""
    return {
        "criterion": row.criterion,
        "not_applicable": row.not_applicable,
        "proposed": _points(row.proposed),
        "proposed_evidence": row.proposed_evidence or None,
        "decided": _points(row.decided),
        "details": row.details,
        "evidence": row.evidence or None,
        "reason": row.reason or None,
        "decided_by": _username(row.decided_by),
        "decided_at": _time(row.decided_at),
        **({"proposed_by": row.proposed_by} if row.proposed_by else {}),
    }


def _citation(row: CardCitation) -> dict[str, Any]:
    return {**citation_record(row), "layer": layer_result_of(row.checked) if row.checked else None}


def citation_record(row: CardCitation) -> dict[str, Any]:
    """The citation as people left it, without what the layer says of it. `in_bulk` is there only where it is true."""
    return {
        "number": row.number,
        "start": row.start,
        "end": row.end,
        "raw": row.raw,
        "state": row.state,
        "opened_at": _time(row.opened_at),
        "note": row.note or None,
        "decided_by": _username(row.decided_by),
        "decided_at": _time(row.decided_at),
        **({"in_bulk": True} if row.in_bulk else {}),
    }


def layer_result_of(row: Citation) -> dict[str, Any]:
    """What the citation layer established; the act, edition and ruling by their own keys."""
    return {
        "number": row.number,
        "kind": row.kind,
        "act_name": row.act_name or None,
        "unit": row.unit_key or None,
        "act": row.act.eli if row.act else None,
        "edition": _edition(row.edition),
        "other_edition": _edition(row.other_edition),
        "ruling": _ruling(row),
        "result": row.result,
        "reason": row.reason or None,
        "explanation": row.explanation or None,
        "suggestion": row.suggestion or None,
        "quotation": row.quotation or None,
        "quotation_spans": row.quotation_spans,
        "diff": row.diff,
        "source_text": row.source_text or None,
        "source_url": row.source_url or None,
        "source_sha256": row.source_sha256 or None,
        "certainty": row.certainty or None,
        "proposed_class": row.proposed_class or None,
    }


def _edition(row: Any) -> dict[str, Any] | None:
    if row is None:
        return None
    return {"language": row.language, "valid_from": row.valid_from.isoformat()}


def _ruling(row: Citation) -> dict[str, Any] | None:
    if row.ruling is None:
        return None
    decided_on = row.ruling.decided_on
    return {
        "court": row.ruling.court,
        "docket": row.ruling.docket,
        "decided_on": decided_on.isoformat() if decided_on else None,
    }


def finding_record(row: Finding) -> dict[str, Any]:
    """`proposed_as` is there only where a person worded a proposal otherwise."""
    return {
        "number": row.number,
        "citation": row.citation.number if row.citation else None,
        "error_class": row.error_class,
        "claim": row.claim,
        "claim_start": row.claim_start,
        "claim_end": row.claim_end,
        "source_says": row.source_says or None,
        "checked_source": row.checked_source or None,
        "checked_address": row.checked_address or None,
        "checked_edition": row.checked_edition or None,
        "checked_on": row.checked_on.isoformat() if row.checked_on else None,
        "origin": row.origin,
        "scope": row.scope,
        "state": row.state,
        "proposed_by": row.proposed_by,
        "reason": row.reason or None,
        "decided_by": _username(row.decided_by),
        "decided_at": _time(row.decided_at),
        **({"proposed_as": row.proposed_as} if row.proposed_as else {}),
    }


def _points(value: Decimal | None) -> str | None:
    return None if value is None else format(value.normalize(), "f")


def _time(value: datetime | None) -> str | None:
    return None if value is None else value.isoformat()


def _value(choice: Provenance | None) -> str | None:
    return None if choice is None else choice.value


def _username(person: Any) -> str | None:
    return person.username if person else None
