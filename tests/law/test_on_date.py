# ruff: noqa: E501
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from lexreview.law.models import Act, Edition
from lexreview.law.on_date import UnitOnDate, unit_history, unit_on
from lexreview.law.parsed import ParsedAmendment
from lexreview.law.reading import read_edition, units_of
from tests.law.files import edition, parsed_act, stored_act, unit

pytestmark = pytest.mark.django_db

ELI = "eli/xx/1"


def three_editions() -> Act:
    return stored_act(
        parsed_act(
            ELI,
            edition(ELI, "2019-01-01", unit("art=1", "Old."), unit("art=2", "Gone soon."), unit("art=4", "Born."), valid_to="2020-12-31"),
            edition(ELI, "2021-01-01", unit("art=1", "New."), unit("art=3", "(repealed)", is_repealed=True, range_end="5"), valid_to="2021-12-31"),
            edition(ELI, "2022-03-01", unit("art=1", "New."), unit("art=6", "Late.", unit("art=6/ust=1", "First."))),
            edition(ELI, "2022-03-01", unit("art=1", "Nowe."), language="pl"),
            in_force_on=date(2019, 1, 1),
        )
    )  # fmt: skip


@pytest.fixture
def ask() -> Callable[..., UnitOnDate]:
    act = three_editions()
    return lambda key, day, lang="en": unit_on(act=act, unit=key, on=date.fromisoformat(day), lang=lang)


def test_the_wording_of_the_edition_in_force(ask: Callable[..., UnitOnDate]) -> None:
    before, after = ask("art=1", "2020-12-31"), ask("art=1", "2021-01-01")

    assert (before.outcome, before.text, before.certainty, before.exists) == ("found", "Old.", "established", True)
    assert (after.text, after.edition and after.edition.valid_from) == ("New.", date(2021, 1, 1))
    assert before.source_url == "https://law.example/eli/xx/1/2019-01-01"
    assert before.edition is not None
    assert before.sha256 == before.edition.sha256


@pytest.mark.parametrize(
    ("key", "day", "lang", "outcome", "reason"),
    [
        ("art=1", "2018-12-31", "en", "not_in_force", "act_not_yet_in_force"),
        ("art=9", "2018-12-31", "en", "not_found", "unit_in_no_edition"),
        ("art=1", "2022-01-15", "en", "undetermined", "no_edition_on_date"),
        ("art=2", "2021-06-01", "en", "not_in_force", "unit_in_earlier_edition"),
        ("art=6", "2021-06-01", "en", "not_in_force", "unit_in_later_edition"),
        ("art=6/ust=1", "2023-01-01", "en", "found", ""),
        ("art=6/ust=2", "2023-01-01", "en", "not_found", "unit_in_no_edition"),
        ("art=4", "2021-06-01", "en", "not_in_force", "repealed"),
        ("art=5/ust=2", "2021-06-01", "en", "not_in_force", "repealed"),
        ("art=7", "2021-06-01", "en", "not_found", "unit_in_no_edition"),
        ("art=1/zd=2", "2021-06-01", "en", "found", ""),
        ("art=1", "2020-01-01", "pl", "undetermined", "language_not_stored"),
        ("art=9", "2020-01-01", "pl", "not_found", "unit_in_no_edition"),
        ("art=3", "2021-06-01", "pl", "not_in_force", "repealed"),
    ],
)  # fmt: skip
def test_every_outcome_has_its_reason(
    ask: Callable[..., UnitOnDate], key: str, day: str, lang: str, outcome: str, reason: str
) -> None:
    answer = ask(key, day, lang)

    assert (answer.outcome, answer.reason) == (outcome, reason)


def test_another_language_tells_whether_a_unit_exists(ask: Callable[..., UnitOnDate]) -> None:
    answer = ask("art=1", "2020-01-01", "pl")

    assert (answer.exists, answer.text) == (True, "")


def test_the_editions_that_have_the_unit_are_named_when_it_is_not_in_force(ask: Callable[..., UnitOnDate]) -> None:
    gone = ask("art=2", "2021-06-01")

    assert (gone.first_edition, gone.last_edition) == (gone.last_edition, gone.first_edition)
    assert gone.last_edition is not None
    assert gone.last_edition.valid_from == date(2019, 1, 1)


def test_history_lists_the_editions_that_have_the_unit() -> None:
    periods = unit_history(act=three_editions(), unit="art=4", lang="en")

    assert [(p.edition.valid_from, p.text, p.is_repealed) for p in periods] == [
        (date(2019, 1, 1), "Born.", False), (date(2021, 1, 1), "", True)
    ]  # fmt: skip


def answer_of(*editions: Any, day: str = "2020-06-01", key: str = "art=1", **more: Any) -> UnitOnDate:
    act = stored_act(parsed_act(ELI, *editions, **more))
    return unit_on(
        act=act, unit=key, on=date.fromisoformat(day), lang=(more.get("jurisdiction") == "PL" and "pl") or "en"
    )


def test_a_repealed_act_is_not_in_force_from_its_repeal_on() -> None:
    text = edition(ELI, "2019-01-01", unit("art=1", "X."))

    assert answer_of(text, repealed_on=date(2020, 6, 2)).outcome == "found"
    assert answer_of(text, repealed_on=date(2020, 6, 2), day="2020-06-02").reason == "act_repealed"


def test_an_excerpt_proves_nothing_about_articles_that_it_leaves_out() -> None:
    text = edition(ELI, "2019-01-01", unit("art=1", "", unit("art=1/ust=1", "X.")), extent="excerpt")

    assert answer_of(text, key="art=2").reason == "unit_not_in_excerpt"
    assert answer_of(text, key="art=1/ust=2").outcome == "not_found"


def test_a_structure_tells_existence_only() -> None:
    text = edition(ELI, "2019-01-01", unit("art=1"), extent="structure")

    answer = answer_of(text)
    assert (answer.outcome, answer.reason, answer.exists) == ("undetermined", "structure_only", True)


def test_a_reconstructed_edition_gives_a_reconstructed_wording() -> None:
    assert (
        answer_of(edition(ELI, "2019-01-01", unit("art=1", "X."), standing="reconstructed")).certainty
        == "reconstructed"
    )


def test_two_editions_for_one_day_that_differ_leave_the_wording_unsure() -> None:
    one = edition(ELI, "2019-01-01", unit("art=1", "X."), valid_to="2021-12-31")
    same = edition(ELI, "2020-01-01", unit("art=1", "X."), valid_to="2021-12-31")
    other = edition(ELI, "2020-02-01", unit("art=1", "Y."), valid_to="2021-12-31")

    assert answer_of(one, same).reason == ""
    assert (answer_of(one, same, other).certainty, answer_of(one, other).reason) == (
        "undetermined",
        "editions_disagree",
    )


def test_an_official_edition_goes_before_a_converted_one() -> None:
    official = edition(ELI, "2019-01-01", unit("art=1", "X."), valid_to="2021-12-31")
    converted = edition(ELI, "2020-01-01", unit("art=1", "X ."), valid_to="2021-12-31", standing="converted")

    assert answer_of(official, converted).text == "X."


def test_an_edition_without_last_day_is_not_stretched_over_the_next_one() -> None:
    first = edition(ELI, "2019-01-01", unit("art=1", "Same."), unit("art=2", "Old."))
    second = edition(ELI, "2021-01-01", unit("art=1", "Same."), unit("art=2", "New."))

    assert answer_of(first, second).text == "Same."
    assert answer_of(first, second, key="art=2").reason == "edition_end_unknown"
    assert answer_of(first, second, key="art=2", day="2021-05-05").text == "New."


@pytest.mark.parametrize(
    ("units", "key", "outcome"),
    [
        (("art=1",), "art=1", "undetermined"),
        (("art=1",), "art=1/ust=2", "undetermined"),
        (("art=1/ust=2",), "art=1", "undetermined"),
        (("art=1",), "art=2", "found"),
        (("art=9",), "art=9", "undetermined"),
        (None, "art=2", "undetermined"),
    ],
)
def test_an_amendment_that_no_edition_shows_leaves_what_it_touches_open(
    units: tuple[str, ...] | None, key: str, outcome: str
) -> None:
    old = edition(ELI, "2019-01-01", unit("art=1", "One.", unit("art=1/ust=2", "Two.")), unit("art=2", "Three."))
    unread = ParsedAmendment("eli/xx/9", effective_on=date(2020, 3, 1), units=units, citation="Act of March")

    def ask(day: str) -> UnitOnDate:
        return answer_of(old, day=day, key=key, amendments=(unread,))

    assert ask("2020-02-29").outcome == ("not_found" if key == "art=9" else "found")
    after = unit_on(act=Act.objects.get(eli=ELI), unit=key, on=date(2020, 3, 1), lang="en")
    assert after.outcome == outcome
    if outcome == "undetermined":
        assert (after.reason, after.exists, after.steps) == ("amendment_not_read", None, ("2020-03-01: Act of March",))


def test_an_amendment_with_an_edition_of_its_own_leaves_nothing_open() -> None:
    answer = answer_of(
        edition(ELI, "2019-01-01", unit("art=1", "One."), valid_to="2020-02-29"),
        edition(ELI, "2020-03-01", unit("art=1", "Two.")),
        amendments=(ParsedAmendment("eli/xx/9", effective_on=date(2020, 3, 1), units=("art=1",)),),
    )

    assert (answer.text, answer.certainty) == ("Two.", "established")


def test_an_edition_that_another_language_has_outgrown_tells_existence_only() -> None:
    answer = answer_of(
        edition(ELI, "2019-01-01", unit("art=1", "Old.")),
        edition(ELI, "2019-01-01", unit("art=1", "Alt."), language="de", valid_to="2019-12-31"),
        edition(ELI, "2020-01-01", unit("art=1", "Neu."), language="de"),
    )

    assert (answer.outcome, answer.reason, answer.exists) == ("undetermined", "language_not_stored", True)


def test_recitals_are_read_where_a_text_has_them() -> None:
    texts = (
        edition(ELI, "2014-01-01", unit("motyw=1", "Wells matter."), unit("art=1", "X."), valid_to="2015-12-31"),
        edition(ELI, "2016-01-01", unit("art=1", "Y.")),
    )

    assert answer_of(*texts, key="motyw=1").text == "Wells matter."
    assert answer_of(*texts, key="motyw=2").outcome == "not_found"


def test_a_unit_printed_before_its_day_is_not_repealed() -> None:
    answer = answer_of(
        edition(ELI, "2019-01-01", unit("art=1", "…", is_repealed=True), valid_to="2020-12-31"),
        edition(ELI, "2021-01-01", unit("art=1", "Lit.")),
    )

    assert (answer.outcome, answer.reason) == ("not_in_force", "unit_in_later_edition")


def test_in_eu_acts_a_bracketed_number_is_a_paragraph_or_a_point() -> None:
    text = edition(ELI, "2019-01-01", unit("art=4", "Terms:", unit("art=4/pkt=1", "A well.")))

    found = answer_of(text, key="art=4/ust=1", jurisdiction="EU")
    assert (found.outcome, found.key, found.text) == ("found", "art=4/pkt=1", "A well.")
    elsewhere = stored_act(parsed_act("eli/yy/1", text, jurisdiction="YY"))
    assert unit_on(act=elsewhere, unit="art=4/ust=1", on=date(2020, 6, 1), lang="en").outcome == "not_found"


def test_a_polish_unit_with_staged_entry_is_not_in_force_before_its_day() -> None:
    text = edition(ELI, "2020-01-01", unit("art=1", "X."), unit("art=2", "Y."), language="pl", standing="promulgated")
    note = "1) art. 2 wchodzi w życie z dniem 1 stycznia 2021 r.; 2) art. 3 wchodzi w życie z dniem określonym w komunikacie"

    def ask(key: str, day: str) -> UnitOnDate:
        return answer_of(text, key=key, day=day, jurisdiction="PL", force_note=note)

    early = ask("art=2", "2020-06-01")
    assert (early.reason, early.effective_on) == ("staged_entry", date(2021, 1, 1))
    assert ask("art=2", "2021-01-01").outcome == "found"
    assert ask("art=1", "2020-06-01").outcome == "found"


def test_a_polish_text_overtaken_by_an_unread_amendment_decides_nothing() -> None:
    text = edition(
        ELI, "2020-01-01", unit("art=1", "X."), language="pl", standing="consolidated", identifier="DU/2020/1"
    )
    amendment = ParsedAmendment("DU/2020/300", promulgated_on=date(2020, 3, 1), effective_on=date(2020, 5, 1))

    def ask(day: str) -> UnitOnDate:
        return answer_of(text, day=day, jurisdiction="PL", amendments=(amendment,))

    assert (ask("2020-04-30").outcome, ask("2020-04-30").steps) == ("found", ("printed in DU/2020/1 of 2020-01-01",))
    assert (ask("2020-05-01").reason, ask("2020-05-01").steps) == ("amendment_not_read", ("DU/2020/300",))


def test_full_text_of_a_stored_unit_reads_as_the_source_prints_it() -> None:
    tree = unit(
        "art=1", "Opening:", unit("art=1/pkt=1", "one,"), unit("art=1/pkt=2", "two"), heading="H", closing="for all."
    )
    act = stored_act(parsed_act(ELI, edition(ELI, "2020-01-01", tree)))
    text = read_edition(Edition.objects.get(act=act))

    assert text.full_text(text.by_key["art=1"]) == "Opening:\n1) one,\n2) two\nfor all."
    assert text.parent(text.by_key["art=1/pkt=2"]) == text.by_key["art=1"]


def test_the_number_of_queries_does_not_grow(django_assert_max_num_queries: Any) -> None:
    act = three_editions()
    stored = Edition.objects.filter(act=act)[0]

    with django_assert_max_num_queries(1):
        units_of(stored)
    with django_assert_max_num_queries(4):
        unit_on(act=act, unit="art=6", on=date(2023, 1, 1), lang="en")
    with django_assert_max_num_queries(8):
        unit_on(act=act, unit="art=2", on=date(2021, 6, 1), lang="en")
