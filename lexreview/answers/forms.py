from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from lexreview.answers.collecting import MOST_REPETITIONS
from lexreview.providers.forms import CallPlanForm
from lexreview.questions.models import Benchmark


class CollectForm(CallPlanForm):
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

    def __init__(self, *args: Any, benchmark: Benchmark, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        systems = benchmark.systems.order_by("position", "pk")
        conditions = benchmark.conditions.order_by("position", "pk")
        self.offer("systems", [(row.code, row.name) for row in systems])
        self.offer("conditions", [(row.code, f"{row.code} {row.title}") for row in conditions])
        self.offer("sets", benchmark.set_titles().items())
