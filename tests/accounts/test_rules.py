from datetime import datetime

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError

from lexreview.accounts.actions import create_account, grant_role, revoke_role
from lexreview.accounts.models import User
from lexreview.accounts.rules import NotAllowed, check_has_role, has_role, is_member, roles_of
from lexreview.core.workflow import Role
from lexreview.ledger.models import Event
from tests.factories import make_user

SLUG = "kestria-01"


def test_role_holds_only_in_its_own_benchmark(reviewer: User) -> None:
    assert has_role(reviewer, SLUG, Role.REVIEWER)
    assert not has_role(reviewer, "other", Role.REVIEWER)
    assert not has_role(reviewer, SLUG, Role.LEAD)


def test_outsiders_anonymous_and_inactive_people_have_no_role(reviewer: User, outsider: User) -> None:
    reviewer.is_active = False
    reviewer.save()

    assert roles_of(reviewer, SLUG) == set()
    assert not is_member(outsider, SLUG)
    assert not is_member(AnonymousUser(), SLUG)


def test_superuser_has_no_role_by_being_one(db: None) -> None:
    boss = make_user("boss")
    boss.is_superuser = boss.is_staff = True
    boss.save()

    with pytest.raises(NotAllowed, match="reviewer"):
        check_has_role(boss, SLUG, Role.REVIEWER)


def test_granting_twice_records_one_event_and_revoking_one_more(outsider: User, now: datetime) -> None:
    for _ in range(2):
        grant_role(user=outsider, benchmark_slug=SLUG, role=Role.LEAD, by=None, now=now)
    revoke_role(user=outsider, benchmark_slug=SLUG, role=Role.LEAD, by=None, now=now, reason="left")

    verbs = [event.verb for event in Event.objects.about("membership", f"oda@{SLUG}").in_order()]
    assert verbs == ["grant_role", "revoke_role"]
    assert not is_member(outsider, SLUG)


@pytest.mark.parametrize("name", ["system", "", "with space"])
def test_account_name_that_would_confuse_the_ledger_is_refused(db: None, now: datetime, name: str) -> None:
    with pytest.raises(ValidationError):
        create_account(username=name, password="long enough for anyone", by=None, now=now)
    assert not User.objects.exists()
