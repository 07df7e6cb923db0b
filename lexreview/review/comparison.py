"""Theirs beside mine: what a form would set, next to what the card holds now."""

from typing import Any, NamedTuple

from django.urls import ResolverMatch
from django.utils.translation import gettext as _

from lexreview.core.workflow import CitationState
from lexreview.review.card_rows import points_text
from lexreview.review.forms import CardForm
from lexreview.review.models import (
    CITATION_STATE_LABELS,
    FINDING_STATE_LABELS,
    OFFICIAL_SOURCE_LABELS,
    Card,
    FindingState,
)
from lexreview.review.words import words_of_state


class Compared(NamedTuple):
    """One thing that the form is about."""

    label: str
    theirs: str
    mine: str

    @property
    def differs(self) -> bool:
        return self.mine != self.theirs


def compared(match: ResolverMatch | None, card: Card, form: CardForm) -> list[Compared]:
    """`match`: the address that the form was sent to, which says what of the card it is about."""
    theirs = _theirs(match.kwargs if match is not None else {}, card)
    rows = [Compared(label, theirs.get(name, ""), value) for name, label, value in form.entered]
    return [row for row in rows if row.theirs or row.mine]


def about(match: ResolverMatch | None) -> str:
    """The part of the card that an address is about: a criterion, a citation, a finding; empty for the whole card."""
    arguments = match.kwargs if match is not None else {}
    if code := arguments.get("code"):
        return str(code)
    if number := arguments.get("number"):
        return _("Citation %(n)s") % {"n": number}
    if number := arguments.get("finding"):
        return _("Finding %(n)s") % {"n": number}
    return ""


def _theirs(arguments: dict[str, Any], card: Card) -> dict[str, str]:
    """The card's present values under the names that the form's fields have."""
    if code := arguments.get("code"):
        return _score(card, code)
    if number := arguments.get("number"):
        return _citation(card, number)
    if number := arguments.get("finding"):
        return _finding(card, number)
    official = {value.value: str(words) for value, words in OFFICIAL_SOURCE_LABELS.items()}
    return {
        "note": card.note,
        "official_source": official.get(card.official_source, ""),
        "reason": words_of_state(card.state),
        "question": card.ruling_question,
    }


def _score(card: Card, code: str) -> dict[str, str]:
    row = card.scores.filter(criterion=code).first()
    if row is None:
        return {}
    elements = ", ".join(sorted(each for group in row.details.values() for each in group))
    return {
        "points": points_text(row.decided),
        "evidence": row.evidence,
        "reason": row.reason,
        "elements": elements,
    }


def _citation(card: Card, number: int) -> dict[str, str]:
    row = card.citations.filter(number=number).first()
    return {} if row is None else {"verdict": str(CITATION_STATE_LABELS[CitationState(row.state)])}


def _finding(card: Card, number: int) -> dict[str, str]:
    row = card.findings.filter(number=number).first()
    if row is None:
        return {}
    state = str(FINDING_STATE_LABELS[FindingState(row.state)])
    return {
        "finding_class": row.error_class,
        "claim": row.claim,
        "source_says": row.source_says,
        "checked_source": row.checked_source,
        "checked_address": row.checked_address,
        "checked_edition": row.checked_edition,
        "checked_on": row.checked_on.isoformat() if row.checked_on else "",
        "origin": row.origin,
        "scope": row.scope,
        "reason": f"{state}. {row.reason}".strip(),
    }
