"""Reason codes of the layer in words, those of the law corpus included."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from lexreview.law.reasons import REASON_WORDS

REASONS: Mapping[str, str | Promise] = {
    **REASON_WORDS,
    "act_exists": _("The act is in the corpus; no provision of it is cited."),
    "act_not_named": _("The text does not say which act is meant."),
    "act_not_in_corpus": _("The act is not in the corpus. This says nothing about whether it exists."),
    "ambiguous_abbreviation": _("The name fits more than one act."),
    "earlier_act_of_this_name": _("On this day an earlier act of this name was in force, which is not in the corpus."),
    "former_wording": _("The text says that it speaks of an earlier wording; it was checked against that."),
    "former_wording_not_stored": _("The text speaks of an earlier wording, and no earlier edition is stored."),
    "wording_not_established": _("The wording on the legal-state date is not established."),
    "wording_of_another_date": _("The quotation is not the wording of the legal-state date."),
    "quotation_differs": _("The quotation differs from the official wording."),
    "quotation_other_unit": _("The quotation is not the wording of this provision."),
    "quotation_other_edition": _("The quotation is not the wording of the legal-state date."),
    "quotation_empty": _("The quotation holds no words."),
    "quotation_not_in_stored_text": _(
        "The quoted words are not in the stored text of the ruling, which may be an extract."
    ),
    "ruling_text_not_stored": _("The text of the ruling is not stored."),
    "recitals_not_stored": _("The recitals of the act are not stored."),
    "raised_digits_lost": _("Its raised digits are written as plain ones."),
    "number_of_amending_act": _("The number is that of an act that amended one in the corpus."),
    "number_known": _("The number is that of an act in the corpus."),
    "number_agrees": _("The number is that of the named act."),
    "number_of_another_act": _("The number belongs to another act."),
    "number_not_of_this_act": _("The number is not that of the named act."),
    "number_not_known": _("The corpus does not know this number of the act; it may be that of a consolidated text."),
    "number_of_several_acts": _("Several acts went by this number."),
    "docket_of_several_rulings": _("Several rulings bear this docket; court and day are needed to tell them apart."),
    "docket_of_that_day_differs": _("The court decided on that day under a docket that differs by a sign or two."),
    "ruling_of_another_day": _("The ruling with this docket is of another day."),
    "ruling_of_another_court": _("The ruling with this docket is of another court."),
    "ruling_not_covered": _(
        "No source here covers this court and day. This says nothing about whether the ruling exists."
    ),
    "court_not_named_or_not_covered": _("The court is not named. This says nothing about whether the ruling exists."),
    "ruling_not_in_covering_source": _(
        "The source holds all rulings of this court and time, and this one is not among them."
    ),
}
