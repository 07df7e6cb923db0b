"""Reads one number or letter of a chain where it stands, or says that it is none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lexreview.core.citations.chain_parts import Member
from lexreview.core.citations.numbering import Value, arabic, brackets_at, number_at
from lexreview.core.citations.view import LOWER_SUPERSCRIPTS, SUPERSCRIPTS, View

if TYPE_CHECKING:
    from lexreview.core.citations.chains import ChainParser

_LATIN = r"(?:bis|ter|quater|quinquies|sexies|septies)(?![^\W_])"
_SUFFIXED = rf"(?:-?{_LATIN}|\^\{{?{_LATIN}\}}?|[{SUPERSCRIPTS}]{{3,10}}|\s{_LATIN}(?=\s?\)))?"
_LETTER = re.compile(rf"[\"'„”»«]?(?P<letter>[a-z]{{1,2}}{_SUFFIXED})[\"'”»«]?(?P<close>\s?\))?(?![^\W_])")
# At the end of a line the dot ends a sentence: the next item of a numbered list begins with a digit.
_ABBREVIATION = re.compile(r"\.[^\S\n]?[a-z0-9]")
_AFTER_LETTER = re.compile(r"\s{0,3}(?:$|[,.;:()\]|–\-\n/\"”»?!])")
_NOT_A_UNIT = re.compile(r"/\s?\d|\s(?:szt|stk|pcs)\.|\s?[%‰€$]|\.\d|:\d|,\d\d(?!\d)\s?(?:zl|pln|eur|chf|fr)")
# What stands behind the number in these cases, at once or behind a blank.
_COUNTS, _COUNTED = frozenset("/%‰€$.:,\n"), frozenset("sp%‰€$")
_PRODUCT = re.compile(r"-[A-Z](?!\w)")
PAIR = re.compile(
    r"/(?P<second>(?!19\d\d|20\d\d)\d{1,4}[a-z]?)(?=\s(?:ff?\.\s)?[A-ZÄÖÜ][A-Za-zÄÖÜäöü]{0,6}[A-Z](?![a-z]))"
)
# "Articles 14 and 15 MAR": an act in capitals, no 15 March.
_NAMED_LIKE_MONTH = re.compile(r"\s{1,3}MAR(?!\w|\.?\s?\d)")
_BRACKET_REACH = 100
# "lit. b und c erfüllt": German has no words of one letter; of other languages these are.
_GERMAN_AND = re.compile(r"(?:und|oder|sowie|bzw\.)\s{1,3}\Z")
_WORDS_OF_ONE_LETTER = frozenset("aeiouwyz")
_INNER = frozenset(("ust", "pkt", "par"))
# "comma VI", "Abs. II", "Ziff. ii": a lone "I" is a word too, and small ones are read from two letters on.
_ROMAN = re.compile(
    r"(?:(?:VI{0,3}|I[VX]|I{2,3}|X)(?![\w-])|I(?=\s?[,;)]|\s[A-Z]|\sc\.)|(?:vi{1,3}|i[vx]|i{2,3})(?![\w.-]))"
)
# "lit. b, a w § 5": Polish prepositions of one letter.
_PREPOSITIONS = frozenset("wz")
_SECTION = re.compile(r"\s{1,3}(?:§|art)")
LAW_WORD = re.compile(
    r"(?:ustaw|rozporzadz|dyrektyw|kodeks|praw[ao]|konwencj|konstytucj|ordynacj|te[jg]|ww|cyt|of\s|des?\s"
    r"|du\s|del\s|dell'|della?|dello|der\s|von\s"
    r"|[a-z]{1,3}\.\s?[a-z]{1,4}\.|i\.?v\.?m|in\s|w\s?z[wb]|rodo)"
)


class ValueReader:
    """The state of one run over one chain, and the reading of single values."""

    def __init__(self, parser: ChainParser, view: View) -> None:
        self.parser = parser
        self.view = view
        self.folded = view.folded
        self.members: list[Member] = []
        self.count = 0
        self.several = False

    def _value(self, level: str, position: int, *, in_list: bool) -> Value | None:
        if level == "lit":
            return self._letter(position, in_list=in_list)
        if in_list and (self.parser.sentence.match(self.folded, position) or self._is_before(position)):
            return None
        if level == "art" and self.folded.startswith("premier", position):
            return Value("1", position + len("premier"))
        value = number_at(self.folded, position)
        if value is None:
            return self._without_number(level, position, in_list=in_list)
        if not self.parser.style.raised and "^" in value.text:
            value = value._replace(text=value.text.split("^")[0])
        return self._number(level, value, in_list=in_list)

    def _without_number(self, level: str, position: int, *, in_list: bool) -> Value | None:
        """ "paragraphs (1) and (2)", "ustęp pierwszy", "point f)": what else may stand behind the word for a unit."""
        bracketed = not in_list or self.folded[self.members[-1].end - 1] == ")"
        if bracketed and level in _INNER and (groups := brackets_at(self.folded, position))[0]:
            in_order = not in_list or groups[0][0].isdigit()
            return Value(groups[0][0], groups[1], groups[0][1:]) if in_order else None
        if in_list:
            return None
        if level in _INNER and (ordinal := self.parser.spelled.match(self.folded, position)):
            return Value(str(self.parser.ordinals[ordinal["ordinal"]]), ordinal.end())
        if level in _INNER and (roman := _ROMAN.match(self.view.text, position)):
            # A small numeral stays as it is written, like a letter.
            return Value(roman[0] if roman[0].islower() else str(arabic(roman[0])), roman.end())
        return self._lettered_point(position) if level == "pkt" else None

    def _is_before(self, position: int) -> bool:
        """ "art. 92, 2e al.": the number belongs to the word behind it."""
        parser = self.parser
        return parser.may_be_before(self.folded, position) and bool(parser.before.match(self.folded, position))

    def _number(self, level: str, value: Value, *, in_list: bool) -> Value | None:
        folded, style = self.folded, self.parser.style
        sign, behind = self.view.text[value.end : value.end + 1], folded[value.end + 1 : value.end + 2]
        if sign == "." and style.dotted and level == "art" and (dot := self.parser.dot.match(folded, value.end)):
            return value._replace(brackets=(dot[1],), end=dot.end())
        if sign == "/" and level == "art" and PAIR.match(self.view.text, value.end):
            return value
        if (sign in _COUNTS if sign != " " else behind in _COUNTED) and _NOT_A_UNIT.match(folded, value.end):
            return None
        if sign == "-" and _PRODUCT.match(self.view.text, value.end):
            return None
        stops = in_list and self.parser.stop.match(folded, value.end)
        if stops and not _NAMED_LIKE_MONTH.match(self.view.text, value.end):
            return None
        if style.glued and (apart := self._apart(value)):
            return apart
        if (
            style.flattened
            and level == "art"
            and behind.isdigit()
            and value.text.isdigit()
            and (flat := self.parser.flat.match(folded, value.end))
        ):
            return Value(f"{value.text}^{flat[1]}", flat.end(), (), value.text)
        groups, end = brackets_at(folded, value.end)
        return value._replace(brackets=groups, end=end) if groups else value

    def _apart(self, value: Value) -> Value | None:
        """ "118k.c." and "118kc": letters that begin an abbreviation are no suffix."""
        digits = value.text.rstrip("abcdefghijklmnopqrstuvwxyz")
        suffix = value.text[len(digits) :]
        if not suffix or "^" in value.text or not self.folded.startswith(suffix, value.end - len(suffix)):
            return None
        dotted = _ABBREVIATION.match(self.folded, value.end) and self.folded[value.end + 1] != " "
        return Value(digits, value.end - len(suffix)) if suffix in self.parser.style.glued or dotted else None

    def _letter(self, position: int, *, in_list: bool) -> Value | None:
        opening = 1 if self.folded.startswith("(", position) else 0
        match = _LETTER.match(self.folded, position + opening)
        if match is None:
            return None
        end = match.end("letter") if match["close"] and self._closes_bracket(position, match.end()) else match.end()
        letter = match["letter"].translate(LOWER_SUPERSCRIPTS)
        if not self.view.text[match.start("letter")].isascii():
            return None
        if in_list and not match["close"] and not self._listed(match):
            return None
        is_word = in_list and not match["close"] and not self._is_no_word(match["letter"], position, end)
        if is_word and not self._letter_ends(match["letter"], end):
            return None
        return Value(re.sub(r"[\s^{}-]", "", letter), end)

    def _closes_bracket(self, position: int, end: int) -> bool:
        """ "(§ 1 lit. b), …": the sign behind the letter closes a bracket that stands open in front of the chain."""
        before = self.folded[max(0, position - _BRACKET_REACH) : position]
        rest = re.split(r"[(\n]", self.folded[end : end + _BRACKET_REACH], maxsplit=1)[0]
        return before.count("(") > before.count(")") and ")" not in rest

    def _lettered_point(self, position: int) -> Value | None:
        """ "paragraphe 1, point f)": European texts call letters points."""
        match = _LETTER.match(self.folded, position)
        lettered = match and match["close"] and len(match["letter"]) == 1
        return Value(match["letter"], match.end()) if match and lettered else None

    def _listed(self, match: re.Match[str]) -> bool:
        """ "let. d, CO" and "lett. b), c.p.p." go on with an act, not with a letter."""
        letter = match["letter"].partition("-")[0]
        mixed = len(letter) == 2 and letter[0] != letter[1]
        capital = self.view.text[match.start("letter")].isupper()
        if match["letter"] in _PREPOSITIONS and _SECTION.match(self.folded, match.end()):
            return False
        return not mixed and not capital and not _ABBREVIATION.match(self.folded, match.end())

    def _is_no_word(self, letter: str, position: int, end: int) -> bool:
        if self.folded[end : end + 1] != " ":
            return False
        return letter not in _WORDS_OF_ONE_LETTER or bool(
            _GERMAN_AND.search(self.folded, max(0, position - 10), position)
        )

    def _letter_ends(self, letter: str, end: int) -> bool:
        """Single letters are words in some languages: in a list they count only where a list can go on or end."""
        if _AFTER_LETTER.match(self.folded, end):
            return True
        follows = self.parser.adjacent.match(self.folded, end)
        after = follows.end() if follows else end
        if self.parser.separator.match(self.folded, end) or self.parser.marker.match(self.folded, after):
            return True
        return self.view.text[after : after + 1].isupper() or bool(LAW_WORD.match(self.folded, after))
