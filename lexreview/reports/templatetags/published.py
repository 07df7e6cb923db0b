"""Filters for the content of frozen pages: texts by language, figures, dates, words for codes."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Decimal
from typing import Any

from django import template
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from lexreview.answers.answer_html import TAGS_WITH_MARKS
from lexreview.methodology.markdown import sanitised
from lexreview.methodology.words import class_name
from lexreview.reports.words import words_for
from lexreview.translating import decimals

register = template.Library()

NOT_KNOWN = "–"
ENGLISH_DAY = "j F Y"
"""As the law is dated in English outside America; the other languages have one way of their own."""
ANNEX_ATTRIBUTES = {"a": {"class", "data-sign"}, "mark": {"class", "data-sign"}, "span": {"class"}, "ol": {"start"}}


@register.filter
def local(texts: Mapping[str, str] | None, fallback: str = "en") -> str:
    """The text in the reader's language, else in `fallback`, else in any; "" where there is none."""
    if not texts:
        return ""
    short = (get_language() or fallback).split("-")[0]
    return texts.get(short) or texts.get(fallback) or texts[min(texts)]


@register.filter
def language_of(texts: Mapping[str, str] | None, fallback: str = "en") -> str:
    """The language that `local` finds, for a lang attribute where it is not the page's own."""
    if not texts:
        return fallback
    short = (get_language() or fallback).split("-")[0]
    return next((code for code in (short, fallback) if texts.get(code)), min(texts))


@register.filter
def in_own_language(texts: Mapping[str, str] | None, fallback: str = "en") -> str:
    """What `local` finds, marked with its language where that is not the page's."""
    return _marked(local(texts, fallback), language_of(texts, fallback))


@register.filter
def name_of_class(names: Mapping[str, str] | None) -> str:
    """The name of a class of errors in the reader's language, marked with its language where there is none in it."""
    return _marked(*class_name(names or {}))


def _marked(words: str, language: str) -> str:
    here = (get_language() or "en").split("-")[0]
    return format_html('<span lang="{}">{}</span>', language, words) if words and language != here else words


@register.filter
def words(code: str | None, kind: str) -> str:
    return words_for(kind, code) if code else ""


@register.filter
def per_cent(share: float | None, places: int = 0) -> str:
    """A share in [0, 1] as "29"; "n/a" where it is undefined."""
    return _("n/a") if share is None else decimals(round(share * 100, places), places)


@register.filter
def figure(value: float | str | None, places: int = 2) -> str:
    """A number with that many decimals; "n/a" where it is undefined."""
    return _("n/a") if value is None else decimals(value, places)


@register.filter
def usd(amount: str | None, is_lower_bound: bool = False) -> str:
    """An amount with two decimals, with three where it is below ten cents; "n/a" where it is undefined. What an amount
    is at least is rounded down, so that it stays true."""
    if amount is None:
        return _("n/a")
    value = Decimal(amount)
    places = 2 if value >= Decimal("0.1") or value == 0 else 3
    return decimals(value, places, rounding=ROUND_FLOOR if is_lower_bound else ROUND_HALF_UP)


@register.filter
def day(value: str | date | None) -> str:
    """A day, or the day of a moment, as the reader's language writes it."""
    if not value:
        return NOT_KNOWN
    if isinstance(value, str):
        moment = parse_datetime(value) if "T" in value else None
        parsed = moment.date() if moment else parse_date(value)
    else:
        parsed = value.date() if isinstance(value, datetime) else value
    if parsed is None:
        return str(value)
    english = (get_language() or "en").startswith("en")
    return date_format(parsed, ENGLISH_DAY if english else "DATE_FORMAT")


@register.filter
def joined(items: Iterable[Any]) -> str:
    return ", ".join(str(each) for each in items)


@register.filter
def at(mapping: Mapping[str, Any] | None, key: str) -> Any:
    """The value under a key that a template cannot spell, such as `A-R` or one held in a variable."""
    return mapping.get(key) if mapping else None


@register.filter
def frozen_html(html: str) -> SafeString:
    """HTML of a frozen page: it was sanitised when the page was made, and only `html` and `texts` fields hold it."""
    return mark_safe(html)  # noqa: S308


@register.filter
def annex_html(html: str) -> SafeString:
    """The same HTML where many answers stand on one page: headings two levels lower, no anchors, no links.

    Cleaned HTML has no `<` in its text and its headings no attributes, so a heading is told from text for certain.
    """
    plain = sanitised(html, tags=TAGS_WITH_MARKS, attributes=ANNEX_ATTRIBUTES)
    lowered = re.sub(r"<(/?)h([3-6])>", lambda tag: f"<{tag[1]}h{min(int(tag[2]) + 2, 6)}>", plain)
    # The brackets around an address are in none of the report's fonts.
    printable = re.sub(r'(<span class="address">)⟨(.*?)⟩(</span>)', r"\1‹\2›\3", lowered, flags=re.DOTALL)
    return mark_safe(printable)  # noqa: S308


@register.filter
def rows_of(items: Sequence[Any], kind: str) -> list[Any]:
    """Those of the items whose `left_out` is `kind`."""
    return [each for each in items if each["left_out"] == kind]


@register.simple_tag
def bar(share: float | None, label: str = "") -> SafeString:
    """A share in [0, 1] as a bar, said in words too; nothing where it is undefined."""
    if share is None:
        return SafeString("")
    width = f"{min(max(share, 0.0), 1.0) * 100:.2f}"
    return format_html(
        '<svg class="share-bar" width="100%" height="8" role="img" aria-label="{}">'
        '<rect class="rail" x="0" y="3" width="100%" height="2" fill="#e4e1d9"/>'
        '<rect class="part" x="0" y="0" width="{}%" height="8" fill="#1f4e5f"/></svg>',
        label or f"{per_cent(share)} %",
        width,
    )
