"""Does the text say itself that it speaks of the law of another day? Then that is no error of it."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from lexreview.core.citations.dates import dates_in
from lexreview.core.citations.view import fold
from lexreview.core.methods.reference_card.facts import CheckResult
from lexreview.core.quotations import Layout
from lexreview.law.models import Edition
from lexreview.verification.checked import CheckedCitation, Inquiry

_UNTIL_YEAR = re.compile(
    r"\b(?:until|till|up to|before|bis|vor|jusqu['’]au|jusqu['’]en|avant(?: le)?|fino al|prima del|do|przed)"
    r"(?:\s+[^\s;:]+){0,4}?\s+(?P<year>\d{4})\b",
    re.IGNORECASE,
)
_DATED_TEXT = re.compile(
    r"\b(?:edition|version|wording|text|fassung|stand|teneur|testo|versione|brzmieni\w+|wersj\w+|stan\w*|tekst\w*)"
    r"\s+(?:[^\s;:]+\s+){0,3}?(?P<year>\d{4})\b",
    re.IGNORECASE,
)
_LAW_WORDS = (
    r"(?:version|wording|text|rule|law|provision|act|edition|fassung|wortlaut|recht\w*|bestimmung\w*|regelung\w*|norm\w*|"
    r"gesetz\w*|artikel\w*|teneur|droit|règle\w*|disposition\w*|loi|article|testo|versione|diritto|tenore|disposizion\w*|"
    r"legge|articolo|brzmieni\w+|wersj\w+|stan\w*|przepis\w*|ustaw\w*|regulacj\w*|redakcj\w*|praw\w+)"
)
_FORMER = re.compile(
    rf"\b(?:(?:former|previous|old|earlier|früher\w*|ehemalig\w*|alte[nrsm]?|bisherig\w*|ancien(?:ne)?s?|précédente?s?|"
    rf"vecchi[oae]?|precedent[ei]|dawn\w+|poprzedni\w*|wcześniejsz\w+|uprzedni\w*|dotychczasow\w+)\s+{_LAW_WORDS}|"
    r"formerly|previously|used to|no longer(?! than)|früher (?:galt\w*|lautete\w*|war\w*|hiess\w*|hieß\w*|sah\w*)|"
    r"ehemals|nicht mehr(?! als| denn)|autrefois|teneur antérieure|droit antérieur|"
    r"(?:ne (?:\S+ ){1,2}|n['’]\w+ )plus(?! de| d['’]| que| tard)|previgente|in precedenza|"
    r"non (?:\w+ )?più(?! di| che| tardi)|dawniej|poprzednio|wcześniej|uprzednio (?:obowiązuj|brzmi)\w*|już nie)\b"
    r"|\ba\.\s?F\.",
    re.IGNORECASE,
)
_REPEALED = re.compile(
    r"\b(?:repeal\w*|revoked|abolished|deleted|aufgehoben\w*|gestrichen|weggefallen|abrog\w+|supprimé\w*|"
    r"soppress\w+|uchylon\w+|uchyla|skreślon\w+|utracił\w* moc|nie obowiązuje)\b",
    re.IGNORECASE,
)
_COMING = re.compile(
    r"\b(?:not yet (?:in force|apply|applicable|applied)|(?:does|do|did|will) not (?:yet )?apply (?:until|before)|"
    r"(?:enters?|comes?|takes?) (?:into (?:force|effect)|effect)|will (?:only )?(?:apply|be in force)|"
    r"tr(?:itt|eten)\b[^.;:]{0,60}?\bin kraft|in kraft (?:treten|tritt)|noch nicht|künftig\w*|zukünftig\w*|"
    r"entr(?:e|ent|era|eront) en vigueur|(?:n['’]est|ne sont|ne sera|ne seront) pas encore|prochainement|futur\w*|"
    r"entr(?:a|ano|erà|eranno) in vigore|non (?:è|sono|era) ancora|"
    r"w(?:ejdzie|ejdą|chodzi|chodzą)\b[^.;:]{0,30}? w życie|jeszcze nie\w*|będ(?:zie|ą) obowiązywa\w+|"
    r"zaczn(?:ie|ą) obowiązywać)\b",
    re.IGNORECASE,
)
# On folded text, right before a day.
_FROM = re.compile(
    r"\b(?:from|as of|as from|starting|until|before|ab|ab dem|per|mit wirkung (?:ab|vom)(?: dem)?|vor dem|des|des le|"
    r"a partir du|a compter du|avant le|dal|dall|a partire dal|a decorrere dal|prima del|od|od dnia|z dniem|"
    r"poczynajac od|przed)[\s'’]+(?:1er\s+)?\Z"
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_EARLIER = frozenset({"repealed", "act_repealed", "unit_in_earlier_edition"})
_LATER = frozenset({"unit_in_later_edition", "act_not_yet_in_force", "staged_entry"})


def with_law_of_other_days(text: str, rows: Sequence[CheckedCitation], inquiry: Inquiry) -> list[CheckedCitation]:
    """The rows, those about former or coming law judged by what the sentence says of it.

    A quotation that is verbatim in an earlier edition is confirmed where its sentence dates it before the legal-state
    date. What is not in force, or words that are not yet the law, stay so, but where the sentence says it, no error is
    proposed.
    """
    if not any(_is_past(row, inquiry) or _is_coming(row, inquiry) for row in rows):
        return list(rows)
    opaque = [(row.citation.start, row.citation.end) for row in rows]
    opaque += [span for row in rows for span in row.quotation_spans]
    layout = Layout(text, opaque)
    return [_judged(text, layout, row, inquiry) for row in rows]


def _is_past(row: CheckedCitation, inquiry: Inquiry) -> bool:
    if row.result is CheckResult.NOT_IN_FORCE:
        return row.reason in _EARLIER
    past = row.other_edition is not None and row.other_edition.valid_from <= inquiry.on
    return row.result is CheckResult.WORDING_DIFFERS and row.quotation_match == "other_edition" and past


def _is_coming(row: CheckedCitation, inquiry: Inquiry) -> bool:
    if row.result is CheckResult.NOT_IN_FORCE:
        return row.reason in _LATER
    coming = row.other_edition is not None and row.other_edition.valid_from > inquiry.on
    return row.result is CheckResult.WORDING_DIFFERS and row.quotation_match == "other_edition" and coming


def _judged(text: str, layout: Layout, row: CheckedCitation, inquiry: Inquiry) -> CheckedCitation:
    if _is_coming(row, inquiry):
        return replace(row, is_said=True) if _is_announced(_sentences(text, layout, row), inquiry.on) else row
    return _judged_past(text, layout, row, inquiry) if _is_past(row, inquiry) else row


def _is_announced(sentences: str, on: date) -> bool:
    """Whether the sentences name a day after `on` as the first one, or say that it is still to come."""
    folded = fold(sentences)
    days = dates_in(folded)
    later = [day for day in days if date.fromisoformat(day.iso) > on]
    if any(_FROM.search(folded[max(0, day.start - 40) : day.start]) for day in later):
        return True
    if not _COMING.search(sentences):
        return False
    years = [int(match.group()) for match in _YEAR.finditer(sentences)]
    return bool(later) or (not days and (not years or max(years) > on.year))


def _judged_past(text: str, layout: Layout, row: CheckedCitation, inquiry: Inquiry) -> CheckedCitation:
    sentences = _sentences(text, layout, row)
    if row.result is CheckResult.NOT_IN_FORCE:
        said = _REPEALED.search(sentences) or _FORMER.search(sentences) or _is_dated(sentences, row.other_edition)
        return replace(row, is_said=True) if said else row
    edition = row.other_edition
    if edition is None or row.other_unit or not (_FORMER.search(sentences) or _is_dated(sentences, edition)):
        return row
    return replace(
        row,
        result=CheckResult.CONFIRMED,
        reason="former_wording",
        quotation_match="exact",
        edition=edition,
        other_edition=None,
        diff=(),
        source_text=_former_text(row, edition, inquiry),
        source_url=edition.source_url,
        source_sha256=edition.sha256,
    )


def _sentences(text: str, layout: Layout, row: CheckedCitation) -> str:
    """The sentences of the citation and of its quotations, without the quoted words themselves."""
    stretches = {layout.sentence_around(row.citation.start, row.citation.end)}
    stretches |= {layout.sentence_around(*span) for span in row.quotation_spans}
    parts = []
    for start, end in sorted(stretches):
        part = text[start:end]
        for first, last in sorted(row.quotation_spans, reverse=True):
            if start <= first and last <= end:
                part = part[: first - start] + part[last - start :]
        parts.append(part)
    return " ".join(parts)


def _is_dated(sentences: str, edition: Edition | None) -> bool:
    """Whether the sentence names the year of the edition's end as an end, or one of its own years as its date."""
    if edition is None or edition.valid_to is None:
        return False
    ends = {edition.valid_to.year, edition.valid_to.year + (edition.valid_to.month == 12)}
    if any(int(match["year"]) in ends for match in _UNTIL_YEAR.finditer(sentences)):
        return True
    own = range(edition.valid_from.year, edition.valid_to.year + 1)
    return any(int(match["year"]) in own for match in _DATED_TEXT.finditer(sentences))


def _former_text(row: CheckedCitation, edition: Edition, inquiry: Inquiry) -> str:
    if row.act is None or row.unit is None:
        return ""
    history = inquiry.corpus.history(act=row.act, unit=row.unit, lang=edition.language)
    return next((period.text for period in history if period.edition.pk == edition.pk), "")
