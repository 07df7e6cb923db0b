"""The specification editor in Chromium: by keys, and without JavaScript."""

from collections.abc import Callable
from typing import Any

import pytest

from lexreview.accounts.models import User
from lexreview.methodology.models import Specification
from tests.browser.test_review import wait_for_focus
from tests.review.factories import make_specification

pytestmark = pytest.mark.django_db(transaction=True)
SignIn = Callable[..., Any]
EDITOR = "/specifications/reference-card/1.0.1/new/"


def codes(page: Any) -> list[str]:
    found: list[str] = page.locator("input[name^='criteria-'][name$='-code']").evaluate_all(
        "fields => fields.map(field => field.value)"
    )
    return found


def test_rows_are_moved_by_keys_and_the_focus_stays_with_them(sign_in: SignIn, lead: User) -> None:
    make_specification()
    page = sign_in(lead)
    page.goto(EDITOR)
    page.evaluate("window.isStillHere = true")
    page.locator("#criteria-8 summary").press("Enter")
    page.locator("#id_criteria-8-name_en").fill("How useful it is")

    page.locator("#criteria-8-up").press("Enter")
    wait_for_focus(page, "#criteria-7-up")
    page.keyboard.press("Enter")
    wait_for_focus(page, "#criteria-6-up")
    assert codes(page) == ["A-R", "A1", "A2", "A3", "A4", "A5", "B1", "A6", "P", "B2"]
    assert page.locator("#criteria-6 summary", has_text="How useful it is").locator(".tag").inner_text() == "changed"
    page.locator("#criteria-0-down").press("Enter")
    wait_for_focus(page, "#criteria-1-down")
    page.locator("#criteria-1-up").press("Enter")
    wait_for_focus(page, "#criteria-0-down")

    page.locator("#criteria-add").press("Enter")
    wait_for_focus(page, "#id_criteria-10-code")
    page.keyboard.type("B3")
    page.locator("#criteria-10-remove").press("Enter")
    wait_for_focus(page, "#criteria-9-remove")

    assert page.evaluate("window.isStillHere")
    assert codes(page) == ["A-R", "A1", "A2", "A3", "A4", "A5", "B1", "A6", "P", "B2"]


def test_version_is_not_added_while_a_row_is_on_its_way(sign_in: SignIn, lead: User) -> None:
    make_specification()
    page = sign_in(lead)
    held: list[Any] = []

    def hold(route: Any) -> None:
        if "criteria-remove" in (route.request.post_data or ""):
            held.append(route)
        else:
            route.continue_()

    page.route(f"**{EDITOR}", hold)
    page.goto(EDITOR)
    page.locator("#id_note_en").fill("The trap no longer counts.")
    page.locator("#criteria-3-remove").click()
    add = page.locator(".buttons button", has_text="Add this version")
    page.wait_for_function("() => document.querySelector('.buttons button[value=add]').disabled")

    assert add.is_disabled()
    [route] = held
    route.continue_()
    page.wait_for_function("() => !document.querySelector('.buttons button[value=add]').disabled")
    add.click()
    page.wait_for_url("**/specifications/reference-card/1.1.0/")
    assert "A3" not in [each["code"] for each in Specification.objects.newest().content["criteria"]]


def test_enter_in_a_field_previews_and_moves_nothing(sign_in: SignIn, lead: User) -> None:
    make_specification()
    page = sign_in(lead)
    page.goto(EDITOR)
    page.locator("#id_note_en").fill("Nothing of weight.")

    page.locator("#id_version").press("Enter")
    page.locator("#preview").wait_for()

    assert page.get_by_text("Nothing but its number, date and note.").is_visible()
    assert codes(page)[:3] == ["A-R", "A1", "A2"]
    assert Specification.objects.count() == 1


def test_version_is_written_without_javascript(sign_in: SignIn, lead: User) -> None:
    make_specification()
    page = sign_in(lead, java_script_enabled=False)
    page.goto(EDITOR)
    page.locator("#criteria-9-up").click()
    page.locator("#criteria-8 summary", has_text="B2").wait_for()
    page.locator("#criteria-add").click()
    page.locator("#id_criteria-10-code").fill("B3")
    page.locator("#id_criteria-10-name_en").fill("Brevity")
    page.locator("#criteria-3-remove").click()
    page.locator("#criteria-9 summary", has_text="B3").wait_for()
    page.locator(".buttons button", has_text="Add this version").click()
    page.locator("#faults-title", has_text="1 thing is to be mended").wait_for()
    page.locator("[aria-labelledby=faults-title] a").click()
    page.locator("#id_note_en").fill("Brevity counts; the trap no longer does.")
    page.locator("#id_rules_changed").check()
    page.locator(".buttons button", has_text="Show what it would do").click()
    page.locator("#preview", has_text="Criterion B3").wait_for()
    page.locator(".buttons button", has_text="Add this version").click()
    page.wait_for_url("**/specifications/reference-card/1.1.0/")

    written = Specification.objects.newest().content["criteria"]
    assert [each["code"] for each in written] == ["A-R", "A1", "A2", "A4", "A5", "A6", "P", "B2", "B1", "B3"]
