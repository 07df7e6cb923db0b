"""Carries acts and outer units along: to linked citations, to bare articles, to bare inner units."""

from __future__ import annotations

import re
from bisect import bisect_left

from lexreview.core.citations.act_ref import ActRef
from lexreview.core.citations.attachment import Attachment, Found, celex_of_ref
from lexreview.core.citations.chain_parts import DEPTH, Unit
from lexreview.core.citations.provision_rules import ProvisionRules
from lexreview.core.citations.view import View

BARE_REACH = 700
PRIVATE_REACH = 110
LONGEST_NOUN = 200
ASIDE_REACH = 14
NEXT_REACH = 200
LAST_ARTICLE = 2400
_RULING_IN_FRONT = re.compile(r"(?:/\d{2}(?:\d{2})?|:\d{1,4})(?:\s?\([^()\n]{1,50}\))?\)?,?\s$")
# Words for a paragraph of an article that are no everyday words.
_PARAGRAPH_WORDS = ("absatz", "absatze", "alinea", "capovers")
_LEADS_ON = re.compile(
    r"(?:[\s(](?:nach|gemass|laut|in|im|von|aus|und|sowie|selon|et|conformement\sa|a|secondo|al|dal|nel|e|del)\s|\sl'|:\s|,\s)\Z"
)
_OF_ANOTHER = re.compile(r"\s(?:des|der|du|de\s|della?|dell')")


class Inheritance(Attachment):
    """Citations without an act of their own, or without their outer units, take them from their neighbours."""

    def __init__(self, view: View, rules: ProvisionRules) -> None:
        super().__init__(view, rules)
        self.private_places: list[int] = []
        self.private_to = 0

    def carry(self) -> None:
        """An act named later serves linked citations before it, then one named earlier serves those behind it."""
        linked = [self._linked(one, two) for one, two in zip(self.found, self.found[1:], strict=False)]
        for at in range(len(linked) - 1, -1, -1):
            one, two = self.found[at], self.found[at + 1]
            if linked[at] and one.ref is None and two.ref and not _backward_only(two):
                one.ref, one.dropped = two.ref, two.dropped
        for at, joined in enumerate(linked):
            one, two = self.found[at], self.found[at + 1]
            if joined and two.ref is None and one.ref:
                two.ref, two.dropped = one.ref, one.dropped

    def _linked(self, one: Found, two: Found) -> bool:
        if two.start - one.end > 60 or two.start < one.end:
            return False
        gap = self.folded[one.end : two.start]
        return "\n\n" not in gap and self.rules.patterns.link.fullmatch(gap) is not None

    def inherit(self) -> None:
        """Bare articles take the only act named before; bare inner units take what they lack from the provision
        before."""
        previous: Found | None = None
        distinct: dict[str, ActRef] = {}
        mention = 0
        for found in self.found:
            while mention < len(self.mentions) and self.mentions[mention].start < found.chain.start:
                self._note(self.mentions[mention], distinct)
                mention += 1
            if not found.dropped:
                self._complete(found, previous, distinct)
            if found.ref and not found.dropped:
                self._note(found.ref, distinct)
            if not found.dropped and found.chain.members:
                previous = found

    def _note(self, ref: ActRef, distinct: dict[str, ActRef]) -> None:
        name = ref.act or "|".join(ref.candidates)
        if name and not ref.excluded:
            distinct[name] = ref

    def _complete(self, found: Found, previous: Found | None, distinct: dict[str, ActRef]) -> None:
        if found.chain.first_word.startswith("cons.") and not (found.ref and celex_of_ref(found.ref)):
            # Behind a ruling it is a consideration of the court.
            found.dropped = True
            return
        whole = self._is_whole(found)
        told = found.end > found.chain.end
        if found.ref is None and not told and self._is_private(found, previous):
            found.dropped = True
            return
        if whole:
            if found.ref is None:
                if not distinct and (named := self._named_in_clause(found.chain.start)):
                    found.ref = named
                elif not distinct and (self.rules.bare_art_needs_act or _is_everyday(found) or _is_catalogued(found)):
                    found.dropped = True
                elif len(distinct) == 1:
                    found.ref = next(iter(distinct.values())).again(found.chain.end, found.chain.end)
            return
        self._complete_bare(found, previous)

    def _named_in_clause(self, start: int) -> ActRef | None:
        """ "Das KVG regelt dies in Art. 32": the only act that the clause names by its abbreviation in front."""
        within = [ref for ref in self.in_letters_before(start) if ref.named]
        names = {ref.act for ref in within}
        return within[0].again(start, start) if len(names) == 1 else None

    def _is_whole(self, found: Found) -> bool:
        first = found.chain.members[0].units[0].levels
        if not self.rules.top_units.isdisjoint(first):
            return True
        entries = found.ref.entries if found.ref else ()
        if "par" in first and found.ref is not None and found.direct:
            return not entries or any(entry.top_unit == "par" for entry in entries) or found.ref.act is None
        return False

    def _complete_bare(self, found: Found, previous: Found | None) -> None:
        """Take the missing outer units from the nearest provision before."""
        if previous is None and (regulation := self._regulation_before(found)):
            found.ref = regulation.again(found.chain.end, found.chain.end)
            return
        if found.ref is None and _RULING_IN_FRONT.search(
            self.folded, max(0, found.chain.start - 64), found.chain.start
        ):
            found.dropped = True
            return
        if previous is None or not self._near(found, previous) or not self._bare_allowed(found, previous):
            if not (found.ref and found.direct and found.ref.named and "par" in found.chain.members[0].units[0].levels):
                found.dropped = True
            return
        source = previous.chain.members[-1].units[-1]
        if found.ref is not None and found.direct and previous.ref is not None and found.ref.act != previous.ref.act:
            found.dropped = "par" not in found.chain.members[0].units[0].levels
            return
        found.bare = True
        if found.ref is None:
            found.ref = previous.ref
        for member in found.chain.members:
            for unit in member.units:
                _fill(unit, source)

    def _regulation_before(self, found: Found) -> ActRef | None:
        """A section sign belongs to the regulation named in front, whose top unit it is."""
        at = bisect_left(self.mentions, found.chain.start, key=lambda ref: ref.start) - 1
        if found.ref is not None or at < 0 or "par" not in found.chain.members[0].units[0].levels:
            return None
        ref = self.mentions[at]
        gap = self.folded[ref.end : found.chain.start]
        regulation = ref.noun == "rozporzadzenie" or any(entry.top_unit == "par" for entry in ref.entries)
        return ref if regulation and len(gap) <= PRIVATE_REACH and "\n\n" not in gap else None

    def _near(self, found: Found, previous: Found) -> bool:
        gap = self.folded[previous.end : found.chain.start]
        return len(gap) <= BARE_REACH and "\n\n" not in gap

    def _bare_allowed(self, found: Found, previous: Found) -> bool:
        """Spelled-out nouns ("point 3") are everyday words: they need brackets, a reference back or an act."""
        word = found.chain.first_word.rstrip(".")
        if len(word) <= 4 or found.ref is not None:
            return True
        opened = self.folded[max(0, found.chain.start - 2) : found.chain.start].strip()
        if opened == "(" or found.end > found.chain.end or word.startswith(("§", "lit", "lett", "buchst")):
            return True
        return word.startswith(_PARAGRAPH_WORDS) and self._goes_on(found, previous)

    def _goes_on(self, found: Found, previous: Found) -> bool:
        """ "Art. 12 Absatz 1 …, nach Absatz 2": a preposition leads to another paragraph of the article just cited."""
        gap = self.folded[previous.end : found.chain.start]
        led = len(gap) <= NEXT_REACH and "\n" not in gap and _LEADS_ON.search(gap)
        return bool(led) and _OF_ANOTHER.match(self.folded, found.end) is None

    def _is_private(self, found: Found, previous: Found | None) -> bool:
        """Is a contract, house rules or the like named close in front, with no law in between?"""
        start = found.chain.start
        low = max(previous.end if previous else 0, start - PRIVATE_REACH)
        if not self._has_private(low, start):
            return False
        window = self.folded[low:start]
        for stop in (". ", "\n", "; "):
            cut = window.rfind(stop)
            while cut > 1 and stop == ". " and (window[cut - 1].isdigit() or window[cut - 2] in " .("):
                cut = window.rfind(stop, 0, cut)
            if cut >= 0:
                window = window[cut:]
        nouns = list(self.rules.patterns.private_anywhere.finditer(window))
        if not nouns:
            return False
        last = nouns[-1]
        if self._is_aside(window, last) and previous is not None:
            return False
        at = bisect_left(self.mentions, start, key=lambda ref: ref.start) - 1
        return at < 0 or self.mentions[at].start < start - len(window) + last.end()

    def _has_private(self, low: int, high: int) -> bool:
        """Does a private noun stand between two positions? No part of the text is searched twice for it."""
        if self.private_to < high:
            start = max(self.private_to, low - LONGEST_NOUN)
            nouns = self.rules.patterns.private_anywhere.finditer(self.folded, start, high + LONGEST_NOUN)
            for noun in nouns:
                if noun.start() >= high:
                    break
                self.private_places.append(noun.start())
                self.private_to = noun.end()
            self.private_to = max(self.private_to, high)
        at = bisect_left(self.private_places, low)
        return at < len(self.private_places) and self.private_places[at] < high

    def _is_aside(self, window: str, noun: re.Match[str]) -> bool:
        """ "o ile wniosek złożono w ciągu 7 dni (§ 2)": the bracket refers to the provision, not to the paper named."""
        far = len(window) - noun.end() > ASIDE_REACH
        return far and window.rstrip().endswith("(") and self.rules.patterns.papers.fullmatch(noun[0]) is not None


def _is_everyday(found: Found) -> bool:
    """A spelled-out "article 41" with nothing else may be goods or a newspaper's."""
    units = found.chain.members[0].units
    return len(found.chain.first_word) > 4 and len(units) == 1 and len(units[0].levels) == 1 and not units[0].brackets


def _is_catalogued(found: Found) -> bool:
    """A bare "Art. 4711" is no article of any act that is not named: the longest codes are shorter."""
    levels = found.chain.members[0].units[0].levels
    return len(levels) == 1 and levels.get("art", "").isdigit() and int(levels["art"]) > LAST_ARTICLE


def _fill(unit: Unit, source: Unit) -> None:
    """Give a bare unit the outer levels of the provision before."""
    top = min(DEPTH[name] for name in unit.levels)
    outer = {name: value for name, value in source.levels.items() if DEPTH[name] < top}
    if source.point_in_letter:
        _turn_outside_in(outer, unit, source)
    unit.levels = outer | unit.levels
    if not unit.brackets and source.bracket_of and DEPTH[source.bracket_of] < top:
        kept = [group for group in source.brackets if DEPTH[_group_level(group)] < top]
        unit.brackets, unit.bracket_of = tuple(kept), source.bracket_of
    unit.literal = unit.literal or source.literal


def _turn_outside_in(outer: dict[str, str], unit: Unit, source: Unit) -> None:
    """Where points stand in letters, a bare point keeps the letter and a bare letter leaves the point."""
    if "lit" in unit.levels:
        outer.pop("pkt", None)
    elif "pkt" in unit.levels:
        outer["lit"] = source.levels["lit"]


def _group_level(group: str) -> str:
    return "ust" if group[0].isdigit() else "lit"


def _backward_only(found: Found) -> bool:
    """An act named in front of its own citation does not reach back over it."""
    return found.ref is not None and found.ref.start < found.chain.start and not found.ref.excluded
