"""Words for what a specification may say, and for what can be wrong with one."""

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import get_language, override, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from lexreview.core.methods.reference_card.facts import Origin, Scope
from lexreview.core.methods.reference_card.specification import Enters, Fault, KeyMaximum, NotApplicableWhen, Rule

ORIGIN_LABELS: Mapping[Origin, str | Promise] = {
    Origin.MEMORY: _("memory"),
    Origin.SOURCE_READ: _("source read"),
    Origin.SECONDARY_SOURCE: _("secondary source"),
    Origin.UNDETERMINED: _("undetermined"),
}
SCOPE_LABELS: Mapping[Scope, str | Promise] = {Scope.CORE: _("core"), Scope.PERIPHERAL: _("peripheral")}
MAXIMUM_WORDS: Mapping[KeyMaximum, str | Promise] = {
    KeyMaximum.RUBRIC: _("points of the key's rubric"),
    KeyMaximum.BASES: _("number of the key's bases"),
    KeyMaximum.PENALTIES: _("number of the key's penalties"),
}
NOT_APPLICABLE_WORDS: Mapping[NotApplicableWhen, str | Promise] = {
    NotApplicableWhen.KEY_HAS_NO_RUBRIC: _("the key has no rubric"),
    NotApplicableWhen.KEY_HAS_NO_BASES: _("the key requires no basis"),
    NotApplicableWhen.KEY_HAS_NO_PENALTIES: _("the key has no penalty"),
    NotApplicableWhen.NO_TRAP: _("the question has no trap"),
    NotApplicableWhen.QUESTION_CLOSED: _("the question is closed"),
    NotApplicableWhen.NOT_DISPUTED: _("case law is not disputed"),
}
ENTERS_WORDS: Mapping[Enters, str | Promise] = {
    Enters.POINTS: _("added"),
    Enters.PENALTY: _("subtracted"),
    Enters.SEPARATE: _("shown apart"),
}
RULE_WORDS: Mapping[Rule, str | Promise] = {Rule.NO_HALLUCINATION: _("follows from the findings")}
FAULT_WORDS: Mapping[Fault, str | Promise] = {
    Fault.STEP_NOT_POSITIVE: _("Give a step of more than 0."),
    Fault.MINIMUM_BELOW_ZERO: _("Give 0 or more: a penalty is counted up and subtracted."),
    Fault.BLOCK_AND_ENTERS: _("Block A is added or subtracted, any other is shown apart: change one of the two."),
    Fault.MAXIMUM_BELOW_MINIMUM: _("The most points are fewer than the fewest: change one of the two."),
    Fault.STEP_MISSES_MAXIMUM: _("Such steps do not lead from the fewest to the most points: change one of the three."),
    Fault.FULL_OUTSIDE: _("Give a number between the fewest and the most points."),
    Fault.CODE_TWICE: _("This code is used twice: change one of them."),
    Fault.NO_CORE: _("One criterion must have the code A-R and say how many points are full."),
    Fault.RULED_NOT_ONCE: _("Exactly one criterion must follow from the findings: choose it under “Who decides”."),
}
CLASS_NAMES: Mapping[str, Promise] = {
    "Content": pgettext_lazy("class of errors", "Content"),
    "Version": pgettext_lazy("class of errors", "Version"),
    "Fiction": pgettext_lazy("class of errors", "Fiction"),
    "Identifier": pgettext_lazy("class of errors", "Identifier"),
}
"""The usual names of T, W, F and S, for readers of a language in which a specification does not name them."""


class Named(NamedTuple):
    """Words and the language that they are in."""

    words: str
    language: str


def class_name(names: Mapping[str, str], language: str = "") -> Named:
    """The name of a class of errors in the language, by default the reader's: the specification's own name in it, or
    the usual word for the same class, else the specification's English name or any that it has."""
    language = (language or get_language() or "en").split("-")[0]
    if names.get(language):
        return Named(names[language], language)
    usual = CLASS_NAMES.get(names.get("en", ""))
    if usual is not None:
        with override(language):
            return Named(str(usual), language)
    own = "en" if names.get("en") else min(names, default="")
    return Named(names.get(own, ""), own)
