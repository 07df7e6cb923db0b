"""Cards that a person may approve together, because everything on them is proposed, unchanged and sure."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from lexreview.accounts.rules import NotAllowed
from lexreview.core.workflow import TransitionRefused
from lexreview.review.actions import CannotApprove, NotSure, StaleCard, approve_sure_card
from lexreview.review.forms import BulkForm
from lexreview.review.piles import Desk
from lexreview.review.queue import Listed, listed, rows_of
from lexreview.review.sure import sure_cards_of
from lexreview.review.views.rendering import ReviewRequest

PER_PAGE = 50


@require_http_methods(["GET", "HEAD", "POST"])
def bulk(request: ReviewRequest) -> HttpResponse:
    if request.method == "POST":
        return _approve(request)
    page = Paginator(listed(sure_cards_of(request.user)), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "page_obj": page,
        "rows": rows_of([Listed(*row) for row in page.object_list], desk=Desk.of(request.user)),
        "query": "",
    }
    return render(request, "review/bulk.html", context)


def _approve(request: ReviewRequest) -> HttpResponse:
    """Each card in a transaction of its own: one that was changed meanwhile does not hold up the others."""
    form = BulkForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Choose the cards to approve."))
        return redirect("review:bulk")
    cards = sure_cards_of(request.user).with_answer().in_bulk(list(form.versions))
    approved, left = 0, len(form.versions) - len(cards)
    for card in cards.values():
        try:
            approve_sure_card(card=card, version=form.versions[card.pk], by=request.user, now=timezone.now())
            approved += 1
        except (CannotApprove, NotSure, StaleCard, TransitionRefused, NotAllowed):
            left += 1
    if approved:
        text = ngettext("%(n)s card was approved.", "%(n)s cards were approved.", approved)
        messages.success(request, text % {"n": approved})
    if left:
        text = ngettext(
            "%(n)s card was changed meanwhile and was left as it is.",
            "%(n)s cards were changed meanwhile and were left as they are.",
            left,
        )
        messages.warning(request, text % {"n": left})
    return redirect("review:bulk")
