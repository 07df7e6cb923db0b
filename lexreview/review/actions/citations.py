from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from lexreview.accounts.models import User
from lexreview.core.workflow import CitationState
from lexreview.ledger.actions import record_event
from lexreview.review.changing import Change, change_card, locked_card
from lexreview.review.models import Card, CardCitation
from lexreview.review.parts import CardParts
from lexreview.review.rules import check_can_review_card
from lexreview.review.sure import can_be_confirmed_in_bulk


class InvalidCitation(ValueError):
    """The words do not fit the answer, or there is nothing to confirm; the text says what was expected."""


@transaction.atomic
def open_citation(*, card: Card, number: int, by: User, now: datetime) -> Card:
    """Note that a person looked at the citation and its source. Once is enough; the card's version does not move.

    Raises CardCitation.DoesNotExist for a number that the card does not have.
    """
    current = locked_card(card)
    check_can_review_card(by, current)
    citation = CardCitation.objects.get(card=current, number=number)
    if citation.opened_at is None:
        citation.opened_at = now
        citation.save(update_fields=["opened_at"])
        record_event(
            by=by,
            verb="open_citation",
            object_type="card",
            object_id=current.ledger_id,
            after={"citation": number, "raw": citation.raw, "opened_at": now.isoformat()},
            now=now,
        )
    return current


def decide_citation(
    *, card: Card, number: int, state: CitationState, note: str = "", version: int, by: User, now: datetime
) -> Card:
    """A person's word on a citation; deciding it counts as having opened it."""

    def already(parts: CardParts) -> bool:
        row = parts.citation(number)
        return row.state == state and row.note == note

    with change_card(card=card, verb="decide_citation", version=version, by=by, now=now, already_in=already) as change:
        if not change.nothing:
            put_state(change, number=number, state=state, note=note, by=by, now=now)
    return change.card


def put_state(
    change: Change, *, number: int, state: CitationState, note: str | None = None, by: User, now: datetime
) -> None:
    """Inside a change: the state of one citation. `note` None leaves its note as it is."""
    row = change.parts.citation(number)
    change.before = {"citation": number, "citation_state": row.state, "note": row.note}
    row.state, row.note = state, row.note if note is None else note
    checked = state != CitationState.UNCHECKED
    row.decided_by, row.decided_at = (by, now) if checked else (None, None)
    row.opened_at = row.opened_at or now
    row.in_bulk = False
    row.save()
    change.after = {"citation": number, "raw": row.raw, "citation_state": state, "note": row.note}


def add_citation(*, card: Card, start: int, end: int, version: int, by: User, now: datetime) -> Card:
    """A citation that the layer missed: the words of the answer from `start` to `end`. It is unchecked and counts.

    Raises InvalidCitation where there are no words, or where exactly these are a citation already.
    """
    raw = card.answer.text[start:end]

    def already(parts: CardParts) -> bool:
        return any((row.start, row.end) == (start, end) and row.checked_id is None for row in parts.citations)

    with change_card(card=card, verb="add_citation", version=version, by=by, now=now, already_in=already) as change:
        if change.nothing:
            return change.card
        if start < 0 or not raw.strip():
            raise InvalidCitation(_("Mark the words of the answer that cite a source of law."))
        if any((row.start, row.end) == (start, end) for row in change.parts.citations):
            raise InvalidCitation(_("These words are a citation of the card already."))
        row = CardCitation(
            card=change.card,
            number=change.parts.next_citation_number,
            start=start,
            end=end,
            raw=raw,
            opened_at=now,
        )
        row.save()
        change.parts.citations.append(row)
        change.after = {"citation": row.number, "raw": raw, "start": start, "end": end}
    return change.card


def confirm_in_bulk(*, card: Card, version: int, by: User, now: datetime) -> Card:
    """Confirm every citation that code found identical in unit, date and wording, as one change.

    They are counted apart wherever the card is told of. Raises InvalidCitation where there is none.
    """
    with change_card(card=card, verb="confirm_in_bulk", version=version, by=by, now=now) as change:
        rows = [row for row in change.parts.citations if can_be_confirmed_in_bulk(row, change.parts)]
        if not rows:
            raise InvalidCitation(
                _("No citation can be confirmed in bulk: that takes an identical quotation in force on the date.")
            )
        for row in rows:
            row.state, row.in_bulk = CitationState.CONFIRMED, True
            row.decided_by, row.decided_at = by, now
            row.save()
        change.after = {"citations": [row.number for row in rows]}
    return change.card
