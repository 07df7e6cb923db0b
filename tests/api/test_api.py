import base64
import json
from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import pytest
import yaml
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from lexreview.accounts.models import User
from lexreview.api.actions import TokenRefused, create_token, revoke_token
from lexreview.api.models import ApiToken
from lexreview.core.workflow import Role
from lexreview.ledger.models import Event
from tests.factories import make_user
from tests.methodology.factories import make_decision
from tests.review.factories import make_answer, make_benchmark, make_card, make_question

LISTS = ["benchmarks", "questions", "answers", "cards", "decisions"]


def get(path: str, user: User | None = None, secret: str | None = None) -> Any:
    client = Client()
    if user is not None:
        client.force_login(user)
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    return client.get(f"/api/{path}", headers=headers)


def token_of(user: User, **changes: Any) -> tuple[ApiToken, str]:
    now = timezone.now()
    fields = {"name": "test", "expires_at": now + timedelta(days=1), "by": None, "now": now}
    return create_token(user=user, **{**fields, **changes})


@pytest.mark.parametrize("name", LISTS)
def test_list_is_closed_to_strangers_and_empty_for_outsiders(name: str, outsider: User) -> None:
    make_card()

    assert get(f"{name}/").status_code == 401
    assert get(f"{name}/", outsider).json()["results"] == []


@pytest.mark.parametrize("name", LISTS[:4])
def test_members_read_their_benchmark_and_nothing_else(name: str, reviewer: User) -> None:
    make_card()
    other = make_benchmark("other")
    make_answer(make_question(other, "Q01"))

    body = get(f"{name}/", reviewer).content.decode()

    assert '"count":1' in body.replace(" ", "")
    assert "Q01" not in body
    assert '"other"' not in body


def test_row_of_a_foreign_benchmark_does_not_exist(reviewer: User) -> None:
    foreign = make_answer(make_question(make_benchmark("other"), "Q01"))

    assert get(f"answers/{foreign.pk}/", reviewer).status_code == 404
    assert get("benchmarks/other/", reviewer).status_code == 404


def test_whole_card_is_the_exported_record(lead: User) -> None:
    card = make_card()

    body = get(f"cards/{card.pk}/", lead).json()

    assert body["identifier"] == "P04_argon-4_W0_r1"
    assert {row["criterion"] for row in body["record"]["scores"]} >= {"A-R", "A6", "B1"}
    assert body["canary"] == str(card.benchmark.canary)
    assert "record" not in get("cards/", lead).json()["results"][0]


def test_filters_narrow_and_refuse_nothing_silently(reviewer: User) -> None:
    make_card()
    make_card(code="P05")

    found = get("cards/?question=P05", reviewer).json()["results"]

    assert [row["question"] for row in found] == ["P05"]


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_api_only_reads(method: str, reviewer: User, lead: User) -> None:
    card = make_card()
    client = Client()
    client.force_login(lead)

    assert getattr(client, method)(f"/api/cards/{card.pk}/").status_code == 405


@pytest.mark.parametrize("name", LISTS)
def test_number_of_queries_does_not_grow_with_the_rows(name: str, reviewer: User) -> None:
    make_card()
    with CaptureQueriesContext(
        connection,
    ) as one:
        get(f"{name}/", reviewer)
    for code in ("P05", "P06"):
        make_card(code=code)
    with CaptureQueriesContext(connection) as three:
        get(f"{name}/", reviewer)

    assert len(one) == len(three)


def test_list_of_cards_never_loads_texts(reviewer: User) -> None:
    make_card()

    with CaptureQueriesContext(connection) as queries:
        get("cards/", reviewer)

    assert not [query for query in queries if '"answers_answer"."text"' in query["sql"]]


def test_token_signs_in_as_its_owner_until_it_expires_or_is_revoked(reviewer: User) -> None:
    make_card()
    token, secret = token_of(reviewer)

    assert get("cards/", secret=secret).json()["count"] == 1
    assert secret not in json.dumps(list(Event.objects.values("after", "before", "reason"))) + token.digest
    revoke_token(token=token, by=reviewer, now=timezone.now())
    assert get("cards/", secret=secret).status_code == 401


def test_expired_token_is_refused(reviewer: User) -> None:
    long_ago = timezone.now() - timedelta(days=2)
    _, secret = token_of(reviewer, expires_at=long_ago + timedelta(days=1), now=long_ago)

    assert get("cards/", secret=secret).status_code == 401


@pytest.mark.parametrize("header", ["Bearer", "Bearer a b", "Bearer unknown"])
def test_malformed_token_is_refused(db: None, header: str) -> None:
    assert Client().get("/api/cards/", headers={"Authorization": header}).status_code == 401


def test_token_of_an_account_switched_off_is_refused(reviewer: User) -> None:
    _, secret = token_of(reviewer)
    reviewer.is_active = False
    reviewer.save()

    assert get("cards/", secret=secret).status_code == 401


@pytest.mark.parametrize("days", [0, -1, 400])
def test_token_that_lasts_too_long_or_not_at_all_is_not_made(reviewer: User, now: datetime, days: int) -> None:
    with pytest.raises(TokenRefused):
        create_token(user=reviewer, name="x", expires_at=now + timedelta(days=days), by=None, now=now)


def test_command_prints_a_working_secret_once(db: None) -> None:
    make_user("apiuser", roles=(Role.REVIEWER,))
    make_card()
    out = StringIO()

    call_command("create_api_token", "apiuser", "notebook", stdout=out)

    secret = out.getvalue().splitlines()[0]
    assert get("benchmarks/", secret=secret).json()["count"] == 1
    with pytest.raises(CommandError, match="already"):
        call_command("create_api_token", "apiuser", "notebook", stdout=out)
    with pytest.raises(CommandError, match="no account"):
        call_command("create_api_token", "nobody", "notebook", stdout=out)
    for days in (0, 367, 10**30):
        with pytest.raises(CommandError, match="at most 366 days"):
            call_command("create_api_token", "apiuser", "another", days=days, stdout=out)


def test_schema_is_valid_and_without_warnings(tmp_path: Any) -> None:
    path = tmp_path / "schema.yaml"

    call_command("spectacular", validate=True, fail_on_warn=True, file=str(path))

    text = path.read_text()
    assert all(f"/api/{name}/" in text for name in LISTS)


def test_schema_is_closed_to_strangers(db: None, reviewer: User) -> None:
    assert get("schema/").status_code == 401
    assert get("schema/", reviewer).status_code == 200


def test_feed_reader_signs_in_with_a_token_as_password(reviewer: User, outsider: User) -> None:
    make_decision(question="Published?")
    make_decision(question="Draft?", published=False)
    _, secret = token_of(reviewer)
    _, foreign = token_of(outsider)

    def read(password: str | None) -> Any:
        basic = base64.b64encode(f"reader:{password}".encode()).decode()
        headers = {"Authorization": f"Basic {basic}"} if password else {}
        return Client().get("/api/decisions/kestria-01/feed/", headers=headers)

    assert read(None).status_code == 401
    assert read("wrong").status_code == 401
    assert Client().get("/api/decisions/kestria-01/feed/", headers={"Authorization": "Basic %"}).status_code == 401
    assert read(foreign).status_code == 404
    body = read(secret)
    assert body.status_code == 200
    assert "Published?" in body.content.decode()
    assert "Draft?" not in body.content.decode()
    assert get("decisions/kestria-01/feed/", secret=secret).status_code == 200


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize(
    "query", ["sytem=a", "limit=abc", "limit=0", "limit=501", "offset=-1", "offset=x", "limit=" + "9" * 5000]
)
def test_a_parameter_that_is_not_known_or_cannot_be_meant_is_refused_by_its_name(
    reviewer: User, name: str, query: str
) -> None:
    """A misspelt filter would answer with all rows, and a program would take them for what it asked."""
    answered = get(f"{name}/?{query}", reviewer)

    assert answered.status_code == 400
    assert list(answered.json()) == [query.partition("=")[0]]


@pytest.mark.parametrize(
    ("name", "field"), [("cards", "state"), ("cards", "label"), ("answers", "state"), ("decisions", "state")]
)
def test_a_state_or_label_that_there_is_not_is_refused(reviewer: User, name: str, field: str) -> None:
    assert get(f"{name}/?{field}=aproved", reviewer).status_code == 400
    assert get(f"{name}/?{field}=", reviewer).status_code == 200


def test_a_page_has_as_many_rows_as_were_asked_for(reviewer: User) -> None:
    for number in range(3):
        make_decision(question=f"Question {number}?")

    page = get("decisions/?limit=2&offset=1", reviewer).json()

    assert (page["count"], len(page["results"])) == (3, 2)
    assert "limit=2" in page["previous"]
    assert get("decisions/?limit=500", reviewer).status_code == 200
    assert get("decisions/1/?limit=2", reviewer).status_code == 400, "a single row has no parameters"


def test_schema_says_every_error_and_nothing_of_the_workings(tmp_path: Any) -> None:
    path = tmp_path / "schema.yaml"
    call_command("spectacular", file=str(path))
    schema = yaml.safe_load(path.read_text())

    for address, operations in schema["paths"].items():
        for operation in operations.values():
            assert {"400", "401"} <= set(operation["responses"])
            assert ("404" in operation["responses"]) == ("{" in address)
    described = [operation["description"] for rows in schema["paths"].values() for operation in rows.values()]
    assert len(set(described)) == len(LISTS), "each list is described for itself"
    assert not any(word in text for text in described for word in ("unmasked`", "IsAuthenticated", "primary key"))
    assert "publication" not in schema["info"]["description"]


@pytest.mark.parametrize("name", ["", "  ", "x" * 81])
def test_a_token_says_what_it_is_for(reviewer: User, name: str) -> None:
    with pytest.raises(TokenRefused, match="what it is for"):
        token_of(reviewer, name=name)


def test_command_ends_a_token_and_lists_those_there_are(db: None) -> None:
    user = make_user("apiuser", roles=(Role.REVIEWER,))
    _, secret = token_of(user, name="notebook")
    _, other = token_of(user, name="figures")
    out = StringIO()

    call_command("revoke_api_token", "apiuser", "notebook", stdout=out)

    assert get("benchmarks/", secret=secret).status_code == 401
    assert get("benchmarks/", secret=other).status_code == 200
    assert Event.objects.get(verb="revoke_token").object_id == "apiuser/notebook"
    call_command("revoke_api_token", "apiuser", stdout=out)
    assert "notebook  revoked;" in out.getvalue() and "figures  valid until" in out.getvalue()
    with pytest.raises(CommandError, match="no token named netbook, but: notebook, figures"):
        call_command("revoke_api_token", "apiuser", "netbook")
    with pytest.raises(CommandError, match="no token of an account nobody"):
        call_command("revoke_api_token", "nobody", "notebook")
