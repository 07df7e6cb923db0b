"""What the pages of this room take from their addresses and forms."""

from decimal import Decimal

from django import forms
from django.utils.translation import gettext_lazy as _


class SourceForm(forms.Form):
    edition = forms.IntegerField(required=False, min_value=1, max_value=2**62)


class PageForm(forms.Form):
    page = forms.IntegerField(required=False, min_value=1, max_value=2**31 - 1)


class SupportForm(forms.Form):
    budget_usd = forms.DecimalField(
        label=_("Budget in USD"), required=False, min_value=Decimal(0), max_digits=10, decimal_places=2,
        help_text=_("The job stops before more is spent. Empty: no limit."),
        widget=forms.NumberInput(attrs={"class": "form-control"}),
    )  # fmt: skip


class StartSupportForm(SupportForm):
    confirmed = forms.BooleanField(label=_("I confirm the cost."), required=False)
