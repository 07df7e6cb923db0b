"""One run over one chain: deeper, sibling and outer units, lists and ranges."""

from __future__ import annotations

import re
from dataclasses import replace

from lexreview.core.citations.chain_parts import DEPTH, Chain, Member, Unit
from lexreview.core.citations.chain_values import LAW_WORD, PAIR, ValueReader
from lexreview.core.citations.numbering import Split, Value, arabic, brackets_at, members, number_at, split

LONGEST_LIST = 60
SPELLED_OUT = 6
_FAR = 8
_LETTERS = frozenset("abcdefghijklmnop")
_BARE_LETTER = re.compile(r"(?P<comma>,?)\s{1,3}(?P<letter>[a-p])\)(?=[\s,.;)]|$)")
_ONE_ROMAN = r"(?:I{1,3}|IV|VI{0,3}|IX|X)(?![\w])"
_ROMAN_END = r"\s?[,;)(|\n]|\.?\s{0,3}\Z|\.\n"
_ROMAN = re.compile(
    rf"\s(?P<first>{_ONE_ROMAN})"
    rf"(?:\s(?P<sentence>[1-9])(?=\s[^\W\d_])|\s?(?:(?P<between>[–-]|bis)|,|und|u\.)\s?(?P<last>{_ONE_ROMAN}))?"
    rf"(?:\s(?P<letter>[a-z])(?:\s?[–-]\s?(?P<to>[a-z])(?![^\W_])|(?=\s[A-ZÄÖÜ][A-Za-zÄÖÜäöü]{{0,6}}[A-Z]|{_ROMAN_END})))?"
    rf"(?=\s(?:[A-ZÄÖÜ][A-Za-zÄÖÜäöü]{{0,6}}[A-Z]|(?:lit|Ziff|Nr|Bst)\b|i\.?\s?V|und\s)|(?<=[–-][a-z])\s|{_ROMAN_END})"
)
_CLOSED_POINTS = re.compile(r"\)\s{0,2}(?:[,–-]|[^\W\d_]{1,5}(?=\s))\s{0,2}\d{1,3}[a-z]{0,2}\)")
_BLANKS = re.compile(r"\s{0,10}")
_GOES_ON = frozenset((" ", "\n", ",", ""))
_ROMAN_BEGINS = frozenset("IVX")
# What may stand behind one blank and belongs to more than one blank, or to a word like "from".
_MORE_BLANK = frozenset((" ", "\n", ":", "d", "o", "v", "f", ""))
_BLANK = re.compile(r"\s{0,10}(?::\s{1,2}(?=\d))?(?:(?:da|dal|od|von|from)\s{1,3}(?=\d|[a-p]\b))?")


class ChainReading(ValueReader):
    """Walks along a chain, step by step."""

    def chain(self, start: int) -> Chain | None:
        marker = self.parser.marker.match(self.folded, start)
        level = marker.lastgroup if marker else None
        if marker is None or level is None or level in ("zd", "tiret", "akapit"):
            return None
        self.several = level == "art" and bool(self.parser.several.search(self.folded, max(0, start - 6), marker.end()))
        return self._whole(level, marker.end(), start, word=marker[0])

    def numbers(self, start: int) -> Chain | None:
        """The chain of articles whose first number stands here without a word in front of it."""
        return self._whole("art", start, start, word="")

    def _whole(self, level: str, position: int, start: int, *, word: str) -> Chain | None:
        end = self._values(level, position, start, {})
        if end is None:
            return None
        while self.count < LONGEST_LIST:
            step = self._next(end)
            if step is None:
                break
            end = step
        return Chain(start, self.members[-1].end, level, word, self.members)

    def _next(self, end: int) -> int | None:
        """Read one more step of the chain behind ``end``: a deeper, sibling or outer unit."""
        parser, folded = self.parser, self.folded
        behind, comma, char = end + 1, "", folded[end : end + 1]
        if char and char != "," and not char.isspace():
            behind = end
        elif char != " " or folded[behind : behind + 1] in _GOES_ON:
            adjacent = parser.adjacent.match(folded, end)
            assert adjacent is not None
            if "\n\n" in adjacent[0] or adjacent[0].count("\n") > 1:
                return None
            behind, comma = adjacent.end(), adjacent["comma"]
        if folded.startswith(")", end) and (closed := parser.closed.match(folded, end)):
            marker = parser.marker.match(folded, closed.end())
            deeper = (
                marker and marker.lastgroup and self._leaf_level() == "pkt" and DEPTH[marker.lastgroup] > DEPTH["pkt"]
            )
            return self._marked(marker, joined=bool(closed["comma"])) if marker and deeper else None
        beyond = folded[behind : behind + 1]
        if (
            parser.style.roman
            and self.view.text[behind : behind + 1] in _ROMAN_BEGINS
            and (roman := _ROMAN.match(self.view.text, end))
        ):
            return self._roman(roman)
        marker = parser.marker.match(folded, behind) if parser.marker_begins.at(folded, behind) else None
        if marker and marker.lastgroup and (behind > end or marker[0] == "§"):
            return self._marked(marker, joined=bool(comma))
        if parser.may_be_before(folded, behind):
            if before := parser.before.match(folded, behind):
                return self._ordinal_first(before)
            if sentence := parser.sentence.match(folded, behind):
                return self._sentence_first(sentence)
        if beyond in _LETTERS and folded.startswith(")", behind + 1) and (letter := _BARE_LETTER.match(folded, end)):
            return self._bare_letter(letter)
        if parser.inward and beyond in parser.inward_begins and (of := parser.inward.match(folded, end)):
            marker = parser.marker.match(folded, of.end())
            if marker and marker.lastgroup and DEPTH[marker.lastgroup] < self._leaf_depth():
                return self._marked(marker, joined=False)
        next_char = self._next_char(end)
        if next_char in parser.range_begins and (between := parser.range.match(folded, end)):
            marker = parser.marker.match(folded, between.end())
            if marker and marker.lastgroup == self._leaf_level():
                return self._range_to(marker)
        separator = parser.separator.match(folded, end) if next_char in parser.separator_begins else None
        if separator is None or "\n\n" in separator[0]:
            return None
        marker = parser.marker.match(folded, separator.end())
        if marker and marker.lastgroup == "art" and ";" in separator[0]:
            return None
        if marker and marker.lastgroup:
            return self._marked(marker, joined=True)
        return self._outer_number(separator.end())

    def _bare_letter(self, match: re.Match[str]) -> int | None:
        """ "Abs. 1 a)" and "§ 1, b)": a letter without the word for it; "(art. 3 e)" closes a bracket instead. What
        may be a conjunction, as Polish "a", is a letter in front of a law: "ust. 1 a) RODO"."""
        word = not match["comma"] and self.parser.conjunction.fullmatch(match["letter"])
        levels = self.members[-1].units[-1].levels
        if (word and not LAW_WORD.match(self.folded, self._skip(match.end()))) or len(levels) < 2:
            return None
        if self._leaf_depth() >= DEPTH["lit"] or self._closes_bracket(match.start("letter"), match.end()):
            return None
        return self._values("lit", match.start("letter"), match.start("letter"), dict(levels), deepen=True)

    def _ordinal_first(self, before: re.Match[str]) -> int | None:
        """ "art. 384, 2° comma": the number stands in front of its word."""
        last = self.members[-1].units[-1]
        if self._leaf_depth() > DEPTH["ust"]:
            return None
        if before["within"] or "ust" in last.levels or last.brackets:
            return self._within(before.end())
        last.levels = last.levels | {"ust": before["digit"] or str(self.parser.ordinals[before["word"]])}
        self.members[-1].end = before.end()
        self.count += 1
        return before.end()

    def _roman(self, match: re.Match[str]) -> int | None:
        """ "Art. 321a I OR", "Art. 36 I–III BV": paragraphs as Roman numbers."""
        unit = self.members[-1].units[-1]
        if self._leaf_level() not in ("art", "par") or unit.brackets or unit.open_range:
            return None
        outer, first = unit.levels, arabic(match["first"])
        last = arabic(match["last"]) if match["last"] else first
        numbers = range(first, last + 1) if match["between"] else dict.fromkeys((first, last))
        if match["sentence"]:
            outer = outer | {"zd": match["sentence"]}
        units = [Unit(outer | {"ust": str(number)}) for number in numbers]
        if match["letter"]:
            letters = members(match["letter"], match["to"]) if match["to"] else [match["letter"]]
            if letters is None:
                return None
            units[-1:] = [Unit(units[-1].levels | {"lit": letter}) for letter in letters]
        self.members[-1].units[-1:] = units
        return self._within(match.end())

    def _sentence_first(self, sentence: re.Match[str]) -> int:
        """ "al. 1, 1re phrase, et 56": the sentence is an attribute, the list goes on behind it."""
        for unit in self.members[-1].units[-1:]:
            unit.levels = unit.levels | {"zd": str(self.parser.ordinals[sentence["which"]])}
        return self._within(sentence.end())

    def _within(self, end: int) -> int:
        """ "Article 6(1), first subparagraph, point (f)": a part of a paragraph is no unit of its own."""
        self.members[-1].end = end
        self.count += 1
        return end

    def _leaf_level(self) -> str:
        """The innermost level read so far."""
        if self.members[-1].units[-1].point_in_letter:
            return "pkt"
        levels = [level for level in self.members[-1].units[-1].levels if level in DEPTH]
        return max(levels, key=DEPTH.__getitem__)

    def _leaf_depth(self) -> int:
        return DEPTH[self._leaf_level()]

    def _marked(self, marker: re.Match[str], *, joined: bool) -> int | None:
        level = marker.lastgroup
        assert level is not None
        last = self.members[-1].units[-1]
        inner = self.parser.style.inner_section
        if inner and level == "art" and marker[0].startswith("§") and "art" in last.levels and not joined:
            level = inner
        if level in ("zd", "tiret", "akapit"):
            return self._detail(level, marker.end(), last)
        if level == "pkt" and "lit" in last.levels and "pkt" not in last.levels and not self._conjoined(marker.start()):
            last.point_in_letter = True
            return self._values(level, marker.end(), marker.start(), dict(last.levels), deepen=True)
        depth = DEPTH[level]
        if depth > self._leaf_depth() and not last.open_range:
            if joined and self._conjoined(marker.start()):
                return self._values(level, marker.end(), marker.start(), dict(last.levels), new_member=True)
            return self._values(level, marker.end(), marker.start(), dict(last.levels), deepen=True)
        if not joined and level not in last.levels and level != "motyw":
            return self._outer(level, marker)
        return self._values(level, marker.end(), marker.start(), _outer_of(last, level), new_member=True)

    def _conjoined(self, position: int) -> bool:
        return bool(self.folded[self.members[-1].end : position].strip(" ,)\n"))

    def _outer(self, level: str, marker: re.Match[str]) -> int | None:
        """An outer unit named behind the inner one: "§ 2 art. 58"."""
        value = self._value(level, self._skip(marker.end()), in_list=False)
        if value is None:
            return None
        member = self.members[-1]
        for unit in member.units:
            unit.levels = {level: value.text} | unit.levels
            if value.brackets:
                unit.brackets, unit.bracket_of = value.brackets, level
        member.end = value.end
        return value.end

    def _detail(self, level: str, position: int, unit: Unit) -> int | None:
        """Sentence, dash or subparagraph: an attribute of the unit, its lists are not taken apart."""
        position = self._skip(position)
        ordinal = self.parser.ordinal.match(self.folded, position)
        if ordinal:
            text, end = str(self.parser.ordinals[ordinal[0]]), ordinal.end()
        else:
            value = number_at(self.folded, position)
            if value is None:
                return None
            text, end = value.text, value.end
        if level != "akapit":
            unit.levels = unit.levels | {level: text}
        self.members[-1].end = end
        self.count += 1
        return end

    def _range_to(self, marker: re.Match[str]) -> int | None:
        level = marker.lastgroup
        assert level is not None
        value = self._value(level, self._skip(marker.end()), in_list=True)
        last = self.members[-1].units[-1]
        texts = members(last.levels.get(level, ""), value.text) if value else None
        if value is None or texts is None:
            return None
        self._extend(level, texts, last)
        self.members[-1].end = value.end
        return value.end

    def _outer_number(self, position: int) -> int | None:
        """A bare number that does not fit the innermost list may continue an outer one: "art. 7, 77 § 1 i 80"."""
        last = self.members[-1].units[-1]
        for level in ("art", "par", "ust"):
            outer = split(last.levels.get(level, ""))
            if outer is None or level == self._leaf_level():
                continue
            value = self._value(level, position, in_list=True)
            number = split(value.text) if value else None
            if value and number and outer < number:
                kept = {name: text for name, text in last.levels.items() if DEPTH[name] < DEPTH[level]}
                self._take(level, kept, value, like=last)
                return self._more(level, value.end)
        return None

    def _values(
        self,
        level: str,
        position: int,
        start: int,
        outer: dict[str, str],
        *,
        new_member: bool = False,
        deepen: bool = False,
    ) -> int | None:
        behind = self._skip(position)
        parted = level == "lit" and "\n\n" in self.folded[position:behind]
        first = None if parted else self._value(level, behind, in_list=False)
        if first is None or (level == "lit" and position - start >= SPELLED_OUT and self._is_letter_word(first)):
            return None
        like = self.members[-1].units[-1] if self.members else None
        if deepen:
            self.members[-1].units.pop()
        elif new_member or not self.members:
            self.members.append(Member(start, first.end))
        self._take(level, outer, first, like=like)
        lettered = level == "pkt" and _is_letter(first.text)
        return self._more("lit" if lettered else level, first.end)

    def _is_letter_word(self, value: Value) -> bool:
        """ "The letter is", "lettera a mio padre": behind the spelled-out word a letter stands alone."""
        if self.folded[value.end - 1] == ")":
            return False
        mixed = len(value.text) == 2 and value.text[0] != value.text[1]
        return mixed or (not self.members and not self._letter_ends(value.text, value.end))

    def _skip(self, position: int) -> int:
        if self.folded[position : position + 1] == " " and self.folded[position + 1 : position + 2] not in _MORE_BLANK:
            return position + 1
        blank = _BLANK.match(self.folded, position)
        return blank.end() if blank else position

    def _take(self, level: str, outer: dict[str, str], value: Value, *, like: Unit | None) -> None:
        """Add a unit; deeper units keep the brackets and the literal form of the outer number."""
        if level == "pkt" and _is_letter(value.text):
            level = "lit"
        unit = Unit(outer | {level: value.text}, value.brackets, level if value.brackets else None, value.literal)
        if like and not value.brackets and like.bracket_of and DEPTH[like.bracket_of] < DEPTH[level]:
            unit.brackets, unit.bracket_of = like.brackets, like.bracket_of
        if like and DEPTH[level] > 0:
            unit.literal = unit.literal or like.literal
            unit.point_in_letter = like.point_in_letter and level == "pkt"
        self.members[-1].units.append(unit)
        self.members[-1].end = value.end
        self.count += 1

    def _extend(self, level: str, texts: list[str], last: Unit) -> None:
        """Add the members of a range whose first unit is there already."""
        units = self.members[-1].units
        last.range_of = ends = (texts[0], texts[-1])
        for text in texts[1:]:
            units.append(Unit(last.levels | {level: text}, range_of=ends, point_in_letter=last.point_in_letter))
        if len(texts) == 2 and members(texts[0], texts[1]) == texts and not _neighbours(texts):
            last.range_end = texts[1]
        self.count += len(texts) - 1

    def _more(self, level: str, end: int) -> int:
        """Read the rest of a list: numbers, letters, ranges, bracket groups, and "and following"."""
        parser, folded = self.parser, self.folded
        while self.count < LONGEST_LIST:
            last = self.members[-1].units[-1]
            if level == "pkt" and _CLOSED_POINTS.match(folded, end):
                end += 1
            next_char = self._next_char(end)
            following = parser.open_range.match(folded, end) if next_char in parser.open_begins else None
            if following:
                last.open_range = True
                self.members[-1].end = end = following.end()
                next_char = self._next_char(end)
                step = self._list(level, end, last) if next_char in parser.separator_begins else None
                if step is None:
                    return end
                end = step
                continue
            step = self._range(level, end, last) if next_char in parser.range_begins else None
            if next_char == "/":
                step = self._pair(level, end, last)
            if step is None and next_char in parser.separator_begins:
                step = self._bracket_list(end, last) or self._list(level, end, last)
            if step is None:
                return end
            end = step
            self.members[-1].end = end
        return end

    def _pair(self, level: str, end: int, last: Unit) -> int | None:
        """ "Art. 27/28 ZGB": a stroke joins two articles of the act named behind."""
        match = PAIR.match(self.view.text, end) if level == "art" else None
        number, before = split(match["second"]) if match else None, split(last.levels.get("art", ""))
        if match is None or number is None or before is None or number <= before:
            return None
        self._take(level, _outer_of(last, level), Value(match["second"], match.end()), like=last)
        return match.end()

    def _next_char(self, position: int) -> str:
        """The first character behind the blanks."""
        char = self.folded[position : position + 1]
        if char == " " or char == "\n":
            behind = self.folded[position + 1 : position + 2]
            if not behind.isspace():
                return behind
            match = _BLANKS.match(self.folded, position)
            position = match.end() if match else position
            return self.folded[position : position + 1]
        return char

    def _range(self, level: str, end: int, last: Unit) -> int | None:
        between = self.parser.range.match(self.folded, end)
        if between is None:
            return None
        if last.brackets and (groups := brackets_at(self.folded, between.end()))[0]:
            texts = members(last.brackets[-1], groups[0][-1])
            if texts and len(groups[0]) == 1:
                self._bracket_members(texts[1:], last)
                return groups[1]
        value = self._value(level, between.end(), in_list=True)
        texts = members(last.levels.get(level, ""), value.text) if value else None
        if value is None:
            return None
        if texts is None:
            texts = _bracket_range(last, value)
        if texts is None:
            return None
        if value.brackets and last.brackets:
            return self._bracketed_range(level, last, value)
        self._extend(level, texts, last)
        if value.brackets:
            end_unit = self.members[-1].units[-1]
            end_unit.brackets, end_unit.bracket_of = value.brackets, level
        return value.end

    def _bracketed_range(self, level: str, last: Unit, value: Value) -> int | None:
        """ "385(1)–385(3)" shares its base: the brackets make the range."""
        texts = members(last.brackets[-1], value.brackets[-1]) if last.levels.get(level) == value.text else None
        if texts is None:
            self.members[-1].units.append(Unit(last.levels | {level: value.text}, value.brackets, level))
            self.count += 1
            return value.end
        self._bracket_members(texts[1:], last)
        return value.end

    def _bracket_members(self, texts: list[str], last: Unit) -> None:
        for text in texts:
            self.members[-1].units.append(replace(last, levels=dict(last.levels), brackets=(*last.brackets[:-1], text)))
        self.count += len(texts)

    def _bracket_list(self, end: int, last: Unit) -> int | None:
        """ "6(1)(a), (b) and (c)": groups of a list replace the tail of the groups before."""
        if not last.brackets:
            return None
        separator = self.parser.separator.match(self.folded, end)
        groups, stop = brackets_at(self.folded, separator.end()) if separator else ((), end)
        if not groups:
            return None
        kept = 0 if groups[0].isdigit() else max(0, len(last.brackets) - len(groups))
        self.members[-1].units.append(
            replace(last, levels=dict(last.levels), brackets=(*last.brackets[:kept], *groups), literal=None)
        )
        self.count += 1
        return stop

    def _list(self, level: str, end: int, last: Unit) -> int | None:
        separator = self.parser.separator.match(self.folded, end)
        if separator is None or "\n\n" in separator[0] or (";" in separator[0] and level != "art"):
            return None
        value = self._value(level, separator.end(), in_list=True)
        if value is None or (level not in ("art", "lit") and not self._fits(level, value, last)):
            return None
        self._take(level, _outer_of(last, level), value, like=last)
        return value.end

    def _fits(self, level: str, value: Value, last: Unit) -> bool:
        """A number far above the list's own and just above the outer unit's continues the outer list."""
        number, before = split(value.text), split(last.levels.get(level, ""))
        if number is None or before is None:
            return False
        if self._promises_articles(number):
            return False
        for name in ("art", "par", "ust"):
            outer = split(last.levels.get(name, ""))
            if outer is None or DEPTH[name] >= DEPTH[level]:
                continue
            far = number.base - before.base
            if number > outer and far >= _FAR and far > number.base - outer.base:
                return False
        return True

    def _promises_articles(self, number: Split) -> bool:
        """ "les art. 5 al. 3 et 9": the plural says that the higher number is a second article."""
        article = self.members[0].units[0].levels.get("art")
        only = all(unit.levels.get("art") == article for member in self.members for unit in member.units)
        first = split(article) if article else None
        return self.several and only and first is not None and number > first


def _is_letter(text: str) -> bool:
    """ "point f)" is a letter, "Ziff. ii" a point."""
    return len(text) == 1 and text.isalpha()


def _outer_of(last: Unit, level: str) -> dict[str, str]:
    """The levels of a unit that stay when a sibling at ``level`` follows."""
    kept = {name: text for name, text in last.levels.items() if DEPTH[name] < DEPTH[level]}
    if last.point_in_letter and level == "pkt":
        kept["lit"] = last.levels["lit"]
    elif last.point_in_letter and level == "lit":
        kept.pop("pkt", None)
    return kept


def _neighbours(texts: list[str]) -> bool:
    low, high = split(texts[0]), split(texts[1])
    if low is None or high is None:
        return True
    return high.base - low.base <= 1


def _bracket_range(last: Unit, value: Value) -> list[str] | None:
    """Equal numbers can still differ in their brackets."""
    if last.brackets and value.brackets and value.text in last.levels.values():
        return [value.text, value.text]
    return None
