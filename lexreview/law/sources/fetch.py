"""Asking a remote source: listed hosts only, polite, bounded, retried, and never twice for what is stored already."""

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol
from urllib.parse import urlencode, urljoin, urlsplit, urlunsplit

import httpx

MAX_BYTES = 50_000_000
ATTEMPTS = 4
BACKOFF_SECONDS = 1.0
LONGEST_WAIT_SECONDS = 60.0
TOTAL_SECONDS = 300.0
SECONDS_BETWEEN_REQUESTS = 0.5
TIMEOUT = httpx.Timeout(60.0, connect=10.0)
USER_AGENT = "lexreview (research on the reliability of legal answers)"
_AGAIN = {408, 425, 429, 500, 502, 503, 504}
_MOVED = {301, 302, 303, 307, 308}
_MOST_REDIRECTS = 5


class SourceUnknown(Exception):
    """The source gave no usable answer, so nothing follows from it: unreachable, refused, cut off, or the wrong kind.

    Never to be read as "does not exist".
    """


class NotStored(SourceUnknown):
    """Offline, and the answer was never fetched."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a source answered. `status` is 200 or 404; everything else is an error or SourceUnknown."""

    address: str
    status: int
    content_type: str
    body: bytes
    fetched_at: datetime
    is_from_store: bool

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.body).hexdigest()

    @property
    def is_missing(self) -> bool:
        return self.status == 404


class ResponseStore(Protocol):
    """Where answers are kept: newest stored answer of a request, and keeping a new one."""

    def find(self, request_key: str) -> Answer | None: ...

    def keep(self, *, request_key: str, source: str, method: str, answer: Answer) -> None: ...


def request_key(method: str, address: str, body: bytes = b"") -> str:
    """The name under which the answer to a request is stored."""
    return hashlib.sha256(b"\n".join([method.encode(), address.encode(), body])).hexdigest()


@dataclass(slots=True)
class Fetcher:
    """One source's way to its answers. `hosts` are the only hosts it may reach, redirects included.

    `clock` gives the time for stored answers, `wait` sleeps: both are given so that tests need not.
    """

    source: str
    hosts: frozenset[str]
    store: ResponseStore
    clock: Callable[[], datetime]
    client: httpx.Client = field(default_factory=lambda: httpx.Client(timeout=TIMEOUT, follow_redirects=False))
    wait: Callable[[float], None] = time.sleep
    offline: bool = False
    refresh: bool = False
    max_bytes: int = MAX_BYTES
    last_request: float = field(default=float("-inf"))

    def get(
        self, address: str, *, params: Mapping[str, str] | None = None, accept: str = "*/*", language: str = ""
    ) -> Answer:
        """The answer to a GET. JSON is checked when `accept` asks for it. Raises SourceUnknown."""
        full = f"{address}?{urlencode(params)}" if params else address
        headers = {"Accept": accept} | ({"Accept-Language": language} if language else {})
        return self._answer("GET", full, headers, b"")

    def post_form(self, address: str, *, form: Mapping[str, str], accept: str) -> Answer:
        """The answer to a posted form. Raises SourceUnknown."""
        headers = {"Accept": accept, "Content-Type": "application/x-www-form-urlencoded"}
        return self._answer("POST", address, headers, urlencode(form).encode())

    def post_json(self, address: str, *, content: bytes) -> Answer:
        """The answer to posted JSON. Raises SourceUnknown."""
        headers = {"Accept": "application/json", "Content-Type": "application/json"}
        return self._answer("POST", address, headers, content)

    def _answer(self, method: str, address: str, headers: dict[str, str], body: bytes) -> Answer:
        identity = "\n".join([headers["Accept"], headers.get("Accept-Language", "")]).encode()
        key = request_key(method, address, body + identity)
        stored = None if self.refresh else self.store.find(key)
        if stored is not None and _is_due_kind(stored, headers["Accept"]):
            return stored
        if self.offline:
            raise NotStored(f"{address}: offline, and this was never fetched")
        answer = self._ask(method, address, headers, body)
        if not _is_due_kind(answer, headers["Accept"]):
            raise SourceUnknown(
                f"{address}: expected {headers['Accept']}, found {answer.content_type or 'another kind'}"
            )
        self.store.keep(request_key=key, source=self.source, method=method, answer=answer)
        return answer

    def _ask(self, method: str, address: str, headers: dict[str, str], body: bytes) -> Answer:
        """Ask until there is an answer: passing errors are retried with growing pauses, up to `ATTEMPTS` times."""
        problem = ""
        for attempt in range(ATTEMPTS):
            try:
                status, content_type, content, pause = self._follow(method, address, headers, body)
            except httpx.TransportError as error:
                problem, pause = f"{type(error).__name__}: {error}", None
            else:
                if status in {200, 404}:
                    return Answer(address, status, content_type, content, self.clock(), is_from_store=False)
                problem = f"status {status}"
                if status not in _AGAIN:
                    break
            if attempt + 1 < ATTEMPTS:
                self.wait(min(pause if pause is not None else BACKOFF_SECONDS * 2**attempt, LONGEST_WAIT_SECONDS))
        raise SourceUnknown(f"{address}: no answer ({problem})")

    def _follow(
        self, method: str, address: str, headers: dict[str, str], body: bytes
    ) -> tuple[int, str, bytes, float | None]:
        """One request with its redirects, each to a listed host."""
        for _ in range(_MOST_REDIRECTS + 1):
            self._check_host(address)
            self._be_polite()
            with self._stream(method, address, headers, body) as response:
                if response.status_code in _MOVED and "location" in response.headers:
                    address = _secure(urljoin(address, response.headers["location"]))
                    method, body = ("GET", b"") if response.status_code == 303 else (method, body)
                    continue
                content = self._read(response, address)
                pause = _seconds(response.headers.get("retry-after", ""))
                return response.status_code, response.headers.get("content-type", ""), content, pause
        raise SourceUnknown(f"{address}: more than {_MOST_REDIRECTS} redirects")

    @contextmanager
    def _stream(self, method: str, address: str, headers: dict[str, str], body: bytes) -> Iterator[httpx.Response]:
        sent = {**headers, "User-Agent": USER_AGENT}
        with self.client.stream(method, address, headers=sent, content=body or None) as response:
            yield response

    def _check_host(self, address: str) -> None:
        parts = urlsplit(address)
        if parts.scheme != "https" or parts.hostname not in self.hosts:
            raise SourceUnknown(f"{address}: {self.source} may only reach {', '.join(sorted(self.hosts))} by https")

    def _be_polite(self) -> None:
        due = self.last_request + SECONDS_BETWEEN_REQUESTS
        if (ahead := due - time.monotonic()) > 0:
            self.wait(ahead)
        self.last_request = time.monotonic()

    def _read(self, response: httpx.Response, address: str) -> bytes:
        """The body, cut off with an error when it is too long or takes too long."""
        parts, length, begun = [], 0, time.monotonic()
        for part in response.iter_bytes():
            length += len(part)
            if length > self.max_bytes:
                raise SourceUnknown(f"{address}: longer than {self.max_bytes} bytes, cut off")
            if time.monotonic() - begun > TOTAL_SECONDS:
                raise SourceUnknown(f"{address}: slower than {TOTAL_SECONDS} seconds, given up")
            parts.append(part)
        return b"".join(parts)


def _secure(address: str) -> str:
    """The same address by https: some sources redirect to http."""
    parts = urlsplit(address)
    return urlunsplit(parts._replace(scheme="https")) if parts.scheme == "http" else address


def _seconds(value: str) -> float | None:
    return float(value) if value.isdigit() else None


def _is_due_kind(answer: Answer, accept: str) -> bool:
    """Whether an answer may be what was asked for: a web page in the place of data proves nothing."""
    if answer.is_missing:
        return True
    start = answer.body.lstrip()[:9].lower()
    looks_like_page = start.startswith((b"<!doctype", b"<html"))
    if "json" in accept:
        return not looks_like_page and not start.startswith(b"<")
    if accept in {"application/xml", "text/xml"}:
        return not looks_like_page and start.startswith(b"<")
    return True
