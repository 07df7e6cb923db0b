"""The keyboard of the card page in Chromium."""

from collections.abc import Callable
from typing import Any

import pytest

from lexreview.accounts.models import User
from tests.browser.test_review import fresh, open_card, wait_for_focus, wait_for_version
from tests.review.factories import make_card

pytestmark = pytest.mark.django_db(transaction=True)
SignIn = Callable[..., Any]


def test_an_error_that_a_person_found_gets_its_evidence_and_the_rule_by_keys(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card, "?citation=4")

    page.keyboard.press("e")
    page.keyboard.press("t")
    wait_for_version(page, card.version + 1)
    page.keyboard.press("r")
    page.locator("#rule-citation[open]").wait_for()
    page.keyboard.press("e")
    wait_for_focus(page, "#finding-row-3-source_says")
    page.keyboard.type("Art. 3 exempts nobody: j k a t.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    wait_for_version(page, card.version + 2)

    finding = fresh(card).findings.get(number=3)
    assert (finding.error_class, finding.source_says) == ("T", "Art. 3 exempts nobody: j k a t.")
    assert page.locator("#rule-citation[open] kbd").inner_text() == "r"
    assert page.locator("[data-do=edit-finding] kbd").all_inner_texts() == ["e"]
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.locator("#citation[data-number='6']").wait_for()
