"""The form of a finding as the card page prints it.

The page has one for every finding, and Django's widgets, a template for every field and every option, take some
milliseconds each time a form is printed. So the elements are written here from what `FindingForm` says of its fields,
once for each language and specification, with holes for what differs from form to form; what is sent is validated by
the form.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import date
from functools import lru_cache
from html import escape
from typing import Any, NamedTuple

from django import forms
from django.forms.utils import flatatt
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from lexreview.choices import choices_of
from lexreview.review.actions import FindingDraft
from lexreview.review.forms import BARE_FIELDS, FindingForm
from lexreview.review.models import ORIGIN_LABELS, SCOPE_LABELS
from lexreview.review.refused import Refused

Choices = Sequence[tuple[str, str | Promise]]
Classes = tuple[tuple[str, str], ...]
CHOSEN = format_html(" {}", "selected")
OFFERED: Mapping[str, Choices] = {"origin": choices_of(ORIGIN_LABELS), "scope": choices_of(SCOPE_LABELS)}
CLASS = "finding_class"
FIELDS = {
    name: field
    for name, field in FindingForm.base_fields.items()
    if name not in BARE_FIELDS and not field.widget.is_hidden
}
CHOSEN_FROM = frozenset((CLASS, *OFFERED))
TARGET = "target"
HOLE = "\0{}\0"


class FindingFormLines(NamedTuple):
    """`target`: the id of the form's place on the page, with which the ids of its fields begin. `html`: each field
    with its label."""

    target: str
    html: SafeString
    citation_number: str


def finding_form(target: str, draft: Mapping[str, Any], *, classes: Classes, refused: Refused) -> FindingFormLines:
    """`draft`: values by the names of the fields. After a refusal of this form it holds what was entered instead."""
    is_refused = refused.target == target
    values = refused.entered if is_refused else draft
    invalid = FindingForm(refused.entered, classes=classes).errors.keys() if is_refused else ()
    language = get_language() or ""
    holes = {TARGET: escape(target)}
    for name in FIELDS:
        text = _text(values.get(name))
        holes[name] = _options(name, text, classes, language) if name in CHOSEN_FROM else escape(text)
    html = SafeString(_lines(frozenset(invalid), language) % holes)
    return FindingFormLines(target, html, _text(values.get("citation_number")))


def values_of_draft(draft: FindingDraft, occurrence: int = 1) -> dict[str, Any]:
    """A draft under the names of the form's fields. `occurrence`: which of the like words of the answer it is."""
    values = asdict(draft)
    values[CLASS] = values.pop("error_class")
    return {**values, "occurrence": occurrence}


@lru_cache(maxsize=64)
def _lines(invalid: frozenset[str], language: str) -> str:
    """All fields with their labels, to be filled by `%`. `language`: the one that is active, since labels are in it."""
    html = "".join(_line(name, field, is_invalid=name in invalid) for name, field in FIELDS.items())
    html = html.replace("%", "%%")
    for name in (TARGET, *FIELDS):
        html = html.replace(HOLE.format(name), f"%({name})s")
    return html


def _line(name: str, field: forms.Field, *, is_invalid: bool) -> SafeString:
    place, value = f"{HOLE.format(TARGET)}-{name}", HOLE.format(name)
    invalid = "true" if is_invalid else None
    attributes: dict[str, Any] = {"name": name, "id": place, "data-draft": place, "aria-invalid": invalid}
    if name in CHOSEN_FROM:
        element = format_html("<select{}>{}</select>", flatatt({**attributes, "class": "form-select"}), value)
    else:
        widget = field.widget
        attributes |= {"class": "form-control", "required": field.required}
        attributes |= {key: widget.attrs[key] for key in ("rows", "maxlength", "min", "max") if key in widget.attrs}
        element = _entry(widget, value, attributes)
    return format_html(
        '<div class="{}"><label class="small" for="{}">{}</label>{}</div>', name, place, field.label or name, element
    )


def _entry(widget: forms.Widget, value: str, attributes: Mapping[str, Any]) -> SafeString:
    if isinstance(widget, forms.Textarea):
        return format_html("<textarea{}>\n{}</textarea>", flatatt(dict(attributes)), value)
    kind = widget.input_type if isinstance(widget, forms.widgets.Input) else "text"
    return format_html('<input type="{}" value="{}"{}>', kind, value, flatatt(dict(attributes)))


def _options(name: str, chosen: str, classes: Classes, language: str) -> SafeString:
    offered: Choices = classes if name == CLASS else OFFERED[name]
    known = any(value == chosen for value, _words in offered)
    return _options_of(name, chosen if known else "", classes, language)


@lru_cache(maxsize=512)
def _options_of(name: str, chosen: str, classes: Classes, language: str) -> SafeString:
    """`language`: the one that is active, since the words are in it."""
    offered: Choices = classes if name == CLASS else OFFERED[name]
    return format_html_join(
        "", '<option value="{}"{}>{}</option>', ((value, CHOSEN if value == chosen else "", w) for value, w in offered)
    )


def _text(value: Any) -> str:
    if value is None:
        return ""
    return value.isoformat() if isinstance(value, date) else str(value)
