from crispy_forms.helper import FormHelper
from django import forms
from django.utils.translation import gettext_lazy as _


class PublishForm(forms.Form):
    """`first`: nothing was published before, so there is no change to speak of."""

    note = forms.CharField(
        label=_("What changed"),
        help_text=_("Readers see this note in the list of versions."),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, *args: object, first: bool = False, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.fields["note"].required = not first
        self.helper = FormHelper()
        self.helper.form_tag = False


class WithdrawForm(forms.Form):
    reason = forms.CharField(
        label=_("Why it is withdrawn"),
        help_text=_("Readers see this instead of the publication. It cannot be taken back."),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.helper = FormHelper()
        self.helper.form_tag = False


class CalibrationForm(forms.Form):
    """Which comparisons are listed: all, or a sample drawn by a seed."""

    size = forms.IntegerField(
        label=_("Sample"),
        min_value=1,
        max_value=10_000,
        required=False,
        widget=forms.NumberInput(attrs={"class": "form-control", "placeholder": _("all"), "size": 6}),
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        min_value=0,
        max_value=2**31 - 1,
        required=False,
        widget=forms.NumberInput(attrs={"class": "form-control mono"}),
    )

    @property
    def chosen(self) -> dict[str, int]:
        """What was chosen, without empty fields and without what is not valid."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value is not None}

    @property
    def query(self) -> str:
        """The choice as the begin of an address's query, for links to other pages of the list."""
        return "".join(f"{name}={value}&" for name, value in self.chosen.items())
