"""Cards sent back, checked again, given without pre-fill and given twice."""

from datetime import datetime, timedelta
from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from lexreview.accounts.models import User
from lexreview.accounts.rules import NotAllowed
from lexreview.core.workflow import CitationState, Role, TransitionRefused
from lexreview.ledger.models import Event
from lexreview.review.actions import (
    InvalidFinding,
    accept_proposals,
    approve_card,
    decide_citation,
    decide_score,
    open_cards,
)
from lexreview.review.actions.planning import PlanDraft, save_review_plan
from lexreview.review.actions.quality import CheckRefused, add_checks, check_card, draw_checks
from lexreview.review.actions.repeating import _brought_back, bring_back_all
from lexreview.review.actions.returning import return_card
from lexreview.review.agreement import AgreementPage
from lexreview.review.drawing import drawn
from lexreview.review.models import Attendance, Card, CheckOutcome, QualityCheck
from lexreview.review.quality import Draw, drawn_cards, quality_of
from lexreview.review.verdicts import agree_with_proposal
from tests.factories import LONG_AGO, make_user
from tests.review.factories import (
    SLUG,
    make_answer,
    make_benchmark,
    make_card,
    make_question,
)
from tests.review.rounds import ask, fresh, review

pytestmark = pytest.mark.django_db


@pytest.fixture
def approved(card: Card, reviewer: User, now: datetime) -> Card:
    return review(card, by=reviewer, now=now)


def test_a8_a_returned_card_goes_round_with_three_events(
    client: Client, approved: Card, reviewer: User, lead: User, now: datetime
) -> None:
    back = return_card(card=approved, reason="A2 counts one base only.", by=lead, now=now)
    assert (back.state, back.assigned_to, back.returned_at) == ("in_review", reviewer, now)
    client.force_login(reviewer)
    assert "A2 counts one base only." in client.get(reverse("review:card", args=[back.pk])).content.decode()
    assert Card.objects.returned().contains(back)
    again = approve_card(card=back, version=back.version, confirm_unchecked=True, by=reviewer, now=now)

    events = list(Event.objects.about("card", approved.ledger_id).in_order())[-3:]
    assert [(event.verb, event.actor, event.reason) for event in events] == [
        ("approve", "rita", ""), ("return", "lena", "A2 counts one base only."), ("approve", "rita", ""),
    ]  # fmt: skip
    assert (again.revision, again.returned_at) == (2, None)
    assert again.revisions.get(number=2).reason == "A2 counts one base only."


def test_a8_only_a_lead_sends_back_only_what_is_approved_and_with_a_reason(
    approved: Card, reviewer: User, lead: User, now: datetime
) -> None:
    with pytest.raises(NotAllowed):
        return_card(card=approved, reason="No.", by=reviewer, now=now)
    with pytest.raises(TransitionRefused, match="without a reason"):
        return_card(card=approved, reason=" ", by=lead, now=now)
    return_card(card=approved, reason="Again.", by=lead, now=now)
    with pytest.raises(TransitionRefused, match="would have to be"):
        return_card(card=approved, reason="Again.", by=lead, now=now)


def test_a8_from_the_page_of_the_card(client: Client, approved: Card, lead: User) -> None:
    client.force_login(lead)
    assert "Send back to the reviewer" in client.get(reverse("review:card", args=[approved.pk])).content.decode()

    address = reverse("rounds:return_card", args=[approved.pk])
    older = client.post(address, {"version": approved.version - 1, "reason": "Again."})
    assert (older.status_code, fresh(approved).state) == (409, "approved")
    assert "Again." in older.content.decode()

    reply = client.post(address, {"version": approved.version, "reason": "Again."})

    assert (reply.status_code, fresh(approved).state) == (302, "in_review")


class TestChecks:
    def test_the_rate_of_a_reviewer_has_its_wilson_interval(self, reviewer: User, lead: User, now: datetime) -> None:
        for repetition in range(1, 5):
            review(make_card(repetition=repetition, assigned_to=reviewer), by=reviewer, now=now)
        benchmark = Card.objects.with_answer()[0].benchmark
        checks = draw_checks(benchmark=benchmark, draw=Draw(size=4), by=lead, now=now)
        for number, check in enumerate(checks):
            outcome = CheckOutcome.OVERTURNED if number == 0 else CheckOutcome.AGREED
            check_card(check=check, outcome=outcome, reason="Read again.", by=lead, now=now)

        [row] = quality_of(benchmark, user=lead)

        assert (row.reviewer, row.overturned.successes, row.overturned.n) == (reviewer, 1, 4)
        # Wilson for 1 of 4: centre (0.25 + 1.92 / 4) / (1 + 3.84 / 4) = 0.3724, half-width 0.3268.
        assert row.overturned.wilson is not None
        assert row.overturned.wilson.low == pytest.approx(0.0456, abs=0.001)
        assert row.overturned.wilson.high == pytest.approx(0.6994, abs=0.001)
        overturned = next(each.card for each in checks if fresh(each.card).state == "in_review")
        assert fresh(overturned).revision_reason == "Read again."

    def test_a_draw_is_seeded_and_nothing_is_drawn_twice(self, reviewer: User, lead: User, now: datetime) -> None:
        for repetition in range(1, 5):
            review(make_card(repetition=repetition, assigned_to=reviewer), by=reviewer, now=now)
        benchmark = Card.objects.with_answer()[0].benchmark

        first = draw_checks(benchmark=benchmark, draw=Draw(size=3, seed=5), by=lead, now=now)
        second = draw_checks(benchmark=benchmark, draw=Draw(size=3, seed=5), by=lead, now=now)

        assert (len(first), len(second)) == (3, 1)
        with pytest.raises(CheckRefused, match="No card is left"):
            draw_checks(benchmark=benchmark, draw=Draw(size=3), by=lead, now=now)

    def test_nobody_checks_their_own_card(self, card: Card, lead: User, now: datetime) -> None:
        own = review(card, by=lead, now=now)

        with pytest.raises(CheckRefused):
            draw_checks(benchmark=own.benchmark, draw=Draw(size=1), by=lead, now=now)
        other_lead = make_user("luis", roles=(lead.memberships.get().role,))  # type: ignore[arg-type]
        [check] = draw_checks(benchmark=own.benchmark, draw=Draw(size=1), by=other_lead, now=now)
        with pytest.raises(NotAllowed, match="somebody else"):
            check_card(check=check, outcome=CheckOutcome.AGREED, reason="", by=lead, now=now)

    def test_very_fast_approvals_are_counted_apart(self, approved: Card, lead: User, now: datetime) -> None:
        [check] = add_checks(cards=[approved], by=lead, now=now)
        assert add_checks(cards=[approved], by=lead, now=now) == []
        check_card(check=check, outcome=CheckOutcome.AGREED, reason="", by=lead, now=now)

        [row] = quality_of(approved.benchmark, user=lead)

        assert (row.overturned.n, row.fast.n, row.fast.successes) == (0, 1, 0)

    def test_the_fast_ones_are_added_from_the_page(
        self, client: Client, approved: Card, reviewer: User, lead: User, now: datetime
    ) -> None:
        Attendance.objects.create(card=approved, person=reviewer, active_seconds=1, open_until=now, beat_at=now)
        client.force_login(lead)
        page = client.get(reverse("rounds:quality", args=[SLUG])).content.decode()
        assert "Add 1 card that was approved very fast" in page

        assert client.post(reverse("rounds:add_fast", args=[SLUG])).status_code == 302

        assert QualityCheck.objects.get().origin == "fast"

    def test_the_fast_ones_come_into_every_sample_and_count_apart(
        self, client: Client, reviewer: User, lead: User, now: datetime
    ) -> None:
        cards = [review(make_card(repetition=each, assigned_to=reviewer), by=reviewer, now=now) for each in range(1, 5)]
        for card, seconds in zip(cards, (1, 900, 900, 900), strict=True):
            Attendance.objects.create(card=card, person=reviewer, active_seconds=seconds, open_until=now, beat_at=now)
        seed = next(seed for seed in range(9) if cards[0] not in drawn_cards(
            cards[0].benchmark, Draw(size=1, seed=seed), by=lead))  # fmt: skip
        client.force_login(lead)
        assert "1 that was approved very fast comes into the sample" in (
            client.get(reverse("rounds:quality", args=[SLUG])).content.decode()
        )

        client.post(reverse("rounds:draw", args=[SLUG]), {"size": 1, "seed": seed})

        origins = dict(QualityCheck.objects.values_list("card_id", "origin"))
        assert (len(origins), origins[cards[0].pk]) == (2, "fast")
        [again] = draw_checks(benchmark=cards[0].benchmark, draw=Draw(size=1), by=lead, now=now)
        assert again.origin == "drawn"

    def test_a_draw_leaves_no_trace_in_the_history_of_the_card(self, approved: Card, lead: User, now: datetime) -> None:
        before = Event.objects.about("card", approved.ledger_id).count()

        draw_checks(benchmark=approved.benchmark, draw=Draw(size=1), by=lead, now=now)

        assert Event.objects.about("card", approved.ledger_id).count() == before
        assert Event.objects.filter(object_type="quality_check").count() == 1

    def test_a_check_is_settled_once(self, approved: Card, lead: User, now: datetime) -> None:
        [check] = draw_checks(benchmark=approved.benchmark, draw=Draw(size=1), by=lead, now=now)
        check_card(check=check, outcome=CheckOutcome.AGREED, reason="", by=lead, now=now)

        with pytest.raises(CheckRefused, match="already"):
            check_card(check=check, outcome=CheckOutcome.OVERTURNED, reason="No.", by=lead, now=now)
        with pytest.raises(IntegrityError), transaction.atomic():
            QualityCheck.objects.update(outcome=CheckOutcome.OVERTURNED, reason="")


def blind_card(reviewer: User, *, repeat_share: int = 0) -> Card:
    benchmark = make_benchmark()
    plan = PlanDraft(blind_share=Decimal(1), repeat_share=Decimal(repeat_share), repeat_after=1)
    save_review_plan(benchmark=benchmark, draft=plan, by=None, now=LONG_AGO)
    return make_card(benchmark, assigned_to=reviewer)


class TestBlindCards:
    def test_c12_a_share_of_cards_is_drawn_and_the_same_ones_again(self, db: None) -> None:
        names = [f"P{number:03}_argon-4_W0_r1" for number in range(2000)]

        ten = {name for name in names if drawn(Decimal("0.1"), seed=1, what="blind", name=name)}

        assert 150 < len(ten) < 250
        assert ten == {name for name in reversed(names) if drawn(Decimal("0.1"), seed=1, what="blind", name=name)}
        assert ten != {name for name in names if drawn(Decimal("0.1"), seed=2, what="blind", name=name)}
        assert not any(drawn(Decimal(0), seed=1, what="blind", name=name) for name in names)
        assert all(drawn(Decimal(1), seed=1, what="blind", name=name) for name in names)

    def test_c12_without_a_plan_every_tenth_card_comes_without_prefill(self, now: datetime) -> None:
        benchmark = make_benchmark()
        benchmark.review_plan.delete()
        question = make_question(benchmark)
        for repetition in range(1, 61):
            make_answer(question, repetition=repetition)

        open_cards(benchmark=benchmark, by=None, now=now)

        assert 1 <= Card.objects.filter(blind=True).count() <= 15

    def test_c12_proposals_are_kept_and_not_shown(self, client: Client, reviewer: User, now: datetime) -> None:
        card = blind_card(reviewer)

        assert not card.scores.exclude(proposed=None).exists()
        assert not card.findings.exists()
        assert Decimal(card.withheld["scores"]["A2"]["points"]) == 2
        assert {row["error_class"] for row in card.withheld["findings"]} == {"W", "F"}
        client.force_login(reviewer)
        page = client.get(reverse("review:card", args=[card.pk])).content.decode()
        assert card.withheld["scores"]["A2"]["evidence"] not in page
        assert 'value="agree"' not in page
        assert "blind" not in page.lower()
        assert "system masked" in page
        assert card.answer.run.system.name not in page
        assert card.answer.run.system.code not in page

    def test_c12_nothing_hidden_can_be_accepted_unseen(self, reviewer: User, now: datetime) -> None:
        card = blind_card(reviewer)

        with pytest.raises(InvalidFinding, match="Nothing is proposed"):
            agree_with_proposal(card=card, number=2, version=card.version, by=reviewer, now=now)
        assert accept_proposals(card=card, version=card.version, by=reviewer, now=now).version == card.version
        decided = decide_score(
            card=card, criterion="A2", points=Decimal(2), evidence="Both are cited.", version=card.version,
            by=reviewer, now=now,
        )  # fmt: skip
        assert decided.scores.get(criterion="A2").evidence == "Both are cited."
        confirmed = decide_citation(
            card=decided, number=2, state=CitationState.CONFIRMED, version=decided.version, by=reviewer, now=now
        )
        assert confirmed.citations.get(number=2).state == "confirmed"

    def test_c12_people_with_and_without_the_prefill_are_reported_apart(
        self, card: Card, reviewer: User, now: datetime
    ) -> None:
        review(card, by=reviewer, now=now)
        plan = PlanDraft(blind_share=Decimal(1), repeat_share=Decimal(0))
        save_review_plan(benchmark=card.benchmark, draft=plan, by=None, now=LONG_AGO)
        blind = make_card(repetition=2, assigned_to=reviewer)
        review(blind, by=reviewer, now=now, points={"A2": 1})

        rows = {row.name: row for row in AgreementPage(card.benchmark).with_prefill}

        assert (rows["A2"].shown.successes, rows["A2"].shown.n) == (1, 1)
        assert (rows["A2"].hidden.successes, rows["A2"].hidden.n) == (0, 1)


def test_a_card_that_is_reviewed_blind_is_in_no_figure(card: Card, reviewer: User, lead: User, now: datetime) -> None:
    """Of one card the share says what was decided on it."""
    review(card, by=reviewer, now=now)
    benchmark = card.benchmark
    assert AgreementPage(benchmark).with_prefill
    assert AgreementPage(benchmark).reviews_under("1.0.1")

    ask(make_user("luis", roles=(Role.LEAD,)), by=lead, card=card, now=now)

    assert AgreementPage(benchmark).with_prefill == []
    assert AgreementPage(benchmark).reviews_under("1.0.1") == {}


class TestRepeats:
    def test_a_drawn_card_comes_back_after_enough_others(self, reviewer: User, now: datetime) -> None:
        benchmark = make_benchmark()
        plan = PlanDraft(blind_share=Decimal(0), repeat_share=Decimal(1), repeat_after=1)
        save_review_plan(benchmark=benchmark, draft=plan, by=None, now=LONG_AGO)
        first = review(make_card(benchmark, assigned_to=reviewer), by=reviewer, now=now)
        assert not Card.objects.filter(round=4).exists()
        second = make_card(benchmark, repetition=2, assigned_to=reviewer)

        review(second, by=reviewer, now=now + timedelta(hours=1))

        [repeat] = Card.objects.with_answer().filter(round=4)
        assert (repeat.answer, repeat.assigned_to, repeat.state) == (first.answer, reviewer, "prefilled")
        assert not repeat.scores.exclude(decided=None).exists()
        review(repeat, by=reviewer, now=now + timedelta(hours=2))
        assert Card.objects.filter(round=4, answer=first.answer).count() == 1
        assert _brought_back([first, first], now=now) == []
        Card.objects.filter(pk=first.pk).update(to_repeat=True)
        Card.objects.filter(round=4).exclude(answer=second.answer).update(seat=2)
        assert len(_brought_back([first, first], now=now)) == 1
        counted = set(Card.objects.counting().values_list("round", flat=True))
        assert counted == {1}

    def test_self_agreement_is_computed_from_them(self, reviewer: User, lead: User, now: datetime) -> None:
        benchmark = make_benchmark()
        plan = PlanDraft(blind_share=Decimal(0), repeat_share=Decimal(1), repeat_after=50)
        save_review_plan(benchmark=benchmark, draft=plan, by=None, now=LONG_AGO)
        review(make_card(benchmark, assigned_to=reviewer), by=reviewer, now=now, points={"B1": 2})
        [repeat] = bring_back_all(benchmark=benchmark, by=lead, now=now)
        review(repeat, by=reviewer, now=now + timedelta(hours=1), points={"B1": 1})

        page = AgreementPage(benchmark)
        figures = {each.measure.name: each for each in page.self_agreement if not each.measure.positive}

        assert (figures["B1"].n, figures["B1"].agreement.successes) == (1, 0)
        assert (figures["A1"].n, figures["A1"].agreement.successes) == (1, 1)
        assert page.rows == []

    def test_nothing_on_its_pages_tells_it_apart(
        self, client: Client, reviewer: User, lead: User, now: datetime
    ) -> None:
        benchmark = make_benchmark()
        plan = PlanDraft(blind_share=Decimal(0), repeat_share=Decimal(1))
        save_review_plan(benchmark=benchmark, draft=plan, by=None, now=LONG_AGO)
        review(make_card(benchmark, assigned_to=reviewer), by=reviewer, now=now)
        [repeat] = bring_back_all(benchmark=benchmark, by=lead, now=now)
        client.force_login(reviewer)

        card_page = client.get(reverse("review:card", args=[repeat.pk])).content.decode()
        queue = client.get(reverse("review:queue")).content.decode()

        for page in (card_page, queue):
            assert "round4" not in page
            assert "repeat" not in page.lower().replace("repeated", "")
        assert "answer 1 of 1" in queue
        ids = [row["id"] for row in client.get("/api/cards/").json()["results"]]
        assert repeat.pk not in ids
        assert client.get(f"/api/cards/{repeat.pk}/").status_code == 404
