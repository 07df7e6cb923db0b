from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import resolve_url
from django.utils.http import urlencode
from django.views.csrf import csrf_failure
from django_htmx.http import HttpResponseClientRedirect

from lexreview.accounts.rules import keep_memberships_in_mind

SESSION_ENDED = "Session-Ended"
"""Tells the script of a page why it is led away: what was sent was not done."""
OWN_REPLY = "Own-Reply"
DATA_AS_TEXT = {"application/json", "application/atom+xml", "application/x-ndjson", "image/svg+xml"}


class TextCompressionMiddleware(GZipMiddleware):
    """Pages and tables are sent compressed where the browser takes that; PDF reports and bundles are dense already.

    Django pads what it compresses by a random length, and the tokens of forms differ each time, so that lengths tell
    nothing of a page's secrets.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        kind = response.headers.get("Content-Type", "").partition(";")[0]
        if not (kind.startswith("text/") or kind in DATA_AS_TEXT):
            return response
        compressed: HttpResponseBase = super().process_response(request, response)
        return compressed


class OwnReplyMiddleware:
    """Marks what this server answers to a script. A network that asks for a sign-in, or a proxy that tells of
    maintenance, answers in its place with a page and 200: without the mark nothing counts as saved."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if request.headers.get("HX-Request") == "true":
            response[OWN_REPLY] = "1"
        return response


class AddressMiddleware:
    """An address with a NUL names nothing: PostgreSQL would refuse to look for it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if "\0" in request.path_info:
            raise Http404
        return self.get_response(request)


class SignInMiddleware(LoginRequiredMiddleware):
    """Closed by default, and when a session ends under an htmx request the whole page goes to the sign-in page.

    A redirect would be followed by htmx, which would paint the sign-in form into the fragment.
    """

    def process_view(
        self,
        request: HttpRequest,
        view_func: Callable[..., Any],
        view_args: tuple[Any, ...],
        view_kwargs: dict[str, Any],
    ) -> HttpResponseBase | None:
        refused: HttpResponseBase | None = super().process_view(request, view_func, view_args, view_kwargs)
        if refused is None and getattr(view_func, "login_required", True):
            keep_memberships_in_mind(request.user)
        return refused

    def handle_no_permission(  # type: ignore[override]
        self, request: HttpRequest, view_func: Callable[..., Any]
    ) -> HttpResponseBase:
        if request.headers.get("HX-Request") != "true":
            return super().handle_no_permission(request, view_func)
        query = urlencode({self.get_redirect_field_name(view_func): _page_behind(request)})
        return _led_away(f"{resolve_url(self.get_login_url(view_func))}?{query}")


def token_refused(request: HttpRequest, reason: str = "") -> HttpResponseBase:
    """Under an htmx request the page is loaded again: somebody signed in meanwhile in another tab, so that its token is
    an old one. What was sent was not done, and is kept for the same person."""
    if request.headers.get("HX-Request") != "true":
        return csrf_failure(request, reason)
    return _led_away(_page_behind(request))


def _page_behind(request: HttpRequest) -> str:
    """The address, on this site, of the page on which the request was made."""
    page = urlsplit(request.headers.get("HX-Current-URL", ""))
    back = page.path or request.get_full_path()
    # Two slashes would begin the name of another host.
    back = f"/{back.lstrip('/')}"
    return f"{back}?{page.query}" if page.query else back


def _led_away(address: str) -> HttpResponseBase:
    response = HttpResponseClientRedirect(address)
    response[SESSION_ENDED] = "1"
    return response
