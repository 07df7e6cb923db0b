"""The form of a finding as the card page prints it.

The page has one for every finding, and Django's widgets, a template for every field and every option, take some
milliseconds each time a form is printed. So the elements are written here from what `FindingForm` says of its fields;
what is sent is validated by the form.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import date
from typing import Any, NamedTuple

from django import forms
from django.forms.utils import flatatt
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from lexreview.choices import choices_of
from lexreview.review.actions import FindingDraft
from lexreview.review.forms import BARE_FIELDS, FindingForm
from lexreview.review.models import ORIGIN_LABELS, SCOPE_LABELS
from lexreview.review.refused import Refused

Choices = Sequence[tuple[str, str | Promise]]
CHOSEN = format_html(" {}", "selected")
OFFERED: Mapping[str, Choices] = {"origin": choices_of(ORIGIN_LABELS), "scope": choices_of(SCOPE_LABELS)}


class FormLine(NamedTuple):
    """A field with its label. `element`: the element that takes the value, whole."""

    name: str
    label: str | Promise
    id: str
    element: SafeString


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
    place = f"{target}-{name}"
    attributes: dict[str, Any] = {"name": name, "id": place, "aria-invalid": "true" if is_invalid else None}
    if choices is not None:
        element = _select(choices, _text(value), {**attributes, "class": "form-select"})
    else:
        widget = field.widget
        attributes |= {"class": "form-control", "data-draft": place, "required": field.required}
        attributes |= {key: widget.attrs[key] for key in ("rows", "maxlength", "min", "max") if key in widget.attrs}
        element = _entry(widget, _text(value), attributes)
    return FormLine(name, field.label or name, place, element)


def _select(choices: Choices, chosen: str, attributes: Mapping[str, Any]) -> SafeString:
    options = format_html_join(
        "", '<option value="{}"{}>{}</option>', ((value, CHOSEN if value == chosen else "", w) for value, w in choices)
    )
    return format_html("<select{}>{}</select>", flatatt(dict(attributes)), options)


def _entry(widget: forms.Widget, value: str, attributes: Mapping[str, Any]) -> SafeString:
    if isinstance(widget, forms.Textarea):
        return format_html("<textarea{}>\n{}</textarea>", flatatt(dict(attributes)), value)
    kind = widget.input_type if isinstance(widget, forms.widgets.Input) else "text"
    return format_html('<input type="{}" value="{}"{}>', kind, value, flatatt(dict(attributes)))


def _text(value: Any) -> str:
    if value is None:
        return ""
    return value.isoformat() if isinstance(value, date) else str(value)
