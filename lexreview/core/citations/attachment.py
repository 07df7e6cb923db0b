"""Attaches each unit chain to the act named next to it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from lexreview.core.citations.act_entry import ActEntry
from lexreview.core.citations.act_ref import FOREIGN, PRIVATE, ActRef
from lexreview.core.citations.chain_parts import Chain
from lexreview.core.citations.mentions import Mentions
from lexreview.core.citations.provision_rules import ProvisionRules
from lexreview.core.citations.view import View, fold

OPEN_REACH = 300
ABROAD_REACH = 90
CLAUSE_REACH = 120
MOST_LETTERED = 400
_CLAUSE_END = re.compile(r"[^\W\d_]{4}[.!?:]\s|[;\n]")
_IN_LETTERS = re.compile(r"(?<![\w.-])(?:[A-ZÄÖÜ][a-zäöüß]{0,6}){2,5}(?!\w)|(?<![\w.-])[A-Za-z]\.(?:\s?[a-z]\.){1,5}")
_BLANKS = re.compile(r"[\s|]{0,10}")
_OPENING = re.compile(r"[\s|]{0,6}[\[(„\"«']{1,2}\s{0,2}")
_COMMA = re.compile(r"\s{0,4},\s{0,4}")
_GAP_SIGNS = frozenset(" \n|,:(–-[\"'„”»«")
_GAP_WORDS = ("w", "in", "dans", "nel")
_LONGEST_GAP = 12
_BEFORE_NOISE = frozenset(" \n,(")
_TITLE_BEHIND = re.compile(
    r"\s{1,3}(?:federale?s?\s)?(?:vom\s\d|uber\s|betreffend\s|zu[mr]?\s|gegen\s|fur\s|du\s\d|sur\s|relati(?:ve|f)\s|concernant\s|portant\s"
    r"|contre\s|[ck]antonal|communal|comunal|del\s\d|sul(?:la|lo|le)?\s|sull'|sugli\s|sui\s|concernente\s|contro\s)"
)
_TITLE_AND_BRACKET = re.compile(r"[^.;\n()]{3,160}\(\s?")
_COMPOUND = re.compile(
    r"(?:(?:kantonal|kommunal)e[nrs]?\s)?[a-z]{4,40}(?:gesetz(?:es|buch(?:e?s)?)?|verordnung)(?![^\W_])"
)
_TITLE_REACH = 60


@dataclass(slots=True)
class Found:
    """A chain with its act and how the act was found."""

    chain: Chain
    ref: ActRef | None = None
    direct: bool = False
    start: int = 0
    end: int = 0
    sentence: str | None = None
    dropped: bool = False
    bare: bool = False


class Attachment(Mentions):
    """Unit chains with the acts named directly behind or in front of them."""

    def __init__(self, view: View, rules: ProvisionRules) -> None:
        super().__init__(view, rules)
        self.found: list[Found] = []
        self.lettered: list[re.Match[str]] | None = None
        self.all_lettered: list[ActRef] | None = None
        self.looked_at = 0
        self.in_letters: list[ActRef] = []

    def attach_all(self) -> None:
        chat = list(self.rules.chat(self)) if self.rules.chat else []
        chains: list[tuple[Chain, ActRef | None]] = [(chain, None) for chain in self.rules.parser.chains(self.view)]
        chains += chat
        chains.sort(key=lambda pair: (pair[0].start, pair[1] is None))
        last_end = 0
        for chain, ref in chains:
            if chain.start < last_end or (ref is not None and ref.start < last_end):
                continue
            found = Found(chain, ref, direct=ref is not None, start=chain.start, end=chain.end)
            if ref is None:
                self._attach(found, after=last_end)
            else:
                found.start, found.end = min(chain.start, ref.start), max(chain.end, ref.end)
            self.found.append(found)
            last_end = self._continue(found)

    def _continue(self, found: Found) -> int:
        """Behind an act the list may go on with bare numbers that name an act of their own: "Art. 328 OR, 6 ArG"."""
        while found.direct and not found.dropped and found.end > found.chain.end and found.chain.first_level == "art":
            chain = self.rules.parser.chain_behind(self.view, found.end)
            ref = self._act_after(chain.end) if chain else None
            if chain is None or ref is None or not ref.named or ref.guessed or ref.anaphora or ref.excluded:
                break
            found = Found(chain, ref, direct=True, start=chain.start, end=ref.end)
            self.found.append(found)
        if found.ref and found.direct and not found.dropped and found.end > found.chain.end:
            self._further_paragraphs(found)
        return self.found[-1].end

    def _further_paragraphs(self, found: Found) -> None:
        """ "Article 16(1) MAR and (2)": behind the act the list of paragraphs in brackets goes on."""
        last, end = found.chain.members[-1].units[-1], found.end
        while last.brackets and found.ref:
            chain = self.rules.parser.paragraphs_behind(self.view, end, last)
            if chain is None:
                return
            end = chain.end
            self.found.append(Found(chain, found.ref.again(end, end), direct=True, start=chain.start, end=end))

    def _attach(self, found: Found, *, after: int) -> None:
        end = self._skip_noise(found)
        if self.folded.startswith(")", end) and not self._opened(end):
            end += 1
        ref = self._act_after(end)
        if ref:
            if ref.act in self.rules.shared_names and self._is_abroad(found.chain.start):
                ref.excluded = FOREIGN
            found.ref, found.direct = ref, ref.excluded is None
            found.end = ref.end
            found.dropped = ref.excluded is not None
            return
        if self._is_foreign_in_front(found.chain.start, after):
            found.ref, found.dropped = ActRef(found.chain.start, found.chain.start, excluded=FOREIGN), True
            return
        before = self._act_before(found.chain.start, after)
        if before:
            found.ref, found.direct, found.start = before, True, before.start
            self._close_bracket(found)
            return
        patterns = self.rules.patterns
        if self._char_behind(end) in patterns.own_article_begins and (
            own := patterns.own_article.match(self.folded, end)
        ):
            found.end = own.end()

    def _is_abroad(self, start: int) -> bool:
        """ "En droit français, l'art. 1104 du Code civil": the clause speaks of another state's act of that name."""
        return self.rules.patterns.abroad.search(self.folded[max(0, start - ABROAD_REACH) : start]) is not None

    def _is_foreign_in_front(self, start: int, after: int) -> bool:
        """ "Im BGB regelt § 823", "Niemiecki kodeks cywilny (§ 433)": the clause names another state's act last."""
        at = bisect_left(self.mentions, start, key=lambda ref: ref.start) - 1
        titled = self.mentions[at] if at >= 0 and self._in_clause(self.mentions[at], start) else None
        lettered = next(self.in_letters_before(start), None)
        last = max((ref for ref in (lettered, titled) if ref), key=lambda ref: ref.start, default=None)
        if last is None or last.start < after:
            return False
        return last.excluded == FOREIGN or (not last.identified and self._is_of_another_state(last))

    def _is_of_another_state(self, ref: ActRef) -> bool:
        behind = self.rules.patterns.foreign.match(self.folded, ref.end)
        if behind and behind[0].startswith(" "):
            return True
        return self.rules.patterns.foreign_front.search(self.folded, max(0, ref.start - 24), ref.start) is not None

    def in_letters_before(self, start: int) -> Iterator[ActRef]:
        """The acts that the clause names by their abbreviation alone, nearest first, those of other states too."""
        if self.lettered is None:
            self.lettered = list(_IN_LETTERS.finditer(self.view.text))
        while self.looked_at < len(self.lettered) and self.lettered[self.looked_at].end() <= start:
            match = self.lettered[self.looked_at]
            self.looked_at += 1
            if start - match.start() <= CLAUSE_REACH and (ref := self._in_letters(match)):
                self.in_letters.append(ref)
        at = bisect_left(self.in_letters, start, key=lambda ref: ref.start) - 1
        while at >= 0 and self._in_clause(self.in_letters[at], start):
            yield self.in_letters[at]
            at -= 1

    def lettered_acts(self) -> list[ActRef]:
        """Every act that the text names by its abbreviation alone, in order; none where the text has too many words
        of capitals to look at."""
        if self.lettered is None:
            self.lettered = list(_IN_LETTERS.finditer(self.view.text))
        if self.all_lettered is None:
            refs = [self._in_letters(match) for match in self.lettered] if len(self.lettered) <= MOST_LETTERED else []
            self.all_lettered = [ref for ref in refs if ref and not ref.excluded]
        return self.all_lettered

    def _in_letters(self, match: re.Match[str]) -> ActRef | None:
        """The act that stands here by its abbreviation."""
        ref = self.bare_act_at(match.start())
        compound = self.folded.startswith("-", match.end())
        known = ref is not None and ref.named and not ref.guessed and ref.end == match.end() and not compound
        return ref if ref and (ref.excluded == FOREIGN or (known and not ref.excluded)) else None

    def _in_clause(self, ref: ActRef, start: int) -> bool:
        near = ref.end <= start <= ref.end + CLAUSE_REACH
        return near and not _CLAUSE_END.search(self.view.text, ref.end, start)

    def _opened(self, end: int) -> bool:
        """Is a bracket open here? If not, the closing one belongs to a point: "pkt 2) k.p.a."."""
        before = self.folded[max(0, end - OPEN_REACH) : end]
        return before.count("(") > before.count(")")

    def _close_bracket(self, found: Found) -> None:
        opened = self.folded.find("(", found.start, found.chain.start)
        if opened >= 0 and self.folded.startswith(")", found.end):
            found.end += 1

    def _skip_noise(self, found: Found) -> int:
        end = found.chain.end
        for _ in range(3):
            if self._char_behind(end) not in self.rules.patterns.noise_begins:
                break
            sentence = self.rules.patterns.sentence.match(self.folded, end)
            noise = sentence or self.rules.patterns.noise.match(self.folded, end)
            if noise is None:
                break
            if sentence:
                found.sentence = str(self.rules.words.ordinals[sentence["ordinal"]])
            end = noise.end()
        return end

    def _char_behind(self, end: int) -> str:
        """The first character behind blanks, a comma and an opening bracket."""
        char = self.folded[end : end + 1]
        while char in _BEFORE_NOISE and char:
            end += 1
            char = self.folded[end : end + 1]
        return char

    def _act_after(self, end: int) -> ActRef | None:
        """The act directly behind a chain, possibly behind an article, an opening bracket or a comma; in a table within
        the row."""
        blanks = _BLANKS.match(self.folded, end)
        assert blanks is not None
        position = blanks.end()
        row_ends = "|" in blanks[0] and "\n" in blanks[0]
        if "\n\n" in blanks[0] or row_ends or position >= len(self.folded):
            return None
        ref = self._act_here(position)
        if ref:
            return ref
        for separator, signs in ((_COMMA, ","), (_OPENING, "[(„\"«'|")):
            match = separator.match(self.folded, end) if self.folded[position] in signs else None
            if match:
                if separator is _COMMA and (private := self._private_of(match.end())):
                    return private
                ref = self.act_at(self._behind_articles(match.end()))
                if ref and (ref.named or ref.candidates) and not ref.guessed:
                    return self._closed(ref, match)
        return None

    def _private_of(self, position: int) -> ActRef | None:
        """ "l'article 5, sous b), du règlement intérieur": a genitive ties the noun to the unit across a comma."""
        genitive = self.rules.parser.genitive
        of = genitive.match(self.folded, position) if genitive else None
        return self._excluded_at(of.end()) if of else None

    def _closed(self, ref: ActRef, opening: re.Match[str]) -> ActRef:
        if "(" in opening[0] and self.folded.startswith(")", ref.end):
            ref.end += 1
        return ref

    def _behind_articles(self, position: int) -> int:
        patterns = self.rules.patterns
        for _ in range(2):
            if not patterns.article_begins.at(self.folded, position):
                break
            article = patterns.article.match(self.folded, position)
            if article is None:
                break
            position = article.end()
        return position

    def _act_here(self, position: int) -> ActRef | None:
        patterns = self.rules.patterns
        here = self._behind_articles(position)
        places = (position,) if here == position else (position, here)
        for at in places:
            excluded = self._excluded_at(at)
            if excluded:
                known = self.act_at(at)
                return known if known and known.named and not known.guessed and known.end > excluded.end else excluded
            if patterns.same_act_begins.at(self.folded, at) and (back := patterns.same_act.match(self.folded, at)):
                return self._back(at, back)
        for at in places:
            ref = self.act_at(at)
            if ref:
                return self._foreign_behind(ref)
        for at in places:
            if patterns.act_noun_begins.at(self.folded, at) and (noun := patterns.act_noun.match(self.folded, at)):
                return self._named_noun(at, noun) or self._noun(at, noun)
        compound = _COMPOUND.match(self.folded, here) if here > position else None
        return ActRef(here, compound.end(), guessed=True) if compound else None

    def _excluded_at(self, position: int) -> ActRef | None:
        patterns = self.rules.patterns
        if patterns.private_begins.at(self.folded, position) and (
            private := patterns.private.match(self.folded, position)
        ):
            return ActRef(position, private.end(), excluded=PRIVATE)
        if patterns.foreign_begins.at(self.folded, position) and (
            foreign := patterns.foreign.match(self.folded, position)
        ):
            return ActRef(position, foreign.end(), excluded=FOREIGN)
        return None

    def _foreign_behind(self, ref: ActRef) -> ActRef:
        patterns = self.rules.patterns
        blank = self.folded.startswith(" ", ref.end) and patterns.foreign_begins.at(self.folded, ref.end)
        foreign = patterns.foreign.match(self.folded, ref.end) if blank and not ref.identified else None
        if foreign:
            return ActRef(ref.start, foreign.end(), excluded=FOREIGN)
        return ref

    def _back(self, position: int, back: re.Match[str]) -> ActRef:
        """ "That act": the nearest act named before, of the noun's kind where there is one."""
        antecedent = self._antecedent(position, noun=back[0].split()[-1])
        ref = ActRef(position, back.end(), anaphora=True)
        if antecedent:
            ref.act, ref.entries, ref.candidates = antecedent.act, antecedent.entries, antecedent.candidates
        return ref

    def _named_noun(self, position: int, noun: re.Match[str]) -> ActRef | None:
        """ "du règlement RGPD", "des Gesetzes DSG": the noun stands in front of a name that would do alone."""
        named = self.act_at(noun.end() + 1) if self.folded.startswith(" ", noun.end()) else None
        if named is None or not named.named or named.guessed or named.excluded:
            return None
        named.start = position
        return named

    def _noun(self, position: int, noun: re.Match[str]) -> ActRef:
        """ "The act" means the one named before; with a title of its own behind it only an act that bears the title."""
        ref = ActRef(position, noun.end(), anaphora=True)
        antecedents = self._antecedents(position)
        if title := _TITLE_BEHIND.match(self.folded, noun.end()):
            if address := self._address_behind(noun.end()):
                return ActRef(
                    position, address.end, act=address.act, entries=address.entries, sr=address.sr, identified=True
                )
            words = self.folded[title.end() : title.end() + _TITLE_REACH]
            antecedents = [known for known in antecedents if _bears(known, words)]
        kinds = [known for known in antecedents if _fits_noun(known, noun[0].split()[-1])]
        distinct = {(known.act, known.candidates) for known in kinds}
        if len(distinct) == 1:
            ref.act, ref.entries, ref.candidates = kinds[-1].act, kinds[-1].entries, kinds[-1].candidates
        return ref

    def _address_behind(self, position: int) -> ActRef | None:
        """The number in brackets behind a title that no registry knows: "über die Drohnen (DroV, SR 748.999)"."""
        bracket = _TITLE_AND_BRACKET.match(self.folded, position)
        if bracket is None:
            return None
        for start in self._address_positions(bracket.end()):
            address = self._address_at(start)
            if address and address.sr and self.folded.startswith(")", address.end):
                self.absorbed.add(address.start)
                address.end += 1
                return address
        return None

    def _antecedents(self, position: int) -> list[ActRef]:
        """Acts named before the position, by citations and bare names, in order of the text; the last 40 of each."""
        cited = [found.ref for found in self.found[-40:] if found.ref and _is_known(found.ref) and not found.dropped]
        at = bisect_left(self.mentions, position, key=lambda ref: ref.start)
        named = [ref for ref in self.mentions[max(0, at - 40) : at] if _is_known(ref)]
        return sorted((*cited, *named), key=lambda ref: ref.start)

    def _antecedent(self, position: int, *, noun: str) -> ActRef | None:
        antecedents = self._antecedents(position)
        fitting = [ref for ref in antecedents if _fits_noun(ref, noun)]
        if not antecedents:
            return None
        if noun.startswith("ustaw"):
            # A code is called so: "tej ustawy" skips one that is named in between.
            fitting = [ref for ref in fitting if not (ref.entries and _is_code(ref.entries[0]))] or fitting
        return (fitting or antecedents)[-1]

    def _act_before(self, start: int, after: int) -> ActRef | None:
        """The act directly in front of a chain: "KC art. 118", "W Kodeksie pracy (art. 30)"."""
        end = _before_gap(self.folded, start, low=max(after, start - 30))
        gap = self.folded[end:start]
        if end <= after or "\n\n" in gap:
            return None
        at = bisect_left(self.mentions, start, key=lambda ref: ref.start) - 1
        if at >= 0 and max(self.mentions[at].end, self.mentions[at].reach) >= end and self.mentions[at].start >= after:
            mention = self.mentions[at]
            if mention.end <= start and (mention.named or mention.candidates):
                return mention
        named = self.rules.index.abbreviation_before(self.view, end)
        if named and named[0] >= after:
            return self.act_at(named[0])
        return self._possessed(start)

    def _possessed(self, start: int) -> ActRef | None:
        if self.folded[max(0, start - 12) : start].rstrip()[-1:] not in self.rules.patterns.possessive_ends:
            return None
        match = self.rules.patterns.possessive.search(self.folded[max(0, start - 12) : start])
        antecedents = self._antecedents(start) if match else []
        if not match or not antecedents:
            return None
        nearest = antecedents[-1]
        return ActRef(
            start, start, act=nearest.act, entries=nearest.entries, candidates=nearest.candidates, anaphora=True
        )


_NOUN_KINDS = (
    (re.compile(r"rozporzadz|regulation|verordnung|reglement|regolament|ordonnance|ordinanza|ordinance"), "R"),
    (re.compile(r"dyrektyw|directive|richtlinie|direttiv"), "L"),
    (re.compile(r"ustaw|act\b|statute|loi\b|gesetz|legge|erlass|law\b"), "A"),
    (re.compile(r"kodeks|code|kodex|codice|gesetzbuch"), "K"),
)


def _before_gap(folded: str, start: int, *, low: int) -> int:
    """Where the gap of signs and prepositions ("w", "in", "dans", "nel") in front of ``start`` begins."""
    end = start
    for _ in range(_LONGEST_GAP):
        if end <= low or folded[end - 1] not in _GAP_SIGNS:
            break
        word = (
            next((word for word in _GAP_WORDS if folded.endswith(word, low, end - 1)), None)
            if folded[end - 1] in " \n"
            else None
        )
        front = end - 1 - len(word) if word else end - 1
        if word and front > low and (folded[front - 1].isspace() or (word == "w" and folded[front - 1] == "(")):
            end = front
        else:
            end -= 1
    return end


def _is_known(ref: ActRef) -> bool:
    """Can the text refer back to it? An abbreviation of several acts is settled later, where it stands."""
    return ref.named or bool(ref.candidates)


def _bears(ref: ActRef, words: str) -> bool:
    """Do the first telling words of a title stand in a title of the act?"""
    telling = re.findall(r"[^\W\d_]{6,}", re.split(r"[.;\n]", words.lstrip(". "))[0])[:2]
    titles = fold(" ".join(title for entry in ref.entries for forms in entry.titles.values() for title in forms))
    return bool(telling) and all(word[:6] in titles for word in telling)


def _fits_noun(ref: ActRef, noun: str) -> bool:
    """Is the act of the kind that the noun names? Unknown nouns fit everything."""
    kind = next((kind for pattern, kind in _NOUN_KINDS if pattern.match(noun)), None)
    if kind is None:
        return True
    celex = celex_of_ref(ref)
    if kind in "RL":
        return celex[5:6] == kind or (kind == "R" and _is_regulation(ref))
    if celex:
        return False
    if kind == "A":
        return not _is_regulation(ref)
    return (ref.act or "").startswith("K") or not ref.entries or _is_code(ref.entries[0])


def celex_of_ref(ref: ActRef) -> str:
    """The CELEX number of an act of the EU, "" for other acts."""
    known = next((entry.numbers["celex"] for entry in ref.entries if "celex" in entry.numbers), "")
    named = ref.act[3:] if ref.act and ref.act.startswith("EU:") else ""
    return ref.celex or known or named


def _is_regulation(ref: ActRef) -> bool:
    """A Polish executive act: its top unit is the section sign."""
    is_known = any(entry.top_unit == "par" for entry in ref.entries)
    return is_known or (ref.act or "").startswith("ROZP") or ref.noun == "rozporzadzenie"


def _is_code(entry: ActEntry) -> bool:
    titles = " ".join(title for forms in entry.titles.values() for title in forms).lower()
    return any(word in titles for word in ("kodeks", "code", "gesetzbuch", "codice", "obligationenrecht"))
