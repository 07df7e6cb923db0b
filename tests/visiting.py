"""What every page of members owes: sign-in, 404 for outsiders, no other method, a fixed number of queries."""

from collections.abc import Iterable

from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from lexreview.accounts.models import User
from lexreview.core.workflow import Role
from tests.factories import make_user

HOSTILE = '<script>alert("x")</script><img src=x onerror=alert(1)>'


def visit(client: Client, user: User, address: str) -> str:
    """The page as the person sees it; the visit has to succeed."""
    client.force_login(user)
    reply = client.get(address)
    assert reply.status_code == 200, reply.status_code
    return reply.content.decode()


def queries_of(client: Client, user: User, address: str) -> int:
    """How many queries a visit takes."""
    client.force_login(user)
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    return len(queries)


def check_sign_in(client: Client, address: str) -> None:
    client.logout()
    reply = client.get(address)
    assert reply.status_code == 302
    assert reply["Location"].startswith(reverse("account_login"))


def check_only_reading(client: Client, user: User, address: str) -> None:
    client.force_login(user)
    for send in (client.post, client.put, client.patch, client.delete):
        reply: HttpResponse = send(address)
        assert reply.status_code == 405


def check_members_read(client: Client, address: str, *, outsider: User) -> None:
    """Every role of the benchmark reads the page; an outsider and a member of another benchmark get 404."""
    stranger = make_user("stranger", roles=tuple(Role), benchmark="elsewhere-01")
    for user in (outsider, stranger):
        client.force_login(user)
        assert client.get(address).status_code == 404
    for role in Role:
        visit(client, make_user(f"the-{role}", roles=(role,)), address)


def check_harmless(page: str, *, times: int = 1) -> None:
    """Hostile text is shown, at least so often, and nothing of it is markup."""
    assert page.count("&lt;script&gt;alert(") >= times
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert 'href="javascript:' not in page


def states_of(replies: Iterable[HttpResponse]) -> set[int]:
    return {reply.status_code for reply in replies}
