"""A new version of a specification field by field: its rows, its faults all at once, its preview, its being added."""

from decimal import Decimal
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from lxml import html

from lexreview.accounts.models import User
from lexreview.core.methods.reference_card.specification import Fault, SpecificationError, specification_from_dict
from lexreview.core.workflow import CardState
from lexreview.ledger.models import Event
from lexreview.methodology.actions import SpecificationChanged
from lexreview.methodology.models import Specification
from lexreview.methodology.specification_text import HEAD
from lexreview.methodology.words import FAULT_WORDS
from tests.review.factories import make_card, make_specification, specification_content
from tests.review.test_recomputing import approved_card
from tests.visiting import HOSTILE, check_harmless, check_sign_in, queries_of, visit

pytestmark = pytest.mark.django_db
OLD = "/specifications/reference-card/1.0.1/"
FORMS, TEXT = f"{OLD}new/", f"{OLD}new/text/"
B1 = "criteria-8"


def fields_of(page: str) -> dict[str, Any]:
    """What a browser would send of the form on the page, without its buttons."""
    form = html.fromstring(page).get_element_by_id("specification-form")
    return values_of(form) | {name: list(form.fields[name]) for name in ("origins", "scopes")}


def values_of(form: Any) -> dict[str, Any]:
    """A browser drops the line end that a text area begins with; lxml does not."""
    found = {name: form.fields[name] for name in form.fields if form.fields[name] is not None}
    return {name: value.removeprefix("\n") if isinstance(value, str) else value for name, value in found.items()}


def text_fields_of(page: str) -> dict[str, Any]:
    form = next(form for form in html.fromstring(page).forms if "body" in form.fields)
    return values_of(form)


def sent(client: Client, lead: User, **changes: Any) -> dict[str, Any]:
    """The form as it begins, with a note and what the person changed; None takes a field out."""
    fields = {**fields_of(visit(client, lead, FORMS)), "note_en": "B1 is easier.", **changes}
    return {name: value for name, value in fields.items() if value is not None}


def post(client: Client, lead: User, then: str, *, headers: Any = None, **changes: Any) -> HttpResponse:
    return client.post(FORMS, sent(client, lead, then=then, **changes), headers=headers)


def codes_of(page: str, name: str = "criteria") -> list[str]:
    tree = html.fromstring(page)
    return [str(each.get("value")) for each in tree.xpath(f"//input[starts-with(@name, '{name}-')]")
            if str(each.get("name")).endswith("-code")]  # fmt: skip


def faults_of(page: str) -> list[str]:
    found = html.fromstring(page).xpath("//*[@aria-labelledby='faults-title']//li")
    return [" ".join(each.text_content().split()) for each in found]


def changes_on(page: str) -> list[str]:
    rows = html.fromstring(page).xpath("//*[@id='preview']//tbody")[-1]
    return [" | ".join(" ".join(cell.text_content().split()) for cell in row) for row in rows]


def test_form_begins_as_a_copy_and_sends_the_same_specification_back(client: Client, lead: User) -> None:
    old = make_specification()

    reply = post(client, lead, "add")

    new = Specification.objects.newest()
    assert reply["Location"] == "/specifications/reference-card/1.1.0/"
    assert new.version == "1.1.0"
    assert {**new.content, **dict.fromkeys(HEAD)} == {**old.content, **dict.fromkeys(HEAD)}
    assert new.content["change_note"] == {"en": "B1 is easier."}
    assert Event.objects.filter(verb="load_specification").newest_first()[0].actor == "lena"


def test_criterion_is_changed_in_its_points_rule_and_who_decides(client: Client, lead: User) -> None:
    make_specification()

    post(
        client, lead, "add", rules_changed="on",
        **{f"{B1}-maximum": "3", f"{B1}-step": "0.5", f"{B1}-help_en": "Does the lawyer\r\nknow what to do?"},
        **{"criteria-6-rule": "", "criteria-5-rule": "no_hallucination", "criteria-1-maximum_by": "number"},
        **{"criteria-1-maximum": "4", "criteria-1-not_applicable_when": ""},
    )  # fmt: skip

    rules = specification_from_dict(Specification.objects.newest().content)
    b1, a1 = rules.criterion("B1"), rules.criterion("A1")
    assert (b1.maximum, b1.step, b1.help["en"]) == (3, Decimal("0.5"), "Does the lawyer\nknow what to do?")
    assert b1.help["pl"].startswith("Czy prawnik wie")
    assert (a1.maximum, a1.not_applicable_when) == (4, None)
    assert rules.no_hallucination_criterion.code == "A5"
    assert rules.rules_changed is True


@pytest.mark.parametrize("headers", [None, {"HX-Request": "true"}])
def test_rows_are_added_moved_and_removed_and_nothing_entered_is_lost(
    client: Client, lead: User, headers: dict[str, str] | None
) -> None:
    make_specification()
    half = {f"{B1}-name_en": "Half entered", f"{B1}-step": "", "version": "nonsense"}

    up = post(client, lead, "criteria-up-8", headers=headers, **half).content.decode()
    down = post(client, lead, "criteria-down-0", headers=headers, **half).content.decode()
    gone = post(client, lead, "criteria-remove-3", headers=headers, **half).content.decode()
    more = post(client, lead, "error_classes-add", headers=headers, **half).content.decode()

    before = ["A-R", "A1", "A2", "A3", "A4", "A5", "A6", "P", "B1", "B2"]
    assert codes_of(up) == ["A-R", "A1", "A2", "A3", "A4", "A5", "A6", "B1", "P", "B2"]
    assert codes_of(down)[:3] == ["A1", "A-R", "A2"]
    assert codes_of(gone) == [code for code in before if code != "A3"]
    assert codes_of(more, "error_classes") == ["T", "W", "F", "S", "None"]
    for page in (up, down, gone, more):
        assert 'value="Half entered"' in page
        assert 'value="nonsense"' in page
        assert faults_of(page) == []
        assert page.count(" autofocus") == 1
        assert ("<html" in page) == (headers is None)
    assert 'id="criteria-7-up" autofocus' in " ".join(up.split())
    assert Specification.objects.count() == 1


def test_row_at_the_edge_stays_and_an_unknown_row_is_no_error(client: Client, lead: User) -> None:
    make_specification()
    same = ["A-R", "A1", "A2", "A3", "A4", "A5", "A6", "P", "B1", "B2"]

    for asked in ("criteria-up-0", "criteria-down-9", "criteria-remove-99", "criteria-up-99"):
        assert codes_of(post(client, lead, asked).content.decode()) == same, asked


def test_new_criterion_and_class_are_added_and_order_is_kept(client: Client, lead: User) -> None:
    make_specification()
    first = fields_of(post(client, lead, "criteria-add").content.decode())
    first |= {"criteria-10-code": "B3", "criteria-10-name_en": "Brevity", "criteria-10-help_pl": "Krótko?"}
    second = fields_of(client.post(FORMS, {**first, "then": "criteria-up-10"}).content.decode())
    third = fields_of(client.post(FORMS, {**second, "then": "error_classes-add"}).content.decode())
    third |= {"error_classes-4-code": "X", "error_classes-4-name_en": "Other", "error_classes-4-hallucination": None}

    client.post(FORMS, {**{k: v for k, v in third.items() if v is not None}, "then": "add"})

    rules = specification_from_dict(Specification.objects.newest().content)
    assert [each.code for each in rules.criteria][-3:] == ["B1", "B3", "B2"]
    assert rules.criterion("B3").help == {"pl": "Krótko?"}
    assert rules.error_class("X").hallucination is False


def test_all_faults_are_shown_at_once_with_place_and_remedy(client: Client, lead: User) -> None:
    make_specification()

    reply = post(
        client, lead, "add", version="1.0.0", note_en="", origins=[],
        **{"criteria-0-full": "", "criteria-1-code": "A2", "criteria-3-step": "0", "criteria-3-minimum": "-1"},
        **{"criteria-4-maximum": "", "criteria-6-rule": "", "criteria-7-enters": "separate"},
        **{f"{B1}-step": "0.3", "criteria-9-maximum": "abc", "error_classes-1-code": "", "error_classes-2-code": "S"},
    )  # fmt: skip

    page = reply.content.decode()
    assert reply.status_code == 422
    assert faults_of(page) == [
        "Version: Expected more than 1.0.1.",
        "What changed (en): This field is required.",
        "Origins that a finding may have: This field is required.",
        "Criteria: Exactly one criterion must follow from the findings: choose it under “Who decides”.",
        "Criterion A-R, Full points: One criterion must have the code A-R and say how many points are full.",
        "Criterion A2, Code: This code is used twice: change one of them.",
        "Criterion A3, Fewest points: Give 0 or more: a penalty is counted up and subtracted.",
        "Criterion A3, Step: Give a step of more than 0.",
        "Criterion A4, Most points, as a number: Give the number of points.",
        "Criterion P, In the total: Block A is added or subtracted, any other is shown apart: change one of the two.",
        "Criterion B1, Step: Such steps do not lead from the fewest to the most points: change one of the three.",
        "Criterion B2, Most points, as a number: Enter a number.",
        "Error class 2, Code: This field is required.",
        "Error class S, Code: This code is used twice: change one of them.",
    ]
    tree = html.fromstring(page)
    targets = [each.get("href").removeprefix("#") for each in tree.xpath("//*[@aria-labelledby='faults-title']//a")]
    assert all(tree.xpath("//*[@id=$id]", id=target) for target in targets)
    assert tree.xpath("//*[@id='criteria-3']/details/@open") and not tree.xpath("//*[@id='criteria-5']/details/@open")
    assert Specification.objects.count() == 1


def test_every_fault_has_words() -> None:
    assert set(FAULT_WORDS) == set(Fault)


def test_core_names_every_fault_of_a_record_and_the_first_is_raised() -> None:
    record = specification_content()
    record = {**record, "name": "", "criteria": [{**record["criteria"][0], "step": 0, "minimum": -1}]}

    with pytest.raises(SpecificationError, match=r"^name: expected a text") as refusal:
        specification_from_dict(record)

    assert [(each.field, each.kind) for each in refusal.value.faults] == [
        ("name", None),
        ("criteria[0].step", Fault.STEP_NOT_POSITIVE),
        ("criteria[0].minimum", Fault.MINIMUM_BELOW_ZERO),
        ("criteria", Fault.RULED_NOT_ONCE),
    ]


def test_preview_says_what_differs_and_stores_nothing(client: Client, lead: User, reviewer: User) -> None:
    card = approved_card(reviewer)
    events = Event.objects.count()
    entered = {f"{B1}-maximum": "3", "criteria-0-name_pl": "Sedno"}

    page = post(client, lead, "preview", rules_changed="on", **entered).content.decode()
    quiet = post(client, lead, "preview", **entered).content.decode()
    same = post(client, lead, "preview").content.decode()

    text = " ".join(html.fromstring(page).get_element_by_id("preview").text_content().split())
    changes = changes_on(page)
    assert "1 card becomes stale and waits for a person to confirm it." in text
    assert changes == [
        "Criterion A-R, Name (pl) | Odpowiedź główna | Sedno",
        "Criterion B1, Points scored otherwise | 0, 1, 2 | 0, 1, 2, 3",
    ]
    assert "is not ticked" not in page
    assert "“the rules changed” is not ticked" in quiet
    assert "Nothing but its number, date and note." in same
    assert "is not ticked" not in same
    assert (Specification.objects.count(), Event.objects.count()) == (1, events)
    card.refresh_from_db()
    assert card.state == CardState.APPROVED


def test_preview_names_what_is_new_gone_and_moved(client: Client, lead: User) -> None:
    make_specification()
    changed = {"error_classes-3-hallucination": None}
    removed = fields_of(post(client, lead, "criteria-remove-5", **changed).content.decode())
    moved = fields_of(client.post(FORMS, {**removed, "then": "criteria-down-0"}).content.decode())

    page = client.post(FORMS, {**moved, "then": "preview", "a_percent_below_zero": "on", "scopes": ["core"]})

    assert changes_on(page.content.decode()) == [
        "Criterion A5 scored otherwise | 0, 1 | not there",
        "Criteria, Order | A-R, A1, A2, A3, A4, A6, P, B1, B2 | A1, A-R, A2, A3, A4, A6, P, B1, B2",
        "Error class S scored otherwise | a hallucination | no hallucination",
        "Scopes that a finding may have | core, peripheral | core",
        "Penalties may take A % below zero scored otherwise | no | yes",
    ]


def test_language_is_added_and_its_texts_are_kept(client: Client, lead: User) -> None:
    make_specification()
    page = post(client, lead, "language", further_language="DE").content.decode()
    refused = post(client, lead, "language", further_language="german").content.decode()
    fields = fields_of(page) | {"note_de": "B1 ist leichter.", "criteria-0-name_de": "Kern", "title_de": "Karte"}

    client.post(FORMS, {**fields, "then": "add"})

    content = Specification.objects.newest().content
    assert "note_german" not in refused and "note_de" not in refused
    assert content["change_note"] == {"en": "B1 is easier.", "de": "B1 ist leichter."}
    assert (content["criteria"][0]["name"]["de"], content["title"]["de"]) == ("Kern", "Karte")
    assert 'name="note_de"' in visit(client, lead, "/specifications/reference-card/1.1.0/new/")


def test_forms_go_on_as_text_and_back_with_everything_entered(client: Client, lead: User) -> None:
    make_specification()
    fields = sent(client, lead, then="from_forms", note_en="", **{f"{B1}-maximum": "3", "version": "2.0.0"})

    text = client.post(TEXT, fields).content.decode()
    entered = text_fields_of(text)
    broken = client.post(FORMS, {**entered, "body": "criteria: [", "then": "from_text"})
    back = client.post(FORMS, {**entered, "then": "from_text"}).content.decode()

    assert "maximum: 3" in entered["body"]
    assert entered["version"] == "2.0.0"
    assert broken.status_code == 422
    assert "Line 1: not YAML" in broken.content.decode()
    assert fields_of(back)[f"{B1}-maximum"] == "3"
    assert fields_of(back)["version"] == "2.0.0"
    assert faults_of(back) == []


def test_text_names_all_faults_at_once(client: Client, lead: User) -> None:
    make_specification()
    client.force_login(lead)
    entered = text_fields_of(client.get(TEXT).content.decode())
    body = entered["body"].replace("step: 1", "step: 0", 2).replace("hallucination: true", "hallucination: maybe", 1)

    page = client.post(TEXT, {**entered, "note_en": "", "body": body, "then": "add"}).content.decode()

    for place in ("criteria[0].step", "criteria[1].step", "error_classes[0].hallucination"):
        assert place in page
    assert "error_1_id_note_en" in page


@pytest.mark.parametrize("number", ["1e400", "1e30", "-1e999999999", "NaN", "0.0000001"])
def test_numbers_beyond_reason_are_faults_and_no_error(client: Client, lead: User, number: str) -> None:
    make_specification()

    reply = post(client, lead, "add", **{f"{B1}-maximum": number})
    entered = text_fields_of(client.get(TEXT).content.decode())
    body = entered["body"].replace("maximum: 2", f"maximum: '{number}'", 1)
    text = client.post(TEXT, {**entered, "note_en": "x", "body": body, "then": "add"})

    assert (reply.status_code, text.status_code) == (422, 422)


@pytest.mark.parametrize(
    "changes",
    [
        {"criteria-TOTAL_FORMS": "nonsense"},
        {"criteria-TOTAL_FORMS": "100000"},
        {"criteria-TOTAL_FORMS": None},
        {"criteria-INITIAL_FORMS": "0"},
        {"languages_entered": "../../x %s en"},
    ],
)
def test_form_that_was_tampered_with_is_refused_or_read(
    client: Client, lead: User, changes: dict[str, str | None]
) -> None:
    make_specification()

    for then in ("add", "criteria-up-1", "preview", "language"):
        assert post(client, lead, then, **changes).status_code in {200, 302, 422}


def test_version_that_somebody_else_added_meanwhile_is_told(
    client: Client, lead: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_specification()
    fields = sent(client, lead, then="add")
    client.post(FORMS, fields)
    second = client.post(FORMS, {**fields, "note_en": "Another change."})

    def taken(**_asked: Any) -> Specification:
        raise SpecificationChanged

    monkeypatch.setattr("lexreview.methodology.specification_views.load_specification", taken)
    at_once = client.post(FORMS, {**fields, "version": "1.2.0", "note_en": "Another change."})

    assert (second.status_code, at_once.status_code) == (422, 409)
    assert faults_of(second.content.decode()) == ["Version: Expected more than 1.1.0."]
    told = "Version: Somebody added this version meanwhile: give a higher number."
    assert faults_of(at_once.content.decode()) == [told]
    assert "Another change." in at_once.content.decode()
    assert Specification.objects.count() == 2


def test_forms_are_for_leads_and_show_hostile_text_as_text(
    client: Client, lead: User, reviewer: User, outsider: User
) -> None:
    make_specification()
    fields = sent(client, lead, then="preview", **{"criteria-0-name_en": HOSTILE, f"{B1}-help_en": HOSTILE})
    page = client.post(FORMS, fields).content.decode()
    check_harmless(page, times=2)
    for user, expected in ((reviewer, 403), (outsider, 404)):
        client.force_login(user)
        assert client.get(FORMS).status_code == expected
        assert client.post(FORMS, fields).status_code == expected
        assert FORMS not in client.get(OLD).content.decode()
    check_sign_in(client, FORMS)
    assert Specification.objects.count() == 1


def test_editor_takes_few_queries_whatever_the_number_of_cards(client: Client, lead: User) -> None:
    make_card()
    few = queries_of(client, lead, FORMS)
    make_card(code="P05", system="boron-2")

    assert queries_of(client, lead, FORMS) == few <= 8
