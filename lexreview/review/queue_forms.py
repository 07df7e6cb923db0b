"""Forms of the queue and the pages beside it."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlencode

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lexreview.choices import choices_of
from lexreview.review.forms import LONGEST_KEY, offer
from lexreview.review.models.saved_view import LONGEST_QUERY
from lexreview.review.my_decisions import DecisionFilter
from lexreview.review.piles import PILE_LABELS, Pile
from lexreview.review.queue import SORT_LABELS, Sort

BESIDE_FILTERS = ("pile", "sort")
PLACES = ("after", "before")


class QueueForm(forms.Form):
    """Filters of the queue. They live in the address, so a page can be kept and sent to a colleague."""

    pile = forms.ChoiceField(choices=choices_of(PILE_LABELS), required=False, widget=forms.HiddenInput)
    text = forms.CharField(
        label=gettext_lazy("Words"), required=False, max_length=200, widget=forms.TextInput(attrs={"type": "search"})
    )
    benchmark = forms.ChoiceField(label=gettext_lazy("Benchmark"), required=False)
    question = forms.CharField(label=gettext_lazy("Question"), required=False, max_length=20)
    set = forms.ChoiceField(label=gettext_lazy("Set"), required=False)
    area = forms.ChoiceField(label=gettext_lazy("Area"), required=False)
    condition = forms.ChoiceField(label=gettext_lazy("Condition"), required=False)
    system = forms.ChoiceField(label=gettext_lazy("System"), required=False)
    state = forms.ChoiceField(label=gettext_lazy("State"), required=False)
    label = forms.ChoiceField(label=gettext_lazy("Label"), required=False)
    finding_class = forms.ChoiceField(label=gettext_lazy("Error class"), required=False)
    person = forms.ChoiceField(label=gettext_lazy("Assigned to"), required=False)
    sort = forms.ChoiceField(label=gettext_lazy("Sorted by"), choices=choices_of(SORT_LABELS), required=False)

    def __init__(self, *args: Any, choices: Mapping[str, Sequence[tuple[str, str]]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in list(self.fields.items()):
            if name in choices and len(choices[name]) < 2 and not self.data.get(name):
                del self.fields[name]
            elif name in choices:
                offer(self, name, [("", _("all")), *choices[name]])
            if isinstance(field, forms.ChoiceField):
                field.widget.attrs["class"] = "form-select"
            else:
                field.widget.attrs["class"] = "form-control"
        self.is_valid()

    @property
    def chosen_pile(self) -> Pile:
        return Pile(self.cleaned_data.get("pile") or Pile.MINE)

    @property
    def chosen_sort(self) -> Sort:
        return Sort(self.cleaned_data.get("sort") or Sort.QUESTION)

    @property
    def chosen(self) -> dict[str, str]:
        """The filters in use; a value that is not offered (any more) filters nothing."""
        return {name: value for name, value in self.cleaned_data.items() if name not in BESIDE_FILTERS and value}

    def query(self, **other: str) -> str:
        """The address of this list, with `other` in place of what it says of the same names."""
        values = {"pile": str(self.chosen_pile), **self.chosen}
        if self.chosen_sort != Sort.QUESTION:
            values["sort"] = str(self.chosen_sort)
        return urlencode({**values, **other})


class DecisionsForm(forms.Form):
    """Filters of a person's own decisions."""

    benchmark = forms.ChoiceField(label=gettext_lazy("Benchmark"), required=False)
    question = forms.CharField(label=gettext_lazy("Question"), required=False, max_length=20)
    label = forms.ChoiceField(label=gettext_lazy("Label"), required=False)
    since = forms.DateField(label=gettext_lazy("From"), required=False, widget=forms.DateInput({"type": "date"}))
    until = forms.DateField(label=gettext_lazy("To"), required=False, widget=forms.DateInput({"type": "date"}))

    def __init__(self, *args: Any, choices: Mapping[str, Sequence[tuple[str, str]]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, offered in choices.items():
            offer(self, name, [("", _("all")), *offered])
        if len(choices["benchmark"]) < 2:
            del self.fields["benchmark"]
        for field in self.fields.values():
            chosen = isinstance(field, forms.ChoiceField)
            field.widget.attrs["class"] = "form-select" if chosen else "form-control"
        self.is_valid()

    @property
    def wanted(self) -> DecisionFilter:
        return DecisionFilter(**{name: value for name, value in self.cleaned_data.items() if value})

    def query(self, **other: str) -> str:
        known = {name: str(value) for name, value in self.cleaned_data.items() if value}
        return urlencode({**known, **other})


class SavedViewForm(forms.Form):
    """A name for the filters of an address."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=60)
    query = forms.CharField(required=False, max_length=LONGEST_QUERY, widget=forms.HiddenInput)

    def clean_query(self) -> str:
        """Only what the queue understands is kept, never a place in the list."""
        known = set(QueueForm.base_fields)
        kept = [(name, value) for name, value in parse_qsl(self.cleaned_data["query"]) if name in known and value]
        return urlencode(kept)


class AssignForm(forms.Form):
    """Ticked cards and who is to have them; nobody where `person` is left empty."""

    card = forms.TypedMultipleChoiceField(coerce=int)
    person = forms.CharField(label=gettext_lazy("Assign to"), required=False, max_length=150)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        ticked = self.data.getlist("card") if hasattr(self.data, "getlist") else []
        known = [value for value in ticked if value.isascii() and value.isdecimal() and len(value) <= LONGEST_KEY]
        offer(self, "card", [(value, value) for value in known])
        self.fields["card"].error_messages["required"] = _("Tick the cards first.")


class BeatForm(forms.Form):
    """`active`: seconds since the last beat in which the page was visible and used."""

    active = forms.IntegerField(min_value=0, max_value=3600, required=False)
    leaving = forms.BooleanField(required=False)
