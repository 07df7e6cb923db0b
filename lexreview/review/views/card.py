from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from lexreview.review.queue import neighbours_of
from lexreview.review.views.rendering import (
    IN_TEXT_ORDER,
    ReviewRequest,
    card_address,
    card_for,
    card_response,
    is_fragment,
    number_in,
    selected_in,
)


@require_safe
def card(request: ReviewRequest, pk: int) -> HttpResponse:
    raw = request.GET.get("raw") == "1"
    return card_response(request, card_for(request, pk), selected=selected_in(request), raw=raw, with_source=True)


@require_safe
def neighbour(request: ReviewRequest, pk: int, side: str) -> HttpResponse:
    """The card before or after this one in the person's list; at its end, this one again."""
    here = card_for(request, pk)
    before, after = neighbours_of(here, user=request.user)
    return redirect(card_address((before if side == "previous" else after) or here))


@require_POST
def citation_order(request: ReviewRequest, pk: int) -> HttpResponse:
    """The list of citations in text order or by need, for the rest of the session."""
    card = card_for(request, pk)
    request.session[IN_TEXT_ORDER] = request.POST.get("order") == "text"
    selected = number_in(request.POST.get("selected", ""))
    if is_fragment(request):
        return card_response(request, card, selected=selected)
    return redirect(card_address(card, selected))
