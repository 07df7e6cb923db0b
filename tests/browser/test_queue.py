"""The queue and the pages around it in Chromium: axe, and no sideways scrolling."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from lexreview.accounts.models import User
from lexreview.review.actions import approve_card
from lexreview.review.models import SavedView
from tests.browser.test_review import violations
from tests.review.factories import SLUG, fill_card, make_card

pytestmark = pytest.mark.django_db(transaction=True)
SignIn = Callable[..., Any]
ADDRESSES = (
    "/review/?pile=all",
    "/review/?pile=mine",
    "/review/decisions/",
    "/review/progress/",
    f"/review/batches/?benchmark={SLUG}&count=1&seed=1&person=lena",
)


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (390, "dark")])
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
        too_wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(too_wide) <= 0, address


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
    assert table.locator("td.asked").get_attribute("lang") == "en"
