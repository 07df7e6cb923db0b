"""Words and numbers of the lead's pages."""

import secrets
from fractions import Fraction

from django import template
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from lexreview.core.methods.reference_card.human_agreement import Measure
from lexreview.core.methods.reference_card.label import Label
from lexreview.core.stats.intervals import Interval
from lexreview.review.agreement import GROUP_LABELS, LABEL, Group
from lexreview.review.models import LABEL_LABELS

register = template.Library()


@register.simple_tag
def fresh_key() -> SafeString:
    """A hidden field with a key for this rendering of the form: what is sent twice under it is done once."""
    return format_html('<input type="hidden" name="form_key" value="{}">', secrets.token_urlsafe(12))


@register.filter
def bounds(interval: Interval | None) -> str:
    """An interval as “0.31 – 0.85”; “n/a” where there is none."""
    if interval is None:
        return _("n/a")
    return f"{number_format(interval.low, 2)} – {number_format(interval.high, 2)}"


@register.filter
def percent(share: Fraction) -> str:
    return f"{round(share * 100)} %"


@register.filter
def group_words(group: str) -> str:
    return str(GROUP_LABELS[Group(group)])


@register.filter
def measure_words(measure: Measure) -> str:
    """A criterion by its code, the label by name, a single label as a question of yes or no."""
    if measure.name != LABEL:
        return measure.name
    if not measure.positive:
        return _("label")
    return _("label: %(label)s or not") % {"label": LABEL_LABELS[Label(measure.positive)]}


@register.filter
def value_words(value: str) -> str:
    """A label by its name, points as they are, yes and no as words."""
    labels = {label.value: str(words) for label, words in LABEL_LABELS.items()}
    return labels.get(value) or {"yes": _("yes"), "no": _("no")}.get(value, value)
