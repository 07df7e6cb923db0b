"""Amending instructions: what a clause orders to be done to which unit, or that it is not understood."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from lexreview.law.keys import make_key, split_key
from lexreview.law.parsed import ParsedUnit, walk
from lexreview.law.polish.clauses import Clause
from lexreview.law.polish.unit_lists import Segment, Target, key_of, rank_of, read_unit_list, touches

EVERYTHING: Target = ()
VERBS = (
    "replace", "insert", "repeal", "words", "words_after", "words_out", "punctuation", "sentence", "intro", "closing",
)  # fmt: skip
DayOf = Callable[[str], date | None]
_QUOTED = re.compile(r"„([^„”]*)”")
_MARK = "⟦{}⟧"
_MARKED = r"⟦(?P<{}>\d+)⟧"
_CONTEXT = re.compile(r"\s*[Ww]e?\s+(?=(?:art\.|§|ust\.|pkt|lit\.|tiret)\s*[\da-z])")
_LIST_HEAD = re.compile(r"\s*(?:wprowadza\s+się\s+następujące\s+zmiany)?\s*:?\s*$")
_AND = re.compile(r"\s*(?:[,;]\s*)?(?:i|oraz|a)?\s*")
_NO_UNIT = re.compile(
    r"\s*(?:(?:w\s+|po\s+)?(?:dodaje\s+się\s+)?załącznik|(?:uchyla|dodaje)\s+się\s+(?:załącznik|odnośnik)|"
    r"(?:tytuł(?:\s+(?:ustawy|rozporządzenia))?|odnośnik\w*(?:\s+nr)?\s*\d*)\s+otrzymuj\w+\s+brzmienie)",
    re.IGNORECASE,
)
_CHAPTER = re.compile(
    r"(?:w\s+(?:części|księdze|tytule|dziale|rozdziale)\s+\S+\s+)*po\s+(?:tytule|dziale|rozdziale|oddziale)\s+\S+\s+"
    r"dodaje\s+się\s+(?:tytuł|dział|rozdział|oddział)y?\s+.{1,40}?\s+w\s+brzmieniu:?\s*"
)
_SENTENCE = re.compile(r"dodaje\s+się\s+zdani[ea]\s+\w+\s+w\s+brzmieniu:?\s*(?:⟦(?P<quote>\d+)⟧)?")
_SIGN_ADDED = re.compile(r"dodaje\s+się\s+(?P<new>kropkę|średnik|przecinek)(?=\s|$)")
_USED = re.compile(r"użyt\w+\s+(?=w\s)", re.IGNORECASE)
_ALSO_IN = re.compile(r"\s*,?\s*(?:i|oraz|a\s+także)\s+(?=we?\s+(?:art\.|§|ust\.|pkt|lit\.|tiret)\s*[\da-z])")
_INTRO = re.compile(r"wprowadzenie\s+do\s+wyliczenia\s+otrzymuje\s+brzmienie:?\s*(?:⟦(?P<quote>\d+)⟧)?")
_CLOSING = re.compile(r"część\s+wspólna(?:\s+wyliczenia)?\s+otrzymuje\s+brzmienie:?\s*(?:⟦(?P<quote>\d+)⟧)?")
_NOUN = r"(?:wyraz\w*|liczb\w*|kwot\w*|cyfr\w*|określeni\w*)"
_WORDS = re.compile(rf"{_NOUN}\s+⟦(?P<old>\d+)⟧\s+zastępuje\s+się\s+{_NOUN}\s+⟦(?P<new>\d+)⟧")
_WORDS_AFTER = re.compile(
    rf"po\s+{_NOUN}\s+⟦(?P<old>\d+)⟧\s+dodaje\s+się\s+(?P<comma>przecinek\s+i\s+)?{_NOUN}\s+⟦(?P<new>\d+)⟧"
)
_WORDS_OUT = re.compile(rf"(?:skreśla\s+się\s+{_NOUN}\s+⟦(?P<old>\d+)⟧|{_NOUN}\s+⟦(?P<old2>\d+)⟧\s+skreśla\s+się)")
_PUNCTUATION = re.compile(
    r"(?P<old>kropkę|średnik|przecinek)\s+zastępuje\s+się\s+(?P<new>kropką|średnikiem|przecinkiem)"
)
_SIGNS = {"kropk": ".", "średnik": ";", "przecink": ",", "przecinek": ","}
_REPEAL = re.compile(r"(?:uchyla|skreśla)\s+się\s+")
_ADD = re.compile(r"dodaje\s+się\s+")
_AFTER = re.compile(r"po\s+(?=(?:art\.|§|ust\.|pkt|lit\.|tiret)\s*[\da-z])")
_NEW_WORDING = re.compile(r"\s*otrzymuj[eą]\s+brzmienie:?\s*(?:⟦(?P<quote>\d+)⟧)?")
_IN_WORDING = re.compile(r"\s+w\s+brzmieniu:?\s*(?:⟦(?P<quote>\d+)⟧)?")
_REPEALED_BEHIND = re.compile(r"\s+(?:uchyla|skreśla)\s+się")
_WHOLE_ACT = re.compile(r"w\s+całej\s+ustawie\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Instruction:
    """One order. `verb` is one of `VERBS`, or `unknown` for an order that is not understood.

    `targets` are the units it names; the empty target stands for the whole act. For `insert`, `after` names the unit
    behind which the new ones stand (else they come last). `where` is the clause of the amending act, `effective_on`
    the day on which the order takes effect, None where that is not one known day.
    """

    verb: str
    targets: tuple[Target, ...]
    where: str
    text: str
    effective_on: date | None
    after: Target | None = None
    units: tuple[ParsedUnit, ...] = ()
    old: str = ""
    new: str = ""

    def touches(self, key: str) -> bool:
        """Whether the wording of the unit depends on this order."""
        if self.verb == "insert":
            return any(_related(unit.key, key) for unit in self.units)
        return any(touches(target, key) for target in self.targets)


def _related(one: str, other: str) -> bool:
    first, second = one.split("/"), other.split("/")
    length = min(len(first), len(second))
    return first[:length] == second[:length]


def interpret(clause: Clause, *, text: str, day_of: DayOf) -> list[Instruction]:
    """The orders of a clause and everything below it.

    `text` is the clause's text without the name of the amended act; `day_of` gives the day on which a unit of the
    amending act enters into force.
    """
    return list(_Interpreter(day_of).clause(clause, text, [()]))


class _Interpreter:
    def __init__(self, day_of: DayOf) -> None:
        self.day_of = day_of

    def clause(self, clause: Clause, text: str, contexts: list[Target]) -> Iterator[Instruction]:
        text = re.sub(r"^\s*[-–—]\s*", "", text)
        if _NO_UNIT.match(text):
            return
        if clause.children:
            own, rest = self.contexts(text, contexts)
            if _LIST_HEAD.fullmatch(rest):
                for child in clause.children:
                    yield from self.clause(child, child.text, own)
            else:
                yield self.unknown(clause, text, own)
            return
        yield from _Sentence(clause, text, contexts, self).orders()

    def contexts(self, text: str, contexts: list[Target]) -> tuple[list[Target], str]:
        """The units named by "w art. 5 w ust. 1" at the head of a text, below those named around it, and the rest."""
        position = 0
        finished: list[Target] = []
        while head := _CONTEXT.match(text, position):
            targets, end = read_unit_list(text, head.end())
            if not targets:
                break
            contexts = [below(context, target) for context in contexts for target in targets]
            position = end
            if also := _ALSO_IN.match(text, position):
                finished += contexts
                position = also.end()
            elif comma := re.compile(r"\s*,(?=\s)").match(text, position):
                position = comma.end()
        return finished + contexts, text[position:].strip()

    def unknown(self, clause: Clause, text: str, contexts: Sequence[Target]) -> Instruction:
        return Instruction("unknown", tuple(contexts), clause.key, text, self.day_of(clause.key))


def below(context: Target, target: Target) -> Target:
    """A target inside a context: levels of the context that lie above the target's first level are kept."""
    if not target:
        return context
    return (*(part for part in context if rank_of(part.level) < rank_of(target[0].level)), *target)


class _Sentence:
    """The orders in one clause without sub-clauses, read from left to right; what is left over is not understood."""

    def __init__(self, clause: Clause, text: str, contexts: list[Target], interpreter: _Interpreter) -> None:
        self.clause = clause
        self.inline: list[str] = []
        self.interpreter = interpreter
        self.outer = contexts
        self.original = text
        self.text = _QUOTED.sub(self._mark, text).strip().rstrip(".,;").strip()
        self.quotes = list(clause.quotes)

    def _mark(self, match: re.Match[str]) -> str:
        self.inline.append(match[1].strip())
        return _MARK.format(len(self.inline) - 1)

    def orders(self) -> Iterator[Instruction]:
        rest = self.text
        found: list[Instruction] = []
        contexts = self.outer
        while rest:
            if opening := _USED.match(rest):
                rest = rest[opening.end() :]
            contexts, rest = self.interpreter.contexts(rest, contexts)
            step = self.order(rest, contexts)
            if step is None:
                yield self.interpreter.unknown(self.clause, self.original, self._named(contexts, found))
                return
            orders, used = step
            found += orders
            rest = rest[used:]
            rest = rest[_AND.match(rest).end() :]  # type: ignore[union-attr]
        if self.quotes:
            yield self.interpreter.unknown(self.clause, self.original, self._named(contexts, found))
            return
        yield from found

    def _named(self, contexts: Sequence[Target], found: Sequence[Instruction]) -> list[Target]:
        """Every unit that a clause which is not understood may touch: its contexts, and what it named so far."""
        named = [target for order in found for target in order.targets]
        named += [tuple(_segments(unit.key)) for order in found for unit in order.units]
        mentioned = [
            below(context, target)
            for context in contexts
            for match in re.finditer(r"(?:art\.|§|ust\.|pkt|lit\.|tiret)\s*[\da-z]", self.text)
            for target in read_unit_list(self.text, match.start())[0]
        ]
        return [*contexts, *named, *mentioned]

    def order(self, rest: str, contexts: list[Target]) -> tuple[list[Instruction], int] | None:
        """The order at the head of the rest, and how much of it was read; None where it is not understood."""
        return (
            self.chapter(rest)
            or self.in_text(rest, contexts)
            or self.repeal(rest, contexts)
            or self.insert(rest, contexts)
            or self.replace(rest, contexts)
        )

    def make(self, verb: str, targets: Sequence[Target], **more: object) -> Instruction:
        return Instruction(
            verb,
            tuple(targets),
            self.clause.key,
            self.original,
            self.interpreter.day_of(self.clause.key),
            **more,  # type: ignore[arg-type]
        )

    def in_text(self, rest: str, contexts: list[Target]) -> tuple[list[Instruction], int] | None:
        """Orders about words, punctuation, and the opening or closing words of a list."""
        if whole := _WHOLE_ACT.match(rest):
            inner = self.in_text(rest[whole.end() :], [EVERYTHING])
            return (inner[0], whole.end() + inner[1]) if inner else None
        if match := _WORDS.match(rest):
            return self._words("words", contexts, match["old"], match["new"]), match.end()
        if match := _WORDS_AFTER.match(rest):
            new = int(match["new"])
            if match["comma"]:
                self.inline[new] = f", {self.inline[new]}"
            return self._words("words_after", contexts, match["old"], match["new"]), match.end()
        if match := _WORDS_OUT.match(rest):
            return self._words("words_out", contexts, match["old"] or match["old2"], None), match.end()
        if match := _PUNCTUATION.match(rest):
            return [self.make("punctuation", contexts, old=_sign(match["old"]), new=_sign(match["new"]))], match.end()
        if match := _SIGN_ADDED.match(rest):
            return [self.make("punctuation", contexts, new=_sign(match["new"]))], match.end()
        for verb, pattern in (("intro", _INTRO), ("closing", _CLOSING), ("sentence", _SENTENCE)):
            if match := pattern.match(rest):
                wording = self.wording(match["quote"])
                return ([self.make(verb, contexts, new=wording)], match.end()) if wording is not None else None
        return None

    def chapter(self, rest: str) -> tuple[list[Instruction], int] | None:
        """New articles that come in a new chapter."""
        match = _CHAPTER.match(rest)
        if match is None or not self.quotes or isinstance(self.quotes[0], str):
            return None
        quote = self.quotes.pop(0)
        units = [unit for top in quote if isinstance(top, ParsedUnit) for unit in _articles(top)]
        if not units:
            return None
        named = [tuple(_segments(unit.key)) for unit in units]
        return [self.make("insert", named, units=tuple(units))], match.end()

    def _words(self, verb: str, contexts: list[Target], old: str, new: str | None) -> list[Instruction]:
        added = self.inline[int(new)] if new is not None else ""
        return [self.make(verb, contexts, old=self.inline[int(old)], new=added)]

    def repeal(self, rest: str, contexts: list[Target]) -> tuple[list[Instruction], int] | None:
        if match := _REPEAL.match(rest):
            targets, end = read_unit_list(rest, match.end())
        else:
            targets, end = read_unit_list(rest)
            behind = _REPEALED_BEHIND.match(rest, end) if targets else None
            if behind is None:
                return None
            end = behind.end()
        if not targets:
            return None
        return [self.make("repeal", [below(context, target) for context in contexts for target in targets])], end

    def insert(self, rest: str, contexts: list[Target]) -> tuple[list[Instruction], int] | None:
        after: list[Target] = []
        position = 0
        if match := _AFTER.match(rest):
            after, position = read_unit_list(rest, match.end())
            position += len(rest[position:]) - len(rest[position:].lstrip())
        add = _ADD.match(rest, position)
        if add is None or len(contexts) != 1 or len(after) > 1:
            return None
        targets, end = read_unit_list(rest, add.end())
        wording = _IN_WORDING.match(rest, end)
        quotes = self.units(wording["quote"] if wording else None)
        if not targets or quotes is None:
            return None
        named = [below(contexts[0], target) for target in targets]
        units = rooted(quotes, named)
        if units is None:
            return None
        behind = below(contexts[0], after[0]) if after else _sibling(contexts[0], named[0])
        return [self.make("insert", named, after=behind, units=tuple(units))], (wording.end() if wording else end)

    def replace(self, rest: str, contexts: list[Target]) -> tuple[list[Instruction], int] | None:
        targets, end = read_unit_list(rest)
        wording = _NEW_WORDING.match(rest, end)
        if wording is None or len(contexts) != 1:
            return None
        named = [below(contexts[0], target) for target in targets] or [contexts[0]]
        quotes = self.units(wording["quote"])
        units = rooted(quotes, named) if quotes is not None and named != [()] else None
        if units is None:
            return None
        return [self.make("replace", named, units=tuple(units))], wording.end()

    def units(self, inline: str | None) -> list[ParsedUnit] | None:
        """The next quoted units; None where the quotation has no units of its own."""
        if inline is not None or not self.quotes:
            return None
        quote = self.quotes.pop(0)
        return None if isinstance(quote, str) else quote

    def wording(self, inline: str | None) -> str | None:
        """The next quoted words; a quotation of one dash ("– podlega karze grzywny.") is words too."""
        if inline is not None:
            return self.inline[int(inline)]
        if not self.quotes:
            return None
        quote = self.quotes.pop(0)
        if isinstance(quote, str):
            return quote
        if len(quote) == 1 and quote[0].level == "tiret" and not quote[0].children:
            return f"– {quote[0].text}"
        return None


def _sign(word: str) -> str:
    return next(sign for stem, sign in _SIGNS.items() if word.startswith(stem))


def _articles(unit: ParsedUnit) -> list[ParsedUnit]:
    if not unit.key.startswith("@"):
        return [rekey(unit, [])] if unit.level == "art" else []
    return [article for child in unit.children for article in _articles(child)]


def _segments(key: str) -> list[Segment]:
    return [Segment(level, number) for level, number in split_key(key)]


def _sibling(context: Target, named: Target) -> Target | None:
    """The unit of the same level in the context ("w pkt 9 … dodaje się pkt 10"): the new one stands behind it."""
    level = named[-1].level
    same = [part for part in context if part.level == level]
    if not same:
        return None
    return (*(part for part in context if rank_of(part.level) < rank_of(level)), same[-1])


def rooted(units: Sequence[ParsedUnit], named: Sequence[Target]) -> list[ParsedUnit] | None:
    """Quoted units with their full keys; None where they are not the units that the order names.

    A quoted chapter stands for the articles in it.
    """
    flat = [unit for top in units for unit in ([top] if not top.key.startswith("@") else top.children)]
    rest = list(flat)
    result = []
    for target in named:
        taken = [unit for unit in rest if _is(unit, target)]
        if not taken:
            return None
        rest = [unit for unit in rest if unit not in taken]
        context = [(part.level, part.first) for part in target[:-1]]
        if any(part.last for part in target[:-1]):
            return None
        result += [rekey(unit, context) for unit in taken]
    return result if not rest else None


def _is(unit: ParsedUnit, target: Target) -> bool:
    level, number = split_key(unit.key)[-1]
    return touches((target[-1],), make_key([(level, number)])) and target[-1].level == level


def rekey(unit: ParsedUnit, context: list[tuple[str, str]]) -> ParsedUnit:
    """A copy of a quoted unit and all below it with keys that begin with the context."""
    own = [*context, split_key(unit.key)[-1]]
    return ParsedUnit(
        make_key(own),
        unit.level,
        number=unit.number,
        heading=unit.heading,
        text=unit.text,
        closing=unit.closing,
        range_end=unit.range_end,
        is_repealed=unit.is_repealed,
        children=[rekey(child, own) for child in unit.children],
    )


def keys_named(instructions: Sequence[Instruction]) -> list[str]:
    """The keys of all units that orders name, for display; a range by its first unit, the whole act as `*`."""
    keys = {key_of(target) if target else "*" for order in instructions for target in order.targets}
    return sorted(keys | {unit.key for order in instructions if order.verb == "insert" for unit in walk(order.units)})
