"""An answer that attacks the page it is read on: in a browser, where ids, focus, keys and requests are real."""

from collections.abc import Callable
from typing import Any

import pytest

from lexreview.accounts.models import User
from lexreview.core.methods.reference_card.facts import CheckResult
from tests.browser.test_review import fresh, open_card, wait_for_version
from tests.review.factories import Checked, make_card

pytestmark = pytest.mark.django_db(transaction=True)
SignIn = Callable[..., Any]
IDS = (
    "saved",
    "keys",
    "main",
    "card",
    "approve",
    "keys-on",
    "foot",
    "citation",
    "form-citation",
    "refused",
    "form-keep",
)
HOSTILE = "\n\n".join(
    [
        "The fee is due (Art. 5 X). <script>window.stolen = 1</script><img src=x onerror='window.stolen = 1'>",
        "[one](javascript:window.stolen=1) [two](JaVaScRiPt:window.stolen=1) [three](data:text/html,<b>1</b>)",
        "![pixel](http://127.0.0.1:1/pixel.png) ![data](data:image/svg+xml;base64,PHN2Zz4=) [way out](https://x.example/)",
        *(f"<div id='{name}' data-card='1' data-version='9' hidden></div> # {name} {{#{name}}}" for name in IDS),
        "<form id='approval' action='/account/logout/' method='post'><input name='version' value='0' autofocus>"
        "<button accesskey='a' data-do='approve' type='submit'>Agree</button></form>",
        "<style>main { display: none }</style><base href='https://x.example/'><meta http-equiv='refresh' content='0'>",
        "<details class='menu' open><summary data-do='agree'>x</summary></details> <a hx-post='/account/logout/' "
        "hx-trigger='load' href='#'>y</a>",
        "Turned \u202e gninrut \u2066 hidden \u200b text and \u0000 nothing.",
        ">" * 3000 + " deep",
        "- " * 400 + "deep",
        "[" * 5000 + "x" + "](y)" * 5000,
        "*" * 4000 + "x",
    ]
)

MARKDOWN = {"p", "blockquote", "ul", "li", "em", "strong", "h1", "h2", "h3", "code", "pre", "span", "bdi"}
"""What an answer as rendered is made of, `bdi` for signs that show nothing."""


def test_m1_a_hostile_answer_does_nothing_to_page_or_keys(sign_in: SignIn, reviewer: User) -> None:
    turned = Checked(raw="Turned \u202e gninrut", result=CheckResult.NOT_FOUND, fields={"proposed_class": "F"})
    card = make_card(text=HOSTILE, citations=(Checked(raw="Art. 5 X"), turned), assigned_to=reviewer)
    page = sign_in(reviewer)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    open_card(page, card)
    server = page.url.split("/review/")[0]

    assert page.evaluate("typeof window.stolen") == "undefined"
    assert all(url.startswith(server) for url in asked)
    doubled = """() => { const ids = Array.from(document.querySelectorAll("[id]"), each => each.id);
        return ids.filter((id, place) => ids.indexOf(id) !== place); }"""
    assert page.evaluate(doubled) == []
    inside = """() => Array.from(document.querySelectorAll("#answer-text *"), each => [each.localName, each.id,
        ...each.getAttributeNames()]).filter(each => !["mark", "a"].includes(each[0]))"""
    for name, own_id, *attributes in page.evaluate(inside):
        assert name in MARKDOWN, name
        assert not own_id
        assert not {each for each in attributes if each.startswith(("on", "hx-", "data-do", "style"))}
    assert page.locator("#answer-text a[href]:not([href^='?']):not([href^='/review/'])").count() == 0

    for query in ("?citation=1", "?raw=1&citation=2"):
        open_card(page, card, query)
        version = fresh(card).version
        page.keyboard.press("u")
        wait_for_version(page, version + 1)
        page.locator("#note-text").fill(f"Read {query}.")
        page.keyboard.press("Escape")
        wait_for_version(page, version + 2)
        page.keyboard.press("Control+z")
        wait_for_version(page, version + 3)
    assert fresh(card).citations.filter(state="undetermined").count() == 2
    assert page.url.startswith(f"{server}/review/cards/{card.pk}/")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_m1_turned_words_of_an_answer_turn_nothing_of_the_page(sign_in: SignIn, reviewer: User) -> None:
    """A sign that reverses the line ends with the words it came with."""
    turned = Checked(raw="Art. 5 \u202e X", result=CheckResult.NOT_FOUND, fields={"proposed_class": "F"})
    card = make_card(text="Due (Art. 5 \u202e X) at once.", citations=(turned,), assigned_to=reviewer)
    page = sign_in(reviewer)
    open_card(page, card)

    turning = """() => Array.from(document.querySelectorAll(".screen *")).filter(each =>
            !each.closest("#answer-text") && getComputedStyle(each).display === "inline"
            && !getComputedStyle(each).unicodeBidi.startsWith("isolate")
            && Array.from(each.childNodes).some(node => node.nodeType === 3 && node.data.includes("\\u202e")))
        .map(each => each.outerHTML.slice(0, 200))"""
    page.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true; })")
    assert page.locator("#findings").inner_text().count("\u202e") > 0
    assert page.evaluate(turning) == []
