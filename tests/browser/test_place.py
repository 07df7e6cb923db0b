"""A card that was left half done, opened again: everything typed and chosen is back, and so is the place."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from lexreview.accounts.models import User
from tests.browser.test_review import CLAIM, fresh, open_card, select_in_answer, wait_for_focus
from tests.review.factories import make_card

pytestmark = pytest.mark.django_db(transaction=True)
SignIn = Callable[..., Any]
FIELDS = """() => Object.fromEntries(Array.from(document.querySelectorAll(".screen [data-draft]"),
    field => [field.id, field.value]))"""


def test_a4_a_card_that_was_closed_half_done_comes_back_from_the_queue_as_it_was(
    sign_in: SignIn, reviewer: User
) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card)
    page.locator("#cite-4").click()
    page.locator("#citation[data-number='4']").wait_for()
    page.locator("a#cite-4").wait_for()
    select_in_answer(page, CLAIM)
    page.keyboard.press("n")
    for name, value in (("finding_class", "W"), ("origin", "secondary_source"), ("scope", "peripheral")):
        page.locator(f"#new-finding-{name}").select_option(value)
    page.locator("#new-finding-occurrence").fill("2")
    page.locator("#new-finding-checked_on").fill("2026-10-20")
    page.locator("#evidence-B1").evaluate("fold => fold.open = true")
    page.locator("#evidence-text-B1").press_sequentially("Before the points.")
    page.locator("#new-finding-source_says").press_sequentially("Only half wri")
    fields = page.evaluate(FIELDS)
    page.close()

    page = page.context.new_page()
    page.goto("/review/")
    page.get_by_role("link", name=re.compile("P04")).first.click()
    page.locator("#citation[data-number='4']").wait_for()

    wait_for_focus(page, "#new-finding-source_says")
    assert page.evaluate(FIELDS) == fields
    assert page.locator("#new-finding[open]").count() == 1
    assert fresh(card).version == card.version
    kept = page.locator("#kept").inner_text()
    assert "Only half wri" in kept
    assert "Before the points." in kept


def test_a4_coming_back_to_a_card_opens_no_citation_and_a_named_one_wins(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card)
    page.locator("#cite-4").click()
    page.locator("a#cite-4").wait_for()
    page.keyboard.press("Escape")

    open_card(page, card, "?citation=2")
    assert page.locator("#citation").get_attribute("data-number") == "2"
    opened = fresh(card).citations.exclude(opened_at=None).count()
    open_card(page, card)
    page.wait_for_load_state()

    page.locator("#citation[data-number='2']").wait_for()
    assert fresh(card).citations.exclude(opened_at=None).count() == opened
