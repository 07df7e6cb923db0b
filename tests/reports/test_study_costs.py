"""The cost of a study: everything that was paid for, by role, with its lower bounds."""

import csv
import io
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from lexreview.accounts.models import User
from lexreview.answers.models import Answer
from lexreview.providers.models import Call, CallState, Role
from lexreview.providers.pricing import Cost
from lexreview.reports.study_costs import study_costs
from tests.answers.collecting import Collection, collection, model_server, running_server

__all__ = ["collection", "model_server", "running_server"]
pytestmark = pytest.mark.django_db(transaction=True)


def add_call(collection: Collection, role: Role, usd: str | None, state: str = "answered") -> Call:
    now = timezone.now()
    return Call.objects.create(
        benchmark_slug=collection.benchmark.slug, role=role, provider="local", model="judge-1", state=state,
        request_sha256="0" * 64, started_at=now, finished_at=now, usage={"input": 10, "output": 5},
        cost_usd=usd, cost_is_lower_bound=usd is None,
    )  # fmt: skip


@pytest.fixture
def studied(collection: Collection) -> Collection:
    """Two systems with prices, one failed try that cost nothing, a judge and a pre-fill."""
    collection.system("argon-4", "flaky-1-503")
    collection.system("boron", "plain")
    for model in ["flaky-1-503", "plain"]:
        collection.price(model)
    collection.run(["argon-4", "boron"])
    add_call(collection, Role.JUDGE, "0.02")
    add_call(collection, Role.JUDGE, "0.01")
    add_call(collection, Role.PREFILL, "0.005")
    return collection


def test_cost_by_role_system_and_condition(studied: Collection) -> None:
    costs = study_costs(studied.benchmark)

    found = [(row.role, str(row.what), row.condition, row.calls, row.priced, row.cost.usd) for row in costs.rows]
    failed = Call.objects.filter(state=CallState.PASSING).count()
    assert failed  # one, or two where both calls were on their way before the first came back
    # An answer costs 120 x 3 + 40 x 15 per million.
    assert found == [
        ("answer", "Argon-4", "W0", 2, 2, Decimal("0.00192")),
        ("answer", "Boron", "W0", 2, 2, Decimal("0.00192")),
        ("answer", "calls that brought no answer", "", failed, failed, Decimal(0)),
        ("judge", "local judge-1", "", 2, 2, Decimal("0.03")),
        ("prefill", "local judge-1", "", 1, 1, Decimal("0.005")),
    ]
    assert costs.total == Cost(Decimal("0.03884"))
    assert costs.by_role[0] == ("answers", "0.00384")


def test_unknown_part_makes_all_a_lower_bound(studied: Collection) -> None:
    add_call(studied, Role.VERIFICATION, None)
    Answer.objects.filter(question__code="P01", run__system__code="boron").update(cost_usd=None)

    costs = study_costs(studied.benchmark)

    assert costs.total_usd.startswith("≥ ")
    assert {row.role: row.usd for row in costs.rows}["verification"] == "n/a"
    assert next(row for row in costs.rows if row.what == "Boron").usd == "≥ 0.00096"


def test_page_and_table_for_leads_and_operators(
    client: Client, studied: Collection, operator: User, lead: User, reviewer: User, outsider: User
) -> None:
    addresses = [reverse(f"reports:{name}", args=["kestria-01"]) for name in ["costs", "costs_csv"]]
    for address in addresses:
        assert client.get(address).status_code == 302
    for person, status in [(operator, 200), (lead, 200), (reviewer, 404), (outsider, 404)]:
        client.force_login(person)
        assert [client.get(address).status_code for address in addresses] == [status] * 2
    client.force_login(lead)
    text = client.get(addresses[0]).content.decode()
    assert "0.03884" in text
    assert "<html" not in client.get(addresses[0], headers={"HX-Request": "true"}).content.decode()
    rows = list(csv.DictReader(io.StringIO(client.get(addresses[1]).content.decode())))
    assert rows[0]["usd"] == "0.00192"
    assert sum(Decimal(row["usd"]) for row in rows) == Decimal("0.03884")


def test_job_at_work_is_shown_with_what_it_may_come_to(client: Client, studied: Collection, lead: User) -> None:
    studied.system("carbon", "plain")
    job = studied.run(["carbon"])
    type(job).objects.filter(pk=job.pk).update(state="running", finished_at=None, done=1)
    client.force_login(lead)

    text = client.get(reverse("reports:costs", args=["kestria-01"])).content.decode()

    assert "every 4s" in text
    (running,) = study_costs(studied.benchmark).running
    assert (running.spent_usd, running.expected_usd) == ("0.00192", "0.00384")
