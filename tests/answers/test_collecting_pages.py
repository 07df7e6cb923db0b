"""What an operator sees of a collection: progress, what was spent, and why an item failed."""

import re
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from lexreview.accounts.models import User
from lexreview.answers.collect_job import prepare_all
from lexreview.answers.models import System
from lexreview.core.workflow import Role
from lexreview.jobs.actions.turns import begin_due_items, close_items, lock_turn, take_turn
from lexreview.jobs.models import Job
from lexreview.jobs.pace import pace_of
from lexreview.jobs.running import run_to_end
from lexreview.jobs.states import ItemState
from lexreview.providers.models import Call
from tests.answers.collecting import Collection, collection, model_server, running_server
from tests.factories import make_user
from tests.providers.conftest import KEY
from tests.providers.server import ModelServer

__all__ = ["collection", "model_server", "running_server"]
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def job(collection: Collection) -> Job:
    """A quota used up, a refused request and two answers; one model has a price."""
    collection.system("argon-4", "quota")
    collection.system("boron", "reject")
    collection.system("carbon", "plain")
    collection.price("plain")
    return collection.run(["argon-4", "boron", "carbon"], budget_usd=Decimal(5), concurrency=1)


def text_of(client: Client, user: User, address: str) -> str:
    client.force_login(user)
    reply = client.get(address)
    assert reply.status_code == 200
    return reply.content.decode()


def test_job_shows_what_was_spent_and_what_is_held(client: Client, operator: User, job: Job) -> None:
    text = text_of(client, operator, reverse("jobs:page", args=[job.pk]))

    assert "0.00192 USD of at most 5.0000 USD" in text
    assert "2 held until the job is resumed" in text
    assert "HTTP 402: your credit is used up" in text
    assert KEY not in text


def test_h12_page_tells_why_items_are_held_or_failed_and_how_many(client: Client, operator: User, job: Job) -> None:
    text = text_of(client, operator, reverse("jobs:page", args=[job.pk]))
    address = reverse("jobs:items", args=[job.pk])

    reasons = text[text.index("What stands in the way") : text.index('id="spending-title"')]
    assert "local quota: HTTP 402: your credit is used up" in reasons
    assert "local reject: HTTP 400: the question is too long" in reasons
    assert f'href="{address}?state=held"' in reasons
    assert reasons.count(">2</a>") == 2
    held = text_of(client, operator, f"{address}?state=held")
    assert "argon-4/W0/r1/P01" in held
    assert "boron/W0/r1/P01" not in held
    assert "No item is in this state." in text_of(client, operator, f"{address}?state=later")


@pytest.mark.parametrize(
    ("language", "cause", "remedy", "refused"),
    [
        (
            "en",
            "The account&#x27;s credit or quota is used up",
            "Top the account up",
            "The model or its provider refused",
        ),
        ("pl", "Środki lub limit konta są wyczerpane", "Doładuj konto", "Model lub jego dostawca odmówił"),
        (
            "de",
            "Guthaben oder Kontingent",
            "Das Konto aufladen",
            "Das Modell oder sein Anbieter verweigerte die Antwort",
        ),
    ],
)
def test_page_tells_cause_and_remedy_in_the_reader_s_language(
    client: Client, operator: User, collection: Collection, language: str, cause: str, remedy: str, refused: str
) -> None:
    """The job was run in English; a refusal is done, and is still told."""
    collection.system("argon-4", "quota")
    collection.system("boron", "refuse")
    job = collection.run(["argon-4", "boron"])
    client.force_login(operator)

    page = client.get(reverse("jobs:page", args=[job.pk]), headers={"Accept-Language": language}).content.decode()
    items = reverse("jobs:items", args=[job.pk])
    remarked = client.get(f"{items}?state=remarked", headers={"Accept-Language": language}).content.decode()

    assert cause in page
    assert remedy in page
    assert refused in page
    assert "I cannot help with that." in page
    assert "boron/W0/r1/P01" in remarked
    assert "argon-4/W0/r1/P01" not in remarked


def test_budget_that_is_used_up_is_told_with_its_remedy(client: Client, operator: User, collection: Collection) -> None:
    collection.system("argon-4", "plain")
    job = collection.run(["argon-4"], budget_tokens=10)

    text = text_of(client, operator, reverse("jobs:page", args=[job.pk]))

    assert (job.obstacle, job.left) == ("budget", 2)
    assert "The budget is used up" in text
    assert "Start the same again with a larger budget" in text


@pytest.mark.parametrize(
    ("language", "what"),
    [("en", "Waiting for calls at work: they may use the budget up"), ("de", "Wartet auf laufende Aufrufe")],
)
def test_what_a_job_waits_for_is_told_in_the_reader_s_language(
    client: Client, operator: User, collection: Collection, monkeypatch: pytest.MonkeyPatch, language: str, what: str
) -> None:
    """Of the two calls only one fits beside the other into what is left."""
    monkeypatch.setattr("lexreview.providers.actions.calls.BUDGET_PAUSE", 600)
    collection.system("argon-4", "plain")
    job = collection.start(["argon-4"], budget_tokens=500)
    job = take_turn(job_id=job.pk, turn=job.turn, now=timezone.now())
    with transaction.atomic():
        items = begin_due_items(job=lock_turn(job_id=job.pk, turn=job.turn), count=2, now=timezone.now())
        made = prepare_all(items, job.params, job)
        close_items(job=job, outcomes=[(items[1], made[1])], now=timezone.now())
    client.force_login(operator)

    addresses = [reverse("jobs:page", args=[job.pk]), reverse("jobs:item", args=[job.pk, items[1].pk])]
    pages = [client.get(address, headers={"Accept-Language": language}).content.decode() for address in addresses]

    assert all(what in page for page in pages)


def test_live_page_of_a_job_reads_no_call_twice(
    client: Client, operator: User, collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It asks again every two seconds, of a job of ten thousand calls too."""
    collection.system("argon-4", "plain")
    collection.system("boron", "plain")
    collection.price("plain")
    job = collection.run(["argon-4", "boron"])
    Job.objects.filter(pk=job.pk).update(state="running", turn="now", turn_taken_at=collection.now, finished_at=None)
    last = Call.objects.latest("pk")
    Call.objects.filter(pk=last.pk).update(state="started", finished_at=None)
    read: list[int] = []
    from_db = Call.from_db.__func__  # type: ignore[attr-defined]

    def noting(model: type[Call], *row: Any) -> Call:
        call: Call = from_db(model, *row)
        read.append(call.pk)
        return call

    monkeypatch.setattr(Call, "from_db", classmethod(noting))
    address = reverse("jobs:page", args=[job.pk])

    before = text_of(client, operator, address)
    assert (len(read), "0.00288 USD" in before) == (4, True)

    read.clear()
    Call.objects.filter(pk=last.pk).update(state="answered", finished_at=collection.now)
    after = text_of(client, operator, address)
    assert (read, "0.00384 USD" in after) == ([last.pk], True)

    read.clear()
    assert "0.00384 USD" in text_of(client, operator, address)
    assert read == []


def test_lower_bound_is_marked(client: Client, operator: User, collection: Collection) -> None:
    collection.system("argon-4", "plain")
    collection.system("boron", "empty")
    collection.price("plain")
    job = collection.run(["argon-4", "boron"])

    assert "≥ 0.00192 USD" in text_of(client, operator, reverse("jobs:page", args=[job.pk]))


def test_items_are_listed_by_state(client: Client, operator: User, job: Job) -> None:
    address = reverse("jobs:items", args=[job.pk])

    everything = text_of(client, operator, address)
    failed = text_of(client, operator, f"{address}?state=failed")

    assert all(f"{system}/W0/r1/P01" in everything for system in ["argon-4", "boron", "carbon"])
    assert "boron/W0/r1/P01" in failed
    assert "carbon/W0/r1/P01" not in failed
    assert "the question is too long" in failed


def test_item_tells_every_call(client: Client, operator: User, collection: Collection) -> None:
    collection.system("argon-4", "flaky-2-503")
    job = collection.run(["argon-4"])
    item = job.items.first()

    text = text_of(client, operator, reverse("jobs:item", args=[job.pk, item.pk]))

    assert text.count("HTTP 503: busy") == 2
    assert "flaky-2-503-2026-09" in text
    assert "input 120" in text


def test_raw_response_is_a_file_for_operators_and_leads(
    client: Client, operator: User, lead: User, reviewer: User, outsider: User, job: Job
) -> None:
    call = Call.objects.filter(state="answered").first()
    address = reverse("providers:raw", args=[call.pk])

    assert client.get(address).status_code == 302
    for person, status in [(operator, 200), (lead, 200), (reviewer, 404), (outsider, 404)]:
        client.force_login(person)
        assert client.get(address).status_code == status
    client.force_login(operator)
    reply = client.get(address)
    assert b"plain-2026-09" in reply.content
    assert reply["Content-Disposition"].startswith("attachment")
    assert client.post(address).status_code == 405
    assert client.get(reverse("providers:raw", args=[10**9])).status_code == 404


def test_others_see_no_items(client: Client, reviewer: User, outsider: User, job: Job) -> None:
    item = job.items.first()
    other = make_user("otto", roles=(Role.OPERATOR,), benchmark="other-01")
    for person in [reviewer, outsider, other]:
        client.force_login(person)
        for address in [reverse("jobs:items", args=[job.pk]), reverse("jobs:item", args=[job.pk, item.pk])]:
            assert client.get(address).status_code == 404
    client.force_login(reviewer)
    text = client.get(reverse("jobs:page", args=[job.pk])).content.decode()
    assert "USD" not in text
    assert "argon" not in text


def test_item_of_another_job_is_not_found(client: Client, operator: User, job: Job, collection: Collection) -> None:
    collection.system("xenon", "plain")
    other = collection.run(["xenon"])
    client.force_login(operator)

    assert client.get(reverse("jobs:item", args=[other.pk, job.items.first().pk])).status_code == 404


def test_pace_is_that_of_the_last_minutes(job: Job) -> None:
    end = timezone.now()
    Job.objects.filter(pk=job.pk).update(
        state="running", finished_at=None, started_at=end - timedelta(hours=1), done=2, failed=0, total=6
    )
    items = list(job.items.in_order())
    for item, minutes in zip(items[:2], [1, 30], strict=True):
        item.state, item.finished_at, item.held = ItemState.SUCCEEDED, end - timedelta(minutes=minutes), False
        item.save()
    job.items.filter(pk__in=[item.pk for item in items[2:]]).update(state="queued", finished_at=None, held=False)

    pace = pace_of(Job.objects.get(pk=job.pk), end, held=0)

    # One item in five minutes, four are left.
    assert pace.per_minute == pytest.approx(0.2)
    assert pace.left == timedelta(minutes=20)


CHOICE = {"systems": ["carbon"], "conditions": ["W0"], "repetitions": "1"}


def test_operator_sees_the_plan_before_anything_is_called(
    client: Client, operator: User, collection: Collection, model_server: ModelServer
) -> None:
    collection.system("carbon", "plain")
    collection.price("plain")
    client.force_login(operator)
    address = reverse("answers:collect", args=["kestria-01"])

    assert "Show the plan" in client.get(address).content.decode()
    text = client.get(address, CHOICE).content.decode()

    assert '<td class="n">2</td>' in text
    assert "I confirm the cost" not in text
    assert (Job.objects.count(), len(model_server.seen)) == (0, 0)

    reply = client.post(reverse("answers:start", args=["kestria-01"]), {**CHOICE, "budget_usd": "5"})
    job = Job.objects.get()
    assert reply["Location"] == reverse("jobs:page", args=[job.pk])
    assert (job.total, job.params["budget_usd"], job.created_by) == (2, "5", operator)


def test_pages_of_benchmark_and_answer_say_which_sets_a_run_was_asked(
    client: Client, operator: User, collection: Collection
) -> None:
    collection.system("carbon", "plain")
    collection.system("boron", "plain")
    collection.question("P03", of_set="reserve")
    client.force_login(operator)
    chosen = {**CHOICE, "sets": ["pilot", "reserve"], "confirmed": "on"}
    client.post(reverse("answers:start", args=["kestria-01"]), chosen)
    run_to_end(Job.objects.get())
    collection.run(["boron"])

    material = text_of(client, operator, reverse("questions:benchmark", args=["kestria-01"]))
    of_sets = text_of(client, operator, reverse("answers:answer", args=["kestria-01", "P01_carbon_W0_r1"]))
    of_whole = text_of(client, operator, reverse("answers:answer", args=["kestria-01", "P01_boron_W0_r1"]))

    assert material.count("<td>Pilot, Reserve</td>") == 1
    assert material.count('<td><span class="muted">all</span></td>') == 1
    assert "<dt>Question sets</dt><dd>Pilot, Reserve</dd>" in of_sets
    assert "<dt>Question sets</dt><dd>all</dd>" in of_whole


def test_second_click_on_start_leads_to_the_job_that_runs(
    client: Client, operator: User, collection: Collection
) -> None:
    collection.system("carbon", "plain")
    client.force_login(operator)
    address = reverse("answers:start", args=["kestria-01"])

    first, second = (client.post(address, {**CHOICE, "confirmed": "on"}, follow=True) for _ in range(2))

    job = Job.objects.get()
    assert first.redirect_chain == second.redirect_chain == [(reverse("jobs:page", args=[job.pk]), 302)]
    assert f"Job {job.pk} is doing this already." in second.content.decode()


@pytest.mark.parametrize("change", ["price", "no price", "question", "nothing", "cheaper"])
def test_confirmation_holds_for_the_plan_that_was_seen(
    client: Client, operator: User, collection: Collection, change: str
) -> None:
    collection.system("carbon", "plain")
    collection.price("plain")
    client.force_login(operator)
    page = client.get(reverse("answers:collect", args=["kestria-01"]), CHOICE).content.decode()
    seen = re.search(r'name="seen" value="([^"]*)"', page)
    assert seen is not None
    if change in {"price", "cheaper"}:
        collection.price("plain", input="1" if change == "cheaper" else "30", output="15")
    elif change == "no price":
        System.objects.update(model_identifier="limit-1")
    elif change == "question":
        collection.question("P03", of_set="reserve")

    started = {**CHOICE, "seen": seen[1], "confirmed": "on"}
    reply = client.post(reverse("answers:start", args=["kestria-01"]), started)

    if change in {"nothing", "cheaper"}:
        assert (reply.status_code, Job.objects.count()) == (302, 1)
        return
    text = reply.content.decode()
    assert (reply.status_code, Job.objects.count()) == (422, 0)
    assert "The plan has grown since it was shown" in text
    now_seen = re.search(r'name="seen" value="([^"]*)"', text)
    assert now_seen is not None
    assert client.post(reply.request["PATH_INFO"], {**started, "seen": now_seen[1]}).status_code == 302


@pytest.mark.parametrize("seen", ["x", "1 NaN", "1 Infinity", "-1 5", "9" * 5000, "2 \x00"])
def test_odd_claims_of_what_was_seen_start_nothing(
    client: Client, operator: User, collection: Collection, seen: str
) -> None:
    collection.system("carbon", "plain")
    collection.price("plain")
    client.force_login(operator)

    reply = client.post(reverse("answers:start", args=["kestria-01"]), {**CHOICE, "seen": seen, "confirmed": "on"})

    assert (reply.status_code, Job.objects.count()) == (422, 0)


def test_cost_that_nobody_knows_must_be_confirmed(client: Client, operator: User, collection: Collection) -> None:
    collection.system("carbon", "plain")
    client.force_login(operator)
    address = reverse("answers:start", args=["kestria-01"])

    reply = client.post(address, CHOICE)

    assert reply.status_code == 422
    assert "Nobody knows what this run costs" in reply.content.decode()
    assert client.post(address, {**CHOICE, "confirmed": "on"}).status_code == 302


def test_problems_of_the_choice_are_shown(client: Client, operator: User, collection: Collection) -> None:
    collection.system("carbon", "plain", provider="Noble")
    client.force_login(operator)

    text = client.get(reverse("answers:collect", args=["kestria-01"]), CHOICE).content.decode()

    assert "noble cannot be called" in text
    assert client.post(reverse("answers:start", args=["kestria-01"]), {"systems": ["x"]}).status_code == 422


def test_only_operators_reach_the_page(
    client: Client, lead: User, reviewer: User, outsider: User, collection: Collection
) -> None:
    collection.system("carbon", "plain")
    page, start = (reverse(f"answers:{name}", args=["kestria-01"]) for name in ["collect", "start"])
    assert client.get(page).status_code == client.post(start).status_code == 302
    for person, status in [(lead, 403), (reviewer, 403), (outsider, 404)]:
        client.force_login(person)
        assert client.get(page, CHOICE).status_code == status
        assert client.post(start, CHOICE).status_code == status
    assert client.get(start).status_code == 405
    assert Job.objects.count() == 0
