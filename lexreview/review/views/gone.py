"""What a person reads whose card, citation or finding is deleted between the moment it was found and the write."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.db import IntegrityError
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path

from lexreview.review.models import Card, CardCitation, Finding
from lexreview.review.views.rendering import ReviewRequest, varied

View = Callable[..., HttpResponse]


def pages_of_cards(patterns: Sequence[URLPattern]) -> list[URLPattern]:
    """The same addresses, all with the card's key as `pk`; a row that is gone meanwhile is answered with 404, not with
    an error of the server.

    A row that goes shows as one that is not found, as a change of no row, or, at the end of the transaction, as a
    foreign key that leads nowhere. The same errors of a card that is whole are errors.
    """
    return [
        path(str(each.pattern), _or_gone(each.callback), each.default_args, each.name)
        for each in patterns
    ]  # fmt: skip


def _or_gone(view: View) -> View:
    @wraps(view)
    def answer(request: ReviewRequest, pk: int, **more: Any) -> HttpResponse:
        try:
            return view(request, pk, **more)
        except (ObjectDoesNotExist, IntegrityError):
            what = _gone(pk, **more)
            if not what:
                raise
            return varied(render(request, "review/gone.html", {"what": what, "pk": pk}, status=404))

    return answer


def _gone(pk: int, *, number: int | None = None, finding: int | None = None, **_more: Any) -> str:
    """Which of the rows that an address names is not there: "card", "citation" or "finding"; "" for none."""
    if not Card.objects.filter(pk=pk).exists():
        return "card"
    if number is not None and not CardCitation.objects.filter(card=pk, number=number).exists():
        return "citation"
    if finding is not None and not Finding.objects.filter(card=pk, number=finding).exists():
        return "finding"
    return ""
