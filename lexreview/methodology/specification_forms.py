"""A new version of a specification as a lead writes it: field by field, or its rules as text."""

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, ClassVar

from crispy_forms.helper import FormHelper
from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lexreview.choices import choices_of
from lexreview.core.methods.reference_card.specification import LONGEST_CRITERION, LONGEST_ERROR_CLASS
from lexreview.core.methods.reference_card.versions import parse_version
from lexreview.methodology.models import Specification
from lexreview.methodology.specification_text import TextError, content_of, text_of_rules
from lexreview.methodology.words import (
    ENTERS_WORDS,
    MAXIMUM_WORDS,
    NOT_APPLICABLE_WORDS,
    ORIGIN_LABELS,
    RULE_WORDS,
    SCOPE_LABELS,
)

CODE = RegexValidator(r"^[A-Za-z0-9][A-Za-z0-9.-]*$", gettext_lazy("Only letters, digits, - and full stops."))
LANGUAGE = re.compile(r"[a-z]{2}")
MOST_LANGUAGES = 12
MOST_ROWS = 60
NUMBER = "number"
"""The choice of a maximum that is the same for every key."""


def languages_of(content: Mapping[str, Any]) -> list[str]:
    """Every language in which a specification says something, and English, which comes first."""
    texts = [content.get(name) for name in ("title", "text", "change_note")]
    for item in content["criteria"]:
        texts += [item.get("name"), item.get("help")]
    for item in content["error_classes"]:
        texts += [item.get("name"), item.get("description")]
    return languages_in(code for each in texts for code in each or {})


def languages_in(codes: Iterable[str]) -> list[str]:
    return ["en", *sorted({*codes} - {"en"})]


def one_line_end(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


class Text(forms.CharField):
    """A text whose line ends have one form."""

    def __init__(self, *, rows: int = 0, **kwargs: Any) -> None:
        attrs: dict[str, Any] = {"class": "form-control", "lang": kwargs.pop("lang", None)}
        widget = forms.Textarea(attrs={**attrs, "rows": rows}) if rows else forms.TextInput(attrs=attrs)
        super().__init__(widget=widget, **kwargs)

    def to_python(self, value: Any) -> str:
        return one_line_end(super().to_python(value) or "")


class Worded(forms.Form):
    """A form with texts in every language: `TEXTS` gives their labels and how many rows they need, 0 for a line."""

    TEXTS: ClassVar[Mapping[str, tuple[str | Promise, int]]] = {}

    def __init__(self, *args: Any, languages: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.languages = languages
        for name, (label, rows) in self.TEXTS.items():
            for code in languages:
                words = _("%(what)s (%(language)s)") % {"what": label, "language": code}
                self.fields[f"{name}_{code}"] = Text(label=words, rows=rows, required=False, strip=not rows, lang=code)

    @property
    def pairs(self) -> list[list[forms.BoundField]]:
        """The texts of each name, one field per language."""
        return [[self[f"{name}_{code}"] for code in self.languages] for name in self.TEXTS]

    def texts(self, name: str) -> dict[str, str]:
        """The text of that name in each language in which there is one."""
        found = {code: str(self.value(f"{name}_{code}") or "") for code in self.languages}
        return {code: one_line_end(text) for code, text in found.items() if text.strip()}

    def value(self, name: str) -> Any:
        """What was entered: read by the field where it is valid, as it stands where it is not."""
        if self.is_bound and self.errors is not None and name in self.cleaned_data:
            value = self.cleaned_data[name]
            return _number(value) if isinstance(value, Decimal) else value
        return self[name].value()

    def as_entered(self) -> dict[str, Any]:
        """The value of each field as a form that was not yet checked begins with it."""
        return {
            name: field.widget.value_from_datadict(self.data, self.files, self.add_prefix(name))
            for name, field in self.fields.items()
        }


class VersionForm(Worded):
    """The head of a version begun from `old`. `newest` is the highest version of that name."""

    TEXTS = {"note": (gettext_lazy("What changed"), 2)}

    languages_entered = forms.CharField(required=False, max_length=400, widget=forms.HiddenInput)
    version = forms.CharField(
        label=gettext_lazy("Version"), max_length=30, help_text=gettext_lazy("Three numbers, higher than any before.")
    )
    dated = forms.DateField(
        label=gettext_lazy("Date"), widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    )
    rules_changed = forms.BooleanField(
        label=gettext_lazy("The rules changed: scores can differ from those of the version before"), required=False
    )

    def __init__(self, *args: Any, old: Specification, newest: Specification, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.old = old
        self.newest = newest
        self.fields["note_en"].required = True
        self.initial["languages_entered"] = " ".join(self.languages)

    @property
    def helper(self) -> FormHelper:
        helper = FormHelper()
        helper.form_tag = False
        helper.disable_csrf = True
        return helper

    def clean_version(self) -> str:
        version: str = self.cleaned_data["version"]
        try:
            given = parse_version(version)
        except ValueError as error:
            raise ValidationError(_("Expected three numbers, such as 1.2.0.")) from error
        if given <= parse_version(self.newest.version):
            raise ValidationError(_("Expected more than %(newest)s.") % {"newest": self.newest.version})
        return ".".join(map(str, given))

    @property
    def head(self) -> dict[str, Any]:
        """The head as a specification holds it; what is not valid is that of the old version."""
        values = self.cleaned_data if self.is_bound and self.errors is not None else {}
        return {
            "method": self.old.content["method"],
            "name": self.old.name,
            "version": values.get("version") or self.old.version,
            "date": (values.get("dated") or self.old.dated).isoformat(),
            "change_note": self.texts("note"),
            "rules_changed": bool(values.get("rules_changed")),
        }


class SpecificationTextForm(VersionForm):
    """A version whose rules are written as YAML."""

    body = forms.CharField(
        label=gettext_lazy("Criteria, error classes and text"),
        strip=False,
        widget=forms.Textarea(attrs={"rows": 24, "class": "mono tall", "spellcheck": "false", "wrap": "off"}),
        help_text=gettext_lazy("As YAML. What is wrong is named with its line and field."),
    )

    def __init__(self, *args: Any, old: Specification, **kwargs: Any) -> None:
        super().__init__(*args, old=old, **kwargs)
        self.initial.setdefault("body", text_of_rules(old.content))
        notes = (f"note_{code}" for code in self.languages)
        self.order_fields(["languages_entered", "version", "dated", "rules_changed", *notes, "body"])

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        if "body" in values:
            try:
                values["content"] = content_of(one_line_end(values["body"]), head=self.head)
            except TextError as error:
                for fault in error.faults:
                    self.add_error("body", _at(fault))
        return values


class WordsForm(Worded):
    """What a specification says as a whole, and what findings may say."""

    TEXTS = {"title": (gettext_lazy("Title"), 0), "text": (gettext_lazy("The rules in words"), 8)}

    origins = forms.MultipleChoiceField(
        label=gettext_lazy("Origins that a finding may have"),
        choices=choices_of(ORIGIN_LABELS),
        widget=forms.CheckboxSelectMultiple,
    )
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("Scopes that a finding may have"),
        choices=choices_of(SCOPE_LABELS),
        widget=forms.CheckboxSelectMultiple,
    )
    a_percent_below_zero = forms.BooleanField(label=gettext_lazy("Penalties may take A % below zero"), required=False)

    @property
    def choices(self) -> list[forms.BoundField]:
        return [self["origins"], self["scopes"]]


def _select(label: Any, choices: list[Any], *, empty: Any = None) -> forms.ChoiceField:
    offered = choices if empty is None else [("", empty), *choices]
    widget = forms.Select(attrs={"class": "form-select"})
    return forms.ChoiceField(label=label, choices=offered, required=empty is None, widget=widget)


def _points(label: Any, *, required: bool = True) -> forms.DecimalField:
    widget = forms.NumberInput(attrs={"class": "form-control", "step": "any"})
    return forms.DecimalField(label=label, required=required, max_digits=8, decimal_places=3, widget=widget)


def _code(longest: int) -> forms.CharField:
    widget = forms.TextInput(attrs={"class": "form-control mono"})
    return forms.CharField(label=gettext_lazy("Code"), max_length=longest, validators=[CODE], widget=widget)


class RowForm(Worded):
    """One row of a list of a specification. `BLANK` is what a new row begins with."""

    BLANK: ClassVar[Mapping[str, Any]] = {}

    @property
    def record(self) -> dict[str, Any]:
        """The row as a specification holds it; what is not valid as it was entered."""
        raise NotImplementedError

    @property
    def details(self) -> str:
        """The row in a few words, as it was entered."""
        raise NotImplementedError

    @staticmethod
    def shown(record: Mapping[str, Any]) -> dict[str, Any]:
        """A stored row as the form shows it."""
        raise NotImplementedError

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        if not self.texts("name") and self.languages:
            self.add_error(f"name_{self.languages[0]}", _("Give a name in at least one language."))
        return values


class CriterionForm(RowForm):
    """One criterion: its points, how it counts, who decides it, and its rule in words."""

    TEXTS = {"name": (gettext_lazy("Name"), 0), "help": (gettext_lazy("The rule"), 2)}
    BLANK = {"minimum": "0", "maximum_by": NUMBER, "maximum": "1", "step": "1", "block": "B", "enters": "separate"}

    code = _code(LONGEST_CRITERION)
    block = forms.CharField(
        label=gettext_lazy("Block"), max_length=20, widget=forms.TextInput(attrs={"class": "form-control"})
    )
    minimum = _points(gettext_lazy("Fewest points"))
    maximum_by = _select(gettext_lazy("Most points"), [(NUMBER, gettext_lazy("a number")), *choices_of(MAXIMUM_WORDS)])
    maximum = _points(gettext_lazy("Most points, as a number"), required=False)
    step = _points(gettext_lazy("Step"))
    full = _points(gettext_lazy("Full points"), required=False)
    enters = _select(gettext_lazy("In the total"), choices_of(ENTERS_WORDS))
    not_applicable_when = _select(
        gettext_lazy("Not applicable when"), choices_of(NOT_APPLICABLE_WORDS), empty=gettext_lazy("always applicable")
    )
    rule = _select(
        gettext_lazy("Who decides"),
        [(rule.value, words) for rule, words in RULE_WORDS.items()],
        empty=gettext_lazy("a person; code and models only propose"),
    )

    def clean(self) -> dict[str, Any]:
        values = super().clean()
        if values.get("maximum_by") == NUMBER and values.get("maximum") is None and "maximum" not in self.errors:
            self.add_error("maximum", _("Give the number of points."))
        return values

    @property
    def record(self) -> dict[str, Any]:
        maximum_by = self.value("maximum_by")
        return {
            "code": self.value("code"),
            "block": self.value("block"),
            "name": self.texts("name"),
            "minimum": self.value("minimum"),
            "maximum": self.value("maximum") if maximum_by == NUMBER else maximum_by,
            "step": self.value("step"),
            "full": _or_none(self.value("full")),
            "not_applicable_when": self.value("not_applicable_when") or None,
            "enters": self.value("enters"),
            "rule": self.value("rule") or None,
            "help": self.texts("help"),
        }

    @property
    def details(self) -> str:
        record = self.record
        named: Mapping[str, Any] = {each.value: words for each, words in MAXIMUM_WORDS.items()}
        high = named.get(record["maximum"], record["maximum"])
        decides: Mapping[str | None, Any] = {each.value: words for each, words in RULE_WORDS.items()}
        found = [_("%(low)s to %(high)s") % {"low": record["minimum"], "high": high}, decides.get(record["rule"], "")]
        return " · ".join(str(words) for words in found if words)

    @staticmethod
    def shown(record: Mapping[str, Any]) -> dict[str, Any]:
        maximum = record.get("maximum")
        by_key = maximum if maximum in {each.value for each in MAXIMUM_WORDS} else None
        if maximum is None:
            by_key = "penalties"
        same = ("code", "block", "minimum", "step", "full", "not_applicable_when", "enters", "rule")
        return {
            **{name: record.get(name) for name in same},
            "maximum_by": by_key or NUMBER,
            "maximum": None if by_key else maximum,
            **spread(record, "name", "help"),
        }


class ErrorClassForm(RowForm):
    """One class of errors."""

    TEXTS = {"name": (gettext_lazy("Name"), 0), "description": (gettext_lazy("What it means"), 2)}
    BLANK = {"hallucination": True}

    code = _code(LONGEST_ERROR_CLASS)
    hallucination = forms.BooleanField(label=gettext_lazy("A finding of this class is a hallucination"), required=False)

    @property
    def record(self) -> dict[str, Any]:
        return {
            "code": self.value("code"),
            "name": self.texts("name"),
            "description": self.texts("description"),
            "hallucination": bool(self.value("hallucination")),
        }

    @property
    def details(self) -> str:
        return _("a hallucination") if self.value("hallucination") else _("no hallucination")

    @staticmethod
    def shown(record: Mapping[str, Any]) -> dict[str, Any]:
        same = {name: record.get(name) for name in ("code", "hallucination")}
        return {**same, **spread(record, "name", "description")}


CriterionRows = forms.formset_factory(CriterionForm, extra=0, max_num=MOST_ROWS, absolute_max=MOST_ROWS + 1)
ErrorClassRows = forms.formset_factory(ErrorClassForm, extra=0, max_num=MOST_ROWS, absolute_max=MOST_ROWS + 1)


def spread(record: Mapping[str, Any], *names: str) -> dict[str, str]:
    """Texts per language as the fields of a form: {"name_en": …}."""
    return {f"{name}_{code}": text for name in names for code, text in (record.get(name) or {}).items()}


def _number(value: Decimal) -> int | float:
    return int(value) if value == value.to_integral_value() else float(value)


def _or_none(value: Any) -> Any:
    return None if value == "" else value


def _at(error: TextError) -> str:
    if error.line is None:
        return f"{error.field}: {error}" if error.field else str(error)
    place = _("Line %(line)s") % {"line": error.line}
    return f"{place}, {error.field}: {error}" if error.field else f"{place}: {error}"
