"""The parts of the card page at every width: beside each other, with the source as a drawer, or one behind its tab."""

from collections.abc import Callable
from typing import Any

import pytest

from lexreview.accounts.models import User
from tests.browser.conftest import playwright_api
from tests.browser.test_review import nine, open_card, proposed_card
from tests.review.factories import make_card

pytestmark = pytest.mark.django_db(transaction=True)
SignIn = Callable[..., Any]
expect = playwright_api.expect
TABBED = """() => {
    const parts = [];
    for (const each of document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')) {
        const pane = each.closest('.pane');
        const shown = each.tabIndex >= 0 && each.type !== 'hidden' && each.checkVisibility();
        if (pane && shown && parts.at(-1) !== pane.id) parts.push(pane.id);
    }
    return parts;
}"""


@pytest.mark.parametrize("width", [1440, 1000])
def test_the_source_is_put_away_and_brought_back_by_mouse(sign_in: SignIn, reviewer: User, width: int) -> None:
    page = sign_in(reviewer)
    page.set_viewport_size({"width": width, "height": 800})
    open_card(page, make_card(assigned_to=reviewer))
    wording, title = page.locator("#source .law").first, page.locator("#source-pane .pane-title")
    back = page.locator("#show-source" if width > 1279 else "#toggle-source")

    page.locator("#toggle-source").click()
    expect(wording).to_be_hidden()
    expect(title).to_be_visible(visible=width < 1280)
    page.reload()
    expect(wording).to_be_hidden()
    back.click()
    expect(wording).to_be_visible()
    expect(page.locator("#show-source")).to_be_hidden()


def test_the_drawer_takes_nothing_from_the_card_beside_it(sign_in: SignIn, reviewer: User) -> None:
    page = sign_in(reviewer)
    page.set_viewport_size({"width": 1000, "height": 800})
    open_card(page, make_card(assigned_to=reviewer))

    boxes = {name: page.locator(f"#pane-{name}").bounding_box() for name in ("answer", "source", "card")}
    assert boxes["source"]["x"] == boxes["answer"]["x"]
    assert boxes["source"]["y"] == pytest.approx(boxes["answer"]["y"] + boxes["answer"]["height"], abs=1)
    assert boxes["card"]["height"] == pytest.approx(boxes["answer"]["height"] + boxes["source"]["height"], abs=1)


def test_tabs_lead_to_parts_and_say_which_is_in_sight(sign_in: SignIn, reviewer: User) -> None:
    page = sign_in(reviewer)
    page.set_viewport_size({"width": 390, "height": 844})
    card = make_card(assigned_to=reviewer)
    open_card(page, card)
    tabs, current = page.locator(".pane-tabs a"), page.locator(".pane-tabs a[aria-current]")

    expect(current).to_have_text("Citations")
    assert tabs.all_text_contents() == ["Citations", "Answer", "Source", "Card"]
    for place, pane in enumerate(("citations", "answer", "source", "card")):
        tabs.nth(place).click()
        expect(current).to_have_text(tabs.nth(place).text_content())
        expect(page.locator(f"#pane-{pane}")).to_be_in_viewport(ratio=0.9)
        expect(page.locator(f"#pane-{pane}")).to_be_focused()
    assert page.url.endswith(f"/cards/{card.pk}/")


def test_the_keyboard_goes_from_citations_to_scores_and_to_the_source_last(sign_in: SignIn, reviewer: User) -> None:
    page = sign_in(reviewer)
    open_card(page, make_card(assigned_to=reviewer))

    assert page.evaluate(TABBED) == ["pane-citations", "pane-answer", "pane-card", "pane-source"]
    places = {name: page.locator(f"#pane-{name}").bounding_box()["x"] for name in ("answer", "source", "card")}
    assert places["answer"] < places["source"] < places["card"]


def test_printed_the_card_comes_behind_its_source_and_shows_points_and_address(sign_in: SignIn, reviewer: User) -> None:
    page = sign_in(reviewer)
    open_card(page, make_card(assigned_to=reviewer))
    page.locator("#criterion-B1 label").nth(1).click()
    chosen = page.locator("#criterion-B1 input:checked + span")
    expect(chosen).to_have_text("1")

    page.emulate_media(media="print")

    tops = [page.locator(f"#pane-{name}").bounding_box()["y"] for name in ("citations", "answer", "source", "card")]
    assert tops == sorted(tops)
    assert chosen.evaluate("chosen => getComputedStyle(chosen).printColorAdjust") == "exact"
    expect(page.locator("#source .address")).to_be_visible()
    expect(page.locator("#foot")).to_be_hidden()


@pytest.mark.parametrize(("width", "height"), [(320, 568), (390, 844), (720, 450), (1000, 800), (1440, 900)])
def test_what_opens_over_the_bottom_bar_covers_none_of_its_buttons(
    sign_in: SignIn, reviewer: User, width: int, height: int
) -> None:
    page = sign_in(reviewer)
    page.set_viewport_size({"width": width, "height": height})
    open_card(page, proposed_card(reviewer, nine(quoted=5)))
    menus = page.locator("#foot .menu.up")
    names = menus.evaluate_all("menus => menus.map(menu => menu.id)")

    assert {"with-proposals", "blocked", "ruling", "park"} <= set(names)
    for name in names:
        page.locator(f"#{name} > summary").click()
        opened, bar = page.locator(f"#{name} > :not(summary)").bounding_box(), page.locator("#foot").bounding_box()
        assert opened["y"] >= 0 and opened["y"] + opened["height"] <= bar["y"] + 8, name
        assert opened["x"] >= 0 and opened["x"] + opened["width"] <= width, name
        page.locator(f"#{name} > summary").click()
