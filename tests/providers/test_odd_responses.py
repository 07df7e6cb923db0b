"""Responses that no provider should send, over real HTTP: none is taken for an answer, none is lost, all are kept."""

import json
from typing import Any

import pytest

from lexreview.answers.models import Answer
from lexreview.core.workflow import AnswerState
from lexreview.jobs.states import JobState
from lexreview.providers.models import Call, CallState
from lexreview.providers.obstacles import InTheWay
from lexreview.providers.requests import Outcome
from lexreview.providers.storable import plausible_usage, storable, storable_json, storable_steps
from lexreview.providers.structured import read_structured
from tests.answers.collecting import Collection, collection
from tests.providers.conftest import model_server, running_server
from tests.providers.server import ModelServer
from tests.providers.test_calling import Vote, ask, every_api

__all__ = ["collection", "model_server", "running_server"]
USAGE = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}


def gemini(text: str = "Yes.", finish: Any = "STOP", usage: Any = USAGE, **more: Any) -> bytes:
    content = {"role": "model", "parts": [{"text": text}]}
    candidate = {"index": 0, "content": content, "finishReason": finish, **more}
    return json.dumps({"candidates": [candidate], "usageMetadata": usage}).encode()


@every_api
@pytest.mark.parametrize(
    "body", [b"", b"null", b"[]", b"{}", b'"hello"', b"5", b"\xff\xfe{", b'{"error": {"code": 503, "message": "x"}}']
)
def test_what_is_no_response_of_the_provider_is_no_answer(
    model_server: ModelServer, provider: str, body: bytes
) -> None:
    """A proxy in the provider's place must not end as an empty answer, which would be final."""
    model_server.body = body

    reply = ask(provider, "plain")

    assert (reply.outcome, reply.obstacle) == (Outcome.PASSING, InTheWay.NOT_READABLE)
    assert reply.reason
    assert reply.raw == body


@pytest.mark.parametrize(
    ("finish", "outcome", "obstacle"),
    [
        ("SPII", Outcome.BLOCKED, InTheWay.BLOCKED),
        ("BLOCKLIST", Outcome.BLOCKED, InTheWay.BLOCKED),
        ("PROHIBITED_CONTENT", Outcome.BLOCKED, InTheWay.BLOCKED),
        ("RECITATION", Outcome.BLOCKED, InTheWay.RECITATION),
        ("MALFORMED_FUNCTION_CALL", Outcome.PASSING, InTheWay.BROKEN_OFF),
        ("OTHER", Outcome.EMPTY, InTheWay.NO_TEXT),
        ("MAX_TOKENS", Outcome.EMPTY, InTheWay.CUT_SHORT),
    ],
)
def test_google_ends_without_content(model_server: ModelServer, finish: str, outcome: str, obstacle: str) -> None:
    model_server.body = gemini(finish=finish, content=None)

    reply = ask("google", "plain")

    assert (reply.outcome, reply.obstacle, reply.stop_reason) == (outcome, obstacle, finish)
    assert reply.usage == {"input": 10, "output": 5}


@pytest.mark.parametrize("block", ["SAFETY", "OTHER", "BLOCKLIST", "A_REASON_OF_NEXT_YEAR"])
@pytest.mark.filterwarnings("ignore:.*is not a valid BlockedReason")
def test_question_that_google_blocks_keeps_its_reason(model_server: ModelServer, block: str) -> None:
    model_server.body = json.dumps({"promptFeedback": {"blockReason": block}, "usageMetadata": USAGE}).encode()

    reply = ask("google", "plain")

    assert (reply.outcome, reply.obstacle) == (Outcome.BLOCKED, InTheWay.BLOCKED)
    assert block in reply.reason


@pytest.mark.parametrize(
    "usage",
    [
        None,
        {"promptTokenCount": -5, "candidatesTokenCount": -3},
        {"promptTokenCount": 10**30, "candidatesTokenCount": 5},
        {"promptTokenCount": 10, "cachedContentTokenCount": 50, "candidatesTokenCount": 5},
    ],
)
@pytest.mark.filterwarnings("ignore:Failed to extract usage")
def test_usage_that_nobody_can_have_counted_leaves_the_cost_unknown(model_server: ModelServer, usage: Any) -> None:
    model_server.body = gemini(usage=usage)

    reply = ask("google", "plain")

    assert (reply.outcome, reply.text, reply.usage) == (Outcome.ANSWERED, "Yes.", {})


@every_api
def test_who_asks_to_come_back_next_week_means_a_quota(model_server: ModelServer, provider: str) -> None:
    soon, late = ask(provider, "later-3600"), ask(provider, "later-99999999999")

    assert (soon.outcome, soon.retry_after) == (Outcome.PASSING, 3600)
    assert (late.outcome, late.obstacle, late.retry_after) == (Outcome.PAUSING, InTheWay.QUOTA, None)


@pytest.mark.django_db(transaction=True)
def test_characters_that_no_database_takes_are_replaced_and_the_answer_is_kept(
    collection: Collection, model_server: ModelServer
) -> None:
    collection.system("argon-4", "plain", "google")
    queries = {"webSearchQueries": ["a\x00b"], "groundingChunks": [{"web": {"uri": "https://x.example/\x00"}}]}
    body = gemini("Yes\x00, SURROGATE.", groundingMetadata=queries)
    model_server.body = body.replace(b"SURROGATE", b"\\ud800")

    job = collection.run(["argon-4"])

    assert (job.state, job.failed) == (JobState.SUCCEEDED, 0)
    assert set(Answer.objects.values_list("text", "state")) == {("Yes\ufffd, \ufffd.", AnswerState.ANSWERED)}
    assert set(Call.objects.values_list("state", flat=True)) == {CallState.ANSWERED}


@pytest.mark.django_db(transaction=True)
def test_response_over_which_the_client_stumbles_is_on_record(
    collection: Collection, model_server: ModelServer, settings: Any
) -> None:
    settings.PROVIDER_TRIES = 1
    collection.system("argon-4", "plain", "google")
    model_server.body = b"5"

    item = collection.run(["argon-4"]).items.in_order()[0]

    call = Call.objects.filter(item_key=item.key).get()
    assert item.obstacle == InTheWay.NOT_READABLE
    assert (call.state, call.raw.body) == (CallState.PASSING, b"5")


def test_texts_are_made_fit_for_a_row() -> None:
    assert storable("a\x00b\ud800c\U0001f600") == "a\ufffdb\ufffdc\U0001f600"
    assert storable_steps([{"query": "a\x00", "order": 1}]) == [{"query": "a\ufffd", "order": 1}]
    assert json.loads(storable_json(r'["a\u0000b", "a\\u0000b"]')) == ["a\ufffdb", "a\\u0000b"]
    assert read_structured('{"hallucinated": true, "points": 1}', Vote).points == 1


@pytest.mark.parametrize(
    ("usage", "good"),
    [
        ({"input": 10, "cached": 6, "cache_written": 4, "output": 5, "reasoning": 5}, True),
        ({"input": 10, "cached": 6, "cache_written": 5, "output": 5}, False),
        ({"input": 10, "output": 5, "reasoning": 6}, False),
        ({"input": 10, "output": 5, "searches": 10**6}, False),
        ({"input": float("nan"), "output": 5}, False),
        ({}, True),
    ],
)
def test_parts_are_no_larger_than_their_whole(usage: dict[str, Any], good: bool) -> None:
    assert plausible_usage(usage) == (usage if good else {})
