"""Forms of the lead's pages: adjudication, sampling, plan, rulings, checks of quality."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, cast

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lexreview.accounts.models import User
from lexreview.core.methods.reference_card.scoring import shown_points
from lexreview.methodology.actions import DecisionDraft
from lexreview.methodology.forms import CriteriaField
from lexreview.methodology.models import Decision
from lexreview.review.actions.adjudicating import OwnValue
from lexreview.review.actions.planning import PlanDraft, fingerprint_of
from lexreview.review.adjudication_page import NO_FINDING, OWN
from lexreview.review.comparison import Compared
from lexreview.review.forms import RowsField
from lexreview.review.models import Card, CheckOutcome, ItemKind, ReviewPlan
from lexreview.review.quality import Draw
from lexreview.review.rounds import Sampling


def first_error(form: forms.Form) -> str:
    """The messages of a refused form in one line, each with the label of its field."""
    said = []
    for name, errors in form.errors.items():
        label = form.fields[name].label if name in form.fields else ""
        said += [f"{label}: {error}" if label else str(error) for error in errors]
    return " ".join(said)


class VersionedReasonForm(forms.Form):
    """A reason, and the version of the card that was on the screen."""

    version = forms.IntegerField(max_value=2**31 - 1, min_value=0, widget=forms.HiddenInput)
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=2000)


class ChoiceForm(VersionedReasonForm):
    """`take`: the key of a review, or "own" with a value."""

    kind = forms.ChoiceField(choices=[(kind.value, kind.value) for kind in ItemKind])
    target = forms.CharField(required=False, max_length=20)
    take = forms.CharField(label=gettext_lazy("Which side"), max_length=20)
    own = forms.CharField(label=gettext_lazy("Own value"), required=False, max_length=60)

    def __init__(self, *args: Any, reviews: Sequence[Card], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._reviews: Mapping[str, Card] = {str(review.pk): review for review in reviews}

    def clean_take(self) -> str:
        take: str = self.cleaned_data["take"]
        if take != OWN and take not in self._reviews:
            raise forms.ValidationError(_("Choose one of the reviews, or give a value of your own."))
        return take

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        if values.get("take") == OWN:
            values["own_value"] = self._own(values.get("kind", ""), values.get("own", ""))
        return values

    def _own(self, kind: str, entered: str) -> OwnValue:
        if not entered:
            raise forms.ValidationError(_("Give the value of your own."))
        if kind == ItemKind.CRITERION:
            points = forms.DecimalField(max_digits=6, decimal_places=2).clean(entered)
            return OwnValue(points=cast(Decimal, points))
        if kind == ItemKind.FINDING:
            return OwnValue(error_class="" if entered == NO_FINDING else entered)
        return OwnValue(state=entered)

    @property
    def values(self) -> dict[str, Any]:
        values = self.cleaned_data
        return {
            "kind": ItemKind(values["kind"]),
            "target": values["target"],
            "review": self._reviews.get(values["take"]),
            "own": values.get("own_value"),
            "reason": values["reason"],
            "version": values["version"],
        }


class SamplingForm(forms.Form):
    """How many cards, or what share of them, are asked about, and whom."""

    size = forms.IntegerField(max_value=2**31 - 1, label=gettext_lazy("Number of cards"), min_value=1, required=False)
    share = forms.DecimalField(
        label=gettext_lazy("or share in per cent"), min_value=Decimal(1), max_value=Decimal(100), required=False
    )
    seats = forms.IntegerField(label=gettext_lazy("Second reviews per card"), min_value=1, max_value=3, initial=1)
    seed = forms.IntegerField(label=gettext_lazy("Seed"), min_value=0, max_value=2**31 - 1, initial=1)
    reviewers = RowsField(
        label=gettext_lazy("Who is asked"),
        queryset=User.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("Nobody chosen: the seats stay free, and whoever takes one reviews."),
    )
    blind = forms.BooleanField(label=gettext_lazy("Without pre-fill"), required=False)

    def __init__(self, *args: Any, people: Sequence[User], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = cast("forms.ModelMultipleChoiceField[User]", self.fields["reviewers"])
        field.queryset = User.objects.filter(pk__in=[person.pk for person in people]).order_by("username")
        for name in self.fields:
            chosen = name in ("reviewers", "blind")
            self.fields[name].widget.attrs["class"] = "form-check-input" if chosen else "form-control"

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        if (values.get("size") is None) == (values.get("share") is None):
            raise forms.ValidationError(_("Give either a number of cards or a share."))
        return values

    @property
    def sampling(self) -> Sampling:
        values = self.cleaned_data
        share = values["share"]
        return Sampling(
            size=values["size"],
            share=share / 100 if share is not None else None,
            seats=values["seats"],
            seed=values["seed"],
            reviewers=tuple(values["reviewers"]),
            blind=values["blind"],
        )


class PlanForm(forms.Form):
    """`base`: the fingerprint of the plan that the form was filled from."""

    base = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)
    blind_share = forms.DecimalField(
        label=gettext_lazy("Cards without pre-fill, per cent"), min_value=Decimal(0), max_value=Decimal(100)
    )
    repeat_share = forms.DecimalField(
        label=gettext_lazy("Cards that come back, per cent"), min_value=Decimal(0), max_value=Decimal(100)
    )
    repeat_after = forms.IntegerField(
        label=gettext_lazy("They come back after so many further approvals"), min_value=0, max_value=10_000
    )
    seed = forms.IntegerField(label=gettext_lazy("Seed"), min_value=0, max_value=2**31 - 1)
    names_hidden = forms.BooleanField(
        label=gettext_lazy("Adjudicate without names and in random order"), required=False
    )
    model_hidden = forms.BooleanField(
        label=gettext_lazy("Hide what a model proposes until the reviewer has decided the criterion"), required=False
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            chosen = isinstance(field, forms.BooleanField)
            field.widget.attrs["class"] = "form-check-input" if chosen else "form-control"

    @classmethod
    def of(cls, plan: ReviewPlan) -> "PlanForm":
        """Filled from the plan."""
        return cls(
            initial={
                "base": fingerprint_of(plan),
                "blind_share": shown_points(plan.blind_share * 100),
                "repeat_share": shown_points(plan.repeat_share * 100),
                "repeat_after": plan.repeat_after,
                "seed": plan.seed,
                "names_hidden": plan.names_hidden,
                "model_hidden": plan.model_hidden,
            }
        )

    def on(self, plan: ReviewPlan) -> "PlanForm":
        """What was entered, to be saved over this plan."""
        return PlanForm({**{name: self.data.get(name) for name in self.fields}, "base": fingerprint_of(plan)})

    def beside(self, theirs: "PlanForm") -> list[Compared]:
        """Each value of theirs beside what was entered."""
        return [
            Compared(str(field.label), _plain(theirs.initial[name]), _plain(self[name].value()))
            for name, field in self.fields.items()
            if name != "base"
        ]

    @property
    def draft(self) -> PlanDraft:
        values = self.cleaned_data
        return PlanDraft(
            blind_share=values["blind_share"] / 100,
            repeat_share=values["repeat_share"] / 100,
            repeat_after=values["repeat_after"],
            names_hidden=values["names_hidden"],
            model_hidden=values["model_hidden"],
            seed=values["seed"],
        )


def _plain(value: Any) -> str:
    if value in (True, "on"):
        return _("yes")
    return _("no") if value in (False, None, "") else str(value)


class ReasonOnlyForm(forms.Form):
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=2000)


class LogField(forms.ModelChoiceField):  # type: ignore[type-arg]
    def label_from_instance(self, obj: Decision) -> str:
        state = "" if obj.is_published else f" ({obj.get_state_display()})"
        return f"{obj.number}. {obj.question[:80]}{state}"


class AnswerForm(forms.Form):
    """How a question on a card is answered: by an entry of the log, or by a new draft that says what is decided."""

    version = forms.IntegerField(max_value=2**31 - 1, min_value=0, widget=forms.HiddenInput)
    entry = LogField(
        label=gettext_lazy("An entry of the decision log"),
        queryset=Decision.objects.none(),
        required=False,
        empty_label=gettext_lazy("a new entry, worded below"),
    )
    question = forms.CharField(label=gettext_lazy("Question"), required=False, widget=forms.Textarea(attrs={"rows": 2}))
    decision = forms.CharField(label=gettext_lazy("Decision"), required=False, widget=forms.Textarea(attrs={"rows": 3}))
    reason = forms.CharField(label=gettext_lazy("Reason"), required=False, widget=forms.Textarea(attrs={"rows": 3}))
    criteria = CriteriaField(
        label=gettext_lazy("Criteria it touches"), help_text=gettext_lazy("Codes, such as A-R, A6.")
    )

    def __init__(self, *args: Any, slug: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = cast("forms.ModelChoiceField[Decision]", self.fields["entry"])
        field.queryset = Decision.objects.of_benchmark(slug).newest_first()
        for name in self.fields:
            self.fields[name].widget.attrs["class"] = "form-select" if name == "entry" else "form-control"

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        if values.get("entry") is None:
            for name in ("question", "decision", "reason"):
                if not values.get(name, "").strip():
                    self.add_error(name, _("Word the new entry, or choose one of the log."))
        return values

    def on(self, card: Card) -> "AnswerForm":
        """What was entered, to be sent on the card as it is now."""
        entered = {name: self.data.get(name) for name in self.fields}
        return AnswerForm({**entered, "version": card.version}, slug=card.benchmark.slug)

    @property
    def typed(self) -> list[tuple[str, str]]:
        """The words that were entered, by label."""
        names = ("question", "decision", "reason", "criteria")
        return [(str(self.fields[name].label), text) for name in names if (text := self.data.get(name, "").strip())]

    def draft(self, card: Card, *, on: date) -> DecisionDraft:
        values = self.cleaned_data
        return DecisionDraft(
            decided_on=on,
            question=values["question"],
            decision=values["decision"],
            reason=values["reason"],
            touches={
                "criteria": values["criteria"],
                "questions": [],
                "key_versions": [],
                "cards": [card.answer.identifier],
            },
        )


class RecheckForm(ReasonOnlyForm):
    cards = RowsField(
        queryset=Card.objects.none(), error_messages={"required": gettext_lazy("Choose at least one card.")}
    )

    def __init__(self, *args: Any, cards: Sequence[Card], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = cast("forms.ModelMultipleChoiceField[Card]", self.fields["cards"])
        field.queryset = Card.objects.filter(pk__in=[card.pk for card in cards]).with_answer()


class DrawForm(forms.Form):
    size = forms.IntegerField(label=gettext_lazy("Cards per reviewer"), min_value=1, max_value=1000, initial=5)
    reviewer = forms.ModelChoiceField(
        label=gettext_lazy("Reviewer"), queryset=User.objects.none(), required=False, empty_label=gettext_lazy("all")
    )
    question = forms.ChoiceField(label=gettext_lazy("Question"), required=False)
    seed = forms.IntegerField(label=gettext_lazy("Seed"), min_value=0, max_value=2**31 - 1, initial=1)

    def __init__(self, *args: Any, people: Sequence[User], questions: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = cast("forms.ModelChoiceField[User]", self.fields["reviewer"])
        field.queryset = User.objects.filter(pk__in=[person.pk for person in people]).order_by("username")
        chosen = cast(forms.ChoiceField, self.fields["question"])
        chosen.choices = [("", _("all")), *((code, code) for code in questions)]
        for name in self.fields:
            self.fields[name].widget.attrs["class"] = (
                "form-select" if name in ("reviewer", "question") else "form-control"
            )

    @property
    def draw(self) -> Draw:
        values = self.cleaned_data
        return Draw(size=values["size"], seed=values["seed"], reviewer=values["reviewer"], question=values["question"])


class CheckForm(forms.Form):
    outcome = forms.ChoiceField(
        choices=[(CheckOutcome.AGREED.value, ""), (CheckOutcome.OVERTURNED.value, "")],
        error_messages={"required": gettext_lazy("Say whether you agree; to overturn takes a reason.")},
    )
    reason = forms.CharField(label=gettext_lazy("Reason"), required=False, max_length=2000)


class ModelPrefillForm(forms.Form):
    """Which model is asked about the cards of a benchmark, and what it may cost."""

    model = forms.CharField(label=gettext_lazy("Model (provider:model)"), max_length=250)
    budget_usd = forms.DecimalField(
        label=gettext_lazy("Stop before more USD are spent than"),
        required=False,
        min_value=Decimal(0),
        max_digits=10,
        decimal_places=4,
    )
    confirmed = forms.BooleanField(
        label=gettext_lazy("Also where it may cost more than may be spent unasked"), required=False
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            chosen = isinstance(field, forms.BooleanField)
            field.widget.attrs["class"] = "form-check-input" if chosen else "form-control"


class GiveRehearsalForm(forms.Form):
    reviewer = forms.ModelChoiceField(label=gettext_lazy("Reviewer"), queryset=User.objects.none(), empty_label=None)

    def __init__(self, *args: Any, people: Sequence[User], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = cast("forms.ModelChoiceField[User]", self.fields["reviewer"])
        field.queryset = User.objects.filter(pk__in=[person.pk for person in people]).order_by("username")
        field.widget.attrs["class"] = "form-select"
