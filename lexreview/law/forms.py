"""What the pages of the corpus take from their addresses."""

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from lexreview.law.keys import split_key

DAY = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date", "class": "form-control"})


class SearchForm(forms.Form):
    """`state` is the code of a jurisdiction, such as PL or CH."""

    q = forms.CharField(
        label=_("Name or number"),
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"type": "search", "class": "form-control"}),
    )
    state = forms.CharField(required=False, max_length=12)

    @property
    def words(self) -> str:
        return str(self.cleaned_data.get("q") or "") if self.is_valid() else ""

    @property
    def jurisdiction(self) -> str:
        return str(self.cleaned_data.get("state") or "") if self.is_valid() else ""


class ActForm(forms.Form):
    on = forms.DateField(label=_("Law of"), required=False, widget=DAY)
    lang = forms.CharField(required=False, max_length=8)
    edition = forms.IntegerField(required=False, min_value=1, max_value=2**62)


class ChangesForm(forms.Form):
    """`left` and `right` are primary keys of two editions to compare."""

    on = forms.DateField(required=False)
    lang = forms.CharField(required=False, max_length=8)
    left = forms.IntegerField(required=False, min_value=1, max_value=2**62)
    right = forms.IntegerField(required=False, min_value=1, max_value=2**62)


class UnitForm(forms.Form):
    """`left` and `right` are primary keys of two editions to compare."""

    unit = forms.CharField(max_length=200)
    on = forms.DateField(label=_("Law of"), required=False, widget=DAY)
    lang = forms.CharField(required=False, max_length=8)
    left = forms.IntegerField(required=False, min_value=1, max_value=2**62)
    right = forms.IntegerField(required=False, min_value=1, max_value=2**62)

    def clean_unit(self) -> str:
        key: str = self.cleaned_data["unit"]
        try:
            split_key(key)
        except ValueError as error:
            raise ValidationError(str(error)) from error
        return key
