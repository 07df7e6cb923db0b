from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from lexreview.judging.models import HALLUCINATED, STRATEGY_LABELS, Judge, Panel
from lexreview.judging.planning import MOST_REPEATS
from lexreview.methodology.reading import read_specification
from lexreview.providers.forms import CallPlanForm
from lexreview.questions.models import Benchmark


class AskForm(CallPlanForm):
    """Whom to ask; choices are the benchmark's own judges and panels."""

    panel = forms.ChoiceField(
        label=_("Panel"), required=False, widget=forms.RadioSelect, help_text=_("A panel asks its own judges.")
    )
    judges = forms.MultipleChoiceField(label=_("Judges"), required=False, widget=forms.CheckboxSelectMultiple)
    repeats = forms.IntegerField(
        label=_("Repeats"), min_value=1, max_value=MOST_REPEATS, initial=1,
        help_text=_("More than one shows how far a judge agrees with itself; only the first verdict counts."),
    )  # fmt: skip

    def __init__(self, *args: Any, benchmark: Benchmark, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        panels = [(row.code, row.name) for row in Panel.objects.of_benchmark(benchmark).in_order()]
        self.offer("panel", [("", _("none, the judges chosen below")), *panels])
        self.offer("judges", [(row.code, row.name) for row in Judge.objects.of_benchmark(benchmark).in_order()])


class JudgeField(forms.ModelChoiceField):  # type: ignore[type-arg]
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(queryset=Judge.objects.none(), **kwargs)

    def label_from_instance(self, obj: Judge) -> str:
        return f"{obj.name} ({obj.code})"


class PanelForm(forms.Form):
    """A new panel; what does not fit together is refused by the action."""

    name = forms.CharField(label=_("Name"), max_length=120)
    code = forms.SlugField(label=_("Code"), max_length=60, help_text=_("Part of its address; it cannot be changed."))
    strategy = forms.ChoiceField(
        label=_("How it decides"), choices=[(each.value, words) for each, words in STRATEGY_LABELS.items()]
    )
    judge_a = JudgeField(label=_("Judge A"))
    judge_b = JudgeField(label=_("Judge B"), required=False)
    judge_c = JudgeField(label=_("Judge C"), required=False, help_text=_("B and C stay empty for one judge alone."))
    items = forms.MultipleChoiceField(
        label=_("Decides on"), widget=forms.CheckboxSelectMultiple, initial=[HALLUCINATED]
    )

    def __init__(self, *args: object, benchmark: Benchmark, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self._benchmark = benchmark
        for name, field in self.fields.items():
            if name != "items":
                is_list = isinstance(field, forms.ChoiceField)
                field.widget.attrs["class"] = "form-select" if is_list else "form-control"
        for name in ("judge_a", "judge_b", "judge_c"):
            field = self.fields[name]
            assert isinstance(field, JudgeField)
            field.queryset = Judge.objects.of_benchmark(benchmark).in_order()
        criteria = [each.code for each in read_specification(benchmark.specification).criteria]
        items = self.fields["items"]
        assert isinstance(items, forms.MultipleChoiceField)
        items.choices = [(HALLUCINATED, gettext("hallucinated")), *((code, code) for code in criteria)]

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"]
        if Panel.objects.of_benchmark(self._benchmark).filter(code=code).exists():
            raise ValidationError(gettext("There is a panel of this code."))
        return code

    @property
    def panel_fields(self) -> dict[str, Any]:
        """What the action wants; for a valid form."""
        return {name: value for name, value in self.cleaned_data.items() if name != "code"}


class OverrideForm(forms.Form):
    """A person's word beside a panel's. `choices`: what it may be; without any it is typed."""

    value = forms.CharField(label=_("Your decision"), max_length=20)
    reason = forms.CharField(
        label=_("Reason"), max_length=4000, widget=forms.Textarea(attrs={"rows": 2, "class": "form-control"})
    )

    def __init__(self, *args: object, choices: list[tuple[str, str]], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        if choices:
            self.fields["value"].widget = forms.Select(choices=[("", "–"), *choices], attrs={"class": "form-select"})
        else:
            self.fields["value"].widget.attrs |= {"class": "form-control", "size": 6}
