"""A lead at the desk, in Chromium: a key that departs from the frozen one, and cards recomputed under new rules."""

from collections.abc import Callable
from typing import Any

import pytest

from lexreview.accounts.models import User
from lexreview.core.workflow import CardState
from lexreview.jobs.models import Job
from lexreview.methodology.models import Decision
from lexreview.questions.models import Benchmark, KeyVersion
from lexreview.review.recompute_job import process
from tests.browser.test_review import violations
from tests.review.factories import SLUG, make_act, make_answer, make_benchmark, make_question
from tests.review.test_recomputing import approved_card, fresh, next_version

pytestmark = pytest.mark.django_db(transaction=True)
SignIn = Callable[..., Any]
KEY = f"/benchmarks/{SLUG}/questions/P04/key/"


def check_axe(page: Any) -> None:
    assert violations(page) == [], page.url


def mark(page: Any, words: str) -> None:
    """Mark words of the official text as a mouse does."""
    page.evaluate(
        """words => {
            const node = document.querySelector('#official .words').firstChild;
            const place = node.data.indexOf(words);
            const range = document.createRange();
            range.setStart(node, place);
            range.setEnd(node, place + words.length);
            window.getSelection().removeAllRanges();
            window.getSelection().addRange(range);
        }""",
        words,
    )


def test_departure_with_a_basis_marked_in_the_official_text(sign_in: SignIn, lead: User) -> None:
    make_answer(make_question(make_benchmark()))
    make_act()
    page = sign_in(lead)

    page.goto(KEY)
    assert page.get_by_text("Answers were already collected").is_visible()
    check_axe(page)
    page.locator("#id_core_answer").fill("No. The fee is payable within ten days; the time ended on 24 September 2026.")
    page.get_by_role("button", name="Show what changes").click()
    page.locator("#key-compared del", has_text="seven").wait_for()
    assert page.locator("#key-compared ins", has_text="ten").count() == 1
    page.locator("#id_reason").fill("A ruling was found.")
    page.get_by_role("button", name="Save and pick a basis").click()

    page.wait_for_url("**/key/basis/")
    page.goto(f"{KEY}basis/?act=eli/qk/act/2011/9&unit=art=17/par=1")
    mark(page, "within seven days")
    page.locator("#chosen-words", has_text="within seven days").wait_for()
    check_axe(page)
    page.get_by_role("button", name="Add the basis").click()
    page.wait_for_url("**/key/#bases")

    key = KeyVersion.objects.get(number=2)
    assert (key.departure, key.bases[-1]["quotation"]) == (True, "within seven days")
    assert Decision.objects.get().touches["key_versions"] == ["P04.v2"]

    for code in ("B1", "B2"):
        page.get_by_role("button", name=f"Remove basis {code}").click()
        page.get_by_text(f"Basis {code} is removed.").wait_for()
    page.get_by_role("button", name="Approve version 2").click()
    page.get_by_text("departure: changed after answers were collected").wait_for()
    check_axe(page)


def test_recompute_turns_decisions_into_proposals_that_a_person_confirms(
    sign_in: SignIn, lead: User, reviewer: User
) -> None:
    card = approved_card(reviewer)
    next_version()
    page = sign_in(lead)

    page.goto(f"/review/recompute/{SLUG}/?to=1.1.0")
    assert page.get_by_text("1 card becomes stale").is_visible()
    check_axe(page)
    page.get_by_role("button", name="Adopt 1.1.0 and recompute").click()
    page.wait_for_url("**/jobs/*/")
    job = Job.objects.get()
    for item in job.items.in_order():
        process(item.key, job.params, job)
    assert fresh(card).state == CardState.STALE
    assert Benchmark.objects.get().specification.version == "1.1.0"

    theirs = sign_in(reviewer)
    theirs.goto(f"/review/cards/{card.pk}/")
    theirs.keyboard.press("z")
    theirs.locator("#saved", has_text=f"v{card.version + 2}").wait_for()
    theirs.goto("about:blank")
    assert fresh(card).scores.get(criterion="A-R").decided == 2
