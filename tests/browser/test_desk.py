"""Axe on the pages of leads and operators that no other test here walks, at a desk in light and on a phone in the dark.

A page may scroll a table inside itself, never sideways as a whole.
"""

from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Any

import pytest
from django.core.cache import cache
from django.urls import reverse

from lexreview.accounts.models import User
from lexreview.core.workflow import Role
from lexreview.judging.models import Judge
from lexreview.reports import calibration
from lexreview.review.models import Card
from lexreview.verification.actions import verify_answer
from tests.answers.collecting import Collection, collection
from tests.browser.test_review import TOO_WIDE, violations
from tests.factories import make_user
from tests.judging.factories import make_panel, make_result
from tests.providers.conftest import model_server, running_server
from tests.reports.factories import make_scene
from tests.review.factories import SLUG, make_specification
from tests.review.model_prefilling import Asking, asking
from tests.verification.conftest import law
from tests.verification.factories import NOW, make_case

__all__ = ["asking", "collection", "law", "model_server", "running_server"]
pytestmark = pytest.mark.django_db(transaction=True)
SignIn = Callable[..., Any]
SIZES = pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (390, "dark")])
JUDGES = f"/judges/{SLUG}/"


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr(calibration, "RESAMPLES", 100)


def at(sign_in: SignIn, user: User, *, width: int, scheme: str) -> Any:
    page = sign_in(user, color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    return page


def check(page: Any, addresses: Iterable[str]) -> None:
    for address in addresses:
        reply = page.goto(address)
        assert reply.status == 200, address
        assert violations(page) == [], address
        assert page.evaluate(TOO_WIDE) <= 0, address


@SIZES
def test_d9_axe_finds_nothing_on_judges_panels_verdicts_and_calibration(
    sign_in: SignIn, width: int, scheme: str
) -> None:
    scene = make_scene()
    operator = make_user("olek", roles=(Role.OPERATOR, Role.LEAD))
    answers = [each.answer for each in Card.objects.with_answer().order_by("pk")[:3]]
    panel = make_panel(scene.benchmark)
    said: list[dict[str, bool | None]] = [
        {"A": True, "B": True},
        {"A": True, "B": False, "C": True},
        {"A": None, "B": False, "C": None},
    ]
    results = [make_result(panel, answer, votes) for answer, votes in zip(answers, said, strict=True)]
    verdicts = [result.votes.get(seat="A").verdict.pk for result in results]
    addresses = [reverse("judging:verdict", args=[SLUG, pk]) for pk in verdicts]

    check(
        at(sign_in, operator, width=width, scheme=scheme),
        [
            JUDGES,
            f"{JUDGES}ask/",
            f"{JUDGES}panels/",
            f"{JUDGES}panels/three/",
            *addresses,
            f"/reports/{SLUG}/judges/lynx-5/",
            f"/reports/{SLUG}/judges/judge-a/",
            f"/reports/{SLUG}/",
            f"/reports/{SLUG}/layer/",
            f"/reports/{SLUG}/costs/",
        ],
    )


def test_judges_table_names_its_numbers_on_a_phone(sign_in: SignIn) -> None:
    scene = make_scene()
    page = at(sign_in, scene.lead, width=390, scheme="light")

    page.goto(JUDGES)

    row = page.locator("main table").first.locator("tbody tr").first
    named = row.locator("td:not(:empty)").evaluate_all(
        "cells => cells.map(cell => getComputedStyle(cell, '::before').content)"
    )
    assert named == ['"Model: "', '"Variant: "', '"Judged: "', '"Failed: "', '"With itself: "', '"USD: "', *named[6:]]
    assert page.locator("main thead").first.is_hidden()
    assert Judge.objects.count() == 1


@SIZES
def test_d9_axe_finds_nothing_on_collecting_jobs_and_costs(
    sign_in: SignIn, collection: Collection, operator: User, width: int, scheme: str
) -> None:
    collection.system("argon-4", "quota")
    collection.system("boron", "reject")
    collection.system("carbon", "plain")
    collection.price("plain")
    job = collection.run(["argon-4", "boron", "carbon"], budget_usd=Decimal(5), concurrency=1)
    waiting = collection.start(["argon-4"], repetitions=2)
    items = reverse("jobs:items", args=[job.pk])
    item = job.items.in_order()[0]

    check(
        at(sign_in, operator, width=width, scheme=scheme),
        [
            f"/collect/{SLUG}/",
            f"/collect/{SLUG}/?systems=argon-4&systems=carbon&conditions=W0&repetitions=3",
            "/jobs/",
            reverse("jobs:page", args=[job.pk]),
            reverse("jobs:page", args=[waiting.pk]),
            items,
            f"{items}?state=failed",
            reverse("jobs:item", args=[job.pk, item.pk]),
            f"/reports/{SLUG}/costs/",
        ],
    )


@SIZES
def test_d9_axe_finds_nothing_on_prefilling_and_the_support_check(
    sign_in: SignIn, asking: Asking, law: Any, settings: Any, operator: User, width: int, scheme: str
) -> None:
    settings.PREFILL_MODEL = "local:plain"
    settings.SUPPORT_MODEL = "local:plain"
    asking.run()
    case = make_case("The due is 75 crowns a day (Art. 2 § 1 HA). Art. 99 HA says more.", system="borealis")
    verify_answer(answer=case.answer, by=None, now=NOW)

    check(
        at(sign_in, operator, width=width, scheme=scheme),
        [f"/benchmarks/{SLUG}/", f"/verification/benchmarks/{SLUG}/", f"/verification/benchmarks/{SLUG}/support/"],
    )


EDITOR = "/specifications/reference-card/1.0.1/new/"


@SIZES
def test_d9_axe_finds_nothing_on_the_specification_and_its_editor(
    sign_in: SignIn, lead: User, width: int, scheme: str
) -> None:
    make_specification()
    page = at(sign_in, lead, width=width, scheme=scheme)

    check(page, ["/specifications/reference-card/1.0.1/", EDITOR, f"{EDITOR}text/"])
    page.goto(EDITOR)
    page.locator("#criteria-8 summary").click()
    page.locator("#id_criteria-8-step").fill("0")
    page.get_by_role("button", name="Add this version").click()
    page.locator("#faults-title", has_text="2 things are to be mended").wait_for()
    assert violations(page) == []
    assert page.evaluate(TOO_WIDE) <= 0
    page.locator("#id_criteria-8-step").fill("0.5")
    page.locator("#id_note_en").fill("Half points for B1.")
    page.locator("form .buttons button", has_text="Show what it would do").click()
    page.locator("#preview").wait_for()
    assert violations(page) == []
    assert page.evaluate(TOO_WIDE) <= 0
