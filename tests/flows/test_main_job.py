"""The demonstration's benchmark from its bundle to the report, with an answer to an undisclosed question in it."""

import json
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from lexreview.accounts.models import User
from lexreview.jobs import running
from lexreview.jobs.actions import start_job
from lexreview.jobs.actions.turns import offer_lapsed_jobs
from lexreview.jobs.models import Job, lease
from lexreview.jobs.running import run_to_end, work
from lexreview.jobs.states import ItemState, JobState
from lexreview.ledger.models import Event
from lexreview.methodology.actions import DecisionDraft, publish_decision, write_decision
from lexreview.questions.models import Benchmark
from lexreview.reports.actions import CannotPublish, publish
from lexreview.reports.bundle.files import write_files
from lexreview.reports.bundle.writing import export_files
from lexreview.reports.demonstration import DemoReview, demo_accounts
from lexreview.reports.models import PageKind, Publication
from lexreview.review.actions import approve_card, prefilling, revise_card
from lexreview.review.models import Card
from tests.flows.small_demo import (
    HIDDEN,
    REVIEWED,
    SLUG,
    bundle_with_a_secret,
    demo_review,
    expected_labels,
    reviewed_here,
)
from tests.review.factories import show_every_prefill

pytestmark = pytest.mark.django_db

SECRET = re.compile(r"(?<![A-Za-z0-9])P11(?![A-Za-z0-9])|Zirkonhalle")


class Killed(BaseException):
    """What a worker does not live to handle."""


@dataclass(frozen=True)
class Story:
    """What the walk noted on its way: the cards as exported after an undisturbed and after a killed pre-filling."""

    undisturbed: dict[str, bytes]
    resumed: dict[str, bytes]
    killed: Mapping[str, Any]
    publication: Publication
    files: dict[str, bytes]


@pytest.fixture(scope="module")
def story(
    walking: Callable[[], AbstractContextManager[None]], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Story]:
    folder = tmp_path_factory.mktemp("main-job")
    with walking():
        demo_accounts(benchmark_slug=SLUG, renew=False, now=timezone.now())
        write_files(bundle_with_a_secret(), folder / "demo.zip")
        call_command("import_benchmark", str(folder / "demo.zip"))
        show_every_prefill(benchmark())
        ended(started("verify"))
        undisturbed = prefilled_undisturbed()
        killed = prefill_killed_twice()
        resumed = exported_cards()
        review_cards()
        publication = publish(benchmark=benchmark(), note="First.", by=person("lead"), now=timezone.now())
        ended(started("report", publication=publication.number))
        files = {row.name: bytes(row.content) for row in publication.files.all()}
        yield Story(undisturbed, resumed, killed, publication, files)


def benchmark() -> Benchmark:
    return Benchmark.objects.get(slug=SLUG)


def person(username: str) -> User:
    return User.objects.get(username=username)


def started(kind: str, **params: Any) -> Job:
    by = person("lead" if kind == "report" else "operator")
    return start_job(kind=kind, benchmark_slug=SLUG, params={"benchmark": SLUG, **params}, by=by, now=timezone.now())


def ended(job: Job) -> Job:
    job = run_to_end(job)
    assert (job.state, job.failed, job.done) == (JobState.SUCCEEDED, 0, job.total)
    return job


def exported_cards() -> dict[str, bytes]:
    files = export_files(benchmark=benchmark(), by=None, now=timezone.now())
    return {name: content for name, content in files.items() if name.startswith("cards/")}


def prefilled_undisturbed() -> dict[str, bytes]:
    """The cards as one run leaves them; then all of it is taken back."""
    with transaction.atomic():
        ended(started("prefill"))
        cards = exported_cards()
        transaction.set_rollback(True)
    return cards


def prefill_killed_twice() -> dict[str, Any]:
    """The worker dies with its third card half written, and the next worker after the seventh is written."""
    job = started("prefill")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(prefilling, "record_event", dying_at_call(3, prefilling.record_event))
        with pytest.raises(Killed):
            work(job_id=job.pk, turn=job.turn, may_go_on=lambda: True)
    first = counted(job)
    job = taken_up_again(job)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(running, "finish_item", dying_at_call(5, running.finish_item))
        with pytest.raises(Killed):
            work(job_id=job.pk, turn=job.turn, may_go_on=lambda: True)
    second = counted(job)
    job = ended(taken_up_again(job))
    return {"first": first, "second": second, "attempts": Counter(job.items.values_list("attempts", flat=True))}


def dying_at_call(number: int, real: Callable[..., Any]) -> Callable[..., Any]:
    calls = 0

    def act(**arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == number:
            raise Killed
        return real(**arguments)

    return act


def counted(job: Job) -> dict[str, int]:
    """What is in the database when the worker is dead: outcomes of items, and cards that are pre-filled."""
    states = Counter(job.items.values_list("state", flat=True))
    return {**states, "cards": Card.objects.filter(state="prefilled").count()}


def taken_up_again(job: Job) -> Job:
    """After the lease another worker is offered the job."""
    assert offer_lapsed_jobs(now=timezone.now() + lease() + timedelta(seconds=1)) == 1
    return Job.objects.get(pk=job.pk)


def review_cards() -> None:
    """All of them approved; one is opened again and approved a second time."""
    cards = {card.answer.identifier: card for card in Card.objects.of_benchmark(benchmark()).with_answer()}
    for name, record in reviewed_here().items():
        DemoReview(card=cards[name], record=record, by=person("reviewer"), now=timezone.now()).run()
    card, by = Card.objects.with_answer().get(pk=cards["P01_borealis_W0_r1"].pk), person("reviewer")
    card = revise_card(card=card, reason="Read § 2 again.", version=card.version, by=by, now=timezone.now())
    approve_card(card=card, version=card.version, confirm_unchecked=True, by=by, now=timezone.now())


def test_killed_prefilling_ends_with_the_same_cards(story: Story) -> None:
    assert len(story.undisturbed) == 33
    assert sorted(story.undisturbed) == sorted(story.resumed)
    assert [name for name, content in story.undisturbed.items() if story.resumed[name] != content] == []


def test_killed_worker_loses_the_item_at_hand_and_nothing_else(story: Story) -> None:
    # The third card was half written and is gone; later the seventh was whole, but nobody had noted it.
    assert story.killed["first"] == {ItemState.SUCCEEDED: 2, ItemState.RUNNING: 1, ItemState.QUEUED: 30, "cards": 2}
    assert story.killed["second"] == {ItemState.SUCCEEDED: 6, ItemState.RUNNING: 1, ItemState.QUEUED: 26, "cards": 7}
    assert story.killed["attempts"] == {1: 31, 2: 2}


def test_labels_follow_from_what_the_lawyer_decided(story: Story) -> None:
    cards = Card.objects.filter(state="approved").with_answer()

    assert {card.answer.identifier: card.label for card in cards} == expected_labels()


def test_publication_counts_the_disclosed_cards_only(story: Story) -> None:
    page = story.publication.pages.get(kind=PageKind.BENCHMARK).content

    shown = {name: label for name, label in expected_labels().items() if name != HIDDEN}
    assert page["approved"] == {"n": len(shown), "of": 32}
    labels = Counter(shown.values())
    assert page["total"]["labels"] == {
        name: labels[name]
        for name in ("hallucinated", "correctly_grounded", "no_hallucination", "provider_block", "none")
    }
    assert [row["question"] for row in page["departures"]] == ["P09"]
    assert story.publication.pages.of_kind(PageKind.CARD).count() == 32


def test_undisclosed_question_is_in_no_page_and_no_file(story: Story) -> None:
    assert SECRET.search(exported_cards()[f"cards/{HIDDEN}.yaml"].decode())

    for page in story.publication.pages.all():
        assert not SECRET.search(json.dumps(page.content, ensure_ascii=False)), f"{page.kind} {page.key}"
        assert not SECRET.search(page.key)
    without_fonts = re.sub(r"data:font/woff2;base64,[\w+/=]+", "", story.files["report.html"].decode())
    assert not SECRET.search(without_fonts)


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not installed")
def test_undisclosed_question_is_in_no_line_of_the_pdf(story: Story, tmp_path: Path) -> None:
    path = tmp_path / "report.pdf"
    path.write_bytes(story.files["report.pdf"])

    text = subprocess.run(["pdftotext", "-layout", path, "-"], capture_output=True, check=True, text=True).stdout

    assert "P09_borealis_W0_r1" in text
    assert not SECRET.search(text)


def test_undisclosed_question_is_on_no_page_that_a_reader_gets(story: Story) -> None:
    reader = Client()
    names = ("benchmark", "questions", "errors", "judges", "verification", "cost", "method", "decisions", "versions")
    addresses = [reverse(f"public:{name}", args=[SLUG]) for name in (*names, "decision_feed")]
    addresses += [
        reverse(f"public:{page.kind}", args=[SLUG, page.key])
        for kind in (PageKind.QUESTION, PageKind.CARD)
        for page in story.publication.pages.of_kind(kind)
        if page.key.startswith(REVIEWED)
    ]

    for address in addresses:
        response = reader.get(address)
        assert response.status_code == 200, address
        assert not SECRET.search(response.content.decode()), address
    assert reader.get(reverse("public:question", args=[SLUG, "P11"])).status_code == 404
    assert reader.get(reverse("public:card", args=[SLUG, HIDDEN])).status_code == 404


def test_name_of_an_undisclosed_answer_in_a_decision_stops_the_publication(story: Story) -> None:
    draft = DecisionDraft(
        decided_on=date(2026, 10, 20),
        question="Does a paraphrase count?",
        decision=f"As in {HIDDEN}: no.",
        reason="It quotes nothing.",
    )
    lead = person("lead")
    decision = write_decision(benchmark_slug=SLUG, draft=draft, by=lead, now=timezone.now())
    publish_decision(decision=decision, by=lead, now=timezone.now())

    with pytest.raises(CannotPublish, match="the code of an undisclosed question"):
        publish(benchmark=benchmark(), note="Second.", by=lead, now=timezone.now())


def test_every_page_and_file_bears_the_canary(story: Story) -> None:
    canary = str(benchmark().canary)

    assert canary in story.files["report.html"].decode()
    assert canary in Client().get(reverse("public:benchmark", args=[SLUG])).content.decode()
    assert story.publication.canary == benchmark().canary


def test_publishing_again_gives_the_same_publication(story: Story) -> None:
    events = Event.objects.count()

    again = publish(benchmark=benchmark(), note="Second.", by=person("lead"), now=timezone.now())

    assert again == story.publication
    assert Event.objects.count() == events


def test_one_more_card_makes_the_next_publication_and_leaves_the_first(story: Story) -> None:
    before = list(story.publication.pages.in_order().values_list("kind", "key", "content"))
    name = "P02_argon-4_W0_r1"
    card = next(card for card in Card.objects.with_answer() if card.answer.identifier == name)
    DemoReview(card=card, record=demo_review()[name], by=person("reviewer"), now=timezone.now()).run()

    with pytest.raises(CannotPublish, match="Say what changed"):
        publish(benchmark=benchmark(), note=" ", by=person("lead"), now=timezone.now())
    second = publish(benchmark=benchmark(), note="One more card.", by=person("lead"), now=timezone.now())

    assert (second.number, second.approved) == (2, story.publication.approved + 1)
    assert list(story.publication.pages.in_order().values_list("kind", "key", "content")) == before


def test_whole_review_survives_the_way_into_an_empty_database(story: Story, tmp_path: Path) -> None:
    first = export_files(benchmark=benchmark(), by=None, now=timezone.now())
    assert b"number: 2" in first["cards/P01_borealis_W0_r1.yaml"].split(b"revisions:")[1]
    write_files(first, tmp_path / "export.zip")

    empty_database()
    call_command("import_benchmark", str(tmp_path / "export.zip"))
    second = export_files(benchmark=benchmark(), by=None, now=timezone.now())

    assert sorted(first) == sorted(second)
    assert [name for name in first if first[name] != second[name]] == []
    approved = Card.objects.filter(state="approved").with_answer()
    assert {card.answer.identifier: card.label for card in approved} == expected_labels()
    call_command("verify_ledger")


def empty_database() -> None:
    """In the middle of a transaction: PostgreSQL empties no table while constraints of its rows are unchecked."""
    connection.check_constraints()
    call_command("flush", interactive=False, verbosity=0)
    ContentType.objects.clear_cache()
