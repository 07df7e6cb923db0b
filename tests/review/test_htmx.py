"""J1 and J3: what htmx asks for, whole or in part, and what guards a form that is sent."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from lexreview.accounts.models import User
from lexreview.core.workflow import Role
from lexreview.jobs.models import Job
from lexreview.review.actions import approve_card
from lexreview.review.models import Card
from tests.factories import make_user
from tests.review.factories import SLUG, fill_card, make_card, make_many_cards
from tests.review.sending import FORMS
from tests.review.swapping import Element, parsed

PART = {"HX-Request": "true"}
GOING_BACK = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
VARY = {"HX-Request", "HX-History-Restore-Request"}
ROOT = Path(settings.BASE_DIR)
KNOWN = {
    "hx-get", "hx-post", "hx-target", "hx-swap", "hx-swap-oob", "hx-trigger", "hx-push-url", "hx-replace-url",
    "hx-include", "hx-sync", "hx-headers", "hx-indicator", "hx-disabled-elt", "hx-boost",
}  # fmt: skip
# Forms without a key of their own: sent twice, they do the same again, and none of them writes a value of a card.
WITHOUT_KEY = {
    "lexreview/review/templatetags/review.py": "opening a citation, which notes the time once",
    "review:citation_order": "how the person's list of citations is sorted",
    "review:switch_keys": "whether the person uses keys",
    "questions:edit_key": "htmx only asks for the differences",
    "methodology:new_specification_text": "htmx only asks for another row of what is not stored yet",
}


def asked_by(page: Element, address: str) -> Iterator[tuple[str, str]]:
    """Address and target of everything on the page that htmx gets: links that it takes over, and hx-get."""
    boosted = "ancestor-or-self::*[@hx-boost][1][@hx-boost='true']"
    for link in page.xpath(f"//a[@href][{boosted}]"):
        yield urljoin(address, link.get("href")), link.xpath("ancestor-or-self::*[@hx-target][1]/@hx-target")[0]
    for element in page.xpath("//*[@hx-get]"):
        yield urljoin(address, element.get("hx-get")), (element.xpath("ancestor-or-self::*/@hx-target") or [""])[-1]


def root_of(reply: bytes) -> str:
    """The id of the first element."""
    found = re.match(rb'\s*<\w+[^>]*?\bid="([^"]+)"', reply)
    return found[1].decode() if found else ""


@pytest.fixture
def busy(db: None, reviewer: User, now: datetime) -> list[str]:
    """Pages from which htmx is asked: a queue of several pages, decisions, cards, a job at work, costs."""
    make_many_cards(60)
    decided = fill_card(make_card(code="P98", assigned_to=reviewer), by=reviewer, now=now)
    approve_card(card=decided, version=decided.version, confirm_unchecked=True, by=reviewer, now=now)
    card = make_card(code="P99", assigned_to=reviewer)
    job = Job.objects.create(
        kind="report", benchmark_slug=SLUG, total=2, created_at=now, heartbeat_at=now + timedelta(days=9999), turn="a"
    )
    queue = reverse("review:queue")
    return [
        queue,
        f"{queue}?pile=all",
        f"{queue}?pile=all&sort=last_question&question=P99",
        reverse("review:my_decisions"),
        reverse("review:card", args=[card.pk]),
        reverse("review:card", args=[card.pk]) + "?citation=2&raw=1",
        reverse("review:card", args=[decided.pk]),
        reverse("jobs:page", args=[job.pk]),
        reverse("reports:costs", args=[SLUG]),
    ]


def test_j1_whatever_is_asked_for_in_part_is_whole_for_whoever_comes_back(client: Client, busy: list[str]) -> None:
    """Every address that htmx gets, and every one that a reply puts into the address bar, with the three headers; what
    is got in part is the part that the page swaps."""
    client.force_login(make_user("all-of-it", roles=tuple(Role)))
    wanted: dict[str, str] = {}
    for address in busy:
        wanted.update(asked_by(parsed(client.get(address).content), address))
    put: set[str] = set()

    for address, target in wanted.items():
        whole = client.get(address)
        back = client.get(address, headers=GOING_BACK)
        part = client.get(address, headers={**PART, "HX-Target": target.removeprefix("#")})
        for reply in (whole, back, part):
            assert set(reply["Vary"].split(", ")) >= VARY, address
        assert whole.content.lstrip().startswith(b"<!doctype html>"), address
        assert back.content.lstrip().startswith(b"<!doctype html>"), address
        assert target in {"", f"#{root_of(part.content)}"}, address
        put |= {urlsplit(part[name]).geturl() for name in ("HX-Replace-Url", "HX-Push-Url") if name in part}

    kinds = {re.sub(r"\d+", "1", urlsplit(address).path) for address in wanted}
    card = re.sub(r"\d+", "1", urlsplit(busy[4]).path)
    assert {card, reverse("review:queue"), reverse("review:my_decisions")} <= kinds
    assert any("source" in kind for kind in kinds)
    assert len(wanted) > 25
    assert len(put) > 5
    for address in put:
        assert client.get(address).content.lstrip().startswith(b"<!doctype html>"), address


def sources() -> Iterator[tuple[str, str]]:
    """Everything that writes markup: all templates, and all modules, since some tags write it themselves."""
    for path in sorted([*(ROOT / "templates").rglob("*.html"), *(ROOT / "lexreview").rglob("*.py")]):
        yield path.relative_to(ROOT).as_posix(), path.read_text()


def test_j3_markup_has_only_attributes_that_htmx_knows() -> None:
    """A misspelled guard is silently ignored by htmx."""
    used = {(name, place) for place, text in sources() for name in re.findall(r"""[\s"'](hx-[a-z-]+)=""", text)}

    assert {(name, place) for name, place in used if name not in KNOWN} == set()
    assert ("hx-get", "lexreview/review/templatetags/review.py") in used
    assert ("hx-post", "templates/methodology/_row_buttons.html") in used


def test_j3_every_form_that_changes_a_card_has_a_key_of_its_own() -> None:
    """What is sent twice under a key is done once, see test_workflow_checks."""
    without = set()
    for place, text in sources():
        for form in re.findall(r"<form\b(?:(?!</form>).)*?hx-post(?:(?!</form>).)*</form>", text, re.DOTALL):
            if not any(each in form for each in ("{% card_fields %}", 'name="form_key"', " in resent %}")):
                before = text[: text.index(form)]
                named = re.findall(r"url '([\w:]+)'", form[: form.index(">")]) or re.findall(r"url '([\w:]+)'", before)
                without.add(named[-1] if named else place)

    assert without == WITHOUT_KEY.keys()


@pytest.mark.django_db
def test_j3_requests_of_a_card_wait_for_one_another(reviewers_client: Client, card: Card) -> None:
    """Also those of parts that come later: they are swapped in below the element that says so."""
    note = FORMS["note"](card)
    reviewers_client.post(note.address, note.fields)
    page = parsed(reviewers_client.get(reverse("review:card", args=[card.pk])).content)

    sending = page.xpath("//*[@hx-post or @hx-get][not(ancestor::dialog)]")

    assert len(sending) > 30
    assert {each.xpath("ancestor-or-self::*[@hx-sync][1]/@hx-sync")[-1:][0] for each in sending} == {
        "closest .screen:queue all"
    }
