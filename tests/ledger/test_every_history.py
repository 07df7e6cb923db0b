"""Every object that the ledger speaks of has a history, reached by links and told in words, or a reason for none."""

import ast
import importlib
import re
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.urls import reverse

from lexreview.accounts.models import Membership, User
from lexreview.jobs.actions import start_job
from lexreview.jobs.models import Job
from lexreview.judging.actions import override_result
from lexreview.law.models import Ruling
from lexreview.ledger import histories
from lexreview.ledger.actions import record_event
from lexreview.ledger.histories import types_with_history, types_without_history
from lexreview.ledger.models import Event
from lexreview.providers.actions import add_price
from lexreview.questions.models import Benchmark
from lexreview.reports.actions import publish
from lexreview.reports.report_job import REPORT
from lexreview.review.actions.quality import draw_checks
from lexreview.review.models import QualityCheck
from lexreview.review.quality import Draw
from lexreview.verification.actions import verify_answer
from tests.factories import PASSWORD, make_user, offered_to_nobody
from tests.judging.factories import make_panel, make_result
from tests.reports.factories import Scene, make_scene
from tests.review.factories import SLUG
from tests.verification.advising import make_advice
from tests.verification.factories import HARBOUR, make_law
from tests.visiting import check_sign_in, visit

PACKAGE = Path(settings.BASE_DIR) / "lexreview"
LEDGER = PACKAGE / "ledger"


def recorded_in_code() -> Iterator[tuple[str, str, str]]:
    """Module, type of object and verb of everything that code records; "" for what is said elsewhere."""
    for path in sorted(PACKAGE.rglob("*.py")):
        place = path.relative_to(PACKAGE).as_posix()
        for node in () if path.is_relative_to(LEDGER) else ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == ["verb"]:
                yield from ((place, "", verb) for verb in _constants(node.value))
            elif isinstance(node, ast.Call):
                named = {word.arg: word.value for word in node.keywords}
                kinds, verbs = _constants(named.get("object_type")), _constants(named.get("verb"))
                assert kinds or "object_type" not in named, f"{place} hides its type"
                if ast.unparse(node.func) == "store_row":
                    verbs = [f"{verb}_{kind}" for kind in kinds for verb in ("create", "change")]
                yield from ((place, kind, verb) for kind in kinds or [""] for verb in verbs or [""])


def _constants(node: ast.expr | None) -> list[str]:
    """A text, or both texts of an `if … else`."""
    either = [node.body, node.orelse] if isinstance(node, ast.IfExp) else [node]
    return [each.value for each in either if isinstance(each, ast.Constant) and isinstance(each.value, str)]


def test_every_type_that_code_records_has_a_history_or_a_reason_why_not() -> None:
    types = {kind for _place, kind, _verb in recorded_in_code() if kind}

    assert types == types_with_history().keys() | types_without_history().keys()
    assert not types_with_history().keys() & types_without_history().keys()
    assert all(types_without_history().values())


def words_of(kind: str) -> set[str]:
    """Verbs that the history says in words; of every history where the type is not known."""
    finders = [histories._finders[each] for each in ([types_with_history()[kind]] if kind else histories._finders)]
    return {verb for finder in finders for verb in importlib.import_module(finder.__module__).VERBS}


def test_every_verb_that_code_records_has_words() -> None:
    kept_quiet = types_without_history()
    recorded = {(kind, verb) for _place, kind, verb in recorded_in_code() if verb and kind not in kept_quiet}

    assert not {(kind, verb) for kind, verb in recorded if verb not in words_of(kind)}


@pytest.fixture
def small(db: None) -> Scene:
    return make_scene()


@pytest.fixture
def scene(small: Scene, monkeypatch: pytest.MonkeyPatch, now: datetime) -> Scene:
    """A benchmark with at least one event of every type that has a history."""
    monkeypatch.setattr("lexreview.jobs.queue.current_app.send_task", offered_to_nobody)
    scene = small
    make_law()
    card = scene.card("P01_argon-4_W0_r1")
    verification = verify_answer(answer=card.answer, by=None, now=now)
    make_advice(verification.citations.order_by("number")[0])
    result = make_result(make_panel(scene.benchmark), card.answer, {"A": True, "B": True})
    override_result(result=result, value="no", reason="Read again.", by=scene.lead, now=now)
    draw_checks(benchmark=scene.benchmark, draw=Draw(size=1), by=scene.lead, now=now)
    publication = publish(benchmark=scene.benchmark, note="First.", by=scene.lead, now=now)
    params = {"benchmark": SLUG, "publication": publication.number}
    start_job(kind=REPORT, benchmark_slug=SLUG, params=params, by=scene.lead, now=now)
    prices = {"input": "3", "output": "15"}
    add_price(
        provider="local", model="plain", valid_from=date(2026, 1, 1), prices=prices, source="by hand", by=None, now=now
    )  # fmt: skip
    return scene


def linked(page: str, kind: str) -> list[str]:
    return list(dict.fromkeys(re.findall(rf'href="(/history/{kind}/[^"?]+)"', page)))


def shown_on(page: str) -> set[int]:
    return {int(number) for number in re.findall(r'id="event-(\d+)"', page)}


def pages_of(scene: Scene) -> dict[str, str]:
    """The pages from which histories are reached, by the kind of history."""
    card = scene.card("P01_argon-4_W0_r1")
    check = QualityCheck.objects.get()
    benchmark = reverse("questions:benchmark", args=[SLUG])
    judged = card.answer.verdicts.order_by("pk").first()
    assert judged is not None
    return {
        "benchmark": benchmark,
        "system": benchmark,
        "condition": benchmark,
        "question": reverse("questions:question", args=[SLUG, "P01"]),
        "decision": reverse("methodology:decision", args=[SLUG, 1]),
        "specification": reverse("methodology:specification", args=["reference-card", "1.0.1"]),
        "answer": reverse("answers:answer", args=[SLUG, card.answer.identifier]),
        "verdict": reverse("judging:verdict", args=[SLUG, judged.pk]),
        "judge": reverse("judging:judges", args=[SLUG]),
        "panel": reverse("judging:panel", args=[SLUG, "three"]),
        "card": reverse("review:card", args=[card.pk]),
        "quality_check": reverse("rounds:check", args=[check.pk]),
        "publication": reverse("reports:overview", args=[SLUG]),
        "price": reverse("reports:costs", args=[SLUG]),
        "job": reverse("jobs:page", args=[Job.objects.get().pk]),
        "act": reverse("law:act", args=[HARBOUR]),
        "ruling": reverse("law:ruling", args=[Ruling.objects.order_by("pk")[0].pk]),
        "jurisdiction": reverse("law:acts"),
    }


def test_every_type_is_reached_from_the_page_of_its_thing(client: Client, scene: Scene) -> None:
    """By a lead, in words that can be translated."""
    pages = pages_of(scene)
    assert pages.keys() == set(types_with_history().values())
    types = dict(Event.objects.values_list("number", "object_type"))
    assert set(types.values()) >= types_with_history().keys()

    for kind, page in pages.items():
        wanted = {each for each, shown_by in types_with_history().items() if shown_by == kind}
        found: set[str] = set()
        for address in linked(visit(client, scene.lead, page), kind):
            check_sign_in(client, address)
            found |= {types[number] for number in shown_on(visit(client, scene.lead, address))}
        assert found >= wanted, kind


def test_parts_of_a_benchmark_lead_on_to_their_histories(client: Client, scene: Scene) -> None:
    whole = visit(client, scene.lead, reverse("ledger:history", args=["benchmark", SLUG]))
    parts = {kind: linked(whole, kind) for kind in ("system", "condition", "judge", "panel", "publication", "price")}
    assert all(parts.values())
    for address in [each for addresses in parts.values() for each in addresses]:
        assert shown_on(visit(client, scene.lead, address))

    kept = visit(client, scene.reviewer, reverse("ledger:history", args=["benchmark", SLUG]))
    assert {kind for kind in parts if linked(kept, kind)} == {"system", "condition", "publication"}


def test_histories_of_work_are_kept_from_those_whom_they_could_sway(client: Client, scene: Scene) -> None:
    """A reviewer learns nothing of judges, jobs, prices or checks; nobody outside the benchmark of anything in it."""
    pages = pages_of(scene)
    names = {kind: linked(visit(client, scene.lead, page), kind)[0] for kind, page in pages.items()}
    shared = {"act", "ruling", "jurisdiction"}
    for person, closed in (
        (scene.reviewer, {"verdict", "judge", "panel", "job", "price", "quality_check"}),
        (make_user("oda"), names.keys() - shared),
    ):
        client.force_login(person)
        assert {kind for kind, address in names.items() if client.get(address).status_code == 404} == closed


def test_runs_are_kept_from_whoever_must_not_learn_which_system_answered(client: Client, small: Scene) -> None:
    page = reverse("ledger:history", args=["system", f"{SLUG}/argon-4"])
    assert small.benchmark.masks_systems
    assert "began the run" not in visit(client, small.reviewer, page)
    assert "began the run" in visit(client, small.lead, page)

    Benchmark.objects.update(masks_systems=False)

    assert "began the run" in visit(client, small.reviewer, page)


def test_a_batch_by_system_is_not_told_to_reviewers(client: Client, small: Scene, now: datetime) -> None:
    with transaction.atomic():
        record_event(
            by=small.lead, verb="assign_batch", object_type="benchmark", object_id=SLUG, now=now,
            after={"filters": {"system": "argon-4"}, "seed": 7, "cards": {"rita": 5}, "of": 5},
        )  # fmt: skip
    page = reverse("ledger:history", args=["benchmark", SLUG])

    assert "argon-4" in visit(client, small.lead, page)
    assert "argon-4" not in visit(client, small.reviewer, page).split('id="event-')[1]


def test_roles_given_in_the_administration_stand_in_the_history(client: Client, small: Scene) -> None:
    """As do those that are changed, revoked, or go with their person."""
    chief = User.objects.create_superuser("chief", password=PASSWORD)
    nina = make_user("nina")
    client.force_login(chief)
    page = reverse("ledger:history", args=["benchmark", SLUG])

    def said() -> list[str]:
        client.force_login(small.lead)
        shown = client.get(page).content.decode()
        client.force_login(chief)
        texts = [re.sub("<[^>]+>", " ", part) for part in shown.split('id="event-')[1:]]
        return [" ".join(text.split()) for text in texts if "nina" in text]

    fields = {"user": nina.pk, "benchmark_slug": SLUG, "role": "reviewer"}
    assert client.post("/admin/accounts/membership/add/", fields).status_code == 302
    assert len(said()) == 1
    assert "chief granted a role" in said()[0]

    row = Membership.objects.get(user=nina)
    client.post(f"/admin/accounts/membership/{row.pk}/change/", fields)
    assert len(said()) == 1
    client.post(f"/admin/accounts/membership/{row.pk}/change/", {**fields, "role": "lead"})
    assert ["revoked" in each for each in said()] == [False, True, False]
    assert "lead" in said()[0]

    assert client.post(f"/admin/accounts/user/{nina.pk}/delete/", {"post": "yes"}).status_code == 302
    assert "chief revoked a role" in said()[0]
    assert len(said()) == 4
