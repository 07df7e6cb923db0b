"""Until an act replaced another one of its name, the name meant that other act. The wording here is invented."""

from datetime import date

import pytest

from lexreview.core.citations.act_data import former_acts, registry_of
from lexreview.law.actions import import_acts
from lexreview.law.parsed import ParsedAct, ParsedName
from lexreview.verification.checked import CheckedCitation
from lexreview.verification.corpus import Corpus
from lexreview.verification.layer import check_citations
from tests.verification.factories import NOW, edition

BEFORE, AFTER, LONG_BEFORE = date(2022, 5, 10), date(2024, 2, 1), date(1990, 1, 1)
TEXT = "# Datengesetz\n\n### Art. 5. Pegel\nPegel werden gemeldet.\n"


@pytest.fixture
def new_act(db: None) -> None:
    start = date(2023, 9, 1)
    act = ParsedAct(
        eli="eli/cc/2022/491",
        jurisdiction="CH",
        titles={"de": "Bundesgesetz über den Datenschutz"},
        names=(ParsedName("abbreviation", "DSG", "de"), ParsedName("number", "SR 235.1")),
        adopted_on=date(2020, 9, 25),
        in_force_on=start,
        editions=(edition(TEXT, start=start, end=None, language="de"),),
    )
    import_acts(parsed=[act], by=None, now=NOW)


def provision(text: str, on: date) -> CheckedCitation:
    rows = check_citations(text, jurisdiction="CH", lang="de", on=on, corpus=Corpus.current())
    return next(row for row in rows if row.unit)


@pytest.mark.usefixtures("new_act")
@pytest.mark.parametrize(
    ("text", "on", "result", "reason"),
    [
        ("Es gilt Art. 5 DSG.", BEFORE, "undetermined", "earlier_act_of_this_name"),
        ("Es gilt Art. 36 DSG.", BEFORE, "undetermined", "earlier_act_of_this_name"),
        ("Es gilt Art. 5 DSG (SR 235.1).", BEFORE, "undetermined", "earlier_act_of_this_name"),
        ("Es gilt Art. 5 nDSG.", BEFORE, "not_in_force", "act_not_yet_in_force"),
        ("Es gilt Art. 5 des neuen DSG.", BEFORE, "not_in_force", "act_not_yet_in_force"),
        ("Es gilt Art. 5 DSG.", AFTER, "confirmed", ""),
        ("Es gilt Art. 36 DSG.", AFTER, "not_found", "unit_in_no_edition"),
        ("Es gilt Art. 5 DSG.", LONG_BEFORE, "not_in_force", "act_not_yet_in_force"),
    ],
)
def test_a_name_means_the_act_that_bore_it_on_the_day(text: str, on: date, result: str, reason: str) -> None:
    row = provision(text, on)

    assert (str(row.result), row.reason) == (result, reason)


@pytest.mark.usefixtures("new_act")
def test_the_earlier_act_is_named_and_the_later_one_is_no_source() -> None:
    row = provision("Es gilt Art. 5 DSG.", BEFORE)

    assert (row.act, row.source_text, row.proposed_class) == (None, "", "")
    assert "Bundesgesetz über den Datenschutz (1992-06-19)" in row.explanation


def test_every_former_act_was_replaced_by_one_of_the_registries() -> None:
    numbers = {number for name in ("ch", "pl") for entry in registry_of(name) for number in entry.numbers.values()}

    assert {former.number for former in former_acts()} <= numbers
    assert all(former.adopted_on <= former.in_force_on < former.last_day for former in former_acts())
