"""The focus is somewhere on the page after every key, at 200 % zoom, on a phone's width and with single keys off."""

from collections.abc import Callable
from typing import Any

import pytest

from lexreview.accounts.models import User
from lexreview.review.keys import KEYS, Context, Key
from tests.browser.test_review import open_card
from tests.review.factories import make_card

pytestmark = pytest.mark.django_db(transaction=True)
SignIn = Callable[..., Any]
LEAVES = ("approve", "next-card", "previous-card", "go-queue", "go-decisions", "go-log", "leave-field")
HAS_FOCUS = """() => !document.querySelector('.htmx-request, #saved.saving')
    && document.activeElement && document.activeElement !== document.body"""


def stays(key: Key) -> bool:
    return key.context is not Context.FIELD and key.does not in LEAVES


@pytest.mark.parametrize(("width", "height"), [(720, 450), (390, 800)], ids=["200 %", "phone"])
def test_j2_no_key_loses_the_focus(sign_in: SignIn, reviewer: User, width: int, height: int) -> None:
    card = make_card(condition="W1", assigned_to=reviewer)
    page = sign_in(reviewer)
    page.set_viewport_size({"width": width, "height": height})
    open_card(page, card, "?citation=1")
    page.locator("#cite-1").focus()

    for key in filter(stays, KEYS):
        if key.context is Context.CRITERION:
            page.locator("form.crit input[name=points]").first.focus()
        for stroke in ["1"] if key.does == "points" else key.strokes:
            page.keyboard.press(f"Shift+{stroke}" if stroke.isupper() else stroke.replace("Ctrl+", "Control+"))
        page.wait_for_timeout(30)
        page.wait_for_function(HAS_FOCUS)
        for _field in range(2):
            page.keyboard.press("Escape")
        assert page.evaluate(HAS_FOCUS), key


def test_j2_with_single_keys_off_buttons_keep_the_focus(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card, "?citation=1")
    page.locator("#show-keys").focus()
    page.keyboard.press("Enter")
    page.locator("#keys-on").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Escape")
    page.wait_for_function(HAS_FOCUS)

    for button in ("agree", "set-t", "confirm-in-bulk", "accept-proposals", "toggle-order", "undo", "toggle-source"):
        page.locator(f"#{button}").focus()
        page.keyboard.press("Enter")
        page.wait_for_timeout(30)
        page.wait_for_function(HAS_FOCUS)
