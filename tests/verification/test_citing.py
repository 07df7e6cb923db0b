import pytest
from django.test import Client
from django.urls import reverse

from lexreview.accounts.models import User
from lexreview.answers.masking import masked_name
from lexreview.core.workflow import Role
from lexreview.law.models import Act
from lexreview.verification.actions import verify_answer
from lexreview.verification.citing import MOST
from lexreview.verification.models import Citation
from tests.factories import make_user
from tests.verification.factories import HARBOUR, NOW, Case, make_case
from tests.visiting import queries_of, visit

TITLE = "Citations that point at it"
TEXT = "Dues follow from Art. 2 § 1 HA and Art. 2 § 2 pkt 1 HA. The berth is Art. 4 § 1 HA, not Art. 20 HA."

pytestmark = pytest.mark.usefixtures("law")


@pytest.fixture
def case() -> Case:
    case = make_case(TEXT)
    verify_answer(answer=case.answer, by=None, now=NOW)
    return case


@pytest.fixture
def member(case: Case) -> User:
    return make_user("mia", roles=(Role.REVIEWER,), benchmark=case.benchmark.slug)


def page_of(client: Client, user: User, unit: str) -> str:
    return visit(client, user, f"{reverse('law:unit', args=[HARBOUR])}?unit={unit}&on=2026-10-01&lang=en")


def listed(page: str) -> str:
    """The words of the section; "" where the page has none."""
    return " ".join(page.partition(TITLE)[2].partition("</section>")[0].split())


def test_a_unit_lists_citations_of_itself_and_of_what_is_below_it(client: Client, case: Case, member: User) -> None:
    whole = listed(page_of(client, member, "art=2"))
    part = listed(page_of(client, member, "art=2/par=1"))

    assert "Art. 2 § 1 HA" in whole and masked_name(case.answer) in whole and case.answer.identifier not in whole
    assert reverse("verification:report", args=[case.answer.pk]) in whole
    assert "Art. 20 HA" not in whole and "Art. 4 § 1 HA" not in whole
    assert "Art. 2 § 1 HA" in part and part.count("<tr>") == 2


def test_other_peoples_benchmarks_are_not_listed(client: Client, case: Case) -> None:
    outsider = make_user("oda", roles=(Role.LEAD,), benchmark="other-01")

    assert TITLE not in page_of(client, outsider, "art=2")


def test_only_the_newest_check_of_an_answer_is_listed(client: Client, case: Case, member: User) -> None:
    verify_answer(answer=case.answer, by=None, now=NOW, force=True)

    assert listed(page_of(client, member, "art=4")).count(masked_name(case.answer)) == 1


def test_a_unit_that_nobody_cites_has_no_list(client: Client, case: Case, member: User) -> None:
    assert TITLE not in page_of(client, member, "art=5")


def test_long_lists_end_with_how_many_are_left_out(client: Client, case: Case, member: User, law: Act) -> None:
    known = Citation.objects.get(raw="Art. 4 § 1 HA")
    for number in range(100, 100 + MOST):
        known.pk, known.number = None, number
        known._state.adding = True
        known.save()
    few = queries_of(client, member, f"{reverse('law:unit', args=[HARBOUR])}?unit=art%3D2&on=2026-10-01&lang=en")
    many = queries_of(client, member, f"{reverse('law:unit', args=[HARBOUR])}?unit=art%3D4&on=2026-10-01&lang=en")

    assert "1 more citation is not listed." in listed(page_of(client, member, "art=4"))
    assert abs(many - few) <= 1  # the units have different neighbours
