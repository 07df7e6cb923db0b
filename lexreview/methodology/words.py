"""Words for what a specification may say, and for what can be wrong with one."""

from collections.abc import Mapping

from django.utils.functional import Promise
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
