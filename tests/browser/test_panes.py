"""The panes of the card page in Chromium: each scrolls for itself and stays where it was read, at any zoom."""

from collections.abc import Callable
from typing import Any

import pytest

from lexreview.accounts.models import User
from tests.browser.test_review import open_card, wait_for_version
from tests.review.factories import SLUG, fill_card, make_card

pytestmark = pytest.mark.django_db(transaction=True)
SignIn = Callable[..., Any]
PANES = ("pane-answer", "pane-source", "pane-card")


def tops(page: Any) -> list[int]:
    return page.evaluate("ids => ids.map(id => Math.round(document.getElementById(id).scrollTop))", list(PANES))


def test_d7_three_panes_scroll_alone_and_stay_over_save_choice_edition_and_stored_view(
    sign_in: SignIn, reviewer: User
) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    page.set_viewport_size({"width": 1280, "height": 420})
    open_card(page, card)

    for place, pane in enumerate(PANES):
        assert page.locator(f"#{pane}").is_visible()
        before = tops(page)
        page.locator(f"#{pane}").hover(position={"x": 40, "y": 60})
        page.mouse.wheel(0, 50 + place)
        page.wait_for_function("([id, top]) => document.getElementById(id).scrollTop === top", arg=[pane, 50 + place])
        assert [top for each, top in enumerate(tops(page)) if each != place] == before[:place] + before[place + 1 :]
    assert page.evaluate("document.scrollingElement.scrollTop") == 0

    page.keyboard.press(",")
    page.locator("#source[data-edition='2023-07-01']").wait_for()
    assert tops(page) == [50, 51, 52]
    page.keyboard.press("b")
    page.locator("article.raw").wait_for()
    assert tops(page) == [50, 51, 52]
    assert page.url.endswith("?citation=1&raw=1")
    page.keyboard.press("a")
    wait_for_version(page, card.version + 1)
    assert page.locator("article.raw").count() == 1
    assert tops(page) == [50, 51, 52]
    page.keyboard.press("b")
    page.locator("article.answer:not(.raw)").wait_for()
    page.evaluate("document.getElementById('points-B2-0').click()")
    wait_for_version(page, card.version + 2)
    assert tops(page) == [50, 51, 52]
    criteria_at = "document.getElementById('criterion-A-R').getBoundingClientRect().top"
    before = page.evaluate(criteria_at)
    page.keyboard.press("j")
    page.locator("#citation[data-number='3']").wait_for()
    assert tops(page)[1] == 0, "another source is shown from its top"
    assert page.evaluate(criteria_at) == before, "whatever room the chosen citation takes above"


def test_at_200_percent_nothing_scrolls_sideways(sign_in: SignIn, lead: User, now: Any) -> None:
    card = make_card(condition="W1", assigned_to=lead)
    done = fill_card(make_card(code="P05", assigned_to=lead), by=lead, now=now)
    page = sign_in(lead)
    addresses = [f"/review/cards/{each.pk}/{query}" for each in (card, done) for query in ("", "?raw=1")]
    addresses += ["/review/?pile=all", "/review/bulk/", "/review/keys/", "/review/decisions/", "/review/progress/"]
    addresses += [f"/review/benchmarks/{SLUG}/second-review/", f"/review/benchmarks/{SLUG}/quality/"]

    for address in addresses:
        page.goto(address)
        page.evaluate("document.querySelectorAll('details:not(.menu)').forEach(fold => fold.open = true)")
        for width in (720, 1280):
            page.set_viewport_size({"width": width, "height": 450})
            assert too_wide(page) == [], (address, width)


def too_wide(page: Any) -> list[str]:
    """The page and its panes where they have to be scrolled sideways. The row of panes itself has tabs for that."""
    return page.evaluate(
        """() => [document.documentElement, ...document.querySelectorAll('.pane, .bar, main:not(.panes)')]
            .filter(each => each.scrollWidth > each.clientWidth + 1)
            .map(each => `${each.tagName} ${each.id} ${each.scrollWidth} > ${each.clientWidth}`)"""
    )
