"""Saves of the card page that meet a bad line: none is lost, none is done twice, and the page says how it stands."""

import re
from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from lexreview.accounts.models import User
from lexreview.ledger.models import Event
from lexreview.review.actions import decide_score, set_note
from lexreview.review.models import Card
from tests.browser.conftest import playwright_api
from tests.browser.test_review import fresh, open_card, version_shown, wait_for_version
from tests.factories import PASSWORD
from tests.review.factories import fill_card, make_card

pytestmark = pytest.mark.django_db(transaction=True)
SignIn = Callable[..., Any]
expect = playwright_api.expect
NO_LINE = re.compile(r"/(criteria|citations|note|approve)/")


def decided(card: Card) -> dict[str, Any]:
    return {row.criterion: row.decided for row in fresh(card).scores.exclude(decided=None)}


def click(page: Any, *ids: str) -> None:
    """All in one moment, faster than any reply."""
    page.evaluate("ids => ids.forEach(id => document.getElementById(id).click())", list(ids))


def points_shown(page: Any) -> dict[str, str]:
    chosen = "Array.from(document.querySelectorAll('form.crit input:checked'), field => [field.id, field.value])"
    return dict(page.evaluate(chosen))


def break_line(page: Any) -> None:
    """Saves fail as they do where a server is down: nothing tells the browser so, and reading goes on."""
    page.route(NO_LINE, lambda route: route.abort() if route.request.method == "POST" else route.continue_())


def first_of(held: list[Any], page: Any) -> Any:
    """The first request that was held back, once it is there: a save is written down before it is sent."""
    for _turn in range(500):
        if held:
            return held[0]
        page.wait_for_timeout(20)
    raise AssertionError("nothing was sent")


def equals_a_fresh_load(page: Any) -> bool:
    before = points_shown(page), page.locator("#citations").inner_text(), page.locator("#findings").inner_text()
    page.reload()
    return before == (
        points_shown(page),
        page.locator("#citations").inner_text(),
        page.locator("#findings").inner_text(),
    )


def test_a1_a_choice_that_was_quicker_than_the_scripts_is_saved_once_they_are_there(
    sign_in: SignIn, reviewer: User
) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    page.route("**/htmx.min*.js", lambda route: (page.wait_for_timeout(700), route.continue_()))
    page.goto(f"/review/cards/{card.pk}/", wait_until="commit")

    page.locator("#criterion-A-R .seg label").nth(2).click()
    page.locator("#criterion-B1 .seg label").nth(1).click()
    assert page.evaluate("() => !window.htmx"), "both were chosen before"

    for code in ("A-R", "B1"):
        page.locator(f"#criterion-{code}:not(.undecided)").wait_for()
    assert decided(card) == {"A-R": Decimal(2), "B1": Decimal(1)}


def test_a5_all_that_was_done_without_a_connection_is_sent_again_in_order(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card, "?citation=3")
    page.context.set_offline(True)

    click(page, "points-A-R-2")
    page.locator("#not-saved").wait_for()
    click(page, "points-B1-1", "tick-A1-R2")
    page.keyboard.press("t")
    page.keyboard.press("j")
    page.locator("#note-text").fill("Written on the train.")
    page.keyboard.press("Escape")
    expect(page.locator("#saved")).to_have_text("Not saved")
    assert fresh(card).version == card.version
    page.context.set_offline(False)
    page.locator("#not-saved").wait_for(state="hidden")

    assert decided(card) == {"A-R": 2, "B1": 1, "A1": 1}
    assert (fresh(card).note, fresh(card).findings.get(number=2).error_class) == ("Written on the train.", "T")
    assert fresh(card).citations.get(number=3).state == "error"
    verbs = Event.objects.about("card", card.ledger_id).filter(actor=reviewer.username).in_order()
    made = [event.verb for event in verbs if event.verb.startswith(("decide", "set"))]
    assert made == ["decide_score", "decide_score", "decide_score", "decide_citation", "set_note"]
    wait_for_version(page, card.version + 5)
    assert equals_a_fresh_load(page)


def test_a5_a_value_that_was_decided_before_is_not_taken_for_the_new_one(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card)
    click(page, "points-B1-0")
    wait_for_version(page, card.version + 1)
    page.context.set_offline(True)

    click(page, "points-B1-1")
    page.locator("#not-saved").wait_for()
    page.locator("#note-text").fill("And a note.")
    page.keyboard.press("Escape")
    page.context.set_offline(False)
    wait_for_version(page, card.version + 3)

    assert decided(card) == {"B1": 1}
    assert fresh(card).note == "And a note."


def test_a5_saves_are_tried_again_by_themselves_where_no_event_tells_of_the_line(
    sign_in: SignIn, reviewer: User
) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer, expecting="ERR_FAILED")
    page.clock.install()
    open_card(page, card)
    break_line(page)

    click(page, "points-A-R-2", "points-A3-1", "points-B1-1")
    page.locator("#not-saved").wait_for()
    page.clock.fast_forward(5000)
    assert page.locator("#not-saved").is_visible()
    assert fresh(card).version == card.version
    page.unroute(NO_LINE)
    page.clock.fast_forward(30_000)
    page.locator("#not-saved").wait_for(state="hidden")

    assert decided(card) == {"A-R": 2, "A3": 1, "B1": 1}
    wait_for_version(page, card.version + 3)


def test_a5_what_the_server_did_without_its_reply_is_not_done_twice(sign_in: SignIn, reviewer: User) -> None:
    """Nor is what was clicked twice: of an undo, two would take back two steps."""
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer, expecting="ERR_FAILED")
    open_card(page, card)
    click(page, "points-A-R-2", "points-B1-1")
    wait_for_version(page, card.version + 2)

    def swallow(route: Any) -> None:
        route.fetch()
        route.abort()

    page.route("**/undo/", swallow)
    click(page, "undo", "undo")
    page.locator("#not-saved").wait_for()
    page.unroute("**/undo/")
    page.locator("#try-again").click()
    page.locator("#not-saved").wait_for(state="hidden")

    assert page.locator("#keep-mine").count() == 0
    assert decided(card) == {"A-R": 2}
    assert points_shown(page).get("points-B1-1") is None
    assert Event.objects.about("card", card.ledger_id).filter(verb="undo").count() == 1


def test_a5_unsent_saves_are_offered_after_the_page_was_closed(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer, expecting="ERR_FAILED")
    open_card(page, card)
    break_line(page)
    click(page, "points-A-R-2", "points-B1-1")
    page.locator("#note-text").fill("Typed as well.")
    page.keyboard.press("Escape")
    page.locator("#not-saved").wait_for()
    page.unroute(NO_LINE)
    page.close()

    page = page.context.new_page()
    open_card(page, card)
    # The bar is there for the typed text before the saves are found.
    page.locator("#kept", has_text="A-R: 2").wait_for()
    assert "Typed as well." in page.locator("#kept").inner_text()
    page.locator("#save-kept").click()
    wait_for_version(page, card.version + 3)

    assert decided(card) == {"A-R": 2, "B1": 1}
    assert fresh(card).note == "Typed as well."
    page.reload()
    assert page.locator("#kept").is_hidden()
    assert fresh(card).version == card.version + 3, "the text in the field and the save of it are one"


def test_b5_a_conflict_of_unsent_saves_is_settled_one_by_one(sign_in: SignIn, reviewer: User, lead: User) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card)
    page.context.set_offline(True)
    click(page, "points-B1-1")
    page.locator("#not-saved").wait_for()
    page.locator("#note-text").fill("Rita's note")
    page.keyboard.press("Escape")
    now = timezone.now()
    card = set_note(card=card, note="Lena's note", version=card.version, by=lead, now=now)
    card = decide_score(
        card=card, criterion="B1", points=Decimal(0), evidence="No.", version=card.version, by=lead, now=now
    )

    page.context.set_offline(False)
    page.locator("#keep-mine").wait_for()
    assert page.locator("#not-saved").is_visible()
    assert "settle" in page.locator("#not-saved").inner_text()
    page.locator("#take-theirs").click()
    page.locator("td mark").filter(has_text="Rita's note").wait_for()
    assert decided(card) == {"B1": 0}
    page.locator("#keep-mine").click()
    page.locator("#verdict").wait_for()

    assert (fresh(card).note, decided(card)) == ("Rita's note", {"B1": 0})
    assert page.locator("#not-saved").is_hidden()


def test_saving_is_said_at_once_and_saved_only_after_the_reply(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card)
    held: list[Any] = []
    page.route(NO_LINE, lambda route: held.append(route))

    said = page.evaluate("() => { document.getElementById('points-B1-1').click(); return saved.textContent; }")
    assert said == "Saving"
    assert fresh(card).version == card.version
    assert page.locator("#saved").inner_text() == "Saving"
    first_of(held, page).continue_()

    wait_for_version(page, card.version + 1)
    assert re.match(r"Saved \d\d:\d\d:\d\d · v", page.locator("#saved").inner_text())


@pytest.mark.parametrize("way", ["double click", "two Enters"])
def test_b7_approving_twice_approves_once_and_opens_one_card(
    sign_in: SignIn, reviewer: User, now: datetime, way: str
) -> None:
    card = fill_card(make_card(assigned_to=reviewer), by=reviewer, now=now)
    following = make_card(code="P05", system="boron-2", assigned_to=reviewer)
    last = make_card(code="P06", system="carbon-3", assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card)
    held: list[Any] = []
    page.route("**/approve/", lambda route: held.append(route))

    if way == "double click":
        page.locator("#approve").dblclick()
    else:
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
    first_of(held, page).continue_()
    page.locator(f"#main[data-card='{following.pk}']").wait_for()
    page.locator(".cite[aria-current]").wait_for()

    assert len(held) == 1
    assert Event.objects.filter(verb="approve").count() == 1
    assert fresh(card).revision == 1
    assert {fresh(following).state, fresh(last).state} == {"prefilled"}
    assert version_shown(page) == fresh(following).version
    assert page.locator("#not-saved").is_hidden()
    assert page.locator("#refused").count() == 0


def test_j4_a_choice_made_after_the_session_ended_is_offered_after_signing_in(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card, "?citation=4")
    page.context.clear_cookies(name="sessionid")

    click(page, "points-B1-1")
    page.wait_for_url("**/account/login/**")
    page.locator("input[name=login]").fill(reviewer.username)
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("input[name=password]").press("Enter")
    page.wait_for_url(f"**/review/cards/{card.pk}/?citation=4")

    page.locator("#kept").wait_for()
    assert "B1: 1" in page.locator("#kept").inner_text()
    assert fresh(card).version == card.version
    page.locator("#save-kept").click()
    wait_for_version(page, card.version + 1)
    assert decided(card) == {"B1": 1}


def test_a7_the_card_before_is_one_key_away_and_is_opened_again_with_a_reason(
    sign_in: SignIn, reviewer: User, now: datetime
) -> None:
    card = fill_card(make_card(assigned_to=reviewer), by=reviewer, now=now)
    following = make_card(code="P05", system="boron-2", assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card)
    page.keyboard.press("Enter")
    page.locator(f"#main[data-card='{following.pk}']").wait_for()

    page.keyboard.press("ArrowLeft")
    page.locator(f"#main[data-card='{card.pk}']").wait_for()
    page.wait_for_load_state()
    page.locator("#revise > summary").click()
    page.locator("#revise-text").fill("B1 was too low.")
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")
    page.locator("#approve").wait_for()
    page.locator("#criterion-B1 label").nth(1).click()
    page.locator("#criterion-B1 input[value='1']:checked").wait_for(state="attached")
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    page.locator(f"#main[data-card='{following.pk}']").wait_for()

    kept = [revision.snapshot for revision in fresh(card).revisions.order_by("number")]
    values = [next(row["decided"] for row in one["scores"] if row["criterion"] == "B1") for one in kept]
    assert values == ["0", "1"]
    assert Event.objects.about("card", card.ledger_id).filter(verb="revise").get().reason == "B1 was too low."
