"""Models of pydantic-ai for the configured providers. Clients are kept per event loop: connections are opened once.

Heavy imports happen at the first call, so that pages and commands that call nobody do not wait for them.
"""

import asyncio
from collections.abc import Mapping
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.utils.translation import gettext as _

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model

PROVIDERS = ("openai", "anthropic", "google", "local")
# Providers whose own web search the library can put on offer.
SEARCHING = {"openai", "anthropic", "google"}
CONNECT_SECONDS = 10
MOST_CONNECTIONS = 256

# Settings of a system or judge that a call understands, with the type of their value.
NUMBERS = {"temperature", "top_p", "presence_penalty", "frequency_penalty", "timeout"}
WHOLE_NUMBERS = {"max_tokens", "top_k", "seed"}
OTHERS = {"stop_sequences", "thinking", "stream", "endpoint"}
THINKING = {True, False, "minimal", "low", "medium", "high", "xhigh", "max"}


class NotConfigured(Exception):
    """The provider is unknown, or its key or address is missing; the message says which variable to set."""


class BadSettings(ValueError):
    """A setting of the system is none that a call understands, or has a value that it cannot have."""


def check_provider(provider: str) -> None:
    """Raises NotConfigured where no call to the provider is possible."""
    values = settings.PROVIDERS.get(provider)
    if values is None:
        raise NotConfigured(f"{provider!r} is no provider that can be called: {', '.join(PROVIDERS)}")
    if provider == "local":
        if not values["base_url"]:
            raise NotConfigured("the provider local needs the address of its server: set LOCAL_BASE_URL")
    elif not values["api_key"]:
        raise NotConfigured(f"the provider {provider} needs a key: set {provider.upper()}_API_KEY")


def is_configured(provider: str) -> bool:
    try:
        check_provider(provider)
    except NotConfigured:
        return False
    return True


def named_model(text: str) -> tuple[str, str]:
    """Provider and model of a name such as `anthropic:claude-opus-4-8`. Raises NotConfigured, see check_provider."""
    provider, _sign, model = text.partition(":")
    if not model:
        raise NotConfigured(
            f"{text!r} names no model; write provider:model, the provider one of {', '.join(PROVIDERS)}"
        )
    check_provider(provider)
    return provider, model


def check_settings(values: Mapping[str, Any]) -> None:
    """Raises BadSettings for the first setting that a call would have to ignore."""
    for name, value in values.items():
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if name in NUMBERS:
            good = is_number
        elif name in WHOLE_NUMBERS:
            good = isinstance(value, int) and not isinstance(value, bool)
        elif name == "stop_sequences":
            good = isinstance(value, list) and all(isinstance(each, str) for each in value)
        elif name == "thinking":
            good = isinstance(value, bool | str) and value in THINKING
        elif name == "stream":
            good = isinstance(value, bool)
        elif name == "endpoint":
            good = value in PROVIDERS
        else:
            known = ", ".join(sorted(NUMBERS | WHOLE_NUMBERS | OTHERS))
            raise BadSettings(f"the setting {name!r} is not known; a call understands {known}")
        if not good:
            raise BadSettings(f"the setting {name!r} cannot be {value!r}")


def problems_with(name: str, *, endpoint: str, settings: Mapping[str, Any], searched_for: str = "") -> list[str]:
    """Why a system or judge cannot be called there, as sentences that begin with `name`; empty where it can.

    `searched_for`: what asks for a web search; empty where nothing does.
    """
    if endpoint not in PROVIDERS:
        return [
            _("%(name)s: %(endpoint)s cannot be called; set its setting endpoint to one of %(known)s.") % {
                "name": name, "endpoint": endpoint, "known": ", ".join(PROVIDERS),
            }
        ]  # fmt: skip
    problems = []
    try:
        check_provider(endpoint)
        check_settings(settings)
    except (NotConfigured, BadSettings) as error:
        problems.append(f"{name}: {error}.")
    if searched_for and endpoint not in SEARCHING:
        problems.append(
            _("%(name)s: %(endpoint)s has no web search of its own, which %(codes)s asks for.") % {
                "name": name, "endpoint": endpoint, "codes": searched_for,
            }
        )  # fmt: skip
    return problems


def blanked(text: str) -> str:
    """`text` without any configured key: some providers repeat a wrong one in their error."""
    for values in settings.PROVIDERS.values():
        if key := values["api_key"]:
            text = text.replace(key, "[key]")
    return text


class Captured:
    """The HTTP responses of one call, as they came."""

    def __init__(self) -> None:
        self.status: int | None = None
        self.bodies: list[bytes] = []


captured: ContextVar[Captured | None] = ContextVar("captured", default=None)


async def _capture(response: "httpx2.Response") -> None:
    taking = captured.get()
    if taking is not None:
        taking.status = response.status_code
        taking.bodies.append(await response.aread())


def model_of(provider: str, name: str) -> "Model[Any]":
    """The model to call, on the running event loop; its client tries nothing again. Raises NotConfigured."""
    check_provider(provider)
    values = settings.PROVIDERS[provider]
    return _model(asyncio.get_running_loop(), provider, name, values["base_url"], values["api_key"])


@cache
def _model(loop: asyncio.AbstractEventLoop, provider: str, name: str, base_url: str, api_key: str) -> "Model[Any]":
    import httpx2
    from pydantic_ai.models import create_async_httpx2_client

    client = create_async_httpx2_client(
        timeout=httpx2.Timeout(settings.PROVIDER_TIMEOUT, connect=CONNECT_SECONDS),
        limits=httpx2.Limits(max_connections=MOST_CONNECTIONS, max_keepalive_connections=MOST_CONNECTIONS),
    )
    client.event_hooks = {"request": [], "response": [_capture]}
    address = base_url or None
    # Said of the client once: a setting of each request would have the library copy the client every time.
    if provider == "anthropic":
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        anthropic = AnthropicProvider(api_key=api_key, base_url=address, http_client=client)
        anthropic.client.max_retries = 0
        return AnthropicModel(name, provider=anthropic)
    if provider == "google":
        from google.genai.types import HttpRetryOptions
        from pydantic_ai.models.google import GoogleModel
        from pydantic_ai.providers.google import GoogleProvider

        once = HttpRetryOptions(attempts=1)
        google = GoogleProvider(api_key=api_key, base_url=address, http_client=client, retry_options=once)
        return GoogleModel(name, provider=google)
    if provider == "openai":
        from pydantic_ai.models.openai import OpenAIResponsesModel
        from pydantic_ai.providers.openai import OpenAIProvider

        openai = OpenAIProvider(base_url=address, api_key=api_key, http_client=client)
        openai.client.max_retries = 0
        return OpenAIResponsesModel(name, provider=openai)
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    local = OpenAICompatibleProvider("local", base_url=base_url, api_key=api_key or "none", http_client=client)
    local.client.max_retries = 0
    return OpenAIChatModel(name, provider=local)
