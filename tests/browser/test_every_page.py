"""Axe on every page of the site, found by walking its resolver, and on what only opens when it is asked for."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from django.test import Client

from tests.browser.test_review import TOO_WIDE, violations
from tests.whole_site import WholeSite, make_whole_site

pytestmark = pytest.mark.django_db(transaction=True)
UNFOLD = "document.querySelectorAll('details:not(.menu)').forEach(fold => fold.open = true)"


@pytest.fixture
def site(now: datetime, monkeypatch: pytest.MonkeyPatch) -> WholeSite:
    return make_whole_site(now, monkeypatch)


def test_d9_axe_finds_nothing_on_any_page(
    sign_in: Callable[..., Any], open_browser: Callable[..., Any], client: Client, site: WholeSite
) -> None:
    page, stranger = sign_in(site.lead), open_browser()
    visits = [(page, address) for address in [*site.pages(client).values(), "/no-such-page/"]]
    visits += [(stranger, address) for address in ("/account/login/", "/account/password/reset/", "/en/p/")]

    found = {}
    for window, address in visits:
        window.goto(address)
        window.evaluate(UNFOLD)
        problems = violations(window)
        if window.evaluate(TOO_WIDE) > 0:
            problems.append("scrolls sideways")
        if problems:
            found[address] = problems
    assert found == {}


def test_d9_axe_finds_nothing_in_open_menus(sign_in: Callable[..., Any], client: Client, site: WholeSite) -> None:
    page = sign_in(site.lead)
    pages = site.pages(client)

    for name in ("review:card", "review:queue", "rounds:second_review"):
        page.goto(pages[name])
        for menu in page.locator("details.menu").all():
            menu.evaluate("menu => { menu.id = menu.id || 'opened'; menu.open = true; }")
            place = menu.get_attribute("id")
            assert violations(page, f"#{place}") == [], (name, place)
            menu.evaluate("menu => { menu.open = false; if (menu.id === 'opened') menu.id = ''; }")
