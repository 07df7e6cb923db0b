"""What did unit U of act A say in language L on day D, according to which document, and how sure are we?"""

from datetime import date

from lexreview.law.asking import Question
from lexreview.law.lookup import editions_of, find_unit, text_of
from lexreview.law.models import Act, Edition
from lexreview.law.outcome import (
    ESTABLISHED,
    FOUND,
    NOT_FOUND,
    NOT_IN_FORCE,
    RECONSTRUCTED,
    UNDETERMINED,
    UnitOnDate,
    UnitPeriod,
)
from lexreview.law.resolving import resolve_act

__all__ = [
    "ESTABLISHED",
    "FOUND",
    "NOT_FOUND",
    "NOT_IN_FORCE",
    "RECONSTRUCTED",
    "UNDETERMINED",
    "UnitOnDate",
    "UnitPeriod",
    "find_unit",
    "resolve_act",
    "text_of",
    "unit_history",
    "unit_on",
]


def unit_on(*, act: Act, unit: str, on: date, lang: str) -> UnitOnDate:
    """The wording of a unit (its key) of an act on a day in a language; see `UnitOnDate` for what comes back.

    Reasons: `act_not_yet_in_force`, `act_repealed`, `no_edition_stored`, `no_edition_on_date`, `language_not_stored`,
    `unit_not_in_excerpt`, `structure_only`, `no_text`, `repealed`, `unit_in_earlier_edition`, `unit_in_later_edition`,
    `editions_disagree`, `edition_end_unknown`, `amendment_not_read`, `staged_entry`, `conditional_entry`, and for
    Polish acts those of `lexreview.law.polish.wording`.
    """
    question = Question(act=act, key=_without_sentence(unit), on=on, lang=lang, editions=editions_of(act))
    ways = (question.refuse_by_force, question.by_stages, question.by_amendments, question.by_recital)
    return next((answer for way in ways if (answer := way()) is not None), None) or question.answer()


def unit_history(*, act: Act, unit: str, lang: str) -> list[UnitPeriod]:
    """The unit in every stored edition of the language that has it, oldest first; editions without it are left out."""
    periods = []
    for edition in Edition.objects.filter(act=act).in_language(lang).in_time_order():
        if stored := find_unit(edition, _without_sentence(unit), jurisdiction=act.jurisdiction):
            text = "" if stored.is_repealed else text_of(stored)
            periods.append(UnitPeriod(edition, stored, text, stored.is_repealed))
    return periods


def _without_sentence(key: str) -> str:
    """Sentences are no units: a key that ends in one is looked up at the unit that holds it."""
    return "/".join(part for part in key.split("/") if not part.startswith("zd="))
