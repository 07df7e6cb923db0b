"""Whether a card was approved as it was proposed: on its foot, in my decisions, in the queue and in the export."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from lexreview.accounts.models import User
from lexreview.core.methods.reference_card.facts import Origin
from lexreview.core.workflow import CitationState
from lexreview.review.actions import (
    add_citation,
    approve_card,
    decide_citation,
    decide_score,
    edit_finding,
    reject_finding,
    revise_card,
)
from lexreview.review.actions.findings import draft_of_finding
from lexreview.review.actions.undoing import undo_change
from lexreview.review.approved_as import approved_as
from lexreview.review.models import Card
from lexreview.review.parts import CardParts
from lexreview.review.snapshot import record_of
from lexreview.review.verdicts import call_wrong
from tests.review.factories import fill_card, make_card
from tests.visiting import visit

pytestmark = pytest.mark.django_db


@pytest.fixture
def filled(reviewer: User, now: datetime) -> Card:
    """Every proposal taken over, evidence added by nobody; points where nothing was proposed."""
    return fill_card(make_card(assigned_to=reviewer), by=reviewer, now=now)


def said(card: Card) -> str:
    card = Card.objects.with_answer().get(pk=card.pk)
    return approved_as(card, CardParts(card)).value


def proposed_score(card: Card) -> str:
    found = card.scores.exclude(proposed=None).exclude(decided=None).order_by("pk").first()
    assert found is not None
    return found.criterion


def otherwise(card: Card, *, by: User, now: datetime) -> Card:
    score = card.scores.get(criterion=proposed_score(card))
    points = Decimal(0) if score.proposed else Decimal(1)
    return decide_score(
        card=card, criterion=score.criterion, points=points, evidence="Read.", reason="Read again.",
        version=card.version, by=by, now=now,
    )  # fmt: skip


def another_class(card: Card, *, by: User, now: datetime) -> Card:
    return call_wrong(card=card, number=1, error_class="T", version=card.version, by=by, now=now)


def another_origin(card: Card, *, by: User, now: datetime) -> Card:
    draft = replace(draft_of_finding(card.findings.get(number=1)), origin=Origin.SECONDARY_SOURCE)
    return edit_finding(card=card, number=1, draft=draft, version=card.version, by=by, now=now)


def rejected(card: Card, *, by: User, now: datetime) -> Card:
    return reject_finding(card=card, number=1, reason="No.", version=card.version, by=by, now=now)


def not_told(card: Card, *, by: User, now: datetime) -> Card:
    """Code found it in the law; a person cannot tell."""
    state = CitationState.UNDETERMINED
    return decide_citation(card=card, number=2, state=state, version=card.version, by=by, now=now)


def own_error(card: Card, *, by: User, now: datetime) -> Card:
    return call_wrong(card=card, number=2, error_class="T", version=card.version, by=by, now=now)


def missed_citation(card: Card, *, by: User, now: datetime) -> Card:
    start = card.answer.text.index("The Supreme Court")
    return add_citation(
        card=card, start=start, end=start + len("The Supreme Court"), version=card.version, by=by, now=now
    )


def test_taking_over_what_is_proposed_changes_nothing(filled: Card, reviewer: User, now: datetime) -> None:
    """Nor does evidence for a proposed error, or a state of a citation on which the check proposes none."""
    undetermined = filled.citations.get(raw="II Civ 44/24")
    card = decide_citation(
        card=filled, number=undetermined.number, state=CitationState.UNDETERMINED, version=filled.version, by=reviewer,
        now=now,
    )  # fmt: skip
    assert said(card) == "unchanged"

    draft = replace(draft_of_finding(card.findings.get(number=1)), source_says="The fee is payable within seven days.")
    card = edit_finding(card=card, number=1, draft=draft, version=card.version, by=reviewer, now=now)

    assert said(card) == "unchanged"


@pytest.mark.parametrize(
    "change", [otherwise, another_class, another_origin, rejected, not_told, own_error, missed_citation]
)
def test_every_decision_beside_a_proposal_is_a_change(
    filled: Card, reviewer: User, now: datetime, change: Callable[..., Card]
) -> None:
    """And undone it is none."""
    undetermined = filled.citations.get(raw="II Civ 44/24").number
    card = decide_citation(
        card=filled, number=undetermined, state=CitationState.UNDETERMINED, version=filled.version, by=reviewer, now=now
    )
    assert said(card) == "unchanged"

    card = change(card, by=reviewer, now=now)
    assert said(card) == "with_changes"

    card = undo_change(card=card, version=card.version, by=reviewer, now=now)
    assert said(card) == "unchanged"


def test_nothing_is_said_where_nothing_was_proposed(reviewer: User, now: datetime) -> None:
    blind = make_card(assigned_to=reviewer)
    Card.objects.filter(pk=blind.pk).update(blind=True)

    assert said(fill_card(Card.objects.with_answer().get(pk=blind.pk), by=reviewer, now=now)) == ""


def test_it_is_kept_with_the_revision_and_shown(client: Client, filled: Card, reviewer: User, now: datetime) -> None:
    """On the foot, in my decisions and in the queue; the first revision keeps what was said of it."""
    card = rejected(filled, by=reviewer, now=now)
    card = approve_card(card=card, version=card.version, confirm_unchecked=True, by=reviewer, now=now)
    queue, mine = reverse("review:queue") + "?pile=approved", reverse("review:my_decisions")

    assert "revision 1 · with changes" in visit(client, reviewer, reverse("review:card", args=[card.pk]))
    assert re.search(r"<td[^>]*>with changes</td>", visit(client, reviewer, mine))
    row = f'href="{reverse("review:card", args=[card.pk])}'
    for address in (queue, mine + "?"):
        assert row in visit(client, reviewer, f"{address}&approved_as=with_changes")
        assert row not in visit(client, reviewer, f"{address}&approved_as=unchanged")

    card = revise_card(card=card, reason="Again.", version=card.version, by=reviewer, now=now)
    assert row not in visit(client, reviewer, f"{queue}&approved_as=with_changes")
    assert [row.get("approved_as") for row in record_of(card)["revisions"]] == ["with_changes"]
