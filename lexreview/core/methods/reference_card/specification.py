"""A scoring specification: criteria and error classes are data, read from its YAML form."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum

from lexreview.core.methods.reference_card.facts import Origin, Scope
from lexreview.core.methods.reference_card.record_fields import RecordFields
from lexreview.core.methods.reference_card.versions import parse_version

METHOD = "reference-card"
CORE_CRITERION = "A-R"
"""The criterion whose full points make a full core; its code is fixed by the method."""

Texts = Mapping[str, str]
"""A text per language code."""


class SpecificationError(ValueError):
    """The specification is not valid; `field` is the path of the field, such as `criteria[2].step`."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field


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
    wrong kind or at odds with another. A penalty criterion may leave out `maximum`: the key's
    number of penalties is meant. `a_percent_below_zero` may be left out and is false then.
    """
    fields = RecordFields(record, path="", error=SpecificationError)
    if (method := fields.text("method")) != METHOD:
        fields.refuse("method", f"expected {METHOD}, found {method!r}")
    specification = Specification(
        name=fields.text("name"),
        version=_version(fields),
        dated=fields.day("date"),
        title=fields.texts("title"),
        text=fields.texts("text"),
        change_note=fields.texts("change_note"),
        rules_changed=fields.flag("rules_changed"),
        criteria=tuple(
            _criterion(item, path=f"criteria[{position}]") for position, item in enumerate(fields.items("criteria"))
        ),
        error_classes=tuple(
            _error_class(item, path=f"error_classes[{position}]")
            for position, item in enumerate(fields.items("error_classes"))
        ),
        origins=fields.choices("origins", Origin),
        scopes=fields.choices("scopes", Scope),
        a_percent_below_zero=fields.flag("a_percent_below_zero") if fields.has("a_percent_below_zero") else False,
    )
    fields.finish()
    _check_whole(specification)
    return specification


def _version(fields: RecordFields) -> str:
    version = fields.text("version")
    try:
        parse_version(version)
    except ValueError as error:
        fields.refuse("version", str(error))
    return version


def _criterion(record: object, *, path: str) -> Criterion:
    fields = RecordFields(record, path=path, error=SpecificationError)
    enters = fields.choice("enters", Enters)
    criterion = Criterion(
        code=fields.text("code"),
        block=fields.text("block"),
        name=fields.texts("name"),
        minimum=fields.number("minimum"),
        maximum=_maximum(fields, enters=enters),
        step=fields.number("step"),
        full=fields.number("full") if fields.has("full") else None,
        not_applicable_when=(
            fields.choice("not_applicable_when", NotApplicableWhen) if fields.has("not_applicable_when") else None
        ),
        enters=enters,
        rule=fields.choice("rule", Rule) if fields.has("rule") else None,
        help=fields.texts("help"),
    )
    fields.finish()
    _check_criterion(criterion, fields)
    return criterion


def _maximum(fields: RecordFields, *, enters: Enters) -> Decimal | KeyMaximum:
    if enters is Enters.PENALTY and not fields.has("maximum"):
        return KeyMaximum.PENALTIES
    try:
        return fields.number("maximum")
    except SpecificationError:
        return fields.choice("maximum", KeyMaximum)


def _check_criterion(criterion: Criterion, fields: RecordFields) -> None:
    if criterion.step <= 0:
        fields.refuse("step", "has to be more than 0")
    if criterion.minimum < 0:
        fields.refuse("minimum", "has to be 0 or more; a penalty is counted up and subtracted")
    if (criterion.enters is Enters.SEPARATE) == (criterion.block == "A"):
        fields.refuse("enters", "block A enters as points or penalty, every other block as separate")
    if isinstance(criterion.maximum, KeyMaximum):
        return
    if criterion.maximum < criterion.minimum:
        fields.refuse("maximum", f"is less than the minimum {criterion.minimum}")
    if (criterion.maximum - criterion.minimum) % criterion.step:
        fields.refuse("step", f"does not lead from {criterion.minimum} to {criterion.maximum}")
    if criterion.full is not None and not criterion.minimum <= criterion.full <= criterion.maximum:
        fields.refuse("full", f"lies outside {criterion.minimum} to {criterion.maximum}")


def _error_class(record: object, *, path: str) -> ErrorClass:
    fields = RecordFields(record, path=path, error=SpecificationError)
    error_class = ErrorClass(
        code=fields.text("code"),
        name=fields.texts("name"),
        description=fields.texts("description"),
        hallucination=fields.flag("hallucination"),
    )
    fields.finish()
    return error_class


def _check_whole(specification: Specification) -> None:
    _check_codes("criteria", [criterion.code for criterion in specification.criteria], longest=20)
    _check_codes("error_classes", [error_class.code for error_class in specification.error_classes], longest=10)
    core = [criterion for criterion in specification.criteria if criterion.code == CORE_CRITERION]
    if not core or core[0].full is None:
        raise SpecificationError("criteria", f"one criterion has to be {CORE_CRITERION} and say what `full` is")
    ruled = [criterion for criterion in specification.criteria if criterion.rule is Rule.NO_HALLUCINATION]
    if len(ruled) != 1:
        raise SpecificationError("criteria", f"exactly one has the rule {Rule.NO_HALLUCINATION}, found {len(ruled)}")


def _check_codes(field: str, codes: list[str], *, longest: int) -> None:
    for position, code in enumerate(codes):
        if len(code) > longest:
            raise SpecificationError(f"{field}[{position}].code", f"has {len(code)} characters, at most {longest}")
    twice = [code for code, count in Counter(codes).items() if count > 1]
    if twice:
        raise SpecificationError(field, f"the code {twice[0]!r} is used twice")
