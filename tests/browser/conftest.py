"""Chromium for the browser tests, driven by Playwright against the live server on the loopback address."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from lexreview.accounts.models import User
from tests.factories import PASSWORD

playwright_api = pytest.importorskip("playwright.sync_api", reason="browser tests need playwright")

WIDTH, HEIGHT = 1440, 900
PATIENCE_MS = 15_000
# The shell draws the same pages without the windows, which nobody sees, of a whole browser.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")
# A container's shared memory is too small for Chromium.
ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage"]
CHROMIUM = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), "")


@pytest.fixture(scope="session", autouse=True)
def _queries_beside_the_driver() -> None:
    """The driver runs an event loop in this thread; Django's guard takes that for asynchronous code."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"


@pytest.fixture(scope="module")
def _driver() -> Iterator[Any]:
    """For one file of tests: while it is there this thread has a running event loop, and no test that runs one of its
    own can come after it."""
    if not CHROMIUM or not Path(CHROMIUM).exists():
        pytest.skip("browser tests need Chromium: none is installed and CHROMIUM names none")
    with playwright_api.sync_playwright() as playwright:
        yield playwright.chromium


@pytest.fixture(scope="module")
def _browsers(_driver: Any) -> Iterator[list[Any]]:
    browsers: list[Any] = []
    yield browsers
    for browser in browsers:
        browser.close()


def _list_fonts() -> None:
    """Chromium dies where the machine's list of fonts is empty, as a list is that was written at a bad moment."""
    if shutil.which("fc-list") and not subprocess.run(["fc-list"], capture_output=True, check=False).stdout:
        subprocess.run(["fc-cache", "-f"], check=False)


@pytest.fixture
def chromium(_driver: Any, _browsers: list[Any]) -> Any:
    """One browser for the tests of a file; another where it died, so that its fault stays with the test that it had."""
    if not _browsers or not _browsers[-1].is_connected():
        _list_fonts()
        _browsers.append(_driver.launch(executable_path=CHROMIUM, args=ARGUMENTS))
    return _browsers[-1]


@pytest.fixture(scope="session")
def _folder_of_static_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The server starts before the settings of a single test apply, and must find the folder it serves."""
    before = settings.STATIC_ROOT
    settings.STATIC_ROOT = tmp_path_factory.getbasetemp()
    yield
    settings.STATIC_ROOT = before


@pytest.fixture(scope="session")
def live_server(_folder_of_static_files: None, live_server: Any) -> Any:
    return live_server


@pytest.fixture
def open_browser(chromium: Any, live_server: Any) -> Iterator[Callable[..., Any]]:
    """A function that opens a fresh window, as a new person at another computer; options are the driver's own.

    What a page throws fails the test, but for what matches `expecting`. Beats of presence, also those of a page that is
    left, reach the server only with `beats`: it may be emptying the database by then.
    """
    contexts, problems = [], []

    def open_(*, expecting: str = "", beats: bool = False, **options: Any) -> Any:
        def note(said: Any) -> None:
            if said.type == "error" and _ours(said) and not (expecting and re.search(expecting, said.text)):
                problems.append(said.text)

        def thrown(error: Any) -> None:
            if not (expecting and re.search(expecting, str(error))):
                problems.append(str(error))

        size = {"width": WIDTH, "height": HEIGHT}
        context = chromium.new_context(**{"base_url": live_server.url, "viewport": size, **options})
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        if not beats:
            context.route("**/beat/", lambda route: route.fulfill(status=204))
        page = context.new_page()
        page.on("pageerror", thrown)
        page.on("console", note)
        return page

    yield open_
    for context in contexts:
        context.close()
    _wait_for_server()
    assert not problems, problems


@pytest.fixture
def start_browser(_driver: Any, live_server: Any, tmp_path: Path) -> Iterator[Callable[[], Any]]:
    """A function that starts a browser with the same folder each time, as at one computer, and returns its page."""
    contexts = []

    def start() -> Any:
        context = _driver.launch_persistent_context(
            tmp_path / "profile",
            executable_path=CHROMIUM,
            args=ARGUMENTS,
            base_url=live_server.url,
            viewport={"width": WIDTH, "height": HEIGHT},
        )
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        context.route("**/beat/", lambda route: route.fulfill(status=204))
        return context.pages[0]

    yield start
    for context in contexts:
        context.close()
    _wait_for_server()


def kill_browser(page: Any) -> None:
    """As the system does that has no memory left: nothing is written any more, nobody is asked."""
    session = page.context.browser.new_browser_cdp_session()
    running = session.send("SystemInfo.getProcessInfo")["processInfo"]
    gone = threading.Event()
    page.context.on("close", lambda _context: gone.set())
    os.kill(next(int(each["id"]) for each in running if each["type"] == "browser"), signal.SIGKILL)
    until = time.monotonic() + PATIENCE_MS / 1000
    while not gone.is_set() and time.monotonic() < until:
        _turn(page)


def _turn(page: Any) -> None:
    """Let the driver tell what happened."""
    with contextlib.suppress(playwright_api.Error):
        page.wait_for_timeout(20)


def _wait_for_server() -> None:
    """Until the server is done with what nobody waits for any more: the database is emptied next."""
    until = time.monotonic() + PATIENCE_MS / 1000
    while time.monotonic() < until:
        if not any("process_request_thread" in thread.name for thread in threading.enumerate()):
            return
        time.sleep(0.02)


EXPECTED = re.compile(
    r"responded with a status of 4|^Response Status Error Code 4"
    r"|ERR_INTERNET_DISCONNECTED|^htmx:(afterRequest|sendError)"
)


def _ours(said: Any) -> bool:
    """Refusals and a lost connection are also written to the console; the tests look at what the page says of them."""
    return not EXPECTED.search(said.text)


@pytest.fixture
def sign_in(open_browser: Callable[..., Any]) -> Callable[..., Any]:
    """Sign in through the form and return the page one lands on."""

    def sign_in_(user: User, **options: Any) -> Any:
        page = open_browser(**options)
        enter(page, user)
        return page

    return sign_in_


def enter(page: Any, user: User) -> None:
    page.goto("/account/login/")
    page.locator("input[name=login]").fill(user.username)
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("input[name=password]").press("Enter")
    page.wait_for_url(lambda url: "/account/login/" not in url)
    page.wait_for_load_state()
