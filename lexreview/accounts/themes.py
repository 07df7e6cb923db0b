"""The theme and the language as this browser keeps them, in cookies that any script-free page can obey."""

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext_lazy as _

THEME_COOKIE = "lexreview_theme"
THEMES = [("light", _("Light")), ("dark", _("Dark"))]
YEAR = 365 * 24 * 3600


def chosen_theme(request: HttpRequest) -> str:
    """ "light" or "dark" where this browser has chosen, else "": the device decides."""
    theme = request.COOKIES.get(THEME_COOKIE, "")
    return theme if theme in dict(THEMES) else ""


def keep_theme(response: HttpResponseBase, theme: str) -> None:
    _keep(response, THEME_COOKIE, theme)


def keep_language(response: HttpResponseBase, language: str) -> None:
    """Sets or, for "", forgets the cookie that Django's LocaleMiddleware reads."""
    _keep(response, settings.LANGUAGE_COOKIE_NAME, language)


def _keep(response: HttpResponseBase, cookie: str, value: str) -> None:
    if value:
        response.set_cookie(
            cookie, value, max_age=YEAR, httponly=True, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE
        )
    else:
        response.delete_cookie(cookie, samesite="Lax")
