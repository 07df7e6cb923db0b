"""Factories and fixtures of people; rooms add their own factories in tests/<room>/factories.py."""

from datetime import UTC, datetime

import pytest

from lexreview.accounts.actions import create_account, grant_role
from lexreview.accounts.models import User
from lexreview.core.workflow import Role
from tests.remembering import remembered

LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)
PASSWORD = "long enough for anyone"


def offered_to_nobody(*args: object, **kwargs: object) -> None:
    """Instead of the message to a worker: the test does the job itself."""


@remembered
def make_user(username: str, *, roles: tuple[Role, ...] = (), benchmark: str = "kestria-01") -> User:
    user = create_account(username=username, password=PASSWORD, name=username.title(), by=None, now=LONG_AGO)
    for role in roles:
        grant_role(user=user, benchmark_slug=benchmark, role=role, by=None, now=LONG_AGO)
    return user


@pytest.fixture
def reviewer(db: None) -> User:
    return make_user("rita", roles=(Role.REVIEWER,))


@pytest.fixture
def lead(db: None) -> User:
    return make_user("lena", roles=(Role.LEAD,))


@pytest.fixture
def operator(db: None) -> User:
    return make_user("olek", roles=(Role.OPERATOR,))


@pytest.fixture
def outsider(db: None) -> User:
    return make_user("oda")
