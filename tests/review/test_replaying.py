"""G1: the events of a card rebuild it exactly, whatever was done to it."""

import random
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest

from lexreview.accounts.models import User
from lexreview.core.methods.reference_card.facts import Origin, Scope
from lexreview.core.workflow import CitationState, Role
from lexreview.ledger.models import Event
from lexreview.methodology.models import Specification
from lexreview.review.actions import (
    CannotUndo,
    FindingDraft,
    InvalidCitation,
    accept_finding,
    accept_proposals,
    add_finding,
    approve_card,
    assign_card,
    confirm_in_bulk,
    decide_citation,
    decide_score,
    edit_finding,
    open_citation,
    park_card,
    prefill_card,
    reject_finding,
    remove_finding,
    revise_card,
    set_note,
    undo_change,
    unpark_card,
)
from lexreview.review.actions.adjudicating import begin_adjudication, choose, finish_adjudication, merge_again
from lexreview.review.models import Card, FindingState, ItemKind
from lexreview.review.recording import replayed, state_of
from tests.factories import make_user
from tests.review.factories import fill_card, make_card
from tests.review.rounds import adjudicating, fresh, review
from tests.review.test_recomputing import B3, adopt, new_key, next_version, recomputed

pytestmark = pytest.mark.django_db
NOW = datetime.fromisoformat("2026-10-20T09:00:00+00:00")


def check_replayed() -> None:
    """Every card there is, rebuilt from the ledger alone."""
    cards = list(Card.objects.with_answer())
    assert cards
    for card in cards:
        events = Event.objects.about("card", card.ledger_id).in_order()
        rebuilt, current = replayed(events), state_of(card)
        for kind in current:
            assert rebuilt[kind] == current[kind], (card.ledger_id, kind)
    check_steps()


def check_steps() -> None:
    """Whatever moved a card from one state to another is an event that says who, when and under which rules."""
    known = {each.version for each in Specification.objects.all()}
    states: dict[str, str] = {}
    for event in Event.objects.filter(object_type="card").in_order():
        after = event.after or {}
        state = after.get("state") or after.get("fields", {}).get("state")
        if state is None or states.get(event.object_id) == state:
            continue
        states[event.object_id] = state
        assert (after["specification"] in known, after["key_version"] > 0) == (True, True), event
        assert event.actor or event.verb in {"open_card", "prefill", "change_rules"}, event
    assert states


CLAIM = "a request filed without it is returned"


def draft(card: Card, text: str) -> FindingDraft:
    start = card.answer.text.index(CLAIM)
    return FindingDraft(
        error_class="T",
        claim=CLAIM,
        claim_start=start,
        claim_end=start + len(CLAIM),
        source_says=text,
        checked_source="Civil Procedure Act",
        origin=Origin.MEMORY,
        scope=Scope.CORE,
    )


class Reviewer:
    """Does one thing after the other to a card, as chance has it. `changed`: by kind how often that had an effect."""

    def __init__(self, card: Card, by: User, seed: int) -> None:
        self.card = card
        self.by = by
        self.chance = random.Random(seed)
        self.changed: Counter[str] = Counter()
        self.kinds: list[Callable[[], Card]] = [
            self.bulk, self.accepted, self.found, self.citation, self.opened, self.score, self.noted, self.settled,
            self.undone, self.parked, self.handed_in,
        ]  # fmt: skip

    def walk(self, steps: int) -> None:
        """Every kind of step once, those first that need a fresh card, and the rest as chance has it."""
        often = [self.citation, self.score, self.undone]
        for act in [*self.kinds, *(self.chance.choice([*self.kinds, *often]) for _ in range(steps - len(self.kinds)))]:
            before = Event.objects.count()
            self.card = act()
            self.changed[act.__name__] += Event.objects.count() > before

    @property
    def how(self) -> dict[str, Any]:
        return {"card": fresh(self.card), "version": fresh(self.card).version, "by": self.by, "now": NOW}

    @property
    def number(self) -> int:
        return self.chance.choice(list(self.card.citations.order_by("number").values_list("number", flat=True)))

    def citation(self) -> Card:
        state = self.chance.choice(list(CitationState))
        return decide_citation(number=self.number, state=state, note=self.chance.choice(["", "seen"]), **self.how)

    def opened(self) -> Card:
        return open_citation(card=fresh(self.card), number=self.number, by=self.by, now=NOW)

    def score(self) -> Card:
        criterion = self.chance.choice(["A-R", "A3", "B1", "B2"])
        return decide_score(
            criterion=criterion, points=Decimal(self.chance.choice([0, 1])), evidence="Read.", **self.how
        )

    def accepted(self) -> Card:
        return accept_proposals(**self.how)

    def noted(self) -> Card:
        return set_note(note=f"note {self.chance.random()}", **self.how)

    def found(self) -> Card:
        return add_finding(draft=draft(self.card, f"It says {self.chance.random()}."), **self.how)

    def settled(self) -> Card:
        finding = self.chance.choice(list(self.card.findings.in_order()) or [None])
        if finding is None:
            return self.card
        match self.chance.choice(["accept", "reject", "remove", "edit"]):
            case "accept":
                return accept_finding(number=finding.number, **self.how)
            case "reject" if finding.state == FindingState.PROPOSED:
                return reject_finding(number=finding.number, reason="It holds.", **self.how)
            case "edit":
                return edit_finding(number=finding.number, draft=draft(self.card, "Edited."), **self.how)
            case _:
                return remove_finding(number=finding.number, reason="Twice.", **self.how)

    def undone(self) -> Card:
        try:
            return undo_change(**self.how)
        except CannotUndo:
            return self.card

    def parked(self) -> Card:
        card = park_card(reason="Later.", **self.how)
        return unpark_card(card=card, version=card.version, by=self.by, now=NOW)

    def bulk(self) -> Card:
        try:
            return confirm_in_bulk(**self.how)
        except InvalidCitation:
            return self.card

    def handed_in(self) -> Card:
        card = fill_card(fresh(self.card), by=self.by, now=NOW)
        card = approve_card(card=card, version=card.version, confirm_unchecked=True, by=self.by, now=NOW)
        return revise_card(card=card, reason="Once more.", version=card.version, by=self.by, now=NOW)


@pytest.mark.parametrize("seed", range(4))
def test_g1_replaying_events_rebuilds_every_current_card_exactly(reviewer: User, seed: int) -> None:
    card = make_card(assigned_to=reviewer)
    make_card(system="dune-2")
    person = Reviewer(card, reviewer, seed)

    person.walk(30)

    assert [act.__name__ for act in person.kinds if not person.changed[act.__name__]] == []
    check_replayed()


def test_g1_after_second_review_and_adjudication(reviewer: User, lead: User) -> None:
    colleague = make_user("karl", roles=(Role.REVIEWER,))
    first, _second = adjudicating(make_card(assigned_to=reviewer), first=reviewer, second=colleague, lead=lead, now=NOW)
    made = begin_adjudication(card=first, by=lead, now=NOW)
    made = merge_again(card=made, version=made.version, by=lead, now=NOW)
    check_replayed()

    item = {"kind": ItemKind.CRITERION, "target": "B1", "review": first, "reason": "Read."}
    made = choose(card=fresh(made), **item, version=made.version, by=lead, now=NOW)
    finish_adjudication(card=fresh(made), reason="Done.", version=made.version, by=lead, now=NOW)

    check_replayed()


def test_g1_after_recomputing_under_other_rules(reviewer: User, lead: User) -> None:
    card = make_card(assigned_to=reviewer)
    make_card(system="dune-2")
    review(card, by=reviewer, now=NOW)
    adopt(next_version(B3=B3, B2=None))
    recomputed(card, lead)
    new_key(card.answer.question, rubric=[{"code": "R1", "text": "Seven days.", "points": 3}])
    for each in Card.objects.all():
        recomputed(each)

    check_replayed()


def test_g1_after_assigning_and_prefilling_again(reviewer: User, lead: User) -> None:
    card = make_card()
    card = assign_card(card=card, to=reviewer, by=lead, now=NOW)
    prefill_card(card=fresh(card), by=None, now=NOW)
    assign_card(card=fresh(card), to=None, by=lead, now=NOW)

    check_replayed()


def test_replay_tells_a_card_that_was_changed_past_the_ledger(reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    check_replayed()

    card.scores.filter(criterion="A-R").update(decided=2, decided_by=reviewer, decided_at=NOW)

    with pytest.raises(AssertionError):
        check_replayed()
