from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from lexreview.review.changed_parts import BESIDE
from lexreview.review.claiming import next_own_card
from lexreview.review.queue import neighbours_of
from lexreview.review.views.rendering import (
    IN_TEXT_ORDER,
    ReviewRequest,
    card_address,
    card_for,
    card_response,
    is_fragment,
    kept_page_response,
    number_in,
    reading_response,
    selected_in,
)


@require_safe
def card(request: ReviewRequest, pk: int) -> HttpResponse:
    """`whole` in the address: for htmx every part but the source, since each form says in which way the answer is
    shown."""
    shown, selected, raw = card_for(request, pk), selected_in(request), request.GET.get("raw") == "1"
    if "whole" in request.GET:
        return card_response(request, shown, selected=selected, raw=raw)
    return reading_response(request, shown, selected=selected, raw=raw)


@require_safe
@never_cache
def following(request: ReviewRequest, pk: int) -> HttpResponse:
    """The page that approving this card would open, for the browser to keep ready; nothing unless that card is the
    person's own already. It reads only: nothing is claimed, nothing counts as opened."""
    here = card_for(request, pk)
    own = next_own_card(user=request.user, after=here, benchmark=here.benchmark.slug)
    if own is None or is_fragment(request):
        return HttpResponse(status=204)
    return kept_page_response(request, card_for(request, own.pk))


@require_safe
def beside(request: ReviewRequest, pk: int) -> HttpResponse:
    """For a kept page that is shown now: what other cards have done to it since."""
    return reading_response(request, card_for(request, pk), selected=selected_in(request), reach=BESIDE)


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
