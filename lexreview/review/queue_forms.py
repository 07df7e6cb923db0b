"""Forms of the queue and the pages beside it."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lexreview.choices import choices_of
from lexreview.review.forms import LONGEST_KEY, offer
from lexreview.review.models.saved_view import LONGEST_QUERY
from lexreview.review.my_decisions import DecisionFilter
from lexreview.review.piles import PILE_LABELS, Pile
from lexreview.review.queue import SORT_LABELS, Sort

BESIDE_FILTERS = ("pile", "sort")
FILTER_LABELS = {
    "text": gettext_lazy("Words"),
    "benchmark": gettext_lazy("Benchmark"),
    "question": gettext_lazy("Question"),
    "set": gettext_lazy("Set"),
    "area": gettext_lazy("Area"),
    "condition": gettext_lazy("Condition"),
    "system": gettext_lazy("System"),
    "state": gettext_lazy("State"),
    "label": gettext_lazy("Label"),
    "finding_class": gettext_lazy("Error class"),
    "approved_as": gettext_lazy("Approved"),
    "person": gettext_lazy("Assigned to"),
    "sort": gettext_lazy("Sorted by"),
}
"""In the order in which they stand on the page."""
LONGEST_WORDS = {"text": 200, "question": 20}
"""What is typed and not chosen, and how long it may be."""
FILTER_NAMES = {"pile", *FILTER_LABELS}
OFFERED_PILES = choices_of(PILE_LABELS)
OFFERED_SORTS = choices_of(SORT_LABELS)


class Filter(NamedTuple):
    """A field of the filters. `value`: what was entered; `choices`: what may be chosen, none for what is typed."""

    name: str
    label: str | Promise
    value: str
    choices: Sequence[tuple[str, str]]


class QueueFilters:
    """The filters of the queue. They live in the address, so a page can be kept and sent to a colleague.

    No class of Django's forms: every page of the queue has a dozen of these fields, and nothing is ever refused. A
    value that is not offered (any more) filters nothing.
    """

    def __init__(self, data: Mapping[str, str], *, choices: Mapping[str, Sequence[tuple[str, str]]]) -> None:
        self._data, self._offered = data, choices

    @cached_property
    def _valid(self) -> dict[str, str]:
        typed = {name: self._data.get(name, "").strip() for name in LONGEST_WORDS}
        valid = {
            name: words for name, words in typed.items() if len(words) <= LONGEST_WORDS[name] and "\0" not in words
        }
        for name, offered in [*self._offered.items(), ("pile", OFFERED_PILES), ("sort", OFFERED_SORTS)]:
            if name in FILTER_NAMES and any(value == self._data.get(name) for value, _words in offered):
                valid[name] = self._data[name]
        return valid

    @property
    def chosen_pile(self) -> Pile:
        return Pile(self._valid.get("pile") or Pile.MINE)

    @property
    def chosen_sort(self) -> Sort:
        return Sort(self._valid.get("sort") or Sort.QUESTION)

    @property
    def chosen(self) -> dict[str, str]:
        """The filters in use."""
        return {name: value for name, value in self._valid.items() if name not in BESIDE_FILTERS and value}

    @property
    def fields(self) -> Iterator[Filter]:
        """Those that the page shows: not where there is nothing to choose between."""
        for name, label in FILTER_LABELS.items():
            value, offered = self._data.get(name, ""), self._offered.get(name, ())
            if name == "sort":
                yield Filter(name, label, value, [(each, str(words)) for each, words in OFFERED_SORTS])
            elif name in LONGEST_WORDS:
                yield Filter(name, label, value, ())
            elif len(offered) > 1 or value:
                yield Filter(name, label, value, [("", _("all")), *offered])

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
    approved_as = forms.ChoiceField(label=gettext_lazy("Approved"), required=False)
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
        typed = parse_qsl(self.cleaned_data["query"])
        kept = [(name, value) for name, value in typed if name in FILTER_NAMES and value]
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
