"""The form of a finding as the card page prints it.

The page has one for every finding, and Django's widgets take a millisecond or two each time a form is printed. So what
`FindingForm` says of its fields is read here once and printed by one template; what is sent is validated by the form.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import date
from typing import Any, NamedTuple

from django import forms
from django.forms.utils import flatatt
from django.utils.functional import Promise
from django.utils.safestring import SafeString

from lexreview.choices import choices_of
from lexreview.review.actions import FindingDraft
from lexreview.review.forms import BARE_FIELDS, FindingForm
from lexreview.review.models import ORIGIN_LABELS, SCOPE_LABELS
from lexreview.review.refused import Refused

Choices = Sequence[tuple[str, str | Promise]]
OFFERED: Mapping[str, Choices] = {"origin": choices_of(ORIGIN_LABELS), "scope": choices_of(SCOPE_LABELS)}


class FormLine(NamedTuple):
    """A field: `kind` is "select", "textarea" or the type of an input; `attributes` are those of its element."""

    name: str
    label: str | Promise
    id: str
    kind: str
    value: str
    attributes: SafeString
    choices: Choices


class FindingFormLines(NamedTuple):
    """`target`: the id of the form's place on the page, with which the ids of its fields begin."""

    target: str
    lines: Sequence[FormLine]
    citation_number: str


def finding_form(
    target: str, draft: Mapping[str, Any], *, classes: Sequence[tuple[str, str]], refused: Refused
) -> FindingFormLines:
    """`draft`: values by the names of the fields. After a refusal of this form it holds what was entered instead."""
    is_refused = refused.target == target
    values = refused.entered if is_refused else draft
    invalid = FindingForm(refused.entered, classes=classes).errors.keys() if is_refused else ()
    offered = {**OFFERED, "finding_class": classes}
    lines = [
        _line(name, field, target=target, value=values.get(name), choices=offered.get(name), is_invalid=name in invalid)
        for name, field in FindingForm.base_fields.items()
        if name not in BARE_FIELDS and not field.widget.is_hidden
    ]
    return FindingFormLines(target, lines, _text(values.get("citation_number")))


def values_of_draft(draft: FindingDraft, occurrence: int = 1) -> dict[str, Any]:
    """A draft under the names of the form's fields. `occurrence`: which of the like words of the answer it is."""
    values = asdict(draft)
    values["finding_class"] = values.pop("error_class")
    return {**values, "occurrence": occurrence}


def _line(
    name: str, field: forms.Field, *, target: str, value: Any, choices: Choices | None, is_invalid: bool
) -> FormLine:
    widget = field.widget
    place = f"{target}-{name}"
    attributes: dict[str, Any] = {"name": name, "id": place, "aria-invalid": "true" if is_invalid else None}
    if choices is not None:
        kind, attributes["class"] = "select", "form-select"
    else:
        kind = "textarea" if isinstance(widget, forms.Textarea) else str(widget.input_type)
        attributes |= {"class": "form-control", "data-draft": place, "required": field.required}
        attributes |= {key: widget.attrs[key] for key in ("rows", "maxlength", "min", "max") if key in widget.attrs}
    return FormLine(name, field.label or name, place, kind, _text(value), flatatt(attributes), choices or ())


def _text(value: Any) -> str:
    if value is None:
        return ""
    return value.isoformat() if isinstance(value, date) else str(value)
