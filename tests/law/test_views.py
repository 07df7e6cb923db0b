from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from lexreview.accounts.models import User
from lexreview.law.browsing import web_address
from lexreview.law.models import Act, ActName, Edition, Ruling, Unit
from tests.law.reading_room import (
    ELI,
    make_act,
    make_amendment,
    make_edition,
    make_editions,
    make_ruling,
)
from tests.visiting import HOSTILE, check_harmless, check_only_reading, check_sign_in, queries_of, visit

pytestmark = pytest.mark.django_db
ACTS = "/law/"
ACT = f"/law/acts/{ELI}/"
RULINGS = "/law/rulings/"


def paths() -> list[str]:
    make_editions(make_act())
    return [ACTS, ACT, RULINGS, reverse("law:ruling", args=[make_ruling().pk])]


def test_pages_ask_for_sign_in_and_are_read_only(client: Client, reviewer: User) -> None:
    for address in paths():
        check_sign_in(client, address)
        check_only_reading(client, reviewer, address)


def test_law_is_read_by_everybody_who_is_signed_in(client: Client, outsider: User) -> None:
    for address in paths():
        visit(client, outsider, address)


@pytest.mark.parametrize("address", ["/law/acts/eli/qk/act/1/1/", "/law/rulings/77/", "/law/units/eli/qk/act/1/1/"])
def test_what_is_not_in_the_corpus_is_not_found(client: Client, reviewer: User, address: str) -> None:
    client.force_login(reviewer)

    assert client.get(address).status_code == 404


def test_list_shows_acts_with_names_and_editions(client: Client, reviewer: User) -> None:
    act = make_act()
    make_editions(act)
    make_act("SR 152.3", jurisdiction="CH", title="Öffentlichkeitsgesetz")

    page = " ".join(visit(client, reviewer, ACTS).split())

    assert f'href="{ACT}"' in page
    assert 'href="/law/acts/SR%20152.3/"' in page
    assert f"CPA{act.pk}" in page
    assert "4<br>" in page
    assert "1 Jan 2019 – 1 Sep 2026" in page
    assert "none stored" in page


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("q=civil+PROCEDURE", True),
        ("q=act%2F2011", True),
        ("q=nothing+like+it", False),
        ("state=qk", True),
        ("state=PL", False),
        ("q=.", True),
    ],
)
def test_list_is_searched_by_name_key_and_state(client: Client, reviewer: User, query: str, found: bool) -> None:
    make_act()

    page = visit(client, reviewer, f"{ACTS}?{query}")

    assert ("Civil Procedure Act" in page) == found
    assert ("No act found" in page) != found


def test_list_is_paged_and_keeps_the_search(client: Client, reviewer: User) -> None:
    for number in range(52):
        make_act(f"eli/qk/act/2000/{number:03}", title=f"Act number {number}")

    page = visit(client, reviewer, f"{ACTS}?q=number&page=2")

    assert "Act number 51" in page
    assert "Act number 5<" not in page
    assert "?q=number&amp;page=1" in page


def test_list_takes_the_same_queries_for_three_acts(client: Client, reviewer: User) -> None:
    make_editions(make_act())
    one = queries_of(client, reviewer, ACTS)
    for number in (1, 2):
        make_editions(make_act(f"eli/qk/act/2000/{number}"))

    assert queries_of(client, reviewer, ACTS) == one


def test_act_shows_the_edition_of_the_day_with_its_contents(client: Client, reviewer: User) -> None:
    make_editions(make_act())

    page = " ".join(visit(client, reviewer, f"{ACT}?on=2024-05-01&lang=en").split())

    assert "1 Jul 2023 – 31 Aug 2026 · official" in page
    assert page.index("Part 1. Fees") < page.index("Art. 17</span> Fee") < page.index("Part 2. End")
    assert f"/law/units/{ELI}/?unit=art%3D17&amp;on=2024-05-01&amp;lang=en" in page
    assert "unit=art%3D17%2Fpar%3D1" not in page
    assert page.index("Part 2. End") < page.index(">repealed<")


def test_act_can_be_read_edition_by_edition_and_in_every_language(client: Client, reviewer: User) -> None:
    editions = make_editions(make_act())

    old = visit(client, reviewer, f"{ACT}?edition={editions[0].pk}")
    polish = visit(client, reviewer, f"{ACT}?lang=pl&on=2026-10-01")
    absent = visit(client, reviewer, f"{ACT}?lang=de&on=2026-10-01")

    assert "unit=art%3D17&amp;on=2019-01-01&amp;lang=en" in old
    assert "Civil Procedure Act (pl)" in polish
    assert "unit=art%3D17&amp;on=2026-10-01&amp;lang=pl" in polish
    assert "unit=art%3D17&amp;on=2026-10-01&amp;lang=en" in absent


def test_day_before_the_first_and_after_the_last_edition_is_answered(client: Client, reviewer: User) -> None:
    act = make_act()
    make_edition(act, date(2019, 1, 1), date(2020, 1, 1), days="ten")
    make_edition(act, date(2021, 1, 1), date(2022, 1, 1), days="nine")

    early = visit(client, reviewer, f"{ACT}?on=2001-01-01")
    between = visit(client, reviewer, f"{ACT}?on=2020-06-01")
    late = visit(client, reviewer, f"{ACT}?on=2030-01-01")

    assert "on=2019-01-01&amp;lang=en" in early
    assert "on=2019-01-01&amp;lang=en" in between
    assert "on=2021-01-01&amp;lang=en" in late


def test_day_that_is_none_is_told(client: Client, reviewer: User) -> None:
    make_editions(make_act())

    assert "Enter a valid date." in visit(client, reviewer, f"{ACT}?on=2026-02-31")


def test_gaps_overlaps_and_missing_editions_are_told(client: Client, reviewer: User) -> None:
    act = make_act()
    make_edition(act, date(2019, 1, 1), date(2020, 12, 31))
    make_edition(act, date(2021, 2, 1), date(2022, 12, 31))
    make_edition(act, date(2022, 12, 1))
    make_amendment(act, date(2021, 2, 1), citation="Seen act")
    make_amendment(act, date(2022, 3, 1), citation="Unseen act", units=["art=9", "art=17/par=1"])
    make_amendment(act, None, citation="Act without a day")

    page = " ".join(visit(client, reviewer, ACT).split())

    assert "No stored edition covers 1 Jan 2021 to 31 Jan 2021." in page
    assert "The editions of 1 Feb 2021 and 1 Dec 2022 overlap from 1 Dec 2022 on." in page
    assert "An amendment took effect on 1 Mar 2022, and no stored edition begins on that day: Unseen act" in page
    assert page.count("no edition begins here") == 1
    assert "on that day: Seen act" not in page
    assert ">Art. 17 § 1</a>" in page
    assert "day not known" in page


def test_clean_editions_raise_no_warning(client: Client, reviewer: User) -> None:
    make_editions(make_act())

    page = visit(client, reviewer, ACT)

    assert "No stored edition covers" not in page
    assert "overlap" not in page


def test_act_without_editions_says_so(client: Client, reviewer: User) -> None:
    make_act()

    assert "No edition stored" in visit(client, reviewer, ACT)


def test_act_takes_the_same_queries_for_more_editions_and_articles(client: Client, reviewer: User) -> None:
    act = make_act()
    make_edition(act, date(2019, 1, 1), date(2019, 12, 31), days="ten")
    make_amendment(act, date(2019, 1, 1))
    one = queries_of(client, reviewer, ACT)
    for year in (2020, 2021):
        make_edition(act, date(year, 1, 1), date(year, 12, 31), days="nine")
        make_amendment(act, date(year, 1, 1), units=["art=1"])

    assert queries_of(client, reviewer, ACT) == one


def test_rulings_are_listed_newest_first_and_once(client: Client, reviewer: User) -> None:
    make_ruling()
    make_ruling(language="pl", title="Klauzula")
    make_ruling(
        docket="I ACiv 1/20", decided_on=date(2020, 1, 1), court="Court of Appeal", language="pl", title="Tylko"
    )

    page = visit(client, reviewer, RULINGS)

    assert page.index("A clause requiring writing") < page.index("Tylko")
    assert "Klauzula" not in page


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("q=ii+civ+71", True),
        ("q=IICIV71/25", True),
        ("q=supreme", True),
        ("q=klauzula", True),
        ("q=77/77", False),
        ("state=CH", False),
        ("state=qk", True),
    ],
)
def test_rulings_are_searched(client: Client, reviewer: User, query: str, found: bool) -> None:
    make_ruling()
    make_ruling(language="pl", title="Klauzula")

    page = visit(client, reviewer, f"{RULINGS}?{query}")

    assert ("II Civ 71/25</a>" in page) == found
    assert ("No ruling found" in page) != found


def test_rulings_take_the_same_queries_for_three(client: Client, reviewer: User) -> None:
    make_ruling()
    one = queries_of(client, reviewer, RULINGS)
    for number in (1, 2):
        make_ruling(docket=f"I Civ {number}/20")

    assert queries_of(client, reviewer, RULINGS) == one


def test_ruling_shows_theses_text_translations_and_namesakes(client: Client, reviewer: User) -> None:
    shown = make_ruling(cited_law=["Art. 22 CC"])
    polish = make_ruling(language="pl", title="Klauzula")
    namesake = make_ruling(court="Court of Appeal", decided_on=date(2024, 1, 1))

    page = visit(client, reviewer, reverse("law:ruling", args=[shown.pk]))

    for words in ("It is a matter of interpretation.", "<p>First paragraph.</p><p>Second paragraph.</p>", "Art. 22 CC"):
        assert words in page
    assert f'href="{reverse("law:ruling", args=[polish.pk])}" hreflang="pl"' in page
    assert f'href="{reverse("law:ruling", args=[namesake.pk])}"' in page
    assert 'href="https://courts.kestria.example/ii-civ-71-25" rel="noopener noreferrer external"' in page


def test_ruling_without_text_says_so(client: Client, reviewer: User) -> None:
    shown = make_ruling(text="", theses=[], decided_on=None)

    page = visit(client, reviewer, reverse("law:ruling", args=[shown.pk]))

    assert "The text is not stored." in page
    assert "Theses" not in page


def test_hostile_law_is_shown_as_text(client: Client, reviewer: User) -> None:
    act = make_act()
    make_editions(act)
    make_amendment(act, date(2020, 1, 1), citation=HOSTILE, units=[f"art={HOSTILE}"])
    Act.objects.update(titles={"en": HOSTILE}, force_note=HOSTILE, note=HOSTILE)
    ActName.objects.update(value=HOSTILE)
    Unit.objects.update(heading=HOSTILE, number=HOSTILE, text=HOSTILE, notes=[HOSTILE])
    Edition.objects.update(note=HOSTILE, source_url="javascript:alert(1)")
    shown = make_ruling(title=HOSTILE, theses=[HOSTILE], text=HOSTILE, court=HOSTILE, cited_law=[HOSTILE])
    Ruling.objects.update(source_url="javascript:alert(1)")

    for address in [ACTS, ACT, RULINGS, reverse("law:ruling", args=[shown.pk])]:
        check_harmless(visit(client, reviewer, address), times=2)


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("https://law.example/a", True),
        ("http://law.example/a", True),
        ("javascript:alert(1)", False),
        (" javascript:alert(1)", False),
        ("JAVASCRIPT:alert(1)", False),
        ("data:text/html,x", False),
        ("//law.example", False),
        ("file.md", False),
        ("http://[", False),
        ("", False),
    ],
)
def test_only_addresses_of_the_web_become_links(address: str, kept: bool) -> None:
    assert web_address(address) == (address if kept else "")


def test_units_of_another_shape_do_not_break_the_contents(client: Client, reviewer: User) -> None:
    edition = make_edition(make_act(), date(2019, 1, 1))
    fields: dict[str, Any] = {"edition": edition, "level": "par", "number": "§ 1."}
    Unit.objects.create(**fields, key="par=1", position=0, last_position=0)

    assert "unit=par%3D1" in visit(client, reviewer, ACT)


CHANGES = f"/law/changes/{ELI}/"


def test_changes_list_the_articles_that_differ_and_lead_to_both_wordings(client: Client, reviewer: User) -> None:
    editions = make_editions(make_act())

    page = " ".join(visit(client, reviewer, f"{CHANGES}?lang=en&on=2026-10-01").split())

    assert "changed: 1" in page
    assert (
        f"unit=art%3D17&amp;on=2026-09-01&amp;lang=en&amp;left={editions[1].pk}&amp;right={editions[2].pk}#compare"
        in page
    )
    assert ">art. 18<" not in page


def test_changes_of_any_two_editions_name_each_kind(client: Client, reviewer: User) -> None:
    editions = make_editions(make_act())
    first, last = (Unit.objects.filter(edition=editions[place]) for place in (0, 2))
    first.filter(key="art=19").update(is_repealed=False, text="It ends.")
    last.filter(key="art=18").delete()

    page = visit(client, reviewer, f"{CHANGES}?left={editions[0].pk}&right={editions[2].pk}")

    for words in ("changed", "repealed", "no longer printed"):
        assert f">{words}</span>" in page


def test_changes_of_one_edition_or_none_say_so(client: Client, reviewer: User) -> None:
    act = make_act()
    assert "Nothing to compare" in visit(client, reviewer, CHANGES)
    edition = make_edition(act, date(2019, 1, 1), days="ten")

    assert "Nothing to compare" in visit(client, reviewer, CHANGES)
    same = visit(client, reviewer, f"{CHANGES}?left={edition.pk}&right={edition.pk}")
    assert "No article differs between these editions." in same


def test_changes_are_for_the_signed_in_and_read_only(client: Client, reviewer: User) -> None:
    make_editions(make_act())

    check_sign_in(client, CHANGES)
    check_only_reading(client, reviewer, CHANGES)


def test_changes_take_the_same_queries_for_more_editions(client: Client, reviewer: User) -> None:
    act = make_act()
    for year in (2018, 2019):
        make_edition(act, date(year, 1, 1), date(year, 12, 31), days=f"{year}")
    two = queries_of(client, reviewer, CHANGES)
    for year in (2020, 2021):
        make_edition(act, date(year, 1, 1), date(year, 12, 31), days=f"{year}")

    assert queries_of(client, reviewer, CHANGES) == two


def test_amendments_before_the_first_edition_and_ahead_are_no_gap(client: Client, reviewer: User) -> None:
    act = make_act()
    make_edition(act, date(2019, 1, 1), days="ten")
    for day in (date(2018, 1, 1), date(2030, 1, 1)):
        make_amendment(act, day, citation="Some act")

    page = visit(client, reviewer, f"{ACT}?on=2026-10-01")

    assert "Some act" in page
    assert "no edition begins here" not in page
    assert "no edition begins here" in visit(client, reviewer, f"{ACT}?on=2031-01-01")
