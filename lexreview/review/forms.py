"""Forms of the card page. They say what a person entered; the actions decide what becomes of it."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple, cast

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lexreview.choices import choices_of
from lexreview.core.methods.reference_card.facts import Origin, Scope
from lexreview.core.workflow import CitationState
from lexreview.methodology.models import Decision
from lexreview.review.keys import KEYS, collisions, is_free, keys_with
from lexreview.review.models import OFFICIAL_SOURCE_LABELS, ORIGIN_LABELS, SCOPE_LABELS

LONGEST_KEY = 18
LONGEST_FORM_KEY = 40
BARE_FIELDS = ("version", "selected", "form_key")
NOT_SAID = {*BARE_FIELDS, "raw", "csrfmiddlewaretoken"}
"""Of the page that a form stands on, and not of what it asks for."""


def form_key_of(request: HttpRequest) -> str:
    """The key under which a form was sent, with a digest of what it says; "" where it has none.

    The same form with other words is another one: whoever goes back to a page and sends its form changed is not told
    that this was done before.
    """
    # A NUL, which no database keeps in its JSON, is in no key that was handed out.
    key = request.POST.get("form_key", "")[:LONGEST_FORM_KEY].replace("\0", "\ufffd")
    if not key:
        return ""
    says = sorted((name, values) for name, values in request.POST.lists() if name not in NOT_SAID)
    return f"{key}.{hashlib.sha256(json.dumps(says).encode()).hexdigest()[:16]}"


def offer(form: forms.Form, name: str, choices: Sequence[tuple[str, str]]) -> None:
    """Give a choice field its choices, which depend on the card or the person."""
    cast(forms.ChoiceField, form.fields[name]).choices = choices


class RowsField(forms.ModelMultipleChoiceField):  # type: ignore[type-arg]
    """Rows by their keys. A number too large for a key is refused as any key that is not offered, and asked of no
    database."""

    def clean(self, value: Any) -> Any:
        for key in value or ():
            if len(str(key)) > LONGEST_KEY:
                raise forms.ValidationError(self.error_messages["invalid_choice"], params={"value": key})
        return super().clean(value)


class CardForm(forms.Form):
    """`version`: the card version the form was rendered with. `selected`: the citation shown beside it, if any.
    `form_key`: this rendering of this form; what is sent twice under one key is done once."""

    form_key = forms.CharField(required=False, max_length=LONGEST_FORM_KEY, widget=forms.HiddenInput)
    version = forms.IntegerField(min_value=0, max_value=2**31 - 1, widget=forms.HiddenInput)
    selected = forms.IntegerField(min_value=1, max_value=2**31 - 1, required=False, widget=forms.HiddenInput)
    not_compared: tuple[str, ...] = ()

    @property
    def values(self) -> dict[str, Any]:
        """What was entered, without the fields that every form has."""
        return {name: value for name, value in self.cleaned_data.items() if name not in BARE_FIELDS}

    @property
    def entered(self) -> list[tuple[str, str, str]]:
        """(name, label, text) of every field, for a person to compare; "" where nothing was sent."""
        return [
            (name, str(field.label or name), _as_text(self[name].data))
            for name, field in self.fields.items()
            if name not in BARE_FIELDS and name not in self.not_compared
        ]


def _as_text(sent: Any) -> str:
    return ", ".join(sorted(sent)) if isinstance(sent, list) else str(sent or "")


class Verdict(NamedTuple):
    """A person's word on a citation: agreement, a state, an error of a class, or an aspect of its finding."""

    kind: str
    value: str


class CitationForm(CardForm):
    """`verdict`: "agree", "state:<state>", "error:<class>", "scope:<scope>" or "origin:<origin>"."""

    verdict = forms.CharField(label=gettext_lazy("Verdict"), max_length=60)
    reason = forms.CharField(label=gettext_lazy("Reason"), required=False, max_length=2000)

    def __init__(self, *args: Any, classes: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._allowed: Mapping[str, set[str]] = {
            "agree": {""},
            "state": {state.value for state in CitationState if state is not CitationState.ERROR},
            "error": set(classes),
            "scope": {scope.value for scope in Scope},
            "origin": {origin.value for origin in Origin},
        }

    def clean_verdict(self) -> Verdict:
        kind, _colon, value = self.cleaned_data["verdict"].partition(":")
        if value not in self._allowed.get(kind, set()):
            raise forms.ValidationError(_("This verdict is not known here."))
        return Verdict(kind, value)


class Element(NamedTuple):
    """Something a key counts by: a rubric element, a required base, a penalty. `points`: what it is worth."""

    code: str
    text: str
    points: Decimal


class ScoreForm(CardForm):
    """Points of one criterion. Elements of the key may be ticked instead: the points follow them, unless points other
    than those decided before were entered."""

    points = forms.DecimalField(label=gettext_lazy("Points"), max_digits=6, decimal_places=2, required=False)
    evidence = forms.CharField(
        label=gettext_lazy("Evidence"), required=False, max_length=10_000, strip=True, widget=forms.Textarea
    )
    reason = forms.CharField(label=gettext_lazy("Reason"), required=False, max_length=2000)
    elements = forms.MultipleChoiceField(label=gettext_lazy("Elements"), required=False)

    def __init__(
        self,
        *args: Any,
        elements: Sequence[Element] = (),
        ticked: Sequence[str] = (),
        group: str = "",
        decided: Decimal | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self._decided = decided
        self._worth = {element.code: element.points for element in elements}
        self._ticked = set(ticked)
        self._group = group
        offer(self, "elements", [(element.code, element.code) for element in elements])

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        chosen = values.pop("elements", [])
        points = values.get("points")
        worth = sum((self._worth[code] for code in chosen), Decimal(0))
        if points in (None, self._decided) and (set(chosen) != self._ticked or (points is None and chosen)):
            points = worth
        if points is None:
            raise forms.ValidationError(_("Choose the points first."))
        values["points"] = points
        values["details"] = {self._group: sorted(chosen)} if chosen and points == worth else {}
        return values


class FindingForm(CardForm):
    """A finding as a person words it. The claim is quoted; where it stands is looked up in the answer.

    `finding_form` says how its fields are printed."""

    finding_class = forms.ChoiceField(label=gettext_lazy("Class"))
    claim = forms.CharField(
        label=gettext_lazy("Claim (exact words of the answer)"),
        max_length=10_000,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    occurrence = forms.IntegerField(
        label=gettext_lazy("Which occurrence"), min_value=1, max_value=10_000, required=False, initial=1
    )
    source_says = forms.CharField(
        label=gettext_lazy("What the source says"),
        required=False,
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    checked_source = forms.CharField(label=gettext_lazy("Checked in"), required=False, max_length=2000)
    checked_address = forms.CharField(label=gettext_lazy("Address"), required=False, max_length=500)
    checked_edition = forms.CharField(label=gettext_lazy("Edition"), required=False, max_length=100)
    checked_on = forms.DateField(
        label=gettext_lazy("Checked on"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    origin = forms.ChoiceField(label=gettext_lazy("Origin"), choices=choices_of(ORIGIN_LABELS))
    scope = forms.ChoiceField(label=gettext_lazy("Scope"), choices=choices_of(SCOPE_LABELS))
    citation_number = forms.IntegerField(min_value=1, max_value=2**31 - 1, required=False, widget=forms.HiddenInput)
    not_compared = ("citation_number", "occurrence")

    def __init__(self, *args: Any, classes: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "finding_class", classes)

    def clean_occurrence(self) -> int:
        return self.cleaned_data["occurrence"] or 1

    def clean_checked_address(self) -> str:
        """An address is shown as a link to colleagues, so only web addresses pass."""
        address: str = self.cleaned_data["checked_address"].strip()
        if address and not address.startswith(("https://", "http://")):
            raise forms.ValidationError(_("Give a web address that begins with https:// or http://."))
        return address

    def clean_origin(self) -> Origin:
        return Origin(self.cleaned_data["origin"])

    def clean_scope(self) -> Scope:
        return Scope(self.cleaned_data["scope"])


class MissedCitationForm(CardForm):
    """A citation that the layer missed, quoted from the answer."""

    quote = forms.CharField(label=gettext_lazy("Words of the answer"), max_length=2000, strip=False)
    occurrence = forms.IntegerField(
        label=gettext_lazy("Which occurrence"), min_value=1, max_value=10_000, required=False, initial=1
    )
    not_compared = ("occurrence",)


class ReasonForm(CardForm):
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=2000)


class RulingQuestionForm(CardForm):
    question = forms.CharField(label=gettext_lazy("Question"), max_length=10_000, widget=forms.Textarea)


class RulingForm(CardForm):
    decision = forms.ModelChoiceField(label=gettext_lazy("Decision"), queryset=Decision.objects.none())

    def __init__(self, *args: Any, benchmark_slug: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = cast("forms.ModelChoiceField[Decision]", self.fields["decision"])
        field.queryset = Decision.objects.of_benchmark(benchmark_slug).newest_first()


class NoteForm(CardForm):
    note = forms.CharField(
        label=gettext_lazy("Note"), required=False, max_length=20_000, strip=False, widget=forms.Textarea
    )


class OfficialSourceForm(CardForm):
    official_source = forms.ChoiceField(
        label=gettext_lazy("Official source"), choices=choices_of(OFFICIAL_SOURCE_LABELS)
    )


class ApprovalForm(CardForm):
    confirm_unchecked = forms.BooleanField(label=gettext_lazy("Approve with unchecked citations"), required=False)


class KeysForm(forms.Form):
    """The keyboard of the card page, one field per key that can be given to another, named by what it does."""

    single_keys = forms.BooleanField(label=gettext_lazy("Single keys are on"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for key in KEYS:
            if not key.fixed:
                self.fields[key.does] = forms.CharField(label=str(key.words), max_length=10, strip=False)

    @property
    def chosen(self) -> dict[str, str]:
        return {name: key for name, key in self.cleaned_data.items() if name != "single_keys"}

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        chosen = {name: key for name, key in values.items() if name != "single_keys"}
        for name, key in chosen.items():
            if not is_free(key):
                self.add_error(name, _("Browsers need this key, or it is not one key. Choose a letter, digit or sign."))
        doubled = collisions(keys_with(chosen))
        for name, key in chosen.items():
            if key in doubled:
                self.add_error(name, _("“%(key)s” would mean two things at once.") % {"key": key})
        return values


class BulkForm(forms.Form):
    """Cards to approve together, each as `<id>:<version>` of the list that the person saw."""

    card = forms.MultipleChoiceField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        sent = self.data.getlist("card") if hasattr(self.data, "getlist") else []
        offer(self, "card", [(each, each) for each in sent[:200] if re.fullmatch(r"[0-9]{1,9}:[0-9]{1,9}", each)])

    @property
    def versions(self) -> dict[int, int]:
        """Version by id."""
        pairs = (each.split(":") for each in self.cleaned_data["card"])
        return {int(pk): int(version) for pk, version in pairs}
