"""The result in a sentence or two for a lawyer: what was found where, and what it does not say."""

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from lexreview.core.methods.reference_card.facts import CheckResult
from lexreview.law.models import Edition
from lexreview.law.unit_names import unit_name
from lexreview.verification.checked import CheckedCitation, Inquiry
from lexreview.verification.reasons import REASONS


def explain(row: CheckedCitation, inquiry: Inquiry) -> str:
    """One or two sentences in the active language."""
    parts = [_headline(row, inquiry), _quotation(row), _suggestion(row, inquiry)]
    if row.is_said:
        parts.append(_("The answer says so itself."))
    return " ".join(part for part in parts if part)


def _headline(row: CheckedCitation, inquiry: Inquiry) -> str:
    reason = str(REASONS.get(row.reason, ""))
    day = date_format(inquiry.on, "DATE_FORMAT")
    if row.result is CheckResult.CONFIRMED:
        if row.ruling is not None:
            return _("The ruling is in the corpus with this court and day.")
        if row.edition is None:
            return reason or _("The act is in the corpus.")
        stands = _("The provision stands in the edition in force %(window)s.") % {"window": window(row.edition)}
        return f"{stands} {reason}".strip()
    if row.result is CheckResult.NOT_IN_FORCE:
        where = _where_in_force(row) or reason
        not_in_force = _("The provision was not in force on %(day)s.") % {"day": day}
        return f"{not_in_force} {where}".strip()
    if row.result is CheckResult.NOT_FOUND and row.citation.kind != "ruling":
        return _("No stored edition of the act has this provision.")
    return reason or _("This could not be established.")


def _where_in_force(row: CheckedCitation) -> str:
    """The day on which a provision begins, else the edition in which it stands; "" where neither is known."""
    if row.found is not None and row.found.effective_on is not None:
        return _("It enters into force on %(day)s.") % {"day": date_format(row.found.effective_on, "DATE_FORMAT")}
    other = row.other_edition
    return _("It stands in the edition in force %(window)s.") % {"window": window(other)} if other else ""


def _quotation(row: CheckedCitation) -> str:
    if row.quotation_match == "exact":
        return _("The quotation is verbatim.")
    if row.result is CheckResult.WORDING_DIFFERS and row.other_edition is not None:
        return _("The quoted words are those of the edition in force %(window)s.") % {
            "window": window(row.other_edition)
        }
    return ""


def _suggestion(row: CheckedCitation, inquiry: Inquiry) -> str:
    if row.other_unit:
        return _("The quoted words stand in %(unit)s.") % {
            "unit": unit_name(row.other_unit, jurisdiction=inquiry.jurisdiction, lang=inquiry.lang)
        }
    if row.result is CheckResult.WRONG_IDENTIFIER:
        other = _("It is that of: %(act)s.") % {"act": row.source_text} if _is_of_another_act(row) else ""
        right = _("Right would be: %(right)s.") % {"right": row.suggestion} if row.suggestion else ""
        return f"{other} {right}".strip()
    if row.reason == "amendment_not_read" and row.found is not None and row.found.steps:
        return _("It is this one: %(step)s.") % {"step": "; ".join(row.found.steps)}
    if row.reason == "earlier_act_of_this_name":
        return _("It is this one: %(step)s.") % {"step": row.suggestion}
    if row.result is CheckResult.AMBIGUOUS and row.suggestion:
        return _("It fits: %(several)s.") % {"several": row.suggestion}
    return ""


def _is_of_another_act(row: CheckedCitation) -> bool:
    return row.reason == "number_of_another_act" and bool(row.source_text)


def window(edition: Edition) -> str:
    """The days of an edition in words, `since 1 Sep 2026` or `from 1 Jan 2019 to 30 Jun 2023`."""
    first = date_format(edition.valid_from, "DATE_FORMAT")
    if edition.valid_to is None:
        return _("since %(day)s") % {"day": first}
    return _("from %(first)s to %(last)s") % {"first": first, "last": date_format(edition.valid_to, "DATE_FORMAT")}
