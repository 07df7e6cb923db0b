"""The keyboard alone: Tab reaches everything on a page in one round, shows where it is, and is caught nowhere."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from django.test import Client

from lexreview.accounts.models import User
from lexreview.core.workflow import Role
from lexreview.review.actions.adjudicating import begin_adjudication
from tests.factories import make_user
from tests.review.factories import SLUG, make_card
from tests.review.rounds import adjudicating
from tests.whole_site import WholeSite, make_whole_site

pytestmark = pytest.mark.django_db(transaction=True)
SignIn = Callable[..., Any]

# Notes each element that gets the focus, and whether one can see that: by its own outline, shadow or ground, or by
# that of what is drawn for it.
LISTEN = """() => {
    const looks = element => {
        const style = getComputedStyle(element);
        const outline = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0 ? style.outline : '';
        const stroke = [style.stroke, style.strokeWidth];
        return [outline, style.boxShadow, style.backgroundColor, style.borderColor, ...stroke].join('|');
    };
    const drawn = element => [
        element, element.nextElementSibling, element.closest('label, .picks'), element.querySelector('circle')
    ].filter(Boolean);
    const every = () => Array.from(document.querySelectorAll(
        'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]'
    )).filter(each => !each.matches(':disabled') && each.tabIndex >= 0
        && each.checkVisibility({ visibilityProperty: true }) && !each.closest('dialog:not([open])'));
    const around = each => each.form || document;
    const isOneOfGroup = each => each.type === 'radio' && !each.checked
        && (around(each).querySelector(`input[name="${each.name}"]:checked`)
            || around(each).querySelector(`input[name="${each.name}"]:enabled`) !== each);
    const wanted = every().filter(each => !isOneOfGroup(each));
    const named = each => each.id || each.outerHTML.slice(0, 90);
    const dates = wanted.filter(each => each.type === 'date').length;
    window.walk = { wanted: wanted.length, dates, steps: 0, again: [], hidden: [] };
    // The walk begins at the top, wherever the page has set the focus.
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute('tabindex');
    const before = new Map(every().map(each => [each, drawn(each).map(looks)]));
    const reached = new Set();
    document.addEventListener('focusin', event => {
        const each = event.target;
        window.walk.steps += 1;
        if (reached.has(each)) window.walk.again.push(named(each));
        reached.add(each);
        window.walk.missed = wanted.filter(one => !reached.has(one)).map(named);
        const was = before.get(each), now = drawn(each).map(looks);
        if (was && was.every((look, place) => look === now[place])) window.walk.hidden.push(named(each));
    });
}"""


@pytest.fixture
def site(now: datetime, monkeypatch: pytest.MonkeyPatch) -> WholeSite:
    return make_whole_site(now, monkeypatch)


def walked(page: Any, address: str) -> dict[str, Any]:
    """What a walk by Tab through the page misses, comes to again, does not show, or loses; empty where all is well."""
    page.goto(address)
    page.wait_for_load_state()
    page.evaluate(LISTEN)
    wanted = presses = page.evaluate("walk.wanted")

    for _step in range(wanted):
        page.keyboard.press("Tab")
    # What comes to light as the focus passes is in the way too.
    while page.evaluate("walk.missed.length && !walk.again.length") and presses < 2 * wanted:
        page.keyboard.press("Tab")
        presses += 1

    walk = page.evaluate("walk")
    # Every press moved the focus, within a date three times: it was neither lost nor caught.
    lost = presses - (walk["steps"] + 3 * walk["dates"])
    found = {**{name: walk[name] for name in ("missed", "again", "hidden")}, "lost": lost, "few": wanted < 3}
    return {name: value for name, value in found.items() if value}


def test_d9_tab_goes_once_round_the_pages_and_is_seen_everywhere(
    sign_in: SignIn, lead: User, reviewer: User, now: datetime
) -> None:
    card = make_card(assigned_to=reviewer)
    adjudicating(card, first=reviewer, second=make_user("karl", roles=(Role.REVIEWER,)), lead=lead, now=now)
    begin_adjudication(card=card, by=lead, now=now)
    other = make_card(code="P05", assigned_to=lead)
    page = sign_in(lead)

    addresses = (
        f"/review/cards/{other.pk}/",
        "/review/?pile=all",
        f"/review/cards/{card.pk}/adjudication/",
        f"/benchmarks/{SLUG}/questions/P04/key/",
        "/review/keys/",
    )
    assert {address: walked(page, address) for address in addresses} == {address: {} for address in addresses}


def test_d9_tab_goes_once_round_every_page(sign_in: SignIn, client: Client, site: WholeSite) -> None:
    page = sign_in(site.lead)

    found = {address: walked(page, address) for address in site.pages(client).values()}

    assert {address: problems for address, problems in found.items() if problems} == {}
