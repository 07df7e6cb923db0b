"""Law of the European Union: acts by number, nickname and CELEX, provisions, and the rulings of its courts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from lexreview.core.citations import cjeu
from lexreview.core.citations.act_data import registry_of
from lexreview.core.citations.act_entry import ActEntry
from lexreview.core.citations.act_index import ActIndex
from lexreview.core.citations.cache import by_acts
from lexreview.core.citations.chain_parts import NumberStyle
from lexreview.core.citations.chains import ChainParser
from lexreview.core.citations.citation import Citation, in_order
from lexreview.core.citations.eu_acts import ALONE_BEGINS, BEGINS, TRIGGER, compound_at, eu_act_of, number_of_named_at
from lexreview.core.citations.language import language_of
from lexreview.core.citations.language_words import words_of
from lexreview.core.citations.named_acts import abbreviation_at, first_words, title_at, unknown_title_at
from lexreview.core.citations.profile import JurisdictionProfile
from lexreview.core.citations.provision_rules import ProvisionRules
from lexreview.core.citations.provisions import Reading
from lexreview.core.citations.repeats import read_once
from lexreview.core.citations.ruling_words import ruling_words_of
from lexreview.core.citations.rulings import RulingRules, rulings_in
from lexreview.core.citations.view import view_of


@read_once
def extract(
    text: str, *, lang: str, acts: Sequence[ActEntry] = (), profile: JurisdictionProfile | None = None
) -> list[Citation]:
    """Citations of a text on EU law; see ``registry.extract``."""
    view = view_of(text)
    lang = language_of(text, given=lang, default="en")
    return in_order([*Reading(view, _rules(lang, acts)).read(), *rulings_in(view, _rulings(lang))])


@by_acts
def _rules(lang: str, acts: Sequence[ActEntry]) -> ProvisionRules:
    words = words_of(lang)
    index = ActIndex(registry_of("eu"), overrides=acts, endings=words.endings, languages=("en", lang))
    return ProvisionRules(
        code="EU",
        words=words,
        parser=ChainParser(words, NumberStyle(dotted=lang.startswith("en"), roman=lang.startswith("de"))),
        index=index,
        matchers=(
            (BEGINS, eu_act_of),
            (ALONE_BEGINS, number_of_named_at),
            *(((None, compound_at),) if lang.startswith("de") else ()),
            (None, title_at),
            (None, abbreviation_at),
            (None, unknown_title_at),
        ),
        triggers=f"{TRIGGER}|{first_words(index)}",
    )


@cache
def _rulings(lang: str) -> RulingRules:
    words = ruling_words_of(lang)
    return RulingRules(
        code="EU",
        dockets=cjeu.DOCKETS,
        courts=cjeu.COURTS,
        forms=words.forms,
        glue=words.glue,
        tail=words.tail,
        context=words.context,
        celex_of=cjeu.celex_of_case,
        date_only=True,
    )
