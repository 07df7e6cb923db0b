from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from lxml import etree, html

from lexreview.accounts.actions import grant_role
from lexreview.accounts.models import User
from lexreview.core.workflow import DecisionState, Role
from lexreview.ledger.models import Event
from lexreview.methodology.actions import load_specification, publish_decision
from lexreview.methodology.models import Decision, Specification
from tests.factories import LONG_AGO, make_user
from tests.methodology.factories import make_decision
from tests.review.factories import SLUG, make_specification, specification_content
from tests.visiting import (
    HOSTILE,
    check_harmless,
    check_members_read,
    check_only_reading,
    check_sign_in,
    queries_of,
    visit,
)

pytestmark = pytest.mark.django_db
LOG = f"/decisions/?benchmark={SLUG}"
ENTRY = f"/decisions/{SLUG}/1/"
NEW = f"/decisions/{SLUG}/new/"
EDIT = f"/decisions/{SLUG}/1/edit/"
PUBLISH = f"/decisions/{SLUG}/1/publish/"
SPECIFICATION = "/specifications/reference-card/1.0.1/"


def entered(**changes: Any) -> dict[str, Any]:
    fields = {
        "number": "1",
        "seen": "",
        "decided_on": "2026-10-14",
        "question": "Is silence an answer?",
        "decision": "No.",
        "reason": "Nothing was said.",
        "criteria": "A6, A1",
        "questions": "P08",
        "key_versions": "P09.v2",
        "cards": "P08_cedar-mini_W1_r1\nP10_cedar-mini_W0_r1",
        "specification_version": "",
        "supersedes": "",
    }
    return {**fields, **changes}


@pytest.fixture
def as_lead(client: Client, lead: User) -> Client:
    client.force_login(lead)
    return client


@pytest.mark.parametrize("address", [LOG, "/decisions/", ENTRY, NEW, EDIT, SPECIFICATION])
def test_pages_ask_for_sign_in(client: Client, address: str) -> None:
    make_decision()
    make_specification()

    check_sign_in(client, address)


@pytest.mark.parametrize("address", [LOG, ENTRY])
def test_members_read_and_others_learn_of_nothing(client: Client, outsider: User, address: str) -> None:
    make_decision()

    check_members_read(client, address, outsider=outsider)


@pytest.mark.parametrize("address", [LOG, "/decisions/", ENTRY, SPECIFICATION])
def test_reading_pages_take_no_other_method(client: Client, lead: User, address: str) -> None:
    make_decision()
    make_specification()

    check_only_reading(client, lead, address)


def test_specification_is_read_by_members_of_any_benchmark_and_by_nobody_else(client: Client, outsider: User) -> None:
    make_specification()
    client.force_login(outsider)

    assert client.get(SPECIFICATION).status_code == 404
    visit(client, make_user("far", roles=(Role.REVIEWER,), benchmark="other-01"), SPECIFICATION)


@pytest.mark.parametrize("address", [NEW, EDIT])
def test_writing_forms_are_for_leads(client: Client, reviewer: User, operator: User, address: str) -> None:
    make_decision(published=False)

    for user in (reviewer, operator):
        client.force_login(user)
        assert client.get(address).status_code == 403
        assert client.post(address, entered()).status_code == 403

    assert Decision.objects.count() == 1


@pytest.mark.parametrize("address", [NEW, EDIT, PUBLISH])
def test_outsiders_learn_of_no_form(client: Client, outsider: User, address: str) -> None:
    make_decision(published=False)
    client.force_login(outsider)

    assert client.post(address, entered()).status_code == 404
    assert Decision.objects.get().state == DecisionState.DRAFT


def test_publishing_is_for_leads_and_by_post(client: Client, reviewer: User, operator: User, lead: User) -> None:
    make_decision(published=False)

    for user in (reviewer, operator):
        client.force_login(user)
        assert client.post(PUBLISH).status_code == 403
    client.force_login(lead)
    assert client.get(PUBLISH).status_code == 405

    assert Decision.objects.get().state == DecisionState.DRAFT


def test_posting_without_the_token_is_refused(lead: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(lead)

    assert client.post(NEW, entered()).status_code == 403
    assert not Decision.objects.exists()


def test_log_lists_entries_newest_first_with_their_marks(client: Client, reviewer: User) -> None:
    first = make_decision(question="First?", specification_version="1.0.1", rules_changed=True)
    make_decision(question="Second?", supersedes=first)
    make_decision(question="Third?", published=False)

    page = visit(client, reviewer, LOG)

    assert page.index("Third?") < page.index("Second?") < page.index("First?")
    for words in ("draft", "rules changed", "supersedes 1", "superseded by 2", "specification 1.0.1"):
        assert words in page


def test_log_of_all_benchmarks_shows_own_ones_only(client: Client, reviewer: User) -> None:
    make_decision(question="Ours?")
    make_decision(question="Theirs?", slug="other-01")

    page = visit(client, reviewer, "/decisions/")

    assert "Ours?" in page
    assert "Theirs?" not in page


def test_only_a_lead_is_offered_to_write(client: Client, reviewer: User, lead: User) -> None:
    make_decision(published=False)

    assert NEW not in visit(client, reviewer, LOG)
    assert NEW in visit(client, lead, LOG)
    assert PUBLISH not in visit(client, reviewer, ENTRY)
    assert PUBLISH in visit(client, lead, ENTRY)


def test_empty_log_and_no_benchmark_say_what_will_be_here(client: Client, reviewer: User, outsider: User) -> None:
    assert "No entry yet" in visit(client, reviewer, LOG)
    assert "You are in no benchmark yet" in visit(client, outsider, "/decisions/")


def test_log_takes_the_same_queries_for_three_entries_and_benchmarks(client: Client, lead: User) -> None:
    make_decision()
    one = queries_of(client, lead, "/decisions/")
    for slug in ("other-01", "other-02"):
        grant_role(user=lead, benchmark_slug=slug, role=Role.LEAD, by=None, now=LONG_AGO)
        first = make_decision(slug=slug)
        make_decision(slug=slug, supersedes=first)

    assert queries_of(client, lead, "/decisions/") == one


def test_long_log_is_paged(client: Client, reviewer: User) -> None:
    for number in range(1, 53):
        make_decision(question=f"Question number {number}?")

    assert "Question number 52?" in visit(client, reviewer, LOG)
    assert "Question number 2?" in visit(client, reviewer, f"{LOG}&page=2")
    assert "Question number 52?" not in visit(client, reviewer, f"{LOG}&page=2")


def test_entry_names_what_it_touches_and_leads_there(client: Client, reviewer: User) -> None:
    make_specification()
    make_decision(
        touches={
            "criteria": ["A6"],
            "questions": ["P08"],
            "key_versions": ["P09.v2"],
            "cards": ["P08_cedar-mini_W1_r1"],
        },
        specification_version="1.0.1",
    )

    page = visit(client, reviewer, ENTRY)

    assert ">A6<" in page
    assert f'href="{reverse("questions:question", args=[SLUG, "P08"])}"' in page
    assert f'href="{reverse("questions:question", args=[SLUG, "P09"])}#v2"' in page
    assert f'href="{reverse("answers:answer", args=[SLUG, "P08_cedar-mini_W1_r1"])}"' in page
    assert f'href="{SPECIFICATION}"' in page
    assert "system wrote the entry" in page
    assert "system published the entry" in page


def test_entry_takes_the_same_queries_for_one_and_three_cards(client: Client, reviewer: User) -> None:
    make_decision(touches={"cards": ["P01_a_W0_r1"], "questions": ["P01"]})
    make_decision(touches={"cards": [f"P0{n}_a_W0_r1" for n in (1, 2, 3)], "questions": ["P01", "P02", "P03"]})

    assert queries_of(client, reviewer, ENTRY) == queries_of(client, reviewer, f"/decisions/{SLUG}/2/")


def test_lead_writes_a_draft(as_lead: Client, lead: User) -> None:
    reply = as_lead.post(NEW, entered())

    decision = Decision.objects.get()
    assert reply.status_code == 302
    assert reply["Location"] == ENTRY
    assert (decision.state, decision.author, decision.question) == (DecisionState.DRAFT, lead, "Is silence an answer?")
    assert decision.touches == {
        "criteria": ["A6", "A1"],
        "questions": ["P08"],
        "key_versions": ["P09.v2"],
        "cards": ["P08_cedar-mini_W1_r1", "P10_cedar-mini_W0_r1"],
    }


def test_form_sent_twice_writes_one_entry(as_lead: Client) -> None:
    as_lead.post(NEW, entered())

    reply = as_lead.post(NEW, entered())

    assert reply.status_code == 302
    assert Decision.objects.count() == 1
    assert Event.objects.about("decision", f"{SLUG}#1").count() == 1


def test_two_leads_who_begin_at_once_write_two_entries(as_lead: Client) -> None:
    as_lead.post(NEW, entered(question="The other lead's?"))

    conflict = as_lead.post(NEW, entered())
    page = conflict.content.decode()
    again = as_lead.post(NEW, entered(number="2"))

    assert conflict.status_code == 409
    assert "The other lead&#x27;s?" in page
    assert "Is silence an answer?" in page
    assert 'name="number" value="2"' in page
    assert again.status_code == 302
    assert [each.question for each in Decision.objects.in_order()] == ["The other lead's?", "Is silence an answer?"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("decided_on", "someday"),
        ("question", ""),
        ("decision", " "),
        ("reason", ""),
        ("key_versions", "P09"),
        ("key_versions", "P09.v0"),
        ("cards", "P08 cedar"),
        ("criteria", "<b>"),
        ("specification_version", "9.9.9"),
        ("supersedes", "77"),
    ],
)
def test_wrong_entry_is_shown_again_with_the_reason(as_lead: Client, field: str, value: str) -> None:
    reply = as_lead.post(NEW, entered(**{field: value}))

    page = reply.content.decode()
    assert reply.status_code == 422
    assert f'id="error_1_id_{field}"' in page
    assert not Decision.objects.exists()


def test_form_offers_versions_and_published_entries_of_the_benchmark(client: Client, lead: User) -> None:
    make_specification()
    make_decision(question="Published?")
    make_decision(question="Only a draft?", published=False)
    make_decision(question="Elsewhere?", slug="other-01")

    page = visit(client, lead, NEW)

    assert "reference-card 1.0.1" in page
    assert "1. Published?" in page
    assert "Only a draft?" not in page
    assert "Elsewhere?" not in page


def test_lead_edits_a_draft_and_the_form_shows_it(client: Client, lead: User) -> None:
    decision = make_decision(published=False, touches={"criteria": ["A6"], "cards": ["P01_a_W0_r1", "P02_a_W0_r1"]})

    form = visit(client, lead, EDIT)
    reply = client.post(EDIT, entered(seen=decision.digest, reason="A better reason."))

    assert "P01_a_W0_r1\nP02_a_W0_r1" in form
    assert decision.digest in form
    assert reply["Location"] == ENTRY
    assert Decision.objects.get().reason == "A better reason."


def test_edit_of_a_draft_that_changed_meanwhile_shows_both(as_lead: Client) -> None:
    decision = make_decision(published=False)
    as_lead.post(EDIT, entered(seen=decision.digest, reason="The first writer's."))

    conflict = as_lead.post(EDIT, entered(seen=decision.digest, reason="The second writer's."))
    page = conflict.content.decode()
    current = Decision.objects.get()

    assert conflict.status_code == 409
    assert "The first writer&#x27;s." in page
    assert "The second writer&#x27;s." in page
    assert f'name="seen" value="{current.digest}"' in page
    assert current.reason == "The first writer's."

    as_lead.post(EDIT, entered(seen=current.digest, reason="The second writer's."))
    assert Decision.objects.get().reason == "The second writer's."


def test_published_entry_is_not_edited(as_lead: Client) -> None:
    decision = make_decision()

    for reply in (as_lead.get(EDIT), as_lead.post(EDIT, entered(seen=decision.digest))):
        assert reply.status_code == 302
        assert reply["Location"] == ENTRY

    assert Decision.objects.get().question == decision.question


def test_entry_published_while_it_was_edited_stays_as_it_is(as_lead: Client, lead: User) -> None:
    decision = make_decision(published=False)
    seen = decision.digest
    publish_decision(decision=decision, by=lead, now=LONG_AGO)

    as_lead.post(NEW, entered(number="1", seen=seen))

    assert Decision.objects.get().question == decision.question


def test_publishing_twice_is_one_publication(as_lead: Client, lead: User) -> None:
    make_decision(published=False)

    for _ in range(2):
        reply = as_lead.post(PUBLISH)
        assert reply["Location"] == ENTRY

    assert Decision.objects.get().state == DecisionState.PUBLISHED
    verbs = [event.verb for event in Event.objects.about("decision", f"{SLUG}#1").in_order()]
    assert verbs == ["write_decision", "publish_decision"]
    assert "It is final." in visit(as_lead, lead, ENTRY)


def test_specification_shows_rules_as_tables_and_text(client: Client, reviewer: User) -> None:
    make_specification()

    page = visit(client, reviewer, SPECIFICATION)

    for words in (
        "Core answer",
        "0, 1, 2",
        "points of the key&#x27;s rubric",
        "the question has no trap",
        "subtracted",
        "shown apart",
        "follows from the findings",
        "There is no such source.",
        "<h3>What a card records</h3>",
    ):
        assert words in page


def test_specification_lists_versions_with_changes_of_rules_and_decisions(client: Client, reviewer: User) -> None:
    make_specification()
    newer = {"version": "1.1.0", "rules_changed": False, "change_note": {"en": "Only words."}}
    load_specification(content={**specification_content(), **newer}, by=None, now=LONG_AGO)
    make_decision(question="Landed here?", specification_version="1.0.1")
    make_decision(question="Not published?", specification_version="1.0.1", published=False)
    make_decision(question="Elsewhere?", slug="other-01", specification_version="1.0.1")

    old = visit(client, reviewer, SPECIFICATION)
    new = visit(client, reviewer, "/specifications/reference-card/1.1.0/")

    assert "The newest is 1.1.0." in old
    assert "Only words." in old
    assert "Landed here?" in old
    assert "Not published?" not in old
    assert "Elsewhere?" not in old
    assert "The newest is" not in new
    assert "no score changed" in new


@pytest.mark.parametrize("version", ["9.9.9", "latest", "1.0.1.1"])
def test_unknown_version_is_not_found(client: Client, reviewer: User, version: str) -> None:
    make_specification()
    client.force_login(reviewer)

    assert client.get(f"/specifications/reference-card/{version}/").status_code == 404


def test_specification_takes_the_same_queries_for_three_versions(client: Client, reviewer: User) -> None:
    make_specification()
    make_decision(specification_version="1.0.1")
    one = queries_of(client, reviewer, SPECIFICATION)
    for version in ("1.1.0", "1.2.0"):
        load_specification(content={**specification_content(), "version": version}, by=None, now=LONG_AGO)
        make_decision(specification_version="1.0.1")

    assert queries_of(client, reviewer, SPECIFICATION) == one


@pytest.mark.parametrize("address", [LOG, ENTRY, EDIT])
def test_hostile_entries_are_shown_as_text(client: Client, lead: User, address: str) -> None:
    make_decision(published=False, question=HOSTILE, decision=HOSTILE, reason=HOSTILE)

    check_harmless(visit(client, lead, address), times=2)


def test_hostile_specification_is_shown_as_text(client: Client, lead: User) -> None:
    content = {**specification_content()}
    content["title"] = content["text"] = content["change_note"] = {"en": HOSTILE}
    content["criteria"] = [{**each, "name": {"en": HOSTILE}, "help": {"en": HOSTILE}} for each in content["criteria"]]
    load_specification(content=content, by=None, now=LONG_AGO)
    assert Specification.objects.count() == 1

    check_harmless(visit(client, lead, SPECIFICATION), times=12)


FEED = f"/decisions/{SLUG}/feed/"


def test_log_is_narrowed_by_words_state_rules_and_what_is_touched(client: Client, lead: User) -> None:
    first = make_decision(question="Fees?", touches={"criteria": ["A6"], "questions": ["P09"]}, rules_changed=True)
    make_decision(question="Dates?", supersedes=first, touches={"key_versions": ["P09.v2"]})
    make_decision(question="Names?", published=False, touches={"cards": ["P09_a_W0_r1"]})

    def shown(query: str) -> list[str]:
        page = visit(client, lead, f"{LOG}&{query}")
        return [word for word in ("Fees?", "Dates?", "Names?") if word in page]

    assert shown("q=fees") == ["Fees?"]
    assert shown("touches=P09") == ["Fees?"]
    assert shown("touches=P09.v2") == ["Dates?"]
    assert shown("touches=P09_a_W0_r1") == ["Names?"]
    assert shown("state=draft") == ["Names?"]
    assert shown("state=published") == ["Fees?", "Dates?"]
    assert shown("state=standing") == ["Dates?"]
    assert shown("rules=on") == ["Fees?"]
    assert shown("state=unheard-of") == ["Fees?", "Dates?", "Names?"]
    assert "No entry fits" in visit(client, lead, f"{LOG}&q=nothing of the kind")


def test_pages_of_a_narrowed_log_stay_narrowed(client: Client, reviewer: User) -> None:
    for number in range(1, 53):
        make_decision(question=f"Fee number {number}?")

    assert "q=Fee&amp;page=2" in visit(client, reviewer, f"{LOG}&q=Fee")


def test_feed_is_for_members_and_holds_published_entries_only(client: Client, outsider: User) -> None:
    first = make_decision(question="Published & final?")
    make_decision(question="Later?", supersedes=first)
    make_decision(question="Only a draft?", published=False)
    check_sign_in(client, FEED)
    check_members_read(client, FEED, outsider=outsider)
    check_only_reading(client, outsider, FEED)

    reply = client.get(FEED)
    client.force_login(make_user("rea", roles=(Role.REVIEWER,)))
    reply = client.get(FEED)
    tree = etree.fromstring(reply.content)
    titles = tree.xpath("//a:entry/a:title/text()", namespaces={"a": "http://www.w3.org/2005/Atom"})

    assert reply["Content-Type"].startswith("application/atom+xml")
    assert titles == ["2. Later?", "1. Published & final?"]
    assert "Superseded by decision 2." in reply.content.decode()
    assert "Only a draft" not in reply.content.decode()


def test_a_feeds_summary_is_html_and_its_words_are_text(client: Client, reviewer: User) -> None:
    """Readers of feeds take it for HTML: unescaped, words in angle brackets would be lost or, worse, run."""
    first = make_decision(decision=f"Class <T> & {HOSTILE}", reason="One.\n\nTwo.", decided_on=date(2026, 10, 1))
    make_decision(question="Later?", supersedes=first, decided_on=date(2026, 11, 5))
    Decision.objects.filter(pk=make_decision(published=False, decided_on=date(2026, 12, 24)).pk).update(
        supersedes=first
    )
    client.force_login(reviewer)
    atom = {"a": "http://www.w3.org/2005/Atom"}

    entry = etree.fromstring(client.get(FEED).content).xpath("//a:entry", namespaces=atom)[1]

    [summary] = entry.xpath("a:summary", namespaces=atom)
    shown = html.fromstring(summary.text)
    assert summary.get("type") == "html"
    assert [part.text_content() for part in shown.xpath("//p")] == [
        f"Class <T> & {HOSTILE}", "One.", "Two.", "Superseded by decision 2.",
    ]  # fmt: skip
    assert not shown.xpath("//p//*")
    assert entry.xpath("a:published/text() | a:updated/text()", namespaces=atom) == [
        "2026-10-01T00:00:00+00:00", "2026-11-05T00:00:00+00:00",
    ]  # fmt: skip
