"""The next card, kept ready while a card is read; and replies that bring only what changed."""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from django.utils import timezone

from lexreview.accounts.models import User
from lexreview.ledger.models import Event
from lexreview.review.actions import set_note
from lexreview.review.models import Attendance, Card
from tests.browser.test_review import fresh, open_card, select_in_answer, wait_for_focus, wait_for_version
from tests.review.factories import fill_card, make_card

pytestmark = pytest.mark.django_db(transaction=True)
SignIn = Callable[..., Any]


def ready(page: Any, card: Card, following: Card) -> None:
    """The card is open and the page of the next one has come; the window is marked, so that a load shows."""
    with page.expect_response(re.compile(rf"/cards/{card.pk}/following/$")) as caught:
        open_card(page, card)
    assert caught.value.headers["kept-card"] == str(following.pk)
    caught.value.finished()
    page.evaluate("window.loadedOnce = true")


@pytest.fixture
def pair(reviewer: User, now: datetime) -> tuple[Card, Card]:
    """A card that is ready for its approval, and the next one."""
    card = fill_card(make_card(assigned_to=reviewer), by=reviewer, now=now)
    return card, make_card(code="P05", condition="W1", system="boron-2", assigned_to=reviewer)


def shown(page: Any, card: Card) -> None:
    page.wait_for_url(re.compile(rf"/review/cards/{card.pk}/"))
    page.locator(f"#main[data-card='{card.pk}']").wait_for()


def test_approve_and_next_shows_the_kept_page_without_a_load(
    sign_in: SignIn, reviewer: User, pair: tuple[Card, Card]
) -> None:
    card, following = pair
    page = sign_in(reviewer)
    page.goto("/review/")
    ready(page, card, following)
    page.locator("#pane-card").evaluate("pane => pane.scrollTop = 200")
    asked = []
    page.on("request", lambda request: asked.append(request.url.split("8000")[-1]))

    page.keyboard.press("Enter")
    shown(page, following)

    assert page.evaluate("window.loadedOnce") is True
    assert fresh(card).state == "approved"
    assert "P05" in page.title()
    assert "P05" in page.locator("#live").inner_text()
    assert page.locator("h1").inner_text().startswith("P05")
    assert page.locator("#pane-card").evaluate("pane => pane.scrollTop") == 0
    wait_for_focus(page, ".cite[aria-current]")
    page.wait_for_function("() => document.querySelector('#bar progress').value === 1")
    assert not any(url.endswith(f"/cards/{following.pk}/") for url in asked)

    page.keyboard.press("a")
    page.locator("#cite-1:not([data-open])").wait_for()
    page.locator("#note-text").fill("Of the second card.")
    page.keyboard.press("Escape")
    wait_for_version(page, following.version + 2)
    now = fresh(following)
    assert (now.note, now.citations.get(number=1).state) == ("Of the second card.", "error")
    assert fresh(card).note == ""


def forms_are_of(page: Any, card: Card) -> bool:
    """Whatever is on the page saves onto this card."""
    actions = page.evaluate(
        "Array.from(document.querySelectorAll('.screen form'), form => form.getAttribute('action'))"
    )
    return bool(actions) and all(f"/cards/{card.pk}/" in action for action in actions)


def test_back_from_a_kept_page_loads_the_card_before(sign_in: SignIn, reviewer: User, pair: tuple[Card, Card]) -> None:
    card, following = pair
    page = sign_in(reviewer)
    ready(page, card, following)
    page.keyboard.press("Enter")
    shown(page, following)

    page.go_back()
    shown(page, card)
    page.wait_for_function("() => !window.loadedOnce")
    page.wait_for_load_state()  # a step on before the script hears of it changes the address alone
    assert "Approved by" in page.locator("#foot").inner_text()
    page.go_forward()
    shown(page, following)
    page.wait_for_load_state()
    assert page.locator("html > head > title").count() == 1
    assert "P05" in page.title()


def test_of_a_card_that_changed_meanwhile_the_kept_page_is_not_shown(
    sign_in: SignIn, reviewer: User, lead: User, pair: tuple[Card, Card]
) -> None:
    card, following = pair
    page = sign_in(reviewer)
    ready(page, card, following)
    set_note(card=following, note="Lena was here.", version=following.version, by=lead, now=timezone.now())

    page.keyboard.press("Enter")
    shown(page, following)
    page.locator("#note-text").wait_for()

    assert page.evaluate("window.loadedOnce") is True
    assert page.locator("#note-text").input_value() == "Lena was here."
    page.locator("#note-text").fill("Lena was here. Rita too.")
    page.keyboard.press("Escape")
    wait_for_version(page, following.version + 2)
    assert fresh(following).note == "Lena was here. Rita too."


def test_a_free_card_is_taken_and_shown_in_place(sign_in: SignIn, reviewer: User, now: datetime) -> None:
    card = fill_card(make_card(assigned_to=reviewer), by=reviewer, now=now)
    free = make_card(code="P05", system="boron-2")
    page = sign_in(reviewer)
    open_card(page, card)
    page.evaluate("window.loadedOnce = true")

    page.keyboard.press("Enter")
    shown(page, free)

    assert page.evaluate("window.loadedOnce") is True
    assert fresh(free).assigned_to == reviewer
    page.keyboard.press("a")
    page.locator("#cite-1:not([data-open])").wait_for()


def test_a_kept_page_leaves_no_trace_until_it_is_shown(
    sign_in: SignIn, reviewer: User, pair: tuple[Card, Card]
) -> None:
    card, following = pair
    page = sign_in(reviewer, beats=True)
    events = Event.objects.about("card", following.ledger_id).count()

    with page.expect_response(re.compile("/beat/$")):
        ready(page, card, following)

    assert Event.objects.about("card", following.ledger_id).count() == events
    assert not Attendance.objects.filter(card=following).exists()
    with page.expect_response(re.compile(rf"/cards/{following.pk}/beat/$")):
        page.keyboard.press("Enter")
        shown(page, following)
    assert Attendance.objects.filter(card=following).exists()
    page.goto("about:blank")


def test_text_of_an_earlier_visit_is_offered_on_a_kept_page(
    sign_in: SignIn, reviewer: User, pair: tuple[Card, Card]
) -> None:
    card, following = pair
    page = sign_in(reviewer)
    open_card(page, following)
    page.locator("#note-text").evaluate("field => field.form.setAttribute('hx-trigger', 'submit')")
    page.locator("#note-text").fill("Half a thought.")
    ready(page, card, following)

    page.keyboard.press("Enter")
    shown(page, following)

    page.locator("#kept").wait_for()
    assert page.evaluate("window.loadedOnce") is True
    assert "Half a thought." in page.locator("#kept").inner_text()
    page.locator("#save-kept").click()
    wait_for_version(page, following.version + 1)
    assert fresh(following).note == "Half a thought."


def test_a_save_leaves_the_rest_of_the_page_and_the_next_save_follows(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    card = set_note(card=card, note="Begun.", version=card.version, by=reviewer, now=timezone.now())
    page = sign_in(reviewer)
    open_card(page, card, "?citation=1")
    page.locator("#answer-text").evaluate("part => part.dataset.kept = '1'")
    page.locator("#criterion-B2").evaluate("part => part.dataset.kept = '1'")

    page.locator("#criterion-B1 label").nth(1).click()
    wait_for_version(page, card.version + 1)
    assert "Saved, version" in page.locator("#live").inner_text()
    page.locator("#note-text").fill("Begun. And on.")
    page.keyboard.press("Escape")
    wait_for_version(page, card.version + 2)
    page.keyboard.press("j")
    page.locator("#citation[data-number='3']").wait_for()
    page.locator("#criterion-B2 label").nth(0).click()
    wait_for_version(page, card.version + 3)

    assert page.url.endswith("?citation=3")
    assert page.locator("#answer-text[data-kept]").count() == 0, "the chosen citation is marked in the answer"
    done = fresh(card)
    assert done.note == "Begun. And on."
    assert {row.criterion for row in done.scores.exclude(decided=None)} == {"B1", "B2"}
    select_in_answer(page, "a request filed without it is returned")
    page.keyboard.press("n")
    page.locator("#submit-new").click()
    page.locator("mark.claim[data-finding='3']").wait_for()
    assert fresh(card).version == card.version + 4
