from collections.abc import Iterator
from typing import Any

import pytest

from tests.providers.server import ModelServer

KEY = "sk-test-7f3a9c-never-to-be-seen"


@pytest.fixture(scope="session")
def running_server() -> Iterator[ModelServer]:
    server = ModelServer().start()
    yield server
    server.stop()


@pytest.fixture
def model_server(running_server: ModelServer, settings: Any) -> ModelServer:
    """The test server, taken for every provider; its memory is empty."""
    running_server.forget()
    settings.PROVIDERS = {
        "openai": {"api_key": KEY, "base_url": f"{running_server.address}/v1"},
        "anthropic": {"api_key": KEY, "base_url": running_server.address},
        "google": {"api_key": KEY, "base_url": running_server.address},
        "local": {"api_key": "", "base_url": f"{running_server.address}/v1"},
    }
    settings.PROVIDER_TIMEOUT = 10
    return running_server
