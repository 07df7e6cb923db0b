from decimal import Decimal

from django import forms
from django.utils.translation import gettext_lazy as _

from lexreview.answers.collecting import MOST_REPETITIONS
from lexreview.questions.models import Benchmark


class CollectForm(forms.Form):
    """What to collect; choices are the benchmark's own codes."""

    systems = forms.MultipleChoiceField(label=_("Systems"), widget=forms.CheckboxSelectMultiple)
    conditions = forms.MultipleChoiceField(label=_("Conditions"), widget=forms.CheckboxSelectMultiple)
    sets = forms.MultipleChoiceField(
        label=_("Question sets"), required=False, widget=forms.CheckboxSelectMultiple, help_text=_("None: all.")
    )
    repetitions = forms.IntegerField(
        label=_("Repetitions"), min_value=1, max_value=MOST_REPETITIONS, initial=1,
        help_text=_("Runs 1 to this number of every system; what is there already is left alone."),
    )  # fmt: skip
    budget_usd = forms.DecimalField(
        label=_("Budget in USD"), required=False, min_value=Decimal(0), max_digits=10, decimal_places=2,
        help_text=_("The job stops before more is spent. Empty: no limit."),
    )  # fmt: skip
    budget_tokens = forms.IntegerField(label=_("Budget in tokens"), required=False, min_value=1)

    def __init__(self, *args: object, benchmark: Benchmark, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        for name in ("repetitions", "budget_usd", "budget_tokens"):
            self.fields[name].widget.attrs["class"] = "form-control"
        systems = benchmark.systems.order_by("position", "pk")
        conditions = benchmark.conditions.order_by("position", "pk")
        self._choose("systems", [(row.code, row.name) for row in systems])
        self._choose("conditions", [(row.code, f"{row.code} {row.title}") for row in conditions])
        self._choose("sets", list(benchmark.set_titles().items()))

    def _choose(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = choices


class StartForm(CollectForm):
    confirmed = forms.BooleanField(label=_("I confirm the cost."), required=False)
