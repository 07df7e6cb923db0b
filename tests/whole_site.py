"""A benchmark with one of everything, and the address of every page of the site, walked through its resolver."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from lexreview.accounts.actions import grant_role
from lexreview.accounts.models import User
from lexreview.core.workflow import AnswerState, Role
from lexreview.jobs.actions import start_job
from lexreview.judging.models import Verdict
from lexreview.law.models import Ruling
from lexreview.providers.actions import add_price
from lexreview.questions.models import Benchmark
from lexreview.reports.actions import publish, store_files
from lexreview.reports.report_job import REPORT
from lexreview.review.actions import ask_ruling, park_card
from lexreview.review.actions.adjudicating import begin_adjudication
from lexreview.review.actions.quality import draw_checks
from lexreview.review.actions.rehearsing import give_rehearsal
from lexreview.review.models import Card, QualityCheck
from lexreview.review.quality import Draw
from lexreview.review.rounds import Sampling, select
from lexreview.verification.actions import verify_answer
from lexreview.verification.models import Citation
from tests.factories import LONG_AGO, make_user, offered_to_nobody
from tests.judging.factories import make_panel, make_result
from tests.reports.conftest import few_resamples
from tests.reports.factories import Scene, make_scene
from tests.review.factories import SLUG, fill_card, make_card
from tests.review.rehearsing import prepared, the_set
from tests.review.rounds import ask, fresh, review
from tests.verification.advising import make_advice
from tests.verification.factories import make_case, make_law

ANSWERED = "P02_argon-4_W0_r1"
REHEARSED = "kestria-rehearsal"
CITING = "Art. 2 § 1 HA: “The harbour due is 60 crowns for each day of stay.” See Art. 99 HA, Art. 3 HA and Art. 3 FeA."
# What is served by others and looks as they made it, and what programs read.
FOREIGN = ("admin/", "api/")


@dataclass(frozen=True)
class WholeSite:
    """`lead`: a person who may see every page. `arguments`: by name of an address what its parts are, and behind "?"
    what is asked for; those of "" where nothing else is said."""

    lead: User
    arguments: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def addresses(self) -> dict[str, str]:
        """One address for each name that the site knows."""
        return dict(_addresses(get_resolver().url_patterns, self.arguments))

    def pages(self, client: Client) -> dict[str, str]:
        """The addresses that the lead can read as a page."""
        client.force_login(self.lead)
        return {name: address for name, address in self.addresses().items() if is_page(client, address)}


def is_page(client: Client, address: str) -> bool:
    reply = client.get(address)
    if reply.status_code != 200 or reply.streaming or "text/html" not in reply["Content-Type"]:
        return False
    return b"<html" in reply.content


def _addresses(
    patterns: Any, arguments: Mapping[str, Mapping[str, Any]], *, route: str = "", space: str = ""
) -> Iterator[tuple[str, str]]:
    for pattern in patterns:
        whole = route + str(pattern.pattern)
        if whole.startswith(FOREIGN):
            continue
        if isinstance(pattern, URLResolver):
            inner = f"{space}{pattern.namespace}:" if pattern.namespace else space
            yield from _addresses(pattern.url_patterns, arguments, route=whole, space=inner)
        elif isinstance(pattern, URLPattern):
            name = f"{space}{pattern.name}"
            known = {**arguments[""], **arguments.get(name, {})}
            parts = re.findall(r"<(?:\w+:)?(\w+)>", whole)
            asked = f"?{known['?']}" if "?" in known else ""
            yield name, reverse(name, kwargs={part: known[part] for part in parts}) + asked


def make_whole_site(now: datetime, monkeypatch: pytest.MonkeyPatch) -> WholeSite:
    monkeypatch.setattr("lexreview.jobs.queue.current_app.send_task", offered_to_nobody)
    few_resamples(monkeypatch)
    scene = make_scene()
    lead = _who_may_see_everything(scene.lead)
    make_law()
    checked = make_case(CITING, system="harbour-1").answer
    verification = verify_answer(answer=checked, by=None, now=now)
    for citation in verification.citations.all()[:2]:
        make_advice(citation)
    cards = _cards_in_every_state(scene, now)
    judged = _judged(scene)
    job = _published(scene, lead, now)
    _rehearsed(lead, now)
    card = Card.objects.get(answer__identifier=ANSWERED)
    source = Citation.objects.filter(verification__answer=card.answer).order_by("number")[0]
    return WholeSite(
        lead=lead,
        arguments={
            "": {"slug": SLUG, "code": "P02", "identifier": ANSWERED, "number": 1, "pk": cards["open"].pk, "item": 1,
                 "finding": 1, "eli": "eli/qk/act/2011/9", "name": "reference-card", "version": "1.0.1",
                 "kind": "card", "key": "none", "uidb36": "1"},
            "ledger:history": {"kind": "card", "name": card.pk},
            "jobs:page": {"number": job.pk}, "jobs:items": {"number": job.pk},
            "jobs:item": {"number": job.pk, "item": job.items.in_order()[0].pk},
            "methodology:edit_decision": {"number": 3}, "law:unit": {"?": "unit=art%3D17"},
            "law:ruling": {"pk": Ruling.objects.order_by("pk")[0].pk},
            "answers:masked_answer": {"pk": cards["open"].answer_id},
            "judging:verdict": {"pk": judged.pk}, "judging:panel": {"code": "three"},
            "reports:calibration": {"code": "lynx-5"}, "reports:file": {"name": "report.html"},
            "rounds:agreement_cards": {"?": "group=all&measure=label&cell=differ"},
            "rounds:adjudication": {"pk": cards["differing"].pk}, "rounds:answer_ruling": {"pk": cards["asking"].pk},
            "rounds:rehearsal": {"slug": REHEARSED},
            "rounds:rehearsal_csv": {"slug": REHEARSED},
            "rounds:rehearsal_json": {"slug": REHEARSED},
            "rounds:check": {"pk": QualityCheck.objects.order_by("pk")[0].pk},
            "verification:report": {"pk": checked.pk}, "verification:source": {"pk": source.pk},
        },
    )  # fmt: skip


def _rehearsed(lead: User, now: datetime) -> None:
    """A rehearsal that somebody has and somebody else can be given."""
    grant_role(user=lead, benchmark_slug=REHEARSED, role=Role.LEAD, by=None, now=LONG_AGO)
    rehearsal = prepared(the_set(), now, slug=REHEARSED)
    Benchmark.objects.filter(slug=REHEARSED).update(titles={"en": "A rehearsal in Kestria"})
    for name in ("renata", "robert"):
        make_user(name, roles=(Role.REVIEWER,), benchmark=REHEARSED)
    give_rehearsal(rehearsal=rehearsal, to=User.objects.get(username="renata"), by=lead, now=now)


def _who_may_see_everything(lead: User) -> User:
    grant_role(user=lead, benchmark_slug=SLUG, role=Role.OPERATOR, by=None, now=LONG_AGO)
    User.objects.filter(pk=lead.pk).update(is_staff=True)
    return User.objects.get(pk=lead.pk)


def _cards_in_every_state(scene: Scene, now: datetime) -> dict[str, Card]:
    rita, karl = scene.reviewer, make_user("karl", roles=(Role.REVIEWER,))
    differing = review(make_card(code="P05"), by=rita, now=now, points={"B1": 2})
    [seat] = ask(karl, by=scene.lead, card=differing, now=now, seed=_seed_that_draws(differing, karl))
    review(seat, by=karl, now=now, points={"B1": 1})
    begin_adjudication(card=fresh(differing), by=scene.lead, now=now)
    asking = fill_card(make_card(code="P09", assigned_to=rita), by=rita, now=now)
    ask_ruling(card=asking, question="Does an older wording count?", version=asking.version, by=rita, now=now)
    parked = make_card(code="P09", system="borealis", assigned_to=rita)
    park_card(card=parked, reason="The edition is missing.", version=parked.version, by=rita, now=now)
    make_card(code="P07", state=AnswerState.PROVIDER_BLOCK)
    draw_checks(benchmark=scene.benchmark, draw=Draw(size=1), by=scene.lead, now=now)
    return {"open": make_card(code="P08", condition="W1"), "differing": differing, "asking": asking}


def _seed_that_draws(card: Card, person: User) -> int:
    draws = (Sampling(size=1, reviewers=(person,), seed=seed) for seed in range(1, 200))
    return next(each.seed for each in draws if [one.pk for one in select(card.benchmark, each).cards] == [card.pk])


def _judged(scene: Scene) -> Verdict:
    answer = scene.card(ANSWERED).answer
    make_result(make_panel(scene.benchmark), answer, {"A": True, "B": False, "C": True})
    judged = answer.verdicts.order_by("pk").first()
    assert judged is not None
    return judged


def _published(scene: Scene, lead: User, now: datetime) -> Any:
    publication = publish(benchmark=scene.benchmark, note="First.", by=lead, now=now)
    report = {"report.html": ("text/html", b"<!doctype html><p>report")}
    store_files(publication=publication, files=report, by=None, now=now)
    prices = {"input": "3", "output": "15"}
    add_price(
        provider="local", model="plain", valid_from=date(2026, 1, 1), prices=prices, source="by hand", by=None, now=now
    )
    params = {"benchmark": SLUG, "publication": publication.number}
    return start_job(kind=REPORT, benchmark_slug=SLUG, params=params, by=lead, now=now)
