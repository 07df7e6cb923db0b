"""What a jurisdiction and language configure of the provision engine."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lexreview.core.citations.act_entry import ActEntry
from lexreview.core.citations.act_index import ActIndex
from lexreview.core.citations.act_ref import ActRef
from lexreview.core.citations.chain_parts import Chain, Unit
from lexreview.core.citations.chains import ChainParser
from lexreview.core.citations.language_words import LanguageWords
from lexreview.core.citations.scanning import Beginnings, first_letters, word_starts

if TYPE_CHECKING:
    from lexreview.core.citations.mentions import Mentions

ActMatcher = Callable[["Mentions", int], ActRef | None]
Chat = Callable[["Mentions"], Iterable[tuple[Chain, ActRef]]]
Preference = Callable[["Mentions", ActRef, Sequence[Unit], int], ActEntry | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvisionRules:
    """How one jurisdiction and language cites provisions.

    ``matchers`` find an act at a position, in order, each with the folded characters that can begin one.
    ``triggers`` is how a mention of an act outside a citation may begin: a pattern at the start of a word.
    ``unknown_act`` makes an act id of a name that no registry knows. ``brackets`` is the level of bracketed numbers
    for the
    jurisdiction's own acts: "raised" for superscripts. ``bare`` are the levels that may stand without their article.
    ``shared_names`` are the acts whose usual names other states' acts bear too.
    ``chat`` finds citations without a unit word. ``prefers`` chooses among acts of a shared name before other rules.
    """

    code: str
    words: LanguageWords
    parser: ChainParser
    index: ActIndex
    matchers: tuple[tuple[frozenset[str] | None, ActMatcher], ...]
    triggers: str
    brackets: str = "ust"
    bare_art_needs_act: bool = False
    shared_names: frozenset[str] = frozenset()
    chat: Chat | None = None
    prefers: Preference | None = None
    top_units: frozenset[str] = frozenset({"art", "motyw"})
    flattened: bool = False
    patterns: WordPatterns = field(init=False)
    places: re.Pattern[str] = field(init=False)
    begins_mention: re.Pattern[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "patterns", WordPatterns(self.words))
        object.__setattr__(self, "places", word_starts(self.triggers))
        object.__setattr__(self, "begins_mention", re.compile(self.triggers))


class WordPatterns:
    """The compiled patterns of a language's words."""

    def __init__(self, words: LanguageWords) -> None:
        self.noise_begins = first_letters(words.noise, *map(re.escape, words.ordinals))
        self.article_begins = Beginnings.of(words.articles)
        self.same_act_begins = Beginnings.of(words.same_act)
        self.private_begins = Beginnings.of(words.private)
        self.foreign_begins = Beginnings.of(words.foreign)
        self.act_noun_begins = Beginnings.of(words.act_noun)
        self.own_article_begins = first_letters(words.own_article)
        self.possessive_ends = frozenset(word[-1] for word in words.possessive.split("|"))
        self.noise = re.compile(rf"\s{{1,4}}[,(]?\s?(?:{words.noise})\)?(?![^\W_])")
        self.article = re.compile(rf"(?:{words.articles})(?:\s{{1,4}}|(?<=')\s?)")
        self.same_act = re.compile(rf"(?:{words.same_act})(?![^\W_])")
        self.own_article = re.compile(rf"\s{{0,4}}(?:{words.own_article})(?![^\W_])")
        self.private = re.compile(rf"(?:{words.private})(?![^\W_])")
        self.private_anywhere = re.compile(rf"(?<![^\W_])(?:{words.private})(?![^\W_])")
        self.act_noun = re.compile(rf"(?:{words.act_noun})(?![^\W_])")
        self.foreign = re.compile(rf"(?:{words.foreign})")
        self.foreign_front = re.compile(rf"(?<![^\W_])(?:{words.foreign_front})\s$")
        self.link = re.compile(
            rf"[\s,;|]{{0,6}}(?:(?:{words.links})(?:\s{{1,4}}(?:{words.links}))?(?:\s{{1,4}}"
            rf"|(?<=['’])))?(?:{words.articles})?[\s']{{0,3}}"
            rf"|\s{{0,3}}[,;–-]\s{{0,3}}"
        )
        self.abroad = re.compile(rf"(?<![^\W_])(?:{words.abroad})[^.;:\n]{{0,70}}$")
        self.papers = re.compile(rf"(?:{words.papers})(?![^\W_])")
        self.possessive = re.compile(rf"(?<![^\W_])(?:{words.possessive})\s{{1,3}}$")
        self.alias = re.compile(words.alias)
        self.alias_places = word_starts(words.alias)
        self.former = re.compile(rf"[^.;\n]{{0,60}}?(?:{words.former_wording})")
        self.until = re.compile(rf"[^.;\n]{{0,60}}?(?:{words.until})")
        ordinals = "|".join(sorted(words.ordinals, key=len, reverse=True)) or "(?!)"
        sentence = words.levels.get("zd", "(?!)")
        self.sentence = re.compile(rf"[\s,]{{1,4}}(?P<ordinal>{ordinals})\s{{1,2}}(?:{sentence})")
