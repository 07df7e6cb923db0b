import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from lexreview.accounts.models import User
from lexreview.core.workflow import Role
from lexreview.jobs.models import Job
from lexreview.law.models import Act
from lexreview.verification import views
from lexreview.verification.actions import verify_answer
from lexreview.verification.models import Citation
from lexreview.verification.page_sections import verified_figures
from tests.factories import make_user
from tests.verification.advising import make_advice
from tests.verification.factories import HARBOUR, NOW, Case, make_case

TEXT = (
    "Art. 2 § 1 HA: “The harbour due is 60 crowns for each day of stay.” See Art. 99 HA, Art. 3 HA, Art. 3 FeA and "
    "the judgment of the Maritime Court of 3 June 2024, I Mar 99/24."
)

pytestmark = pytest.mark.usefixtures("law")


@pytest.fixture
def case() -> Case:
    case = make_case(TEXT)
    verify_answer(answer=case.answer, by=None, now=NOW)
    return case


def citation(raw: str) -> Citation:
    return Citation.objects.get(raw=raw)


def pages(case: Case) -> list[str]:
    return [
        reverse("verification:report", args=[case.answer.pk]),
        reverse("verification:source", args=[citation("Art. 2 § 1 HA").pk]),
    ]


def test_anonymous_people_are_sent_to_sign_in(client: Client, case: Case) -> None:
    addresses = [*pages(case), reverse("verification:benchmark", args=[case.benchmark.slug])]

    for address in addresses:
        response = client.get(address)
        assert response.status_code == 302
        assert "/account/login/" in response["Location"]


def test_outsiders_do_not_learn_that_it_exists(client: Client, case: Case, outsider: User) -> None:
    client.force_login(outsider)

    assert [client.get(address).status_code for address in pages(case)] == [404, 404]


@pytest.mark.parametrize("person", ["reviewer", "lead", "operator"])
def test_members_see_it(client: Client, case: Case, person: str, request: pytest.FixtureRequest) -> None:
    client.force_login(request.getfixturevalue(person))

    assert [client.get(address).status_code for address in pages(case)] == [200, 200]


def test_nothing_is_written_by_get_and_post_is_refused(client: Client, case: Case, reviewer: User) -> None:
    client.force_login(reviewer)

    assert [client.post(address).status_code for address in pages(case)] == [405, 405]


def test_the_report_says_how_many_were_checked_and_why_not_the_rest(client: Client, case: Case, reviewer: User) -> None:
    client.force_login(reviewer)

    page = client.get(reverse("verification:report", args=[case.answer.pk])).content.decode()

    assert "Checked 3 of 5" in page
    assert "Only an excerpt of the act is stored" in page
    assert "I Mar 99/24" in page.split("Out of scope")[1].split("Every citation")[0]


def test_an_answer_that_was_not_verified_says_so(client: Client, reviewer: User) -> None:
    case = make_case(TEXT)
    client.force_login(reviewer)

    page = client.get(reverse("verification:report", args=[case.answer.pk])).content.decode()

    assert "Not verified yet" in page


def test_the_source_is_a_fragment_for_htmx_and_a_page_without(client: Client, case: Case, reviewer: User) -> None:
    client.force_login(reviewer)
    address = reverse("verification:source", args=[citation("Art. 2 § 1 HA").pk])

    fragment = client.get(address, headers={"HX-Request": "true"})
    page = client.get(address)

    text = fragment.content.decode().strip()
    assert text.startswith('<section id="source"')
    assert "<html" not in text and text in page.content.decode()
    assert "HX-Request" in fragment["Vary"]


def test_the_source_shows_text_difference_window_and_the_way_to_other_editions(
    client: Client, case: Case, reviewer: User
) -> None:
    client.force_login(reviewer)
    row = citation("Art. 2 § 1 HA")
    address = reverse("verification:source", args=[row.pk])

    page = client.get(address, headers={"HX-Request": "true"}).content.decode()

    assert "The harbour due is 75 crowns" in page
    assert "75</del>" in page and "60</ins>" in page
    assert "in force from 1 Sep 2026 to 31 Dec 2026" in page
    assert 'rel="noopener noreferrer external"' in page
    assert f"?edition={row.other_edition_id}" in page
    other = client.get(address, {"edition": row.other_edition_id}, headers={"HX-Request": "true"}).content.decode()
    assert "not the law of 1 Oct 2026" in other
    assert 'class="hl ok">The harbour due is 60 crowns for each day of stay' in other


def test_the_address_of_the_official_text_is_written_out(client: Client, case: Case, reviewer: User) -> None:
    client.force_login(reviewer)
    row = citation("Art. 2 § 1 HA")

    page = client.get(reverse("verification:source", args=[row.pk])).content.decode()

    assert row.source_url.startswith("https://")
    assert f'class="address">{row.source_url}</span>' in page


def test_a_source_that_stayed_the_same_is_not_sent_again(
    client: Client, case: Case, reviewer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = citation("Art. 2 § 1 HA")
    address = reverse("verification:source", args=[row.pk])
    client.force_login(reviewer)

    def ask(query: str = "", tag: str = "", **headers: str) -> Any:
        return client.get(address + query, headers={"HX-Request": "true", "If-None-Match": tag, **headers})

    first = ask()
    again = ask(tag=first["ETag"])
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    assert "private" in first["Cache-Control"] and "HX-Request" in again["Vary"]
    others = [ask(f"?edition={row.other_edition_id}"), ask(**{"Accept-Language": "pl"})]
    make_advice(row)
    others.append(ask(tag=first["ETag"]))
    assert len({first["ETag"], *(each["ETag"] for each in others)}) == 4
    assert {each.status_code for each in others} == {200}
    monkeypatch.setattr(views, "is_withheld_from", lambda user, answer: True)
    kept_back = ask(tag=others[-1]["ETag"])
    assert kept_back.status_code == 200 and kept_back["ETag"] == first["ETag"]
    assert "ETag" not in client.get(address)


def test_a_repealed_provision_and_a_ruling_have_a_source_pane_too(client: Client, case: Case, reviewer: User) -> None:
    client.force_login(reviewer)

    for raw in ("Art. 3 HA", "Art. 99 HA", "Art. 3 FeA"):
        response = client.get(reverse("verification:source", args=[citation(raw).pk]))
        assert response.status_code == 200


def test_a_provision_without_its_act_is_named_alone(client: Client, reviewer: User) -> None:
    case = make_case("The transitional Art. 1 applies.")
    verify_answer(answer=case.answer, by=None, now=NOW)
    client.force_login(reviewer)

    row = Citation.objects.get()
    page = client.get(reverse("verification:source", args=[row.pk])).content.decode()
    assert re.findall(r'<h2 id="source-title"[^>]*>(.*?)</h2>', page) == ["Art. 1"]


def test_editions_of_other_acts_are_not_shown(client: Client, case: Case, reviewer: User) -> None:
    client.force_login(reviewer)
    address = reverse("verification:source", args=[citation("Art. 2 § 1 HA").pk])
    foreign = Act.objects.get(eli="eli/qk/act/2016/8").editions.get()

    assert client.get(address, {"edition": foreign.pk}).status_code == 404
    assert client.get(address, {"edition": "1; DROP TABLE"}).status_code == 400


def test_hostile_law_and_answers_are_escaped(client: Client, reviewer: User) -> None:
    case = make_case("Art. 2 § 1 HA: “The harbour due is 75 <script>alert(1)</script> crowns for each day of stay.”")
    verify_answer(answer=case.answer, by=None, now=NOW)
    row = Citation.objects.get()
    Citation.objects.update(source_url="javascript:alert(1)", source_text="<img src=x onerror=alert(1)>")
    row.edition.source_url = "javascript:alert(2)"
    row.edition.save()
    client.force_login(reviewer)

    for name, pk in (("verification:source", row.pk), ("verification:report", case.answer.pk)):
        page = client.get(reverse(name, args=[pk])).content.decode()
        assert "<script>alert" not in page and "<img src=x" not in page
        assert "javascript:" not in page


def test_the_report_asks_as_often_for_three_citations_as_for_one(
    client: Client, reviewer: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    one, three = make_case("Art. 5 HA", system="one"), make_case("Art. 5 HA, Art. 1 HA, Art. 2 § 1 HA", system="three")
    for each in (one, three):
        verify_answer(answer=each.answer, by=None, now=NOW)
    client.force_login(reviewer)
    client.get(reverse("verification:report", args=[one.answer.pk]))

    with CaptureQueriesContext(connection) as first:
        client.get(reverse("verification:report", args=[one.answer.pk]))
    with django_assert_num_queries(len(first)):
        client.get(reverse("verification:report", args=[three.answer.pk]))


def test_the_source_asks_as_often_however_many_editions_there_are(
    client: Client, case: Case, reviewer: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client.force_login(reviewer)
    short = reverse("verification:source", args=[citation("Art. 3 FeA").pk])
    long = reverse("verification:source", args=[citation("Art. 2 § 1 HA").pk])
    client.get(long, headers={"HX-Request": "true"})

    with CaptureQueriesContext(connection) as first:
        client.get(short, headers={"HX-Request": "true"})
    with django_assert_num_queries(len(first)):
        client.get(long, headers={"HX-Request": "true"})


def test_the_source_leads_to_the_provision_in_the_corpus(client: Client, case: Case, reviewer: User) -> None:
    client.force_login(reviewer)

    page = client.get(reverse("verification:source", args=[citation("Art. 2 § 1 HA").pk])).content.decode()

    address = f"{reverse('law:unit', args=[HARBOUR])}?unit=art%3D2%2Fpar%3D1&amp;on=2026-10-01&amp;lang=en"
    assert address in page


def test_the_benchmark_page_counts_results_and_answers(client: Client, case: Case, reviewer: User) -> None:
    make_case("Art. 5 HA", system="borealis")
    client.force_login(reviewer)

    page = client.get(reverse("verification:benchmark", args=[case.benchmark.slug])).content.decode()

    assert "Checked 3 of 5 citations" in page
    assert "not verified yet" in page and "1 answer waits" in page
    assert "Check citations" not in page


def test_the_benchmark_page_asks_as_often_for_three_answers_as_for_one(
    client: Client, case: Case, reviewer: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client.force_login(reviewer)
    address = reverse("verification:benchmark", args=[case.benchmark.slug])
    client.get(address)

    with CaptureQueriesContext(connection) as first:
        client.get(address)
    for system in ("borealis", "cedar"):
        verify_answer(answer=make_case("Art. 5 HA, Art. 99 HA", system=system).answer, by=None, now=NOW)
    with django_assert_num_queries(len(first)):
        client.get(address)


def test_an_operator_starts_the_check_and_a_reviewer_may_not(
    client: Client, case: Case, operator: User, reviewer: User, outsider: User
) -> None:
    address = reverse("verification:start", args=[case.benchmark.slug])
    client.force_login(outsider)
    assert client.post(address).status_code == 404
    client.force_login(reviewer)
    assert client.post(address).status_code == 403
    client.force_login(operator)
    assert client.get(address).status_code == 405
    assert client.post(address)["Location"] == reverse("verification:benchmark", args=[case.benchmark.slug])

    make_case("Art. 5 HA", system="borealis")
    response = client.post(address)

    job = Job.objects.get(kind="verify")
    assert response["Location"] == reverse("jobs:page", args=[job.pk])
    assert client.post(address)["Location"] == response["Location"]


@pytest.mark.parametrize("role", Role)
def test_only_who_may_start_the_check_is_offered_it(client: Client, case: Case, role: Role) -> None:
    make_case("Art. 5 HA", system="borealis")
    client.force_login(make_user(f"the-{role}", roles=(role,)))

    page = client.get(reverse("verification:benchmark", args=[case.benchmark.slug])).content.decode()
    reply = client.post(reverse("verification:start", args=[case.benchmark.slug]))

    assert ("Check citations" in page) == (reply.status_code == 302) == (role == Role.OPERATOR)


def test_outsiders_do_not_see_the_benchmark_page(client: Client, case: Case, outsider: User) -> None:
    client.force_login(outsider)

    assert client.get(reverse("verification:benchmark", args=[case.benchmark.slug])).status_code == 404


def test_the_overview_says_how_many_answers_are_verified(case: Case, reviewer: User) -> None:
    make_case("Art. 5 HA", system="borealis")

    (figure,) = verified_figures([case.benchmark], reviewer)[case.benchmark.pk]

    assert (figure.part, figure.whole) == (1, 2)
