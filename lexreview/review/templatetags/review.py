"""Words of the review pages for templates."""

import secrets
from collections.abc import Iterable
from functools import cache, lru_cache
from html import escape
from typing import Any, NamedTuple

from django import template
from django.template import Context
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timezone import localdate
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from lexreview.core.methods.reference_card.label import Label
from lexreview.ledger.models import Event
from lexreview.review.card_page import CardPage
from lexreview.review.card_rows import CitationRow, CriterionRow
from lexreview.review.models import LABEL_LABELS, CardCitation
from lexreview.review.words import words_of_event

register = template.Library()
RAW = format_html('<input type="hidden" name="raw" value="{}">', 1)
CHECKED, DISABLED = SafeString(" checked"), SafeString(" disabled")
CURRENT = ' aria-current="true"'
LONGEST_REASON = 2000


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
    return SafeString(
        f'<input type="hidden" name="csrfmiddlewaretoken" value="{escape(str(context["csrf_token"]))}">'
        f'<input type="hidden" name="form_key" value="{secrets.token_urlsafe(12)}">'
        f'<input type="hidden" name="version" value="{page.card.version}">'
        f'<input type="hidden" name="selected" value="{page.selected_number}">{RAW if page.raw else ""}'
    )


@register.simple_tag(takes_context=True)
def citations_to_choose(context: Context, page: CardPage) -> SafeString:
    """The citations, each a link that shows it or, where it was not opened yet, a button that opens it. A tag and no
    template, since a card has up to sixty."""
    card = reverse("review:card", args=[page.card.pk])
    before, after = reverse("review:open_citation", args=[page.card.pk, 0]).rsplit("/0/", 1)
    raw = "&amp;raw=1" if page.raw else ""
    token = format_html('<input type="hidden" name="csrfmiddlewaretoken" value="{}">', str(context["csrf_token"]))
    words = _CiteWords(
        _("class %(code)s"), _("not opened"), _("only in the stored text"), escape(page.question.language)
    )
    unplaced, selected, editable = page.answer.unplaced, page.selected, page.editable
    found = []
    for row in page.citations:
        number = row.number
        state = f' data-number="{number}"{CURRENT if row == selected else ""}{"" if row.settled else " data-open"}'
        line = _cite(row, words, is_unplaced=row.key in unplaced)
        if editable and not row.citation.opened_at:
            address = f"{before}/{number}/{after}"
            found.append(
                f'<li><form id="open-{number}" method="post" action="{address}" hx-post="{address}"'
                ' hx-target="#card" hx-swap="outerHTML">'
                f"{token}{RAW if page.raw else ''}"
                f'<button class="cite" id="cite-{number}" type="submit"{state}>{line}</button></form></li>'
            )
        else:
            found.append(
                f'<li><a class="cite" id="cite-{number}" href="{card}?citation={number}{raw}"'
                f' hx-get="{card}?citation={number}{raw}" hx-target="#card" hx-swap="outerHTML"{state}>{line}</a></li>'
            )
    return SafeString("".join(found))


class _CiteWords(NamedTuple):
    of_class: str
    not_opened: str
    unplaced: str
    language: str


def _cite(row: CitationRow, words: _CiteWords, *, is_unplaced: bool) -> str:
    """One line of the list of citations."""
    parts = [row.part, row.words]
    if row.finding:
        parts.append(words.of_class % {"code": row.finding.finding.error_class})
    parts += [words.not_opened] if row.must_open else []
    parts += [words.unplaced] if is_unplaced else []
    return (
        f'<span class="mark {row.css}{"" if row.settled else " proposed"}" aria-hidden="true">{escape(row.mark)}</span>'
        f'<b lang="{words.language}">{escape(row.citation.raw)}</b>'
        f'<span class="small">{escape(" · ".join(filter(None, parts)))}</span>'
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
                option["label"],
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


@register.simple_tag
def evidence_to_write(row: CriterionRow) -> SafeString:
    """Where evidence and, beside a proposal, a reason are written, and who decided so far."""
    code = escape(row.code)
    found = [
        f'<label class="small" for="evidence-text-{code}">{escape(_("Evidence"))}</label>'
        f'<textarea class="form-control sm" name="evidence" id="evidence-text-{code}" rows="2" maxlength="10000"'
        f' data-draft="evidence-{code}">{escape(row.shown_evidence)}</textarea>'
    ]
    if row.proposed:
        words = _("Reason, if it differs from the proposal (%(proposed)s)") % {"proposed": row.proposed}
        listed = f' list="reasons-{code}"' if row.suggested_reasons else ""
        found.append(
            f'<label class="small" for="reason-{code}">{escape(words)}</label>'
            f'<input class="form-control sm" name="reason" id="reason-{code}" maxlength="{LONGEST_REASON}"'
            f' value="{escape(row.shown_reason)}" data-draft="reason-{code}"{listed}>'
        )
        found.append(_suggestions(row))
    by = _("decided by %(person)s") % {"person": row.decided_by} if row.decided_by else ""
    found.append(
        f'<div class="inline"><button class="btn sm" type="submit" id="save-{code}">{escape(_("Save"))}</button>'
        f'{f"""<span class="small muted">{escape(by)}</span>""" if by else ""}</div>'
    )
    return SafeString("".join(found))


def _suggestions(row: CriterionRow) -> SafeString:
    """What may be chosen as the reason instead of typed."""
    if not row.suggested_reasons:
        return SafeString("")
    options = format_html_join(
        "", '<option value="{}"></option>', ((r[:LONGEST_REASON],) for r in row.suggested_reasons)
    )
    return format_html('<datalist id="reasons-{}">{}</datalist>', row.code, options)


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
    """Links to citations of other cards. A tag and no template, since a card has up to forty, many of one day."""
    before, after = reverse("review:card", args=[0]).rsplit("0", 1)
    written = cache(lambda day: date_format(day, "DATE_FORMAT"))
    return format_html_join(
        ", ",
        '<a href="{}?citation={}" title="{}, {}, {}">{}</a>',
        (
            (
                f"{before}{each.card_id}{after}",
                each.number,
                each.raw,
                each.decided_by.username if each.decided_by else "",
                written(localdate(each.decided_at)) if each.decided_at else "",
                each.card.queue_code,
            )
            for each in citations
        ),
    )


@register.filter
def numbers(rows: Iterable[Any]) -> str:
    """The numbers of citations in a row, such as “2, 5, 6”."""
    return ", ".join(str(row.number) for row in rows)
