"""A local web server that stands in for the remote sources. It serves what a test gives it, by method and path.

The client sends every https request to this server and keeps the host that was meant in the header `X-Meant-For`.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx

from lexreview.law.sources.fetch import Answer, Fetcher


@dataclass
class Reply:
    body: bytes = b""
    status: int = 200
    content_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)
    claimed_length: int | None = None
    pause: float = 0.0
    repeat: int = 1


Replier = Callable[[str, str, bytes], Reply]


@dataclass
class Desk:
    """What the server answers and what it was asked. `replies` maps a path with its query to replies, used in turn."""

    replies: dict[str, list[Reply]] = field(default_factory=dict)
    asked: list[tuple[str, str, bytes]] = field(default_factory=list)
    fallback: Replier | None = None

    def reply(self, method: str, host: str, path: str, body: bytes) -> Reply:
        self.asked.append((method, f"https://{host}{path}", body))
        queue = self.replies.get(f"{host}{path}") or self.replies.get(path)
        if queue:
            return queue.pop(0) if len(queue) > 1 else queue[0]
        if self.fallback is not None:
            return self.fallback(method, path, body)
        return Reply(status=404, body=b"{}")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    desk: Desk

    def do_GET(self) -> None:
        self.respond("GET", b"")

    def do_POST(self) -> None:
        self.respond("POST", self.rfile.read(int(self.headers.get("Content-Length") or 0)))

    def respond(self, method: str, body: bytes) -> None:
        reply = self.desk.reply(method, self.headers.get("X-Meant-For", ""), self.path, body)
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.content_type)
        length = len(reply.body) * reply.repeat
        self.send_header("Content-Length", str(reply.claimed_length if reply.claimed_length is not None else length))
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        time.sleep(reply.pause)
        try:
            for _ in range(reply.repeat):
                self.wfile.write(reply.body)
        except (BrokenPipeError, ConnectionResetError):
            pass
        self.close_connection = reply.claimed_length is not None

    def log_message(self, *args: object) -> None:
        pass


class ToLocalServer(httpx.HTTPTransport):
    """Sends every request to the local server instead of the host in its address."""

    def __init__(self, port: int) -> None:
        super().__init__()
        self.port = port

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        headers = [*request.headers.raw, (b"X-Meant-For", request.url.host.encode())]
        url = request.url.copy_with(scheme="http", host="127.0.0.1", port=self.port)
        local = httpx.Request(
            request.method, url, headers=headers, stream=request.stream, extensions=request.extensions
        )
        return super().handle_request(local)


@contextmanager
def serving(desk: Desk, *, timeout: float = 5.0) -> Iterator[httpx.Client]:
    """The client of a running server."""
    handler = type("Handler", (_Handler,), {"desk": desk})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    client = httpx.Client(transport=ToLocalServer(server.server_port), timeout=timeout, follow_redirects=False)
    try:
        yield client
    finally:
        client.close()
        server.shutdown()
        server.server_close()
        thread.join()


class MemoryStore:
    """Answers kept in memory."""

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}

    def find(self, request_key: str) -> Answer | None:
        answer = self.answers.get(request_key)
        if answer is None:
            return None
        return Answer(answer.address, answer.status, answer.content_type, answer.body, answer.fetched_at, True)

    def keep(self, *, request_key: str, source: str, method: str, answer: Answer) -> None:
        self.answers[request_key] = answer


def fetcher_for(client: httpx.Client, hosts: frozenset[str], **more: object) -> Fetcher:
    """A fetcher that never sleeps and keeps its answers in memory."""
    fields: dict[str, object] = {
        "source": "test", "hosts": hosts, "store": MemoryStore(), "client": client,
        "clock": lambda: datetime(2026, 11, 29, 12, 0, tzinfo=UTC), "wait": lambda seconds: None,
    }  # fmt: skip
    return Fetcher(**fields | more)  # type: ignore[arg-type]
