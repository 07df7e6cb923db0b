"""The result in a sentence or two for a lawyer: what was found where, and what it does not say."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.conf import settings
from django.utils.formats import date_format
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from lexreview.core.methods.reference_card.facts import CheckResult
from lexreview.law.models import Edition
from lexreview.law.unit_names import unit_name
from lexreview.verification.checked import SUGGESTING, CheckedCitation, Inquiry
from lexreview.verification.languages import language_of_answer
from lexreview.verification.models import Citation
from lexreview.verification.reasons import REASONS


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What an explanation rests on. `on`: the legal-state date; `lang`: the language in which the text cites.

    `begins_on` and `steps` are what the corpus said of a provision not yet in force, and of the acts between two texts.
    """

    result: CheckResult
    reason: str
    kind: str
    is_ruling_known: bool
    edition: Edition | None
    other_edition: Edition | None
    quotation_match: str
    other_unit: str
    suggestion: str
    source_text: str
    is_said: bool
    on: date
    jurisdiction: str
    lang: str
    begins_on: date | None = None
    steps: Sequence[str] = ()


def explain(checked: CheckedCitation, inquiry: Inquiry) -> str:
    """One or two sentences in the active language."""
    found = checked.found
    return _in_words(
        Facts(
            result=checked.result,
            reason=checked.reason,
            kind=checked.citation.kind,
            is_ruling_known=checked.ruling is not None,
            edition=checked.edition,
            other_edition=checked.other_edition,
            quotation_match=checked.quotation_match,
            other_unit=checked.other_unit,
            suggestion=checked.suggestion,
            source_text=checked.source_text,
            is_said=checked.is_said,
            on=inquiry.on,
            jurisdiction=inquiry.jurisdiction,
            lang=inquiry.lang,
            begins_on=found.effective_on if found else None,
            steps=found.steps if found else (),
        )
    )


def language_of_explanations(benchmark_language: str) -> str:
    """The language in which the explanations of a benchmark are stored."""
    return benchmark_language if benchmark_language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def explanation_of(citation: Citation) -> str:
    """The stored explanation in the active language, from a citation fetched `with_sources()`.

    A row does not keep all that the corpus said: where it would not tell the same in its own language, it is left as it
    is stored.
    """
    question = citation.verification.answer.question
    stored_in = language_of_explanations(question.benchmark.language)
    if not citation.explanation or get_language() == stored_in:
        return citation.explanation
    with override(stored_in):
        facts = _facts_kept(citation)
        again = _in_words(facts)
    return _in_words(facts) if again == citation.explanation else citation.explanation


def _facts_kept(citation: Citation) -> Facts:
    """What the row tells; the acts between two texts stand in the stored explanation alone, in the active language."""
    question = citation.verification.answer.question
    result = CheckResult(citation.result)
    return Facts(
        result=result,
        reason=citation.reason,
        kind=citation.kind,
        is_ruling_known=citation.ruling_id is not None,
        edition=citation.edition,
        other_edition=citation.other_edition,
        quotation_match=citation.quotation_match,
        other_unit=citation.other_unit_key,
        suggestion=citation.suggestion,
        source_text=citation.source_text,
        is_said=result in SUGGESTING and not citation.proposed_class,
        on=citation.verification.legal_state_on,
        jurisdiction=question.benchmark.jurisdiction,
        lang=language_of_answer(citation.verification.answer),
        steps=_steps_told(citation.explanation),
    )


def _steps_told(explanation: str) -> Sequence[str]:
    before, _gap, after = _steps_in_words(("\0",)).partition("\0")
    _reason, found, rest = explanation.partition(before)
    return (rest.removesuffix(after),) if found and rest.endswith(after) else ()


def _steps_in_words(steps: Sequence[str]) -> str:
    return _("It is this one: %(step)s.") % {"step": "; ".join(steps)}


def _in_words(row: Facts) -> str:
    parts = [_headline(row), _quotation(row), _suggestion(row)]
    if row.is_said:
        parts.append(_("The answer says so itself."))
    return " ".join(part for part in parts if part)


def _headline(row: Facts) -> str:
    reason = str(REASONS.get(row.reason, ""))
    day = date_format(row.on, "DATE_FORMAT")
    if row.result is CheckResult.CONFIRMED:
        if row.is_ruling_known:
            return _("The ruling is in the corpus with this court and day.")
        if row.edition is None:
            return reason or _("The act is in the corpus.")
        stands = _("The provision stands in the edition in force %(window)s.") % {"window": window(row.edition)}
        return f"{stands} {reason}".strip()
    if row.result is CheckResult.NOT_IN_FORCE:
        where = _where_in_force(row) or reason
        not_in_force = _("The provision was not in force on %(day)s.") % {"day": day}
        return f"{not_in_force} {where}".strip()
    if row.result is CheckResult.NOT_FOUND and row.kind != "ruling":
        return _("No stored edition of the act has this provision.")
    return reason or _("This could not be established.")


def _where_in_force(row: Facts) -> str:
    """The day on which a provision begins, else the edition in which it stands; "" where neither is known."""
    if row.begins_on is not None:
        return _("It enters into force on %(day)s.") % {"day": date_format(row.begins_on, "DATE_FORMAT")}
    other = row.other_edition
    return _("It stands in the edition in force %(window)s.") % {"window": window(other)} if other else ""


def _quotation(row: Facts) -> str:
    if row.quotation_match == "exact":
        return _("The quotation is verbatim.")
    if row.result is CheckResult.WORDING_DIFFERS and row.other_edition is not None:
        return _("The quoted words are those of the edition in force %(window)s.") % {
            "window": window(row.other_edition)
        }
    return ""


def _suggestion(row: Facts) -> str:
    if row.other_unit:
        return _("The quoted words stand in %(unit)s.") % {
            "unit": unit_name(row.other_unit, jurisdiction=row.jurisdiction, lang=row.lang)
        }
    if row.result is CheckResult.WRONG_IDENTIFIER:
        other = _("It is that of: %(act)s.") % {"act": row.source_text} if _is_of_another_act(row) else ""
        right = _("Right would be: %(right)s.") % {"right": row.suggestion} if row.suggestion else ""
        return f"{other} {right}".strip()
    if row.reason == "amendment_not_read" and row.steps:
        return _steps_in_words(row.steps)
    if row.reason == "earlier_act_of_this_name":
        return _("It is this one: %(step)s.") % {"step": row.suggestion}
    if row.result is CheckResult.AMBIGUOUS and row.suggestion:
        return _("It fits: %(several)s.") % {"several": row.suggestion}
    return ""


def _is_of_another_act(row: Facts) -> bool:
    return row.reason == "number_of_another_act" and bool(row.source_text)


def window(edition: Edition) -> str:
    """The days of an edition in words, `since 1 Sep 2026` or `from 1 Jan 2019 to 30 Jun 2023`."""
    first = date_format(edition.valid_from, "DATE_FORMAT")
    if edition.valid_to is None:
        return _("since %(day)s") % {"day": first}
    return _("from %(first)s to %(last)s") % {"first": first, "last": date_format(edition.valid_to, "DATE_FORMAT")}
