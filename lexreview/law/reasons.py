"""What the answers of `unit_on` say, in words."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from lexreview.law.outcome import ESTABLISHED, RECONSTRUCTED, UNDETERMINED

CERTAINTY_WORDS: Mapping[str, str | Promise] = {
    ESTABLISHED: _("established"),
    RECONSTRUCTED: _("reconstructed"),
    UNDETERMINED: _("not established"),
}
REASON_WORDS: Mapping[str, str | Promise] = {
    "act_not_yet_in_force": _("The act was not yet in force on this day."),
    "act_repealed": _("The act had been repealed before this day."),
    "no_edition_stored": _("No edition of the act is stored."),
    "no_edition_on_date": _("No stored edition covers this day."),
    "edition_end_unknown": _("The edition does not say when it ended, and a later one has other words."),
    "language_not_stored": _("The wording is not stored in this language."),
    "unit_not_in_excerpt": _("Only an excerpt of the act is stored, without this provision."),
    "structure_only": _("Only the structure of the act is stored, not its wording."),
    "no_text": _("The wording of the act is not stored."),
    "repealed": _("The provision is repealed."),
    "unit_in_earlier_edition": _("The provision stands in an earlier edition only."),
    "unit_in_later_edition": _("The provision stands in a later edition only."),
    "staged_entry": _("The provision enters into force on another day than the act."),
    "conditional_entry": _("The entry into force depends on an event that is not recorded."),
    "unit_in_no_edition": _("No stored edition has this provision."),
    "editions_disagree": _("Two stored editions for this day word it differently."),
    "footnote_without_date": _("A footnote gives another wording without a day on which it begins."),
    "future_wording_in_text": _("The stored text already has the wording of a later day."),
    "tribunal_ruling_pending": _("A ruling of the constitutional tribunal touches it and has not been read."),
    "correction_pending": _("A correction of the journal touches it and has not been read."),
    "amendment_not_read": _("An amending act touches it, and its text is not stored."),
    "instruction_not_understood": _("An amending act changes it in words that were not understood."),
    "instruction_does_not_fit": _("An amending act changes words that do not stand there."),
    "amendments_on_same_day": _("Several acts amend it on the same day, and their order is not decided."),
}
"""A reason without words is shown as its code."""
