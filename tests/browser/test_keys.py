"""The keyboard of the card page in Chromium."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from lexreview.accounts.models import User
from lexreview.review.actions import approve_card
from lexreview.review.keys import KEYS, Context, Key
from lexreview.review.models import Card
from tests.browser.test_review import (
    fresh,
    open_card,
    version_shown,
    wait_for_focus,
    wait_for_version,
)
from tests.review.factories import SLUG, fill_card, make_card

pytestmark = pytest.mark.django_db(transaction=True)
SignIn = Callable[..., Any]
CARD, CITATION, CRITERION, FIELD = Context
BY_NAME = {(key.context, key.does): key for key in KEYS}
ESCAPE = (FIELD, "leave-field")

# Each key of the registry with what is on the page after it and was not before. Grouped by what the page has to show.
READING = [
    ((CARD, "next-citation"), "#cite-3:focus"),
    ((CARD, "previous-citation"), "#cite-1:focus"),
    ((CARD, "next-open"), "#cite-3:focus"),
    ((CARD, "previous-citation"), "#cite-1:focus"),
    ((CARD, "earlier-edition"), "#source[data-edition='2023-07-01']"),
    ((CARD, "later-edition"), "#source[data-edition='2026-09-01']"),
    ((CARD, "toggle-source"), "#main.no-source"),
    ((CARD, "toggle-raw"), "article.raw"),
    ((CARD, "toggle-order"), "#toggle-order:has-text('in text order')"),
    ((CARD, "toggle-order"), "#toggle-order:has-text('to check first')"),
    ((CARD, "fold-question"), "#fold-question[open]"),
    ((CARD, "fold-key"), "#fold-key[open]"),
    ((CARD, "fold-trace"), "#fold-trace[open]"),
    ((CARD, "show-keys"), "#keys[open]"),
    (ESCAPE, "#keys:not([open])"),
    ((CARD, "new-finding"), "#new-finding-finding_class:focus"),
    (ESCAPE, "#main:focus"),
    ((CARD, "missed-citation"), "#missed-quote:focus"),
    (ESCAPE, "#main:focus"),
    ((CARD, "park"), "#park-text:focus"),
    (ESCAPE, "#park:not([open])"),
    ((CARD, "ask-ruling"), "#ruling-text:focus"),
    (ESCAPE, "#ruling:not([open])"),
]
DECIDING = [
    ((CITATION, "classes"), "#rule-citation[open]"),
    ((CITATION, "edit-finding"), "#finding-row-1-source_says:focus"),
    (ESCAPE, "#main:focus"),
    *(((CITATION, f"origin-{each}"), f"#origin-{each}[aria-pressed=true]") for each in (
        "memory", "secondary_source", "undetermined", "source_read",
    )),
    *(((CITATION, f"scope-{each}"), f"#scope-{each}[aria-pressed=true]") for each in ("peripheral", "core")),
    *(((CITATION, f"set-{each}"), f"#set-{each}[aria-pressed=true]") for each in "fstw"),
    ((CARD, "next-open"), "#cite-3:focus"),
    ((CITATION, "agree"), "#cite-3:not([data-open])"),
    ((CARD, "next-open"), "#cite-6:focus"),
    ((CITATION, "cannot-tell"), "#cite-6:not([data-open])"),
    ((CITATION, "no-error"), "#citation[data-number='6']:not(:has(#no-error))"),
    ((CARD, "confirm-in-bulk"), "#cite-7:not([data-open])"),
    ((CARD, "accept-proposals"), "#proposals[hidden]"),
    ((CARD, "undo"), "#proposals:not([hidden])"),
    ((CARD, "next-criterion"), "form.crit.undecided input[name=points]:focus"),
    ((CRITERION, "points"), "form.crit:not(.undecided) input[name=points]:focus"),
    ((CRITERION, "edit-evidence"), "form.crit textarea[name=evidence]:focus"),
    (ESCAPE, "#main:focus"),
    ((CARD, "next-criterion"), "form.crit.undecided input[name=points]:focus"),
    ((CRITERION, "rule"), "form.crit:focus-within details.evidence[open]"),
]  # fmt: skip
LEAVING = [
    ((CARD, "go-queue"), "#queue"),
    ((CARD, "go-decisions"), "#my-decisions"),
    ((CARD, "go-log"), f"#log-{SLUG}"),
]


def press(page: Any, key: Key) -> None:
    if key.does == "points":
        page.keyboard.press("1")
        return
    for stroke in key.strokes:
        page.keyboard.press(f"Shift+{stroke}" if stroke.isupper() else stroke.replace("Ctrl+", "Control+"))


def press_and_look(page: Any, key: Key, selector: str) -> None:
    assert page.locator(selector).count() == 0, (key, selector)
    press(page, key)
    page.locator(selector).first.wait_for(state="attached")
    page.wait_for_load_state()


def test_d1_every_key_of_the_registry_does_its_work_on_the_page(sign_in: SignIn, reviewer: User, now: datetime) -> None:
    card = make_card(condition="W1", assigned_to=reviewer)
    second, third = (make_card(code=code, system="boron-2", assigned_to=reviewer) for code in ("P05", "P06"))
    for each in (second, third):
        fill_card(each, by=reviewer, now=now)
    page = sign_in(reviewer)
    tried = set()

    def walk(steps: list[tuple[tuple[Context, str], str]]) -> None:
        for name, selector in steps:
            press_and_look(page, BY_NAME[name], selector)
            tried.add(name)

    def is_shown(one: Card) -> str:
        return f"#main[data-card='{one.pk}']"

    open_card(page, card)
    walk(READING)
    open_card(page, card, "?citation=1")
    walk(DECIDING)
    for leaving in LEAVING:
        # An address that names a citation leads to no last place, whose focus would end a key of two strokes.
        open_card(page, card, "?citation=1")
        walk([leaving])
    open_card(page, card)
    walk([((CARD, "next-card"), is_shown(second)), ((CARD, "previous-card"), is_shown(card))])
    open_card(page, second)
    page.locator("#note-text").focus()
    walk([((FIELD, "approve"), is_shown(third)), ((CARD, "approve"), is_shown(card))])

    assert tried == set(BY_NAME), set(BY_NAME) ^ tried


def test_an_error_that_a_person_found_gets_its_evidence_by_keys(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card, "?citation=4")

    page.keyboard.press("e")
    page.keyboard.press("t")
    wait_for_version(page, card.version + 1)
    page.keyboard.press("e")
    wait_for_focus(page, "#finding-row-3-source_says")
    page.keyboard.type("Art. 3 exempts nobody: j k a t.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    wait_for_version(page, card.version + 2)

    finding = fresh(card).findings.get(number=3)
    assert (finding.error_class, finding.source_says) == ("T", "Art. 3 exempts nobody: j k a t.")
    assert page.locator("[data-do=edit-finding] kbd").all_inner_texts() == ["e"]


def test_the_reason_of_a_changed_proposal_is_written_without_a_mouse(sign_in: SignIn, reviewer: User) -> None:
    """`e` led to the evidence, which stands there from the proposal, while the page said that the reason is missing."""
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card)

    page.locator("#criterion-A2 input[name=points]").first.focus()
    page.keyboard.press("1")
    page.locator("#criterion-A2.unfounded").wait_for(state="attached")
    page.keyboard.press("e")
    wait_for_focus(page, "#reason-A2")
    page.keyboard.type("Art. 22 is cited for something else.")
    page.keyboard.press("Escape")
    page.locator("#criterion-A2:not(.unfounded)").wait_for(state="attached")

    score = fresh(card).scores.get(criterion="A2")
    assert (score.decided, score.reason) == (1, "Art. 22 is cited for something else.")
    page.locator("#criterion-A2 input[name=points]:checked").focus()
    page.keyboard.press("e")
    wait_for_focus(page, "#evidence-text-A2")


def test_the_first_of_two_keys_is_told_and_what_is_not_the_second_does_nothing(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card)

    page.keyboard.press("g")
    assert "g q: go to the queue" in page.locator("#begun").inner_text()
    page.keyboard.press("a")
    assert page.locator("#begun").inner_text() == ""
    page.keyboard.press("g")
    page.locator("#note-text").focus()
    assert page.locator("#begun").inner_text() == ""
    page.keyboard.press("Escape")
    page.keyboard.press("q")
    page.locator("#fold-question[open]").wait_for()

    assert version_shown(page) == fresh(card).version == card.version


def test_what_digits_set_is_outlined_and_told(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card, "?citation=1")

    def outlined(selector: str) -> None:
        page.locator(selector).wait_for()
        style = page.locator(".digits").evaluate("group => getComputedStyle(group).outlineStyle")
        assert (page.locator(".digits").count(), style) == (1, "dashed")

    outlined("#origins.digits")
    page.keyboard.press("i")
    outlined("#criterion-A-R .seg.digits")
    assert page.locator("#live").inner_text() == "Digits set the points."
    page.locator("#note-text").focus()
    page.wait_for_function("() => !document.querySelector('.digits')")
    page.keyboard.press("Escape")
    outlined("#origins.digits")
    assert page.locator("#live").inner_text() == "Digits set the origin."
    page.keyboard.press("3")
    wait_for_version(page, card.version + 1)
    outlined("#origins.digits")
    page.keyboard.press("?")
    page.locator("#keys-on").uncheck()
    page.keyboard.press("Escape")
    page.wait_for_function("() => !document.querySelector('.digits')")


# Whatever a person can see of a key that was pressed: where the page is, what is open, chosen, pressed or said.
SEEN = """() => JSON.stringify([
    location.href, document.activeElement.id || document.activeElement.name, document.getElementById("main")?.className,
    document.getElementById("saved")?.dataset.version, document.getElementById("begun")?.textContent,
    document.getElementById("citation")?.dataset.number, document.getElementById("source")?.dataset.edition,
    document.getElementById("toggle-order")?.textContent, document.getElementById("refused")?.textContent,
    Array.from(document.querySelectorAll("details[open], dialog[open], :checked"), each => each.id),
    Array.from(document.querySelectorAll("[aria-pressed=true], [aria-current]"), each => each.id),
])"""


# What an approval may meet instead of the next card.
HELD_UP = "#blocked[open], #half-written:not([hidden]), #confirm-unchecked:checked"


def can_be_pressed(key: Key) -> bool:
    return key.context is not FIELD


def press_each_and_look(page: Any, card: Card) -> dict[str, str]:
    """Press every key of the registry; what was said by each, "" where something was done. Fails where neither was."""
    said = {}
    for key in filter(can_be_pressed, KEYS):
        if not page.evaluate("window.isHere"):
            open_card(page, card)
            page.evaluate("window.isHere = true")
        if key.context is CRITERION:
            field = page.locator("form.crit summary").first
            field.focus()
        before = page.evaluate(SEEN)
        press(page, key)
        if key.does in ("approve", "next-card", "previous-card") or key.does.startswith("go-"):
            # Said, or on the way to another page, which may look the same.
            said_or_gone = f"document.getElementById('begun')?.textContent || document.querySelector(`{HELD_UP}`)"
            page.wait_for_function(f"() => {said_or_gone} || !window.isHere")
        else:
            page.wait_for_function(f"before => ({SEEN})() !== before", arg=before)
        page.wait_for_load_state()
        if page.evaluate("window.isHere"):
            page.wait_for_function("() => !document.querySelector('.htmx-request, #saved.saving')")
            said[key.does] = page.locator("#begun").inner_text()
            for _field in range(2):
                page.keyboard.press("Escape")
            page.evaluate("document.getElementById('main').focus()")
    return said


NOTHING_LEFT = {
    "accept-proposals": "No proposed points that are sure are left to accept.",
    "confirm-in-bulk": "No citation that code found identical is left to confirm.",
    "next-open": "No other citation is left to decide.",
    "fold-trace": "",
    "later-edition": "No other edition is stored in this direction.",
    "previous-citation": "",
}


def test_d6_a_key_that_can_do_nothing_says_why(sign_in: SignIn, reviewer: User, now: datetime) -> None:
    card = fill_card(make_card(condition="W1", assigned_to=reviewer), by=reviewer, now=now)
    page = sign_in(reviewer)
    open_card(page, card, "?citation=7")

    for key, words in NOTHING_LEFT.items():
        before = page.evaluate(SEEN)
        press(page, BY_NAME[CARD, key])
        page.wait_for_function(f"before => ({SEEN})() !== before", arg=before)
        if words:
            page.wait_for_function("words => document.getElementById('begun').textContent === words", arg=words)
            assert page.locator("#begun[role=status]").is_visible()
    press_each_and_look(page, card)


def test_d6_without_citations_and_proposals_each_key_says_why_it_does_nothing(sign_in: SignIn, reviewer: User) -> None:
    card = make_card(text="Ask a court.", citations=[], assigned_to=reviewer)
    card.scores.update(proposed=None, proposed_evidence="")
    page = sign_in(reviewer)
    open_card(page, card)

    said = press_each_and_look(page, card)

    chosen = {key.does for key in KEYS if key.context is CITATION}
    assert {said[does] for does in chosen} == {"No citation is chosen."}
    assert said["accept-proposals"] == NOTHING_LEFT["accept-proposals"]
    assert said["next-citation"] == said["previous-citation"] == "There is no further citation in this direction."
    assert said["toggle-order"] == "There are no two citations to be ordered."
    assert "nothing of yours" in said["undo"]


@pytest.mark.parametrize("state", ["approved", "of somebody else"])
def test_d6_on_a_card_that_takes_no_changes_each_key_says_so(
    sign_in: SignIn, reviewer: User, lead: User, now: datetime, state: str
) -> None:
    card = make_card(assigned_to=reviewer if state == "approved" else lead)
    if state == "approved":
        card = fill_card(card, by=reviewer, now=now)
        card = approve_card(card=card, version=card.version, confirm_unchecked=True, by=reviewer, now=now)
    page = sign_in(reviewer)
    open_card(page, card)

    said = press_each_and_look(page, card)

    words = "The card is approved" if state == "approved" else "This card is assigned to lena"
    changing = {key.does for key in KEYS if key.changes and can_be_pressed(key)}
    assert {does for does in changing if not said[does].startswith(words)} <= {"approve", "undo"}, said
    assert fresh(card).version == card.version
