"""Applying amending instructions to the units of an article, one after the other, or saying why that cannot be done."""

import re
from collections.abc import Callable, Sequence
from copy import deepcopy

from lexreview.law.keys import article_key, number_rank, split_key
from lexreview.law.parsed import ParsedUnit, walk
from lexreview.law.polish.instructions import Instruction
from lexreview.law.polish.unit_lists import Target, covers, rank_of, touches

_GONE = {"lit": "(uchylona)", "tiret": "(uchylone)"}


class CannotApply(Exception):
    """An instruction does not fit the text that it should change; the message says where and why."""

    def __init__(self, reason: str, instruction: Instruction) -> None:
        self.reason = reason
        self.instruction = instruction
        super().__init__(f"{instruction.where}: {reason}: {instruction.text[:200]}")


def apply_all(article: ParsedUnit | None, *, key: str, instructions: Sequence[Instruction]) -> ParsedUnit | None:
    """The article of a unit after all instructions in their order.

    `article` is the article (with everything under it) before them, None where it does not exist yet; the result is
    None where no instruction brought it into being. Instructions about other units of the article are applied as well,
    because later ones may refer to what they made; where one of those does not fit, it is left out. Raises CannotApply
    for one that touches the unit.
    """
    state = deepcopy(article)
    for instruction in instructions:
        if not _concerns(instruction, article_key(key)):
            continue
        try:
            state = _VERBS[instruction.verb](deepcopy(state), instruction, article_key(key))
        except CannotApply:
            if instruction.touches(key):
                raise
    return state


def _concerns(instruction: Instruction, article: str) -> bool:
    if instruction.verb == "insert":
        return any(article_key(unit.key) == article for unit in instruction.units)
    return any(touches(target, article) for target in instruction.targets)


def find(article: ParsedUnit | None, key: str) -> ParsedUnit | None:
    """The unit with the key in an article."""
    return next((unit for unit in walk([article]) if unit.key == key), None) if article is not None else None


def _present(state: ParsedUnit | None, instruction: Instruction) -> ParsedUnit:
    if state is None:
        raise CannotApply("the article does not exist", instruction)
    return state


def _named(state: ParsedUnit, target: Target, instruction: Instruction) -> list[ParsedUnit]:
    """The units of the article that a target names; it must name at least one, unless it spans several articles."""
    if not target:
        return [state]
    depth = len([pair for pair in split_key(state.key) if pair[0] != "dis"])
    if len(target) <= depth:
        return [state] if covers(target, state.key) else []
    units = [
        unit
        for unit in walk([state])
        if not unit.key.startswith("@") and covers(target, unit.key) and len(split_key(unit.key)) == len(target)
    ]
    if not units:
        raise CannotApply("the unit that it names does not exist", instruction)
    return units


def _is_narrow(target: Target) -> bool:
    return bool(target) and not any(segment.last for segment in target)


def _replace(state: ParsedUnit | None, instruction: Instruction, article: str) -> ParsedUnit | None:
    for unit in instruction.units:
        if article_key(unit.key) != article:
            continue
        new = deepcopy(unit)
        if new.key == article:
            state = _keep_heading(new, _present(state, instruction))
            continue
        holder, index = _place(_present(state, instruction), new.key, instruction)
        holder.children[index] = _keep_heading(new, holder.children[index])
    return state


def _keep_heading(new: ParsedUnit, old: ParsedUnit) -> ParsedUnit:
    new.heading = new.heading or old.heading
    new.eid = old.eid
    return new


def _place(state: ParsedUnit, key: str, instruction: Instruction) -> tuple[ParsedUnit, int]:
    for holder in walk([state]):
        for index, child in enumerate(holder.children):
            if child.key == key:
                return holder, index
    raise CannotApply("the unit that it replaces does not exist", instruction)


def _insert(state: ParsedUnit | None, instruction: Instruction, article: str) -> ParsedUnit | None:
    position = 0
    for unit in (unit for unit in instruction.units if article_key(unit.key) == article):
        new = deepcopy(unit)
        if new.key == article:
            if state is not None and not state.is_repealed:
                raise CannotApply("an article with this number exists already", instruction)
            state = new
            continue
        holder = _holder(_present(state, instruction), new, instruction)
        existing = next((child for child in holder.children if child.key == new.key), None)
        if existing is not None:
            raise CannotApply("a unit with this number exists already", instruction)
        holder.children.insert(_position(holder, new, instruction) + position, new)
        position += instruction.after is not None
    return state


def _holder(state: ParsedUnit, new: ParsedUnit, instruction: Instruction) -> ParsedUnit:
    parts = new.key.split("/")
    holder = find(state, "/".join(parts[:-1]))
    if holder is None:
        raise CannotApply("the unit to which it adds does not exist", instruction)
    if holder.text and not holder.children and rank_of(new.level) <= rank_of("ust"):
        raise CannotApply("the unit to which it adds has no numbered parts", instruction)
    return holder


def _position(holder: ParsedUnit, new: ParsedUnit, instruction: Instruction) -> int:
    """Where a new unit stands: behind the unit that the order names, else last, which its number must allow."""
    if instruction.after is not None:
        for index, child in enumerate(holder.children):
            if covers(instruction.after, child.key) and len(split_key(child.key)) == len(instruction.after):
                return index + 1
        raise CannotApply("the unit behind which it adds does not exist", instruction)
    siblings = [child for child in holder.children if child.level == new.level]
    if siblings:
        before, after = number_rank(_number(siblings[-1])), number_rank(_number(new))
        if before is not None and after is not None and after <= before:
            raise CannotApply("its number does not follow the last one", instruction)
    return len(holder.children)


def _number(unit: ParsedUnit) -> str:
    return unit.range_end or unit.key.rpartition("=")[2]


def _repeal(state: ParsedUnit | None, instruction: Instruction, article: str) -> ParsedUnit | None:
    for target in instruction.targets:
        if not touches(target, article) or (state is None and not _is_narrow(target)):
            continue
        for unit in _named(_present(state, instruction), target, instruction):
            if unit.is_repealed:
                if _is_narrow(target):
                    raise CannotApply("the unit is repealed already", instruction)
                continue
            unit.text, unit.closing, unit.children = _GONE.get(unit.level, "(uchylony)"), "", []
            unit.heading, unit.is_repealed = "", True
    return state


def _words(change: Callable[[str, Instruction], str], *, once: bool) -> "_Verb":
    def apply(state: ParsedUnit | None, instruction: Instruction, article: str) -> ParsedUnit | None:
        for target in instruction.targets:
            if not touches(target, article) or (state is None and not _is_narrow(target)):
                continue
            for unit in _named(_present(state, instruction), target, instruction):
                hits = sum(len(_whole(instruction.old).findall(part)) for part in _parts(unit))
                if not hits and _is_narrow(target):
                    raise CannotApply("the words that it changes are not in the unit", instruction)
                if hits > 1 and once:
                    raise CannotApply("the words behind which it adds stand there more than once", instruction)
                for inner in walk([unit]):
                    inner.text = change(inner.text, instruction)
                    inner.closing = change(inner.closing, instruction)
        return state

    return apply


def _whole(words: str) -> re.Pattern[str]:
    """Matches the words where they are not part of longer ones."""
    before = r"(?<!\w)" if words[:1].isalnum() else ""
    behind = r"(?!\w)" if words[-1:].isalnum() else ""
    return re.compile(f"{before}{re.escape(words)}{behind}")


def holds_words(text: str, words: str) -> bool:
    """Whether a text holds the words, not as part of longer ones."""
    return bool(_whole(words).search(text))


def _exchange(text: str, instruction: Instruction) -> str:
    return _whole(instruction.old).sub(lambda _: instruction.new, text)


def _parts(unit: ParsedUnit) -> list[str]:
    return [part for inner in walk([unit]) for part in (inner.text, inner.closing)]


def _without(text: str, instruction: Instruction) -> str:
    cut = _whole(instruction.old).sub("", text)
    return text if cut == text else re.sub(r"\s+(?=[\s,.;:])|^\s+", "", cut)


def _with_more(text: str, instruction: Instruction) -> str:
    glue = "" if instruction.new.startswith(",") else " "
    return _whole(instruction.old).sub(lambda match: f"{match[0]}{glue}{instruction.new}", text)


def _punctuation(state: ParsedUnit | None, instruction: Instruction, article: str) -> ParsedUnit | None:
    for target in instruction.targets:
        for unit in _named(_present(state, instruction), target, instruction):
            last = unit
            while last.children and not last.closing:
                last = last.children[-1]
            field = "closing" if last.closing else "text"
            text = getattr(last, field)
            if instruction.old and not text.endswith(instruction.old):
                raise CannotApply(f"the unit does not end with {instruction.old!r}", instruction)
            setattr(last, field, text.removesuffix(instruction.old) + instruction.new)
    return state


def _set(field: str) -> "_Verb":
    def apply(state: ParsedUnit | None, instruction: Instruction, article: str) -> ParsedUnit | None:
        for target in instruction.targets:
            for unit in _named(_present(state, instruction), target, instruction):
                if not unit.children or not getattr(unit, field):
                    raise CannotApply("the unit has no list with such words", instruction)
                setattr(unit, field, instruction.new)
        return state

    return apply


def _sentence(state: ParsedUnit | None, instruction: Instruction, article: str) -> ParsedUnit | None:
    for target in instruction.targets:
        for unit in _named(_present(state, instruction), target, instruction):
            if unit.children or not unit.text.endswith("."):
                raise CannotApply("the place of the new sentence is not clear", instruction)
            unit.text = f"{unit.text} {instruction.new}"
    return state


def _unknown(state: ParsedUnit | None, instruction: Instruction, article: str) -> ParsedUnit | None:
    raise CannotApply("it is not understood", instruction)


_Verb = Callable[[ParsedUnit | None, Instruction, str], ParsedUnit | None]
_VERBS: dict[str, _Verb] = {
    "replace": _replace,
    "insert": _insert,
    "repeal": _repeal,
    "words": _words(_exchange, once=False),
    "words_after": _words(_with_more, once=True),
    "words_out": _words(_without, once=False),
    "punctuation": _punctuation,
    "sentence": _sentence,
    "intro": _set("text"),
    "closing": _set("closing"),
    "unknown": _unknown,
}
