"""Polish law: acts, provisions, journal addresses and the rulings of all courts, with EU law."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from lexreview.core.citations import pl_acts, pl_rulings
from lexreview.core.citations.act_choice import choose
from lexreview.core.citations.act_data import registry_of
from lexreview.core.citations.act_entry import ActEntry
from lexreview.core.citations.act_index import ActIndex
from lexreview.core.citations.act_ref import ActRef
from lexreview.core.citations.cache import by_acts
from lexreview.core.citations.chain_parts import Chain, Member, NumberStyle, Unit
from lexreview.core.citations.chains import ChainParser
from lexreview.core.citations.citation import Citation, in_order
from lexreview.core.citations.eu_acts import ALONE_BEGINS, eu_act_of, number_of_named_at
from lexreview.core.citations.eu_acts import BEGINS as EU_BEGINS
from lexreview.core.citations.eu_acts import TRIGGER as EU_TRIGGER
from lexreview.core.citations.language import language_of
from lexreview.core.citations.language_words import POLISH, words_of
from lexreview.core.citations.mentions import Mentions
from lexreview.core.citations.named_acts import abbreviation_at, first_words
from lexreview.core.citations.numbering import number_at
from lexreview.core.citations.profile import JurisdictionProfile
from lexreview.core.citations.provision_rules import ProvisionRules
from lexreview.core.citations.provisions import Reading
from lexreview.core.citations.repeats import read_once
from lexreview.core.citations.rulings import RulingRules, rulings_in
from lexreview.core.citations.scanning import matches_at, word_starts
from lexreview.core.citations.view import view_of

_CODES = "k.c. k.k. k.p. k.p.c. k.p.k. k.p.a. k.s.h. k.r.o. k.k.w. k.k.s. u.k.k. p.p.s.a. o.p. u.o.k.k. u.p.k."
_CODE_KEYS = "|".join(sorted((code.replace(".", "") for code in _CODES.split()), key=len, reverse=True))
_DOTTED = "|".join(r"\.\s?".join(code[:-1].split(".")) + r"\." for code in _CODES.split())
_CHAT = re.compile(
    rf"\d(?<![\w§/.,:+^–-]\d)(?<!\d\s\d)(?<!art\.\s\d)(?<!§\s\d)\d{{0,3}}[a-z]?(?:\s?(?:§|par\.?)\s?\d{{1,2}})?\s(?P<act>{_DOTTED}"
    rf"|(?:{_CODE_KEYS})(?![^\W_]))"
)
_CODE_FIRST = re.compile(
    rf"(?<![^\W_])(?<![/.-])(?P<act>{_DOTTED}|(?:{_CODE_KEYS})) (?P<number>\d{{1,4}}[a-z]?)"
    r"(?:\s?(?:§|par\.?)\s?\d{1,2})?(?=[\s]?(?:$|[,.;)\n]|i\s|oraz\s))(?![.,]\d)"
)
_CODE_PLACES = word_starts(f"{_DOTTED}|{_CODE_KEYS}")
_CHAT_PAR = re.compile(r"\s?(?:§|par\.?)\s?(\d{1,2})")
_MONEY_BEFORE = re.compile(
    r"(?:zl|pln|eur|€|\$|nr|tel\.?|kwot\w{1,3}|cen\w{1,2}|koszt\w{0,3}|rachun\w{2,4}|poz\.|ok\.|i|a"
    r"|napieci\w|model\w{0,3}|typ\w{0,2}|seri\w|symbol\w{0,3}|kod\w{0,3}(?:\s\w{3,12})?|hasl\w{1,2}|pok(?:oj\w{0,2}|\.)|sal[aie]|lokal\w{0,3}|marki|ref\.)\s?$"
)
_SPACED = ("kk", "kc", "kpc", "kpk", "kpa", "kp", "ksh", "kro")


@read_once
def extract(
    text: str, *, lang: str, acts: Sequence[ActEntry] = (), profile: JurisdictionProfile | None = None
) -> list[Citation]:
    """Citations of a text on Polish law; see ``registry.extract``."""
    view = view_of(text)
    lang = language_of(text, given=lang, default="pl")
    return in_order([*Reading(view, _rules(lang, acts)).read(), *rulings_in(view, _rulings())])


@cache
def _rulings() -> RulingRules:
    return pl_rulings.rules()


@by_acts
def _rules(lang: str, acts: Sequence[ActEntry]) -> ProvisionRules:
    words = words_of(lang)
    index = ActIndex(
        (*registry_of("pl"), *registry_of("eu")),
        overrides=acts,
        endings=POLISH.endings if words is POLISH else words.endings,
        languages=("pl", "en", lang),
        spaced=_SPACED,
    )
    return ProvisionRules(
        code="PL",
        words=words,
        parser=ChainParser(words, NumberStyle(flattened=True, glued=frozenset(_CODE_KEYS.split("|")))),
        index=index,
        matchers=(
            (EU_BEGINS, eu_act_of),
            (ALONE_BEGINS, number_of_named_at),
            (pl_acts.JOURNAL_BEGINS, pl_acts.journal_at),
            (pl_acts.STATUTE_BEGINS, pl_acts.statute_at),
            (frozenset("bhsgauocz"), pl_acts.abroad_at),
            (None, pl_acts.title_at),
            (None, abbreviation_at),
        ),
        triggers=f"{pl_acts.TRIGGER}|{EU_TRIGGER}|{first_words(index)}",
        brackets="raised",
        chat=_chat,
        prefers=_prefers,
        flattened=True,
    )


def _chat(reading: Mentions) -> Iterable[tuple[Chain, ActRef]]:
    """ "z 45 ukk", "KPC 233 § 1": a number beside the abbreviation of a code, without a unit word."""
    view = reading.view
    found = [(match, match.start()) for match in _CHAT.finditer(view.folded)]
    found += [(match, match.start("number")) for match in matches_at(_CODE_PLACES, _CODE_FIRST, view.folded)]
    for match, start in found:
        ref = abbreviation_at(reading, match.start("act"))
        before = view.folded[max(0, match.start() - 20) : match.start()]
        value = number_at(view.folded, start)
        if ref is None or value is None or _MONEY_BEFORE.search(before):
            continue
        levels = {"art": value.text}
        section = _CHAT_PAR.match(view.folded, value.end)
        if section:
            levels["par"] = section[1]
        end = section.end() if section else value.end
        yield Chain(start, end, "art", "art", [Member(start, end, [Unit(levels)])]), ref


def _prefers(reading: Mentions, ref: ActRef, units: Sequence[Unit], position: int) -> ActEntry | None:
    """u.k.k. means consumer credit unless the text speaks of bailiffs."""
    chosen = choose(reading.view, ref.entries, units[0].levels, position)
    by_id = {entry.id: entry for entry in ref.entries}
    return chosen or (by_id.get("UKK") if "UKKOM" in by_id else None)
