from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from lexreview.accounts.models import User
from lexreview.ledger.models import Event
from lexreview.review.actions.restoring import citation_fields, finding_fields, score_fields
from lexreview.review.changing import PARTS, Change, change_card
from lexreview.review.models import Card
from lexreview.review.undoing import UNDO, change_to_undo


class CannotUndo(Exception):
    """There is nothing to take back, or it is somebody else's; the text says which."""


def undo_change(*, card: Card, version: int, by: User, now: datetime) -> Card:
    """Take back the last change of the card that still stands, if it is the person's own, as a new version.

    Undoing again takes back the change before it, down to the approval or the pre-filling. Every row gets back what it
    held; a row that the change had made goes, and the ledger keeps what it said. That a citation was opened stays.
    Raises CannotUndo.
    """
    with change_card(card=card, verb=UNDO, version=version, by=by, now=now) as change:
        event = change_to_undo(Event.objects.about("card", card.ledger_id).newest_first().iterator(chunk_size=50))
        if event is None:
            raise CannotUndo(_("There is no change to take back."))
        if event.actor != by.get_username():
            raise CannotUndo(
                _("The last change is by %(person)s, so only they can take it back.") % {"person": event.actor}
            )
        before, after = event.before or {}, event.after or {}
        _put_back(change, before[PARTS])
        change.after = {"undone": after["version"], "undone_verb": event.verb}
    return change.card


def _put_back(change: Change, records: dict[str, dict[str, Any]]) -> None:
    people = _People(records)
    parts = change.parts
    for name, record in records.get("card", {}).items():
        setattr(change.card, name, record["value"])
    for number, record in records.get("findings", {}).items():
        finding = parts.finding(int(number))
        if record is None:
            parts.findings.remove(finding)
            finding.delete()
            continue
        _set(finding, finding_fields(record, people))
        finding.citation = parts.citation(record["citation"]) if record["citation"] is not None else None
        finding.save()
    for criterion, record in records.get("scores", {}).items():
        score = parts.score(criterion)
        if score is None:
            continue
        if record is None:
            parts.scores.remove(score)
            score.delete()
            continue
        _set(score, score_fields(record, people))
        score.save()
    for number, record in records.get("citations", {}).items():
        citation = parts.citation(int(number))
        if record is None:
            parts.citations.remove(citation)
            citation.delete()
            continue
        _set(citation, {**citation_fields(record, people), "opened_at": citation.opened_at})
        citation.save()


def _set(row: Any, fields: dict[str, Any]) -> None:
    for name, value in fields.items():
        setattr(row, name, value)


class _People:
    """People by user name, read at once."""

    def __init__(self, records: dict[str, dict[str, Any]]) -> None:
        names = set(_names_in(records))
        self._found = {user.username: user for user in User.objects.filter(username__in=names)} if names else {}

    def __call__(self, username: str | None) -> User | None:
        return self._found[username] if username else None


def _names_in(records: dict[str, dict[str, Any]]) -> Iterator[str]:
    for rows in records.values():
        for record in rows.values():
            if record and record.get("decided_by"):
                yield record["decided_by"]
