from typing import Any

import pytest
from django.test import Client

from lexreview.accounts.models import User
from lexreview.core.workflow import Role
from lexreview.review.models import Card
from tests.factories import make_user
from tests.review.factories import make_card


@pytest.fixture(autouse=True)
def _quick_passwords(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def card(reviewer: User) -> Card:
    return make_card(assigned_to=reviewer)


@pytest.fixture
def colleague(db: None) -> User:
    return make_user("karl", roles=(Role.REVIEWER,))


@pytest.fixture
def reviewers_client(reviewer: User, client: Client) -> Client:
    client.force_login(reviewer)
    return client


@pytest.fixture
def htmx() -> dict[str, Any]:
    """Headers with which htmx asks for a fragment."""
    return {"HX-Request": "true"}
