import gzip
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from lexreview.accounts.middleware import TextCompressionMiddleware
from lexreview.accounts.models import User


@pytest.fixture
def _with_sign_in_middleware(settings) -> None:
    settings.MIDDLEWARE = [
        "lexreview.accounts.middleware.SignInMiddleware" if name.endswith("LoginRequiredMiddleware") else name
        for name in settings.MIDDLEWARE
    ]


@pytest.mark.usefixtures("_with_sign_in_middleware")
def test_ended_session_under_htmx_sends_the_whole_page_to_sign_in(client: Client, db: None) -> None:
    response = client.get(
        "/account/me/", headers={"HX-Request": "true", "HX-Current-URL": "https://testserver/cards/7/?mode=text"}
    )

    assert response["HX-Redirect"] == "/account/login/?next=%2Fcards%2F7%2F%3Fmode%3Dtext"
    assert response["Session-Ended"] == "1"
    assert response.content == b""


@pytest.mark.usefixtures("_with_sign_in_middleware")
def test_address_of_another_host_never_becomes_the_way_back(client: Client, db: None) -> None:
    response = client.get("/account/me/", headers={"HX-Request": "true", "HX-Current-URL": "https://evil.example/x/"})

    assert response["HX-Redirect"] == "/account/login/?next=%2Fx%2F"


@pytest.mark.usefixtures("_with_sign_in_middleware")
def test_ordinary_request_is_redirected_as_always(client: Client, db: None) -> None:
    response = client.get("/account/me/")

    assert (response.status_code, response["Location"]) == (302, "/account/login/?next=/account/me/")


@pytest.mark.parametrize("address", ["/account/me/", "/law/", "/nothing-here/"])
def test_what_this_server_answers_to_a_script_is_marked_as_its_own(
    client: Client, reviewer: User, address: str
) -> None:
    client.force_login(reviewer)

    assert client.get(address, headers={"HX-Request": "true"})["Own-Reply"] == "1"
    assert "Own-Reply" not in client.get(address)
    client.logout()
    assert client.get(address, headers={"HX-Request": "true"})["Own-Reply"] == "1"


def test_a_page_whose_token_is_an_old_one_is_loaded_again(reviewer: User) -> None:
    """As after a sign-in in another tab; a plain form gets Django's page."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(reviewer)
    page = {"HX-Request": "true", "HX-Current-URL": "https://testserver//cards/7/?mode=text"}

    reply = client.post("/account/language/", {"language": "pl"}, headers=page)

    assert (reply.status_code, reply["HX-Redirect"], reply["Session-Ended"]) == (200, "/cards/7/?mode=text", "1")
    assert client.post("/account/language/", {"language": "pl"}).status_code == 403


@pytest.mark.usefixtures("_with_sign_in_middleware")
def test_signed_in_people_pass(client: Client, reviewer: User) -> None:
    client.force_login(reviewer)

    assert client.get("/account/me/", headers={"HX-Request": "true"}).status_code == 200


def test_pages_and_tables_are_sent_compressed_and_dense_files_are_not(client: Client, reviewer: User, rf: Any) -> None:
    client.force_login(reviewer)
    whole = client.get("/account/me/")

    sent = client.get("/account/me/", headers={"Accept-Encoding": "gzip, deflate, br"})

    assert "Content-Encoding" not in whole.headers
    assert (sent["Content-Encoding"], sent["Content-Length"]) == ("gzip", str(len(sent.content)))
    assert "Accept-Encoding" in sent["Vary"]
    assert b"</html>" in gzip.decompress(sent.content) and len(sent.content) < len(whole.content) / 2

    dense = HttpResponse(b"%PDF" + b" " * 1000, content_type="application/pdf")
    middleware = TextCompressionMiddleware(lambda request: dense)
    assert "Content-Encoding" not in middleware(rf.get("/", headers={"Accept-Encoding": "gzip"})).headers
