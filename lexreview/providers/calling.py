"""One call of a model, and what became of it. Nothing is tried again here: the job decides, and stores each try."""

import asyncio
import logging
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from importlib import import_module
from typing import TYPE_CHECKING, Any

from django.conf import settings as django_settings
from django.utils import timezone
from pydantic import BaseModel

from lexreview.jobs.describing import describe
from lexreview.providers.connecting import (
    PROVIDERS,
    BadSettings,
    Captured,
    NotConfigured,
    blanked,
    captured,
    check_settings,
    is_configured,
    model_of,
)
from lexreview.providers.obstacles import InTheWay
from lexreview.providers.requests import CallRequest, Outcome, Reply
from lexreview.providers.storable import plausible_usage, storable, storable_steps
from lexreview.providers.structured import NotStructured, read_structured, schema_of
from lexreview.providers.tracing import searches_in, trace_of

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters
    from pydantic_ai.settings import ModelSettings

logger = logging.getLogger(__name__)

LONGEST_REASON = 500
# Who asks to come back later than that, in seconds, means a quota.
LONGEST_RETRY_AFTER = 3600
PHRASES = {status.value: status.phrase for status in HTTPStatus}
# A provider may pause a long answer with searches and wait to be asked to go on.
MOST_PAUSES = 10
CLIENTS = {
    "openai": "models.openai", "anthropic": "models.anthropic", "google": "models.google", "local": "models.openai",
}  # fmt: skip
BLOCK_WORDS = ("content_filter", "content_policy", "safety", "recitation", "refusal", "moderation")
# What our own request says about how it is to be carried out, not about the answer.
OURS = ("timeout", "stream", "endpoint")


class NotReadable(Exception):
    """The provider's response is none that its client understands."""


@dataclass
class Collected:
    """Parts and usage of all responses that make up one answer."""

    parts: list[Any] = field(default_factory=list)
    usage: dict[str, int] = field(default_factory=dict)
    last: "ModelResponse | None" = None

    def add(self, response: "ModelResponse") -> None:
        self.parts.extend(response.parts)
        for kind, number in usage_of(response).items():
            self.usage[kind] = self.usage.get(kind, 0) + number
        self.last = response


def load_client() -> None:
    """Import what a call needs: seconds that must not pass between its place at the gate and its start. Clients of
    providers that are not set up are left out: that of Google alone takes 0.4 s of a processor and 16 MiB."""
    clients = {CLIENTS[provider] for provider in PROVIDERS if is_configured(provider)}
    for name in ("direct", "native_tools", "output", *sorted(clients)):
        import_module(f"pydantic_ai.{name}")


async def carry_out(request: CallRequest, *, after: float = 0.0) -> Reply:
    """Ask once, `after` seconds from now. Every expected failure is an outcome of the reply; only faults of our own
    are raised."""
    from pydantic_ai.exceptions import AgentRunError, UserError

    if after > 0:
        await asyncio.sleep(after)
    started_at, begin = timezone.now(), time.perf_counter()
    taking, collected = Captured(), Collected()
    problem: Exception | None = None
    token = captured.set(taking)
    try:
        await _ask(request, collected)
    except (AgentRunError, UserError, NotConfigured, BadSettings) as error:
        problem = error
    except Exception as error:
        if taking.status is None:
            raise
        # The client stumbled over what came, which may be paid for: it is kept, and the call ends as one that failed.
        logger.exception("a response of %s cannot be read", request.provider)
        problem = NotReadable(f"the client cannot read it: {describe(error)}")
    finally:
        captured.reset(token)
    facts: dict[str, Any] = {
        "started_at": started_at,
        "finished_at": timezone.now(),
        "latency_ms": round((time.perf_counter() - begin) * 1000),
        "http_status": taking.status,
        "raw": _raw(taking),
        "usage": collected.usage,
    }
    if problem is not None:
        return Reply(**{**facts, **_failed(problem)})
    return Reply(**facts, **_answered(request, collected))


async def _ask(request: CallRequest, collected: Collected) -> None:
    from pydantic_ai.messages import ModelRequest, UserPromptPart

    check_settings(request.settings)
    model = model_of(request.provider, request.model)
    messages: list[ModelMessage] = [
        ModelRequest(parts=[UserPromptPart(content=request.prompt)], instructions=request.instructions or None)
    ]
    parameters, model_settings = _parameters(request, model), _model_settings(request)
    for _ in range(MOST_PAUSES):
        response = await _once(model, messages, parameters, model_settings, stream=request.settings.get("stream"))
        collected.add(response)
        if response.state != "suspended":
            return
        messages.append(response)


async def _once(
    model: "Model[Any]",
    messages: "Sequence[ModelMessage]",
    parameters: "ModelRequestParameters",
    model_settings: "ModelSettings",
    *,
    stream: Any,
) -> "ModelResponse":
    from pydantic_ai.direct import model_request, model_request_stream

    if not stream:
        return await model_request(model, messages, model_request_parameters=parameters, model_settings=model_settings)
    async with model_request_stream(
        model, messages, model_request_parameters=parameters, model_settings=model_settings
    ) as events:
        async for _ in events:
            pass
        return events.get()


def _parameters(request: CallRequest, model: "Model[Any]") -> "ModelRequestParameters":
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.native_tools import AbstractNativeTool, WebSearchTool
    from pydantic_ai.output import OutputObjectDefinition

    tools: list[AbstractNativeTool] = [WebSearchTool()] if request.search else []
    if request.output is None:
        return ModelRequestParameters(native_tools=tools)
    described = OutputObjectDefinition(json_schema=schema_of(request.output), name=request.output.__name__, strict=True)
    native = model.profile.get("supports_json_schema_output", False)
    return ModelRequestParameters(
        native_tools=tools,
        output_mode="native" if native else "prompted",
        output_object=described,
        allow_text_output=True,
    )


def _model_settings(request: CallRequest) -> "ModelSettings":
    """A question that is not disclosed is not kept by the provider."""
    chosen = {name: value for name, value in request.settings.items() if name not in OURS}
    limit = float(request.settings.get("timeout", django_settings.PROVIDER_TIMEOUT))
    made: ModelSettings = {**chosen, "request_timeout": limit}  # type: ignore[typeddict-item]
    if request.provider == "openai":
        made["openai_store"] = False  # type: ignore[typeddict-unknown-key]
    return made


def usage_of(response: "ModelResponse") -> dict[str, int]:
    """Tokens by kind as answers keep them; empty when the provider reported none."""
    usage = response.usage
    if usage.unmeasured_requests or not (usage.input_tokens or usage.output_tokens):
        return {}
    kinds = {
        "input": usage.input_tokens,
        "cached": usage.cache_read_tokens,
        "cache_written": usage.cache_write_tokens,
        "cache_written_1h": usage.cache_write_1h_tokens,
        "output": usage.output_tokens,
        "reasoning": usage.output_reasoning_tokens,
        "searches": _charged_searches(response),
    }
    return plausible_usage({kind: number for kind, number in kinds.items() if number or kind in {"input", "output"}})


def _charged_searches(response: "ModelResponse") -> int:
    """As the provider charges for them, where the client says so: older models of Google once for a grounded answer,
    however many queries it took, and not at all where no page was found."""
    usage = response.usage
    charged = getattr(usage, "web_searches", None)
    if charged is None and response.provider_name == "google":
        return 0
    return int(charged or usage.details.get("web_search_requests") or searches_in(trace_of(response.parts)))


def _answered(request: CallRequest, collected: Collected) -> dict[str, Any]:
    response = collected.last
    assert response is not None
    details = response.provider_details or {}
    text = storable("".join(part.content for part in collected.parts if part.part_kind == "text"))
    stop = str(details.get("finish_reason") or response.finish_reason or "")
    made: dict[str, Any] = {
        "text": text,
        "served_model": storable(response.model_name or request.model),
        "stop_reason": storable(stop)[:LONGEST_REASON],
        "trace": storable_steps(trace_of(collected.parts)),
    }
    if response.finish_reason == "content_filter":
        held_back = InTheWay.RECITATION if "recitation" in stop.lower() else InTheWay.BLOCKED
        return {**made, "outcome": Outcome.BLOCKED, "obstacle": held_back, "reason": _block_reason(details, stop)}
    if response.state == "suspended" or response.finish_reason == "error":
        return {
            **made,
            "outcome": Outcome.PASSING,
            "obstacle": InTheWay.BROKEN_OFF,
            "reason": f"the provider ended the answer with {stop or 'an error'}",
        }
    cut_short = response.finish_reason == "length"
    if not text.strip() and not stop:
        reason = "the response has neither text nor an end"
        return {**made, "outcome": Outcome.PASSING, "obstacle": InTheWay.NOT_READABLE, "reason": reason}
    if not text.strip():
        made |= {"outcome": Outcome.EMPTY, "obstacle": InTheWay.CUT_SHORT if cut_short else InTheWay.NO_TEXT}
        return {**made, "reason": f"no text; the provider ended with {stop}" if stop else ""}
    if cut_short:
        made["obstacle"] = InTheWay.CUT_SHORT
    if request.output is not None:
        return {**made, **_structured(text, request.output, cut_short=cut_short)}
    return {**made, "outcome": Outcome.ANSWERED}


def _structured(text: str, model: type[BaseModel], *, cut_short: bool) -> dict[str, Any]:
    try:
        return {"outcome": Outcome.ANSWERED, "output": read_structured(text, model)}
    except NotStructured as error:
        return {
            "outcome": Outcome.PASSING,
            "obstacle": InTheWay.CUT_SHORT if cut_short else InTheWay.NOT_STRUCTURED,
            "reason": f"not the JSON that was asked for: {error}"[:LONGEST_REASON],
        }


def _block_reason(details: Mapping[str, Any], stop: str) -> str:
    names = ("refusal_category", "refusal", "block_reason", "block_reason_message")
    words = [str(details[name]) for name in names if details.get(name)]
    return storable(blanked(": ".join(words) or stop or "content filter"))[:LONGEST_REASON]


def _failed(error: Exception) -> dict[str, Any]:
    from pydantic_ai.exceptions import ModelAPIError, ModelHTTPError

    status = error.status_code if isinstance(error, ModelHTTPError) else None
    outcome, obstacle = _what_failed(error, status)
    made: dict[str, Any] = {"outcome": outcome, "obstacle": obstacle, "reason": _reason(error, status)}
    if status is not None:
        made["http_status"] = status
    if isinstance(error, ModelAPIError) and error.retry_after is not None and math.isfinite(error.retry_after):
        made["retry_after"] = max(error.retry_after, 0.0)
        if outcome == Outcome.PASSING and error.retry_after > LONGEST_RETRY_AFTER:
            # A quota of the day by another name: nobody should wait for it without knowing.
            made |= {"outcome": Outcome.PAUSING, "obstacle": InTheWay.QUOTA, "retry_after": None}
    return made


def _what_failed(error: Exception, status: int | None) -> tuple[Outcome, InTheWay]:
    """By the first class of the client's errors that it is one of; those of a status come with it."""
    from pydantic_ai import exceptions as client

    if isinstance(error, client.ContentFilterError) or (status == 400 and _is_block(error)):
        return Outcome.BLOCKED, InTheWay.BLOCKED
    kinds: list[tuple[type[Exception], Outcome, InTheWay]] = [
        (client.ModelQuotaExceededError, Outcome.PAUSING, InTheWay.QUOTA),
        (client.ModelAuthenticationError, Outcome.PAUSING, InTheWay.FORBIDDEN if status == 403 else InTheWay.KEY),
        (client.ModelNotFoundError, Outcome.PAUSING, InTheWay.UNKNOWN_MODEL),
        (NotConfigured, Outcome.PAUSING, InTheWay.NOT_SET_UP),
        (BadSettings, Outcome.PAUSING, InTheWay.BAD_SETTING),
        (client.UserError, Outcome.PAUSING, InTheWay.BAD_SETTING),
        (client.ModelRateLimitError, Outcome.PASSING, InTheWay.TOO_FAST),
        (client.ModelUnavailableError, Outcome.PASSING, InTheWay.SERVER),
        (client.ModelServerError, Outcome.PASSING, InTheWay.SERVER),
        (client.ModelTimeoutError, Outcome.PASSING, InTheWay.TIME_OUT),
        (client.ModelRequestTimeout, Outcome.PASSING, InTheWay.TIME_OUT),
        (client.ModelConnectionError, Outcome.PASSING, InTheWay.CONNECTION),
        (client.ModelRequestRejectedError, Outcome.REJECTED, InTheWay.REJECTED),
    ]
    for kind, outcome, obstacle in kinds:
        if isinstance(error, kind):
            return outcome, obstacle
    if status is not None and 400 <= status < 500:
        return Outcome.REJECTED, InTheWay.REJECTED
    return Outcome.PASSING, InTheWay.NOT_READABLE


def _is_block(error: Exception) -> bool:
    code = " ".join(str(getattr(error, name, "") or "") for name in ("provider_error_code", "provider_error_type"))
    return any(word in code.lower() for word in BLOCK_WORDS)


def _reason(error: Exception, status: int | None) -> str:
    """The provider's own words where it gives some, with the status; never a key."""
    words = _words_of(getattr(error, "body", None))
    if status is not None and not words:
        words = PHRASES.get(status, "no words")
    # What the client says beside its first line repeats the body, which is kept as it came.
    own = str(getattr(error, "message", "") or error).strip().split("\n")[0]
    words = " ".join(blanked(words or own or type(error).__name__).split())
    return storable(f"HTTP {status}: {words}" if status is not None else words)[:LONGEST_REASON]


def _words_of(body: Any) -> str:
    """What the provider says in the body of an error, where it says something."""
    if isinstance(body, list):
        return _words_of(body[0]) if body else ""
    if not isinstance(body, Mapping):
        return ""
    inner = body.get("error", body)
    said = inner.get("message") if isinstance(inner, Mapping) else inner
    return str(said) if said else ""


def _raw(taking: Captured) -> bytes:
    return blanked(b"\n".join(taking.bodies).decode(errors="surrogateescape")).encode(errors="surrogateescape")
