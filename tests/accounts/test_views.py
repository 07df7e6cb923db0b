import re

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.defaults import server_error

from lexreview.accounts.models import User
from lexreview.ledger.models import Event
from tests.factories import PASSWORD


@pytest.fixture
def as_reviewer(client: Client, reviewer: User) -> Client:
    client.force_login(reviewer)
    return client


@pytest.fixture
def as_staff(client: Client, outsider: User) -> Client:
    outsider.is_staff = True
    outsider.save()
    client.force_login(outsider)
    return client


def sign_in(client: Client, name: str, password: str = PASSWORD) -> object:
    return client.post(reverse("account_login"), {"login": name, "password": password})


@pytest.mark.parametrize("name", ["accounts:account", "accounts:gallery"])
def test_anonymous_visitor_is_sent_to_sign_in(client: Client, db: None, name: str) -> None:
    response = client.get(reverse(name))

    assert response.status_code == 302
    assert response["Location"] == f"{reverse('account_login')}?next={reverse(name)}"


def test_account_page_shows_names_and_roles(as_reviewer: Client) -> None:
    page = as_reviewer.get(reverse("accounts:account")).content.decode()

    assert "kestria-01" in page
    assert "reviewer" in page
    assert 'name="language"' in page


def test_account_page_of_somebody_without_a_role_says_what_to_do(client: Client, outsider: User) -> None:
    client.force_login(outsider)

    assert "An administrator gives roles" in client.get(reverse("accounts:account")).content.decode()


def test_account_saves_name_language_and_theme_with_events(as_reviewer: Client, reviewer: User) -> None:
    response = as_reviewer.post(
        reverse("accounts:account"),
        {"first_name": "Rita", "last_name": "Nowak", "language": "pl", "theme": "dark"},
    )

    reviewer.refresh_from_db()
    assert response.status_code == 302
    assert (reviewer.get_full_name(), reviewer.language) == ("Rita Nowak", "pl")
    assert response.cookies[settings.LANGUAGE_COOKIE_NAME].value == "pl"
    assert response.cookies["lexreview_theme"].value == "dark"
    assert list(Event.objects.order_by("pk").values_list("verb", flat=True))[-2:] == ["set_name", "set_language"]
    page = as_reviewer.get(reverse("accounts:account")).content.decode()
    assert '<html lang="pl" data-bs-theme="dark">' in page


def test_saving_an_unchanged_account_records_nothing(as_reviewer: Client, reviewer: User) -> None:
    before = Event.objects.count()

    as_reviewer.post(
        reverse("accounts:account"),
        {"first_name": reviewer.first_name, "last_name": reviewer.last_name, "language": "", "theme": ""},
    )

    assert Event.objects.count() == before


def test_unknown_language_is_refused_beside_its_field(as_reviewer: Client, reviewer: User) -> None:
    response = as_reviewer.post(reverse("accounts:account"), {"language": "tlh", "first_name": "X"})

    reviewer.refresh_from_db()
    assert response.status_code == 422
    assert "tlh is not one of the available choices" in response.content.decode()
    assert reviewer.first_name == "Rita"


def test_language_can_be_switched_before_signing_in(client: Client, db: None) -> None:
    response = client.post(reverse("accounts:language"), {"language": "de", "next": "/account/login/"})

    assert response["Location"] == "/account/login/"
    assert client.cookies[settings.LANGUAGE_COOKIE_NAME].value == "de"
    assert '<html lang="de">' in client.get("/account/login/").content.decode()


def test_language_of_a_signed_in_person_is_kept_in_the_account(as_reviewer: Client, reviewer: User) -> None:
    as_reviewer.post(reverse("accounts:language"), {"language": "it", "next": "/account/me/"})

    reviewer.refresh_from_db()
    assert reviewer.language == "it"


def test_language_comes_along_at_sign_in(client: Client, reviewer: User) -> None:
    reviewer.language = "fr"
    reviewer.save()

    sign_in(client, "rita")

    assert client.cookies[settings.LANGUAGE_COOKIE_NAME].value == "fr"


@pytest.mark.parametrize("address", ["https://evil.example/", "//evil.example", "javascript:alert(1)", ""])
def test_language_switch_sends_nobody_to_another_site(client: Client, db: None, address: str) -> None:
    assert client.post(reverse("accounts:language"), {"language": "de", "next": address})["Location"] == "/"


def test_language_switch_takes_only_posted_languages_that_are_offered(client: Client, db: None) -> None:
    assert client.post(reverse("accounts:language"), {"language": "xx"}).status_code == 400
    assert client.get(reverse("accounts:language")).status_code == 405


def test_style_page_is_for_staff(as_reviewer: Client) -> None:
    response = as_reviewer.get(reverse("accounts:gallery"))

    assert response.status_code == 403
    assert "The style page is for the staff" in response.content.decode()


def test_style_page_draws_every_component_in_both_themes(as_staff: Client) -> None:
    page = as_staff.get(reverse("accounts:gallery")).content.decode()

    for theme in ("light", "dark"):
        assert f'data-bs-theme="{theme}"' in page
    for css in ("mark t", "hl w on", "seg", "meter", "ci", "editions", "verdict f", "facts", "empty", "law"):
        assert page.count(f'class="{css}') >= 2, css
    assert 'class="pager"' in page


def test_signing_in_and_out(client: Client, reviewer: User) -> None:
    assert 'id="passkey_login"' in client.get(reverse("account_login")).content.decode()

    sign_in(client, "rita")
    assert client.session["_auth_user_id"] == str(reviewer.pk)

    assert "Sign out" in client.get(reverse("account_logout")).content.decode()
    client.post(reverse("account_logout"))
    assert "_auth_user_id" not in client.session


def test_wrong_password_says_so_and_signs_nobody_in(client: Client, reviewer: User) -> None:
    response = sign_in(client, "rita", "something else entirely")

    assert response.status_code == 200
    assert "not correct" in response.content.decode()
    assert "_auth_user_id" not in client.session


def test_nobody_signs_up(client: Client, db: None) -> None:
    page = client.get(reverse("account_signup")).content.decode()
    fields = {"username": "eve", "email": "eve@example.org", "password1": PASSWORD, "password2": PASSWORD}
    client.post(reverse("account_signup"), fields)

    assert "There is no sign-up here" in page
    assert not User.objects.filter(username="eve").exists()


@pytest.mark.parametrize(
    "name",
    [
        "account_change_password",
        "account_reset_password",
        "account_email",
        "mfa_index",
        "account_logout",
        "accounts:account",
    ],
)
def test_pages_of_the_account_have_our_shell_and_no_inline_code(client: Client, reviewer: User, name: str) -> None:
    sign_in(client, "rita")

    response = client.get(reverse(name))

    page = response.content.decode()
    assert response.status_code == 200
    assert "css/lexreview" in page
    assert 'class="skip"' in page
    assert_obeys_policy(page)


def test_activating_a_second_factor_shows_a_code_to_scan(client: Client, reviewer: User) -> None:
    sign_in(client, "rita")

    page = client.get(reverse("mfa_activate_totp"), follow=True).content.decode()
    if "Authenticator secret" not in page:
        page = client.post(reverse("account_reauthenticate"), {"password": PASSWORD}, follow=True).content.decode()
        page = client.get(reverse("mfa_activate_totp")).content.decode()

    assert 'class="qr" src="data:image/svg+xml' in page
    assert_obeys_policy(page)


def assert_obeys_policy(page: str) -> None:
    """No inline style, no handler, no script but a file or data: what `default-src 'self'` would refuse."""
    assert not re.search(r"<style|\sstyle=|\son\w+=", page)
    for attributes, body in re.findall(r"<script([^>]*)>(.*?)</script>", page, re.S):
        assert "src=" in attributes or 'type="application/json"' in attributes, body


def test_policy_header_allows_nothing_inline(client: Client, db: None) -> None:
    policy = client.get(reverse("account_login"))["Content-Security-Policy"]

    assert "default-src 'self'" in policy
    assert "unsafe" not in policy


def test_missing_page_says_what_it_may_be(as_reviewer: Client) -> None:
    response = as_reviewer.get("/no/such/page/")

    assert response.status_code == 404
    assert "There is nothing at this address" in response.content.decode()


@pytest.mark.parametrize("language", ["en", "pl", "de", "fr", "it"])
def test_page_of_a_failure_says_what_was_kept_in_the_reader_s_language(rf: RequestFactory, language: str) -> None:
    with override(language):
        reply = server_error(rf.get("/"))
        said = _("What was saved before is kept") if language == "en" else _("The server failed")

    page = reply.content.decode()
    assert reply.status_code == 500
    assert f'<html lang="{language}">' in page
    assert said in page
    assert ("The server failed" in page) is (language == "en")
    assert all(finders.find(name) for name in re.findall(r'href="/static/([^"]+)"', page))


def test_signing_in_asks_in_labels_and_not_in_hints_that_vanish(client: Client, db: None) -> None:
    page = client.get(reverse("account_login")).content.decode()

    assert "User name or e-mail" in page
    assert "Stay signed in on this device" in page
    assert "placeholder" not in page


def test_shell_loads_its_token_once_and_sends_it_with_htmx(as_reviewer: Client) -> None:
    page = as_reviewer.get(reverse("accounts:account")).content.decode()

    assert page.count("hx-headers") == 1
    assert re.search(r"<body[^>]* hx-headers='\{\"X-CSRFToken\": \"\w{64}\"\}'", page)
    assert 'id="live"' in page
    assert 'id="messages"' in page
