from typing import Any

from crispy_forms.helper import FormHelper
from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from lexreview.accounts.models import User
from lexreview.accounts.themes import THEMES


class AccountForm(forms.Form):
    """What a person may say about themselves; the theme belongs to the browser, the rest to the account."""

    first_name = forms.CharField(label=_("First name"), max_length=150, required=False)
    last_name = forms.CharField(label=_("Last name"), max_length=150, required=False)
    language = forms.ChoiceField(
        label=_("Language of the pages"),
        choices=[("", _("As the browser asks")), *settings.LANGUAGES],
        required=False,
    )
    theme = forms.ChoiceField(
        label=_("Theme"),
        choices=[("", _("As the device is set")), *THEMES],
        required=False,
        help_text=_("Kept in this browser."),
    )

    def __init__(self, *args: Any, user: User, theme: str = "", **kwargs: Any) -> None:
        kwargs["initial"] = {
            "first_name": user.first_name,
            "last_name": user.last_name,
            "language": user.language,
            "theme": theme,
        }
        super().__init__(*args, **kwargs)
        self.fields["first_name"].widget.attrs["autocomplete"] = "given-name"
        self.fields["last_name"].widget.attrs["autocomplete"] = "family-name"

    @property
    def helper(self) -> FormHelper:
        helper = FormHelper()
        helper.form_tag = False
        helper.disable_csrf = True
        return helper


class LanguageForm(forms.Form):
    language = forms.ChoiceField(choices=settings.LANGUAGES)
    next = forms.CharField(required=False)
