import re
from datetime import date, datetime
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.core.paginator import Paginator
from django.template import Context, Template
from django.test import RequestFactory
from django.utils import translation

from lexreview.accounts.models import User
from lexreview.accounts.templatetags.look import benchmark_menu
from lexreview.core.workflow import Role
from tests.factories import make_user


def render(source: str, **context: object) -> str:
    return Template("{% load look %}" + source).render(Context(context)).strip()


def test_interval_is_drawn_with_points_in_every_language() -> None:
    with translation.override("pl"):
        drawn = render("{% interval 0.125 0.25 0.505 %}")

    assert 'x1="12.5%" x2="50.5%"' in drawn
    assert 'cx="25%"' in drawn


def test_interval_says_itself_in_words() -> None:
    assert 'aria-label="Basalt: 50 %, interval from 24 to 76 %"' in render(
        "{% interval 0.24 0.5 0.76 label='Basalt' %}"
    )


def test_undefined_interval_is_not_applicable_with_its_reason() -> None:
    drawn = render("{% interval None None None reason=reason %}", reason="no <answers>")

    assert "n/a" in drawn
    assert "no &lt;answers&gt;" in drawn
    assert "<svg" not in drawn


@pytest.mark.parametrize(
    ("tag", "text"),
    [
        ("{% fraction 5 10 %}", "5 of 10"),
        ("{% fraction 23 80 percent=True %}", "29 % 23 of 80"),
        ("{% fraction 0 0 percent=True %}", "0 of 0"),
        ("{% fraction None 5 %}", "n/a"),
        ("{% fraction 3 4 unit='answers' %}", "3 of 4 answers"),
    ],
)
def test_fraction_says_what_it_is_out_of(tag: str, text: str) -> None:
    assert " ".join(re.sub(r"<[^>]+>", "", render(tag)).split()) == text


@pytest.mark.parametrize(
    ("code", "sign", "css"), [("W", "W", "w"), ("t", "T", "t"), ("ok", "✓", "ok"), ("open", "?", "o"), ("QX", "QX", "")]
)
def test_mark_has_a_letter_beside_its_colour(code: str, sign: str, css: str) -> None:
    drawn = render("{% mark code %}", code=code)

    assert f">{sign}<" in drawn
    assert f'class="mark {css}"' in drawn


def test_mark_with_words_is_read_out_and_without_is_not() -> None:
    assert 'aria-label="confirmed"' in render("{% mark 'ok' 'confirmed' %}")
    assert 'aria-hidden="true"' in render("{% mark 'ok' %}")


def test_unknown_class_has_the_neutral_colour() -> None:
    assert render("{{ 'W'|mark_css }} {{ 'N'|mark_css }}") == "w o"


def test_edition_line_links_editions_and_marks_the_shown_one() -> None:
    editions = [
        SimpleNamespace(valid_from=date(2019, 1, 1), url="/law/1/"),
        SimpleNamespace(valid_from=date(2023, 7, 1), url="/law/2/"),
    ]

    drawn = render(
        "{% edition_line editions shown day=day %}", editions=editions, shown=editions[1], day=date(2021, 1, 1)
    )

    assert drawn.count("<circle") == 2
    assert 'href="/law/2/" aria-label="in force from 1 Jul 2023 2023-07-01" aria-current="true"' in drawn
    assert "asked" in drawn


def test_edition_line_of_nothing_draws_nothing() -> None:
    assert "<circle" not in render("{% edition_line editions None %}", editions=[])


def test_segments_check_the_chosen_value_and_mark_the_proposal() -> None:
    options = [{"value": points, "label": points} for points in (0, 1, 2)]

    drawn = render(
        "{% include 'components/segments.html' with name='a' legend='A-R' options=options chosen=1 was=2 %}",
        options=options,
    )

    assert drawn.count('type="radio"') == 3
    assert 'value="1" checked' in drawn
    assert drawn.count("checked") == 1
    assert '<label class="was"><input type="radio" name="a" value="2"' in drawn


def test_pager_offers_neighbours_and_ends() -> None:
    page = Paginator(range(431), 20).page(6)

    drawn = render("{% include 'components/pager.html' %}", page_obj=page)

    assert [f"?page={number}" in drawn for number in (1, 4, 5, 7, 8, 22)] == [True] * 6
    assert '<span aria-current="page">6</span>' in drawn
    assert "?page=12" not in drawn
    assert "101–120 of 431" in drawn


def test_single_page_has_no_pager() -> None:
    assert render("{% include 'components/pager.html' %}", page_obj=Paginator([1], 20).page(1)) == ""


def test_nav_item_marks_its_page_and_the_pages_below(rf: RequestFactory) -> None:
    here = render("{% nav_item 'account_login' 'In' %}", request=rf.get("/account/login/"))
    below = render("{% nav_item 'account_login' 'In' %}", request=rf.get("/account/login/code/"))
    away = render("{% nav_item 'account_login' label %}", label="<In>", request=rf.get("/elsewhere/"))

    assert 'aria-current="page"' in here
    assert 'aria-current="true"' in below
    assert "aria-current" not in away
    assert "&lt;In&gt;" in away


def test_nav_item_of_an_unknown_page_prints_nothing(rf: RequestFactory) -> None:
    assert render("{% nav_item 'no:such' 'Nothing' %}", request=rf.get("/")) == ""


@pytest.mark.parametrize(("cookie", "attribute"), [("dark", ' data-bs-theme="dark"'), ('"><script>', ""), ("", "")])
def test_theme_of_the_cookie_is_taken_only_when_it_is_ours(rf: RequestFactory, cookie: str, attribute: str) -> None:
    request = rf.get("/")
    request.COOKIES["lexreview_theme"] = cookie

    assert Template("{% load look %}{% theme_attribute %}").render(Context({"request": request})) == attribute


def test_benchmark_menu_lists_each_benchmark_once_with_all_roles(db: None) -> None:
    user = make_user("ada", roles=(Role.REVIEWER, Role.LEAD))

    items = benchmark_menu(user)

    assert [item.slug for item in items] == ["kestria-01"]
    assert items[0].roles == "methodology lead, reviewer"


def test_benchmark_menu_of_an_outsider_is_empty(outsider: User) -> None:
    assert benchmark_menu(outsider) == []


DATE_OF_CODE = re.compile(r"""date_format\([^"'\n]*,\s*["']([^"']*)["']""")
DATE_OF_A_TEMPLATE = re.compile(r"""\|date:(?:"([^"]*)"|'([^']*)')""")


def test_dates_that_people_read_are_written_as_their_language_writes_them() -> None:
    """Fixed formats are for attributes, where they stand in single quotes, and for the time of day."""
    in_code = {
        f"{path.name}: {written}"
        for path in (settings.BASE_DIR / "lexreview").rglob("*.py")
        for written in DATE_OF_CODE.findall(path.read_text(encoding="utf-8"))
        if not (written.endswith("_FORMAT") or written in ("H:i", "H:i:s"))
    }
    fixed = {
        f"{path.name}: {shown or machine}"
        for path in (settings.BASE_DIR / "templates").rglob("*.html")
        for shown, machine in DATE_OF_A_TEMPLATE.findall(path.read_text(encoding="utf-8"))
        if not (shown.endswith("_FORMAT") or shown in ("H:i", "H:i:s") or machine in ("c", "Y-m-d"))
    }

    assert fixed | in_code == set()


@pytest.mark.parametrize(
    ("language", "written"),
    [
        ("en", ("1 Dec 2026, 02:32:09", "1 Dec, 02:32", "1 Dec, 02:32:09")),
        ("pl", ("1 grudnia 2026, 02:32:09", "1 grudnia, 02:32", "1 grudnia, 02:32:09")),
        ("de", ("1. Dezember 2026, 02:32:09", "1. Dezember, 02:32", "1. Dezember, 02:32:09")),
    ],
)
def test_moments_are_written_to_the_minute_or_the_second(language: str, written: tuple[str, str, str]) -> None:
    at = datetime(2026, 12, 1, 2, 32, 9)

    with translation.override(language):
        said = render("{{ at|to_the_second }}|{{ at|day_and_time }}|{{ at|day_and_time:'s' }}", at=at).split("|")

    assert tuple(said) == written
    assert render("{{ at|to_the_second }}{{ at|day_and_time }}", at=None) == ""
