"""A whole case, walked once for all tests of a file: each test begins where the case ended, and leaves it so."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction
from django.test import override_settings

STATIC = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
QUICK = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@contextmanager
def walked_once(django_db_blocker: Any, *, static_root: Path) -> Iterator[None]:
    """A transaction around all tests of a file: each test's own is a savepoint in it, and all of it is taken back."""
    plain = override_settings(
        PASSWORD_HASHERS=QUICK, STATIC_ROOT=static_root, STORAGES={**settings.STORAGES, "staticfiles": STATIC}
    )
    with django_db_blocker.unblock(), transaction.atomic():
        with plain:
            yield
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def walking(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[], AbstractContextManager[None]]:
    return lambda: walked_once(django_db_blocker, static_root=tmp_path_factory.getbasetemp())
