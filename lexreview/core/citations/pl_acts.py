"""How Polish texts name acts: titles with type and date, journal addresses, abbreviations."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lexreview.core.citations.act_ref import FOREIGN, ActRef
from lexreview.core.citations.dates import DATE, dates_in, to_iso
from lexreview.core.citations.language_words import POLISH
from lexreview.core.citations.named_acts import settled
from lexreview.core.citations.scanning import may_begin
from lexreview.core.citations.view import View

if TYPE_CHECKING:
    from lexreview.core.citations.mentions import Mentions

TRIGGER = (
    r"ustaw(?:a|y|ie|e|om)|rozporzadzeni|dekret|kodeks|praw(?:o|a|ie|em)\s|konstytucj|ordynacj|zasad\w?\stechniki"
    r"|dziennik\w{0,3}\sustaw|dz\.?\s?u(?:st(?:aw)?)?\.?(?=[\s.,]{0,4}(?:z\s|n(?:r|umer)|poz|\d))|m\.\s?p\.(?=[\s,]{0,3}(?:z\s|n(?:r|umer)|poz"
    r"|\d))|monitor|w[dm][up]\d|d[uz]/\d|mp/\d|t\.\s?j\.|tekst\sjedn|obwieszczeni"
)
_YEAR_MARK = r"(?:z\s{0,2})?(?P<year>(?:19|20)\d\d)\s{0,2}(?:r(?:oku|\.)?)?"
_JOURNAL = re.compile(
    r"(?:(?:t\.\s?j\.|tekst\sjedn(?:olity|\.)?|tj\.)[\s:,]{0,4})?"
    r"(?:(?P<du>dz\.?\s?u(?:st(?:aw)?)?\b\.?|dziennik\w{0,3}\sustaw)|(?P<mp>m\.\s?p\b\.?|monitor(?:ze|a|em)?\spolsk\w{1,3}))"
    rf"(?!\s?(?:urz|ue|we|woj))[\s.,]{{0,3}}(?:{_YEAR_MARK})?[\s.,]{{0,4}}(?:n(?:r"
    rf"|umer)\.?\s{{0,2}}(?P<number>\d{{1,4}})[\s.,]{{0,4}})?"
    r"(?:(?:pod\s{1,2})?poz(?:ycj\w|\.)?\s{0,2}|(?<=\.))(?P<position>\d{1,5})(?!\d)(?P<third>\.\d{1,5})?"
    r"(?:(?:,\s{0,2}|\si\s)\d{1,5}(?![\d/.]|\s?(?:r\b|zl)))*"
    r"(?:\s{1,2}(?:t\.\s?j\.|tj\.))?(?:,?\s{1,2}(?:ze\szm\.|z\spo[zź]n\.\szm\.|z\spozniejszymi\szmianami"
    r"|ze\szmianami|wraz\sze\szm\.))?"
)
_ISAP = re.compile(r"w(?P<series>[dm])[up](?P<year>\d{4})(?P<number>\d{3})(?P<position>\d{4})(?!\d)")
_ELI = re.compile(r"(?:eli[:/]\s?)?(?P<series>du|mp)/(?P<year>\d{4})/(?P<position>\d{1,5})(?![\d/])")
_DATE_PART = rf"(?:z\s(?:dnia|dn\.)|z|dnia)\s{{1,3}}(?P<date>{DATE})(?:\s?r(?:oku|\.)?)?"
_ISSUER = (
    r"\s{1,2}(?:prezesa\s)?rady\sministrow|\s{1,2}prezydenta\s(?:rp|rzeczypospolitej(?:\spolskiej)?)"
    r"|\s{1,2}(?:ms|mf|mz|mi|men|mswia|mrips|rm|prm|(?:min\.\s?(?:[a-z]{2,8}\.\s?){1,3}))(?=\s?w\ssprawie|\sz\s)"
    r"|\s{1,2}ministr(?:a|ow)\s[^.;()\d\n]{3,90}?(?=\sz\s(?:dnia|dn|\d)|\sw\ssprawie|\szmieniajac)"
)
_STATUTE = re.compile(
    r"(?P<noun>ustaw(?:a|y|ie|e|om)|rozporzadzeni(?:a|u|e|em)|rozp\.|dekret(?:u|em|owi|cie)?)(?![^\W_])"
    rf"(?:{_ISSUER})?(?:\s{{1,3}}{_DATE_PART})?(?P<dash>[\s,]{{0,3}}[-–]\s{{0,3}}|,?\s{{1,3}})?"
)
_AMENDING = re.compile(
    r"o\szmianie\s(?:niektorych\s)?(?:ustaw|kodeks|rozporzadz)[^.;()\n]{0,160}|zmieniajac[^.;()\n]{0,160}"
)
_TAIL = re.compile(r"(?:o|w\ssprawie)\s(?:[^.,;:|()\n\"„”«»]|„[^„”\"\n]{3,60}[”\"](?=\s?[.,;(\n])){3,140}")
_TAIL_END = re.compile(rf"\s(?:{POLISH.title_end})(?![^\W_])")
_DATE_TAIL = re.compile(rf"\s{{1,3}}{_DATE_PART}")
_BLOCKED_TITLE = re.compile(r"(?:o|w)\s")
_AFTER_AMENDING = re.compile(r"o\szmianie\s(?:ustawy\s?[-–]?\s?)?$")
_FOREIGN_BEFORE = re.compile(rf"(?:{POLISH.foreign})\s{{1,2}}$")
JOURNAL_BEGINS = may_begin(_JOURNAL.pattern, _ISAP.pattern, _ELI.pattern)
STATUTE_BEGINS = may_begin(_STATUTE.pattern)
_ABROAD = re.compile(
    r"(?:BGB|HGB|StGB|StPO|GG|ABGB|UGB|VwVfG|[Cc]ode\s(?:civil|pénal|de\scommerce)|[Cc]odice\s(?:civile"
    r"|penale)|C\.\s?civ\.|OR|ZGB)(?!\w)"
)
_GOES_ON = re.compile(r"\s(?!RP|UE|Unii)[A-ZŁŚŻ][a-ząćęłńóśźż]{2,}")
_NOUNS = {"u": "ustawa", "r": "rozporzadzenie", "d": "dekret"}


def statute_at(reading: Mentions, position: int) -> ActRef | None:
    """An act named by its type: "ustawy z dnia 12 maja 2011 r. o kredycie konsumenckim", "ustawy – Kodeks pracy"."""
    folded = reading.folded
    match = _STATUTE.match(folded, position)
    if match is None:
        return None
    adopted = to_iso(match["date"]) if match["date"] else None
    ref = ActRef(position, match.end(), noun=_NOUNS[match["noun"][0]], adopted=adopted)
    tail = match.end()
    amending = _AMENDING.match(folded, tail)
    if amending:
        ref.end = _trimmed(folded, amending.end())
        return ref
    named = reading.rules.index.title_at(reading.view, position) or None
    behind = reading.rules.index.title_at(reading.view, tail) if match["dash"] else None
    best = max((name for name in (named, behind) if name), key=lambda name: name.end, default=None)
    if best and best.end > match.end("noun"):
        return _dated(reading, settled(ref, best))
    short = reading.rules.index.abbreviation_at(reading.view, tail) if match["dash"] and not adopted else None
    if short and folded[match.end("noun") : tail].isspace():
        return settled(ref, short)
    unknown = _TAIL.match(folded, tail) if match["dash"] else None
    if unknown:
        cut = _TAIL_END.search(folded, unknown.start(), unknown.end())
        ref.end = _trimmed(folded, cut.start() if cut else unknown.end())
        return ref
    ref.end = match.end("date") if adopted else match.end()
    if not adopted:
        return None
    year_mark = re.compile(r"\s?r(?:oku\b|\.)").match(folded, ref.end)
    ref.end = year_mark.end() if year_mark else ref.end
    return ref


def _dated(reading: Mentions, ref: ActRef) -> ActRef:
    date = _DATE_TAIL.match(reading.folded, ref.end)
    if date:
        ref.end, ref.adopted = date.end(), ref.adopted or to_iso(date["date"])
    return ref


def abroad_at(reading: Mentions, position: int) -> ActRef | None:
    """Law of another state by its usual name: its units are not Polish law."""
    match = _ABROAD.match(reading.view.text, position)
    return ActRef(position, match.end(), excluded=FOREIGN) if match else None


def title_at(reading: Mentions, position: int) -> ActRef | None:
    """An act named by its title alone: "Kodeksu cywilnego", "Prawa bankowego"."""
    folded = reading.folded
    if _BLOCKED_TITLE.match(folded, position):
        return None
    named = reading.rules.index.title_at(reading.view, position)
    before = folded[max(0, position - 24) : position]
    if named is not None and _GOES_ON.match(reading.view.text, named.end) and " " not in folded[position : named.end]:
        return None
    if named is None or _FOREIGN_BEFORE.search(before) or _AFTER_AMENDING.search(before):
        return None
    return _dated(reading, settled(ActRef(position, named.end), named))


def journal_at(reading: Mentions, position: int) -> ActRef | None:
    """A journal address: "t.j. Dz. U. z 2025 r. poz. 1362 ze zm.", "WDU19970880553", "DU/2024/1061".

    Without a year the journal is given as "DU/?/93" until the act's own date settles it.
    """
    view = reading.view
    match = _ISAP.match(view.folded, position) or _ELI.match(view.folded, position)
    if match:
        series = "MP" if match["series"] in ("m", "mp") else "DU"
        return _address(reading, match, f"{series}/{match['year']}/{int(match['position'])}")
    match = _JOURNAL.match(view.folded, position)
    if match is None:
        return None
    number = match["third"][1:] if match["third"] else match["position"]
    year = match["year"] or _year_before(view, position)
    return _address(reading, match, f"{'MP' if match['mp'] else 'DU'}/{year or '?'}/{int(number)}")


def _address(reading: Mentions, match: re.Match[str], journal: str) -> ActRef:
    entry = reading.rules.index.entry_of("journal", journal)
    ref = ActRef(match.start(), _trimmed(reading.folded, match.end()), journal=journal, identified="?" not in journal)
    ref.act = entry.id if entry else f"PL:{journal}" if ref.identified else None
    ref.entries = (entry,) if entry else ()
    ref.identified = True
    return ref


def _year_before(view: View, position: int) -> str | None:
    """ "ustawa z dnia 4 lipca 2018 r. (Dz. U. poz. 1104)": the year of the act's date close in front."""
    if view.folded[max(0, position - 3) : position].strip() == "(":
        return None
    dates = dates_in(view.folded, max(0, position - 100), position)
    return dates[-1].iso[:4] if dates else None


def _trimmed(folded: str, end: int) -> int:
    while folded[end - 1] in ' \n"„”':
        end -= 1
    return end
