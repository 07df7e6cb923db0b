from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lexreview.accounts.models import User
from lexreview.questions.models import Benchmark
from lexreview.review.batches import LARGEST_BATCH, BatchOrder
from lexreview.review.forms import offer

NARROWING = ("question", "set", "area", "system", "condition", "text")


class BatchForm(forms.Form):
    """Which free cards, how many of them, and who gets them. Sent by GET it shows the split, by POST it gives out."""

    question = forms.CharField(label=gettext_lazy("Question"), required=False, max_length=20)
    set = forms.ChoiceField(label=gettext_lazy("Set"), required=False)
    area = forms.ChoiceField(label=gettext_lazy("Area"), required=False)
    system = forms.ChoiceField(label=gettext_lazy("System"), required=False)
    condition = forms.ChoiceField(label=gettext_lazy("Condition"), required=False)
    text = forms.CharField(label=gettext_lazy("Words"), required=False, max_length=200)
    count = forms.IntegerField(
        label=gettext_lazy("Cards"), required=False, min_value=1, max_value=LARGEST_BATCH,
        help_text=gettext_lazy("in all, for everybody together"),
    )  # fmt: skip
    share = forms.IntegerField(
        label=gettext_lazy("or share, %"), required=False, min_value=1, max_value=100,
        help_text=gettext_lazy("of the free cards that fit"),
    )  # fmt: skip
    person = forms.ModelMultipleChoiceField(
        label=gettext_lazy("For"), queryset=User.objects.none(), to_field_name="username",
        widget=forms.CheckboxSelectMultiple,
    )  # fmt: skip
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"), initial=1, min_value=0, max_value=2**31 - 1,
        help_text=gettext_lazy("the same seed gives the same split"),
    )  # fmt: skip

    masks_systems = forms.BooleanField(
        label=gettext_lazy("Hide from reviewers which system answered"), required=False,
        help_text=gettext_lazy("until the card is approved; leads and operators see it"),
    )  # fmt: skip

    def __init__(
        self, *args: Any, benchmark: Benchmark, choices: Mapping[str, Sequence[tuple[str, str]]], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.benchmark = benchmark
        for name in ("set", "area", "system", "condition"):
            offer(self, name, [("", _("all")), *choices[name]])
        names = [name for name, _words in choices["person"]]
        self.fields["person"].queryset = User.objects.filter(username__in=names).order_by("username")  # type: ignore[attr-defined]
        for field in self.fields.values():
            if isinstance(field, forms.ModelMultipleChoiceField | forms.BooleanField):
                field.widget.attrs["class"] = "form-check-input"
            else:
                field.widget.attrs["class"] = "form-select" if isinstance(field, forms.ChoiceField) else "form-control"

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        if "count" in values and "share" in values and (values["count"] is None) == (values["share"] is None):
            self.add_error("count", _("Give a number of cards or a share, one of the two."))
        return values

    @property
    def order(self) -> BatchOrder:
        values = self.cleaned_data
        return BatchOrder(
            benchmark=self.benchmark,
            filters={name: values[name] for name in NARROWING if values[name]},
            people=list(values["person"]),
            seed=values["seed"],
            count=values["count"],
            share=values["share"] / 100 if values["share"] else None,
            masks_systems=values["masks_systems"],
        )

    @property
    def sent(self) -> list[tuple[str, str]]:
        """What was sent, to be sent again by the button that gives the cards out."""
        known = [name for name in self.fields if name in self.data]
        many = getattr(self.data, "getlist", lambda name: [self.data[name]])
        return [(name, value) for name in known for value in many(name)]

    @property
    def narrowing(self) -> list[forms.BoundField]:
        return [self[name] for name in NARROWING]

    @property
    def amounts(self) -> list[forms.BoundField]:
        return [self[name] for name in ("count", "share", "seed")]
