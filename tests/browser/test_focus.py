"""Where the focus is after each form of the card page: where the next key is meant to go, and never at the top."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from lexreview.accounts.models import User
from lexreview.review.actions import set_note
from tests.browser.test_review import CLAIM, fresh, open_card, select_in_answer, version_shown, wait_for_version
from tests.review.factories import make_card

pytestmark = pytest.mark.django_db(transaction=True)
SignIn = Callable[..., Any]
FOCUSED = """() => document.activeElement.id
    || (document.activeElement.closest("details") || document.activeElement).id"""


def unfold(page: Any, *ids: str) -> None:
    page.evaluate("ids => ids.forEach(id => { document.getElementById(id).open = true; })", list(ids))


# What is unfolded and filled in before, what is pressed, and where the focus is then: a field, or the head of a fold.
ONE_STEP: list[tuple[str, tuple[str, ...], dict[str, str], str, str]] = [
    ("accept a finding", ("finding-row-1",), {}, "#accept-1", "finding-row-1"),
    ("edit a finding", ("finding-row-1", "edit-finding-1"), {"#finding-row-1-source_says": "Seven days."},
     "#submit-finding-row-1", "finding-row-1"),
    ("reject a finding", ("finding-row-2",), {"#drop-reason-2": "It is there."}, "#drop-2", "finding-row-2"),
    ("write evidence", ("evidence-A-R",), {"#evidence-text-A-R": "Half of it."}, "#save-A-R", "evidence-A-R"),
    ("add a citation", ("missed",), {"#missed-quote": "file number"}, "#add-citation", "missed"),
    ("tick an element", (), {}, "label:has(#tick-A1-R2)", "tick-A1-R2"),
    ("name the official source", (), {}, "", "official-source-choice"),
]  # fmt: skip


def test_j2_each_form_leaves_the_focus_where_it_is_wanted(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(condition="W1", assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card, "?citation=1")
    page.locator("#criterion-A-R label").nth(1).click()
    wait_for_version(page, card.version + 1)

    for name, folds, texts, button, focused in ONE_STEP:
        version = version_shown(page)
        unfold(page, *folds)
        for field, words in texts.items():
            page.locator(field).evaluate("(field, words) => { field.value = words; field.focus(); }", words)
        if button:
            page.locator(button).click()
        else:
            page.locator("#official-source-choice").focus()
            page.keyboard.press("ArrowDown")
        wait_for_version(page, version + 1)
        assert page.evaluate(FOCUSED) == focused, name


def test_j2_a_new_finding_and_a_note_leave_the_focus_on_the_page(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card, "?citation=1")

    select_in_answer(page, CLAIM)
    page.keyboard.press("n")
    page.locator("#new-finding-source_says").fill("§ 2 says so only after a call.")
    page.keyboard.press("Control+Enter")
    wait_for_version(page, card.version + 1)
    assert page.evaluate(FOCUSED) == "cite-1", "where the next key is heard"
    select_in_answer(page, "file number")
    page.keyboard.press("n")
    page.locator("#submit-new").click()
    wait_for_version(page, card.version + 2)
    assert page.evaluate(FOCUSED) == "new-finding"
    page.locator("#note-text").fill("Typed on.")
    wait_for_version(page, card.version + 3)
    assert page.evaluate(FOCUSED) == "note-text"
    page.keyboard.press("Escape")
    assert page.evaluate(FOCUSED) == "main"
    page.locator("#ruling > summary").click()
    page.locator("#ruling-text").fill("Does § 2 count?")
    page.locator("#submit-ruling").click()
    page.locator("#approve").wait_for(state="detached")
    assert page.evaluate("document.activeElement !== document.body")


def test_j2_a_refusal_keeps_the_focus_and_a_conflict_has_it(sign_in: SignIn, reviewer: User, lead: User) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card, "?citation=1")
    unfold(page, "new-finding")
    page.locator("#new-finding-claim").fill("words that are not there")
    page.locator("#submit-new").click()
    page.locator("#refused").wait_for()
    assert page.evaluate(FOCUSED) == "submit-new"

    set_note(card=fresh(card), note="Lena's note", version=card.version, by=lead, now=timezone.now())
    page.locator("#criterion-B2 label").nth(1).click()
    page.locator("#keep-mine").wait_for()
    assert page.evaluate(FOCUSED) == "refused"
    page.locator("#keep-mine").click()
    page.locator("#verdict").wait_for()
    assert page.evaluate("document.activeElement !== document.body")
