"""Two lawyers and a lead, in Chromium: blind reviews, their adjudication by keys, a ruling and its re-check."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from lexreview.accounts.models import User
from lexreview.core.workflow import Role
from lexreview.methodology.models import Decision
from lexreview.review.actions import ask_ruling
from lexreview.review.models import Card
from tests.browser.test_review import TOO_WIDE, SignIn, violations, wait_for_focus
from tests.factories import make_user
from tests.review.factories import SLUG, fill_card, make_card
from tests.review.rounds import adjudicating, fresh, review

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def colleague(db: None) -> User:
    return make_user("karl", roles=(Role.REVIEWER,))


def test_two_lawyers_review_blind_and_a_lead_adjudicates_by_keys(
    sign_in: SignIn, reviewer: User, colleague: User, lead: User, now: datetime
) -> None:
    card = make_card(assigned_to=reviewer)
    review(card, by=reviewer, now=now, points={"B1": 2}, note="Words of the first.")

    page = sign_in(lead)
    page.goto(f"/review/benchmarks/{SLUG}/second-review/")
    page.locator("input[name=size]").first.fill("1")
    page.get_by_label("karl").check()
    page.locator("#dry-run").click()
    page.locator("#sample").wait_for()
    assert fresh(card).state == "approved"
    page.locator("#ask").click()
    page.get_by_text("1 card waits for its second review.").wait_for()
    seat = Card.objects.get(round=2)

    second = sign_in(colleague)
    second.goto("/review/")
    second.locator("#next").click()
    second.wait_for_url(lambda url: f"/cards/{seat.pk}/" in url)
    assert "Words of the first." not in second.content()
    second.goto(f"/review/cards/{card.pk}/")
    assert "Words of the first." not in second.content()
    filled = fill_card(fresh(seat), by=colleague, now=now)
    assert filled.state == "in_review"
    second.goto(f"/review/cards/{seat.pk}/")
    second.keyboard.press("Enter")
    second.wait_for_url(lambda url: f"/cards/{seat.pk}/" not in url)
    assert (fresh(card).state, fresh(seat).state) == ("in_adjudication", "approved")

    page.goto(f"/review/cards/{card.pk}/adjudication/")
    page.locator("#begin").press("Enter")
    page.locator("#item-criterion-B1").wait_for()
    wait_for_focus(page, "#item-criterion-B1")
    assert page.get_by_text("take a side").is_visible()
    page.keyboard.press("2")
    wait_for_focus(page, "[name=reason]")
    page.keyboard.type("No step is named; 0 by the rule.")
    page.keyboard.press("Enter")
    page.locator("#finish-reason").wait_for()
    wait_for_focus(page, "#finish-reason")
    page.keyboard.type("The second reads B1 as the specification has it.")
    page.keyboard.press("Control+Enter")
    page.get_by_text("This card counts in results.").wait_for()

    made = Card.objects.get(round=3)
    assert (made.state, made.scores.get(criterion="B1").decided, fresh(card).state) == ("approved", 0, "approved")
    assert made.choices.get().taken_from == seat


def test_a_ruling_becomes_a_decision_and_cards_are_looked_at_again(
    sign_in: SignIn, reviewer: User, lead: User, now: datetime
) -> None:
    other = review(make_card(repetition=2, assigned_to=reviewer), by=reviewer, now=now)
    card = fill_card(make_card(assigned_to=reviewer), by=reviewer, now=now)
    card = ask_ruling(card=card, question="Does “fourteen” count as W?", version=card.version, by=reviewer, now=now)

    page = sign_in(lead)
    page.goto(f"/review/cards/{card.pk}/")
    page.locator("#answer-page").click()
    page.locator("#id_decision").fill("It is W: the wording in force on the day decides.")
    page.locator("#id_reason").fill("Rule 3.")
    page.locator("#id_criteria").fill("A6")
    page.locator("#answer").click()
    page.get_by_role("heading", name="Cards that decision 1 may touch").wait_for()
    page.locator(f"#card-{other.pk}").check()
    page.locator("#recheck-reason").fill("Look at Art. 17 again.")
    page.locator("#mark").click()
    page.get_by_text("1 card is to be looked at again.").wait_for()
    assert fresh(other).state == "in_review"

    hers = sign_in(reviewer)
    hers.goto(f"/review/cards/{card.pk}/")
    hers.get_by_text("1 decision not published").wait_for()
    page.goto(f"/decisions/{SLUG}/1/")
    page.get_by_role("button", name="Publish").first.click()
    page.wait_for_function("() => !document.body.innerText.includes('Publish the entry')")
    assert Decision.objects.get().is_published
    hers.reload()
    hers.keyboard.press("Enter")
    hers.wait_for_url(lambda url: f"/cards/{card.pk}/" not in url)
    assert fresh(card).state == "approved"


@pytest.mark.parametrize(("scheme", "width"), [("light", 720), ("dark", 390)])
def test_axe_finds_nothing_on_the_lead_pages(
    sign_in: Callable[..., Any], reviewer: User, colleague: User, lead: User, now: datetime, scheme: str, width: int
) -> None:
    card = make_card(assigned_to=reviewer)
    adjudicating(card, first=reviewer, second=colleague, lead=lead, now=now)
    asking = fill_card(make_card(code="P09", assigned_to=reviewer), by=reviewer, now=now)
    ask_ruling(card=asking, question="Does an older wording count?", version=asking.version, by=reviewer, now=now)
    page = sign_in(lead, color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})

    found = {}
    for address in (
        f"/review/cards/{card.pk}/adjudication/",
        f"/review/benchmarks/{SLUG}/second-review/?size=1&seats=1&seed=1",
        f"/review/benchmarks/{SLUG}/agreement/",
        f"/review/benchmarks/{SLUG}/quality/",
        f"/review/cards/{asking.pk}/answer/",
    ):
        page.goto(address)
        if page.locator("#begin").count():
            page.locator("#begin").click()
            page.locator("#item-criterion-B1").wait_for()
        if problems := violations(page):
            found[address] = problems
        assert page.evaluate(TOO_WIDE) <= 0, address
    assert found == {}
