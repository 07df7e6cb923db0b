"""A provision: which act is meant, and does the unit stand in the law on the legal-state date?"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from lexreview.core.citations import Citation
from lexreview.core.citations.act_data import FormerAct, former_acts
from lexreview.core.citations.dates import dates_in
from lexreview.core.citations.view import fold
from lexreview.core.methods.reference_card.facts import CheckResult
from lexreview.law.models import Act, Edition
from lexreview.law.on_date import RECONSTRUCTED, UnitOnDate
from lexreview.verification.checked import CheckedCitation, Inquiry
from lexreview.verification.short_titles import acts_of_short_title

_MOST_SPLITS = 4
_AMENDING = re.compile(r"zmieniając|o zmianie|Änderung d|modifiant|portant modification|che modifica|amending")
_OF_EVERY_LANGUAGE = {"repealed", "act_repealed", "act_not_yet_in_force", "staged_entry"}
_IN_FORCE = {"in_force", "unknown"}
# "nDSG", "revDSG", "la nouvelle LPD": the text says itself that it means the later act.
_NEW = re.compile(r"(?:n|rev)(?=[A-ZÄÖÜ])")
_CALLED_NEW = re.compile(
    r"\b(?:neue[nrs]?|revidierte[nrs]?|nouve(?:au|lle)|révisée?|nuov[oa]|rivedut[oa]|now(?:a|ej|ego|y|ym))\b",
    re.IGNORECASE,
)


class ActChoice(NamedTuple):
    """The acts that a citation may mean; `reason` says why there is not exactly one."""

    acts: list[Act]
    reason: str = ""


def acts_meant(citation: Citation, inquiry: Inquiry) -> ActChoice:
    """One act, or none or several with the reason `act_not_named`, `act_not_in_corpus` or `ambiguous_abbreviation`.

    Of several acts that went by one name or number, those in force on the legal-state date are meant.
    """
    names = [citation.act] if citation.act else list(citation.candidates)
    if not names:
        short = acts_of_short_title(citation.raw, inquiry)
        return ActChoice(short) if len(short) == 1 else ActChoice([], "act_not_named")
    acts = {act.pk: act for name in names for act in acts_of_id(name, citation, inquiry)}
    if not acts:
        return ActChoice([], "act_not_in_corpus" if citation.act else "ambiguous_abbreviation")
    if not citation.act and len(names) > 1 and len(acts) < len(names):
        return ActChoice(list(acts.values()), "ambiguous_abbreviation")
    standing = [act for act in acts.values() if act.in_force_state(inquiry.on) in _IN_FORCE]
    meant = standing or list(acts.values())
    return ActChoice(meant, "" if len(meant) == 1 else "ambiguous_abbreviation")


def acts_of_id(identifier: str, citation: Citation, inquiry: Inquiry) -> Sequence[Act]:
    """The acts of the corpus behind an id of a grammar: their own key, or a registry id such as `KC` or `CH:DSG`."""
    if known := inquiry.corpus.act(identifier):
        return [known]
    state = (citation.jurisdiction or inquiry.jurisdiction).upper()
    found = inquiry.corpus.resolve(identifier, jurisdiction=None if ":" in identifier else state, lang=inquiry.lang)
    if not found and ":" in identifier:
        found = inquiry.corpus.resolve(identifier.partition(":")[2], jurisdiction=state, lang=inquiry.lang)
    return found


def check_provision(citation: Citation, inquiry: Inquiry) -> CheckedCitation:
    """The result for a provision before any quotation is looked at."""
    key = citation.unit or (f"motyw={citation.motyw}" if citation.motyw else None)
    name = citation.act or ", ".join(citation.candidates)
    start = CheckedCitation(citation=citation, result=CheckResult.UNDETERMINED, act_name=name, unit=key)
    choice = acts_meant(citation, inquiry)
    if choice.reason:
        is_ambiguous = choice.reason == "ambiguous_abbreviation"
        return replace(
            start,
            result=CheckResult.AMBIGUOUS if is_ambiguous else CheckResult.UNDETERMINED,
            reason=choice.reason,
            suggestion="; ".join(act.title(inquiry.lang) for act in choice.acts),
        )
    act = choice.acts[0]
    start = replace(start, act=act, source_url=act.source_url)
    if key is None:
        return replace(start, result=CheckResult.CONFIRMED, reason="act_exists")
    if citation.former_wording:
        return _former(start, key, act, inquiry)
    if act.in_force_state(inquiry.on) == "not_yet" and (former := _former_act(act, citation, inquiry)):
        meant = f"{former.title} ({former.adopted_on.isoformat()})"
        return replace(start, act=None, source_url="", reason="earlier_act_of_this_name", suggestion=meant)
    found = look_up(citation, key=key, act=act, on=inquiry.on, inquiry=inquiry)
    if found.outcome == "not_found" and _may_be_amended(citation, key, act, inquiry):
        return replace(start, act=None, source_url="", reason="act_not_named")
    return of_unit(start, found)


def _former_act(act: Act, citation: Citation, inquiry: Inquiry) -> FormerAct | None:
    """The act that went by this act's name on the legal-state date, unless the text speaks of the new one.

    Before 2023-09-01 "DSG" was the act of 1992: what the later one says proves nothing about it.
    """
    name = citation.act_name or ""
    adopted = {day.iso for day in dates_in(fold(citation.raw))}
    if (
        _NEW.match(name)
        or _CALLED_NEW.search(citation.raw)
        or (act.adopted_on and act.adopted_on.isoformat() in adopted)
    ):
        return None
    numbers = {number.removeprefix("SR ") for number in inquiry.corpus.numbers_of(act)} | {act.eli}
    return next(
        (
            former
            for former in former_acts()
            if former.jurisdiction == act.jurisdiction
            and former.number in numbers
            and former.in_force_on <= inquiry.on <= former.last_day
        ),
        None,
    )


def _may_be_amended(citation: Citation, key: str, act: Act, inquiry: Inquiry) -> bool:
    """Behind the name of an amending act "§ 5 ust. 4" may be a unit of the act that it amends and has itself no § 5."""
    top, _, below = key.partition("/")
    is_named = bool(citation.act_name) and str(citation.act_name) in citation.raw
    if is_named or not below or not any(_AMENDING.search(title) for title in act.titles.values()):
        return False
    return not inquiry.corpus.unit_on(act=act, unit=top, on=inquiry.on, lang=inquiry.lang).exists


def look_up(citation: Citation, *, key: str, act: Act, on: date, inquiry: Inquiry) -> UnitOnDate:
    """The unit under its key, else under another spelling of the same unit, else in another language's edition.

    What one language's file lacks another's may have: only what no language has does not exist. Recitals that nobody
    stored are no recitals that are missing.
    """
    first = inquiry.corpus.unit_on(act=act, unit=key, on=on, lang=inquiry.lang)
    if first.exists or first.outcome == "found":
        return first
    if key.startswith("motyw=") and not inquiry.corpus.stores_recitals(act):
        return replace(first, outcome="undetermined", reason="recitals_not_stored", exists=None)
    if first.reason == "unit_not_in_excerpt" or first.outcome in {"not_found", "not_in_force"}:
        for other in _other_keys(key, citation, act):
            answer = inquiry.corpus.unit_on(act=act, unit=other, on=on, lang=inquiry.lang)
            if answer.exists:
                return replace(answer, reason=answer.reason or _respelt(key, other))
    if first.outcome not in {"not_found", "not_in_force"} or first.reason in _OF_EVERY_LANGUAGE:
        return first
    if whole := _undivided(key, act=act, on=on, inquiry=inquiry):
        return whole
    own = first.edition.language if first.edition else inquiry.lang
    for language in inquiry.corpus.languages_on(act, on):
        if language != own:
            answer = inquiry.corpus.unit_on(act=act, unit=key, on=on, lang=language)
            if answer.exists or answer.reason == "repealed":
                return answer
    return _under_printed_level(first, key, inquiry)


def _undivided(key: str, *, act: Act, on: date, inquiry: Inquiry) -> UnitOnDate | None:
    """What a dash item stands in, where the source does not part that any further; None for every other unit."""
    above, _, last = key.rpartition("/")
    if not last.startswith("tiret="):
        return None
    found = inquiry.corpus.unit_on(act=act, unit=above, on=on, lang=inquiry.lang)
    parts = [_with_point(above, "i"), _with_point(above, "1"), f"{above}/tiret=1"]
    is_parted = any(inquiry.corpus.unit_on(act=act, unit=part, on=on, lang=inquiry.lang).exists for part in parts)
    return None if is_parted or not found.exists else found


def _respelt(key: str, other: str) -> str:
    return "raised_digits_lost" if "^" in other and "^" not in key else ""


def _other_keys(key: str, citation: Citation, act: Act) -> Iterator[str]:
    """Numbered points are cited like paragraphs ("Article 4(7)") and the other way round; raised digits get lost.

    "Article 30(2)(i)(ii)" names a point in a letter.
    """
    above, _, last = key.rpartition("/")
    if last.startswith("tiret="):
        yield _with_point(above, last.removeprefix("tiret="))
    swapped = _swapped(key)
    if swapped:
        yield swapped
    parts = key.split("/")
    article = next((part.removeprefix("art=") for part in parts if part.startswith("art=")), "")
    splits = [citation.art_alt] if citation.art_alt else []
    if act.jurisdiction == "PL" and article.isdigit():
        splits += [f"{article[:cut]}^{article[cut:]}" for cut in range(len(article) - 1, 0, -1) if article[cut] != "0"]
    for split in splits[:_MOST_SPLITS]:
        yield "/".join(f"art={split}" if part.startswith("art=") else part for part in parts)


def _with_point(key: str, point: str) -> str:
    """The key with a point below its letter: points stand in front of letters in a key."""
    parts = [part for part in key.split("/") if not part.startswith(("pkt=", "lit="))]
    return "/".join([*parts, f"pkt={point}", *(part for part in key.split("/") if part.startswith("lit="))])


def _swapped(key: str) -> str:
    """The key with its paragraph as a point, or its point as a paragraph; "" where it has neither or both."""
    parts = key.split("/")
    levels = {part.partition("=")[0] for part in parts}
    for level, other in (("ust", "pkt"), ("pkt", "ust")):
        if level in levels and other not in levels:
            return "/".join(
                part.replace(f"{level}=", f"{other}=", 1) if part.startswith(level) else part for part in parts
            )
    return ""


def _under_printed_level(missing: UnitOnDate, key: str, inquiry: Inquiry) -> UnitOnDate:
    """What does not exist is named at the level that its article has: an article of points has no paragraph 27."""
    swapped = _swapped(key)
    if not swapped or missing.edition is None:
        return missing
    levels = inquiry.corpus.levels_below(missing.edition, key.split("/")[0])
    asked, other = key.split("/")[1].partition("=")[0], swapped.split("/")[1].partition("=")[0]
    return replace(missing, key=swapped) if other in levels and asked not in levels else missing


def of_unit(start: CheckedCitation, found: UnitOnDate) -> CheckedCitation:
    """The result that follows from what the corpus answered for the unit, as long as nothing is quoted."""
    result, reason = _result(found)
    other = None
    if result is CheckResult.NOT_IN_FORCE:
        other = found.first_edition if _is_later(found) else found.last_edition
    return replace(
        start,
        result=result,
        reason=reason,
        unit=found.key or start.unit,
        edition=found.edition,
        other_edition=other,
        source_text=found.text,
        source_url=found.source_url or ("" if found.certainty == RECONSTRUCTED else start.source_url),
        source_sha256=found.sha256,
        certainty=found.certainty,
        found=found,
    )


def _result(found: UnitOnDate) -> tuple[CheckResult, str]:
    if found.exists or found.outcome == "found":
        return CheckResult.CONFIRMED, found.reason
    if found.outcome in {"not_found", "not_in_force"}:
        return CheckResult(found.outcome), found.reason
    return CheckResult.UNDETERMINED, found.reason


def _is_later(found: UnitOnDate) -> bool:
    return found.reason in {"unit_in_later_edition", "act_not_yet_in_force", "staged_entry"}


def _former(start: CheckedCitation, key: str, act: Act, inquiry: Inquiry) -> CheckedCitation:
    """The text says itself that it speaks of an earlier wording: the day moves, or any earlier edition will do."""
    citation = start.citation
    if citation.wording_until:
        day = min(date.fromisoformat(citation.wording_until), inquiry.on)
        checked = of_unit(start, look_up(citation, key=key, act=act, on=day, inquiry=inquiry))
        return replace(checked, reason=checked.reason or "former_wording")
    periods = inquiry.corpus.history(act=act, unit=key, lang=inquiry.lang)
    earlier = [each for each in periods if _ended_before(each.edition, inquiry.on) and not each.is_repealed]
    if not earlier:
        return replace(start, reason="former_wording_not_stored")
    last = earlier[-1]
    return replace(
        start,
        result=CheckResult.CONFIRMED,
        reason="former_wording",
        edition=last.edition,
        source_text=last.text,
        source_url=last.edition.source_url,
        source_sha256=last.edition.sha256,
        certainty="established",
    )


def _ended_before(edition: Edition, day: date) -> bool:
    return edition.valid_to is not None and edition.valid_to < day
