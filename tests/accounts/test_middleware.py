import pytest
from django.test import Client

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
    assert response.content == b""


@pytest.mark.usefixtures("_with_sign_in_middleware")
def test_address_of_another_host_never_becomes_the_way_back(client: Client, db: None) -> None:
    response = client.get("/account/me/", headers={"HX-Request": "true", "HX-Current-URL": "https://evil.example/x/"})

    assert response["HX-Redirect"] == "/account/login/?next=%2Fx%2F"


@pytest.mark.usefixtures("_with_sign_in_middleware")
def test_ordinary_request_is_redirected_as_always(client: Client, db: None) -> None:
    response = client.get("/account/me/")

    assert (response.status_code, response["Location"]) == (302, "/account/login/?next=/account/me/")


@pytest.mark.usefixtures("_with_sign_in_middleware")
def test_signed_in_people_pass(client: Client, reviewer: User) -> None:
    client.force_login(reviewer)

    assert client.get("/account/me/", headers={"HX-Request": "true"}).status_code == 200
