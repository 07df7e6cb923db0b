"""What core says, in the language that is active."""

from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

from django.utils.formats import number_format
from django.utils.translation import get_language, gettext, gettext_lazy

from lexreview.core.words import Words, shown_number
from lexreview.core.workflow import TransitionRefused

LARGEST = 10**9
REFUSALS = {
    "state": gettext_lazy(
        "This is not possible in the present state. It may have changed meanwhile: load the page again."
    ),
    "role": gettext_lazy("This takes another person or another role than yours."),
    "reason": gettext_lazy("This takes a reason."),
}
"""Refused moves in other languages than English, in which core names verb and state."""


def translated(said: str | Exception) -> str:
    """The sentence, or that of an exception of core; one that keeps no template stays as it is."""
    if isinstance(said, TransitionRefused) and not (get_language() or "en").startswith("en"):
        return str(REFUSALS[said.why])
    words = said.args[0] if isinstance(said, Exception) and said.args else said
    if not isinstance(words, Words):
        return str(said)
    return gettext(words.template) % {name: _value(each) for name, each in words.values.items()}


def _value(value: object) -> object:
    match value:
        case str():
            return translated(value)
        case Decimal():
            return written(value)
        case _:
            return value


def written(points: Decimal | str | None) -> str:
    """Points as the active language writes them, "0,5" in Polish; "" for none. For what is read: a value of a form or a
    record keeps its dot. A text that is no number stays as it is."""
    if points is None:
        return ""
    try:
        number = Decimal(points)
    except InvalidOperation:
        return str(points)
    if not number.is_finite() or abs(number) >= LARGEST:
        return str(points)
    return str(number_format(Decimal(shown_number(number))))


def decimals(value: float | str | Decimal, places: int, *, rounding: str = ROUND_HALF_UP) -> str:
    """The number with that many decimals as the active language writes them, rounded to the nearest one.

    Django's `number_format` alone cuts the others off: of 0.399 it makes "0.39". A number that is not finite stays as
    it is.
    """
    number = Decimal(str(value))
    if not number.is_finite():
        return str(value)
    return str(number_format(number.quantize(Decimal(1).scaleb(-places), rounding), places))
