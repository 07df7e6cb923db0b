"""Swiss law in German, French and Italian: acts, provisions and the rulings of the federal courts, with EU law."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from lexreview.core.citations import ch_acts, ch_rulings
from lexreview.core.citations.act_data import registry_of
from lexreview.core.citations.act_entry import ActEntry
from lexreview.core.citations.act_index import ActIndex
from lexreview.core.citations.cache import by_acts
from lexreview.core.citations.chain_parts import NumberStyle
from lexreview.core.citations.chains import ChainParser
from lexreview.core.citations.citation import Citation, in_order
from lexreview.core.citations.eu_acts import ALONE_BEGINS, compound_at, eu_act_of, number_of_named_at
from lexreview.core.citations.eu_acts import BEGINS as EU_BEGINS
from lexreview.core.citations.eu_acts import TRIGGER as EU_TRIGGER
from lexreview.core.citations.language import language_of
from lexreview.core.citations.language_words import LanguageWords, words_of
from lexreview.core.citations.named_acts import first_words, title_at, unknown_abbreviation_at
from lexreview.core.citations.profile import JurisdictionProfile
from lexreview.core.citations.provision_rules import ProvisionRules
from lexreview.core.citations.provisions import Reading
from lexreview.core.citations.repeats import read_once
from lexreview.core.citations.rulings import RulingRules, rulings_in
from lexreview.core.citations.view import view_of

NATIONAL = ("de", "fr", "it")
_OF_ALL_LANGUAGES = {
    "ust": r"abs\b\.?|al\.(?=\s?\d)|cpv\b\.?",
    "pkt": r"ziff\b\.?|ch\.(?=\s?\d)|n\.(?=\s?\d)",
    "lit": r"lit\b\.?|bst\b\.?|let\b\.?|lett\b\.?",
}


@read_once
def extract(
    text: str, *, lang: str, acts: Sequence[ActEntry] = (), profile: JurisdictionProfile | None = None
) -> list[Citation]:
    """Citations of a text on Swiss law; see ``registry.extract``."""
    view = view_of(text)
    lang = language_of(text, given=lang, default="de")
    return in_order([*Reading(view, _rules(lang, acts)).read(), *rulings_in(view, _rulings(lang))])


@by_acts
def _rules(lang: str, acts: Sequence[ActEntry]) -> ProvisionRules:
    words = _with_sections_as_articles(words_of(lang))
    index = ActIndex(
        (*registry_of("ch"), *registry_of("eu")),
        overrides=acts,
        endings=words.endings,
        any_case=False,
        languages=(lang,),
        fallback=tuple(other for other in (*NATIONAL, "en") if other != lang),
    )
    return ProvisionRules(
        code="CH",
        words=words,
        parser=ChainParser(words, NumberStyle(raised=False, inner_section="ust", roman=lang == "de")),
        index=index,
        matchers=(
            (EU_BEGINS, eu_act_of),
            (ALONE_BEGINS, number_of_named_at),
            *(((None, compound_at),) if lang == "de" else ()),
            (ch_acts.NUMBER_BEGINS, ch_acts.number_at_sr),
            (ch_acts.GAZETTE_BEGINS, ch_acts.gazette_at),
            (None, ch_acts.abroad_at),
            (None, ch_acts.cantonal_at),
            (None, title_at),
            (None, ch_acts.abbreviation_at),
            (None, unknown_abbreviation_at),
        ),
        triggers=f"{ch_acts.TRIGGER}|{EU_TRIGGER}|{first_words(index)}",
        chat=ch_acts.number_first,
        shared_names=ch_acts.SHARED_NAMES,
    )


def _with_sections_as_articles(words: LanguageWords) -> LanguageWords:
    """The section sign is the top unit of cantonal acts; the short words for units come in three languages."""
    levels = {level: pattern for level, pattern in words.levels.items() if level != "par"}
    levels |= {"art": f"{words.levels['art']}|{words.levels['par']}"}
    for level, foreign in _OF_ALL_LANGUAGES.items():
        levels[level] = f"{levels[level]}|{foreign}"
    return replace(words, levels=levels)


@cache
def _rulings(lang: str) -> RulingRules:
    return ch_rulings.rules(lang)
