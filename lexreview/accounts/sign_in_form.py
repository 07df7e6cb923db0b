"""Signing in, in our words: what is asked for stands in the labels, and no hint vanishes while one types."""

from typing import Any

from allauth.account.forms import LoginForm
from django.utils.translation import gettext_lazy as _


class SignInForm(LoginForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = _("User name or e-mail")
        if "remember" in self.fields:
            self.fields["remember"].label = _("Stay signed in on this device")
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)
