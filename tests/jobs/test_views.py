from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from lexreview.accounts.models import User
from lexreview.core.workflow import Role
from lexreview.jobs.actions.turns import take_turn
from lexreview.jobs.models import Job
from lexreview.jobs.obstacles import register_obstacle
from lexreview.jobs.running import run_to_end
from lexreview.jobs.states import JobState
from tests.factories import make_user
from tests.jobs.factories import Rehearsals
from tests.jobs.kinds import REHEARSAL

STEERING = ["cancel", "resume", "retry"]


def as_(client: Client, user: User) -> Client:
    client.force_login(user)
    return client


def page_of(job: Job, name: str = "page") -> str:
    return reverse(f"jobs:{name}", args=[job.pk])


def job_for(verb: str, rehearsals: Rehearsals) -> Job:
    """A job in a state in which the verb changes something."""
    job = rehearsals.start(count=2, failing=["item-000"], quota="item-001" if verb == "resume" else None)
    return job if verb == "cancel" else run_to_end(job)


def test_anonymous_is_sent_to_sign_in(client: Client, rehearsals: Rehearsals) -> None:
    job = rehearsals.start()

    for address in [reverse("jobs:list"), page_of(job)]:
        reply = client.get(address)
        assert reply.status_code == 302
        assert reply["Location"].startswith(reverse("account_login"))
    for verb in STEERING:
        reply = client.post(page_of(job, verb))
        assert reply["Location"].startswith(reverse("account_login"))
    job.refresh_from_db()
    assert job.state == JobState.QUEUED


def test_outsider_sees_no_job_and_learns_of_none(client: Client, rehearsals: Rehearsals, outsider: User) -> None:
    job = rehearsals.start()
    as_(client, outsider)

    assert REHEARSAL.label not in client.get(reverse("jobs:list")).content.decode()
    assert client.get(page_of(job)).status_code == 404
    for verb in STEERING:
        assert client.post(page_of(job, verb)).status_code == 404
    job.refresh_from_db()
    assert job.state == JobState.QUEUED


def test_member_of_another_benchmark_is_an_outsider(client: Client, rehearsals: Rehearsals) -> None:
    job = rehearsals.start()
    as_(client, make_user("otto", roles=(Role.OPERATOR,), benchmark="other-01"))

    assert client.get(page_of(job)).status_code == 404


def test_member_without_the_role_sees_progress_but_no_items_and_no_buttons(
    client: Client, rehearsals: Rehearsals, reviewer: User
) -> None:
    job = run_to_end(rehearsals.start(count=2, failing=["item-001"]))

    text = as_(client, reviewer).get(page_of(job)).content.decode()

    assert "2 / 2" in text
    assert "1 item failed" in text
    assert "item-001" not in text
    assert "job-retry" not in text


def test_keys_of_items_at_work_are_hidden_from_reviewers(
    client: Client, rehearsals: Rehearsals, reviewer: User, lead: User
) -> None:
    job = rehearsals.start()
    Job.objects.filter(pk=job.pk).update(step="P01_argon-4_W0_r1")

    assert "argon" not in as_(client, reviewer).get(page_of(job)).content.decode()
    assert "argon" in as_(client, lead).get(page_of(job)).content.decode()


@pytest.mark.parametrize("verb", STEERING)
def test_wrong_role_may_not_steer(
    client: Client, rehearsals: Rehearsals, reviewer: User, lead: User, verb: str
) -> None:
    job = job_for(verb, rehearsals)

    for person in (reviewer, lead):
        assert as_(client, person).post(page_of(job, verb)).status_code == 403

    before = job.state
    job.refresh_from_db()
    assert job.state == before


@pytest.mark.parametrize("verb", STEERING)
def test_steering_by_get_is_refused(client: Client, rehearsals: Rehearsals, operator: User, verb: str) -> None:
    job = job_for(verb, rehearsals)

    assert as_(client, operator).get(page_of(job, verb)).status_code == 405


def test_pages_refuse_post(client: Client, rehearsals: Rehearsals, operator: User) -> None:
    job = rehearsals.start()

    assert as_(client, operator).post(page_of(job)).status_code == 405
    assert client.post(reverse("jobs:list")).status_code == 405


@pytest.mark.parametrize(
    ("verb", "state"), [("cancel", JobState.CANCELLED), ("resume", JobState.QUEUED), ("retry", JobState.QUEUED)]
)
def test_operator_steers_by_plain_forms(
    client: Client, rehearsals: Rehearsals, operator: User, verb: str, state: JobState
) -> None:
    job = job_for(verb, rehearsals)
    as_(client, operator)
    assert f'id="job-{verb}"' in client.get(page_of(job)).content.decode()

    reply = client.post(page_of(job, verb))

    assert (reply.status_code, reply["Location"]) == (302, page_of(job))
    job.refresh_from_db()
    assert job.state == state
    assert f'id="job-{verb}"' not in client.get(page_of(job)).content.decode()


def test_refused_steering_is_told_and_changes_nothing(client: Client, rehearsals: Rehearsals, operator: User) -> None:
    job = run_to_end(rehearsals.start(count=1))

    reply = as_(client, operator).post(page_of(job, "cancel"), follow=True)

    assert "has finished already" in reply.content.decode()


def test_forms_need_the_csrf_token(rehearsals: Rehearsals, operator: User) -> None:
    job = rehearsals.start()

    assert as_(Client(enforce_csrf_checks=True), operator).post(page_of(job, "cancel")).status_code == 403


def fragment(client: Client, job: Job, **headers: str) -> Any:
    return client.get(page_of(job), headers={"HX-Request": "true", **headers})


def test_fragment_polls_while_the_job_is_live_and_stops_then(
    client: Client, rehearsals: Rehearsals, operator: User
) -> None:
    job = rehearsals.start(count=1)
    as_(client, operator)

    live = fragment(client, job).content.decode()
    assert 'hx-trigger="every 2s"' in live
    assert f'hx-get="{page_of(job)}"' in live
    assert "<html" not in live

    run_to_end(job)
    assert "hx-trigger" not in fragment(client, job).content.decode()


def test_swapped_fragment_equals_a_fresh_page(client: Client, rehearsals: Rehearsals, operator: User) -> None:
    job = run_to_end(rehearsals.start(count=2, failing=["item-001"]))
    as_(client, operator)

    part = without_token(fragment(client, job).content.decode()).strip()

    assert part.startswith('<section id="job-progress"')
    assert part.endswith("</section>")
    assert part in without_token(client.get(page_of(job)).content.decode())


def without_token(text: str) -> str:
    """Every rendering masks the CSRF token anew."""
    return "\n".join(line for line in text.splitlines() if "csrfmiddlewaretoken" not in line)


def test_restored_history_gets_the_whole_page(client: Client, rehearsals: Rehearsals, operator: User) -> None:
    job = rehearsals.start()

    reply = fragment(as_(client, operator), job, **{"HX-History-Restore-Request": "true"})

    assert "<html" in reply.content.decode()
    assert {"HX-Request", "HX-History-Restore-Request"} <= {name.strip() for name in reply["Vary"].split(",")}


def test_job_that_is_stopping_says_so_and_cannot_be_cancelled_again(
    client: Client, rehearsals: Rehearsals, operator: User, now: datetime
) -> None:
    job = rehearsals.start()
    take_turn(job_id=job.pk, turn=job.turn, now=now)
    Job.objects.update(heartbeat_at=datetime.max.replace(tzinfo=now.tzinfo))
    client = as_(client, operator)
    client.post(page_of(job, "cancel"))

    text = client.get(page_of(job)).content.decode()

    assert "stopping" in text
    assert "job-cancel" not in text


def test_job_of_a_worker_that_fell_silent_says_what_to_look_at(
    client: Client, rehearsals: Rehearsals, operator: User
) -> None:
    job = rehearsals.start()
    as_(client, operator)
    Job.objects.filter(pk=job.pk).update(heartbeat_at=timezone.now())
    fresh = client.get(page_of(job)).content.decode()
    Job.objects.filter(pk=job.pk).update(heartbeat_at=timezone.now() - timedelta(days=1))

    assert "No worker has given a sign of life" not in fresh
    assert "No worker has given a sign of life" in client.get(page_of(job)).content.decode()


def test_code_of_an_obstacle_is_given_once() -> None:
    with pytest.raises(ValueError, match="worker_died"):
        register_obstacle(code="worker_died", what="again", remedy="")
    with pytest.raises(ValueError, match="xxx"):
        register_obstacle(code="x" * 31, what="too long", remedy="")


def test_error_text_of_an_item_is_escaped(client: Client, rehearsals: Rehearsals, operator: User) -> None:
    job = run_to_end(rehearsals.start(count=1, failing=["item-000"]))
    job.items.update(error="<script>alert(1)</script>")

    assert "<script>alert" not in as_(client, operator).get(page_of(job)).content.decode()


def queries_of_list(client: Client, django_assert_max_num_queries: Any) -> int:
    with django_assert_max_num_queries(8) as captured:
        assert client.get(reverse("jobs:list")).status_code == 200
    return len(captured)


def test_list_needs_as_many_queries_for_three_jobs_as_for_one(
    client: Client, rehearsals: Rehearsals, operator: User, django_assert_max_num_queries: Any
) -> None:
    as_(client, operator)
    run_to_end(rehearsals.start(count=1))
    with_one = queries_of_list(client, django_assert_max_num_queries)

    for _ in range(2):
        run_to_end(rehearsals.start(count=1))

    assert queries_of_list(client, django_assert_max_num_queries) == with_one


def test_list_pages_by_number_newest_first(
    client: Client, rehearsals: Rehearsals, operator: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lexreview.jobs.views.PER_PAGE", 2)
    jobs = [run_to_end(rehearsals.start(count=1)) for _ in range(3)]
    as_(client, operator)

    first = client.get(reverse("jobs:list")).content.decode()
    assert page_of(jobs[2]) in first
    assert page_of(jobs[0]) not in first
    assert f"?before={jobs[1].pk}" in first

    second = client.get(reverse("jobs:list"), {"before": jobs[1].pk}).content.decode()
    assert page_of(jobs[0]) in second
    assert page_of(jobs[1]) not in second


@pytest.mark.parametrize("before", ["", "x'", "-1", "9" * 18, "9" * 40, "9" * 5000, "٣"])
def test_list_survives_a_number_that_is_none(client: Client, operator: User, before: str) -> None:
    assert as_(client, operator).get(reverse("jobs:list"), {"before": before}).status_code == 200


def test_page_of_a_number_beyond_the_database_is_not_found(client: Client, operator: User) -> None:
    assert as_(client, operator).get(f"/jobs/{10**30}/").status_code == 404


def test_empty_list_says_what_will_be_there(client: Client, operator: User) -> None:
    assert "No jobs yet" in as_(client, operator).get(reverse("jobs:list")).content.decode()
