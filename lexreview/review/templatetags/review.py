"""Words of the review pages for templates."""

import secrets
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from django import template
from django.template import Context
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.dateformat import format as date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from lexreview.core.methods.reference_card.label import Label
from lexreview.ledger.models import Event
from lexreview.review.card_rows import CriterionRow
from lexreview.review.models import LABEL_LABELS, CardCitation
from lexreview.review.words import words_of_event

register = template.Library()
RAW = format_html('<input type="hidden" name="raw" value="{}">', 1)
CHECKED, DISABLED = SafeString(" checked"), SafeString(" disabled")


@register.filter
def in_words(event: Event) -> str:
    """What an event of a card says, without its actor and time."""
    return words_of_event(event)


@register.filter
def label_words(label: str) -> str:
    """The name of a stored label; "" for a card that has none."""
    return str(LABEL_LABELS[Label(label)]) if label and label != Label.NONE else ""


@register.simple_tag
def card_label(label: str) -> SafeString:
    """The stored label of a card in colour and words. A list has it in every row and there are few, so each is made
    once in each language."""
    return _card_label(label, get_language() or "")


@lru_cache(maxsize=64)
def _card_label(label: str, language: str) -> SafeString:
    """`language`: the one that is active, since the words are in it."""
    return render_to_string("components/answer_label.html", {"label": label, "words": label_words(label)})


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


@register.simple_tag
def points_to_choose(row: CriterionRow) -> SafeString:
    """A radio button for each value that the criterion can be given. A tag and no template, since a card has dozens."""
    proposed = format_html(' class="was" title="{}"', _("proposed"))
    return format_html_join(
        "",
        '<label{}><input type="radio" name="points" value="{}" id="points-{}-{}" aria-label="{}: {}"{}>'
        "<span>{}</span></label>",
        (
            (
                proposed if row.proposed == option["value"] else "",
                option["value"],
                row.code,
                place,
                row.code,
                option["value"],
                CHECKED if row.chosen == option["value"] else "",
                option["label"],
            )
            for place, option in enumerate(row.options)
        ),
    )


@register.simple_tag
def elements_to_tick(row: CriterionRow, *, editable: bool) -> SafeString:
    """A box for each element of the key that the criterion counts."""
    return format_html_join(
        "",
        '<label class="tick" title="{}"><input type="checkbox" name="elements" value="{}" id="tick-{}-{}"{}{}>'
        "<span>{}</span></label>",
        (
            (
                element.text,
                element.code,
                row.code,
                element.code,
                CHECKED if ticked else "",
                "" if editable else DISABLED,
                element.code,
            )
            for element, ticked in row.elements
        ),
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


@register.simple_tag
def citation_links(citations: Iterable[CardCitation]) -> SafeString:
    """Links to citations of other cards. A tag and no template, since a card has up to forty."""
    return format_html_join(
        ", ",
        '<a href="{}?citation={}" title="{}, {}, {}">{}</a>',
        (
            (
                reverse("review:card", args=[each.card_id]),
                each.number,
                each.raw,
                each.decided_by.username if each.decided_by else "",
                date_format(localtime(each.decided_at), "j M Y") if each.decided_at else "",
                each.card.queue_code,
            )
            for each in citations
        ),
    )


@register.filter
def numbers(rows: Iterable[Any]) -> str:
    """The numbers of citations in a row, such as “2, 5, 6”."""
    return ", ".join(str(row.number) for row in rows)
