"""What core says, in the language that is active."""

from django.utils.translation import get_language, gettext, gettext_lazy

from lexreview.core.words import Words
from lexreview.core.workflow import TransitionRefused

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
    values = {name: translated(each) if isinstance(each, str) else each for name, each in words.values.items()}
    return gettext(words.template) % values
