"""The form of a decision-log entry. It says what a lead entered; the action decides what becomes of it."""

import re
from collections.abc import Mapping
from typing import Any, cast

from crispy_forms.helper import FormHelper
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lexreview.methodology.actions import DecisionDraft
from lexreview.methodology.models import DECISION_STATE_LABELS, Decision, DecisionQuerySet, Specification

DECISION_STATE_CHOICES = [(state.value, words) for state, words in DECISION_STATE_LABELS.items()]
LONGEST_ENTERED = 4000
NAME = r"[A-Za-z0-9][A-Za-z0-9.-]*"
SHAPES = {
    "criteria": re.compile(NAME),
    "questions": re.compile(NAME),
    "key_versions": re.compile(rf"{NAME}\.v[1-9][0-9]*"),
    "cards": re.compile(rf"{NAME}_.+_r[1-9][0-9]*(\.p[0-9]+)?(\.round[0-9]+(\.[0-9]+)?)?"),
}
"""How the things that an entry touches are named."""


class NamesField(forms.CharField):
    """Names separated by spaces, commas or lines; each once, in the order entered."""

    def __init__(self, *, kind: str, **kwargs: Any) -> None:
        self.kind = kind
        super().__init__(required=False, **kwargs)

    def clean(self, value: Any) -> list[str]:
        names = list(dict.fromkeys(re.split(r"[\s,;]+", super().clean(value).strip())))
        names = [name for name in names if name]
        wrong = [name for name in names if not SHAPES[self.kind].fullmatch(name)]
        if wrong:
            raise ValidationError(_("Not such a name: %(names)s") % {"names": ", ".join(wrong)})
        return names


class CriteriaField(NamesField):
    """Codes of criteria that a stored version of a specification has: a published entry cannot be put right."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(kind="criteria", **kwargs)

    def clean(self, value: Any) -> list[str]:
        names = super().clean(value)
        known = dict.fromkeys(
            each["code"] for row in Specification.objects.in_version_order() for each in row.content["criteria"]
        )
        unknown = [name for name in names if name not in known]
        if known and unknown:
            told = {"names": ", ".join(unknown), "codes": ", ".join(known)}
            raise ValidationError(_("No specification has the criterion %(names)s; there are: %(codes)s.") % told)
        return names


class EntryField(forms.ModelChoiceField):  # type: ignore[type-arg]
    def label_from_instance(self, obj: Decision) -> str:
        return f"{obj.number}. {obj.question}"


class DecisionForm(forms.Form):
    """`number` and `seen` say which entry was on the screen: "" was a free number."""

    number = forms.IntegerField(min_value=1, max_value=2**31 - 1, widget=forms.HiddenInput)
    seen = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)
    decided_on = forms.DateField(
        label=gettext_lazy("Decided on"), widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    )
    question = forms.CharField(
        label=gettext_lazy("Question"),
        help_text=gettext_lazy("What had to be decided, as a question."),
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    decision = forms.CharField(label=gettext_lazy("Decision"), widget=forms.Textarea(attrs={"rows": 4}))
    reason = forms.CharField(label=gettext_lazy("Reason"), widget=forms.Textarea(attrs={"rows": 4}))
    criteria = CriteriaField(
        label=gettext_lazy("Criteria it touches"), help_text=gettext_lazy("Codes, such as A-R, A6.")
    )
    questions = NamesField(
        kind="questions", label=gettext_lazy("Questions it governs"), help_text=gettext_lazy("Codes, such as P09.")
    )
    key_versions = NamesField(
        kind="key_versions", label=gettext_lazy("Key versions"), help_text=gettext_lazy("Such as P09.v2.")
    )
    cards = NamesField(
        kind="cards",
        label=gettext_lazy("Cards it governs"),
        help_text=gettext_lazy("Identifiers of answers, one on each line."),
        widget=forms.Textarea(attrs={"rows": 3, "class": "mono", "spellcheck": "false"}),
    )
    specification_version = forms.ChoiceField(label=gettext_lazy("Lands in specification"), required=False, choices=())
    rules_changed = forms.BooleanField(label=gettext_lazy("It changes the rules: scores can change"), required=False)
    supersedes = EntryField(
        label=gettext_lazy("Supersedes"), queryset=Decision.objects.none(), required=False, empty_label="–"
    )

    def __init__(self, *args: Any, slug: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        versions = [(row.version, str(row)) for row in Specification.objects.in_version_order()]
        cast(forms.ChoiceField, self.fields["specification_version"]).choices = [("", "–"), *versions]
        field = cast(EntryField, self.fields["supersedes"])
        field.queryset = Decision.objects.of_benchmark(slug).published().newest_first()

    @property
    def helper(self) -> FormHelper:
        helper = FormHelper()
        helper.form_tag = False
        helper.disable_csrf = True
        return helper

    @property
    def draft(self) -> DecisionDraft:
        """The entry as entered; for a valid form."""
        values = self.cleaned_data
        return DecisionDraft(
            decided_on=values["decided_on"],
            question=values["question"],
            decision=values["decision"],
            reason=values["reason"],
            touches={name: values[name] for name in SHAPES},
            specification_version=values["specification_version"],
            rules_changed=values["rules_changed"],
            supersedes=values["supersedes"],
        )


def entered_in(query: Mapping[str, str]) -> dict[str, str]:
    """What an address enters into the form of a new entry: other pages lead there with what they know."""
    names = ("question", "decision", "reason", *SHAPES)
    return {name: query[name][:LONGEST_ENTERED] for name in names if name in query}


class LogForm(forms.Form):
    """What the decision log is narrowed to; an empty field narrows nothing."""

    q = forms.CharField(
        label=gettext_lazy("Words"),
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"type": "search", "class": "form-control"}),
    )
    touches = forms.CharField(
        label=gettext_lazy("Touches"),
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"class": "form-control mono", "placeholder": "A6, P09, P09.v2", "size": 14}),
    )
    state = forms.ChoiceField(
        label=gettext_lazy("State"),
        required=False,
        choices=[("", gettext_lazy("any")), *DECISION_STATE_CHOICES, ("standing", gettext_lazy("not superseded"))],
        widget=forms.Select(attrs={"class": "form-select"}),
    )
    rules = forms.BooleanField(
        label=gettext_lazy("Rules changed"),
        required=False,
        widget=forms.CheckboxInput(attrs={"class": "form-check-input"}),
    )

    @property
    def values(self) -> dict[str, Any]:
        """What was chosen, without empty fields and without what is not valid."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}

    def narrowed(self, decisions: DecisionQuerySet) -> DecisionQuerySet:
        values = self.values
        if words := values.get("q"):
            decisions = decisions.saying(words)
        if name := values.get("touches"):
            decisions = decisions.naming(name.strip())
        if state := values.get("state"):
            decisions = decisions.standing().published() if state == "standing" else decisions.in_state(state)
        return decisions.changing_rules() if values.get("rules") else decisions


def entered_of(decision: Decision) -> dict[str, Any]:
    """An entry as the form shows it."""
    touches: dict[str, list[str]] = decision.touches
    return {
        "number": decision.number,
        "seen": decision.digest,
        "decided_on": decision.decided_on,
        "question": decision.question,
        "decision": decision.decision,
        "reason": decision.reason,
        **{name: ("\n" if name == "cards" else ", ").join(touches.get(name, [])) for name in SHAPES},
        "specification_version": decision.specification_version,
        "rules_changed": decision.rules_changed,
        "supersedes": decision.supersedes_id,
    }
