from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_POST

from lexreview.methodology.words import class_name
from lexreview.review.actions import (
    FindingDraft,
    accept_finding,
    add_finding,
    edit_finding,
    reject_finding,
    remove_finding,
)
from lexreview.review.changed_parts import ERRORS
from lexreview.review.claims import find_claim
from lexreview.review.facts import specification_of
from lexreview.review.forms import CardForm, FindingForm, ReasonForm
from lexreview.review.models import Card, Finding
from lexreview.review.views.rendering import ReviewRequest, card_to_change, save


@require_POST
def add(request: ReviewRequest, pk: int) -> HttpResponse:
    card = card_to_change(request, pk)

    def act(*, version: int, **values: Any) -> Card:
        draft = _draft(card, values)
        return add_finding(card=card, draft=draft, version=version, by=request.user, now=timezone.now())

    return save(request, card, _form(request, card), act, target="new-finding", reach=ERRORS)


@require_POST
def edit(request: ReviewRequest, pk: int, finding: int) -> HttpResponse:
    card = _card_with_finding(request, pk, finding)

    def act(*, version: int, **values: Any) -> Card:
        draft = _draft(card, values)
        return edit_finding(
            card=card, number=finding, draft=draft, version=version, by=request.user, now=timezone.now()
        )

    return save(request, card, _form(request, card), act, target=f"finding-row-{finding}", reach=ERRORS)


@require_POST
def accept(request: ReviewRequest, pk: int, finding: int) -> HttpResponse:
    card = _card_with_finding(request, pk, finding)

    def act(*, version: int) -> Card:
        return accept_finding(card=card, number=finding, version=version, by=request.user, now=timezone.now())

    return save(request, card, CardForm(request.POST), act, target=f"finding-row-{finding}", reach=ERRORS)


@require_POST
def reject(request: ReviewRequest, pk: int, finding: int) -> HttpResponse:
    card = _card_with_finding(request, pk, finding)

    def act(*, reason: str, version: int) -> Card:
        return reject_finding(
            card=card, number=finding, reason=reason, version=version, by=request.user, now=timezone.now()
        )

    return save(request, card, ReasonForm(request.POST), act, target=f"finding-row-{finding}", reach=ERRORS)


@require_POST
def remove(request: ReviewRequest, pk: int, finding: int) -> HttpResponse:
    card = _card_with_finding(request, pk, finding)

    def act(*, reason: str, version: int) -> Card:
        return remove_finding(
            card=card, number=finding, reason=reason, version=version, by=request.user, now=timezone.now()
        )

    return save(request, card, ReasonForm(request.POST), act, target=f"finding-row-{finding}", reach=ERRORS)


def _form(request: ReviewRequest, card: Card) -> FindingForm:
    classes = [
        (each.code, f"{each.code} · {class_name(each.name).words}") for each in specification_of(card).error_classes
    ]
    return FindingForm(request.POST, classes=classes)


def _draft(card: Card, values: dict[str, Any]) -> FindingDraft:
    """Where the claim stands is looked up here: what a browser counted is never trusted.

    A finding belongs to a citation if its claim takes in words of it; the form only says which one was shown.
    """
    claim = find_claim(card.answer.text, values.pop("claim"), values.pop("occurrence"))
    shown = card.citations.filter(number=values["citation_number"], start__lt=claim.end, end__gt=claim.start)
    if not shown.exists():
        values["citation_number"] = None
    return FindingDraft(
        error_class=values.pop("finding_class"),
        claim=claim.text,
        claim_start=claim.start,
        claim_end=claim.end,
        **values,
    )


def _card_with_finding(request: ReviewRequest, pk: int, finding: int) -> Card:
    card = card_to_change(request, pk)
    if not card.findings.filter(number=finding).exists():
        raise Finding.DoesNotExist(finding)
    return card
