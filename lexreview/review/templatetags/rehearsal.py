"""Words for planted errors and what became of them."""

from collections.abc import Mapping

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lexreview.core.methods.reference_card.facts import Origin, Scope
from lexreview.core.methods.reference_card.planted import Aspect, Fate, Kind, Place, Verdict
from lexreview.methodology.words import ORIGIN_LABELS, SCOPE_LABELS
from lexreview.translating import written

register = template.Library()

KIND_WORDS: Mapping[Kind, str | Promise] = {
    Kind.MISSED_ERROR: gettext_lazy("error left out"),
    Kind.FALSE_ALARM: gettext_lazy("right citation called wrong"),
    Kind.ERROR_CLASS: gettext_lazy("wrong class"),
    Kind.ORIGIN: gettext_lazy("wrong origin"),
    Kind.SCOPE: gettext_lazy("wrong scope"),
    Kind.POINTS: gettext_lazy("wrong points"),
}
FATE_WORDS: Mapping[Fate, str | Promise] = {
    Fate.FOUND: gettext_lazy("put right"),
    Fate.LEFT_IN: gettext_lazy("left in"),
    Fate.OTHERWISE: gettext_lazy("changed to something else"),
}
VERDICT_WORDS: Mapping[Verdict, str | Promise] = {
    Verdict.RIGHT: gettext_lazy("no error"),
    Verdict.WRONG: gettext_lazy("wrong"),
    Verdict.OPEN: gettext_lazy("cannot be established"),
}


@register.filter
def kind_words(kind: Kind) -> str:
    return str(KIND_WORDS[kind])


@register.filter
def fate_words(fate: Fate) -> str:
    return str(FATE_WORDS[fate])


@register.filter
def value_at(value: str | None, place: Place) -> str:
    """What was proposed or decided at the place, as a reader's language writes it; a dash where nothing was."""
    if value is None:
        return "–"
    match place.aspect:
        case Aspect.POINTS:
            return written(value)
        case Aspect.VERDICT:
            return str(VERDICT_WORDS[Verdict(value)])
        case Aspect.ORIGIN:
            return str(ORIGIN_LABELS[Origin(value)])
        case Aspect.SCOPE:
            return str(SCOPE_LABELS[Scope(value)])
        case Aspect.ERROR_CLASS:
            return value


@register.filter
def place_words(place: Place, raw: str) -> str:
    """The criterion by its code, or the citation by its number and words."""
    if place.aspect is Aspect.POINTS:
        return place.target
    return _("citation %(number)s") % {"number": place.target} + (f" ({raw})" if raw else "")
