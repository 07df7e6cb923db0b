"""A scoring specification: criteria and error classes are data, read from its YAML form."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import TypeVar

from lexreview.core.methods.reference_card.facts import Origin, Scope
from lexreview.core.methods.reference_card.record_fields import RecordFields
from lexreview.core.methods.reference_card.versions import parse_version

METHOD = "reference-card"
CORE_CRITERION = "A-R"
"""The criterion whose full points make a full core; its code is fixed by the method."""

LONGEST_CRITERION = 20
LONGEST_ERROR_CLASS = 10
"""Characters that a code may have."""
MOST_POINTS = 10_000
MOST_PLACES = 6

Texts = Mapping[str, str]
"""A text per language code."""


class Fault(StrEnum):
    """Faults that lie in how fields stand to each other; a form has words of its own for them."""

    STEP_NOT_POSITIVE = "step_not_positive"
    MINIMUM_BELOW_ZERO = "minimum_below_zero"
    BLOCK_AND_ENTERS = "block_and_enters"
    MAXIMUM_BELOW_MINIMUM = "maximum_below_minimum"
    STEP_MISSES_MAXIMUM = "step_misses_maximum"
    FULL_OUTSIDE = "full_outside"
    CODE_TWICE = "code_twice"
    NO_CORE = "no_core"
    RULED_NOT_ONCE = "ruled_not_once"


class SpecificationError(ValueError):
    """The specification is not valid; `field` is the path of the field, such as `criteria[2].step`.

    `place` is the path of what has to change where `field` names a whole list. `faults` are all that were found, in
    the order of the record and this one first.
    """

    def __init__(self, field: str, message: str, *, kind: Fault | None = None, place: str = "") -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message
        self.kind = kind
        self.place = place or field
        self.faults: Sequence[SpecificationError] = (self,)


Value = TypeVar("Value")


@dataclass
class _Faults:
    """Reading goes on after a fault, so that all are found at once. `unreadable`: an item is no record at all."""

    found: list[SpecificationError] = field(default_factory=list)
    unreadable: bool = False

    def take(self, read: Callable[[str], Value], name: str, instead: Value) -> Value:
        """What `read` makes of the field, or `instead` where it finds a fault, which is noted."""
        try:
            return read(name)
        except SpecificationError as fault:
            self.found.append(fault)
            return instead

    def raise_any(self) -> None:
        if self.found:
            first = self.found[0]
            first.faults = tuple(self.found)
            raise first


class KeyMaximum(StrEnum):
    """A maximum that each key sets for itself."""

    RUBRIC = "rubric"
    BASES = "bases"
    PENALTIES = "penalties"


class NotApplicableWhen(StrEnum):
    KEY_HAS_NO_RUBRIC = "key_has_no_rubric"
    KEY_HAS_NO_BASES = "key_has_no_bases"
    KEY_HAS_NO_PENALTIES = "key_has_no_penalties"
    NO_TRAP = "no_trap"
    QUESTION_CLOSED = "question_closed"
    NOT_DISPUTED = "not_disputed"


class Enters(StrEnum):
    """How a criterion enters A %: added, subtracted, or shown apart."""

    POINTS = "points"
    PENALTY = "penalty"
    SEPARATE = "separate"


class Rule(StrEnum):
    """A criterion that is not scored by hand but follows from the card."""

    NO_HALLUCINATION = "no_hallucination"


@dataclass(frozen=True, slots=True)
class Criterion:
    """One criterion. `full` is the number of points that counts as complete, where that matters."""

    code: str
    block: str
    name: Texts
    minimum: Decimal
    maximum: Decimal | KeyMaximum
    step: Decimal
    full: Decimal | None
    not_applicable_when: NotApplicableWhen | None
    enters: Enters
    rule: Rule | None
    help: Texts


@dataclass(frozen=True, slots=True)
class ErrorClass:
    code: str
    name: Texts
    description: Texts
    hallucination: bool


@dataclass(frozen=True, slots=True)
class Specification:
    """One version of the scoring rules. `rules_changed`: does it change scores against the version before?"""

    name: str
    version: str
    dated: date
    title: Texts
    text: Texts
    change_note: Texts
    rules_changed: bool
    criteria: tuple[Criterion, ...]
    error_classes: tuple[ErrorClass, ...]
    origins: tuple[Origin, ...]
    scopes: tuple[Scope, ...]
    a_percent_below_zero: bool = False

    def criterion(self, code: str) -> Criterion:
        """The criterion with that code; `KeyError` when the specification has none."""
        for criterion in self.criteria:
            if criterion.code == code:
                return criterion
        raise KeyError(code)

    def error_class(self, code: str) -> ErrorClass:
        """The error class with that code; `KeyError` when the specification has none."""
        for error_class in self.error_classes:
            if error_class.code == code:
                return error_class
        raise KeyError(code)

    @property
    def core_criterion(self) -> Criterion:
        return self.criterion(CORE_CRITERION)

    @property
    def no_hallucination_criterion(self) -> Criterion:
        return next(criterion for criterion in self.criteria if criterion.rule is Rule.NO_HALLUCINATION)


def specification_from_dict(record: object) -> Specification:
    """The specification that a specification YAML file holds, as loaded by a YAML reader.

    Raises `SpecificationError` with the path of the first field that is missing, unknown, of the
    wrong kind or at odds with another, and with all such fields in `faults`. A penalty criterion may leave
    out `maximum`: the key's number of penalties is meant. `a_percent_below_zero` may be left out and is false then.
    """
    fields = RecordFields(record, path="", error=SpecificationError)
    faults = _Faults()
    faults.take(lambda name: _check_method(fields, name), "method", None)
    specification = Specification(
        name=faults.take(fields.text, "name", ""),
        version=faults.take(lambda name: _version(fields, name), "version", ""),
        dated=faults.take(fields.day, "date", date.min),
        title=faults.take(fields.texts, "title", {}),
        text=faults.take(fields.texts, "text", {}),
        change_note=faults.take(fields.texts, "change_note", {}),
        rules_changed=faults.take(fields.flag, "rules_changed", False),
        criteria=tuple(_criterion(item, path, faults) for path, item in _items(fields, "criteria", faults)),
        error_classes=tuple(_error_class(item, path, faults) for path, item in _items(fields, "error_classes", faults)),
        origins=faults.take(lambda name: fields.choices(name, Origin), "origins", ()),
        scopes=faults.take(lambda name: fields.choices(name, Scope), "scopes", ()),
        a_percent_below_zero=(
            faults.take(fields.flag, "a_percent_below_zero", False) if fields.has("a_percent_below_zero") else False
        ),
    )
    faults.take(lambda _name: fields.finish(), "", None)
    if not faults.unreadable:
        faults.found += _faults_of_whole(specification)
    faults.raise_any()
    return specification


def _check_method(fields: RecordFields, name: str) -> None:
    if (method := fields.text(name)) != METHOD:
        fields.refuse(name, f"expected {METHOD}, found {method!r}")


def _version(fields: RecordFields, name: str) -> str:
    version = fields.text(name)
    try:
        parse_version(version)
    except ValueError as error:
        fields.refuse(name, str(error))
    return version


def _items(fields: RecordFields, name: str, faults: _Faults) -> Iterator[tuple[str, RecordFields]]:
    """(path, fields) of every item of a list; a list or an item that cannot be read is noted and left out."""
    nothing: Sequence[object] = ()
    items = faults.take(fields.items, name, nothing)
    faults.unreadable |= not items
    for position, item in enumerate(items):
        path = f"{name}[{position}]"
        try:
            yield path, RecordFields(item, path=path, error=SpecificationError)
        except SpecificationError as fault:
            faults.found.append(fault)
            faults.unreadable = True


def _criterion(fields: RecordFields, path: str, faults: _Faults) -> Criterion:
    before = len(faults.found)
    zero = Decimal(0)
    most: Decimal | KeyMaximum = zero
    enters = faults.take(lambda name: fields.choice(name, Enters), "enters", Enters.POINTS)
    criterion = Criterion(
        code=faults.take(fields.text, "code", ""),
        block=faults.take(fields.text, "block", ""),
        name=faults.take(fields.texts, "name", {}),
        minimum=faults.take(lambda name: _points(fields, name), "minimum", zero),
        maximum=faults.take(lambda name: _maximum(fields, name, enters=enters), "maximum", most),
        step=faults.take(lambda name: _points(fields, name), "step", zero),
        full=faults.take(lambda name: _points(fields, name), "full", zero) if fields.has("full") else None,
        not_applicable_when=(
            faults.take(lambda name: fields.choice(name, NotApplicableWhen), "not_applicable_when", None)
            if fields.has("not_applicable_when")
            else None
        ),
        enters=enters,
        rule=faults.take(lambda name: fields.choice(name, Rule), "rule", None) if fields.has("rule") else None,
        help=faults.take(fields.texts, "help", {}),
    )
    faults.take(lambda _name: fields.finish(), "", None)
    if len(faults.found) == before:
        faults.found += _faults_of_criterion(criterion, path)
    return criterion


def _maximum(fields: RecordFields, name: str, *, enters: Enters) -> Decimal | KeyMaximum:
    if enters is Enters.PENALTY and not fields.has(name):
        return KeyMaximum.PENALTIES
    try:
        fields.number(name)
    except SpecificationError:
        return fields.choice(name, KeyMaximum)
    return _points(fields, name)


def _points(fields: RecordFields, name: str) -> Decimal:
    """A number that points can be reckoned with: decimals of any size cannot be divided."""
    number = fields.number(name)
    exponent = number.as_tuple().exponent
    if not -MOST_POINTS <= number <= MOST_POINTS or not isinstance(exponent, int) or exponent < -MOST_PLACES:
        fields.refuse(name, f"expected a number of at most {MOST_POINTS} with at most {MOST_PLACES} decimal places")
    return number


def _faults_of_criterion(criterion: Criterion, path: str) -> Iterator[SpecificationError]:
    """Fields of a criterion that are at odds with each other."""

    def fault(kind: Fault, name: str, message: str) -> SpecificationError:
        return SpecificationError(f"{path}.{name}", message, kind=kind)

    minimum, maximum, step = criterion.minimum, criterion.maximum, criterion.step
    if step <= 0:
        yield fault(Fault.STEP_NOT_POSITIVE, "step", "has to be more than 0")
    if minimum < 0:
        yield fault(Fault.MINIMUM_BELOW_ZERO, "minimum", "has to be 0 or more; a penalty is counted up and subtracted")
    if (criterion.enters is Enters.SEPARATE) == (criterion.block == "A"):
        said = "block A enters as points or penalty, every other block as separate"
        yield fault(Fault.BLOCK_AND_ENTERS, "enters", said)
    if isinstance(maximum, KeyMaximum):
        return
    if maximum < minimum:
        yield fault(Fault.MAXIMUM_BELOW_MINIMUM, "maximum", f"is less than the minimum {minimum}")
        return
    if step > 0 and (maximum - minimum) % step:
        yield fault(Fault.STEP_MISSES_MAXIMUM, "step", f"does not lead from {minimum} to {maximum}")
    if criterion.full is not None and not minimum <= criterion.full <= maximum:
        yield fault(Fault.FULL_OUTSIDE, "full", f"lies outside {minimum} to {maximum}")


def _error_class(fields: RecordFields, path: str, faults: _Faults) -> ErrorClass:
    error_class = ErrorClass(
        code=faults.take(fields.text, "code", ""),
        name=faults.take(fields.texts, "name", {}),
        description=faults.take(fields.texts, "description", {}),
        hallucination=faults.take(fields.flag, "hallucination", False),
    )
    faults.take(lambda _name: fields.finish(), "", None)
    return error_class


def _faults_of_whole(specification: Specification) -> Iterator[SpecificationError]:
    yield from _faults_of_codes("criteria", [each.code for each in specification.criteria], longest=LONGEST_CRITERION)
    yield from _faults_of_codes(
        "error_classes", [each.code for each in specification.error_classes], longest=LONGEST_ERROR_CLASS
    )
    core = [criterion for criterion in specification.criteria if criterion.code == CORE_CRITERION]
    if not core or core[0].full is None:
        said = f"one criterion has to be {CORE_CRITERION} and say what `full` is"
        place = f"criteria[{specification.criteria.index(core[0])}].full" if core else ""
        yield SpecificationError("criteria", said, kind=Fault.NO_CORE, place=place)
    ruled = [place for place, each in enumerate(specification.criteria) if each.rule is Rule.NO_HALLUCINATION]
    if len(ruled) != 1:
        said = f"exactly one has the rule {Rule.NO_HALLUCINATION}, found {len(ruled)}"
        place = f"criteria[{ruled[1]}].rule" if ruled else ""
        yield SpecificationError("criteria", said, kind=Fault.RULED_NOT_ONCE, place=place)


def _faults_of_codes(name: str, codes: list[str], *, longest: int) -> Iterator[SpecificationError]:
    for position, code in enumerate(codes):
        if len(code) > longest:
            yield SpecificationError(f"{name}[{position}].code", f"has {len(code)} characters, at most {longest}")
    for position, code in enumerate(codes):
        if code and code in codes[:position]:
            said = f"the code {code!r} is used twice"
            yield SpecificationError(name, said, kind=Fault.CODE_TWICE, place=f"{name}[{position}].code")
