"""Acts mentioned in a text: at a position, everywhere, and under names that the text itself gives them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from lexreview.core.citations.act_entry import ActEntry
from lexreview.core.citations.act_index import prefixes_of
from lexreview.core.citations.act_ref import ActRef
from lexreview.core.citations.eu_acts import number_of
from lexreview.core.citations.provision_rules import ProvisionRules
from lexreview.core.citations.scanning import matches_at
from lexreview.core.citations.view import View, fold

ALIAS_REACH = 320
MOST_ALIAS_WORDS, MOST_LONG_ALIASES = 6, 12
_LEADING_ARTICLE = re.compile(r"^(?:the|das|die|der|la|le|les|il|lo|i|gli)\s|^l'")
# What a name of several words calls an act, and no contract or party.
_ACT_WORD = re.compile(
    r"(?:spec)?ustaw(?:a|y|ie|e)|rozporzadzeni(?:e|a|u|em)|kodeks\w{0,2}|praw(?:o|a|ie|em)|dyrektyw(?:a|y|ie|e)|konwencj\w|ordynacj\w"
    r"|\w{0,30}(?:gesetz(?:es|buch(?:e?s)?)?|verordnung)|loi|ordonnance|reglement|code|directive|legge|ordinanza|regolamento|codice"
    r"|direttiva|act|law|regulation|statute|decree"
)
PARENTHESIS_REACH = 4  # up to three blanks stand in front of it
_NAMES = (
    re.compile(r"\s{0,2}[\"'„”“‘«»‹›]{0,2}(?P<name>(?:[^\W\d_]{1,5}\.\s?){2,8})"),
    re.compile(
        r"\s{0,2}[\"'„”“‘«»‹›]{0,2}(?P<name>[^\W\d_][^\"”“»«„‹›()\n;,]{0,40}?)[\"'”“’»«‹›]{0,2}"
        r"(?=\s{0,2}(?:[);,\n]|\.(?:\s|$)|$|[\"”“»›]))"
    ),
)
_PARENTHESISED = re.compile(r"\s{0,3}\(\s{0,2}(?:t\.\s?j\.|tekst\sjedn\w{0,6}\.?:?|tj\.)?\s{0,2}")
_SHORT_NAME = re.compile(
    r"\s{0,2}\(\s{0,1}[\"'„«]?(?P<name>[^\W\d_][\w.\-]{0,14}(?:\s[A-Z]{2,8})?)[\"'”»]?\s{0,2}[);,:]"
)


class Mentions:
    """The acts that one text names, read under one set of rules."""

    def __init__(self, view: View, rules: ProvisionRules) -> None:
        self.view = view
        self.rules = rules
        self.folded = view.folded
        self.aliases: dict[str, tuple[ActEntry, ...]] = {}
        self.alias_prefixes: set[str] = set()
        self.alias_refs: dict[str, ActRef] = {}
        self.long_aliases: list[tuple[re.Pattern[str], ActRef]] = []
        self.by_date: dict[tuple[str, str], ActRef] = {}
        self.mentions: list[ActRef] = []
        self.absorbed: set[int] = set()

    def scan(self) -> None:
        """Find every mention and every name that the text defines."""
        self._scan_mentions()
        self._scan_aliases()

    def act_at(self, position: int) -> ActRef | None:
        """The act named at this position, with an address in brackets behind it."""
        for name, named in self.long_aliases:
            if match := name.match(self.folded, position):
                return named.again(position, match.end())
        alias = (
            self.rules.index.longest(self.view, position, self.aliases, self.alias_prefixes) if self.aliases else None
        )
        known = self.alias_refs.get(alias.entries[0].id) if alias else None
        if alias and known:
            longer = self._matched(position)
            return longer if longer and longer.end > alias.end else known.again(position, alias.end)
        return self._matched(position)

    def _matched(self, position: int) -> ActRef | None:
        """The act that a matcher of the jurisdiction finds here, with its address."""
        ref = self.bare_act_at(position)
        return self._with_address(ref) if ref else None

    def bare_act_at(self, position: int) -> ActRef | None:
        """The act that a matcher of the jurisdiction finds here; what stands behind it is left to others."""
        first = self.folded[position : position + 1]
        for beginnings, matcher in self.rules.matchers:
            if beginnings is None or first in beginnings:
                ref = matcher(self, position)
                if ref:
                    return ref
        return None

    def _with_address(self, ref: ActRef) -> ActRef:
        """Take in a bracketed address: "(t.j. Dz. U. z 2025 r. poz. 1362)", "(SR 235.1)"."""
        near = self.folded[ref.end : ref.end + PARENTHESIS_REACH]
        opening = _PARENTHESISED.match(self.folded, ref.end) if "(" in near else None
        if opening is None or ref.identified or ref.excluded:
            return self._dated(ref)
        for position in self._address_positions(opening.end()):
            address = self._address_at(position) or self._number_alone(ref, position)
            if address is None:
                continue
            _settle_year(address, ref)
            ref.journal, ref.sr, ref.celex = address.journal, address.sr, address.celex or ref.celex
            ref.identified = True
            ref.end = address.end
            is_open = self.folded.count("(", opening.start(), address.end) > self.folded.count(
                ")", opening.start(), address.end
            )
            close = self.folded.find(")", address.end, address.end + 90) if is_open else -1
            if close >= 0 and "(" not in self.folded[address.end : close]:
                ref.end = close + 1
            self.absorbed.add(address.start)
            if ref.act is None and not ref.candidates:
                ref.act, ref.entries = address.act, address.entries
            break
        return self._dated(ref)

    def _number_alone(self, ref: ActRef, position: int) -> ActRef | None:
        """The number of an act of the EU that its name in front makes one: "DSGVO (EU 2016/697)"."""
        return number_of(ref.entries[0], self.folded, position) if len(ref.entries) == 1 else None

    def _address_positions(self, position: int) -> list[int]:
        """The address may follow a short name: "(DSG; SR 235.1)"."""
        positions = [position]
        short = re.compile(r"[\"'„«]?[^\W_][\w.\-]{0,14}[\"'”»]?\s{0,2}[;,]\s{0,2}").match(self.folded, position)
        if short:
            positions.append(short.end())
        return positions

    def _address_at(self, position: int) -> ActRef | None:
        for _, matcher in self.rules.matchers:
            ref = matcher(self, position)
            if ref and ref.identified and not ref.published and (ref.journal or ref.sr or ref.celex):
                return ref
        return None

    def _dated(self, ref: ActRef) -> ActRef:
        """An act named by type and date only means the act of that type and date named before."""
        if ref.noun and ref.adopted:
            key = (ref.noun, ref.adopted)
            if ref.act is None and not ref.candidates and key in self.by_date:
                known = self.by_date[key]
                ref.act, ref.entries, ref.candidates = known.act, known.entries, known.candidates
            elif ref.act is not None:
                self.by_date.setdefault(key, ref)
        return ref

    def _scan_mentions(self) -> None:
        position = 0
        for place in self.rules.places.finditer(self.folded):
            match = self.rules.begins_mention.match(self.folded, place.start()) if place.start() >= position else None
            if match is None:
                continue
            ref = self.act_at(match.start())
            position = match.end()
            if ref:
                self.mentions.append(ref)
                position = max(position, ref.end)
        self._late_addresses()

    def _late_addresses(self) -> None:
        """An act of unknown title takes the address that follows it behind a comma."""
        for ref, following in zip(self.mentions, self.mentions[1:], strict=False):
            gap = self.folded[ref.end : following.start]
            if (
                ref.act is None
                and not ref.candidates
                and ref.noun
                and following.journal
                and len(gap) < 40
                and "," in gap
            ):
                ref.act, ref.entries = following.act, following.entries
                if ref.adopted:
                    self.by_date.setdefault((ref.noun, ref.adopted), ref)

    def _scan_aliases(self) -> None:
        """Document-local names: "(dalej: u.k.k.)", "Bundesgesetz über den Datenschutz (DSG)"."""
        patterns = self.rules.patterns
        for match in matches_at(patterns.alias_places, patterns.alias, self.folded) if self.mentions else ():
            name = next((found for one in _NAMES if (found := one.match(self.view.text, match.end()))), None)
            ref = self._last_mention(match.start(), reach=ALIAS_REACH)
            if name and ref:
                self._alias(name["name"], ref)
                if self.folded[ref.end : match.start()].strip() == "(":
                    ref.reach = max(ref.reach, self.folded.find(")", name.end(), name.end() + 40) + 1)
        for ref in self.mentions:
            name = _SHORT_NAME.match(self.view.text, ref.end)
            if name and (ref.act or ref.noun) and sum(char.isupper() or char == "." for char in name["name"]) >= 2:
                self._alias(name["name"], ref)
        self._scan_long_aliases()

    def _scan_long_aliases(self) -> None:
        """Where a name of several words stands again: "ustawa o Odrze w art. 5"."""
        starts = [ref.start for ref in self.mentions]
        for pattern, ref in self.long_aliases:
            for match in pattern.finditer(self.folded, ref.end):
                at = bisect_left(starts, match.end())
                if not at or self.mentions[at - 1].end <= match.start():
                    self.mentions.append(ref.again(*match.span()))
        self.mentions.sort(key=lambda ref: ref.start)

    def _alias(self, name: str, ref: ActRef) -> None:
        key = self.rules.index.key(name)
        if not 2 <= len(key) <= 40 or (ref.act is None and not ref.noun):
            return
        words = _LEADING_ARTICLE.sub("", fold(name)).split()
        if 2 <= len(words) <= MOST_ALIAS_WORDS and any(map(_ACT_WORD.fullmatch, words)):
            if len(self.long_aliases) < MOST_LONG_ALIASES:
                self.long_aliases.append((self._in_any_case(words), ref))
            return
        entry = ActEntry(id=f"\0{key}", jurisdiction="")
        forms = {key}
        if " " not in name and key.isalpha() and name.islower():
            stem = self.rules.index.stem(key)
            forms |= {stem + ending for ending in ("", "y", "ie", "a", "e", "u", "em")}
        self.aliases.update(dict.fromkeys(forms, (entry,)))
        self.alias_prefixes |= prefixes_of(forms)
        self.alias_refs[entry.id] = ref

    def _in_any_case(self, words: Sequence[str]) -> re.Pattern[str]:
        """ "ustawa o Odrze" in every case form: "ustawy o Odrze", "ustawie o Odrze"."""
        stems = [re.escape(self.rules.index.stem(word)) + r"[^\W\d_]{0,4}" for word in words]
        return re.compile(r"(?<![^\W_])" + r"\s{1,3}".join(stems) + r"(?![^\W_])")

    def _last_mention(self, position: int, *, reach: int) -> ActRef | None:
        at = bisect_left(self.mentions, position, key=lambda ref: ref.start) - 1
        if at < 0 or position - self.mentions[at].end > reach:
            return None
        return self.mentions[at]


def _settle_year(address: ActRef, ref: ActRef) -> None:
    """An address without a year counts in the year of the act, or where the registry knows it promulgated."""
    if address.journal is None or "/?/" not in address.journal:
        return
    series, _, position = address.journal.partition("/?/")
    for entry in ref.entries:
        if entry.numbers.get("journal", "").startswith(series) and entry.numbers["journal"].endswith(f"/{position}"):
            address.journal = entry.numbers["journal"]
            return
    year = ref.adopted[:4] if ref.adopted else next((str(e.adopted_on.year) for e in ref.entries if e.adopted_on), None)
    address.journal = f"{series}/{year}/{position}" if year else None
