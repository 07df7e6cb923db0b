"""What users of comparable tools lose, one check each; the names are those of the list that they come from."""

import re
from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest
from django.conf import settings
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from lexreview.accounts.models import User
from lexreview.core.workflow import CardState, CitationState, Role, TransitionRefused
from lexreview.ledger.models import Event
from lexreview.questions.models import Question
from lexreview.reports.actions import publish
from lexreview.review.actions import (
    StaleCard,
    accept_finding,
    approve_card,
    ask_ruling,
    confirm_in_bulk,
    decide_citation,
    decide_score,
    park_card,
    revise_card,
    set_note,
)
from lexreview.review.actions.adjudicating import begin_adjudication
from lexreview.review.models import Attendance, Card, ModelProposal
from lexreview.review.snapshot import record_of, shown_record_of
from lexreview.review.verdicts import call_wrong
from tests.factories import make_user
from tests.review.factories import CITATIONS, fill_card, make_card
from tests.review.rounds import adjudicating
from tests.review.sending import FORMS, NEW_FINDING
from tests.review.swapping import parsed

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def test_a1_every_save_shows_what_the_server_has(
    reviewers_client: Client, client: Client, card: Card, lead: User
) -> None:
    """Also to a second session; a form of an older version changes nothing."""
    address = reverse("review:decide_score", args=[card.pk, "A2"])
    fields = {"version": card.version, "points": "1", "evidence": "Only § 1.", "reason": "B2 is about § 2."}

    reply = parsed(reviewers_client.post(address, fields, headers=HTMX).content)

    assert reply.xpath("//form[@id='criterion-A2']//input[@name='points'][@checked]/@value") == ["1"]
    assert reply.xpath("//span[@id='saved']/text()")[0].endswith(f"v{card.version + 1}")
    other = Client()
    other.force_login(lead)
    page = parsed(other.get(reverse("review:card", args=[card.pk])).content)
    assert page.xpath("//form[@id='criterion-A2']//input[@name='points'][@checked]/@value") == ["1"]
    assert other.post(address, {**fields, "points": "2"}, headers=HTMX).status_code == 409
    assert card.scores.get(criterion="A2").decided == 1


def test_a3_there_is_one_review_per_answer_pass_and_round(reviewers_client: Client, card: Card) -> None:
    """Two tabs show one version, each form under a key of its own. The same from both is done once; another is a
    conflict."""
    sent = FORMS["add_finding"](card)
    tabs = [{**sent.fields, "form_key": f"tab {number}"} for number in (1, 2)]
    other = {**tabs[1], "source_says": "Something else."}

    replies = [reviewers_client.post(sent.address, tab) for tab in (tabs[0], tabs[0], tabs[1], other)]

    assert [reply.status_code for reply in replies] == [302, 302, 302, 409]
    assert card.findings.filter(error_class="T").count() == 1
    assert Event.objects.about("card", card.ledger_id).filter(verb="add_finding").count() == 1
    with pytest.raises(IntegrityError), transaction.atomic():
        Card.objects.create(answer=card.answer, specification=card.specification, key_version=card.key_version)


def test_a7_going_back_after_an_approval_makes_a_second_revision(
    reviewers_client: Client, card: Card, reviewer: User, now: datetime
) -> None:
    following = make_card(code="P05", system="boron-2", assigned_to=reviewer)
    card = fill_card(card, by=reviewer, now=now)
    card = approve_card(card=card, version=card.version, confirm_unchecked=True, by=reviewer, now=now)

    back = reviewers_client.get(reverse("review:previous_card", args=[following.pk]))
    assert back["Location"] == reverse("review:card", args=[card.pk])
    card = revise_card(card=card, reason="Too fast.", version=card.version, by=reviewer, now=now)
    card = decide_score(
        card=card, criterion="B1", points=Decimal(1), evidence="Useful.", version=card.version, by=reviewer, now=now
    )
    card = approve_card(card=card, version=card.version, confirm_unchecked=True, by=reviewer, now=now)

    values = [
        next(row["decided"] for row in revision.snapshot["scores"] if row["criterion"] == "B1")
        for revision in card.revisions.order_by("number")
    ]
    assert values == ["0", "1"]


def test_a12_parked_cards_are_open_and_in_no_result(reviewer: User, lead: User, now: datetime) -> None:
    """Half of ten: five results are published, five answers listed as open; no figure counts a parked card."""
    cards = [make_card(code=f"P{number:02}", citations=(), assigned_to=reviewer) for number in range(10)]
    for place, card in enumerate(cards):
        filled = fill_card(card, by=reviewer, now=now)
        if place % 2:
            park_card(card=filled, reason="Later.", version=filled.version, by=reviewer, now=now)
        else:
            approve_card(card=filled, version=filled.version, confirm_unchecked=True, by=reviewer, now=now)
    Question.objects.update(disclosure="published")

    publication = publish(benchmark=cards[0].benchmark, note="First.", by=lead, now=now)

    parked = sorted(card.answer.identifier for card in cards[1::2])
    main = publication.pages.get(kind="benchmark").content
    assert (publication.approved, publication.answers) == (5, 10)
    assert sorted(answer["identifier"] for answer in main["open"]) == parked
    assert [(row["grounded"]["n"], row["grounded"]["of"]) for row in main["headline"]] == [(0, 5)]
    pages = {page.key: page.content for page in publication.pages.filter(kind="card")}
    assert {name for name, content in pages.items() if content["approved"]} == pages.keys() - set(parked)
    assert not [name for name in parked if {"label", "criteria", "citations"} & pages[name].keys()]
    assert Card.objects.filter(state=CardState.PARKED).count() == 5


def test_a13_a_card_that_waits_for_a_ruling_cannot_be_approved(
    reviewers_client: Client, card: Card, reviewer: User, now: datetime
) -> None:
    card = fill_card(card, by=reviewer, now=now)
    card = ask_ruling(card=card, question="Is that T?", version=card.version, by=reviewer, now=now)

    with pytest.raises(TransitionRefused):
        approve_card(card=card, version=card.version, confirm_unchecked=True, by=reviewer, now=now)
    page = parsed(reviewers_client.get(reverse("review:card", args=[card.pk])).content)
    assert not page.xpath("//*[@id='approve']")


CARD_ROWS = r"(?:Card|Score|CardCitation|Finding)"
WRITING = re.compile(
    rf"\b{CARD_ROWS}\.objects\.(?:create|bulk_create|bulk_update|update_or_create|get_or_create)\b"
    rf"|\b{CARD_ROWS}\.objects\.[^\n]*\.(?:update|delete)\("
    r"|\bcard\.(?:scores|citations|findings)\.[^\n]*(?:\.update|\.delete|\.create)\("
    r"|\bcard\.save\("
)


def test_b6_only_actions_write_cards() -> None:
    """The check of the version has one home, so nothing else may write what it guards."""
    root = settings.BASE_DIR / "lexreview"
    allowed = re.compile(r"^review/(?:actions/|migrations/|changing\.py|verdicts\.py|merging\.py)")

    others = [
        f"{path.relative_to(root)}: {line.strip()}"
        for path in root.rglob("*.py")
        if not allowed.match(str(path.relative_to(root)))
        for line in path.read_text().splitlines()
        if WRITING.search(line)
    ]

    assert others == []
    assert WRITING.search("Card.objects.filter(pk=1).update(note='x')")
    assert WRITING.search("card.save(update_fields=['note'])")


def test_b6_the_version_is_checked_whatever_is_saved(reviewer: User, now: datetime) -> None:
    card = make_card(assigned_to=reviewer)
    old = card.version
    set_note(card=card, note="First.", version=old, by=reviewer, now=now)
    late: list[Callable[[], Any]] = [
        lambda: set_note(card=card, note="Second.", version=old, by=reviewer, now=now),
        lambda: accept_finding(card=card, number=1, version=old, by=reviewer, now=now),
        lambda: confirm_in_bulk(card=card, version=old, by=reviewer, now=now),
        lambda: park_card(card=card, reason="Later.", version=old, by=reviewer, now=now),
    ]

    for save in late:
        with pytest.raises(StaleCard):
            save()


def test_g2_the_export_says_who_when_how_long_and_under_which_rules(reviewer: User, lead: User, now: datetime) -> None:
    """How long stays out of what colleagues and readers get; null where nobody measured it."""
    card = make_card(assigned_to=reviewer)
    assert record_of(card)["active_seconds"] == [{"person": "rita", "active_seconds": None}]
    ModelProposal.objects.create(
        card=card, provider="local", model="plain", served_model="plain-2", prompt_version="1", prompt_sha256="a" * 64,
        fingerprint="b" * 64, content={}, proposed_at=now,
    )  # fmt: skip
    for person, seconds in ((reviewer, 312), (lead, 9), (make_user("karl"), 0)):
        Attendance.objects.create(card=card, person=person, active_seconds=seconds, open_until=now, beat_at=now)
    card = fill_card(card, by=reviewer, now=now)
    card = approve_card(card=card, version=card.version, confirm_unchecked=True, by=reviewer, now=now)

    record = record_of(card)

    assert (record["approved_by"], record["approved_at"], record["round"]) == ("rita", now.isoformat(), 1)
    assert (record["specification"], record["key_version"]) == ("1.0.1", 1)
    assert record["verification"]["layer_version"] == "1.0.0"
    assert [row["served_model"] for row in record["model_proposals"]] == ["plain-2"]
    decided = [row for row in record["scores"] if row["decided"] is not None]
    assert decided
    assert {row["decided_by"] for row in decided} == {"rita"}
    assert {row["decided_at"] for row in record["citations"]} == {now.isoformat()}
    assert record["active_seconds"] == [
        {"person": "lena", "active_seconds": 9},
        {"person": "rita", "active_seconds": 312},
    ]
    Question.objects.update(disclosure="published")
    publication = publish(benchmark=card.benchmark, note="First.", by=lead, now=now)
    given = [shown_record_of(card), *publication.pages.values_list("content", flat=True)]
    assert "active_seconds" not in str(given)
    assert "312" not in str(given)


def test_g3_every_exported_value_says_where_it_comes_from(reviewer: User, lead: User, now: datetime) -> None:
    """Proposed and decided stand side by side, also where nobody decided, and each says which of them counts."""
    card = make_card(citations=[CITATIONS[0], CITATIONS[1], CITATIONS[-1]], assigned_to=reviewer)
    card = confirm_in_bulk(card=card, version=card.version, by=reviewer, now=now)
    card = decide_citation(
        card=card, number=2, state=CitationState.CONFIRMED, version=card.version, by=reviewer, now=now
    )

    record = record_of(card)

    a2 = next(row for row in record["scores"] if row["criterion"] == "A2")
    assert (a2["proposed"], a2["decided"], a2["decided_by"], a2["provenance"]) == ("2", None, None, "prefilled")
    finding = record["findings"][0]
    assert (finding["state"], finding["proposed_by"], finding["decided_by"]) == ("proposed", "code", None)
    assert finding["provenance"] == "prefilled"
    assert [(row["state"], row.get("in_bulk", False), row["provenance"]) for row in record["citations"]] == [
        ("unchecked", False, None),
        ("confirmed", False, "approved"),
        ("confirmed", True, "approved"),
    ]

    for criterion, points in (("A2", 1), ("B1", 2)):
        card = decide_score(
            card=card, criterion=criterion, points=Decimal(points), evidence="Read.", reason="One only.",
            version=card.version, by=reviewer, now=now,
        )  # fmt: skip
    card = call_wrong(card=card, number=1, error_class="T", version=card.version, by=reviewer, now=now)
    card = call_wrong(card=card, number=2, error_class="T", version=card.version, by=reviewer, now=now)
    record = record_of(card)
    scores = {row["criterion"]: row["provenance"] for row in record["scores"]}
    assert (scores["A2"], scores["B1"], scores["A-R"]) == ("overridden", "added", None)
    assert [(row["proposed_as"]["error_class"], row["error_class"]) for row in record["findings"][:1]] == [("W", "T")]
    assert [row["provenance"] for row in record["findings"]] == ["overridden", "added"]
    assert [row["provenance"] for row in record["citations"]] == ["added", "overridden", "approved"]


def test_g3_values_of_an_adjudicated_card_say_so(reviewer: User, lead: User, now: datetime) -> None:
    colleague = make_user("karl", roles=(Role.REVIEWER,))
    first, _second = adjudicating(make_card(assigned_to=reviewer), first=reviewer, second=colleague, lead=lead, now=now)
    record = record_of(begin_adjudication(card=first, by=lead, now=now))

    decided = [row for row in record["scores"] if row["decided"] is not None]
    assert decided
    assert {row["provenance"] for row in decided} == {"adjudicated"}


def test_j3_a_form_sent_twice_under_its_key_is_answered_twice_and_done_once(
    reviewers_client: Client, card: Card, lead: User, now: datetime
) -> None:
    """Even if a colleague has changed the card meanwhile, and also for changes that could be made twice."""
    undoable = FORMS["note"](card)
    reviewers_client.post(undoable.address, undoable.fields)
    card.refresh_from_db()
    undo = {"version": card.version, "form_key": "this form"}
    address = reverse("review:undo", args=[card.pk])
    assert reviewers_client.post(address, undo).status_code == 302
    card.refresh_from_db()
    set_note(card=card, note="Lena's", version=card.version, by=lead, now=now)
    events = Event.objects.count()

    again = reviewers_client.post(address, undo, headers=HTMX)
    another = reviewers_client.post(address, {**undo, "form_key": "another form"}, headers=HTMX)

    assert (again.status_code, another.status_code, Event.objects.count()) == (200, 409, events)
    colleague = Client()
    colleague.force_login(lead)
    assert colleague.post(address, undo, headers=HTMX).status_code == 409


def test_j3_a_form_sent_again_with_other_words_is_another_form(reviewers_client: Client, card: Card) -> None:
    """Whoever goes back to a page has its form with its key; what is changed in it then is a conflict, and never
    taken for what was saved before."""
    sent = FORMS["note"](card)
    changed = {**sent.fields, "note": "Ask about § 3 too."}

    replies = [reviewers_client.post(sent.address, fields) for fields in (sent.fields, sent.fields, changed)]

    assert [reply.status_code for reply in replies] == [302, 302, 409]
    assert "Ask about § 3 too." in replies[2].content.decode()
    card.refresh_from_db()
    assert card.note == sent.fields["note"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"quote": "words that are not there"}, "do not stand in the answer"),
        ({"quote": "the", "occurrence": "99"}, "that often"),
        ({"quote": ""}, "required"),
        ({"quote": "Art. 3 FA"}, "a citation of the card already"),
    ],
)
def test_i2_a_missed_citation_has_to_be_words_of_the_answer(
    reviewers_client: Client, card: Card, fields: dict[str, str], message: str
) -> None:
    address = reverse("review:add_citation", args=[card.pk])

    reply = reviewers_client.post(address, {"version": card.version, **fields}, headers=HTMX)

    assert reply.status_code == 422
    assert message in reply.content.decode()
    assert card.citations.count() == 7


def test_i2_an_added_citation_can_be_judged_and_called_wrong(reviewers_client: Client, card: Card) -> None:
    reviewers_client.post(
        reverse("review:add_citation", args=[card.pk]), {"version": card.version, "quote": "The Supreme Court"}
    )
    card.refresh_from_db()
    address = reverse("review:decide_citation", args=[card.pk, 8])

    reply = reviewers_client.post(address, {"version": card.version, "verdict": "error:F"}, headers=HTMX)

    assert "checked 1 of 8" in reply.content.decode()
    finding = card.findings.get(citation__number=8)
    assert (finding.error_class, finding.claim, finding.origin) == ("F", "The Supreme Court", "memory")


@pytest.mark.parametrize(
    ("condition", "opened", "origin"),
    [
        ("W0", None, "memory"),
        ("W1", "official", "source_read"),
        ("W1", "secondary", "secondary_source"),
        ("W1", None, "undetermined"),
    ],
)
def test_origin_of_a_new_finding_follows_the_trace(
    reviewers_client: Client, reviewer: User, condition: str, opened: str | None, origin: str
) -> None:
    card = make_card(condition=condition, assigned_to=reviewer)
    keep = {"official": lambda step: True, "secondary": lambda step: not step.get("official"), None: lambda step: False}
    trace = [step for step in card.answer.trace if keep[opened](step)]
    type(card.answer).objects.filter(pk=card.answer.pk).update(trace=trace)

    page = parsed(reviewers_client.get(reverse("review:card", args=[card.pk]) + "?citation=1").content)

    form = page.get_element_by_id("form-new")
    assert form.xpath(".//select[@name='origin']/option[@selected]/@value") == [origin]
    assert NEW_FINDING["checked_edition"] in form.xpath(".//input[@name='checked_edition']/@value")
