from datetime import date
from decimal import Decimal

import pytest

from lexreview.core.methods.reference_card.facts import Origin, Scope
from lexreview.core.methods.reference_card.specification import (
    Enters,
    KeyMaximum,
    NotApplicableWhen,
    Rule,
    SpecificationError,
    specification_from_dict,
)
from tests.core.methods.reference_card.records import criterion_record, specification_record


def test_everything_written_is_read():
    read = specification_from_dict(specification_record())

    assert (read.name, read.version, read.dated) == ("reference-card", "1.0.1", date(2026, 10, 11))
    assert read.title == {"en": "Scoring", "pl": "Punktacja"}
    assert read.rules_changed is True
    assert read.a_percent_below_zero is False
    codes = [criterion.code for criterion in read.criteria]
    assert codes == ["A-R", "A1", "A2", "A3", "A4", "A5", "A6", "P", "B1", "B2"]
    assert [error_class.code for error_class in read.error_classes] == ["T", "W", "F", "S", "X"]
    assert [error_class.hallucination for error_class in read.error_classes] == [True] * 4 + [False]
    assert read.origins == tuple(Origin)
    assert read.scopes == tuple(Scope)


def test_a_criterion_keeps_its_parts():
    read = specification_from_dict(specification_record())
    core, bases, penalty = read.core_criterion, read.criterion("A2"), read.criterion("P")

    assert (core.block, core.minimum, core.maximum, core.step, core.full) == ("A", 0, 2, 1, 2)
    assert isinstance(core.maximum, Decimal)
    assert (bases.maximum, bases.not_applicable_when) == (KeyMaximum.BASES, NotApplicableWhen.KEY_HAS_NO_BASES)
    assert penalty.enters is Enters.PENALTY
    assert read.no_hallucination_criterion.code == "A6"
    assert read.no_hallucination_criterion.rule is Rule.NO_HALLUCINATION


def test_unknown_codes_are_key_errors():
    read = specification_from_dict(specification_record())

    with pytest.raises(KeyError, match="A9"):
        read.criterion("A9")
    with pytest.raises(KeyError, match="Z"):
        read.error_class("Z")


def test_a_date_that_yaml_read_already_is_taken_as_it_is():
    record = specification_record() | {"date": date(2026, 10, 11)}

    assert specification_from_dict(record).dated == date(2026, 10, 11)


@pytest.mark.parametrize("maximum", [{}, {"maximum": None}])
def test_a_penalty_without_maximum_takes_the_number_in_the_key(maximum):
    record = specification_record()
    penalty = criterion_record("P", enters="penalty")
    del penalty["maximum"]
    record["criteria"][7] = penalty | maximum

    assert specification_from_dict(record).criterion("P").maximum is KeyMaximum.PENALTIES


def test_optional_fields_may_be_absent():
    record = specification_record()
    for field in ("title", "text", "change_note"):
        del record[field]
    for field in ("full", "not_applicable_when", "rule", "help", "name"):
        del record["criteria"][1][field]

    read = specification_from_dict(record)

    assert read.text == {}
    assert read.criteria[1].full is None


def test_negative_totals_can_be_allowed():
    record = specification_record() | {"a_percent_below_zero": True}

    assert specification_from_dict(record).a_percent_below_zero is True


def set_at(record, path, value):
    *steps, last = path
    for step in steps:
        record = record[step]
    record[last] = value


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["name"], "", "name: expected a text, found ''"),
        (["name"], None, "name: expected a text, found nothing"),
        (["version"], "1", "version: expected a version such as 1.0.1, found '1'"),
        (["version"], 1.0, "version: expected a text, found 1.0"),
        (["date"], "11.10.2026", "date: expected a date such as 2026-10-01, found '11.10.2026'"),
        (["date"], 20261011, "date: expected a date such as 2026-10-01, found 20261011"),
        (["method"], "criteria", "method: expected reference-card, found 'criteria'"),
        (["title"], "Scoring", "title: expected a text per language code, found 'Scoring'"),
        (["text"], {"en": 3}, "text: expected a text per language code"),
        (["rules_changed"], "yes", "rules_changed: expected true or false, found 'yes'"),
        (["criteria"], [], "criteria: expected a list with at least one item, found []"),
        (["criteria"], {"A-R": {}}, "criteria: expected a list with at least one item"),
        (["criteria", 2], "A2", "criteria[2]: expected fields with values, found 'A2'"),
        (["criteria", 2, "code"], 2, "criteria[2].code: expected a text, found 2"),
        (["criteria", 2, "code"], "A" * 21, "criteria[2].code: has 21 characters, at most 20"),
        (["error_classes", 1, "code"], "T" * 11, "error_classes[1].code: has 11 characters, at most 10"),
        (["criteria", 2, "code"], "A1", "criteria: the code 'A1' is used twice"),
        (["criteria", 2, "block"], "B", "criteria[2].enters: block A enters as points or penalty"),
        (["criteria", 8, "block"], "A", "criteria[8].enters: block A enters as points or penalty"),
        (["criteria", 2, "maximum"], "sources", "criteria[2].maximum: expected one of rubric, bases, penalties"),
        (["criteria", 2, "maximum"], None, "criteria[2].maximum: expected one of rubric, bases, penalties"),
        (["criteria", 0, "minimum"], True, "criteria[0].minimum: expected a number, found True"),
        (["criteria", 0, "minimum"], "none", "criteria[0].minimum: expected a number, found 'none'"),
        (["criteria", 0, "minimum"], float("nan"), "criteria[0].minimum: expected a finite number"),
        (["criteria", 0, "minimum"], -1, "criteria[0].minimum: has to be 0 or more"),
        (["criteria", 0, "minimum"], 3, "criteria[0].maximum: is less than the minimum 3"),
        (["criteria", 0, "step"], 0, "criteria[0].step: has to be more than 0"),
        (["criteria", 0, "step"], "0.3", "criteria[0].step: does not lead from 0 to 2"),
        (["criteria", 0, "full"], 3, "criteria[0].full: lies outside 0 to 2"),
        (["criteria", 0, "full"], None, "criteria: one criterion has to be A-R and say what `full` is"),
        (["criteria", 0, "code"], "A0", "criteria: one criterion has to be A-R and say what `full` is"),
        (["criteria", 6, "rule"], None, "criteria: exactly one has the rule no_hallucination, found 0"),
        (["criteria", 5, "rule"], "no_hallucination", "criteria: exactly one has the rule no_hallucination, found 2"),
        (["criteria", 5, "rule"], "majority", "criteria[5].rule: expected one of no_hallucination, found 'majority'"),
        (["criteria", 3, "not_applicable_when"], "never", "criteria[3].not_applicable_when: expected one of key_has"),
        (["criteria", 3, "enters"], "average", "criteria[3].enters: expected one of points, penalty, separate"),
        (["criteria", 3, "weight"], 2, "criteria[3].weight: is not a field of this record"),
        (["error_classes", 1, "hallucination"], 1, "error_classes[1].hallucination: expected true or false, found 1"),
        (["error_classes", 1, "code"], "T", "error_classes: the code 'T' is used twice"),
        (["error_classes", 1, "colour"], "red", "error_classes[1].colour: is not a field of this record"),
        (["origins"], ["memory", "dream"], "origins[1]: expected one of memory, source_read, secondary_source, und"),
        (["origins"], ["memory", "memory"], "origins: names a value twice"),
        (["scopes"], "core", "scopes: expected a list with at least one item, found 'core'"),
        (["a_percent_below_zero"], 0, "a_percent_below_zero: expected true or false, found 0"),
        (["author"], "somebody", "author: is not a field of this record"),
    ],
)
def test_a_fault_is_named_with_its_field(path, value, message):
    record = specification_record()
    set_at(record, path, value)

    with pytest.raises(SpecificationError) as error:
        specification_from_dict(record)

    assert str(error.value).startswith(message)
    assert error.value.field == message.split(":")[0]


@pytest.mark.parametrize("field", ["name", "version", "date", "method", "rules_changed", "criteria", "scopes"])
def test_a_missing_field_is_named(field):
    record = specification_record()
    del record[field]

    with pytest.raises(SpecificationError, match=f"^{field}: is missing$"):
        specification_from_dict(record)


@pytest.mark.parametrize("record", [None, [], "text"])
def test_something_that_is_no_record_is_refused(record):
    with pytest.raises(SpecificationError, match="the whole record: expected fields with values"):
        specification_from_dict(record)
