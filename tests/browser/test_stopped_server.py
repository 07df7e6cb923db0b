"""The server stops while somebody types, and comes back: the page says so by itself, and the words are stored at last.

Browsers go through a door of their own on the loopback address, which is shut as a stopped server's is: what is open is
cut off, and nobody answers any more.
"""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import pytest

from lexreview.accounts.models import User
from lexreview.review.models import Card
from tests.browser.conftest import playwright_api
from tests.browser.test_review import fresh, open_card, wait_for_version
from tests.review.factories import make_card

pytestmark = pytest.mark.django_db(transaction=True)
SignIn = Callable[..., Any]
expect = playwright_api.expect
REFUSED = "ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_SOCKET|ERR_FAILED"
FIVE_SECONDS = 5_000


class Door:
    """Passes on what comes to `url`, while it is open."""

    def __init__(self, server: str) -> None:
        where = urlsplit(server)
        self._server = (where.hostname, where.port)
        self._open_ones: list[socket.socket] = []
        self._listening: socket.socket | None = None
        self.open(0)
        self.url = f"http://{where.hostname}:{self.port}"

    def open(self, port: int | None = None) -> None:
        listening = socket.create_server((self._server[0], self.port if port is None else port))
        self.port = listening.getsockname()[1]
        self._listening = listening
        threading.Thread(target=self._let_in, args=(listening,), daemon=True).start()

    def shut(self) -> None:
        if self._listening is None:
            return
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._listening = None
        for each in self._open_ones:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        self._open_ones.clear()

    def _let_in(self, listening: socket.socket) -> None:
        while True:
            try:
                come, _address = listening.accept()
                behind = socket.create_connection(self._server)
            except OSError:
                return
            self._open_ones += [come, behind]
            for source, target in ((come, behind), (behind, come)):
                threading.Thread(target=self._pass_on, args=(source, target), daemon=True).start()

    @staticmethod
    def _pass_on(source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                target.sendall(data)
        for each in (source, target):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def door(live_server: Any) -> Iterator[Door]:
    door = Door(live_server.url)
    yield door
    door.shut()


def stop_and_type(page: Any, door: Door, card: Card) -> None:
    """Nothing else is done: the field keeps the focus, and no event tells the browser of the server."""
    open_card(page, card)
    page.locator("#note-text").focus()
    door.shut()
    page.keyboard.type("Written to nobody.")
    page.locator("#not-saved").wait_for(timeout=FIVE_SECONDS)
    expect(page.locator("#saved")).to_have_text("Not saved")
    page.wait_for_timeout(1_000)
    assert page.locator("#not-saved").is_visible()


def test_a5_a_stopped_server_is_told_while_one_types_and_the_words_are_offered_after_it_is_back(
    sign_in: SignIn, reviewer: User, door: Door
) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer, base_url=door.url, expecting=REFUSED)
    stop_and_type(page, door, card)
    page.close()
    assert fresh(card).version == card.version

    door.open()
    page = page.context.new_page()
    open_card(page, card)
    page.locator("#kept").wait_for()
    assert "Written to nobody." in page.locator("#kept").inner_text()
    page.locator("#save-kept").click()
    wait_for_version(page, card.version + 1)

    assert fresh(card).note == "Written to nobody."


def test_a5_whoever_stays_has_the_words_stored_once_the_server_is_back(
    sign_in: SignIn, reviewer: User, door: Door
) -> None:
    card = make_card(assigned_to=reviewer)
    page = sign_in(reviewer, base_url=door.url, expecting=REFUSED)
    stop_and_type(page, door, card)

    door.open()
    page.keyboard.type(" And on.")
    page.locator("#not-saved").wait_for(state="hidden")
    page.locator("#note-text:not(.draft)").wait_for()

    for _moment in range(200):
        if fresh(card).note == "Written to nobody. And on.":
            return
        page.wait_for_timeout(50)
    raise AssertionError(fresh(card).note)
