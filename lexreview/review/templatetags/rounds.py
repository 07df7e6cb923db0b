"""Words and numbers of the lead's pages."""

import secrets
from fractions import Fraction
from typing import Any
from urllib.parse import urlencode

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lexreview.accounts.drawing import per_cent
from lexreview.core.methods.reference_card.card_rows import Mean
from lexreview.core.methods.reference_card.human_agreement import Cell, HumanAgreement, Measure
from lexreview.core.methods.reference_card.label import Label
from lexreview.core.stats.intervals import Interval, Proportion
from lexreview.review.agreement import GROUP_LABELS, LABEL, SELF, AgreementPage, Group
from lexreview.review.models import LABEL_LABELS
from lexreview.translating import decimals

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
    return f"{decimals(interval.low, 2)} – {decimals(interval.high, 2)}"


LEAST_KAPPA = -0.25
"""Where the scale of drawn kappas begins; what lies below is drawn to there and written in full."""


@register.inclusion_tag("components/interval.html")
def kappa_interval(figure: HumanAgreement) -> dict[str, Any]:
    """The kappa of a measure with its interval over questions, drawn from -0.25 to 1 with a line at 0, and said."""
    value, found = figure.kappa.value, figure.kappa_over_questions.interval
    if value is None or found is None:
        return {"known": False, "reason": figure.kappa.reason}

    def place(kappa: float) -> str:
        return per_cent((max(kappa, LEAST_KAPPA) - LEAST_KAPPA) / (1 - LEAST_KAPPA))

    places = {"low": place(found.low), "value": place(value), "high": place(found.high), "zero": place(0)}
    return {"known": True, "hollow": False, "words": f"κ {decimals(value, 2)}, {bounds(found)}", **places}


@register.filter
def percent(share: Fraction) -> str:
    return f"{round(share * 100)} %"


@register.filter
def mean_words(mean: Mean) -> str:
    """A mean in per cent; with how many of how many have a value, where some have none."""
    if mean.value is None:
        return _("n/a")
    said = percent(mean.value)
    return said if mean.n == mean.of else _("%(mean)s, %(n)s of %(of)s") % {"mean": said, "n": mean.n, "of": mean.of}


CELL_LABELS = {
    Cell.BOTH: gettext_lazy("both"),
    Cell.FIRST_ONLY: gettext_lazy("first only"),
    Cell.SECOND_ONLY: gettext_lazy("second only"),
    Cell.NEITHER: gettext_lazy("neither"),
    Cell.DIFFER: gettext_lazy("the reviews differ"),
}


@register.simple_tag
def cell_link(number: int, cell: str, measure: Measure, group: str, page: AgreementPage) -> SafeString:
    """A count that opens the cards behind it; 0 opens nothing."""
    if not number:
        return SafeString("0")
    asked = {"specification": page.version, "group": group, "measure": measure.name, "cell": cell}
    query = urlencode(asked | ({"positive": measure.positive} if measure.positive else {}))
    address = f"{reverse('rounds:agreement_cards', args=[page.benchmark.slug])}?{query}"
    words = _("%(cell)s: show these cards") % {"cell": cell_words(cell)}
    return format_html('<a href="{}" title="{}">{}</a>', address, words, number)


@register.filter
def cell_words(cell: str) -> str:
    return str(CELL_LABELS[Cell(cell)])


@register.filter
def disagreeing(agreement: Proportion) -> int:
    return agreement.n - agreement.successes


@register.filter
def group_words(group: str) -> str:
    return _("people with themselves") if group == SELF else str(GROUP_LABELS[Group(group)])


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
