"""The grammar of any state that a profile describes: its units, acts, official journal, courts and dockets are data."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from lexreview.core.citations import cjeu, pl_acts
from lexreview.core.citations.act_entry import ActEntry
from lexreview.core.citations.act_index import ActIndex
from lexreview.core.citations.act_ref import ActRef
from lexreview.core.citations.cache import BuiltForActs
from lexreview.core.citations.chain_parts import NumberStyle
from lexreview.core.citations.chains import ChainParser
from lexreview.core.citations.citation import Citation, in_order
from lexreview.core.citations.eu_acts import BEGINS, TRIGGER, eu_act_of
from lexreview.core.citations.language import language_of
from lexreview.core.citations.language_words import LanguageWords, words_of
from lexreview.core.citations.mentions import Mentions
from lexreview.core.citations.named_acts import (
    abbreviation_at,
    first_words,
    title_at,
    unknown_abbreviation_at,
    unknown_title_at,
)
from lexreview.core.citations.profile import CourtProfile, JurisdictionProfile
from lexreview.core.citations.provision_rules import ActMatcher, ProvisionRules
from lexreview.core.citations.provisions import Reading
from lexreview.core.citations.repeats import read_once
from lexreview.core.citations.ruling_words import ruling_words_of
from lexreview.core.citations.rulings import Docket, DocketMaker, RulingRules, rulings_in
from lexreview.core.citations.view import fold, view_of

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_JOURNAL_PARTS = {"year": r"(?P<year>(?:19|20)\d\d)", "position": r"(?P<position>\d{1,5})", "number": r"(?:\d{1,4})"}
_DOCKET_PARTS = {
    "roman": r"[IVX]{1,6}",
    "letters": r"[A-Z][A-Za-z]{0,7}",
    "number": r"\d{1,6}",
    "year": r"(?P<year>\d{4}|\d{2})",
    "year4": r"\d{4}",
}
_WORD = re.compile(r"[^\W_]+")
_BUILT: BuiltForActs[tuple[ProvisionRules, RulingRules]] = BuiltForActs()


@read_once
def extract(
    text: str, *, lang: str, acts: Sequence[ActEntry] = (), profile: JurisdictionProfile | None = None
) -> list[Citation]:
    """Citations of a text on the law of the profile's state; see ``registry.extract``."""
    profile = profile or JurisdictionProfile(code="XX")
    lang = language_of(text, given=lang, default=profile.languages[0] if profile.languages else "en")
    provisions, rulings = _rules(profile, lang, acts)
    view = view_of(text)
    return in_order([*Reading(view, provisions).read(), *rulings_in(view, rulings)])


def _rules(profile: JurisdictionProfile, lang: str, acts: Sequence[ActEntry]) -> tuple[ProvisionRules, RulingRules]:
    return _BUILT.get(
        (lang, repr(profile)), acts, lambda: (provision_rules(profile, lang, acts), ruling_rules(profile, lang))
    )


def provision_rules(profile: JurisdictionProfile, lang: str, acts: Sequence[ActEntry]) -> ProvisionRules:
    """The provision rules that a profile amounts to in one language."""
    words = _words(profile, lang)
    languages = tuple(dict.fromkeys((lang, *profile.languages, "en")))
    index = ActIndex((), overrides=acts, endings=words.endings, languages=None)
    journals = _journal_matcher(profile)
    statutes = ((pl_acts.STATUTE_BEGINS, pl_acts.statute_at),) if lang == "pl" else ()
    anywhere = (title_at, abbreviation_at, unknown_title_at, unknown_abbreviation_at)
    matchers = ((BEGINS, eu_act_of), (None, journals), *statutes, *((None, matcher) for matcher in anywhere))
    starts = "|".join((*_journal_starts(profile), first_words(index), TRIGGER))
    return ProvisionRules(
        code=profile.code,
        words=words,
        parser=ChainParser(words, NumberStyle(dotted=False), _extra_units(profile, languages)),
        index=index,
        matchers=matchers,
        triggers=f"{starts}{'|ustaw' if statutes else ''}",
        brackets="raised" if profile.superscript_in_brackets else profile.bracket_level,
    )


def _words(profile: JurisdictionProfile, lang: str) -> LanguageWords:
    words = words_of(lang)
    names = [form for forms in profile.names.values() for form in forms]
    own = "|".join(_inflected(name, words) for name in names)
    foreign = "|".join(_inflected(name, words) for name in profile.foreign)
    return replace(
        words,
        articles=rf"(?:the\s)?(?:{own})|{words.articles}" if own else words.articles,
        private=f"{foreign}|{words.private}" if foreign else words.private,
    )


def _inflected(name: str, words: LanguageWords) -> str:
    """A pattern for a name in any case form: each word may change its ending."""
    endings = sorted(words.endings, key=len, reverse=True)
    parts = []
    for word in _WORD.findall(fold(name)):
        stem = next((word[: -len(end)] for end in endings if word.endswith(end) and len(word) - len(end) >= 3), word)
        parts.append(re.escape(stem) + (r"[a-z]{0,5}" if len(word) > 2 else ""))
    return r"[\s.'-]{1,3}".join(parts)


def _extra_units(profile: JurisdictionProfile, languages: Iterable[str]) -> dict[str, str]:
    extra: dict[str, list[str]] = {}
    for language in languages:
        for level, forms in profile.units.get(language, {}).items():
            extra.setdefault(level, []).extend(fold(form) for form in forms)
    return {
        level: "|".join(map(_unit_word, sorted(set(forms), key=len, reverse=True))) for level, forms in extra.items()
    }


def _unit_word(form: str) -> str:
    bare = form.rstrip(".")
    boundary = r"(?![^\W\d_])" if bare[-1:].isalnum() else ""
    return re.escape(bare) + boundary + (r"\.?" if bare[-1:].isalnum() else "")


def _template(template: str, parts: dict[str, str], *, folded: bool) -> str:
    """A template as a pattern: blanks and punctuation are flexible, placeholders are bounded."""
    pieces: list[str] = []
    done = 0
    seen: set[str] = set()
    for match in _PLACEHOLDER.finditer(template):
        pieces.append(_literal(template[done : match.start()], folded=folded))
        part = parts[match[1]]
        pieces.append(re.sub(r"\(\?P<\w+>", "(?:", part) if match[1] in seen else part)
        seen.add(match[1])
        done = match.end()
    pieces.append(_literal(template[done:], folded=folded))
    return "".join(pieces)


def _literal(text: str, *, folded: bool) -> str:
    pattern = re.escape(fold(text) if folded else text)
    pattern = pattern.replace(r"\.", r"\.?").replace(",", ",?").replace("/", r"\s?/\s?")
    return re.sub(r"(?:\\\s|\s)+", r"\\s{0,3}", pattern)


def _journal_starts(profile: JurisdictionProfile) -> tuple[str, ...]:
    starts = {_WORD.findall(fold(template))[0] for template in profile.journals if _WORD.match(template)}
    return tuple(re.escape(start) for start in sorted(starts))


def _journal_matcher(profile: JurisdictionProfile) -> ActMatcher:
    patterns = [re.compile(_template(form, _JOURNAL_PARTS, folded=True) + r"(?![\d/])") for form in profile.journals]
    patterns.sort(key=lambda pattern: len(pattern.pattern), reverse=True)

    def journal_at(reading: Mentions, position: int) -> ActRef | None:
        for pattern in patterns:
            match = pattern.match(reading.folded, position)
            if match:
                parts = match.groupdict()
                year = parts.get("year") or "?"
                journal = profile.journal_id.format(code=profile.code, year=year, position=int(parts["position"]))
                entry = reading.rules.index.entry_of("journal", journal)
                act = entry.id if entry else f"{profile.code}:{journal}"
                entries = (entry,) if entry else ()
                return ActRef(position, match.end(), act=act, entries=entries, journal=journal, identified=True)
        return None

    return journal_at


def ruling_rules(profile: JurisdictionProfile, lang: str) -> RulingRules:
    """The ruling rules that a profile amounts to in one language; EU and Strasbourg rulings are always included."""
    words = ruling_words_of(lang)
    dockets = [pair for court in profile.courts for pair in _docket_patterns(court)]
    courts = [(_court_names(court, lang), court.court) for court in profile.courts]
    return RulingRules(
        code=profile.code,
        dockets=(*dockets, *cjeu.DOCKETS),
        courts=(*(pair for pair in courts if pair[0]), *cjeu.COURTS),
        forms=words.forms,
        glue=words.glue,
        tail=words.tail,
        context=words.context,
        celex_of=cjeu.celex_of_case,
        date_only=True,
    )


def _court_names(court: CourtProfile, lang: str) -> str:
    forms = {form for names in court.names.values() for form in names} | {court.court}
    words = words_of(lang)
    return "|".join(sorted((_inflected(form, words) for form in forms), key=len, reverse=True))


def _docket_patterns(court: CourtProfile) -> Iterable[tuple[re.Pattern[str], DocketMaker]]:
    for template in court.dockets:
        pattern = re.compile(rf"(?<![^\W_])(?<![/.\-]){_template(template, _DOCKET_PARTS, folded=False)}(?![\d/]|\w)")
        yield pattern, _maker(court.court)


def _maker(court: str) -> Callable[[re.Match[str]], list[Docket]]:
    def make(match: re.Match[str]) -> list[Docket]:
        text = re.sub(r"\s*/\s*", "/", " ".join(match[0].split()))
        year = match.groupdict().get("year")
        if year and len(year) == 4 and text.endswith(year):
            text = text[: -len(year)] + year[-2:]
        return [Docket(match.start(), match.end(), text, court)]

    return make
