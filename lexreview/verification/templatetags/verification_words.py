"""Words for the pages of this room: units, windows of editions, signs of results."""

from typing import Any

from django import template

from lexreview.law.models import Edition
from lexreview.law.unit_names import unit_name
from lexreview.verification.explanations import explanation_of, window
from lexreview.verification.models import Citation
from lexreview.verification.report_page import mark_of

register = template.Library()


@register.filter
def in_force(edition: Any) -> str:
    """The days of an edition or of a stop on the time line: `since 1 Sep 2026`."""
    return window(edition)


@register.filter
def citation_mark(citation: Citation) -> str:
    return mark_of(citation)


@register.filter
def explained(citation: Citation) -> str:
    """What was found, in the language of the page."""
    return explanation_of(citation)


@register.simple_tag
def unit_words(key: str, edition: Edition | None = None, jurisdiction: str = "", lang: str = "en") -> str:
    """A unit key as people write it, in the language of the edition."""
    return unit_name(key, jurisdiction=jurisdiction, lang=edition.language if edition else lang)
