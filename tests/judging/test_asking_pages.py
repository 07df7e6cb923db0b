import pytest
from django.test import Client
from django.urls import reverse

from lexreview.accounts.models import User
from lexreview.jobs.models import Job
from tests.judging.bench import Bench, bench, model_server, running_server
from tests.providers.server import ModelServer
from tests.review.factories import SLUG

__all__ = ["bench", "model_server", "running_server"]
pytestmark = pytest.mark.django_db
ASK, START = reverse("judging:ask", args=[SLUG]), reverse("judging:start", args=[SLUG])


def text_of(client: Client, user: User, query: str = "") -> str:
    client.force_login(user)
    reply = client.get(f"{ASK}{query}")
    assert reply.status_code == 200
    return reply.content.decode()


def test_plan_is_shown_before_anything_is_called(
    client: Client, operator: User, bench: Bench, model_server: ModelServer
) -> None:
    bench.answer()
    bench.panel("adaptive_majority", "judgeno", "judgeyes", "judgeno")

    text = text_of(client, operator, "?panel=panel&repeats=1")

    assert text.count('<th scope="row">Judge-') == 3
    assert "≤ 1" in text
    assert "≤ 3" in text
    assert "I confirm the cost" in text
    assert model_server.seen == []
    assert not Job.objects.exists()


def test_plan_without_any_choice_asks_for_one(client: Client, operator: User, bench: Bench) -> None:
    bench.answer()
    bench.judge("lynx")

    assert "Choose at least one judge, or a panel." in text_of(client, operator, "?repeats=1")


def test_operator_starts_the_job_after_confirming(client: Client, operator: User, bench: Bench) -> None:
    bench.answer()
    bench.judge("lynx")
    client.force_login(operator)
    chosen = {"judges": ["lynx"], "panel": "", "repeats": 1, "budget_usd": "5"}

    refused = client.post(START, chosen)
    started = client.post(START, {**chosen, "confirmed": "on"})

    assert refused.status_code == 422
    assert "confirm the run" in refused.content.decode()
    job = Job.objects.get()
    assert started.headers["Location"] == reverse("jobs:page", args=[job.pk])
    assert (job.kind, job.created_by) == ("judge", operator)
    assert job.params == {"benchmark": SLUG, "judges": ["lynx"], "repeats": 1, "budget_usd": "5"}


def test_second_start_leads_to_the_job_that_runs(client: Client, operator: User, bench: Bench) -> None:
    bench.answer()
    bench.judge("lynx")
    job = bench.start("lynx")
    client.force_login(operator)

    reply = client.post(START, {"judges": ["lynx"], "repeats": 1, "confirmed": "on"})

    assert reply.headers["Location"] == reverse("jobs:page", args=[job.pk])


def test_only_operators_ask_judges(client: Client, bench: Bench, reviewer: User, lead: User, outsider: User) -> None:
    assert client.get(ASK).status_code == 302
    for person, status in ((outsider, 404), (reviewer, 403), (lead, 403)):
        client.force_login(person)
        assert client.get(ASK).status_code == status
        assert client.post(START, {}).status_code == status


def test_page_of_the_benchmark_leads_operators_there(
    client: Client, operator: User, reviewer: User, bench: Bench
) -> None:
    bench.judge("lynx")
    address = reverse("questions:benchmark", args=[SLUG])

    client.force_login(operator)
    assert ASK in client.get(address).content.decode()
    client.force_login(reviewer)
    assert ASK not in client.get(address).content.decode()
