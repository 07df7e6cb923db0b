"""What a view of the room gets and gives: the card it is about, the page, and the replies to a save."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect, replace_url, reswap
from django_htmx.middleware import HtmxDetails

from lexreview.accounts.models import User
from lexreview.core.methods.reference_card.scoring import PointsRefused
from lexreview.core.workflow import TransitionRefused
from lexreview.prepared import Prepared
from lexreview.review.actions import CannotApprove, CannotUndo, InvalidCitation, InvalidFinding, StaleCard
from lexreview.review.blinding import is_shown
from lexreview.review.card_page import CardPage
from lexreview.review.changed_parts import CHOICE, PAGE_VERSION, Reach, is_one_step
from lexreview.review.changing import sent_form
from lexreview.review.comparison import about, compared
from lexreview.review.forms import CardForm, form_key_of
from lexreview.review.kept_pages import CARD_STAMP, KEPT_CARD, NEXT_CARD, stamp_of
from lexreview.review.keyboard import Keyboard, with_keys_of
from lexreview.review.models import Card
from lexreview.review.refused import NOTHING_REFUSED, Refused
from lexreview.review.rules import check_can_review_card
from lexreview.translating import translated

REFUSALS = (PointsRefused, InvalidCitation, InvalidFinding, TransitionRefused, CannotApprove, CannotUndo)

IN_TEXT_ORDER = "citations_in_text_order"
_card = Prepared(
    lambda pk, person: with_keys_of(person, Card.objects.for_page().filter(pk=pk)), int, int, keep_plan=True
)


class ReviewRequest(HttpRequest):
    """`keyboard`: the person's keys, where they were read with a card."""

    user: User
    htmx: HtmxDetails
    keyboard: Keyboard


def card_for(request: ReviewRequest, pk: int) -> Card:
    """The card, or 404 for people who may not know of it."""
    card = _card.first(pk, request.user.pk)
    if card is None or not is_shown(card, request.user):
        raise Http404
    request.keyboard = Keyboard.read_with(card)
    return card


def card_to_change(request: ReviewRequest, pk: int) -> Card:
    """The card of a person who may decide it: 404 for outsiders, 403 for members without the right."""
    card = card_for(request, pk)
    check_can_review_card(request.user, card)
    return card


def card_address(card: Card, selected: int | None = None, *, raw: bool = False) -> str:
    query = {**({"citation": selected} if selected else {}), **({"raw": 1} if raw else {})}
    address = reverse("review:card", args=[card.pk])
    return f"{address}?{urlencode(query)}" if query else address


def is_fragment(request: ReviewRequest) -> bool:
    return bool(request.htmx) and not request.htmx.history_restore_request


def page_for(
    request: ReviewRequest, card: Card, *, selected: int | None = None, raw: bool | None = None, **more: Any
) -> CardPage:
    """The card as the person who asks sees it. `raw`: None for what the form says that was sent; `more`: `refused` and
    `parts` of CardPage."""
    shown = request.POST.get("raw") == "1" if raw is None else raw
    in_text_order = bool(request.session.get(IN_TEXT_ORDER))
    return CardPage(card, user=request.user, selected=selected, raw=shown, in_text_order=in_text_order, **more)


def card_response(
    request: ReviewRequest,
    card: Card,
    *,
    selected: int | None = None,
    refused: Refused = NOTHING_REFUSED,
    raw: bool | None = None,
    with_source: bool = False,
    notice: str = "",
    status: int = 200,
) -> HttpResponse:
    """The whole page, or for htmx its changing parts, made by the same templates.

    `with_source`: the chosen citation is a new one, so the source changes too.
    """
    page = page_for(request, card, selected=selected, raw=raw, refused=refused)
    return _page_response(request, page, with_source=with_source, notice=notice, status=status)


def _page_response(request: ReviewRequest, page: CardPage, *, status: int = 200, **context: Any) -> HttpResponse:
    if not is_fragment(request):
        return _whole_page(request, page, status=status, **context)
    response = render(request, "review/_parts.html", _context(request, page, **context), status=status)
    return _addressed(response, page)


def _whole_page(request: ReviewRequest, page: CardPage, *, status: int = 200, **context: Any) -> HttpResponse:
    return varied(render(request, "review/card.html", _context(request, page, **context), status=status))


def kept_page_response(request: ReviewRequest, card: Card) -> HttpResponse:
    """The whole page for the browser to keep, with its stamp. Messages wait for a page that is shown."""
    stamp = stamp_for(request, card)
    response = _whole_page(request, page_for(request, card), messages=())
    response[CARD_STAMP], response[KEPT_CARD] = stamp, str(card.pk)
    return response


def next_card_response(request: ReviewRequest, following: Card) -> HttpResponse:
    """On to the next card: by a redirect; for a browser that shows it in place by its page, or, where the page that it
    keeps is still right, by the address alone."""
    address, kept = card_address(following), request.headers.get(KEPT_CARD)
    if not is_fragment(request) or kept is None:
        return leave(request, address)
    card = card_for(request, following.pk)
    if kept == str(card.pk) and request.headers.get(CARD_STAMP) == stamp_for(request, card):
        response = HttpResponse()
    else:
        response = _whole_page(request, page_for(request, card, raw=False))
    response[NEXT_CARD] = address
    return response


def reading_response(
    request: ReviewRequest, card: Card, *, selected: int | None, raw: bool | None = None, reach: Reach = CHOICE
) -> HttpResponse:
    """The page without a save; for htmx on a page that shows the card as it is, only what `reach` says."""
    if not is_fragment(request) or request.headers.get(PAGE_VERSION) != str(card.version):
        return card_response(request, card, selected=selected, raw=raw, with_source=True)
    return _changed_parts(request, page_for(request, card, selected=selected, raw=raw), reach)


def _saved_response(
    request: ReviewRequest, card: Card, form: CardForm, *, selected: int | None, reach: Reach | None
) -> HttpResponse:
    """The reply to htmx after a save: what it reaches, where the page is known to be right for the rest."""
    notice = _("Saved, version %(n)s") % {"n": card.version}
    page = page_for(request, card, selected=selected, parts=card.parts_of_change if reach is not None else None)
    made_on, key = form.cleaned_data["version"], form_key_of(request)
    shown = request.headers.get(PAGE_VERSION, "")
    if reach is not None and is_one_step(page, shown=shown, version=made_on, form_key=key):
        return _changed_parts(request, page, reach, notice=notice)
    return _page_response(request, page, notice=notice, with_source=False)


def _changed_parts(request: ReviewRequest, page: CardPage, reach: Reach, *, notice: str = "") -> HttpResponse:
    """Each part out of band, and nothing in the place that asked."""
    context = _context(request, page, notice=notice, parts=reach.templates_of(page), rows=reach.rows_of(page))
    return _addressed(reswap(render(request, "review/_changed.html", context), "none"), page)


def _context(request: ReviewRequest, page: CardPage, **more: Any) -> dict[str, Any]:
    common = {"page": page, "card": page.card, "benchmark": page.benchmark, "keyboard": _keyboard_of(request)}
    return {**common, **more}


def _keyboard_of(request: ReviewRequest) -> Keyboard:
    return getattr(request, "keyboard", None) or Keyboard.of(request.user)


def _addressed(response: HttpResponse, page: CardPage) -> HttpResponse:
    """With the address under which the browser finds what the page now shows."""
    number = page.selected.number if page.selected else None
    return varied(replace_url(response, card_address(page.card, number, raw=page.raw)))


def varied(response: HttpResponse) -> HttpResponse:
    patch_vary_headers(response, ["HX-Request", "HX-History-Restore-Request", PAGE_VERSION])
    return response


def save(
    request: ReviewRequest,
    card: Card,
    form: CardForm,
    act: Callable[..., Card],
    *,
    target: str,
    done: Callable[[Card], HttpResponse] | None = None,
    choose: Callable[[Card], int | None] | None = None,
    as_asked: Callable[[Card], bool] = lambda current: False,
    reach: Reach | None = None,
) -> HttpResponse:
    """Run one action with what the form holds, and answer: saved, refused (422), or changed meanwhile (409).

    `act` takes the form's values and `version`; `target` is the id of the form's place on the page. `done` answers
    instead of the page, for actions that leave it; `choose` names another citation to show than the form did.
    `as_asked` says whether a card that was changed meanwhile is what the form asks for: then the form was sent twice,
    and that is no conflict, as when the ledger already has a change under the form's own key. `reach`: what of the page
    the action can change; None for all of it.
    """
    if not form.is_valid():
        made_on = form.cleaned_data.get("version")
        if made_on is not None and made_on != card.version:
            # What is wrong may be so by what happened since: a key without the element that was ticked.
            return _stale(request, StaleCard(card, made_on), form)
        return _refused(request, card, form, target=target, errors=_errors(form))
    selected = form.cleaned_data["selected"]
    try:
        with sent_form(form_key_of(request)):
            fresh = act(version=form.cleaned_data["version"], **form.values)
    except StaleCard as stale:
        if not stale.is_repeat and not as_asked(stale.card):
            return _stale(request, stale, form)
        fresh = stale.card
    except REFUSALS as refusal:
        current = card_for(request, card.pk)
        if current.version != form.cleaned_data["version"]:
            # What was refused was said of an older page; the reason is what happened since.
            return _stale(request, StaleCard(current, form.cleaned_data["version"]), form)
        return _refused(request, card, form, target=target, errors=(translated(refusal),))
    if done is not None:
        return done(fresh)
    if choose is not None:
        selected = choose(fresh)
    if is_fragment(request):
        return _saved_response(request, fresh, form, selected=selected, reach=reach if choose is None else None)
    return redirect(
        card_address(fresh, selected, raw=request.POST.get("raw") == "1") + (f"#{target}" if target else "")
    )


def stamp_for(request: ReviewRequest, card: Card) -> str:
    """What the page of the card depends on, for the person who asks."""
    return stamp_of(
        card,
        user=request.user,
        keyboard=_keyboard_of(request),
        today=timezone.localdate(),
        in_text_order=bool(request.session.get(IN_TEXT_ORDER)),
        language=get_language() or "",
    )


def leave(request: ReviewRequest, address: str) -> HttpResponse:
    """Go to another page: by a redirect, for htmx by its own header, because it would paint the page into the card."""
    return HttpResponseClientRedirect(address) if is_fragment(request) else redirect(address)


def _errors(form: CardForm) -> tuple[str, ...]:
    """The messages, each with the label of its field, as the page has no room beside every field."""
    said = []
    for name, messages in form.errors.items():
        label = form.fields[name].label if name in form.fields else ""
        said += [f"{label}: {message}" if label else str(message) for message in messages]
    return tuple(said)


def _refused(
    request: ReviewRequest, card: Card, form: CardForm, *, target: str, errors: tuple[str, ...]
) -> HttpResponse:
    current = card_for(request, card.pk)
    refused = Refused(target=target, entered=dict(request.POST.items()), errors=errors)
    selected = number_in(request.POST.get("selected", ""))
    return card_response(request, current, selected=selected, refused=refused, notice=" ".join(errors), status=422)


def _stale(request: ReviewRequest, stale: StaleCard, form: CardForm) -> HttpResponse:
    selected = form.cleaned_data.get("selected")
    context: dict[str, Any] = {
        "stale": stale,
        "card": stale.card,
        "benchmark": stale.card.benchmark,
        "rows": compared(request.resolver_match, stale.card, form),
        "about": about(request.resolver_match),
        "resent": _resent(request),
        "address": request.path,
        "card_address": card_address(stale.card, selected),
        "events": stale.events,
    }
    template = "review/_conflict.html" if is_fragment(request) else "review/conflict.html"
    return varied(render(request, template, context, status=409))


def _resent(request: ReviewRequest) -> list[tuple[str, str]]:
    """Everything the form sent, to be sent again on the new version when the person keeps theirs."""
    left_out = ("version", "csrfmiddlewaretoken")
    return [(name, value) for name, values in request.POST.lists() if name not in left_out for value in values]


def sent(request: ReviewRequest, name: str) -> str:
    """A value of a form without a class; a NUL, which PostgreSQL refuses, becomes a character that fits nothing."""
    return request.POST.get(name, "").replace("\0", "\ufffd")


def number_in(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else None


def selected_in(request: ReviewRequest) -> int | None:
    return number_in(request.GET.get("citation", ""))
