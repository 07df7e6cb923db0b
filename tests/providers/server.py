"""A small server that answers over real HTTP as OpenAI (Responses and Chat Completions), Anthropic (Messages) and
Google (Gemini's generateContent and streamGenerateContent) do.

The name of the model says how it behaves, words joined by dots; `SPEC-…` in the prompt of a question wins over it:

    plain             answers at once with fixed usage
    slow-500          after 500 ms
    cut               breaks the connection in the middle of the body
    broken            200 with a body that is no JSON
    repeat            says the same sentence many times
    refuse            refuses, each API in its own way; Google ends the answer with SAFETY
    recite / forbid   Google only: ends the answer with RECITATION, or blocks the question itself
    empty             answers with no text
    long              ends because of its limit of tokens
    search            searches the web and opens two pages; `gemini-2.5.search` as Google's older models do it
    cached            reports tokens read from and written to the cache
    json / fenced / chatty / badjson   structured output, good and bad
    judgeno / judgeyes    fills in the form that was asked for: no error found, or one in the answer's first words
    wrapped / talking / halved / unknownclass / unknowncriterion / toomany / stranger   … and spoils it
    error-503         this status
    limit-2           429 with Retry-After for the first two calls of each prompt
    flaky-2-503       this status for the first two calls of each prompt
    later-7200        429 with Retry-After of this many seconds
    quota             402, the account's credit is used up; Google's 429 names the quota of the day
    echokey           401 that repeats the key it was sent; Google's 400 gives the reason
    rate-600          429 once more than 600 calls a minute arrive (token bucket of two seconds)

A test may set `reply`, which then says what is answered to a prompt; None leaves it to the words above.
With `body` every answer is these bytes and nothing else. With `counts_letters` the usage follows from the length of the
texts.

Run as a program it prints its port and serves until it is killed; `GET /seen` tells what it was asked.
"""

import asyncio
import json
import re
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

TEXT = "Yes, within seven days (Art. 17 § 1 CPA)."
USAGE = {"input": 120, "output": 40}
# Of the fences of our prompts, which differ from call to call.
MARKER = re.compile(r"\b[0-9a-f]{16}\b")
GEMINI = re.compile(r"/models/(?P<model>[^/:]+):(?P<verb>\w+)")
RPC = "type.googleapis.com/google.rpc."
GOOGLE_ENDS = {"refuse": "SAFETY", "recite": "RECITATION", "long": "MAX_TOKENS"}


@dataclass
class Seen:
    at: float
    path: str
    model: str
    prompt: str
    key: str
    status: int = 0
    body: dict[str, Any] = field(default_factory=dict)


class ModelServer:
    """Start with `start()`; `address` has no path. One event loop on a thread of its own."""

    def __init__(self) -> None:
        self.seen: list[Seen] = []
        self.port = 0
        self.keep_bodies = True
        self.counts_letters = False
        self.reply: Callable[[Seen], str | None] | None = None
        self.body: bytes | None = None
        self._counts: dict[str, int] = {}
        self._bucket, self._filled_at = 0.0, 0.0
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> "ModelServer":
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def forget(self) -> None:
        self.seen.clear()
        self._counts.clear()
        self.reply = self.body = None
        self.counts_letters = False

    def answered(self) -> list[Seen]:
        return [each for each in self.seen if each.status == 200]

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)

        async def listen() -> None:
            self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port, backlog=512)
            self.port = self._server.sockets[0].getsockname()[1]
            self._ready.set()

        self._loop.run_until_complete(listen())
        self._loop.run_forever()
        self._server.close()
        tasks = asyncio.all_tasks(self._loop)
        for task in tasks:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        self._loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._one(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        except asyncio.IncompleteReadError:
            return False
        first, *lines = head.split("\r\n")
        method, path, _ = first.split(" ")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines if line)}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        if method == "GET":
            await self._send(writer, 200, {"seen": [asdict(each) for each in self.seen]})
            return True
        asked = json.loads(body)
        if of_google := GEMINI.search(path):
            asked |= {"model": of_google["model"], "stream": of_google["verb"] == "streamGenerateContent"}
        prompt = prompt_of(path, asked)
        model = next(iter(re.findall(r"SPEC-(\S+)", prompt)), asked["model"])
        key = headers.get("x-api-key") or headers.get("x-goog-api-key")
        key = key or headers.get("authorization", "").removeprefix("Bearer ")
        seen = Seen(time.time(), path, asked["model"], prompt, key, body=asked if self.keep_bodies else {})
        self.seen.append(seen)
        return await self._answer(writer, seen, model.split("."), asked)

    async def _answer(self, writer: asyncio.StreamWriter, seen: Seen, words: list[str], asked: dict[str, Any]) -> bool:
        api = api_of(seen.path)
        if self.body is not None:
            seen.status = 200
            await self._bytes(writer, 200, self.body, {})
            return True
        text, usage, extra = (self.reply and self.reply(seen)) or TEXT, dict(USAGE), ""
        for word in words:
            name, *numbers = word.split("-")
            plain = seen.model + MARKER.sub("", seen.prompt)
            count = self._counts[plain] = self._counts.get(plain, 0) + 1
            if name == "slow":
                await asyncio.sleep(int(numbers[0]) / 1000)
            elif name == "error":
                return await self._refuse(writer, seen, api, int(numbers[0]), "server error of this test")
            elif name == "limit" and count <= int(numbers[0]):
                return await self._refuse(writer, seen, api, 429, "too many requests", {"Retry-After-Ms": "300"})
            elif name == "flaky" and count <= int(numbers[0]):
                return await self._refuse(writer, seen, api, int(numbers[1]), "busy")
            elif name == "rate" and self._too_fast(int(numbers[0])):
                return await self._refuse(writer, seen, api, 429, "too many requests", {"Retry-After": "1"})
            elif name == "later":
                return await self._refuse(writer, seen, api, 429, "come back later", {"Retry-After": numbers[0]})
            elif name == "quota":
                return await self._refuse(writer, seen, api, 402, "your credit is used up")
            elif name == "echokey":
                return await self._refuse(writer, seen, api, 401, f"the key {seen.key} is not valid")
            elif name == "reject":
                return await self._refuse(writer, seen, api, 400, "the question is too long")
            elif name == "broken":
                seen.status = 200
                await self._bytes(writer, 200, b"<html>gateway</html>", {})
                return True
            elif name == "cut":
                return await self._cut(writer, seen, api, asked)
            elif name in {"refuse", "recite", "forbid", "empty", "long", "search", "cached"}:
                extra = name
                text = "" if name in {"empty", "refuse", "forbid"} else text
            elif name == "repeat":
                text = " ".join([TEXT] * 200)
            elif name in STRUCTURED:
                text = STRUCTURED[name]
            elif name in {"judgeno", "judgeyes"}:
                text = filled_in(form_of(asked), asked, seen.prompt, hallucinated=name == "judgeyes")
            elif name in SPOILED:
                text = SPOILED[name](text)
        if self.counts_letters:
            usage = {"input": len(json.dumps(asked)) // 4, "output": len(text) // 4}
        if extra == "cached":
            usage = {"input": 1000, "cached": 600, "written": 100, "output": 50, "reasoning": 20}
        seen.status = 200
        served = f"{asked['model']}-2026-09"
        made = BODIES[api](served, text, usage, extra)
        if asked.get("stream"):
            await self._stream(writer, api, made, cut="cutstream" in words)
            return "cutstream" not in words
        await self._send(writer, 200, made)
        return True

    def _too_fast(self, limit: int) -> bool:
        """A bucket that fills evenly and holds what may come in two seconds; a call takes one out."""
        now, a_second = time.monotonic(), limit / 60
        self._bucket = min(2 * a_second, self._bucket + (now - self._filled_at) * a_second)
        self._filled_at = now
        if self._bucket < 1:
            return True
        self._bucket -= 1
        return False

    async def _refuse(
        self,
        writer: asyncio.StreamWriter,
        seen: Seen,
        api: str,
        status: int,
        words: str,
        headers: dict[str, str] | None = None,
    ) -> bool:
        if api == "google":
            return await self._refuse_as_google(writer, seen, status, words, headers or {})
        seen.status = status
        kinds = {
            402: "billing_error",
            429: "rate_limit_error",
            401: "authentication_error",
            400: "invalid_request_error",
        }
        error = {"type": kinds.get(status, "api_error"), "message": words}
        body = {"type": "error", "error": error} if api == "anthropic" else {"error": {**error, "code": None}}
        await self._send(writer, status, body, headers or {})
        return True

    async def _refuse_as_google(
        self, writer: asyncio.StreamWriter, seen: Seen, status: int, words: str, headers: dict[str, str]
    ) -> bool:
        """Google knows neither 401 for a key nor 402, and says in the body what others say in headers."""
        details: list[dict[str, Any]] = []
        if status == 402:
            quota = "GenerateRequestsPerDayPerProjectPerModel-FreeTier"
            details = [{"@type": f"{RPC}QuotaFailure", "violations": [{"quotaId": quota}]}]
        elif status == 401:
            details = [{"@type": f"{RPC}ErrorInfo", "reason": "API_KEY_INVALID"}]
        elif wait := headers.get("Retry-After-Ms"):
            details = [{"@type": f"{RPC}RetryInfo", "retryDelay": f"{int(wait) / 1000}s"}]
        elif wait := headers.get("Retry-After"):
            details = [{"@type": f"{RPC}RetryInfo", "retryDelay": f"{wait}s"}]
        seen.status = {401: 400, 402: 429}.get(status, status)
        names = {400: "INVALID_ARGUMENT", 429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE"}
        error = {"code": seen.status, "message": words, "status": names.get(seen.status, "UNKNOWN")}
        await self._send(writer, seen.status, {"error": {**error, "details": details} if details else error})
        return True

    async def _cut(self, writer: asyncio.StreamWriter, seen: Seen, api: str, asked: dict[str, Any]) -> bool:
        seen.status = 200
        body = json.dumps(BODIES[api](asked["model"], TEXT, USAGE, "")).encode()
        writer.write(
            f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        )
        writer.write(body[: len(body) // 2])
        await writer.drain()
        return False

    async def _stream(self, writer: asyncio.StreamWriter, api: str, made: dict[str, Any], *, cut: bool) -> None:
        head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        writer.write(head.encode())
        events = list(STREAMS[api](made))
        for event in events[: len(events) // 2] if cut else events:
            chunk = event.encode()
            writer.write(f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n")
            await writer.drain()
        if not cut:
            writer.write(b"0\r\n\r\n")
            await writer.drain()

    async def _send(
        self, writer: asyncio.StreamWriter, status: int, body: dict[str, Any], headers: dict[str, str] | None = None
    ) -> None:
        await self._bytes(writer, status, json.dumps(body).encode(), headers or {})

    async def _bytes(self, writer: asyncio.StreamWriter, status: int, body: bytes, headers: dict[str, str]) -> None:
        lines = [f"HTTP/1.1 {status} Whatever", "Content-Type: application/json", f"Content-Length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        await writer.drain()


STRUCTURED = {
    "json": '{"hallucinated": true, "points": 2}',
    "fenced": '```json\n{"hallucinated": false, "points": 1}\n```',
    "chatty": 'Here it is: {"hallucinated": false, "points": 1}',
    "badjson": '{"hallucinated": "maybe"',
    "twice": '{"hallucinated": false, "points": 1}{"hallucinated": true, "points": 1}',
}


def form_of(asked: dict[str, Any]) -> dict[str, Any]:
    """The JSON schema that was asked for: as each API has a place for it, else in the text of the instructions."""
    format_ = asked.get("response_format", {}).get("json_schema") or asked.get("text", {}).get("format") or {}
    format_ = format_ or asked.get("output_config", {}).get("format", {}) or asked.get("output_format", {})
    if "schema" in format_:
        return dict(format_["schema"])
    texts = json.dumps([asked.get("system"), asked.get("instructions"), asked.get("messages"), asked.get("input")])
    place = texts.index('{\\\\"$defs') if '{\\\\"$defs' in texts else texts.index('{\\"$defs')
    plain = texts[place:].replace('\\"', '"')
    return dict(json.JSONDecoder().raw_decode(plain)[0])


def filled_in(form: dict[str, Any], asked: dict[str, Any], prompt: str, *, hallucinated: bool) -> str:
    """A verdict of that form with the least points for every criterion."""
    criteria = form["$defs"]["Criteria"]["properties"]
    said: dict[str, Any] = {
        "hallucinated": hallucinated,
        "criteria": {code: int(rule.get("minimum", 0)) for code, rule in criteria.items()},
        "findings": [],
        "citations_checked": [],
    }
    if hallucinated:
        answer = re.findall(r"<answer (\w+)>\n(.*?)\n</answer \1>", prompt, re.DOTALL)[-1][1]
        classes = form["$defs"]["Finding"]["properties"]["class"]["enum"]
        said["findings"] = [
            {"class": classes[0], "claim": " ".join(answer.split()[:3]), "source_says": "something else"}
        ]
    return json.dumps(said)


def _with(text: str, **changes: Any) -> str:
    said = json.loads(text)
    for name, value in changes.items():
        said[name] = {**said[name], **value} if isinstance(value, dict) else value
    return json.dumps(said)


ERROR = {"class": "T", "claim": "Yes", "source_says": "no"}
SPOILED: dict[str, Callable[[str], str]] = {
    "wrapped": lambda text: f"```json\n{text}\n```",
    "talking": lambda text: f"Here is my verdict: {text} I hope it helps.",
    "halved": lambda text: text[: len(text) // 2],
    "twoverdicts": lambda text: f"{text}\n{text}",
    "unknownclass": lambda text: _with(text, hallucinated=True, findings=[{**ERROR, "class": "Q"}]),
    "unknowncriterion": lambda text: _with(text, criteria={"Z9": 1}),
    "toomany": lambda text: _with(text, criteria={"A-R": 3}),
    "between": lambda text: _with(text, criteria={"A-R": 0.5}),
    "intext": lambda text: _with(text, criteria={"A-R": "2"}),
    "noboolean": lambda text: _with(text, hallucinated="false"),
    "missing": lambda text: json.dumps({name: value for name, value in json.loads(text).items() if name != "criteria"}),
    "further": lambda text: _with(text, verdict="pass"),
    "named": lambda text: text.replace("{", '{"hallucinated": true, ', 1),
    "contradiction": lambda text: _with(text, hallucinated=False, findings=[ERROR]),
    "stranger": lambda text: _with(text, hallucinated=True, findings=[{**ERROR, "claim": "words that nobody wrote"}]),
}


def api_of(path: str) -> str:
    if GEMINI.search(path):
        return "google"
    return "anthropic" if path.endswith("/messages") else "chat" if "chat" in path else "responses"


def prompt_of(path: str, asked: dict[str, Any]) -> str:
    if "contents" in asked:
        return "".join(part.get("text", "") for part in asked["contents"][-1]["parts"])
    messages = asked.get("messages") or asked.get("input") or []
    if isinstance(messages, str):
        return messages
    content = next((each["content"] for each in reversed(messages) if each.get("role") == "user"), "")
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def responses_body(model: str, text: str, usage: dict[str, int], extra: str) -> dict[str, Any]:
    output: list[dict[str, Any]] = []
    if extra == "search":
        output += [
            {"type": "web_search_call", "id": "ws_1", "status": "completed",
             "action": {"type": "search", "query": "appeal period CPA"}},
            {"type": "web_search_call", "id": "ws_2", "status": "completed",
             "action": {"type": "open_page", "url": "https://www.fedlex.admin.ch/eli/cc/1"}},
            {"type": "web_search_call", "id": "ws_3", "status": "completed",
             "action": {"type": "open_page", "url": "https://example.org/blog"}},
        ]  # fmt: skip
    content = [{"type": "output_text", "text": text, "annotations": [], "logprobs": []}] if text else []
    if extra == "refuse":
        content = [{"type": "refusal", "refusal": "I cannot help with that."}]
    output.append({"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": content})
    made = {
        "id": "resp_1", "object": "response", "created_at": 1790000000, "model": model, "output": output,
        "status": "completed", "parallel_tool_calls": True, "tool_choice": "auto", "tools": [],
        "error": None, "incomplete_details": None, "instructions": None, "metadata": {},
        "usage": {
            "input_tokens": usage["input"], "output_tokens": usage["output"],
            "total_tokens": usage["input"] + usage["output"],
            "input_tokens_details": {
                "cached_tokens": usage.get("cached", 0), "cache_write_tokens": usage.get("written", 0),
            },
            "output_tokens_details": {"reasoning_tokens": usage.get("reasoning", 0)},
        },
    }  # fmt: skip
    if extra == "long":
        made |= {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
    return made


def chat_body(model: str, text: str, usage: dict[str, int], extra: str) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": text, "refusal": None}
    finish = "stop"
    if extra == "refuse":
        message |= {"content": None, "refusal": "I cannot help with that."}
    elif extra == "long":
        finish = "length"
    return {
        "id": "chatcmpl_1", "object": "chat.completion", "created": 1790000000, "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": finish, "logprobs": None}],
        "usage": {
            "prompt_tokens": usage["input"], "completion_tokens": usage["output"],
            "total_tokens": usage["input"] + usage["output"],
            "prompt_tokens_details": {"cached_tokens": usage.get("cached", 0)},
            "completion_tokens_details": {"reasoning_tokens": usage.get("reasoning", 0)},
        },
    }  # fmt: skip


def anthropic_body(model: str, text: str, usage: dict[str, int], extra: str) -> dict[str, Any]:
    """Anthropic's own `input_tokens` are without those read from and written to the cache."""
    content: list[dict[str, Any]] = []
    if extra == "search":
        results = [
            {"type": "web_search_result", "url": url, "title": title, "encrypted_content": "x", "page_age": None}
            for url, title in [("https://www.fedlex.admin.ch/eli/cc/1", "CPA"), ("https://example.org/blog", "A blog")]
        ]
        content += [
            {"type": "server_tool_use", "id": "st_1", "name": "web_search", "input": {"query": "appeal period CPA"}},
            {"type": "web_search_tool_result", "tool_use_id": "st_1", "content": results},
        ]
    if text:
        content.append({"type": "text", "text": text, "citations": None})
    stop = {"refuse": "refusal", "long": "max_tokens"}.get(extra, "end_turn")
    cached, written = usage.get("cached", 0), usage.get("written", 0)
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": content,
        "stop_reason": stop, "stop_sequence": None,
        "usage": {
            "input_tokens": usage["input"] - cached - written, "output_tokens": usage["output"],
            "cache_read_input_tokens": cached, "cache_creation_input_tokens": written,
            "server_tool_use": {"web_search_requests": 1 if extra == "search" else 0, "web_fetch_requests": 0},
        },
    }  # fmt: skip


def google_body(model: str, text: str, usage: dict[str, int], extra: str) -> dict[str, Any]:
    """Google's `candidatesTokenCount` is without the tokens of thoughts. Newer models tell of a search as steps of the
    answer, older ones only where its grounding is told; pages are told there by both."""
    made: dict[str, Any] = {
        "modelVersion": model, "responseId": "gemini_1",
        "usageMetadata": {
            "promptTokenCount": usage["input"],
            "candidatesTokenCount": usage["output"] - usage.get("reasoning", 0),
            "totalTokenCount": usage["input"] + usage["output"],
        },
    }  # fmt: skip
    if usage.get("cached"):
        made["usageMetadata"] |= {"cachedContentTokenCount": usage["cached"], "thoughtsTokenCount": usage["reasoning"]}
    if extra == "forbid":
        feedback = {"blockReason": "PROHIBITED_CONTENT", "blockReasonMessage": "The question may not be asked."}
        return {**made, "promptFeedback": feedback}
    parts: list[dict[str, Any]] = [{"text": text}] if text else []
    candidate: dict[str, Any] = {"index": 0, "finishReason": GOOGLE_ENDS.get(extra, "STOP")}
    if extra == "refuse":
        rating = {"category": "HARM_CATEGORY_DANGEROUS_CONTENT", "probability": "HIGH", "blocked": True}
        candidate["safetyRatings"] = [rating]
    elif extra == "search":
        queries = ["appeal period CPA", "Art. 17 CPA"]
        pages = [("https://www.fedlex.admin.ch/eli/cc/1", "CPA"), ("https://example.org/blog", "A blog")]
        candidate["groundingMetadata"] = {
            "webSearchQueries": queries,
            "groundingChunks": [{"web": {"uri": address, "title": title}} for address, title in pages],
        }
        if "gemini-2" not in model:
            step = {"toolType": "GOOGLE_SEARCH_WEB", "id": "search_1"}
            response = {"search_suggestions": "<div>suggestions</div>"}
            parts = [
                {"toolCall": {**step, "args": {"queries": queries}}},
                {"toolResponse": {**step, "response": response}},
                *parts,
            ]
    candidate["content"] = {"role": "model", **({"parts": parts} if parts else {})}
    return {**made, "candidates": [candidate]}


def google_stream(made: dict[str, Any]) -> Any:
    """Text in pieces; how it ended and what it was grounded on come with the last one."""
    for candidate in made.get("candidates", []):
        *steps, last = candidate["content"].get("parts") or [{"text": ""}]
        for step in steps:
            yield _event({**made, "candidates": [{"index": 0, "content": {"role": "model", "parts": [step]}}]})
        text = last["text"]
        for start in range(0, len(text), 7):
            part = {"text": text[start : start + 7]}
            yield _event({**made, "candidates": [{"index": 0, "content": {"role": "model", "parts": [part]}}]})
        ending = {name: value for name, value in candidate.items() if name != "content"}
        yield _event({**made, "candidates": [{**ending, "content": {"role": "model", "parts": [{"text": ""}]}}]})
        return
    yield _event(made)


def chat_stream(made: dict[str, Any]) -> Any:
    base = {"id": made["id"], "object": "chat.completion.chunk", "created": made["created"], "model": made["model"]}
    text = made["choices"][0]["message"]["content"] or ""
    for start in range(0, len(text), 7):
        delta = {"role": "assistant", "content": text[start : start + 7]}
        yield _event({**base, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    yield _event({**base, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    yield _event({**base, "choices": [], "usage": made["usage"]})
    yield "data: [DONE]\n\n"


def anthropic_stream(made: dict[str, Any]) -> Any:
    text = "".join(part.get("text", "") for part in made["content"])
    start = {**made, "content": [], "stop_reason": None, "usage": {**made["usage"], "output_tokens": 1}}
    yield _event({"type": "message_start", "message": start}, "message_start")
    block = {"type": "text", "text": ""}
    yield _event({"type": "content_block_start", "index": 0, "content_block": block}, "content_block_start")
    for position in range(0, len(text), 7):
        delta = {"type": "text_delta", "text": text[position : position + 7]}
        yield _event({"type": "content_block_delta", "index": 0, "delta": delta}, "content_block_delta")
    yield _event({"type": "content_block_stop", "index": 0}, "content_block_stop")
    delta = {"stop_reason": made["stop_reason"], "stop_sequence": None}
    usage = {"output_tokens": made["usage"]["output_tokens"]}
    yield _event({"type": "message_delta", "delta": delta, "usage": usage}, "message_delta")
    yield _event({"type": "message_stop"}, "message_stop")


def responses_stream(made: dict[str, Any]) -> Any:
    number = iter(range(1000))
    begun = {**made, "output": [], "status": "in_progress", "usage": None}
    yield _event({"type": "response.created", "sequence_number": next(number), "response": begun}, "response.created")
    item = made["output"][-1]
    text = "".join(part.get("text", "") for part in item["content"])
    place = {"item_id": item["id"], "output_index": 0, "content_index": 0}
    empty = {**item, "content": [], "status": "in_progress"}
    kind = "response.output_item.added"
    yield _event({"type": kind, "sequence_number": next(number), "output_index": 0, "item": empty}, kind)
    for position in range(0, len(text), 7):
        kind = "response.output_text.delta"
        delta = {"delta": text[position : position + 7], "logprobs": []}
        yield _event({"type": kind, "sequence_number": next(number), **place, **delta}, kind)
    kind = "response.output_item.done"
    yield _event({"type": kind, "sequence_number": next(number), "output_index": 0, "item": item}, kind)
    yield _event(
        {"type": "response.completed", "sequence_number": next(number), "response": made}, "response.completed"
    )


def _event(value: dict[str, Any], name: str = "") -> str:
    return (f"event: {name}\n" if name else "") + f"data: {json.dumps(value)}\n\n"


BODIES = {"responses": responses_body, "chat": chat_body, "anthropic": anthropic_body, "google": google_body}
STREAMS = {
    "responses": responses_stream, "chat": chat_stream, "anthropic": anthropic_stream, "google": google_stream,
}  # fmt: skip


if __name__ == "__main__":
    server = ModelServer()
    server.port = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    server.keep_bodies = False
    server.start()
    print(server.port, flush=True)
    threading.Event().wait()
