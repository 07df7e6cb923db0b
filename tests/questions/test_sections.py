import pytest

from lexreview.accounts.models import User
from lexreview.questions import sections
from lexreview.questions.sections import Figure, Place, Section, add_figures, add_section, figures_of, sections_of
from tests.review.factories import make_benchmark

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _empty_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sections, "_registry", sections._Registry())


def test_figures_come_in_order_of_position_for_every_benchmark(lead: User) -> None:
    here, there = make_benchmark(), make_benchmark("other-01")
    add_figures(position=2, make=lambda rows, user: {here.pk: [Figure(label="second", part=2)]})
    add_figures(position=1, make=lambda rows, user: {row.pk: [Figure(label="first", part=1, whole=2)] for row in rows})

    found = figures_of([here, there], lead)

    assert [figure.label for figure in found[here.pk]] == ["first", "second"]
    assert [figure.label for figure in found[there.pk]] == ["first"]


def test_sections_of_other_places_and_empty_ones_are_left_out(lead: User) -> None:
    add_section(place=Place.QUESTION, position=2, make=lambda row, user: Section("second.html", row))
    add_section(place=Place.QUESTION, position=1, make=lambda row, user: Section("first.html", user))
    add_section(place=Place.QUESTION, position=3, make=lambda row, user: None)
    add_section(place=Place.ANSWER, position=1, make=lambda row, user: Section("elsewhere.html", row))

    assert sections_of(Place.QUESTION, "row", lead) == [Section("first.html", lead), Section("second.html", "row")]
    assert sections_of(Place.BENCHMARK, "row", lead) == []
