from datetime import datetime, timedelta
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from lexreview.accounts.models import User
from lexreview.accounts.rules import NotAllowed
from lexreview.core.methods.reference_card.facts import CheckResult
from lexreview.core.methods.reference_card.scoring import PointsRefused
from lexreview.core.workflow import AnswerState, CardState, CitationState, Role, TransitionRefused
from lexreview.ledger.chain import first_break
from lexreview.ledger.models import Event
from lexreview.review.actions import (
    CannotApprove,
    FindingDraft,
    InvalidFinding,
    StaleCard,
    accept_finding,
    accept_proposals,
    add_finding,
    approve_card,
    ask_ruling,
    assign_card,
    decide_citation,
    decide_score,
    edit_finding,
    open_cards,
    open_citation,
    park_card,
    prefill_card,
    reject_finding,
    remove_finding,
    revise_card,
    set_note,
    unpark_card,
)
from lexreview.review.card_rows import finding_rows
from lexreview.review.facts import specification_of
from lexreview.review.models import Card, CardCitation, FindingState
from lexreview.review.outcome import Outcome
from lexreview.review.parts import CardParts
from lexreview.review.snapshot import snapshot_of
from lexreview.review.verdicts import agree_with_proposal, call_wrong
from tests.factories import make_user
from tests.review.factories import ANSWER, Checked, fill_card, make_benchmark, make_card

CLAIM = "a request filed without it is returned"


def a_draft(**changes: Any) -> FindingDraft:
    start = ANSWER.index(CLAIM)
    fields = {
        "error_class": "T",
        "claim": CLAIM,
        "claim_start": start,
        "claim_end": start + len(CLAIM),
        "source_says": "It is returned only after a call to pay.",
        "checked_source": "Civil Procedure Act",
    }
    return FindingDraft(**{**fields, **changes})


def events_of(card: Card) -> list[str]:
    return [event.verb for event in Event.objects.about("card", card.ledger_id).in_order()]


def score(card: Card, reviewer: User, now: datetime, **changes: Any) -> Card:
    fields = {
        "criterion": "A-R",
        "points": Decimal(2),
        "evidence": "The core says seven days.",
        "reason": "",
        "version": card.version,
    }
    return decide_score(card=card, by=reviewer, now=now, **{**fields, **changes})


def test_first_change_begins_the_review_and_takes_the_card(reviewer: User, now: datetime) -> None:
    card = make_card()

    changed = score(card, reviewer, now)

    assert (changed.state, changed.assigned_to, changed.version) == (CardState.IN_REVIEW, reviewer, card.version + 1)
    assert events_of(card)[-1] == "decide_score"


def test_stale_version_changes_nothing_and_shows_what_happened_since(reviewer: User, lead: User, now: datetime) -> None:
    card = make_card()
    score(card, lead, now)
    before = Event.objects.count()

    with pytest.raises(StaleCard) as caught:
        score(card, lead, now, points=Decimal(1))

    assert caught.value.card.version == card.version + 1
    assert [event.verb for event in caught.value.events] == ["decide_score"]
    assert card.scores.get(criterion="A-R").decided == 2
    assert Event.objects.count() == before


def test_form_sent_twice_is_one_change(reviewer: User, now: datetime) -> None:
    card = make_card()
    once = score(card, reviewer, now)

    twice = score(card, reviewer, now + timedelta(seconds=1))

    assert twice.version == once.version
    assert events_of(card).count("decide_score") == 1


@pytest.mark.parametrize(
    ("criterion", "points", "why"),
    [
        ("A-R", "3", "takes 0 to 2"),
        ("A-R", "0.5", "between"),
        ("A6", "1", "follows from the findings"),
        ("A5", "1", "does not apply"),
        ("Z9", "1", "not a criterion"),
        ("A1", "5", "takes 0 to 4"),
    ],
)
def test_points_outside_the_specification_are_refused(
    reviewer: User, now: datetime, criterion: str, points: str, why: str
) -> None:
    card = make_card()

    with pytest.raises(PointsRefused, match=why):
        score(card, reviewer, now, criterion=criterion, points=Decimal(points))

    assert Card.objects.get(pk=card.pk).version == card.version


def test_people_without_the_role_write_nothing(outsider: User, operator: User, now: datetime) -> None:
    card = make_card()

    for person in (outsider, operator):
        with pytest.raises(NotAllowed):
            score(card, person, now)
        with pytest.raises(NotAllowed):
            open_citation(card=card, number=1, by=person, now=now)


def test_colleagues_card_is_closed_to_a_reviewer_and_open_to_a_lead(reviewer: User, lead: User, now: datetime) -> None:
    card = make_card(assigned_to=reviewer)
    colleague = make_user("carla", roles=(Role.REVIEWER,))

    with pytest.raises(NotAllowed, match="somebody else"):
        score(card, colleague, now)
    assert score(card, lead, now).assigned_to == reviewer


def test_only_a_lead_assigns_to_others(reviewer: User, lead: User, outsider: User, now: datetime) -> None:
    card = make_card()

    with pytest.raises(NotAllowed):
        assign_card(card=card, to=lead, by=reviewer, now=now)
    with pytest.raises(NotAllowed):
        assign_card(card=card, to=outsider, by=lead, now=now)
    card = assign_card(card=card, to=reviewer, by=lead, now=now)
    assert card.assigned_to == reviewer
    colleague = make_user("carla", roles=(Role.REVIEWER,))
    with pytest.raises(NotAllowed, match="somebody else"):
        assign_card(card=card, to=colleague, by=colleague, now=now)


def test_ledger_tells_the_cards_of_two_benchmarks_apart(reviewer: User, now: datetime) -> None:
    card = make_card()
    other = make_card(make_benchmark("other"))

    score(card, reviewer, now)

    assert card.identifier == other.identifier
    assert "decide_score" in events_of(card)
    assert "decide_score" not in events_of(other)


def test_ledger_has_the_word_said_on_a_citation_beside_the_cards_state(reviewer: User, now: datetime) -> None:
    card = make_card()

    card = decide_citation(
        card=card, number=1, state=CitationState.CONFIRMED, version=card.version, by=reviewer, now=now
    )

    after = Event.objects.about("card", card.ledger_id).newest_first()[0].after
    assert (after["citation_state"], after["state"]) == ("confirmed", "in_review")


def test_finding_sets_a6_and_label_at_once_and_removal_takes_both_back(reviewer: User, now: datetime) -> None:
    card = make_card(citations=())

    card = add_finding(card=card, draft=a_draft(), version=card.version, by=reviewer, now=now)
    assert (card.label, card.label_rule) == ("hallucinated", "hallucination_found")

    card = remove_finding(card=card, number=1, reason="Misread.", version=card.version, by=reviewer, now=now)
    assert card.label == "none"
    assert card.findings.get().state == FindingState.REMOVED


def test_proposed_finding_counts_only_once_accepted(reviewer: User, now: datetime) -> None:
    card = make_card()
    assert card.label == "none"
    proposed = card.findings.in_order().first()
    assert proposed is not None

    card = accept_finding(card=card, number=proposed.number, version=card.version, by=reviewer, now=now)

    assert card.label == "hallucinated"


def test_without_a_label_until_every_proposed_error_is_decided(reviewer: User, now: datetime) -> None:
    """Card, page, API and snapshot read the label of the card, so it is decided in one place."""
    card = accept_proposals(card=make_card(), version=1, by=reviewer, now=now)
    for score in card.scores.filter(decided=None, not_applicable=False).exclude(criterion="A6"):
        card = decide_score(
            card=card, criterion=score.criterion, points=Decimal(0), evidence="Read.", version=card.version,
            by=reviewer, now=now,
        )  # fmt: skip
    said = []
    for finding in card.findings.in_order():
        outcome = Outcome(card, CardParts(card))
        said.append((card.label, card.label_rule, outcome.no_hallucination_points, card.a_points))
        card = reject_finding(
            card=card, number=finding.number, reason="Not false.", version=card.version, by=reviewer, now=now
        )

    assert len(said) >= 2
    assert set(said) == {("none", "findings_not_decided", "–", None)}
    assert (card.label, card.label_rule) == ("no_hallucination", "incomplete_core")
    assert card.a_points is not None and Outcome(card, CardParts(card)).no_hallucination_points == "1"


@pytest.mark.parametrize(
    "changes",
    [
        {"claim": "words that the answer does not have"},
        {"claim_start": 0},
        {"claim_end": 10_000},
        {"error_class": "X"},
        {"claim": "", "claim_start": 0, "claim_end": 0},
    ],
)
def test_finding_that_does_not_fit_is_refused(reviewer: User, now: datetime, changes: dict[str, Any]) -> None:
    card = make_card()

    with pytest.raises(InvalidFinding):
        add_finding(card=card, draft=a_draft(**changes), version=card.version, by=reviewer, now=now)


def test_rejection_needs_a_reason(reviewer: User, now: datetime) -> None:
    card = make_card()

    with pytest.raises(InvalidFinding, match="why"):
        reject_finding(card=card, number=1, reason=" ", version=card.version, by=reviewer, now=now)


def test_edited_finding_keeps_its_former_words_in_the_ledger(reviewer: User, now: datetime) -> None:
    card = make_card(citations=())
    card = add_finding(card=card, draft=a_draft(), version=card.version, by=reviewer, now=now)

    edit_finding(card=card, number=1, draft=a_draft(source_says="Better."), version=card.version, by=reviewer, now=now)

    event = Event.objects.about("card", card.ledger_id).newest_first()[0]
    assert event.before["source_says"] == "It is returned only after a call to pay."
    assert event.after["source_says"] == "Better."


def test_approval_lists_everything_that_is_missing(reviewer: User, now: datetime) -> None:
    card = make_card()

    with pytest.raises(CannotApprove) as caught:
        approve_card(card=card, version=card.version, confirm_unchecked=True, by=reviewer, now=now)

    kinds = {each.kind for each in caught.value.missing}
    assert {"points", "flagged_citation_not_opened", "finding_evidence"} <= kinds
    assert "citation_unchecked" not in kinds
    assert Card.objects.get(pk=card.pk).state == CardState.PREFILLED


def test_unchecked_citations_must_be_confirmed_once(reviewer: User, now: datetime) -> None:
    card = fill_card(make_card(), by=reviewer, now=now)
    card = decide_citation(
        card=card, number=1, state=CitationState.UNCHECKED, version=card.version, by=reviewer, now=now
    )

    with pytest.raises(CannotApprove, match="was not checked"):
        approve_card(card=card, version=card.version, confirm_unchecked=False, by=reviewer, now=now)
    approved = approve_card(card=card, version=card.version, confirm_unchecked=True, by=reviewer, now=now)

    assert approved.state == CardState.APPROVED


def test_approved_card_is_a_numbered_revision_and_changes_only_through_a_new_one(reviewer: User, now: datetime) -> None:
    card = fill_card(make_card(), by=reviewer, now=now)
    card = approve_card(card=card, version=card.version, confirm_unchecked=True, by=reviewer, now=now)
    first = card.revisions.get(number=1).snapshot

    with pytest.raises(TransitionRefused):
        score(card, reviewer, now, points=Decimal(1), reason="Second thoughts.")
    with pytest.raises(TransitionRefused):
        revise_card(card=card, reason="", version=card.version, by=reviewer, now=now)
    card = revise_card(card=card, reason="Second thoughts.", version=card.version, by=reviewer, now=now)
    card = score(card, reviewer, now, points=Decimal(1), reason="Core is half right.")
    card = approve_card(card=card, version=card.version, confirm_unchecked=True, by=reviewer, now=now)

    assert card.revision == 2
    assert card.revisions.get(number=1).snapshot == first
    assert card.revisions.get(number=2).snapshot["state"] == "approved"
    assert card.revisions.get(number=2).reason == "Second thoughts."


def test_revision_holds_the_card_as_it_is_read_afterwards(reviewer: User, now: datetime) -> None:
    card = add_finding(card=make_card(), draft=a_draft(), version=1, by=reviewer, now=now)
    card = fill_card(card, by=reviewer, now=now)

    approve_card(card=card, version=card.version, confirm_unchecked=True, by=reviewer, now=now)

    kept = card.revisions.get().snapshot
    assert kept == snapshot_of(Card.objects.get(pk=card.pk))
    assert kept["label"] and kept["scores"] and len(kept["citations"]) > 1 and len(kept["findings"]) > 1


def test_approving_twice_is_one_approval(reviewer: User, now: datetime) -> None:
    card = fill_card(make_card(), by=reviewer, now=now)
    version = card.version
    for _ in range(2):
        card = approve_card(card=card, version=version, confirm_unchecked=True, by=reviewer, now=now)

    assert card.revisions.count() == 1
    assert events_of(card).count("approve") == 1


def test_prefilling_again_never_touches_a_decision(reviewer: User, operator: User, now: datetime) -> None:
    card = score(make_card(), reviewer, now)

    again = prefill_card(card=card, by=operator, now=now)

    assert again.version == card.version
    assert again.scores.get(criterion="A-R").decided == 2


def test_prefilling_twice_gives_the_same_card(operator: User, now: datetime) -> None:
    card = make_card()
    findings = card.findings.count()

    again = prefill_card(card=card, by=operator, now=now)

    assert again.findings.count() == findings > 0
    assert again.citations.count() == card.citations.count()


def test_prefill_proposes_what_the_layer_found(db: None) -> None:
    card = make_card()

    a2 = card.scores.get(criterion="A2")
    assert (a2.proposed, card.scores.get(criterion="A6").proposed) == (2, 0)
    assert "Art. 17 § 1 CPA" in a2.proposed_evidence
    assert a2.details == {"bases": ["B1", "B2"]}
    assert sorted(card.findings.values_list("error_class", flat=True)) == ["F", "W"]
    assert set(card.findings.values_list("state", flat=True)) == {FindingState.PROPOSED}
    assert card.findings.get(error_class="W").scope == "core"
    assert card.findings.get(error_class="F").scope == "peripheral"


def test_accepting_proposals_decides_only_what_was_proposed(reviewer: User, now: datetime) -> None:
    card = make_card()

    card = accept_proposals(card=card, version=card.version, by=reviewer, now=now)

    decided = set(card.scores.exclude(decided=None).values_list("criterion", flat=True))
    assert "A2" in decided
    assert not decided & {"A-R", "A6", "B1"}


def test_parked_card_is_no_decision_and_comes_back(reviewer: User, now: datetime) -> None:
    card = make_card()
    card = park_card(card=card, reason="Waiting for the file.", version=card.version, by=reviewer, now=now)
    assert (card.state, card.revisions.count()) == (CardState.PARKED, 0)

    assert unpark_card(card=card, version=card.version, by=reviewer, now=now).state == CardState.IN_REVIEW


def test_question_to_the_lead_needs_words_and_stops_the_review(reviewer: User, now: datetime) -> None:
    card = score(make_card(), reviewer, now)
    with pytest.raises(TransitionRefused):
        ask_ruling(card=card, question=" ", version=card.version, by=reviewer, now=now)

    card = ask_ruling(card=card, question="Is this T?", version=card.version, by=reviewer, now=now)

    with pytest.raises(TransitionRefused):
        score(card, reviewer, now, points=Decimal(1))


def test_note_is_kept_and_sent_twice_is_one_event(reviewer: User, now: datetime) -> None:
    card = make_card()
    set_note(card=card, note="Check rounding.", version=card.version, by=reviewer, now=now)
    again = set_note(card=card, note="Check rounding.", version=card.version, by=reviewer, now=now)

    assert again.note == "Check rounding."
    assert events_of(card).count("set_note") == 1


@pytest.mark.parametrize("state", [AnswerState.EMPTY, AnswerState.PROVIDER_BLOCK])
def test_answer_without_text_is_approved_without_inventing_scores(
    reviewer: User, now: datetime, state: AnswerState
) -> None:
    card = make_card(state=state)
    card = accept_proposals(card=card, version=card.version, by=reviewer, now=now)

    card = approve_card(card=card, version=card.version, confirm_unchecked=True, by=reviewer, now=now)

    assert card.label == ("none" if state == AnswerState.EMPTY else "provider_block")


def test_opening_cards_twice_makes_none_the_second_time(now: datetime, operator: User) -> None:
    card = make_card()

    assert open_cards(benchmark=card.benchmark, by=operator, now=now) == 0
    assert Card.objects.count() == 1


def test_two_cards_for_one_answer_pass_and_round_are_refused_by_the_database(db: None) -> None:
    card = make_card()

    with pytest.raises(IntegrityError), transaction.atomic():
        Card.objects.create(answer=card.answer, specification=card.specification, key_version=card.key_version)


def test_number_of_a_citation_that_is_not_there_is_refused(reviewer: User, now: datetime) -> None:
    card = make_card()

    with pytest.raises(CardCitation.DoesNotExist):
        decide_citation(card=card, number=99, state=CitationState.CONFIRMED, version=card.version, by=reviewer, now=now)


def test_whole_review_leaves_an_unbroken_ledger(reviewer: User, now: datetime) -> None:
    card = fill_card(make_card(), by=reviewer, now=now)
    approve_card(card=card, version=card.version, confirm_unchecked=True, by=reviewer, now=now)

    assert first_break(Event.objects.in_order()) is None
    assert events_of(card)[:2] == ["open_card", "prefill"]
    assert events_of(card)[-1] == "approve"


@pytest.mark.parametrize("by_hand", [False, True])
def test_ruling_missing_in_a_whole_register_is_evidence_without_typing(
    reviewer: User, now: datetime, by_hand: bool
) -> None:
    missing = Checked(
        raw="II Civ 44/24",
        result=CheckResult.NOT_FOUND,
        fields={
            "kind": "ruling",
            "proposed_class": "" if by_hand else "F",
            "explanation": "The source holds all rulings of this court and time, and this one is not among them.",
        },
    )
    card = make_card(citations=[missing], assigned_to=reviewer)
    say = partial(call_wrong, error_class="F") if by_hand else agree_with_proposal

    card = say(card=card, number=1, version=card.version, by=reviewer, now=now)

    [row] = finding_rows(card.findings.in_order(), specification_of(card))
    assert (row.finding.checked_source, row.lacks_evidence) == ("all stored rulings of the court", False)
