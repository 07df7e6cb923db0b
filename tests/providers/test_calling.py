"""One call over real HTTP to a server that behaves as its model's name says; nothing in the client is replaced."""

import asyncio
from typing import Any

import pytest
from pydantic import BaseModel

from lexreview.jobs.elsewhere import background_loop
from lexreview.jobs.obstacles import obstacle_of
from lexreview.providers.calling import carry_out
from lexreview.providers.obstacles import InTheWay
from lexreview.providers.requests import CallRequest, Outcome, Reply
from lexreview.providers.structured import NotStructured, read_structured
from tests.providers.conftest import KEY
from tests.providers.server import TEXT, ModelServer

APIS = ["openai", "anthropic", "google", "local"]
every_api = pytest.mark.parametrize("provider", APIS)


class Vote(BaseModel):
    hallucinated: bool
    points: int


def ask(provider: str, model: str, prompt: str = "May she appeal?", **more: Any) -> Reply:
    request = CallRequest(provider=provider, model=model, prompt=prompt, **more)
    return asyncio.run_coroutine_threadsafe(carry_out(request), background_loop()).result(30)


@every_api
@pytest.mark.parametrize("stream", [False, True])
def test_answer_comes_with_usage_model_and_raw_response(model_server: ModelServer, provider: str, stream: bool) -> None:
    reply = ask(provider, "plain", instructions="Answer briefly.", settings={"stream": stream, "max_tokens": 300})

    assert (reply.outcome, reply.text) == (Outcome.ANSWERED, TEXT)
    assert (reply.served_model, reply.usage) == ("plain-2026-09", {"input": 120, "output": 40})
    assert reply.stop_reason
    assert b"plain-2026-09" in reply.raw
    assert reply.latency_ms >= 0
    assert reply.http_status == 200
    assert len(model_server.seen) == 1


def test_question_is_not_kept_by_openai(model_server: ModelServer) -> None:
    ask("openai", "plain")

    assert model_server.seen[0].body["store"] is False


@every_api
def test_refusal_is_a_block_with_its_reason(model_server: ModelServer, provider: str) -> None:
    reply = ask(provider, "refuse")

    assert reply.outcome == Outcome.BLOCKED
    assert reply.reason


@every_api
def test_answer_without_text_is_empty(model_server: ModelServer, provider: str) -> None:
    assert ask(provider, "empty").outcome == Outcome.EMPTY


@every_api
def test_answer_that_met_its_limit_is_an_answer_and_says_so(model_server: ModelServer, provider: str) -> None:
    reply = ask(provider, "long")

    assert reply.outcome == Outcome.ANSWERED
    assert reply.stop_reason in {"length", "max_tokens", "max_output_tokens", "MAX_TOKENS"}


@every_api
@pytest.mark.parametrize("behaviour", ["error-500", "error-503", "error-529", "cut", "broken"])
def test_passing_failures(model_server: ModelServer, provider: str, behaviour: str) -> None:
    reply = ask(provider, behaviour)

    assert reply.outcome == Outcome.PASSING
    assert reply.reason
    # The library tries nothing again by itself: each try is the job's, and is stored.
    assert len(model_server.seen) == 1


@every_api
@pytest.mark.parametrize(
    ("behaviour", "obstacle"),
    [
        ("limit-1", InTheWay.TOO_FAST),
        ("error-500", InTheWay.SERVER),
        ("error-503", InTheWay.SERVER),
        ("error-529", InTheWay.SERVER),
        ("cut", InTheWay.CONNECTION),
        ("broken", InTheWay.NOT_READABLE),
        ("refuse", InTheWay.BLOCKED),
        ("empty", InTheWay.NO_TEXT),
        ("long", InTheWay.CUT_SHORT),
        ("quota", InTheWay.QUOTA),
        ("echokey", InTheWay.KEY),
        ("error-403", InTheWay.FORBIDDEN),
        ("error-404", InTheWay.UNKNOWN_MODEL),
        ("reject", InTheWay.REJECTED),
        ("plain", ""),
    ],
)
def test_every_failure_says_of_which_kind_it_is(
    model_server: ModelServer, settings: Any, provider: str, behaviour: str, obstacle: str
) -> None:
    settings.PROVIDERS["local"]["api_key"] = KEY

    reply = ask(provider, behaviour)

    assert reply.obstacle == obstacle
    assert "\n" not in reply.reason
    assert "pydantic.dev" not in reply.reason


def test_recitation_time_out_and_settings_are_kinds_of_their_own(model_server: ModelServer, settings: Any) -> None:
    recited = ask("google", "recite")
    late = ask("local", "slow-5000", settings={"timeout": 0.3})
    unset = ask("local", "plain", settings={"temprature": 1})
    settings.PROVIDERS["google"] = {"api_key": "", "base_url": ""}
    missing = ask("google", "plain")

    assert (recited.outcome, recited.obstacle) == (Outcome.BLOCKED, InTheWay.RECITATION)
    assert late.obstacle == InTheWay.TIME_OUT
    assert (unset.outcome, unset.obstacle) == (Outcome.PAUSING, InTheWay.BAD_SETTING)
    assert (missing.outcome, missing.obstacle) == (Outcome.PAUSING, InTheWay.NOT_SET_UP)


@pytest.mark.parametrize(("model", "obstacle"), [("badjson", "not_structured"), ("badjson.long", "cut_short")])
def test_form_that_was_cut_short_is_told_from_one_that_was_filled_in_badly(
    model_server: ModelServer, model: str, obstacle: str
) -> None:
    reply = ask("local", model, output=Vote)

    assert (reply.outcome, reply.obstacle) == (Outcome.PASSING, obstacle)


def test_every_kind_says_what_happened_and_what_to_do() -> None:
    told = [obstacle_of(kind) for kind in InTheWay]

    assert all(each and each.what and each.remedy for each in told)
    assert len({str(each.what) for each in told if each}) == len(InTheWay)


@every_api
def test_rate_limit_says_when_to_come_back(model_server: ModelServer, provider: str) -> None:
    reply = ask(provider, "limit-1")

    assert (reply.outcome, reply.http_status) == (Outcome.PASSING, 429)
    assert reply.retry_after == pytest.approx(0.3)


@every_api
def test_call_that_takes_too_long_is_ended(model_server: ModelServer, provider: str) -> None:
    reply = ask(provider, "slow-5000", settings={"timeout": 0.3})

    assert reply.outcome == Outcome.PASSING
    assert reply.latency_ms < 4000


@every_api
def test_stream_that_breaks_off_is_a_failure_and_no_answer(model_server: ModelServer, provider: str) -> None:
    assert ask(provider, "plain.cutstream", settings={"stream": True}).outcome == Outcome.PASSING


@every_api
@pytest.mark.parametrize(("behaviour", "outcome"), [("quota", Outcome.PAUSING), ("reject", Outcome.REJECTED)])
def test_lasting_failures(model_server: ModelServer, provider: str, behaviour: str, outcome: Outcome) -> None:
    reply = ask(provider, behaviour)

    assert reply.outcome == outcome
    assert ("credit is used up" if behaviour == "quota" else "too long") in reply.reason


@pytest.mark.parametrize("provider", ["openai", "anthropic", "google"])
def test_key_that_the_provider_repeats_is_blanked_out(model_server: ModelServer, provider: str) -> None:
    reply = ask(provider, "echokey")

    assert model_server.seen[0].key == KEY
    assert reply.outcome == Outcome.PAUSING
    assert "[key]" in reply.reason
    assert KEY not in reply.reason
    assert KEY.encode() not in reply.raw


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_web_search_leaves_its_trace(model_server: ModelServer, provider: str) -> None:
    reply = ask(provider, "search", search=True)

    assert [(step["order"], step["kind"]) for step in reply.trace] == [(1, "search"), (2, "open"), (3, "open")]
    assert reply.trace[0]["query"] == "appeal period CPA"
    assert reply.trace[1]["address"] == "https://www.fedlex.admin.ch/eli/cc/1"
    assert reply.usage["searches"] == 1
    assert "web_search" in str(model_server.seen[0].body["tools"])


@pytest.mark.parametrize(
    ("model", "billed"),
    # Google charges newer models for every query, older ones once for a grounded answer.
    [("gemini-3.search", 2), ("gemini-2.5.search", 1)],
)
@pytest.mark.parametrize("stream", [False, True])
def test_google_search_leaves_its_trace_and_counts_as_it_is_charged(
    model_server: ModelServer, model: str, billed: int, stream: bool
) -> None:
    reply = ask("google", model, search=True, settings={"stream": stream})

    assert (reply.outcome, reply.text) == (Outcome.ANSWERED, TEXT)
    assert [(step["kind"], step.get("query") or step["address"]) for step in reply.trace] == [
        ("search", "appeal period CPA"),
        ("search", "Art. 17 CPA"),
        ("open", "https://www.fedlex.admin.ch/eli/cc/1"),
        ("open", "https://example.org/blog"),
    ]
    assert reply.trace[2]["title"] == "CPA"
    assert reply.usage["searches"] == billed
    assert model_server.seen[0].body["tools"] == [{"googleSearch": {}}]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        ("refuse", "SAFETY"),
        ("recite", "RECITATION"),
        ("forbid", "PROHIBITED_CONTENT: The question may not be asked."),
    ],
)
def test_google_blocks_for_a_reason(model_server: ModelServer, behaviour: str, reason: str, stream: bool) -> None:
    reply = ask("google", behaviour, settings={"stream": stream})

    assert (reply.outcome, reply.reason) == (Outcome.BLOCKED, reason)
    # What had been said when it broke off is kept with the call, and was charged.
    assert reply.text == (TEXT if behaviour == "recite" else "")
    assert reply.usage == {"input": 120, "output": 40}


def test_google_is_asked_in_its_own_words(model_server: ModelServer) -> None:
    chosen = {"max_tokens": 300, "temperature": 0.2, "top_p": 0.9, "top_k": 20, "seed": 7, "stop_sequences": ["###"]}

    ask("google", "plain", instructions="Answer briefly.", settings=chosen)

    seen = model_server.seen[0]
    assert (seen.path, seen.prompt, seen.key) == ("/v1beta/models/plain:generateContent", "May she appeal?", KEY)
    assert "Answer briefly." in str(seen.body["systemInstruction"])
    asked = seen.body["generationConfig"]
    words = {"maxOutputTokens": 300, "temperature": 0.2, "topP": 0.9, "topK": 20, "seed": 7, "stopSequences": ["###"]}
    assert {name: asked[name] for name in words} == words


def test_google_is_given_the_schema(model_server: ModelServer) -> None:
    ask("google", "json", output=Vote)

    asked = model_server.seen[0].body["generationConfig"]
    assert asked["responseMimeType"] == "application/json"
    assert set(asked["responseJsonSchema"]["properties"]) == {"hallucinated", "points"}


def test_search_where_the_provider_has_none_is_refused_before_the_call(model_server: ModelServer) -> None:
    reply = ask("local", "plain", search=True)

    assert reply.outcome == Outcome.PAUSING
    assert model_server.seen == []


@pytest.mark.parametrize(
    ("provider", "usage"),
    [
        ("openai", {"input": 1000, "cached": 600, "cache_written": 100, "output": 50, "reasoning": 20}),
        ("anthropic", {"input": 1000, "cached": 600, "cache_written": 100, "output": 50}),
        ("google", {"input": 1000, "cached": 600, "output": 50, "reasoning": 20}),
        ("local", {"input": 1000, "cached": 600, "output": 50, "reasoning": 20}),
    ],
)
def test_h14_cached_tokens_are_part_of_those_read_with_every_provider(
    model_server: ModelServer, provider: str, usage: dict[str, int]
) -> None:
    assert ask(provider, "cached").usage == usage


@every_api
@pytest.mark.parametrize(("behaviour", "vote"), [("json", (True, 2)), ("fenced", (False, 1))])
def test_structured_output_is_read(
    model_server: ModelServer, provider: str, behaviour: str, vote: tuple[bool, int]
) -> None:
    reply = ask(provider, behaviour, output=Vote)

    assert isinstance(reply.output, Vote)
    assert (reply.output.hallucinated, reply.output.points) == vote
    assert "hallucinated" in str(model_server.seen[0].body)


@every_api
@pytest.mark.parametrize("behaviour", ["chatty", "badjson", "twice", "plain"])
def test_anything_but_the_schema_is_a_failed_call_with_its_text_kept(
    model_server: ModelServer, provider: str, behaviour: str
) -> None:
    reply = ask(provider, behaviour, output=Vote)

    assert (reply.outcome, reply.output) == (Outcome.PASSING, None)
    assert "not the JSON" in reply.reason
    assert reply.text


@pytest.mark.parametrize("bad", [{"temprature": 1}, {"max_tokens": "many"}, {"stream": 1}, {"max_tokens": True}])
def test_setting_that_would_be_ignored_is_refused(model_server: ModelServer, bad: dict[str, Any]) -> None:
    reply = ask("local", "plain", settings=bad)

    assert reply.outcome == Outcome.PAUSING
    assert next(iter(bad)) in reply.reason
    assert model_server.seen == []


def test_provider_without_a_key_is_refused_with_the_remedy(model_server: ModelServer, settings: Any) -> None:
    settings.PROVIDERS = {**settings.PROVIDERS, "openai": {"api_key": "", "base_url": ""}}

    reply = ask("openai", "plain")

    assert reply.outcome == Outcome.PAUSING
    assert "OPENAI_API_KEY" in reply.reason


@pytest.mark.parametrize(
    "text",
    [
        '{"hallucinated": false, "hallucinated": true, "points": 1}',
        '{"points": 1, "hallucinated": true, "points": 1}',
    ],
)
def test_name_given_twice_is_ambiguous_and_refused(text: str) -> None:
    with pytest.raises(NotStructured, match="is given twice"):
        read_structured(text, Vote)
