"""What every test gets: closed sockets, strict templates, the folder of real law, a fixed clock."""

import gc
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from django.conf import settings
from django.test import override_settings
from django.utils import translation
from pytest_socket import enable_socket, socket_allow_hosts

pytest_plugins = ["tests.database", "tests.remembering", "tests.factories", "tests.walking", "tests.sharing_out"]

# A busy machine is no fault of the code: property tests judge results, benchmarks judge speed. `make test` draws new
# examples every time; `repeatable` draws the same ones, so that a change is judged by what it changed; `searching`
# looks for long (`--hypothesis-profile=searching`).
UNHURRIED = hypothesis.settings(deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.register_profile("unhurried", UNHURRIED)
hypothesis.settings.register_profile("repeatable", UNHURRIED, derandomize=True, database=None)
hypothesis.settings.register_profile("searching", UNHURRIED, max_examples=2000)
hypothesis.settings.load_profile("unhurried")


def pytest_collection_finish() -> None:
    """The tests and the modules stay until the end: looking again and again for what of them is garbage takes long."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(autouse=True)
def _only_loopback() -> Iterator[None]:
    socket_allow_hosts(["127.0.0.1", "localhost", "::1"], allow_unix_socket=True)
    yield
    enable_socket()


@pytest.fixture(autouse=True)
def _english_afterwards() -> Iterator[None]:
    """A request leaves its language in the thread that answered it, and what comes next may begin without one."""
    yield
    translation.activate(settings.LANGUAGE_CODE)


@pytest.fixture(scope="session", autouse=True)
def _var_of_this_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Messages, reports and stored files go to a folder of the run, not to `var/` of the checkout."""
    from lexreview.celery import app

    folder = tmp_path_factory.mktemp("var")
    queue = folder / "broker" / "queue"
    queue.mkdir(parents=True)
    if settings.EMBEDDED_WORKER:
        app.conf.update(broker_transport_options={"folder": str(queue)})
    with override_settings(VAR_DIR=folder, MEDIA_ROOT=folder / "media", CELERY_BROKER_FOLDER=folder / "broker"):
        yield


@pytest.fixture(autouse=True)
def _plain_static_files(settings: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tests do not need collected static files: addresses without a manifest, and a folder that is there."""
    settings.STATIC_ROOT = tmp_path_factory.getbasetemp()
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }


@pytest.fixture(autouse=True)
def _quick_passwords(settings: Any) -> None:
    """Hundreds of tests make people; a slow hash protects nobody there."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def now() -> datetime:
    return datetime(2026, 10, 18, 12, 3, 22, tzinfo=UTC)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    folder = Path(settings.SHARED_DATA) / "data"
    if not folder.is_dir():
        pytest.skip("the folder of real legal texts is not there (LEXREVIEW_SHARED)")
    return folder
