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
SEARCHED_AHEAD = 400
ASIDE_REACH = 14
_BESIDE = 3
NEXT_REACH = 200
LAST_ARTICLE = 2400
_RULING_IN_FRONT = re.compile(r"(?:/\d{2}(?:\d{2})?|:\d{1,4})(?:\s?\([^()\n]{1,50}\))?\)?,?\s$")
# Words for a paragraph of an article that are no everyday words.
_PARAGRAPH_WORDS = ("absatz", "absatze", "alinea", "capovers")
_LEADS_ON = re.compile(
    r"(?:[\s(](?:nach|gemass|laut|in|im|von|aus|und|sowie|selon|et|conformement\sa|a|secondo|al|dal|nel|e|del)\s|\sl'|:\s|,\s)\Z"
)
# A preposition that leads to the law: "richtet sich nach Art. 9", "składa się na podstawie art. 16 ust. 1".
_LAW_LEADS = re.compile(
    r"(?<![^\W_])(?:nach|gemass|gestutzt\sauf|kraft|under|pursuant\sto|(?:governed|required)\sby|selon|en\svertu\sde|conformement\sa"
    r"|(?:regie?s?|(?:regle|prevu)e?s?)\s(?:par|a)|(?:dis[cp]\w{5,8}|previst\w|regolat\w)\s(?:all|nell)'|dall'|secondo|(?:ai\ssensi|in\svirtu|a\snorma)\sdell'|na\spodstawie|zgodnie\sz|w\smysl|stosownie\sdo)[\s']{0,2}(?:l'|les\s|the\s)?\Z"
)
_SENTENCE_END = re.compile(r"[^\W\d_]{3}[.!?]\s|\n")
# A list item or a table row whose head says what the articles behind it are about.
_LISTED = re.compile(r"(?:^|\n)\s{0,6}(?:[-*•+|]|\d{1,2}[.)])\s?[^\n.;]{0,90}?(?:[:|]|\s[–—-])\s{0,3}\Z")
_LIST_BEHIND = re.compile(
    r"[^\n]{0,200}(?:\n[^\n]{1,200})?\n\n\s{0,6}(?:[-*•+|]|\d{1,2}[.)])\s(?:[^\n]|\n(?!\n)){0,400}"
)
# "… (dalej: „specustawa”; Dz.U. …)": a number in the bracket behind a name.
_SAME_BRACKET = re.compile(r"\s{0,2}\([^()\n]{0,80}|[\"'”»]{0,2}\s{0,2}[;,]\s{0,2}")
_OF_ANOTHER = re.compile(r"\s(?:des|der|du|de\s|della?|dell')")


class Inheritance(Attachment):
    """Citations without an act of their own, or without their outer units, take them from their neighbours."""

    def __init__(self, view: View, rules: ProvisionRules) -> None:
        super().__init__(view, rules)
        self.private_places: list[int] = []
        self.private_to = 0
        self.private_end = 0

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
                if not self._numbers_a_name(self.mentions[mention]):
                    self._note(self.mentions[mention], distinct)
                mention += 1
            if not found.dropped:
                self._complete(found, previous, distinct)
            if found.ref and not found.dropped:
                self._note(found.ref, distinct)
            if not found.dropped and found.chain.members:
                previous = found
        self._inherit_only_act(distinct)

    def _numbers_a_name(self, ref: ActRef) -> bool:
        """ "LTras (RS 152.33)": a number that no registry knows, right behind a name, names no second act."""
        if ref.entries or not ref.identified:
            return False
        at = bisect_left(self.mentions, ref.start, key=lambda each: each.start) - 1
        if at >= 0 and _SAME_BRACKET.fullmatch(self.folded[self.mentions[at].end : ref.start]):
            return True
        return any(0 <= ref.start - named.end <= _BESIDE for named in self.lettered_acts())

    def _inherit_only_act(self, distinct: dict[str, ActRef]) -> None:
        """Articles in front of the first name of an act, in one paragraph: they are that act's where the text names
        no other."""
        open_ones = [found for found in self.found if found.ref is None and not found.dropped]
        if len(distinct) != 1 or not open_ones:
            return
        (ref,) = distinct.values()
        if {_name_of(lettered) for lettered in self.lettered_acts()} <= {_name_of(ref)}:
            first = next((found.start for found in self.found if found.ref and not found.dropped), 0)
            for found in open_ones:
                if self._is_whole(found) and found.end <= first and "\n\n" not in self.folded[found.end : first]:
                    found.ref = ref.again(found.chain.end, found.chain.end)

    def _note(self, ref: ActRef, distinct: dict[str, ActRef]) -> None:
        name = _name_of(ref)
        if name and not ref.excluded:
            distinct[name] = ref

    def _complete(self, found: Found, previous: Found | None, distinct: dict[str, ActRef]) -> None:
        if found.chain.first_word.startswith("cons.") and not (found.ref and celex_of_ref(found.ref)):
            # Behind a ruling it is a consideration of the court.
            found.dropped = True
            return
        whole = self._is_whole(found)
        told = found.end > found.chain.end
        if (
            found.ref is None
            and not told
            and self._is_private(found, previous)
            and not self._goes_on_listing(found, previous)
        ):
            found.dropped = True
            self.private_end = found.end
            return
        if whole:
            if found.ref is None:
                if not distinct and (named := self._named_in_clause(found.chain.start)):
                    found.ref = named
                elif len(distinct) > 1 and previous is not None and self._is_of_the_same(found, previous):
                    found.ref = previous.ref and previous.ref.again(found.chain.end, found.chain.end)
                elif not distinct and (named := self._only_lettered_before(found.chain.start)):
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

    def _only_lettered_before(self, start: int) -> ActRef | None:
        """ "Stand: DSG 2024. … Art. 9 Abs. 1 …": the only act that the text names in front, by its abbreviation."""
        within = [ref for ref in self.lettered_acts() if ref.start < start]
        names = {_name_of(ref) for ref in within}
        return within[0].again(start, start) if len(names) == 1 else None

    def _is_of_the_same(self, found: Found, previous: Found) -> bool:
        """Among several acts a bare article is of the act just cited where it is the same article again."""
        gap = self.folded[previous.end : found.chain.start]
        if previous.ref is None or len(gap) > BARE_REACH or "\n\n" in gap or found.chain.start < previous.end:
            return False
        at = bisect_left(self.mentions, previous.end, key=lambda ref: ref.start)
        if at < len(self.mentions) and self.mentions[at].start < found.chain.start:
            return False
        if any(previous.end <= ref.start < found.chain.start for ref in self.lettered_acts()):
            return False
        before, here = previous.chain.members[-1].units[-1].levels, found.chain.members[0].units[0].levels
        return before.get("art") == here.get("art") is not None

    def _goes_on_listing(self, found: Found, previous: Found | None) -> bool:
        """ "consent (lit. a), the contract (lit. b)": the noun says what the law is about, not what is cited.

        A contract's or a letter's units are cited with its own article, section or point; a bare paragraph or letter
        goes on with the provision just cited. A preposition that leads to the law says so too.
        """
        start = found.chain.start
        levels = found.chain.members[0].units[0].levels
        line = self.folded[max(0, start - 120) : start]
        if "art" in levels and (_LAW_LEADS.search(line[-40:]) or _LISTED.search(line)):
            return True
        if previous is None or self.private_end > previous.end or previous.end > start:
            return False
        top = min(levels, key=lambda name: DEPTH.get(name, 99))
        gap = self.folded[previous.end : start]
        if "\n\n" in gap or len(gap) > BARE_REACH:
            return False
        before = previous.chain.members[-1].units[-1].levels
        if top in ("lit", "pkt") and _follows(before.get(top, ""), levels[top]):
            return True
        return top in ("ust", "lit") and _SENTENCE_END.search(gap) is None

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
        """In one paragraph, or in the list right behind the paragraph."""
        gap = self.folded[previous.end : found.chain.start]
        return len(gap) <= BARE_REACH and ("\n\n" not in gap or _LIST_BEHIND.fullmatch(gap) is not None)

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
        """Does a private noun stand between two positions? Hardly a part of the text is searched twice for it, because
        what lies ahead is searched too."""
        if self.private_to < high:
            start, known = max(self.private_to, low - LONGEST_NOUN), high + SEARCHED_AHEAD
            nouns = self.rules.patterns.private_anywhere.finditer(self.folded, start, known + LONGEST_NOUN)
            for noun in nouns:
                if noun.start() >= known:
                    break
                self.private_places.append(noun.start())
                self.private_to = noun.end()
            self.private_to = max(self.private_to, known)
        at = bisect_left(self.private_places, low)
        return at < len(self.private_places) and self.private_places[at] < high

    def _is_aside(self, window: str, noun: re.Match[str]) -> bool:
        """ "o ile wniosek złożono w ciągu 7 dni (§ 2)": the bracket refers to the provision, not to the paper named."""
        far = len(window) - noun.end() > ASIDE_REACH
        return far and window.rstrip().endswith("(") and self.rules.patterns.papers.fullmatch(noun[0]) is not None


def _name_of(ref: ActRef) -> str:
    return ref.act or "|".join(ref.candidates)


def _follows(before: str, after: str) -> bool:
    """Is this the next letter or number of a list: "a" → "b", "1" → "2"?"""
    if before.isdigit() and after.isdigit():
        return int(after) == int(before) + 1
    return len(before) == len(after) == 1 and ord(after) == ord(before) + 1


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
