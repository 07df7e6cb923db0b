"""Forms that are sent only when asked, begun and not sent: Ctrl+Enter sends them, and no card is approved over them."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from lexreview.accounts.models import User
from lexreview.review.models import Card
from tests.browser.test_review import CLAIM, QUEUE, fresh, open_card, select_in_answer, wait_for_focus, wait_for_version
from tests.factories import PASSWORD
from tests.review.factories import fill_card, make_card

pytestmark = pytest.mark.django_db(transaction=True)
SignIn = Callable[..., Any]


@pytest.fixture
def ready(reviewer: User, now: datetime) -> Card:
    """A card that can be approved."""
    return fill_card(make_card(assigned_to=reviewer), by=reviewer, now=now)


def begin_finding(page: Any) -> None:
    select_in_answer(page, CLAIM)
    page.keyboard.press("n")
    page.locator("#new-finding-source_says").fill("§ 2 returns a request only after a call to pay.")


def test_a6_ctrl_enter_in_a_finding_sends_the_finding(sign_in: SignIn, reviewer: User, ready: Card) -> None:
    page = sign_in(reviewer)
    open_card(page, ready)
    begin_finding(page)

    page.keyboard.press("Control+Enter")
    page.locator("mark.claim[data-finding='3']").wait_for()

    assert fresh(ready).findings.get(number=3).claim == CLAIM
    assert fresh(ready).state == "in_review"
    page.keyboard.press("Escape")
    page.keyboard.press("Control+Enter")
    page.wait_for_url(QUEUE)
    assert fresh(ready).state == "approved"


@pytest.mark.parametrize("way", ["Enter", "Control+Enter", "click"])
def test_a6_a_card_is_not_approved_over_a_finding_that_was_begun(
    sign_in: SignIn, reviewer: User, ready: Card, way: str
) -> None:
    page = sign_in(reviewer)
    open_card(page, ready)
    begin_finding(page)
    page.keyboard.press("Escape")

    if way == "click":
        page.locator("#approve").click()
    else:
        page.keyboard.press(way)
    page.locator("#half-written").wait_for()

    assert "call to pay" in page.locator("#half-written").inner_text()
    wait_for_focus(page, "#new-finding textarea")
    assert fresh(ready).state == "in_review"
    page.locator("#drop-half-written").click()
    assert page.locator("#half-written").is_hidden()
    wait_for_focus(page, "#approve")
    page.keyboard.press("Enter")
    page.wait_for_url(QUEUE)
    assert (fresh(ready).state, fresh(ready).findings.count()) == ("approved", ready.findings.count())


def test_a6_each_form_that_is_sent_when_asked_stands_in_the_way(sign_in: SignIn, reviewer: User, ready: Card) -> None:
    page = sign_in(reviewer)
    open_card(page, ready, "?citation=1")
    fields = page.evaluate(
        """() => Array.from(document.querySelectorAll(".screen form[hx-post]:not([hx-trigger]) [data-draft]"))
            .filter(field => !field.matches("select, [type=number], [type=date]")).map(field => field.id)"""
    )
    begun = {"missed-quote", "drop-reason-1", "why-no-error", "finding-row-1-claim", "new-finding-claim", "park-text"}
    assert begun <= set(fields)

    for field in fields:
        page.evaluate(
            """id => {
                const field = document.getElementById(id);
                field.value += " more";
                field.dispatchEvent(new Event("input", { bubbles: true }));
            }""",
            field,
        )
        page.evaluate("document.getElementById('approve').click()")
        page.locator("#half-written").wait_for()
        assert page.evaluate("document.activeElement.id") == field
        page.locator("#drop-half-written").click()
    assert fresh(ready).state == "in_review"


def test_a6_a_finding_begun_at_another_citation_is_not_forgotten(sign_in: SignIn, reviewer: User, ready: Card) -> None:
    page = sign_in(reviewer)
    open_card(page, ready, "?citation=1")
    page.locator("#new-finding > summary").click()
    page.locator("#new-finding-source_says").fill("Something that is not there.")
    page.locator("#cite-7").click()
    page.locator("#citation[data-number='7']").wait_for()

    page.locator("#approve").click()
    page.locator("#half-written").wait_for()

    assert "Something that is not there." in page.locator("#half-written").inner_text()
    assert fresh(ready).state == "in_review"


@pytest.mark.parametrize(
    ("fold", "words", "state"), [("park", "Wait for § 2.", "parked"), ("ruling", "Is that T?", "needs_ruling")]
)
def test_d2_ctrl_enter_sends_what_is_asked_in_a_menu(
    sign_in: SignIn, reviewer: User, fold: str, words: str, state: str
) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card)

    page.keyboard.press("p" if fold == "park" else "d")
    wait_for_focus(page, f"#{fold}-text")
    page.keyboard.type(words)
    with page.expect_response(lambda reply: reply.request.method == "POST" and f"/cards/{card.pk}/" in reply.url):
        page.keyboard.press("Control+Enter")

    assert fresh(card).state == state


def test_a6_what_is_typed_right_before_approving_is_in_the_revision(
    sign_in: SignIn, reviewer: User, ready: Card
) -> None:
    """Each is a save of its own, with its own line in the history and its own way back; their order is kept."""
    page = sign_in(reviewer)
    open_card(page, ready)
    page.locator("#evidence-B1").evaluate("fold => fold.open = true")

    for field, words in (("#evidence-text-B1", "Read again."), ("#note-text", "Typed right before.")):
        page.locator(field).fill(words)
        if field == "#note-text":
            page.keyboard.press("Control+Enter")
    page.wait_for_url(QUEUE)

    snapshot = fresh(ready).revisions.get(number=1).snapshot
    assert snapshot["note"] == "Typed right before."
    assert next(row["evidence"] for row in snapshot["scores"] if row["criterion"] == "B1") == "Read again."


def test_a6_a_note_that_is_refused_stops_the_approval_behind_it(sign_in: SignIn, reviewer: User, ready: Card) -> None:
    page = sign_in(reviewer, expecting="ERR_FAILED")
    open_card(page, ready)
    page.route("**/note/", lambda route: route.abort())

    page.locator("#note-text").fill("Typed right before.")
    page.keyboard.press("Control+Enter")
    page.locator("#not-saved").wait_for()
    assert fresh(ready).state == "in_review"
    page.unroute("**/note/")
    page.locator("#try-again").click()
    page.wait_for_url(QUEUE)

    assert fresh(ready).revisions.get(number=1).snapshot["note"] == "Typed right before."


def test_keys_of_a_composition_are_no_shortcuts(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card)

    page.evaluate(
        """() => {
            const key = more => document.body.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, ...more }));
            for (const name of ["a", "t", "u", "Enter"]) key({ key: name, isComposing: true });
            for (const name of ["a", "t", "u", "Enter"]) key({ key: name, keyCode: 229 });
            key({ key: "Process", code: "KeyA", keyCode: 229 });
            key({ key: "Enter", ctrlKey: true, isComposing: true });
        }"""
    )
    page.locator("#note-text").fill("ö")
    page.keyboard.press("Escape")
    wait_for_version(page, card.version + 1)

    assert fresh(card).version == card.version + 1


def test_a6_a_card_is_not_approved_over_what_an_earlier_visit_left_unsaved(
    sign_in: SignIn, reviewer: User, ready: Card
) -> None:
    page = sign_in(reviewer, expecting="ERR_FAILED")
    open_card(page, ready)
    page.route("**/note/", lambda route: route.abort())
    page.locator("#note-text").fill("Typed on the last visit.")
    page.keyboard.press("Escape")
    page.locator("#not-saved").wait_for()
    page.unroute("**/note/")
    page.close()
    page = page.context.new_page()
    open_card(page, ready)
    page.locator("#kept").wait_for()

    page.keyboard.press("Enter")

    wait_for_focus(page, "#save-kept")
    assert fresh(ready).state == "in_review"
    page.keyboard.press("Enter")
    wait_for_version(page, ready.version + 1)
    page.locator("#approve").click()
    page.wait_for_url(QUEUE)
    assert fresh(ready).revisions.get(number=1).snapshot["note"] == "Typed on the last visit."


def test_what_one_person_left_unsaved_is_not_offered_to_another(
    sign_in: SignIn, reviewer: User, lead: User, ready: Card
) -> None:
    page = sign_in(reviewer, expecting="ERR_FAILED")
    open_card(page, ready)
    page.route("**/note/", lambda route: route.abort())
    page.locator("#note-text").fill("Rita's words.")
    page.keyboard.press("Escape")
    page.locator("#not-saved").wait_for()
    asked: list[str] = []

    def leave(dialog: Any) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", leave)
    page.context.clear_cookies(name="sessionid")
    page.goto("/account/login/")
    page.locator("input[name=login]").fill(lead.username)
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("input[name=password]").press("Enter")
    page.wait_for_url(lambda url: "/account/login/" not in url)

    open_card(page, ready)

    assert asked == ["beforeunload"]
    assert page.locator("#note-text").input_value() == ""
    assert page.locator("#kept").is_hidden()
