"""A new version of a specification: its text with the line of every fault, its preview, its being added."""

from copy import deepcopy
from typing import Any

import pytest
from django.test import Client

from lexreview.accounts.models import User
from lexreview.core.workflow import Role
from lexreview.ledger.models import Event
from lexreview.methodology.models import Specification
from lexreview.methodology.specification_text import HEAD, TextError, content_of, text_of_rules
from tests.factories import make_user
from tests.review.factories import make_card, make_specification, specification_content
from tests.visiting import check_sign_in, visit

OLD = "/specifications/reference-card/1.0.1/"
NEW = f"{OLD}new/text/"


def entered(**changes: Any) -> dict[str, Any]:
    fields = {
        "version": "1.1.0",
        "dated": "2026-10-20",
        "rules_changed": "on",
        "note_en": "B1 is easier.",
        "note_pl": "B1 jest łatwiejsze.",
        "body": text_of_rules(specification_content()),
        "then": "add",
    }
    return {**fields, **changes}


def head() -> dict[str, Any]:
    return {name: specification_content()[name] for name in HEAD}


def test_text_of_rules_reads_the_same_whatever_the_order_in_the_database() -> None:
    """PostgreSQL's jsonb puts short names first: a criterion would begin with its step."""
    content = specification_content()
    turned = {name: content[name] for name in reversed(content)}
    turned["criteria"] = [{name: each[name] for name in reversed(each)} for each in content["criteria"]]

    assert text_of_rules(turned) == text_of_rules(content)
    assert text_of_rules(turned).index("title:") < text_of_rules(turned).index("criteria:")
    assert text_of_rules(turned).index("code: A-R") < text_of_rules(turned).index("block: A")


def test_text_of_rules_reads_back_as_the_same_specification() -> None:
    assert content_of(text_of_rules(specification_content()), head=head()) == specification_content()


@pytest.mark.parametrize(
    ("old", "new", "field", "said"),
    [
        ("step: 1", "step: 0", "criteria[0].step", "has to be more than 0"),
        ("block: A", "blok: A", "criteria[0].block", "is missing"),
        ("hallucination: true", "hallucination: maybe", "error_classes[0].hallucination", "expected true or false"),
    ],
)
def test_fault_is_named_with_its_line_and_field(old: str, new: str, field: str, said: str) -> None:
    text = text_of_rules(specification_content()).replace(old, new, 1)

    with pytest.raises(TextError, match=said) as refusal:
        content_of(text, head=head())

    line = text.split("\n")[(refusal.value.line or 0) - 1]
    assert refusal.value.field == field
    assert new in line or line.strip().startswith("- code")


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("criteria: [", 1, "not YAML"),
        ("title:\n  en: a\n  en: b", 3, "given twice"),
        ("title: &a {en: x}\ntext: *a", 2, "aliases"),
        ("- a list", 1, "expected fields"),
        ("", 1, "expected fields"),
        ("version: 1.0.0\ntitle: {en: x}", 1, "field of its own"),
        ("text: &x !!python/object/apply:os.getcwd []", 1, "not YAML"),
    ],
)
def test_text_that_is_no_specification_is_refused_with_its_line(text: str, line: int, said: str) -> None:
    with pytest.raises(TextError, match=said) as refusal:
        content_of(text, head=head())

    assert refusal.value.line == line


@pytest.mark.django_db
def test_editor_is_for_leads(client: Client, reviewer: User, operator: User, outsider: User) -> None:
    make_specification()
    before = Event.objects.count()
    for user, expected in ((reviewer, 403), (operator, 403), (outsider, 404)):
        client.force_login(user)
        assert client.get(NEW).status_code == expected
        assert client.post(NEW, entered()).status_code == expected
        assert NEW not in client.get(OLD).content.decode()

    check_sign_in(client, NEW)
    assert Specification.objects.count() == 1
    assert Event.objects.count() == before


@pytest.mark.django_db
def test_new_version_begins_as_a_copy_and_is_added_once(client: Client, lead: User) -> None:
    make_specification()
    form = visit(client, lead, NEW)
    body = text_of_rules(specification_content()).replace("maximum: 2", "maximum: 3", 1)

    reply = client.post(NEW, entered(body=body.replace("\n", "\r\n")))
    again = client.post(NEW, entered(body=body))

    row = Specification.objects.newest()
    assert 'value="1.1.0"' in form
    assert NEW.removesuffix("text/") in visit(client, lead, OLD)
    assert reply["Location"] == "/specifications/reference-card/1.1.0/"
    assert again.status_code == 422
    assert (row.version, row.rules_changed, str(row.dated)) == ("1.1.0", True, "2026-10-20")
    assert row.content["change_note"] == {"en": "B1 is easier.", "pl": "B1 jest łatwiejsze."}
    assert row.content["criteria"][0]["maximum"] == 3
    assert row.content["criteria"][1:] == specification_content()["criteria"][1:]
    assert Event.objects.filter(verb="load_specification").newest_first()[0].actor == "lena"


@pytest.mark.django_db
def test_preview_stores_nothing_and_says_what_it_would_do(client: Client, lead: User) -> None:
    card = make_card(assigned_to=lead)
    body = text_of_rules(specification_content()).replace("maximum: 2", "maximum: 3", 1)
    events = Event.objects.count()
    client.force_login(lead)

    page = client.post(NEW, entered(body=body, then="preview")).content.decode()
    same = client.post(NEW, entered(then="preview", rules_changed="")).content.decode()

    assert "What this version would do" in page
    assert "1 card on which nobody has worked is pre-filled anew." in page
    assert "No card has to be scored again." in same
    assert Specification.objects.count() == 1
    assert Event.objects.count() == events
    card.refresh_from_db()
    assert card.specification.version == "1.0.1"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("field", "value"),
    [("version", "1.0.1"), ("version", "one"), ("dated", "someday"), ("note_en", ""), ("body", "criteria: [")],
)
def test_wrong_version_is_shown_again_with_the_place(client: Client, lead: User, field: str, value: str) -> None:
    make_specification()
    client.force_login(lead)

    reply = client.post(NEW, entered(**{field: value}))

    assert reply.status_code == 422
    assert f"error_1_id_{field}" in reply.content.decode()
    assert Specification.objects.count() == 1


@pytest.mark.django_db
def test_wrong_line_is_named_on_the_page(client: Client, lead: User) -> None:
    make_specification()
    client.force_login(lead)
    body = text_of_rules(specification_content()).replace("step: 1", "step: x", 1)

    page = client.post(NEW, entered(body=body)).content.decode()

    line = body.split("\n").index(next(each for each in body.split("\n") if "step: x" in each)) + 1
    assert f"Line {line}, criteria[0].step: expected a number" in page


@pytest.mark.django_db
def test_lead_of_another_benchmark_is_shown_no_card_of_this_one(client: Client) -> None:
    make_card()
    stranger = make_user("far", roles=(Role.LEAD,), benchmark="elsewhere-01")
    client.force_login(stranger)

    page = client.post(NEW, entered(then="preview")).content.decode()

    assert "kestria-01" not in page
    assert "No card of yours would change." in page


def test_copy_above_is_not_changed_by_the_tests() -> None:
    assert deepcopy(specification_content())["version"] == "1.0.1"
