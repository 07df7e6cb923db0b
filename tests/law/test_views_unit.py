import re
from datetime import date
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.test import Client

from lexreview import law
from lexreview.accounts.models import User
from lexreview.law.models import Edition, Unit
from lexreview.law.on_date import unit_on
from lexreview.law.reasons import REASON_WORDS
from tests.law.reading_room import ELI, make_act, make_edition, make_editions, make_unit
from tests.visiting import HOSTILE, check_harmless, check_only_reading, check_sign_in, queries_of, visit

pytestmark = pytest.mark.django_db


def address(unit: str = "art=17", **query: object) -> str:
    return f"/law/units/{ELI}/?{urlencode({'unit': unit, 'on': '2026-10-01', 'lang': 'en', **query})}"


def read(client: Client, user: User, unit: str = "art=17", **query: object) -> str:
    return " ".join(visit(client, user, address(unit, **query)).split())


@pytest.fixture
def editions(db: None) -> list[Edition]:
    return make_editions(make_act())


def test_page_asks_for_sign_in_and_is_read_only(client: Client, reviewer: User, editions: list[Edition]) -> None:
    check_sign_in(client, address())
    check_only_reading(client, reviewer, address())


@pytest.mark.parametrize("unit", ["", "foo=1", "art", "art=", "art=17/foo=2", "@1", "a" * 201])
def test_what_is_no_unit_is_not_found(client: Client, reviewer: User, editions: list[Edition], unit: str) -> None:
    client.force_login(reviewer)

    assert client.get(address(unit)).status_code == 404


def test_wording_of_the_day_is_shown_line_by_line(client: Client, reviewer: User, editions: list[Edition]) -> None:
    page = read(client, reviewer)

    assert '<span class="tag ok">established</span>' in page
    assert "Art. 17. Fee" in page
    assert page.index("Payable within seven days.") < page.index("Else it is returned.") < page.index("In crowns.")
    assert "unit=art%3D17%2Fpar%3D1&amp;on=2026-10-01&amp;lang=en" in page
    assert "1) Note." in page
    assert "Part 1. Fees" in page
    assert 'href="https://law.kestria.example/2026-09-01/en" rel="noopener noreferrer external"' in page
    assert "fourteen days.</p>" not in page


def test_other_day_has_other_words(client: Client, reviewer: User, editions: list[Edition]) -> None:
    page = read(client, reviewer, on="2024-01-01")

    assert "Payable within fourteen days.</p>" in page
    assert "Payable within seven days.</p>" not in page


def test_sub_unit_names_the_units_around_it(client: Client, reviewer: User, editions: list[Edition]) -> None:
    page = read(client, reviewer, "art=17/par=1")

    assert "Art. 17 § 1</h1>" in page
    assert ">Art. 17</a>" in page
    assert "Payable within seven days." in page
    assert "Else it is returned." not in page


def test_neighbours_are_offered_on_the_same_level(client: Client, reviewer: User, editions: list[Edition]) -> None:
    first, middle, last = (read(client, reviewer, unit) for unit in ("art=17", "art=18", "art=17/par=2"))

    assert "Art. 18 →" in first
    assert "←" not in first
    assert "← Art. 17" in middle
    assert "Art. 19 →" in middle
    assert "← § 1" in last
    assert "→" not in last


def test_languages_are_offered_and_missing_ones_said(client: Client, reviewer: User, editions: list[Edition]) -> None:
    polish = read(client, reviewer, lang="pl")
    german = read(client, reviewer, lang="de")
    unasked = read(client, reviewer, lang="")

    assert "Payable within siedem days." in polish
    assert "unit=art%3D17&amp;on=2026-10-01&amp;lang=en" in polish
    assert "The wording is not stored in this language." in german
    assert "Payable within seven days." in unasked


@pytest.mark.parametrize(
    ("unit", "query", "words", "tag"),
    [
        ("art=99", {}, "No stored edition has this provision.", "no wording on this day"),
        ("art=19", {}, "The provision is repealed.", "no wording on this day"),
        ("art=17", {"on": "2011-01-01"}, "The act was not yet in force on this day.", "no wording on this day"),
        ("art=17", {"on": "2015-01-01"}, "No stored edition covers this day.", "not established"),
    ],
)
def test_missing_wording_is_explained(
    client: Client, reviewer: User, editions: list[Edition], unit: str, query: dict[str, str], words: str, tag: str
) -> None:
    page = read(client, reviewer, unit, **query)

    assert words in page
    assert f">{tag}</span>" in page


def test_act_without_editions_is_explained(client: Client, reviewer: User) -> None:
    make_act()

    assert "No edition of the act is stored." in read(client, reviewer)


def test_reconstructed_wording_is_marked(client: Client, reviewer: User) -> None:
    make_edition(make_act(), date(2019, 1, 1), days="ten", standing=Edition.Standing.RECONSTRUCTED)

    assert '<span class="tag w">reconstructed</span>' in read(client, reviewer)


def test_disagreeing_editions_are_told_beside_the_text(client: Client, reviewer: User) -> None:
    act = make_act()
    make_edition(act, date(2019, 1, 1), days="ten")
    make_edition(act, date(2019, 1, 1), days="nine", sha256="1" * 64)

    page = read(client, reviewer)

    assert "Two stored editions for this day word it differently." in page
    assert "not established" in page


def test_editions_say_where_the_words_changed(client: Client, reviewer: User, editions: list[Edition]) -> None:
    make_edition(editions[0].act, date(2018, 1, 1), date(2018, 12, 31), days="twenty-one")

    page = read(client, reviewer)

    table = page[page.index("Through the editions") :]
    assert table.index("first stored") < table.index("the same words") < table.index(">changed<")
    assert table.count(">changed<") == 2


def test_last_change_before_the_day_is_laid_side_by_side(
    client: Client, reviewer: User, editions: list[Edition]
) -> None:
    page = read(client, reviewer)

    assert "</span>fourteen</del>" in page
    assert "</span>seven</ins>" in page
    assert "twenty-one</del>" not in page


def test_any_two_editions_are_laid_side_by_side(client: Client, reviewer: User, editions: list[Edition]) -> None:
    page = read(client, reviewer, left=editions[2].pk, right=editions[0].pk)

    assert "</span>seven</del>" in page
    assert "</span>twenty-one</ins>" in page
    assert f'<option value="{editions[2].pk}" selected>' in page


def test_edition_of_another_act_is_not_compared(client: Client, reviewer: User, editions: list[Edition]) -> None:
    stranger = make_edition(make_act("eli/qk/act/1/1"), date(2019, 1, 1), days="one hundred")

    page = read(client, reviewer, left=stranger.pk)

    assert "one hundred" not in page
    assert "</span>fourteen</del>" in page


def test_same_edition_twice_has_the_same_wording(client: Client, reviewer: User, editions: list[Edition]) -> None:
    pk = editions[0].pk

    assert "Both editions have the same wording." in read(client, reviewer, left=pk, right=pk)


def test_typography_is_no_change_of_the_words(client: Client, reviewer: User) -> None:
    act = make_act()
    make_edition(act, date(2019, 1, 1), date(2019, 12, 31), days="“ten”")
    make_edition(act, date(2020, 1, 1), days='"ten"')

    page = read(client, reviewer)

    assert "The words are the same; only typography differs." in page
    assert "the same words" in page


def test_repeal_is_laid_beside_the_last_wording(client: Client, reviewer: User, editions: list[Edition]) -> None:
    Unit.objects.filter(edition=editions[0], key="art=19").update(is_repealed=False, text="It ends.")

    page = read(client, reviewer, "art=19", left=editions[0].pk, right=editions[1].pk)

    assert "</span>It ends.</del>" in page or "</span>Old It ends.</del>" in page
    assert "Repealed." in page


def test_printed_range_stands_for_the_unit_inside_it(client: Client, reviewer: User) -> None:
    edition = make_edition(make_act(), date(2019, 1, 1))
    Unit.objects.create(
        edition=edition, key="art=28", range_end="30", level="art", number="Art. 28–30", position=0, last_position=0,
        text="Together.",
    )  # fmt: skip

    page = read(client, reviewer, "art=29")

    assert "Together." in page
    assert "Art. 28–30" in page


def test_wrong_day_is_told_and_today_is_shown(client: Client, reviewer: User, editions: list[Edition]) -> None:
    assert "Enter a valid date." in read(client, reviewer, on="soon")


def test_page_takes_the_same_queries_for_more_editions_and_sub_units(client: Client, reviewer: User) -> None:
    act = make_act()
    make_edition(act, date(2018, 1, 1), date(2018, 12, 31), days="eight")
    make_edition(act, date(2019, 1, 1), date(2019, 12, 31), days="ten")
    two = queries_of(client, reviewer, address(on="2019-05-01"))
    for year in (2020, 2021, 2022):
        make_edition(act, date(year, 1, 1), date(year, 12, 31), days=f"{year}")

    assert queries_of(client, reviewer, address(on="2019-05-01")) == two
    assert queries_of(client, reviewer, address(on="2022-05-01")) == two


def test_hostile_text_of_a_unit_is_shown_as_text(client: Client, reviewer: User, editions: list[Edition]) -> None:
    Unit.objects.filter(key__startswith="art=17").update(
        text=HOSTILE, heading=HOSTILE, notes=[HOSTILE], closing=HOSTILE
    )
    Edition.objects.update(source_url="javascript:alert(1)")

    check_harmless(visit(client, reviewer, address()), times=5)


def test_every_reason_of_the_corpus_has_words() -> None:
    code = "".join(
        path.read_text() for path in (Path(law.__file__).parent).rglob("*.py") if path.parent.name in {"law", "polish"}
    )
    given = set(re.findall(r'"([a-z]+(?:_[a-z]+)+)"', code))
    documented = set(re.findall(r"`([a-z_]+)`", unit_on.__doc__ or "")) - {"unit_on", "lang"}

    assert given >= set(REASON_WORDS) - {"repealed"}
    assert {reason for reason in documented if reason in given} <= set(REASON_WORDS)


def test_bracket_of_an_eu_act_is_read_as_point_or_paragraph(client: Client, reviewer: User) -> None:
    act = make_act(jurisdiction="EU")
    edition = make_edition(act, date(2019, 1, 1))
    make_unit(edition, "art=4", 0, 1, number="Article 4", heading="Definitions")
    parent = edition.units.get(key="art=4")
    make_unit(edition, "art=4/pkt=1", 1, 1, parent=parent, number="(1)", text="‘fee’ means a payment;")

    page = read(client, reviewer, "art=4/ust=1")

    assert "‘fee’ means a payment;" in page
    assert "Article 4 (1)" in page
