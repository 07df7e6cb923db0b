from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from lexreview.accounts.models import User
from lexreview.accounts.themes import keep_language


class ClosedAccountAdapter(DefaultAccountAdapter):
    """Accounts are made by an administrator: nobody signs up."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponseBase:
        """Signing in brings the account's language along; without one, the browser keeps its own choice."""
        response: HttpResponseBase = super().post_login(request, user, **kwargs)
        if user.language:
            keep_language(response, user.language)
        return response
