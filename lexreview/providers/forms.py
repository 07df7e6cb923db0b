from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

SPENDING = ("budget_usd", "budget_tokens", "confirmed")
SEEN = "seen"


class CallPlanForm(forms.Form):
    """A choice of calls and what they may cost. The fields of the choice, which the rooms add, come first and bear the
    names that their plan takes."""

    budget_usd = forms.DecimalField(
        label=_("Budget in USD"), required=False, min_value=Decimal(0), max_digits=10, decimal_places=2,
        help_text=_("The job stops before more is spent. Empty: no limit."),
    )  # fmt: skip
    budget_tokens = forms.IntegerField(label=_("Budget in tokens"), required=False, min_value=1, max_value=2**62)
    confirmed = forms.BooleanField(label=_("I confirm the cost."), required=False)
    # What the plan that was confirmed looked like, see CallPlan.seen.
    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.order_fields([*(name for name in self.fields if name not in SPENDING), *SPENDING])
        for field in self.fields.values():
            if isinstance(field, forms.DecimalField | forms.IntegerField):
                field.widget.attrs["class"] = "form-control"

    @property
    def choice(self) -> dict[str, Any]:
        """For a valid form."""
        return {name: value for name, value in self.cleaned_data.items() if name not in (*SPENDING, SEEN)}

    @property
    def spending(self) -> dict[str, Any]:
        """For a valid form: the limits and whether the cost is confirmed, as actions take them."""
        return {name: self.cleaned_data[name] for name in SPENDING}

    def carried(self) -> Iterator[tuple[str, Any]]:
        """Name and value of all that was chosen, for the form that starts it; the cost is confirmed there alone."""
        for field in self:
            if field.name not in ("confirmed", SEEN):
                value = field.value()
                for each in value if isinstance(value, list) else [value]:
                    yield field.html_name, "" if each is None else each

    def offer(self, name: str, choices: Iterable[tuple[str, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = list(choices)
