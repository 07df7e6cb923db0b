"""A reviewer at work, in Chromium: by mouse, by keys, without script, against a colleague, and checked by axe."""

import re
from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from lexreview.accounts.models import User
from lexreview.core.workflow import Role
from lexreview.ledger.models import Event
from lexreview.review.actions import approve_card, decide_score, set_note
from lexreview.review.models import Card
from tests.browser.conftest import playwright_api
from tests.factories import PASSWORD, make_user
from tests.review.factories import ANSWER, CITATIONS, Checked, fill_card, make_card

pytestmark = pytest.mark.django_db(transaction=True)
SignIn = Callable[..., Any]
expect = playwright_api.expect
AXE = Path(__file__).parent / "vendor/axe-core/axe.min.js"
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
QUEUE = re.compile(r"/review/(\?|$)")
BY_HAND = ("A-R", "A1", "A2", "A3", "P", "B1", "B2")
CLAIM = "a request filed without it is returned"


def fresh(card: Card) -> Card:
    return Card.objects.with_answer().get(pk=card.pk)


def version_shown(page: Any) -> int:
    return int(page.locator("#saved").get_attribute("data-version"))


def wait_for_focus(page: Any, selector: str) -> None:
    """A page sets the focus once it has been laid out, which is a moment after its parts are there."""
    page.wait_for_function("selector => document.activeElement.matches(selector)", arg=selector)


def wait_for_version(page: Any, version: int) -> None:
    page.wait_for_function("n => document.getElementById('saved').textContent.trim().endsWith('· v' + n)", arg=version)


def open_card(page: Any, card: Card, query: str = "") -> None:
    page.goto(f"/review/cards/{card.pk}/{query}")


def select_in_answer(page: Any, words: str) -> None:
    """Mark words of the answer as a mouse does; they lie within one text node."""
    page.evaluate(
        """words => {
            const walker = document.createTreeWalker(document.getElementById('answer-text'), NodeFilter.SHOW_TEXT);
            while (walker.nextNode()) {
                const place = walker.currentNode.data.replace(/\\s/g, ' ').indexOf(words);
                if (place < 0) continue;
                const range = document.createRange();
                range.setStart(walker.currentNode, place);
                range.setEnd(walker.currentNode, place + words.length);
                window.getSelection().removeAllRanges();
                window.getSelection().addRange(range);
                return;
            }
            throw new Error('not in one text node: ' + words);
        }""",
        words,
    )


def score_with_keys(page: Any, code: str, *, points: str, evidence: str) -> None:
    """Set the points of the criterion and write its evidence; every step waits for the server's version."""
    version = version_shown(page)
    page.locator(f"#criterion-{code} input[name=points]").first.focus()
    page.keyboard.press(points)
    wait_for_version(page, version + 1)
    page.keyboard.press("e")
    page.keyboard.type(evidence)
    page.keyboard.press("Escape")
    wait_for_version(page, version + 2)


def test_a_fresh_reviewer_finds_overrides_adds_and_approves(sign_in: SignIn, lead: User) -> None:
    make_card(code="P09", system="boron-2")
    card = make_card()
    newcomer = make_user("nadia", roles=(Role.REVIEWER,))
    page = sign_in(newcomer)

    page.goto("/review/")
    page.get_by_role("link", name="Unassigned").click()
    page.get_by_role("link", name="P04").click()
    page.get_by_role("heading", name=re.compile("P04")).wait_for(state="attached")

    page.locator("#criterion-A2 .seg label").nth(1).click()
    page.locator("#reason-A2").wait_for()
    page.locator("#evidence-text-A2").fill("Only Art. 17 is cited for the point; Art. 22 for another one.")
    page.locator("#reason-A2").fill("B2 is cited for something else.")
    page.locator("#save-A2").click()
    page.locator("#criterion-A2.changed").wait_for()
    page.locator("#evidence-A2:not([open])").wait_for()

    select_in_answer(page, CLAIM)
    page.keyboard.press("n")
    page.wait_for_function("claim => document.getElementById('new-finding-claim').value === claim", arg=CLAIM)
    page.locator("#new-finding-finding_class").select_option("T")
    page.locator("#new-finding-source_says").fill("§ 2 returns a request only after a call to pay.")
    page.locator("#submit-new").click()
    page.locator("mark.claim[data-finding='3']").wait_for()

    for code in BY_HAND:
        if code != "A2":
            score_with_keys(page, code, points="0", evidence=f"{code} read beside the key.")
    for number in (1, 3, 6, 2, 4, 5, 7):
        page.locator(f"#cite-{number}").click()
        page.locator(f"#citation[data-number='{number}']").wait_for()
        page.locator(f"a#cite-{number}").wait_for()  # opened: a click while the form is exchanged meets neither
        page.locator("#agree").click()
        page.locator(f"#cite-{number}:not([data-open])").wait_for()
    assert page.locator("#blocked").all_text_contents() == []
    assert "hallucinated" in page.locator("#verdict").inner_text()
    page.locator("#approve").click()
    page.wait_for_url(lambda url: not url.split("?")[0].endswith(f"/cards/{card.pk}/"))

    card = fresh(card)
    assert (card.state, card.approved_by, card.label, card.revision) == ("approved", newcomer, "hallucinated", 1)
    score = card.scores.get(criterion="A2")
    assert (score.proposed, score.decided, score.reason) == (2, 1, "B2 is cited for something else.")
    finding = card.findings.get(error_class="T")
    assert (finding.claim, finding.state) == (CLAIM, "accepted")
    assert card.answer.text[finding.claim_start : finding.claim_end] == CLAIM
    check_ledger_of(card, newcomer)


def check_ledger_of(card: Card, reviewer: User) -> None:
    """Every step is an event of hers; the chain holds, and no longer when one row was changed behind its back."""
    events = list(Event.objects.about("card", card.ledger_id).in_order())
    hers = [event.verb for event in events if event.actor == reviewer.username]
    assert hers.count("decide_score") == 3 + 2 * 6  # A2: points, evidence, reason; six others: points, evidence
    assert hers.count("add_finding") == 1
    assert hers.count("accept_finding") == 2
    assert hers.count("decide_citation") == 7
    assert hers[-1] == "approve"
    assert next(event for event in events if event.verb == "add_finding").after["claim"] == CLAIM
    call_command("verify_ledger")

    victim = next(event for event in events if event.verb == "add_finding")
    change_by_sql("UPDATE ledger_event SET reason = 'another reason' WHERE number = %s", victim.number)

    with pytest.raises(CommandError, match=f"broken at event {victim.number}"):
        call_command("verify_ledger")


def change_by_sql(statement: str, *parameters: Any) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("ALTER TABLE ledger_event DISABLE TRIGGER ledger_refuse_change")
        cursor.execute(statement, parameters)
        if connection.vendor == "postgresql":
            cursor.execute("ALTER TABLE ledger_event ENABLE TRIGGER ledger_refuse_change")


def test_d1_a_whole_card_by_keys_alone(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    following = make_card(code="P05", system="boron-2", assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card)

    for _citation in range(7):
        version = version_shown(page)
        page.keyboard.press("a")
        page.wait_for_function("v => document.getElementById('saved').dataset.version !== String(v)", arg=version)
        page.keyboard.press("l")
    page.wait_for_function("() => document.querySelectorAll('.cite[data-open]').length === 0")
    page.keyboard.press("z")
    page.locator("#accept-proposals").wait_for(state="detached")
    # The first three each at once; of the others the points first, and what "i" finds then is what lacks its evidence.
    for keys in [["i", "1", "e"]] * 3 + [["i", "1"]] * 3 + [["i", "e"]] * 3:
        version = version_shown(page)
        for key in keys:
            page.keyboard.press(key)
            if key == "1":
                wait_for_version(page, version := version + 1)
        if keys[-1] == "e":
            page.keyboard.type("Read beside the key: t w f s 1 2 3 a p d.")
            page.keyboard.press("Escape")
            wait_for_version(page, version + 1)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(f"/review/cards/{following.pk}/"))

    card = fresh(card)
    assert (card.state, card.label) == ("approved", "hallucinated")
    assert {row.state for row in card.findings.all()} == {"accepted"}
    assert [row.state for row in card.citations.in_text_order()] == [
        "error", "confirmed", "error", "confirmed", "confirmed", "undetermined", "confirmed",
    ]  # fmt: skip


def test_keys_set_class_scope_and_origin_and_focus_stays(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card)

    page.keyboard.press("j")
    page.locator("#citation[data-number='3']").wait_for()
    wait_for_focus(page, "#cite-3")
    assert "Source for citation 3" in page.locator("#source-pane").inner_text().replace(
        "SOURCE FOR CITATION", "Source for citation"
    )
    assert page.url.endswith("?citation=3")
    for key in "txc3":
        page.keyboard.press(key)
    page.locator("#origin-secondary_source[aria-pressed='true']").wait_for()

    finding = fresh(card).findings.get(number=2)
    assert (finding.error_class, finding.scope, finding.origin) == ("T", "core", "secondary_source")
    assert fresh(card).citations.get(number=3).state == "error"
    wait_for_focus(page, "#cite-3")
    page.keyboard.press("k")
    page.locator("#citation[data-number='1']").wait_for()
    page.keyboard.press("o")
    wait_for_focus(page, "#why-no-error")
    page.keyboard.type("It is quoted as the older wording.")
    page.keyboard.press("Enter")
    page.locator("#cite-1:not([data-open])").wait_for()
    assert fresh(card).findings.get(number=1).state == "rejected"


def test_d3_keys_do_nothing_while_typing_or_when_switched_off(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card)
    version = card.version

    page.locator("#note-text").focus()
    page.keyboard.type("t w f s 1 2 3 a u p d j")
    assert page.locator("#citation").get_attribute("data-number") == "1"
    page.keyboard.press("Escape")
    wait_for_version(page, version + 1)
    assert fresh(card).note == "t w f s 1 2 3 a u p d j"
    page.locator("#new-finding summary").first.click()
    page.locator("#new-finding-finding_class").focus()
    page.keyboard.type("a u j 1 2 3")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    for key in "twfs123apdj":
        page.keyboard.press(key)
    assert page.locator("dialog[open]").count() == 1
    assert (fresh(card).version, page.locator("#citation").get_attribute("data-number")) == (version + 1, "1")
    page.locator("#keys-on").uncheck()
    page.keyboard.press("Escape")
    for _visit in range(2):
        for key in "twaj1":
            page.keyboard.press(key)
        page.reload()
        assert fresh(card).version == version + 1
        assert page.locator("#citation").get_attribute("data-number") == "1"


def test_a6_ctrl_enter_in_a_field_saves_the_field_before_it_approves(
    sign_in: SignIn, reviewer: User, now: datetime
) -> None:
    card = fill_card(make_card(assigned_to=reviewer), by=reviewer, now=now)
    page = sign_in(reviewer)
    open_card(page, card)

    page.locator("#note-text").fill("Typed right before approving.")
    page.keyboard.press("Control+Enter")
    page.wait_for_url(QUEUE)

    card = fresh(card)
    assert (card.state, card.note) == ("approved", "Typed right before approving.")


def test_what_is_clicked_while_a_save_is_under_way_is_not_lost(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card)
    page.evaluate("document.getElementById('note-text').value = 'half a thought'")

    page.evaluate(
        """() => {
            for (const id of ['points-A-R-2', 'points-A3-1', 'points-B1-1', 'tick-A1-R2'])
                document.getElementById(id).click();
        }"""
    )
    wait_for_version(page, card.version + 4)

    decided = {row.criterion: row.decided for row in fresh(card).scores.exclude(decided=None)}
    assert decided == {"A-R": 2, "A3": 1, "B1": 1, "A1": 1}


def test_a4_typed_text_outlives_another_save_and_a_closed_page(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card)

    page.locator("#new-finding summary").first.click()
    page.locator("#new-finding-source_says").fill("")
    page.locator("#new-finding-source_says").press_sequentially("Only half wri")
    page.locator("#evidence-A-R").evaluate("details => details.open = true")
    page.locator("#evidence-text-A-R").press_sequentially("The conclusion is")
    page.evaluate("document.getElementById('points-B1-1').click()")
    wait_for_version(page, card.version + 1)
    assert page.locator("#evidence-text-A-R").input_value() == "The conclusion is"
    page.reload()

    assert page.locator("#evidence-text-A-R").input_value() == "The conclusion is"
    assert page.locator("#new-finding-source_says").input_value() == "Only half wri"


def test_the_history_stays_open_and_gains_a_line_with_each_save(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card)
    for number, words in enumerate(("First.", "Second.", "Third."), start=1):
        page.locator("#note-text").fill(words)
        page.keyboard.press("Escape")
        wait_for_version(page, card.version + number)
        if number == 1:
            page.locator("#history > summary").click()

    lines = page.locator("#history-lines li").all_inner_texts()

    assert page.locator("#history-lines li").first.is_visible()
    page.reload()
    page.locator("#history > summary").click()
    assert lines == page.locator("#history-lines li").all_inner_texts()


def test_a5_saved_only_after_server_reply(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card)

    page.context.set_offline(True)
    page.locator("#note-text").fill("Written on the train.")
    page.keyboard.press("Escape")
    page.locator("#not-saved").wait_for()

    expect(page.locator("#saved")).to_have_text("Not saved")
    assert "No connection" in page.locator("#not-saved").inner_text()
    assert page.locator("#note-text").input_value() == "Written on the train."
    page.wait_for_timeout(1000)
    assert page.locator("#not-saved").is_visible()
    page.context.set_offline(False)
    wait_for_version(page, card.version + 1)
    assert fresh(card).note == "Written on the train."
    assert re.match(r"Saved \d\d:\d\d:\d\d · v", page.locator("#saved").inner_text())
    page.locator("#not-saved").wait_for(state="hidden")


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (401, "Your session has ended"),
        (403, "You may not change this card any more"),
        (429, "Too many requests"),
        (500, "The server could not save this"),
        (503, "The server could not save this"),
    ],
)
def test_j5_every_refusal_is_visible_and_can_be_tried_again(
    sign_in: SignIn, reviewer: User, status: int, words: str
) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer, expecting=f"status of {status}|Code {status}")
    open_card(page, card)
    page.route("**/criteria/**", lambda route: route.fulfill(status=status, body="no"))

    page.locator("#criterion-B1 label").nth(1).click()
    page.locator("#not-saved").wait_for()

    assert words in page.locator("#not-saved").inner_text()
    expect(page.locator("#saved")).to_have_text("Not saved")
    page.unroute("**/criteria/**")
    page.locator("#try-again").click()
    wait_for_version(page, card.version + 1)
    assert fresh(card).scores.get(criterion="B1").decided == 1
    page.locator("#not-saved").wait_for(state="hidden")


def test_j5_a_form_that_is_not_accepted_says_why_and_keeps_its_words(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card)

    page.keyboard.press("n")
    page.locator("#new-finding-claim").fill("words that are not in the answer")
    page.locator("#submit-new").click()
    page.locator("#refused").wait_for()

    assert "do not stand in the answer" in page.locator("#refused").inner_text()
    assert page.locator("#new-finding-claim").input_value() == "words that are not in the answer"
    assert page.locator("#new-finding[open]").count() == 1
    assert page.locator("#not-saved").is_hidden()
    assert fresh(card).version == card.version


def test_print_shows_what_was_chosen_and_no_keys(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card)
    page.emulate_media(media="print")

    assert page.locator("#origin-memory").is_visible()
    assert page.locator("#origin-source_read").is_hidden()
    assert page.locator(".screen kbd").locator("visible=true").count() == 0
    heights = page.evaluate("Array.from(document.querySelectorAll('.pane'), p => [p.scrollHeight, p.clientHeight])")
    assert all(whole <= shown + 1 for whole, shown in heights)
    page.evaluate("document.querySelectorAll('.finding, .finding details').forEach(fold => fold.open = true)")
    assert page.locator(".finding form").count() > 0
    assert page.locator(".finding form").locator("visible=true").count() == 0


def test_a_printed_card_has_the_question_the_key_and_the_evidence_to_the_last_word(
    sign_in: SignIn, reviewer: User, now: datetime
) -> None:
    words = "The answer reaches the core. " * 8 + "Last word."
    card = fill_card(make_card(assigned_to=reviewer), by=reviewer, now=now)
    card = decide_score(
        card=card, criterion="A-R", points=Decimal(2), evidence=words, version=card.version, by=reviewer, now=now
    )
    approve_card(card=card, version=card.version, confirm_unchecked=True, by=reviewer, now=now)
    page = sign_in(reviewer)
    open_card(page, card)
    folded = page.locator("#fold-question .material, #fold-key .material, #evidence-A-R > p")
    assert folded.locator("visible=true").count() == 0
    page.emulate_media(media="print")

    shown = " ".join(folded.locator("visible=true").all_inner_texts())

    assert "The demand was served on 14 September 2026" in shown
    assert "No call to pay is issued to a party with an advocate." in shown
    assert words in shown
    assert page.locator(".evidence > summary").locator("visible=true").count() == 0


def test_j4_an_ended_session_leads_back_and_the_text_is_offered_again(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card, "?citation=4")
    cookies = [each for each in page.context.cookies() if each["name"] != "sessionid"]
    page.context.clear_cookies()
    page.context.add_cookies(cookies)

    page.locator("#note-text").fill("Half a thought.")
    page.keyboard.press("Escape")
    page.wait_for_url("**/account/login/**")
    page.locator("input[name=login]").fill(reviewer.username)
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("input[name=password]").press("Enter")
    page.wait_for_url(f"**/review/cards/{card.pk}/?citation=4")

    page.locator("#kept").wait_for()
    assert "Half a thought." in page.locator("#kept").inner_text()
    assert fresh(card).note == ""
    page.locator("#save-kept").click()
    wait_for_version(page, card.version + 1)
    assert fresh(card).note == "Half a thought."
    assert page.locator("#kept").is_hidden()


def test_a4_what_is_typed_is_sent_two_seconds_after_the_last_key_at_the_latest(sign_in: SignIn, reviewer: User) -> None:
    """Also the evidence of a criterion. Timers of the page stand still but for these two seconds."""
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    page.clock.install()
    open_card(page, card)
    page.locator("#evidence-B1").evaluate("fold => fold.open = true")
    page.locator("#points-B1-1").evaluate("choice => choice.click()")
    wait_for_version(page, card.version + 1)
    page.clock.pause_at(page.evaluate("Date.now()") + 60_000)

    for number, (field, address) in enumerate((("#note-text", "**/note/"), ("#evidence-text-B1", "**/criteria/B1/"))):
        page.locator(field).focus()
        page.keyboard.type("Read beside the key.")
        with page.expect_request(address):
            page.clock.run_for(2_000)
        page.clock.run_for(1_000)
        wait_for_version(page, card.version + 2 + number)


def test_a4_a_pause_in_typing_saves_and_the_caret_stays(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card)

    page.locator("#note-text").press_sequentially("one three")
    for _character in "three":
        page.keyboard.press("ArrowLeft")
    wait_for_version(page, card.version + 1)
    page.keyboard.type("two ")

    wait_for_version(page, card.version + 2)
    assert fresh(card).note == "one two three"
    wait_for_focus(page, "#note-text")


def test_text_of_an_earlier_visit_is_shown_beside_a_colleagues_newer_words(
    sign_in: SignIn, reviewer: User, lead: User
) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card)
    page.locator("#new-finding summary").first.click()
    page.locator("#note-text").evaluate("field => field.form.setAttribute('hx-trigger', 'submit')")
    page.locator("#note-text").fill("Rita's draft")
    set_note(card=card, note="Lena's note", version=card.version, by=lead, now=timezone.now())

    open_card(page, card)

    page.locator("#kept").wait_for()
    assert page.locator("#note-text").input_value() == "Lena's note"
    assert "Rita's draft" in page.locator("#kept").inner_text()
    page.get_by_role("button", name="Put it back").click()
    assert page.locator("#note-text").input_value() == "Rita's draft"


def test_a11_ctrl_z_takes_back_one_step_after_another(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card)
    page.keyboard.press("a")
    page.locator("#cite-1:not([data-open])").wait_for()
    page.locator("#criterion-B1 label").nth(1).click()
    wait_for_version(page, card.version + 2)

    page.keyboard.press("Control+z")
    wait_for_version(page, card.version + 3)
    assert fresh(card).scores.get(criterion="B1").decided is None
    page.keyboard.press("Control+z")
    page.locator("#cite-1[data-open]").wait_for()

    assert (fresh(card).citations.get(number=1).state, fresh(card).findings.get(number=1).state) == (
        "unchecked",
        "proposed",
    )
    assert [event.verb for event in Event.objects.about("card", card.ledger_id).newest_first()[:2]] == ["undo", "undo"]


def test_i2_a_missed_citation_is_added_with_one_key(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card)
    assert "checked 0 of 7" in page.locator("#verdict").inner_text()

    select_in_answer(page, "file number")
    page.keyboard.press("m")
    page.locator("#citation[data-number='8']").wait_for()

    added = fresh(card).citations.get(number=8)
    assert card.answer.text[added.start : added.end] == added.raw == "file number"
    assert "checked 0 of 8" in page.locator("#verdict").inner_text()
    assert page.locator("a.hl[data-citation='8']").inner_text() == "file number"


def test_finding_takes_what_is_marked_in_answer_and_source(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card, "?citation=1")

    page.keyboard.press(",")
    page.locator("#source[data-edition='2023-07-01']").wait_for()
    page.locator("#source .law p").first.select_text()
    select_in_answer(page, CLAIM)
    page.keyboard.press("n")

    assert page.locator("#new-finding-claim").input_value() == CLAIM
    assert "fourteen" in page.locator("#new-finding-source_says").input_value()
    assert page.locator("#new-finding-checked_edition").input_value() == "2023-07-01"
    assert page.locator("#new-finding-origin").input_value() == "memory"
    assert "2023-07-01" in page.locator("#new-finding-checked_address").input_value()
    page.keyboard.press("Escape")
    page.locator("#submit-new").click()
    page.locator("mark.claim[data-finding='3']").wait_for()
    page.keyboard.press("b")
    page.locator("article.raw mark.claim[data-finding='3']").wait_for()
    assert page.locator("mark.claim[data-finding='3']").inner_text() == CLAIM


NINE = f"{ANSWER}\nThe same holds under Art. 23 CPA and Art. 24 CPA.\n"
CITED = [*(each.raw for each in CITATIONS), "Art. 23 CPA", "Art. 24 CPA"]
EXACT = {"quotation": "Late fees.", "quotation_match": "exact", "source_text": "Late fees."}


def nine(*, quoted: int, first: Checked | None = None) -> list[Checked]:
    """Citations that code confirms, the last ones with an exact quotation; `first` in place of the first one."""
    found = [
        Checked(raw=raw, unit="art=22", fields=EXACT if place >= 9 - quoted else {}) for place, raw in enumerate(CITED)
    ]
    return [first or found[0], *found[1:]]


def proposed_card(reviewer: User, citations: list[Checked]) -> Card:
    """A card with a proposal for every criterion, as a recomputed one has."""
    card = make_card(text=NINE, citations=citations, assigned_to=reviewer)
    card.scores.filter(not_applicable=False).update(proposed=1, proposed_evidence="As before.")
    return card


def press_counted(page: Any, keys: list[str]) -> int:
    """Each key once the one before is done: it saves, leads on, or sets the focus."""
    for key in keys:
        before = page.url, version_shown(page), page.evaluate("document.activeElement.id")
        page.keyboard.press(key)
        page.wait_for_function(
            "([url, v, id]) => location.href !== url || !document.getElementById('saved')"
            " || document.getElementById('saved').dataset.version !== String(v)"
            " || document.activeElement.id !== id",
            arg=list(before),
        )
    return len(keys)


@pytest.mark.parametrize(
    ("quoted", "keys", "in_bulk"),
    [(9, "h z Enter", 9), (5, "z Enter Enter", 0), (5, "h Enter Enter", 5), (0, "Enter Enter", 0)],
)
def test_a_clean_card_takes_three_keystrokes(
    sign_in: SignIn, reviewer: User, quoted: int, keys: str, in_bulk: int
) -> None:
    card = proposed_card(reviewer, nine(quoted=quoted))
    page = sign_in(reviewer)
    open_card(page, card)

    assert press_counted(page, keys.split()) <= 3

    page.wait_for_url(QUEUE)
    assert fresh(card).state == "approved"
    assert fresh(card).citations.filter(in_bulk=True).count() == in_bulk


def test_what_two_keys_would_accept_and_approve_is_listed_before(sign_in: SignIn, reviewer: User) -> None:
    card = proposed_card(reviewer, nine(quoted=5))
    page = sign_in(reviewer)
    open_card(page, card)

    page.keyboard.press("Enter")
    wait_for_focus(page, "#accept-and-approve")
    said = page.locator("#with-proposals").inner_text()
    assert all(f"{code} 1" in said for code in ("A-R", "A1", "A2", "A3", "B1", "B2"))
    assert page.locator("#with-proposals li").count() == 9
    assert fresh(card).version == card.version
    page.keyboard.press("Enter")
    page.wait_for_url(QUEUE)

    events = Event.objects.about("card", card.ledger_id).filter(actor=reviewer.username).in_order()
    assert [event.verb for event in events][-2:] == ["accept_proposals", "approve"]


def test_a_card_that_lacks_more_than_sure_proposals_is_not_accepted_with_one_key(
    sign_in: SignIn, reviewer: User
) -> None:
    card = proposed_card(reviewer, nine(quoted=5))
    card.scores.filter(criterion="B1").update(proposed_evidence="")
    page = sign_in(reviewer)
    open_card(page, card)

    page.keyboard.press("Enter")
    page.locator("#blocked[open]").wait_for()

    assert page.locator("#with-proposals").count() == 0
    assert fresh(card).version == card.version


def test_a_card_with_one_wrong_citation_takes_at_most_eight_keystrokes(sign_in: SignIn, reviewer: User) -> None:
    card = proposed_card(reviewer, nine(quoted=5, first=CITATIONS[0]))
    page = sign_in(reviewer)
    open_card(page, card)

    assert press_counted(page, ["a", "h", "z", "Enter", "Enter"]) <= 8

    page.wait_for_url(QUEUE)
    assert wrong_one_approved(card) == ("approved", "hallucinated", ["error", *["unchecked"] * 3, *["confirmed"] * 5])


def test_an_error_that_no_code_saw_takes_at_most_eight_keystrokes_beside_its_words(
    sign_in: SignIn, reviewer: User
) -> None:
    card = proposed_card(reviewer, nine(quoted=5))
    page = sign_in(reviewer)
    open_card(page, card)

    count = press_counted(page, ["l", "t", "e"])
    page.keyboard.type("Art. 21^1 says nothing of an exemption.")
    count += press_counted(page, ["Control+Enter", "h", "z", "Enter", "Enter"])

    assert count <= 8
    page.wait_for_url(QUEUE)
    assert wrong_one_approved(card) == (
        "approved",
        "hallucinated",
        ["unchecked", "error", *["unchecked"] * 2, *["confirmed"] * 5],
    )
    assert fresh(card).findings.get().source_says == "Art. 21^1 says nothing of an exemption."


def wrong_one_approved(card: Card) -> tuple[str, str, list[str]]:
    done = fresh(card)
    return done.state, done.label, [row.state for row in done.citations.in_text_order()]


def test_j1_five_steps_back_show_whole_pages(sign_in: SignIn, reviewer: User) -> None:
    cards = [make_card(code=code, assigned_to=reviewer) for code in ("P01", "P02", "P03")]
    page = sign_in(reviewer)
    page.goto("/review/")
    addresses = [page.url]
    for card in cards:
        open_card(page, card)
        page.keyboard.press("j")
        page.locator("#citation[data-number='3']").wait_for()
        addresses.append(page.url)
    page.goto("/review/?pile=all")
    page.goto("/review/keys/")

    for address in ["/review/?pile=all", *reversed(addresses)]:
        page.go_back()
        page.wait_for_load_state()
        assert page.url.endswith(address), page.url
        assert page.locator("html > head > title").count() == 1
        assert page.locator("header, .top").first.is_visible()
        assert page.locator("main").count() == 1


def test_j2_focus_is_never_lost(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card)
    expected = [
        ("#agree", "cite-1"),
        ("#criterion-B1 label >> nth=1", "points-B1-1"),
        ("#accept-proposals", "points-A-R-0"),
        ("#undo", "undo"),
        ("#confirm-in-bulk", None),
        ("#toggle-order", "toggle-order"),
        ("#cannot-tell", "cite-1"),
    ]

    for selector, focused in expected:
        before = page.locator("#foot").evaluate("foot => foot.dataset.seen = '1'")
        assert before
        page.locator(selector).click()
        page.wait_for_function("() => !document.getElementById('foot').dataset.seen")
        now = page.evaluate("document.activeElement.id")
        assert now == focused if focused else now, selector
        assert page.evaluate("document.activeElement !== document.body"), selector


def test_d7_panes_are_widened_by_keys_and_stay_so(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card)
    width = "document.getElementById('pane-card').getBoundingClientRect().width"
    first = page.evaluate(width)

    page.locator(".divider[data-pane=card]").focus()
    for _step in range(3):
        page.keyboard.press("ArrowLeft")
    wider = page.evaluate(width)
    box = page.locator(".divider[data-pane=list]").bounding_box()
    page.mouse.move(box["x"] + 4, box["y"] + 200)
    page.mouse.down()
    page.mouse.move(box["x"] + 64, box["y"] + 200)
    page.mouse.up()

    assert wider == first + 48
    page.reload()
    assert page.evaluate(width) == wider
    assert page.evaluate("document.getElementById('pane-citations').getBoundingClientRect().width") == 216 + 60
    assert page.locator(".divider[data-pane=card]").get_attribute("aria-valuenow") == str(int(wider))


def test_d2_escape_leaves_every_field_and_the_keys_work_again(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(condition="W1", assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card)
    page.locator("#new-finding summary").first.click()

    for field in ("#note-text", "#new-finding-claim", "#new-finding-checked_on", "#official-source-choice"):
        page.locator(field).focus()
        page.keyboard.press("j")
        assert page.locator("#citation").get_attribute("data-number") == "1", field
        page.keyboard.press("Escape")
        page.keyboard.press("q")
        page.locator("#fold-question[open]").wait_for()
        page.keyboard.press("q")
        page.locator("#fold-question:not([open])").wait_for()


def test_d1_own_keys_and_no_others(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    page.goto("/review/keys/")
    page.locator("#id_agree").fill(";")
    page.locator("#save-keys").click()
    page.get_by_text("Your keys are saved.").wait_for()
    open_card(page, card)

    page.keyboard.press("a")
    page.keyboard.press(";")
    page.locator("#cite-1:not([data-open])").wait_for()

    assert fresh(card).version == card.version + 1
    assert page.locator("#cannot-tell kbd").inner_text() == "u"


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without script"])
def test_b5_a_stale_save_shows_both_versions_and_keeps_mine_when_asked(
    sign_in: SignIn, reviewer: User, lead: User, script: bool
) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer, java_script_enabled=script)
    open_card(page, card)
    set_note(card=card, note="Lena's note", version=card.version, by=lead, now=timezone.now())

    page.locator("#note-text").fill("Rita's note")
    if script:
        page.keyboard.press("Escape")
    else:
        page.get_by_role("button", name="Save the note").click()
    page.locator("#keep-mine").wait_for()

    text = page.locator("#card").inner_text()
    assert "Lena's note" in text
    assert "Rita's note" in text
    if script:
        expect(page.locator("#saved")).to_have_text("Not saved")
    assert fresh(card).note == "Lena's note"
    page.locator("#keep-mine").click()
    page.locator("#verdict").wait_for()
    assert page.locator("#saved").inner_text().startswith("Saved ")
    assert fresh(card).note == "Rita's note"
    assert [event.actor for event in Event.objects.filter(verb="set_note").order_by("number")] == ["lena", "rita"]


def send_by_form(page: Any, button: str) -> None:
    """Until the page of the next version is there: what is filled in before would be filled in on the old one."""
    version = page.locator("#saved").get_attribute("data-version")
    page.locator(button).click()
    page.locator(f"#saved:not([data-version='{version}'])").wait_for()
    page.wait_for_load_state()


def test_a2_the_whole_review_works_without_script(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer, java_script_enabled=False)

    page.goto("/review/")
    page.get_by_role("button", name="Next card").click()
    for number in (1, 3, 6, 2, 4, 5, 7):
        page.locator(f"#cite-{number}").click()
        page.locator("#agree").click()
    send_by_form(page, "#accept-proposals")
    for code in BY_HAND:
        if code == "A2":
            continue
        page.locator(f"#criterion-{code} .seg label").first.click()
        page.locator(f"#evidence-{code} > summary").click()
        page.locator(f"#evidence-text-{code}").fill("Read beside the key.")
        send_by_form(page, f"#save-{code}")
    page.locator("#new-finding > summary").click()
    page.locator("#new-finding-claim").fill(CLAIM)
    page.locator("#new-finding-source_says").fill("§ 2 returns a request only after a call to pay.")
    page.locator("#submit-new").click()
    page.locator("#approve").click()

    card = fresh(card)
    assert card.state == "approved"
    assert card.findings.get(number=3).claim == CLAIM


@pytest.mark.parametrize("name", ["review-keys", "review-*", "review-kept", "review-saving", "review-sign"])
def test_a2_a_script_that_throws_stops_neither_a_decision_nor_the_approval(
    sign_in: SignIn, reviewer: User, now: datetime, name: str
) -> None:
    card = fill_card(make_card(assigned_to=reviewer), by=reviewer, now=now)
    page = sign_in(reviewer, expecting="broken on purpose")
    body = "throw new Error('broken on purpose');"
    page.route(f"**/js/{name}.js", lambda route: route.fulfill(body=body, content_type="text/javascript"))
    open_card(page, card)

    page.locator("#criterion-B1 label").nth(1).click()
    wait_for_version(page, card.version + 1)
    page.locator("#approve").click()
    page.wait_for_url(QUEUE)

    assert fresh(card).state == "approved"
    assert fresh(card).scores.get(criterion="B1").decided == 1


@pytest.mark.parametrize(("width", "scheme"), [(1440, "dark"), (1000, "light"), (720, "light"), (390, "dark")])
def test_d9_axe_finds_nothing_on_the_review_pages(
    sign_in: SignIn, reviewer: User, now: datetime, scheme: str, width: int
) -> None:
    card = make_card(assigned_to=reviewer)
    done = fill_card(
        make_card(code="P05", condition="W1", system="boron-2", assigned_to=reviewer), by=reviewer, now=now
    )
    page = sign_in(reviewer, color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})

    for address in (
        "/review/",
        f"/review/cards/{card.pk}/",
        f"/review/cards/{done.pk}/?raw=1",
        "/review/keys/",
        "/review/bulk/",
    ):
        page.goto(address)
        page.evaluate("document.querySelectorAll('details:not(.menu)').forEach(fold => fold.open = true)")
        assert violations(page) == [], address
        assert page.evaluate(TOO_WIDE) <= 0, address
    open_card(page, card)
    page.locator("#show-keys").click()
    assert violations(page) == []


def violations(page: Any, within: str = "html") -> list[str]:
    """What axe finds in the element, with the rule of WCAG 2.2 that it leaves out unless asked: the size of targets."""
    if not page.evaluate("() => Boolean(window.axe)"):
        page.evaluate(AXE.read_text())
    found = page.evaluate(
        """within => axe.run(document.querySelector(within), {
            resultTypes: ['violations'], rules: { 'target-size': { enabled: true } },
        })""",
        within,
    )["violations"]
    return [
        f"{each['id']}: {node['html'][:160]} {node['failureSummary'][:300]}" for each in found for node in each["nodes"]
    ]
