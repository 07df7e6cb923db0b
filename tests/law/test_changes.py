# ruff: noqa: E501
from datetime import date

import pytest

from lexreview.law.changes import Change, changes_between
from lexreview.law.models import Act, Edition
from lexreview.law.parsed import ParsedUnit
from lexreview.law.state import counts, oddities
from tests.law.files import edition, parsed_act, stored_act, unit

pytestmark = pytest.mark.django_db
ELI = "eli/xx/1"


def changes(before: list[ParsedUnit], after: list[ParsedUnit]) -> list[Change]:
    act = stored_act(parsed_act(ELI, edition(ELI, "2020-01-01", *before), edition(ELI, "2021-01-01", *after)))
    one, other = Edition.objects.filter(act=act).in_time_order()
    return changes_between(one, other)


def kinds(before: list[ParsedUnit], after: list[ParsedUnit]) -> list[tuple[str, str | None]]:
    return [(change.kind, change.key_after or change.key_before) for change in changes(before, after)]


def test_kinds_of_change() -> None:
    before = [
        unit("art=1", "Same."), unit("art=2", "Old."), unit("art=3", "Here."), unit("art=4", "A „quote” - dash."),
        unit("art=5", "Text.", notes=["In force since 2019."]), unit("art=6", "(repealed)", is_repealed=True), unit("art=7", "Gone."),
        unit("art=8", "Merged."), unit("art=9", "", unit("art=9/ust=1", "One.")),
    ]  # fmt: skip
    after = [
        unit("art=1", "Same."), unit("art=2", "New."), unit("art=3", "…", is_repealed=True), unit("art=4", "A «quote» – dash."),
        unit("art=5", "Text.", notes=["In force since 1 January 2019."]), unit("art=6", "(repealed)", is_repealed=True),
        unit("art=8", "…", is_repealed=True, range_end="8a"), unit("art=9", "", unit("art=9/ust=1", "Two.")),
        unit("art=10", "Fresh."), unit("art=11", "", is_repealed=True),
    ]  # fmt: skip

    assert kinds(before, after) == [
        ("modified", "art=2"), ("repealed", "art=3"), ("typographic_only", "art=4"), ("footnote_only", "art=5"),
        ("repealed", "art=8"), ("modified", "art=9"), ("added", "art=10"), ("removed", "art=7"),
    ]  # fmt: skip


def test_a_merge_into_a_repealed_range_is_a_repeal() -> None:
    before = [unit("art=45a", "A."), unit("art=45b", "B.")]
    after = [unit("art=45a", "…", is_repealed=True, range_end="45b")]

    assert kinds(before, after) == [("repealed", "art=45a"), ("repealed", "art=45a")]


def test_transitional_containers_are_paired_by_content_when_one_is_inserted() -> None:
    def container(number: int, subject: str) -> ParsedUnit:
        article = unit(f"dis={number}/art=1", f"Old law applies to {subject} that were dug before the change.")
        return ParsedUnit(
            f"dis={number}", "proviso", heading=f"Transitional provisions on {subject}", children=[article]
        )

    before = [unit("art=1", "X."), container(1, "wells"), container(2, "fountains in public gardens")]
    after = [
        unit("art=1", "X."),
        container(1, "pumping stations of the new kind"),
        container(2, "wells"),
        container(3, "fountains in public gardens"),
    ]

    found = changes(before, after)

    assert ("added", None, "dis=1/art=1") in [(c.kind, c.key_before, c.key_after) for c in found]
    assert [(c.key_before, c.key_after) for c in found if c.kind == "renumbered"] == [
        ("dis=1/art=1", "dis=2/art=1"), ("dis=2/art=1", "dis=3/art=1")
    ]  # fmt: skip
    assert len(found) == 3


def test_an_edition_boundary_is_not_a_change() -> None:
    assert changes([unit("art=1", "X.")], [unit("art=1", "X. ")]) == []


def test_editions_of_two_languages_are_not_compared() -> None:
    act = stored_act(
        parsed_act(
            ELI,
            edition(ELI, "2020-01-01", unit("art=1", "X.")),
            edition(ELI, "2020-01-01", unit("art=1", "X."), language="pl"),
        )
    )
    one, other = Edition.objects.filter(act=act).in_time_order()

    with pytest.raises(ValueError, match="two languages"):
        changes_between(one, other)


def test_overlaps_gaps_open_ends_and_future_editions_are_reported() -> None:
    stored_act(
        parsed_act(
            ELI,
            edition(ELI, "2018-01-01", unit("art=1", "A."), valid_to="2018-12-31"),
            edition(ELI, "2018-12-01", unit("art=1", "B."), valid_to="2019-06-30"),
            edition(ELI, "2019-09-01", unit("art=1", "C.")),
            edition(ELI, "2020-01-01", unit("art=1", "D."), extent="excerpt"),
            edition(ELI, "2030-01-01", unit("art=1", "E.")),
        )
    )

    found = oddities(Act.objects.all(), today=date(2026, 1, 1))

    assert [(o.kind, o.first, o.last) for o in found] == [
        ("overlap", date(2018, 12, 1), date(2018, 12, 31)), ("gap", date(2019, 7, 1), date(2019, 8, 31)),
        ("end_unknown", date(2019, 9, 1), None), ("end_unknown", date(2020, 1, 1), None),
        ("excerpt", date(2020, 1, 1), None), ("future", date(2030, 1, 1), None),
    ]  # fmt: skip
    assert (counts().acts, counts().editions, counts().units) == (1, 5, 5)
