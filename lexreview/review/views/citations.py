from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from lexreview.core.methods.reference_card.facts import Origin, Scope
from lexreview.core.workflow import CitationState
from lexreview.review.actions import add_citation, confirm_in_bulk, open_citation
from lexreview.review.changed_parts import ERRORS
from lexreview.review.claims import find_claim
from lexreview.review.facts import specification_of
from lexreview.review.forms import CardForm, CitationForm, MissedCitationForm, Verdict
from lexreview.review.models import Card, CardCitation
from lexreview.review.parts import CardParts
from lexreview.review.sure import can_be_confirmed_in_bulk
from lexreview.review.verdicts import agree_with_proposal, call_not_wrong, call_wrong, set_aspect
from lexreview.review.views.rendering import (
    ReviewRequest,
    card_address,
    card_to_change,
    is_fragment,
    reading_response,
    save,
)


@require_POST
def open_(request: ReviewRequest, pk: int, number: int) -> HttpResponse:
    """Show the citation's source and note that it was looked at."""
    card = _card_with_citation(request, pk, number)
    open_citation(card=card, number=number, by=request.user, now=timezone.now())
    if is_fragment(request):
        return reading_response(request, card, selected=number)
    return redirect(card_address(card, number))


@require_POST
def decide(request: ReviewRequest, pk: int, number: int) -> HttpResponse:
    card = _card_with_citation(request, pk, number)
    classes = [each.code for each in specification_of(card).error_classes]

    def act(*, verdict: Verdict, reason: str, version: int) -> Card:
        common: dict[str, Any] = {
            "card": card,
            "number": number,
            "version": version,
            "by": request.user,
            "now": timezone.now(),
        }
        match verdict.kind:
            case "agree":
                return agree_with_proposal(**common)
            case "error":
                return call_wrong(error_class=verdict.value, **common)
            case "scope":
                return set_aspect(scope=Scope(verdict.value), **common)
            case "origin":
                return set_aspect(origin=Origin(verdict.value), **common)
            case _:
                state = CitationState(verdict.value)
                if state is CitationState.UNDETERMINED and not reason:
                    reason = _("It cannot be established whether the citation is wrong.")
                return call_not_wrong(state=state, reason=reason, **common)

    return save(request, card, CitationForm(request.POST, classes=classes), act, target="citation", reach=ERRORS)


@require_POST
def add(request: ReviewRequest, pk: int) -> HttpResponse:
    """Add a citation that the layer missed, and show it."""
    card = card_to_change(request, pk)

    def act(*, quote: str, occurrence: int | None, version: int) -> Card:
        claim = find_claim(card.answer.text, quote, occurrence or 1)
        return add_citation(
            card=card, start=claim.start, end=claim.end, version=version, by=request.user, now=timezone.now()
        )

    def newest(fresh: Card) -> int | None:
        return fresh.citations.filter(checked=None).order_by("-number").values_list("number", flat=True).first()

    return save(request, card, MissedCitationForm(request.POST), act, target="missed", choose=newest)


@require_POST
def confirm_all(request: ReviewRequest, pk: int) -> HttpResponse:
    """Confirm every citation that code found identical."""
    card = card_to_change(request, pk)

    def act(*, version: int) -> Card:
        return confirm_in_bulk(card=card, version=version, by=request.user, now=timezone.now())

    form = CardForm(request.POST)
    return save(request, card, form, act, target="citations", as_asked=_nothing_is_left, reach=ERRORS)


def _nothing_is_left(card: Card) -> bool:
    parts = CardParts(card)
    return not any(can_be_confirmed_in_bulk(row, parts) for row in parts.citations)


def _card_with_citation(request: ReviewRequest, pk: int, number: int) -> Card:
    card = card_to_change(request, pk)
    if not card.citations.filter(number=number).exists():
        raise CardCitation.DoesNotExist(number)
    return card
