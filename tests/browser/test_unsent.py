"""What the server has not acknowledged outlives the browser, and belongs to the tab in which it was done."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.utils import timezone

from lexreview.accounts.models import User
from lexreview.ledger.models import Event
from lexreview.review.actions import set_note
from lexreview.review.actions.approval import unpark_card
from lexreview.review.models import Card
from lexreview.review.views import rendering
from tests.browser.conftest import enter, kill_browser
from tests.browser.test_review import CLAIM, fresh, open_card, wait_for_version
from tests.browser.test_saving import NO_LINE, break_line, click, decided
from tests.review.factories import make_card

pytestmark = pytest.mark.django_db(transaction=True)
SignIn = Callable[..., Any]
# Chromium tells of a tab that comes back to the front by this event; headless it has no front.
UNFOLD = "field => { for (let at = field; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true; }"
DRAFTS = "Object.keys(localStorage).filter(key => key.startsWith('lexreview:card:'))"
COME_BACK = "document.dispatchEvent(new Event('visibilitychange'))"


@pytest.fixture
def card(reviewer: User) -> Card:
    return make_card(assigned_to=reviewer)


def changes(card: Card) -> list[str]:
    events = Event.objects.about("card", card.ledger_id).filter(actor="rita").in_order()
    return [event.verb for event in events if event.verb not in ("assign", "claim")]


@pytest.fixture
def slow_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """A server that has done a save and is not yet ready to say so; the event is set when it was done."""
    is_done, may_answer = threading.Event(), threading.Event()
    answer = rendering._saved_response

    def hang(*args: Any, **kwargs: Any) -> Any:
        is_done.set()
        may_answer.wait(20)
        return answer(*args, **kwargs)

    monkeypatch.setattr(rendering, "_saved_response", hang)
    yield is_done
    may_answer.set()


def wait_for(event: threading.Event, page: Any) -> None:
    for _turn in range(500):
        if event.is_set():
            return
        page.wait_for_timeout(20)
    raise AssertionError("the server was never asked")


def offered(page: Any) -> bool:
    """Whether saves of an earlier page are offered, once the page has waited for those that are being closed."""
    page.wait_for_load_state()
    page.wait_for_timeout(1300)
    return bool(page.locator("#kept").is_visible())


def test_a5_what_the_server_did_before_the_browser_died_is_done_once(
    start_browser: Callable[[], Any],
    reviewer: User,
    card: Card,
    slow_server: threading.Event,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = start_browser()
    enter(page, reviewer)
    open_card(page, card)

    click(page, "points-B1-1")
    wait_for(slow_server, page)
    kill_browser(page)
    monkeypatch.undo()
    assert (decided(card), fresh(card).version) == ({"B1": 1}, card.version + 1)
    page = start_browser()
    enter(page, reviewer)
    with page.expect_response(lambda reply: "/criteria/B1/" in reply.url) as sent_again:
        open_card(page, card)

    assert sent_again.value.status == 200
    page.locator("#saved:not(.saving)").wait_for()
    assert page.locator("#not-saved, #kept, #keep-mine").locator("visible=true").count() == 0
    assert (changes(card), fresh(card).version) == (["decide_score"], card.version + 1)
    page.reload()
    assert not offered(page)


def test_a5_saves_that_never_reached_the_server_are_sent_when_the_browser_is_back(
    start_browser: Callable[[], Any], reviewer: User, card: Card
) -> None:
    """Also those that waited behind the one that was under way."""
    page = start_browser()
    enter(page, reviewer)
    open_card(page, card)
    page.route(NO_LINE, lambda route: None)

    with page.expect_request("**/criteria/**"):
        click(page, "points-B1-1", "points-A-R-2")
    page.locator("#note-text").fill("Typed right before the end.")
    page.locator("#note-text").press("Escape")
    page.wait_for_timeout(100)
    kill_browser(page)
    assert fresh(card).version == card.version
    page = start_browser()
    enter(page, reviewer)
    open_card(page, card)
    wait_for_version(page, card.version + 3)

    assert decided(card) == {"B1": 1, "A-R": 2}
    assert fresh(card).note == "Typed right before the end."
    assert changes(card) == ["decide_score", "decide_score", "set_note"]
    assert page.locator("#not-saved, #kept").locator("visible=true").count() == 0
    page.reload()
    assert not offered(page)


def leave_unsent(page: Any, reviewer: User, card: Card) -> None:
    """One point for B1 that the server did not get, in a browser that is killed then."""
    enter(page, reviewer)
    open_card(page, card)
    break_line(page)
    click(page, "points-B1-1")
    page.locator("#not-saved").wait_for()
    page.wait_for_timeout(100)
    kill_browser(page)


def test_a5_what_had_failed_is_offered_when_the_browser_is_back(
    start_browser: Callable[[], Any], reviewer: User, card: Card
) -> None:
    leave_unsent(start_browser(), reviewer, card)

    page = start_browser()
    enter(page, reviewer)
    open_card(page, card)
    page.locator("#kept").wait_for()
    assert "B1: 1" in page.locator("#kept").inner_text()
    page.locator("#save-kept").click()
    wait_for_version(page, card.version + 1)

    assert (decided(card), changes(card)) == ({"B1": 1}, ["decide_score"])


def test_a5_what_had_failed_is_offered_to_the_same_person_only(
    start_browser: Callable[[], Any], reviewer: User, lead: User, card: Card
) -> None:
    leave_unsent(start_browser(), reviewer, card)
    page = start_browser()

    enter(page, lead)
    open_card(page, card)
    assert not offered(page)
    assert fresh(card).version == card.version

    page.context.clear_cookies()
    enter(page, reviewer)
    open_card(page, card)
    page.locator("#kept").wait_for()


@pytest.mark.parametrize(
    ("status", "body"),
    [(200, "<html><body><h1>Sign in to this network</h1></body></html>"), (200, ""), (204, ""), (429, "Slowly.")],
)
def test_a5_what_somebody_else_answers_in_place_of_the_server_saves_nothing(
    sign_in: SignIn, reviewer: User, card: Card, status: int, body: str
) -> None:
    """As a network does that asks for a sign-in, or a proxy that tells of maintenance. It is sent again by itself."""
    page = sign_in(reviewer, expecting="Response Status Error Code 20")
    open_card(page, card)
    answered: list[str] = []

    def answer(route: Any) -> None:
        answered.append(route.request.url)
        if len(answered) > 1:
            route.continue_()
        else:
            route.fulfill(status=status, body=body, content_type="text/html")

    page.route("**/note/", answer)
    page.locator("#note-text").fill("Nobody has it yet.")
    page.keyboard.press("Escape")

    page.locator("#not-saved").wait_for()
    assert page.locator("#saved.unsaved").count() == 1
    assert page.locator("#note-text").input_value() == "Nobody has it yet."
    assert page.get_by_text("Sign in to this network").count() == 0
    assert fresh(card).note == ""
    page.locator("#not-saved").wait_for(state="hidden")
    assert fresh(card).note == "Nobody has it yet."
    assert len(answered) == 2


@pytest.mark.parametrize("other", [False, True])
def test_a5_after_a_sign_in_in_another_tab_what_is_unsaved_is_offered_to_the_same_person_only(
    sign_in: SignIn, reviewer: User, lead: User, card: Card, other: bool
) -> None:
    """The token of the page is an old one then: it is loaded again, and nothing is done in the other person's name."""
    page = sign_in(reviewer, expecting="ERR_FAILED")
    open_card(page, card)
    page.route("**/note/", lambda route: route.abort())
    page.locator("#note-text").fill("Typed before.")
    page.keyboard.press("Escape")
    page.locator("#not-saved").wait_for()
    page.context.clear_cookies(name="sessionid")
    tab = page.context.new_page()
    enter(tab, lead if other else reviewer)
    page.unroute("**/note/")

    with page.expect_navigation():
        page.locator("#try-again").click()

    page.wait_for_load_state()
    assert fresh(card).version == card.version
    if other:
        assert not offered(page)
        assert page.locator("#note-text").input_value() == ""
    else:
        page.locator("#save-kept").click()
        wait_for_version(page, card.version + 1)
        assert fresh(card).note == "Typed before."


def test_b5_a_conflict_that_was_not_settled_comes_back(sign_in: SignIn, reviewer: User, lead: User, card: Card) -> None:
    page = sign_in(reviewer)
    open_card(page, card)
    set_note(card=card, note="Lena's note", version=card.version, by=lead, now=timezone.now())
    page.locator("#note-text").fill("Rita's note")
    page.locator("#note-text").press("Escape")
    page.locator("#keep-mine").wait_for()
    page.close()

    page = page.context.new_page()
    open_card(page, card)
    page.locator("#save-kept").click()
    page.locator("#keep-mine").click()
    page.locator("#verdict").wait_for()

    assert fresh(card).note == "Rita's note"
    page.reload()
    assert not offered(page)


def test_b5_what_was_given_up_for_theirs_is_not_offered_again(
    sign_in: SignIn, reviewer: User, lead: User, card: Card
) -> None:
    page = sign_in(reviewer)
    open_card(page, card)
    set_note(card=card, note="Lena's note", version=card.version, by=lead, now=timezone.now())
    click(page, "points-B1-1")
    page.locator("#take-theirs").click()
    page.locator("#verdict").wait_for()

    page.reload()

    assert not offered(page)
    assert (decided(card), fresh(card).note) == ({}, "Lena's note")


def two_tabs(sign_in: SignIn, reviewer: User, card: Card, **options: Any) -> tuple[Any, Any]:
    """Two tabs of one card; the first one has lost its line and has unsent saves."""
    first = sign_in(reviewer, expecting="ERR_FAILED", **options)
    open_card(first, card)
    break_line(first)
    click(first, "points-B1-1")
    first.locator("#not-saved").wait_for()
    second = first.context.new_page()
    open_card(second, card)
    assert not offered(second), "the first tab is alive"
    return first, second


def test_b7_two_tabs_of_one_card_send_their_own_saves_only(sign_in: SignIn, reviewer: User, card: Card) -> None:
    first, second = two_tabs(sign_in, reviewer, card)

    break_line(second)
    click(second, "points-A-R-2")
    second.locator("#not-saved").wait_for()
    second.unroute(NO_LINE)
    second.locator("#try-again").click()
    wait_for_version(second, card.version + 1)
    assert decided(card) == {"A-R": 2}
    assert not offered(second)
    assert first.locator("#not-saved").is_visible()
    first.close()
    third = second.context.new_page()
    open_card(third, card)
    third.locator("#kept").wait_for()
    assert "B1: 1" in third.locator("#kept").inner_text()
    assert "A-R" not in third.locator("#kept").inner_text()


def test_b7_what_a_closed_tab_left_is_offered_in_one_tab(sign_in: SignIn, reviewer: User, card: Card) -> None:
    first, second = two_tabs(sign_in, reviewer, card)
    third = first.context.new_page()
    open_card(third, card)
    assert not offered(third)
    first.close()

    second.evaluate(COME_BACK)
    second.locator("#kept").wait_for()
    third.evaluate(COME_BACK)
    assert not offered(third)
    fourth = second.context.new_page()
    open_card(fourth, card)
    assert not offered(fourth)

    second.locator("#save-kept").click()
    wait_for_version(second, card.version + 1)
    assert changes(card) == ["decide_score"]
    third.close()
    second.close()
    fourth.evaluate(COME_BACK)
    assert not offered(fourth), "it was saved"


def test_b7_a_copy_of_a_tab_is_another_tab(sign_in: SignIn, reviewer: User, card: Card) -> None:
    """A browser that duplicates a tab copies what its session keeps."""
    first, _second = two_tabs(sign_in, reviewer, card)
    session = first.evaluate("JSON.stringify(Object.assign({ any: '1' }, sessionStorage))")
    copy = first.context.new_page()
    copy.add_init_script(f"Object.assign(sessionStorage, {session})")

    open_card(copy, card)

    assert not offered(copy)
    first.unroute(NO_LINE)
    first.locator("#try-again").click()
    wait_for_version(first, card.version + 1)
    assert changes(card) == ["decide_score"]


def test_b7_what_a_loaded_again_page_left_is_offered_there(sign_in: SignIn, reviewer: User, card: Card) -> None:
    first, second = two_tabs(sign_in, reviewer, card)
    first.on("dialog", lambda dialog: dialog.accept())

    first.reload()

    first.locator("#kept").wait_for()
    second.evaluate(COME_BACK)
    assert not offered(second)


ASKED = {
    "missed citation": ("#missed-quote", "file number", "Enter"),
    "finding": ("#new-finding-claim", CLAIM, "Control+Enter"),
    "no error": ("#why-no-error", "The day decides.", "Control+Enter"),
    "ruling": ("#ruling-text", "Is that T?", "Control+Enter"),
    "park": ("#park-text", "Wait for § 2.", "Control+Enter"),
}


@pytest.mark.parametrize("name", ASKED)
def test_a5_what_was_sent_when_asked_is_no_draft_any_more_once_a_later_visit_has_saved_it(
    sign_in: SignIn, reviewer: User, card: Card, name: str
) -> None:
    """It is told once in what is offered, done once, and nothing of it is left to be sent or to hinder an approval."""
    field, words, key = ASKED[name]
    page = sign_in(reviewer, expecting="ERR_FAILED")
    open_card(page, card, "?citation=1")
    page.route("**/cards/*/**", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    page.locator(field).evaluate(UNFOLD)
    page.locator(field).fill(words)
    if name == "finding":
        page.locator("#new-finding-source_says").fill("§ 2 says so only after a call.")
    page.locator(field).press(key)
    page.locator("#not-saved").wait_for()
    page.close()

    page = page.context.new_page()
    open_card(page, card, "?citation=1")
    page.locator("#kept").wait_for()
    told = page.locator("#kept li").all_inner_texts()
    assert [words in each for each in told] == [True], told
    assert not told[0].startswith(":")
    with page.expect_response(lambda reply: reply.request.method == "POST" and f"/cards/{card.pk}/" in reply.url):
        page.locator("#save-kept").click()
    page.wait_for_load_state()
    for _visit in range(2):
        assert fresh(card).version == card.version + 1, changes(card)
        assert not offered(page)
        assert page.evaluate(DRAFTS) == []
        open_card(page, card, "?citation=1")
    assert page.locator(".draft").count() == 0


def test_a5_a_card_that_was_parked_or_asked_about_leaves_no_draft(
    sign_in: SignIn, reviewer: User, lead: User, card: Card
) -> None:
    page = sign_in(reviewer)
    for name in ("park", "ruling"):
        field, words, key = ASKED[name]
        open_card(page, card)
        page.locator(field).evaluate(UNFOLD)
        page.locator(field).fill(words)
        with page.expect_response(lambda reply: reply.request.method == "POST" and f"/cards/{card.pk}/" in reply.url):
            page.locator(field).press(key)
        page.wait_for_load_state()
        open_card(page, card)

        assert not offered(page)
        assert page.evaluate(DRAFTS) == []
        if name == "park":
            unpark_card(card=fresh(card), version=fresh(card).version, by=reviewer, now=timezone.now())
