"""The person of a request is read with their roles, from a session that has not ended."""

from datetime import timedelta

import pytest
from django.contrib.auth import get_user
from django.contrib.sessions.models import Session
from django.db import connection
from django.http import HttpRequest
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from lexreview.accounts.backends import PersonBackend
from lexreview.accounts.models import Membership, User
from lexreview.accounts.rules import keep_memberships_in_mind, roles_of
from lexreview.accounts.sessions import SessionStore
from lexreview.core.workflow import Role

pytestmark = pytest.mark.django_db


@pytest.fixture
def person() -> User:
    user = User.objects.create_user(username="ola", password="correct horse")
    for slug, role in (("k-01", Role.LEAD), ("k-01", Role.REVIEWER), ("k-02", Role.OPERATOR)):
        Membership.objects.create(user=user, benchmark_slug=slug, role=role)
    return user


def _signed_in(client: Client) -> HttpRequest:
    request = HttpRequest()
    request.session = SessionStore(client.session.session_key)
    return request


def test_session_person_and_roles_take_two_queries(client: Client, person: User) -> None:
    client.force_login(person)
    request = _signed_in(client)

    with CaptureQueriesContext(connection) as captured:
        found = get_user(request)
        keep_memberships_in_mind(found)
        assert roles_of(found, "k-01") == {"lead", "reviewer"}
        assert roles_of(found, "k-02") == {"operator"}
        assert roles_of(found, "k-03") == set()

    assert found == person
    assert len(captured) == 2


def test_a_role_that_was_taken_away_is_gone_with_the_next_request(client: Client, person: User) -> None:
    client.force_login(person)
    for left in (2, 1, 0):
        Membership.objects.order_by("pk").filter(user=person).first().delete()
        found = get_user(_signed_in(client))
        keep_memberships_in_mind(found)
        assert sum(len(roles_of(found, slug)) for slug in ("k-01", "k-02")) == left


def test_who_has_no_role_is_still_a_person_and_who_is_inactive_is_nobody(client: Client) -> None:
    user = User.objects.create_user(username="nowhere", password="correct horse")
    client.force_login(user)
    assert get_user(_signed_in(client)) == user

    User.objects.update(is_active=False)

    assert not get_user(_signed_in(client)).is_authenticated
    assert PersonBackend().get_user(user.pk + 1) is None


def test_a_session_that_has_ended_or_that_nobody_has_holds_nothing(client: Client, person: User) -> None:
    client.force_login(person)
    assert get_user(_signed_in(client)) == person

    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))

    ended = _signed_in(client)
    assert not get_user(ended).is_authenticated
    assert ended.session.session_key is None
    assert SessionStore("x" * 32).load() == {}
