"""The queue and the pages around it in Chromium: axe, and no sideways scrolling."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from lexreview.accounts.models import User
from lexreview.review.actions import approve_card
from lexreview.review.models import SavedView
from tests.browser.conftest import playwright_api
from tests.browser.test_review import TOO_WIDE, violations
from tests.review.factories import SLUG, fill_card, make_card, make_many_cards

pytestmark = pytest.mark.django_db(transaction=True)
SignIn = Callable[..., Any]
expect = playwright_api.expect
ADDRESSES = (
    "/review/?pile=all",
    "/review/?pile=mine",
    "/review/decisions/",
    "/review/progress/",
    f"/review/batches/?benchmark={SLUG}&count=1&seed=1&person=lena",
)


@pytest.mark.parametrize(("width", "scheme"), [(720, "light"), (390, "dark")])
def test_d9_axe_finds_nothing_around_the_queue(
    sign_in: SignIn, lead: User, now: datetime, width: int, scheme: str
) -> None:
    make_card()
    card = fill_card(make_card(system="boron-2"), by=lead, now=now)
    approve_card(card=card, version=card.version, confirm_unchecked=True, by=lead, now=now)
    SavedView.objects.create(person=lead, name="Fees", query="pile=all")
    page = sign_in(lead, color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})

    for address in ADDRESSES:
        page.goto(address)
        assert violations(page) == [], address
        assert page.evaluate(TOO_WIDE) <= 0, address


def test_queue_is_a_list_on_a_phone_and_names_its_numbers(sign_in: SignIn, lead: User) -> None:
    make_card()
    page = sign_in(lead)
    page.set_viewport_size({"width": 390, "height": 900})

    page.goto("/review/?pile=all")

    table = page.locator(".queue-rows")
    shown = "cell => getComputedStyle(cell, '::before').content"
    assert table.locator("thead").is_hidden()
    assert [cell.evaluate(shown) for cell in table.locator("td.n").all()] == [
        '"Citations checked: "',
        '"Flagged, not opened: "',
    ]
    assert table.evaluate("table => table.scrollWidth - table.parentElement.clientWidth") <= 0
    assert table.locator("td.asked > span").get_attribute("lang") == "en"


@pytest.mark.parametrize("script", [True, False])
def test_turning_pages_and_filtering_keeps_the_frame_the_address_and_the_way_back(
    sign_in: SignIn, lead: User, monkeypatch: pytest.MonkeyPatch, script: bool
) -> None:
    monkeypatch.setattr("lexreview.review.views.queue.PER_PAGE", 2)
    make_many_cards(5)
    page = sign_in(lead, java_script_enabled=script)
    codes = page.locator(".queue-rows th[scope=row] a")
    page.goto("/review/?pile=all")
    loads: list[str] = []
    page.on("request", lambda request: loads.append(request.url) if request.is_navigation_request() else None)

    page.locator("#page-after").click()
    expect(codes).to_have_text(["Q0002", "Q0003"])
    assert "after=" in page.url
    page.locator("#pile-unassigned").click()
    expect(page.locator("#pile-unassigned")).to_have_attribute("aria-current", "page")
    page.locator("#id_sort").select_option("last_question")
    if not script:
        page.locator("#filters button").click()
    expect(codes).to_have_text(["Q0004", "Q0003"])
    assert "sort=last_question" in page.url
    page.locator("#page-after").focus()
    page.keyboard.press("Enter")
    expect(codes).to_have_text(["Q0002", "Q0001"])
    if script:
        assert loads == []
        assert page.evaluate("document.activeElement.id") == "page-after"
    page.go_back()
    expect(codes).to_have_text(["Q0004", "Q0003"])
    page.wait_for_load_state()
    page.go_back()
    expect(codes).to_have_text(["Q0000", "Q0001"])
    page.wait_for_load_state()
    page.go_back()
    expect(codes).to_have_text(["Q0002", "Q0003"])
    assert page.locator("header.top").count() == 1
    page.wait_for_load_state()
    page.locator("#page-after").focus()
    page.keyboard.press("Enter")
    expect(codes).to_have_text(["Q0004"])
    if script:
        assert page.evaluate("document.activeElement.id") == "cards", "the last page has no “Next” for the focus"


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (401, "Your session has ended"),
        (403, "You may not do this"),
        (429, "Too many requests"),
        (500, "The server failed"),
        (503, "The server failed"),
    ],
)
@pytest.mark.parametrize("address", ["/review/?pile=all", "/review/decisions/"])
def test_j5_a_list_that_cannot_be_filtered_says_why_and_stays(
    sign_in: SignIn, reviewer: User, now: datetime, address: str, status: int, words: str
) -> None:
    card = fill_card(make_card(assigned_to=reviewer), by=reviewer, now=now)
    approve_card(card=card, version=card.version, confirm_unchecked=True, by=reviewer, now=now)
    page = sign_in(reviewer, expecting=f"status of {status}|Code {status}")
    page.goto(address)
    page.route(
        "**/review/**",
        lambda route: (
            route.fulfill(status=status, body="no") if "hx-request" in route.request.headers else route.continue_()
        ),
    )

    page.locator("main form select").first.select_option(index=1)

    page.locator("#messages", has_text=words).wait_for()
    assert page.locator("#live").inner_text().startswith(words)
    assert page.locator("tbody tr").count() == 1
