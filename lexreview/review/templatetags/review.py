"""Words of the review pages for templates."""

import secrets
from collections.abc import Iterable
from typing import Any

from django import template
from django.template import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString

from lexreview.core.methods.reference_card.label import Label
from lexreview.ledger.models import Event
from lexreview.review.models import LABEL_LABELS
from lexreview.review.words import words_of_event

register = template.Library()
RAW = format_html('<input type="hidden" name="raw" value="{}">', 1)


@register.filter
def in_words(event: Event) -> str:
    """What an event of a card says, without its actor and time."""
    return words_of_event(event)


@register.filter
def label_words(label: str) -> str:
    """The name of a stored label; "" for a card that has none."""
    return str(LABEL_LABELS[Label(label)]) if label and label != Label.NONE else ""


@register.simple_tag(takes_context=True)
def card_fields(context: Context) -> SafeString:
    """The hidden fields of every form of the card of `page`: among them a fresh key for this form, so that what is sent
    twice under it is done once. A tag and no template, since a card has some thirty forms."""
    page = context["page"]
    return format_html(
        '<input type="hidden" name="csrfmiddlewaretoken" value="{}"><input type="hidden" name="form_key" value="{}">'
        '<input type="hidden" name="version" value="{}"><input type="hidden" name="selected" value="{}">{}',
        context["csrf_token"],
        secrets.token_urlsafe(12),
        page.card.version,
        page.selected_number,
        RAW if page.raw else "",
    )


@register.simple_tag(takes_context=True)
def key(context: Context, does: str) -> SafeString | str:
    """The person's key for what a button does, as a <kbd>; "" where no key does it or single keys are off."""
    keyboard = context.get("keyboard")
    sign = keyboard.signs.get(does, "") if keyboard else ""
    return format_html("<kbd>{}</kbd>", sign) if sign else ""


@register.simple_tag
def class_sign(code: str, sign: str) -> SafeString:
    """The code of an error class with the key for it; where the key is the code's own letter, one letter for both."""
    if sign == format_html("<kbd>{}</kbd>", code.lower()):
        return format_html('<kbd class="code">{}</kbd>', code.lower())
    return format_html("<b>{}</b> {}", code, sign)


@register.filter
def numbers(rows: Iterable[Any]) -> str:
    """The numbers of citations in a row, such as “2, 5, 6”."""
    return ", ".join(str(row.number) for row in rows)
