"""The forms of the question and key editor. They say what a lead entered; the actions decide what becomes of it."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, cast

from crispy_forms.helper import FormHelper
from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lexreview.core.methods.reference_card.facts import Calibration, QuestionType
from lexreview.questions.actions import FROZEN_FIELDS, KeyDraft, QuestionDraft
from lexreview.questions.models import (
    CALIBRATION_LABELS,
    QUESTION_TYPE_LABELS,
    Asked,
    Benchmark,
    Disclosure,
    KeyVersion,
    Question,
    QuestionSet,
)

CODE = RegexValidator(r"^[A-Za-z0-9][A-Za-z0-9_-]{0,19}$", gettext_lazy("At most 20 letters, digits, - and _."))
ELEMENT_CODE = RegexValidator(r"^[A-Za-z0-9][A-Za-z0-9_-]{0,59}$", gettext_lazy("Only letters, digits, - and _."))
LANGUAGE = RegexValidator(r"^[a-z]{2}$", gettext_lazy("A language code of two letters, such as en."))
DAY = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
ANSWERS = [("", "–"), ("yes", gettext_lazy("yes")), ("no", gettext_lazy("no")), ("depends", gettext_lazy("it depends"))]
CLAIMS = [("", "–"), ("holds", gettext_lazy("the claim holds")), ("fails", gettext_lazy("the claim does not hold"))]


class Typed(forms.CharField):
    """A text kept as it was typed, blanks and slips included; only line ends take one form."""

    def __init__(self, *, rows: int = 4, **kwargs: Any) -> None:
        widget = forms.Textarea(attrs={"rows": rows, "spellcheck": "false"})
        super().__init__(strip=False, required=False, widget=widget, **kwargs)

    def to_python(self, value: Any) -> str:
        text = super().to_python(value) or ""
        return text.replace("\r\n", "\n").replace("\r", "\n")


class Helped(forms.Form):
    @property
    def helper(self) -> FormHelper:
        helper = FormHelper()
        helper.form_tag = False
        helper.disable_csrf = True
        return helper


class SetField(forms.ModelChoiceField):  # type: ignore[type-arg]
    def label_from_instance(self, obj: QuestionSet) -> str:
        return obj.title


class MirrorField(forms.ModelChoiceField):  # type: ignore[type-arg]
    def label_from_instance(self, obj: Question) -> str:
        return f"{obj.code}: {obj.asked_text[:60]}"


class QuestionForm(Helped):
    """`seen` names the question that was on the screen: "" was a free code. What answers fixed cannot be entered."""

    seen = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)
    code = forms.CharField(label=gettext_lazy("Code"), validators=[CODE])
    set = SetField(label=gettext_lazy("Set"), queryset=QuestionSet.objects.none(), empty_label=None)
    language = forms.CharField(label=gettext_lazy("Language"), validators=[LANGUAGE])
    area = forms.CharField(label=gettext_lazy("Area of law"), required=False, max_length=120)
    task_type = forms.CharField(label=gettext_lazy("Kind of task"), required=False, max_length=120)
    original_text = Typed(
        label=gettext_lazy("As it came"), help_text=gettext_lazy("Exactly as it was typed: slips stay.")
    )
    benchmark_text = Typed(
        label=gettext_lazy("Completed before the run"),
        help_text=gettext_lazy("Only where something had to be added so that the question can be answered."),
    )
    asked = forms.ChoiceField(label=gettext_lazy("Which text is asked"), choices=Asked.choices)
    type = forms.ChoiceField(
        label=gettext_lazy("Type"), choices=[(each.value, words) for each, words in QUESTION_TYPE_LABELS.items()]
    )
    answer = forms.ChoiceField(label=gettext_lazy("Expected answer"), choices=ANSWERS, required=False)
    condition = forms.CharField(label=gettext_lazy("It depends on"), required=False)
    value = forms.DecimalField(label=gettext_lazy("Value"), required=False, max_digits=30, decimal_places=10)
    unit = forms.CharField(label=gettext_lazy("Unit"), required=False, max_length=60)
    tolerance = forms.DecimalField(
        label=gettext_lazy("Tolerance"), required=False, min_value=0, max_digits=30, decimal_places=10
    )
    claim = forms.ChoiceField(label=gettext_lazy("The claim"), choices=CLAIMS, required=False)
    trap_premise = forms.CharField(
        label=gettext_lazy("False or outdated premise"),
        required=False,
        help_text=gettext_lazy("Leave both empty where there is no trap."),
    )
    trap_direction = forms.CharField(
        label=gettext_lazy("In which way it is wrong"),
        required=False,
        help_text=gettext_lazy("Such as: outdated, true until 31 August 2026."),
    )
    mirror = MirrorField(
        label=gettext_lazy("Mirror"),
        queryset=Question.objects.none(),
        required=False,
        empty_label="–",
        help_text=gettext_lazy(
            "The question that asks the same with the opposite suggestion. It is set on both sides."
        ),
    )
    disclosure = forms.ChoiceField(
        label=gettext_lazy("Disclosure"),
        choices=Disclosure.choices,
        initial=Disclosure.UNDISCLOSED,
        help_text=gettext_lazy("No reader may learn that an undisclosed question exists."),
    )

    def __init__(self, *args: Any, benchmark: Benchmark, question: Question | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.benchmark = benchmark
        self.question = question
        cast(SetField, self.fields["set"]).queryset = benchmark.sets.order_by("position", "code")
        others = Question.objects.of_benchmark(benchmark).by_code()
        if question is not None:
            others = others.exclude(pk=question.pk)
            self.fields["code"].disabled = True
        cast(MirrorField, self.fields["mirror"]).queryset = others
        if question is not None and question.is_frozen:
            for name in (*FROZEN_FIELDS, *EXPECTED_FIELDS, "trap_premise", "trap_direction"):
                if name in self.fields:
                    self.fields[name].disabled = True

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"]
        if code == "new":
            raise ValidationError(_("This code is an address of the site; take another."))
        return code

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        asked = f"{values.get('asked')}_text"
        if asked in self.fields and not str(values.get(asked, "")).strip():
            self.add_error(asked, _("This text is the one that is asked: it cannot be empty."))
        needed = {
            QuestionType.CLOSED: ["answer", *(["condition"] if values.get("answer") == "depends" else [])],
            QuestionType.CALCULATION: ["value", "unit", "tolerance"],
            QuestionType.VERIFICATION: ["claim"],
        }
        for kind, names in needed.items():
            for name in names if values.get("type") == kind else ():
                if name not in self.errors and values.get(name) in (None, ""):
                    self.add_error(name, _("The type of the question needs this."))
        if bool(values.get("trap_premise")) != bool(values.get("trap_direction")):
            missing = "trap_premise" if values.get("trap_direction") else "trap_direction"
            self.add_error(missing, _("A trap has a premise and a direction: give both or none."))
        return values

    @property
    def draft(self) -> QuestionDraft:
        """The question as entered; for a valid form."""
        values = self.cleaned_data
        premise = values["trap_premise"]
        return QuestionDraft(
            **{name: values[name] for name in ("code", "set", "type", "language", "area", "task_type")},
            original_text=values["original_text"],
            benchmark_text=values["benchmark_text"],
            asked=values["asked"],
            expected=self._expected(),
            trap={"premise": premise, "direction": values["trap_direction"]} if premise else None,
            disclosure=values["disclosure"],
        )

    def _expected(self) -> dict[str, Any]:
        values = self.cleaned_data
        if self.question is not None and self.question.is_frozen:
            stored: dict[str, Any] = self.question.expected
            return stored
        match values["type"]:
            case QuestionType.CLOSED:
                return {"answer": values["answer"], "condition": values["condition"] or None}
            case QuestionType.CALCULATION:
                return {name: _decimal(values[name]) for name in ("value", "tolerance")} | {"unit": values["unit"]}
            case _:
                return {"claim_holds": values["claim"] == "holds"}


EXPECTED_FIELDS = ("answer", "condition", "value", "unit", "tolerance", "claim")


def entered_of(question: Question) -> dict[str, Any]:
    """A question as its form shows it."""
    same = ("code", "language", "area", "task_type", "original_text", "benchmark_text", "asked", "type", "disclosure")
    expected: dict[str, Any] = question.expected
    trap = question.trap or {}
    claim = {True: "holds", False: "fails"}.get(expected.get("claim_holds"), "")  # type: ignore[arg-type]
    return {
        **{name: getattr(question, name) for name in same},
        **{name: expected.get(name) for name in ("answer", "condition", "value", "unit", "tolerance")},
        "seen": question.digest,
        "set": question.set_id,
        "claim": claim,
        "trap_premise": trap.get("premise", ""),
        "trap_direction": trap.get("direction", ""),
        "mirror": question.mirror_id,
    }


class KeyForm(Helped):
    """The words of a key version. `seen` names the draft that was on the screen: "" was a free number."""

    seen = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)
    core_answer = Typed(label=gettext_lazy("Core answer"), rows=5)
    calibration = forms.ChoiceField(
        label=gettext_lazy("Expected form of the conclusion"),
        choices=[(each.value, words) for each, words in CALIBRATION_LABELS.items()],
    )
    condition = forms.CharField(
        label=gettext_lazy("Condition"),
        required=False,
        help_text=gettext_lazy("For a conditional answer: on what it depends."),
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    disputed = forms.BooleanField(label=gettext_lazy("Case law is divergent: A5 applies"), required=False)
    verification_note = forms.CharField(
        label=gettext_lazy("What was not checked"), required=False, widget=forms.Textarea(attrs={"rows": 2})
    )
    dated = forms.DateField(label=gettext_lazy("Date of the version"), widget=DAY)
    reason = forms.CharField(
        label=gettext_lazy("Reason for the change"), required=False, widget=forms.Textarea(attrs={"rows": 3})
    )

    def __init__(self, *args: Any, departs: bool, first: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.departs = departs
        self.fields["core_answer"].required = True
        if departs:
            self.fields["reason"].required = True
            self.fields["reason"].help_text = _("It goes into the decision log and to every page that shows the key.")
        if first:
            del self.fields["reason"]

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        if values.get("calibration") == Calibration.CATEGORICAL and values.get("condition"):
            self.add_error("condition", _("A categorical answer depends on nothing: choose conditional or empty this."))
        return values


class ElementForm(forms.Form):
    """An element of a rubric or a penalty; a row without a text is no element."""

    code = forms.CharField(
        label=gettext_lazy("Code"),
        required=False,
        validators=[ELEMENT_CODE],
        widget=forms.TextInput(attrs={"class": "form-control mono", "size": 4}),
    )
    text = forms.CharField(
        label=gettext_lazy("Text"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 1, "class": "form-control short"}),
    )


class RubricElementForm(ElementForm):
    points = forms.DecimalField(
        label=gettext_lazy("Points"),
        required=False,
        min_value=Decimal("0.01"),
        max_value=1000,
        max_digits=6,
        decimal_places=2,
        initial=1,
        widget=forms.NumberInput(attrs={"class": "form-control", "min": "0", "step": "any", "size": 4}),
    )


class ElementFormSet(forms.BaseFormSet):  # type: ignore[type-arg]
    """Rows of elements; missing codes are numbered on, a code is used once. `letter` begins the codes."""

    letter = "R"

    def clean(self) -> None:
        if any(self.errors):
            return
        codes = [row["code"] for row in self._rows() if row.get("code")]
        twice = sorted({code for code in codes if codes.count(code) > 1})
        if twice:
            raise ValidationError(_("The code %(code)s is used twice.") % {"code": twice[0]})

    def _rows(self) -> list[dict[str, Any]]:
        return [form.cleaned_data for form in self.forms if form.cleaned_data.get("text")]

    @property
    def elements(self) -> list[dict[str, Any]]:
        """The elements as a key holds them; for a valid set."""
        rows = self._rows()
        taken = {row["code"] for row in rows if row.get("code")}
        found = []
        for row in rows:
            code = row.get("code") or _free_code(self.letter, taken)
            taken.add(code)
            element = {"code": code, "text": row["text"]}
            if "points" in row:
                element["points"] = _number(row["points"] if row["points"] is not None else Decimal(1))
            found.append(element)
        return found


class PenaltyFormSet(ElementFormSet):
    letter = "K"


BLANK_ROWS = 2
RubricForms = forms.formset_factory(RubricElementForm, formset=ElementFormSet, extra=BLANK_ROWS, max_num=60)
PenaltyForms = forms.formset_factory(ElementForm, formset=PenaltyFormSet, extra=BLANK_ROWS, max_num=60)


class KeyForms:
    """The form of a key version with its rows of elements. `base`: what is shown before anything was entered."""

    def __init__(self, entered: Any, *, base: KeyVersion | None, seen: str, departs: bool, day: Any) -> None:
        initial = {"seen": seen, "dated": day, "calibration": Calibration.CATEGORICAL}
        if base is not None:
            same = ("core_answer", "calibration", "condition", "disputed", "verification_note")
            initial |= {name: getattr(base, name) for name in same}
            if base.is_draft:
                initial |= {"dated": base.dated, "reason": base.reason}
        first = base is None or (base.is_draft and base.number == 1)
        rubric: Sequence[dict[str, Any]] = base.rubric if base else []
        penalties: Sequence[dict[str, Any]] = base.penalties if base else []
        self.form = KeyForm(entered, departs=departs, first=first, initial=initial)
        self.rubric = RubricForms(entered, prefix="rubric", initial=rubric)
        self.penalties = PenaltyForms(entered, prefix="penalties", initial=penalties)

    def need_no_reason(self) -> None:
        """For comparing before saving: the reason for a change is not part of what is compared."""
        if "reason" in self.form.fields:
            self.form.fields["reason"].required = False

    def is_valid(self) -> bool:
        return all([self.form.is_valid(), self.rubric.is_valid(), self.penalties.is_valid()])

    def draft(self, *, bases: list[dict[str, Any]]) -> KeyDraft:
        """The version as entered, with the bases that were picked before; for valid forms."""
        values = self.form.cleaned_data
        return KeyDraft(
            dated=values["dated"],
            core_answer=values["core_answer"],
            rubric=cast(ElementFormSet, self.rubric).elements,
            penalties=cast(ElementFormSet, self.penalties).elements,
            bases=bases,
            calibration=values["calibration"],
            condition=values["condition"],
            disputed=values["disputed"],
            verification_note=values["verification_note"],
            reason=values.get("reason", ""),
            departure=self.form.departs,
        )


class PickForm(forms.Form):
    """What the source picker takes from its address. `act` is an act's key, `unit` a unit's, `ruling` a primary key."""

    q = forms.CharField(
        label=gettext_lazy("Act or ruling"),
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"type": "search", "class": "form-control"}),
    )
    act = forms.CharField(required=False, max_length=200)
    unit = forms.CharField(required=False, max_length=200)
    ruling = forms.IntegerField(required=False, min_value=1, max_value=2**62)


class BasisForm(forms.Form):
    """The words chosen from an official text: `start` and `end` in code points, or whole `pieces` by their number."""

    seen = forms.CharField(max_length=64, widget=forms.HiddenInput)
    citation = forms.CharField(label=gettext_lazy("As it is cited"), max_length=300)
    start = forms.IntegerField(required=False, min_value=0, max_value=2**31 - 1)
    end = forms.IntegerField(required=False, min_value=1, max_value=2**31 - 1)
    pieces = forms.TypedMultipleChoiceField(required=False, coerce=int)
    passage = forms.CharField(label=gettext_lazy("Place in the ruling"), required=False, max_length=300)

    def __init__(self, *args: Any, count: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        pieces = cast(forms.TypedMultipleChoiceField, self.fields["pieces"])
        pieces.choices = [(str(number), "") for number in range(count)]


def _free_code(letter: str, taken: set[str]) -> str:
    return next(code for number in range(1, 10_000) if (code := f"{letter}{number}") not in taken)


def _number(value: Decimal) -> int | float:
    return int(value) if value == value.to_integral_value() else float(value)


def _decimal(value: Decimal) -> str:
    return f"{value:f}"
