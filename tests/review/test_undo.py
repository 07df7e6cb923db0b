"""Taking back the last change: every part it touched, as a new version, until the approval."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from lexreview.accounts.models import User
from lexreview.core.methods.reference_card.facts import OfficialSource, Scope
from lexreview.core.workflow import CitationState, TransitionRefused
from lexreview.ledger.chain import first_break
from lexreview.ledger.models import Event
from lexreview.review.actions import (
    CannotUndo,
    accept_proposals,
    add_citation,
    add_finding,
    approve_card,
    confirm_in_bulk,
    decide_citation,
    open_citation,
    park_card,
    remove_finding,
    revise_card,
    set_note,
    set_official_source,
    undo_change,
    unpark_card,
)
from lexreview.review.changing import PARTS
from lexreview.review.models import Card
from lexreview.review.parts import CardParts
from lexreview.review.verdicts import agree_with_proposal, call_not_wrong, call_wrong, set_aspect
from tests.review.factories import ANSWER, fill_card, make_card
from tests.review.sending import FORMS
from tests.review.swapping import parsed
from tests.review.test_actions import a_draft, events_of, score

pytestmark = pytest.mark.django_db
Act = Callable[..., Card]
START = ANSWER.index("file number")

CHANGES: dict[str, Act] = {
    "score": lambda card, by, now: score(card, by, now),
    "note": lambda card, by, now: set_note(card=card, note="Read § 2.", version=card.version, by=by, now=now),
    "official source": lambda card, by, now: set_official_source(
        card=card, official_source=OfficialSource.NONE, version=card.version, by=by, now=now
    ),
    "proposals": lambda card, by, now: accept_proposals(card=card, version=card.version, by=by, now=now),
    "citation": lambda card, by, now: decide_citation(
        card=card, number=4, state=CitationState.CONFIRMED, version=card.version, by=by, now=now
    ),
    "agreement": lambda card, by, now: agree_with_proposal(card=card, number=1, version=card.version, by=by, now=now),
    "wrong": lambda card, by, now: call_wrong(
        card=card, number=4, error_class="T", version=card.version, by=by, now=now
    ),
    "scope": lambda card, by, now: set_aspect(
        card=card, number=1, scope=Scope.PERIPHERAL, version=card.version, by=by, now=now
    ),
    "not wrong": lambda card, by, now: call_not_wrong(
        card=card,
        number=1,
        state=CitationState.CONFIRMED,
        reason="Quoted as old.",
        version=card.version,
        by=by,
        now=now,
    ),
    "finding": lambda card, by, now: add_finding(card=card, draft=a_draft(), version=card.version, by=by, now=now),
    "removed finding": lambda card, by, now: remove_finding(
        card=card, number=2, reason="Misread.", version=card.version, by=by, now=now
    ),
    "missed citation": lambda card, by, now: add_citation(
        card=card, start=START, end=START + 11, version=card.version, by=by, now=now
    ),
    "bulk": lambda card, by, now: confirm_in_bulk(card=card, version=card.version, by=by, now=now),
}


def content_of(card: Card) -> dict[str, Any]:
    """The card as people see it; that a citation was opened is no change of it."""
    current = Card.objects.with_answer().get(pk=card.pk)
    records = CardParts(current).records()
    for row in records["citations"].values():
        row.pop("opened_at")
    return {**records, "label": current.label, "a_points": current.a_points}


def undo(card: Card, by: User, now: datetime) -> Card:
    return undo_change(card=card, version=card.version, by=by, now=now)


@pytest.mark.parametrize("name", CHANGES)
def test_a11_undo_restores_every_part_that_the_change_touched(reviewer: User, now: datetime, name: str) -> None:
    card = make_card(condition="W1", assigned_to=reviewer)
    before = content_of(card)
    changed = CHANGES[name](card, reviewer, now)
    assert content_of(card) != before

    undone = undo(changed, reviewer, now)

    assert content_of(card) == before
    assert undone.version == card.version + 2
    assert events_of(card)[-1] == "undo"
    assert first_break(Event.objects.in_order()) is None


def test_undo_of_undo_steps_further_back(reviewer: User, now: datetime) -> None:
    card = make_card(condition="W1", assigned_to=reviewer)
    contents = []
    for change in CHANGES.values():
        contents.append(content_of(card))
        card = change(card, reviewer, now)

    for content in reversed(contents):
        card = undo(card, reviewer, now)
        assert content_of(card) == content

    with pytest.raises(CannotUndo, match="no change"):
        undo(card, reviewer, now)


def test_a_change_after_an_undo_is_the_next_to_be_undone(reviewer: User, now: datetime) -> None:
    card = CHANGES["note"](make_card(), reviewer, now)
    card = undo(CHANGES["citation"](card, reviewer, now), reviewer, now)
    card = CHANGES["score"](card, reviewer, now)

    card = undo(card, reviewer, now)
    assert (card.scores.get(criterion="A-R").decided, card.note) == (None, "Read § 2.")
    card = undo(card, reviewer, now)
    assert card.note == ""


def test_undo_does_not_make_an_opened_citation_unopened(reviewer: User, now: datetime) -> None:
    card = CHANGES["citation"](make_card(), reviewer, now)

    card = undo(card, reviewer, now)

    assert card.citations.get(number=4).opened_at == now


def test_somebody_elses_change_is_not_undone(reviewer: User, lead: User, now: datetime) -> None:
    card = CHANGES["note"](make_card(assigned_to=reviewer), reviewer, now)
    card = CHANGES["score"](card, lead, now)

    with pytest.raises(CannotUndo, match="by lena"):
        undo(card, reviewer, now)
    assert undo(card, lead, now).scores.get(criterion="A-R").decided is None


def test_undo_ends_at_the_approval(reviewer: User, now: datetime) -> None:
    card = fill_card(make_card(), by=reviewer, now=now)
    card = approve_card(card=card, version=card.version, confirm_unchecked=True, by=reviewer, now=now)
    with pytest.raises(TransitionRefused):
        undo(card, reviewer, now)
    card = revise_card(card=card, reason="Second thoughts.", version=card.version, by=reviewer, now=now)

    with pytest.raises(CannotUndo, match="no change"):
        undo(card, reviewer, now)


def test_undo_steps_over_parking_and_opening(reviewer: User, now: datetime) -> None:
    card = CHANGES["note"](make_card(), reviewer, now)
    card = park_card(card=card, reason="Lunch.", version=card.version, by=reviewer, now=now)
    card = unpark_card(card=card, version=card.version, by=reviewer, now=now + timedelta(hours=1))
    open_citation(card=card, number=3, by=reviewer, now=now)

    assert undo(card, reviewer, now).note == ""


def test_g1_replaying_the_events_rebuilds_the_card(reviewer: User, now: datetime) -> None:
    card = make_card(condition="W1", assigned_to=reviewer)
    for number, change in enumerate(CHANGES.values()):
        card = change(card, reviewer, now + timedelta(seconds=number))
        if number % 4 == 3:
            card = undo(card, reviewer, now + timedelta(seconds=number))
    card = open_citation(card=card, number=3, by=reviewer, now=now)

    replayed: dict[str, dict[str, Any]] = {}
    for event in Event.objects.about("card", card.ledger_id).in_order():
        after = event.after or {}
        for kind, rows in after.get(PARTS, {}).items():
            kept = replayed.setdefault(kind, {})
            kept.update(rows)
            replayed[kind] = {name: row for name, row in kept.items() if row is not None}
        if event.verb == "open_citation":
            replayed["citations"][str(after["citation"])]["opened_at"] = after["opened_at"]

    assert replayed == CardParts(Card.objects.with_answer().get(pk=card.pk)).records()


def test_undo_by_form_with_and_without_script_and_sent_twice(reviewers_client: Client, card: Card) -> None:
    note = FORMS["note"](card)
    for headers, status in [({}, 302), ({"HX-Request": "true"}, 200)]:
        card.refresh_from_db()
        changed = {**note.fields, "version": card.version, "form_key": f"note {status}"}
        reviewers_client.post(note.address, changed, headers=headers)
        card.refresh_from_db()
        page = parsed(reviewers_client.get(reverse("review:card", args=[card.pk])).content)
        form = page.get_element_by_id("form-undo")
        fields = dict(form.form_values())

        replies = [reviewers_client.post(form.get("action"), fields, headers=headers) for _twice in range(2)]

        assert [reply.status_code for reply in replies] == [status, status]
        before, card.version = card.version, Card.objects.get(pk=card.pk).version
        assert (Card.objects.get(pk=card.pk).note, card.version) == ("", before + 1)


def test_page_says_whose_the_last_change_is(reviewers_client: Client, card: Card, lead: User, now: datetime) -> None:
    CHANGES["score"](card, lead, now)

    page = parsed(reviewers_client.get(reverse("review:card", args=[card.pk])).content)

    assert page.get_element_by_id("undo").text_content() == "last change by lena"
    reply = reviewers_client.post(reverse("review:undo", args=[card.pk]), {"version": card.version + 1})
    assert reply.status_code == 422
    assert "The last change is by lena" in reply.content.decode()
