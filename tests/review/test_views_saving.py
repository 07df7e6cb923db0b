"""Saving: a fragment equals a fresh load, twice is once, an older version loses nothing."""

from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import resolve, reverse
from django.utils import timezone

from lexreview.accounts.models import User
from lexreview.ledger.models import Event
from lexreview.methodology.actions import DecisionDraft, publish_decision, write_decision
from lexreview.review.actions import approve_card, set_note
from lexreview.review.comparison import about
from lexreview.review.models import Card
from tests.review.factories import fill_card, make_card
from tests.review.sending import FORMS, LEAVING, NEW_FINDING, Sent
from tests.review.swapping import comparable, parsed, swapped

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def page_of(client: Client, address: str) -> bytes:
    response = client.get(address)
    assert response.status_code == 200
    return response.content


def fresh(card: Card) -> Card:
    return Card.objects.with_answer().get(pk=card.pk)


@pytest.mark.parametrize("name", FORMS)
def test_fragment_swapped_into_the_old_page_equals_a_fresh_load(
    reviewers_client: Client, card: Card, name: str
) -> None:
    address = reverse("review:card", args=[card.pk]) + "?citation=1"
    old = page_of(reviewers_client, address)
    sent = FORMS[name](card)

    reply = reviewers_client.post(sent.address, sent.fields, headers=HTMX)

    assert reply.status_code == 200, reply.content.decode()[:2000]
    assert reply["HX-Replace-Url"] == address
    assert comparable(swapped(old, reply.content)) == comparable(parsed(page_of(reviewers_client, address)))


def test_opening_a_citation_brings_its_source_and_its_address(reviewers_client: Client, card: Card) -> None:
    old = page_of(reviewers_client, reverse("review:card", args=[card.pk]) + "?citation=1")
    opening = reverse("review:open_citation", args=[card.pk, 3])

    reply = reviewers_client.post(opening, headers=HTMX)

    address = reverse("review:card", args=[card.pk]) + "?citation=3"
    assert reply["HX-Replace-Url"] == address
    assert comparable(swapped(old, reply.content)) == comparable(parsed(page_of(reviewers_client, address)))
    assert b"Source for citation 3" in reply.content
    assert card.citations.get(number=3).opened_at is not None


def test_choosing_an_opened_citation_by_htmx_equals_a_fresh_load(reviewers_client: Client, card: Card) -> None:
    address = reverse("review:card", args=[card.pk])
    old = page_of(reviewers_client, address + "?citation=1")

    reply = reviewers_client.get(address + "?citation=4", headers=HTMX)

    new = page_of(reviewers_client, address + "?citation=4")
    assert comparable(swapped(old, reply.content)) == comparable(parsed(new))


@pytest.mark.parametrize("name", [*FORMS, *LEAVING])
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_b7_the_same_form_twice_is_one_change(
    reviewers_client: Client, card: Card, name: str, headers: dict[str, str]
) -> None:
    sent = (FORMS | LEAVING)[name](card)
    first = reviewers_client.post(sent.address, sent.fields, headers=headers)
    version, events = fresh(card).version, Event.objects.count()

    second = reviewers_client.post(sent.address, sent.fields, headers=headers)

    assert (first.status_code, second.status_code) in {(200, 200), (302, 302)}
    assert (fresh(card).version, Event.objects.count()) == (version, events)


@pytest.mark.parametrize("headers", [{}, HTMX, {**HTMX, "Kept-Card": "0"}], ids=["plain", "htmx", "in place"])
@pytest.mark.parametrize("form_key", ["key of the form", ""])
def test_b7_approving_twice_is_one_approval_and_takes_one_next_card(
    reviewers_client: Client, card: Card, reviewer: User, now: datetime, headers: dict[str, str], form_key: str
) -> None:
    card = fill_card(card, by=reviewer, now=now)
    free = [make_card(code=code, system="boron-2") for code in ("P05", "P06")]
    approve = reverse("review:approve", args=[card.pk])
    form = {"version": card.version, "confirm_unchecked": "on", "form_key": form_key}

    answers = [reviewers_client.post(approve, form, headers=headers) for _click in range(2)]

    led_to = [reply.get("Next-Card") or reply.get("HX-Redirect") or reply.get("Location") for reply in answers]
    taken = [each for each in free if fresh(each).assigned_to == reviewer]
    assert len(taken) == 1
    assert led_to == [reverse("review:card", args=[taken[0].pk])] * 2
    assert (fresh(card).revision, fresh(card).version) == (1, card.version + 1)
    assert Event.objects.filter(verb="approve").count() == 1


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_b7_an_approval_is_taken_back_only_with_a_reason(
    reviewers_client: Client, card: Card, reviewer: User, now: datetime, headers: dict[str, str]
) -> None:
    card = fill_card(card, by=reviewer, now=now)
    approved = approve_card(card=card, version=card.version, confirm_unchecked=True, by=reviewer, now=now)
    revise = reverse("review:revise", args=[card.pk])

    for reason, state in (("", "approved"), ("  ", "approved"), ("B1 was too low.", "in_review")):
        reviewers_client.post(revise, {"version": approved.version, "reason": reason}, headers=headers)
        assert fresh(card).state == state, reason


def change_meanwhile(card: Card, *, by: User) -> Card:
    return set_note(card=card, note="Read § 2 again.", version=card.version, by=by, now=timezone.now())


@pytest.mark.parametrize("name", [*FORMS, *LEAVING])
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_b5_a_save_on_an_older_version_changes_nothing_and_shows_both(
    reviewers_client: Client, card: Card, lead: User, name: str, headers: dict[str, str]
) -> None:
    sent = (FORMS | LEAVING)[name](card)
    current = change_meanwhile(card, by=lead)
    events = Event.objects.count()

    reply = reviewers_client.post(sent.address, sent.fields, headers=headers)

    assert reply.status_code == 409
    assert (fresh(card).version, Event.objects.count()) == (current.version, events)
    text = reply.content.decode()
    assert "lena" in text
    for value in sent.fields.values():
        for each in value if isinstance(value, list) else [value]:
            assert str(each).replace("'", "&#x27;") in text
    assert text.startswith("<!doctype html>") is (not headers)


@pytest.mark.parametrize(
    ("name", "arguments", "named"),
    [
        ("decide_score", {"code": "A-R"}, "A-R"),
        ("decide_citation", {"number": 2}, "Citation 2"),
        ("edit_finding", {"finding": 1}, "Finding 1"),
        ("note", {}, ""),
    ],
)
def test_b5_a_conflict_names_the_part_of_the_card_that_it_is_about(
    card: Card, name: str, arguments: dict[str, Any], named: str
) -> None:
    address = reverse(f"review:{name}", kwargs={"pk": card.pk, **arguments})

    assert about(resolve(address)) == named


@pytest.mark.parametrize("name", FORMS)
def test_b5_keep_mine_saves_on_the_new_version(reviewers_client: Client, card: Card, lead: User, name: str) -> None:
    sent = FORMS[name](card)
    change_meanwhile(card, by=lead)
    conflict = reviewers_client.post(sent.address, sent.fields)

    again = form_of(conflict.content, "form-keep")
    reply = reviewers_client.post(again.address, again.fields)

    assert reply.status_code == 302
    assert fresh(card).version > card.version + 1


def form_of(page: bytes, name: str) -> Sent:
    """The form with that id, as a browser would send it back."""
    form = parsed(page).get_element_by_id(name)
    fields: dict[str, Any] = {}
    for field in form.xpath(".//input[@name]"):
        fields.setdefault(field.get("name"), []).append(field.get("value") or "")
    return Sent(form.get("action"), fields)


def test_take_theirs_leads_to_the_card_as_it_is(reviewers_client: Client, card: Card, lead: User) -> None:
    sent = FORMS["note"](card)
    change_meanwhile(card, by=lead)

    conflict = reviewers_client.post(sent.address, sent.fields)

    link = parsed(conflict.content).get_element_by_id("take-theirs")
    assert b"Read \xc2\xa7 2 again." in page_of(reviewers_client, link.get("href"))


def test_a1_score_is_the_same_for_a_second_session(reviewers_client: Client, card: Card, lead: User) -> None:
    sent = FORMS["decide_score"](card)
    reviewers_client.post(sent.address, sent.fields, headers=HTMX)
    second = Client()
    second.force_login(lead)

    page = parsed(page_of(second, reverse("review:card", args=[card.pk])))

    assert page.xpath("//form[@id='criterion-A-R']//input[@name='points'][@checked]/@value") == ["1"]


def test_label_and_a_percent_follow_every_save(
    reviewers_client: Client, card: Card, reviewer: User, now: datetime
) -> None:
    card = fill_card(card, by=reviewer, now=now)

    def send(name: str, *arguments: Any, **fields: Any) -> Any:
        address = reverse(f"review:{name}", args=[card.pk, *arguments])
        reply = reviewers_client.post(address, {"version": fresh(card).version, **fields}, headers=HTMX)
        assert reply.status_code == 200
        return parsed(b"<html><body>" + reply.content + b"</body></html>").get_element_by_id("verdict").text_content()

    full = send("decide_score", "A-R", points="2", evidence="The whole core.")
    assert "hallucinated" in full
    assert "A 40 % (4 of 10)" in full  # A-R 2 of 2, A1 0 of 4, A2 2 of 2, A3 0 of 1, A6 0 of 1, penalties 0
    send("remove_finding", 1, reason="Quoted as an older wording.")
    settled = send("remove_finding", 2, reason="The paragraph exists.")
    assert "correctly grounded" in settled
    assert "A 50 % (5 of 10)" in settled
    assert "no hallucination" in send(
        "decide_score", "A-R", points="1", evidence="Half of it.", reason="Second thought."
    )


def test_a5_saved_shows_time_and_version_of_the_servers_record(reviewers_client: Client, card: Card) -> None:
    sent = FORMS["note"](card)

    reply = reviewers_client.post(sent.address, sent.fields, headers=HTMX)

    event = Event.objects.newest_first().first()
    assert event is not None
    assert f"Saved {event.at:%H:%M:%S} · v{fresh(card).version}" in reply.content.decode()


REFUSED: list[tuple[str, tuple[Any, ...], dict[str, Any], str]] = [
    ("decide_score", ("A-R",), {"points": "7", "evidence": "x"}, "A-R takes 0 to 2 points, not 7."),
    ("decide_score", ("A-R",), {"points": "0.5"}, "lies between two steps"),
    ("decide_score", ("A-R",), {"points": "many"}, "Enter a number"),
    ("decide_score", ("A-R",), {"evidence": "typed before"}, "Choose the points first."),
    ("decide_score", ("A1",), {"elements": ["R9"]}, "R9 is not one of the available choices"),
    ("decide_score", ("A4",), {"points": "1"}, "A4 does not apply to this question."),
    ("decide_score", ("A6",), {"points": "1"}, "A6 follows from the findings"),
    ("decide_citation", (1,), {"verdict": "error:Z"}, "This verdict is not known here."),
    ("decide_citation", (1,), {"verdict": "state:error"}, "This verdict is not known here."),
    ("decide_citation", (1,), {"verdict": "state:confirmed"}, "why the finding does not count"),
    ("decide_citation", (4,), {"verdict": "scope:core"}, "this citation has none"),
    ("add_finding", (), {**NEW_FINDING, "claim": "words that nobody wrote"}, "do not stand in the answer"),
    ("add_finding", (), {**NEW_FINDING, "claim": ""}, "This field is required"),
    ("add_finding", (), {**NEW_FINDING, "finding_class": "Z"}, "Z is not one of the available choices"),
    ("add_finding", (), {**NEW_FINDING, "checked_address": "javascript:alert(1)"}, "web address"),
    ("add_finding", (), {**NEW_FINDING, "checked_on": "yesterday"}, "valid date"),
    ("reject_finding", (1,), {"reason": "  "}, "This field is required"),
    ("approve", (), {}, "The card cannot be approved yet"),
    ("park", (), {"reason": ""}, "This field is required"),
    ("ask_ruling", (), {"question": ""}, "This field is required"),
]


@pytest.mark.parametrize(("name", "arguments", "fields", "message"), REFUSED)
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_what_is_not_accepted_comes_back_with_the_reason_and_is_not_saved(
    reviewers_client: Client,
    card: Card,
    name: str,
    arguments: tuple[Any, ...],
    fields: dict[str, Any],
    message: str,
    headers: dict[str, str],
) -> None:
    version, events = card.version, Event.objects.count()

    reply = reviewers_client.post(
        reverse(f"review:{name}", args=[card.pk, *arguments]), {"version": version, **fields}, headers=headers
    )

    assert reply.status_code == 422
    assert message in reply.content.decode().replace("&#x27;", "'")
    assert (fresh(card).version, Event.objects.count()) == (version, events)


def test_refused_score_keeps_what_was_typed(reviewers_client: Client, card: Card) -> None:
    address = reverse("review:decide_score", args=[card.pk, "A-R"])

    reply = reviewers_client.post(address, {"version": card.version, "evidence": "typed before the points"})

    form = parsed(reply.content).get_element_by_id("criterion-A-R")
    assert form.xpath(".//textarea[@name='evidence']")[0].text.strip() == "typed before the points"
    assert form.xpath(".//details[@open]")


@pytest.mark.parametrize("version", ["", "x", "-1"])
def test_a_form_without_a_version_is_refused(reviewers_client: Client, card: Card, version: str) -> None:
    reply = reviewers_client.post(reverse("review:note", args=[card.pk]), {"version": version, "note": "n"})

    assert reply.status_code == 422
    assert fresh(card).note == ""


@pytest.mark.parametrize(
    "name", ["open_citation", "decide_citation", "edit_finding", "accept_finding", "remove_finding"]
)
def test_parts_that_the_card_does_not_have_are_not_found(reviewers_client: Client, card: Card, name: str) -> None:
    address = reverse(f"review:{name}", args=[card.pk, 99])

    assert reviewers_client.post(address, {"version": card.version, "verdict": "agree"}).status_code == 404


def test_criterion_that_the_specification_lacks_is_not_found(reviewers_client: Client, card: Card) -> None:
    address = reverse("review:decide_score", args=[card.pk, "A9"])

    assert reviewers_client.post(address, {"version": card.version, "points": "1"}).status_code == 404


def test_ticked_elements_become_points_and_details(reviewers_client: Client, card: Card) -> None:
    sent = FORMS["decide_score elements"](card)

    reviewers_client.post(sent.address, sent.fields)

    score = card.scores.get(criterion="A1")
    assert (score.decided, score.details) == (Decimal(2), {"elements": ["R1", "R3"]})


def test_points_against_the_ticks_drop_the_ticks(reviewers_client: Client, card: Card) -> None:
    sent = FORMS["decide_score elements"](card)
    reviewers_client.post(sent.address, sent.fields)

    fields = {"version": fresh(card).version, "points": "4", "elements": ["R1", "R3"], "evidence": "All four."}
    reviewers_client.post(sent.address, fields)

    score = card.scores.get(criterion="A1")
    assert (score.decided, score.details) == (Decimal(4), {})


def test_claim_gets_its_place_from_the_server(reviewers_client: Client, card: Card) -> None:
    fields = {**NEW_FINDING, "claim": "the demand", "occurrence": "1", "version": card.version}

    reviewers_client.post(reverse("review:add_finding", args=[card.pk]), fields)

    finding = card.findings.get(error_class="T")
    text = card.answer.text
    assert text[finding.claim_start : finding.claim_end] == "the demand"
    assert finding.claim_start == text.index("the demand")


@pytest.mark.parametrize(
    ("claim", "linked"), [("of service (Art. 17 § 1 CPA", 1), ("a request filed without it is returned", None)]
)
def test_finding_belongs_to_the_shown_citation_if_its_claim_takes_it_in(
    reviewers_client: Client, card: Card, claim: str, linked: int | None
) -> None:
    fields = {**NEW_FINDING, "claim": claim, "citation_number": "1", "version": card.version}

    reviewers_client.post(reverse("review:add_finding", args=[card.pk]), fields)

    citation = card.findings.get(error_class="T").citation
    assert (citation.number if citation else None) == linked


def test_agreeing_settles_the_proposal_and_not_a_finding_made_by_hand(reviewers_client: Client, card: Card) -> None:
    fields = {**NEW_FINDING, "claim": "of service (Art. 17 § 1 CPA", "citation_number": "1", "version": card.version}
    reviewers_client.post(reverse("review:add_finding", args=[card.pk]), fields)

    agree = reverse("review:decide_citation", args=[card.pk, 1])
    reviewers_client.post(agree, {"version": fresh(card).version, "verdict": "agree"})

    assert {row.number: row.state for row in card.findings.all()} == {1: "accepted", 2: "proposed", 3: "accepted"}


def test_unchecked_citations_are_confirmed_once(
    reviewers_client: Client, card: Card, reviewer: User, now: datetime
) -> None:
    card = fill_card(card, by=reviewer, now=now)
    address = reverse("review:decide_citation", args=[card.pk, 4])
    reviewers_client.post(address, {"version": card.version, "verdict": "state:unchecked"})
    approve = reverse("review:approve", args=[card.pk])

    asked = reviewers_client.post(approve, {"version": fresh(card).version})
    confirmed = reviewers_client.post(approve, {"version": fresh(card).version, "confirm_unchecked": "on"})

    assert asked.status_code == 422
    assert "1 citation is unchecked: approve all the same" in asked.content.decode()
    assert parsed(asked.content).xpath("//input[@name='confirm_unchecked'][@checked]")
    assert (confirmed.status_code, fresh(card).state) == (302, "approved")


def test_approve_opens_the_next_card_and_then_the_queue(
    reviewers_client: Client, card: Card, reviewer: User, now: datetime
) -> None:
    other = make_card(code="P05", system="boron-2", assigned_to=reviewer)
    for current, address in [
        (card, f"/review/cards/{other.pk}/"),
        (other, "/review/?pile=unassigned&benchmark=kestria-01"),
    ]:
        filled = fill_card(fresh(current), by=reviewer, now=now)
        approve = reverse("review:approve", args=[current.pk])

        reply = reviewers_client.post(approve, {"version": filled.version, "confirm_unchecked": "on"}, headers=HTMX)

        assert reply["HX-Redirect"] == address


def test_ruling_is_asked_by_the_reviewer_and_given_by_the_lead(
    reviewers_client: Client, client: Client, card: Card, lead: User, now: datetime
) -> None:
    draft = DecisionDraft(decided_on=now.date(), question="Older wording?", decision="Class W.", reason="Rule 3.")
    decision = write_decision(benchmark_slug="kestria-01", draft=draft, by=lead, now=now)
    decision = publish_decision(decision=decision, by=lead, now=now)
    sent = FORMS["ask_ruling"](card)
    reviewers_client.post(sent.address, sent.fields)
    give = reverse("review:give_ruling", args=[card.pk])
    form = {"version": fresh(card).version, "decision": decision.pk}
    assert fresh(card).state == "needs_ruling"
    assert reviewers_client.post(give, form).status_code == 403

    client.force_login(lead)
    page = page_of(client, reverse("review:card", args=[card.pk])).decode()
    reply = client.post(give, form)

    assert "Does an older wording count" in page
    assert (reply.status_code, fresh(card).state) == (302, "in_review")


def test_parked_card_is_taken_up_again(reviewers_client: Client, card: Card) -> None:
    sent = LEAVING["park"](card)
    reviewers_client.post(sent.address, sent.fields)
    assert fresh(card).state == "parked"
    foot = parsed(page_of(reviewers_client, reverse("review:card", args=[card.pk]))).get_element_by_id("foot")
    assert sent.fields["reason"] in foot.xpath(".//q/text()")

    reply = reviewers_client.post(reverse("review:unpark", args=[card.pk]), {"version": fresh(card).version})

    assert (reply.status_code, fresh(card).state) == (302, "in_review")


def test_official_source_is_set_for_answers_with_tools_only(
    reviewers_client: Client, card: Card, reviewer: User
) -> None:
    with_tools = make_card(code="P05", condition="W1", assigned_to=reviewer)
    send: Callable[[Card], Any] = lambda which: reviewers_client.post(  # noqa: E731
        reverse("review:official_source", args=[which.pk]),
        {"version": which.version, "official_source": "secondary_only"},
    )

    assert send(card).status_code == 404
    assert send(with_tools).status_code == 302
    assert fresh(with_tools).official_source == "secondary_only"


def test_what_a_colleague_decided_stays_when_mine_is_a_late_double(
    reviewers_client: Client, card: Card, lead: User
) -> None:
    """A delayed duplicate of "agree" must not undo what happened since."""
    sent = FORMS["decide_citation agree"](card)
    del sent.fields["form_key"]
    reviewers_client.post(sent.address, sent.fields)
    other = Client()
    other.force_login(lead)
    undo = {"version": fresh(card).version, "verdict": "state:unchecked", "reason": "Look again."}
    assert other.post(sent.address, undo).status_code == 302

    reply = reviewers_client.post(sent.address, sent.fields)

    assert reply.status_code == 409
    assert card.citations.get(number=1).state == "unchecked"


def test_ticks_taken_back_without_points_become_points(reviewers_client: Client, card: Card) -> None:
    reviewers_client.post(reverse("review:decide_score", args=[card.pk, "A2"]), {"version": card.version})

    assert card.scores.get(criterion="A2").decided == Decimal(0)


def test_reason_and_evidence_of_an_override_are_kept(reviewers_client: Client, card: Card) -> None:
    fields = {"version": card.version, "points": "1", "evidence": "Only § 1 is cited.", "reason": "B2 is about § 2."}

    reviewers_client.post(reverse("review:decide_score", args=[card.pk, "A2"]), fields)

    score = card.scores.get(criterion="A2")
    assert (score.proposed, score.decided, score.reason) == (Decimal(2), Decimal(1), "B2 is about § 2.")
    assert score.is_changed
    page = page_of(reviewers_client, reverse("review:card", args=[card.pk])).decode()
    assert "Changed from the proposal: A2" in page
