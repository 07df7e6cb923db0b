"""Adjudication: differences only, item by item with a reason, a record of its own, the card that counts."""

from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from lxml.html import fromstring

from lexreview.accounts.models import User
from lexreview.accounts.rules import NotAllowed
from lexreview.core.workflow import Role, TransitionRefused
from lexreview.judging.actions import VerdictDraft, save_judge, store_verdicts
from lexreview.ledger.models import Event
from lexreview.review.actions import approve_card, decide_score, revise_card
from lexreview.review.actions.adjudicating import (
    OwnValue,
    begin_adjudication,
    choose,
    finish_adjudication,
    merge_again,
    reopen_adjudication,
)
from lexreview.review.actions.planning import PlanDraft, save_review_plan
from lexreview.review.actions.second_review import RoundRefused, select_for_second_review
from lexreview.review.adjudication_page import AdjudicationPage
from lexreview.review.differences import differing
from lexreview.review.models import Card, ItemKind
from lexreview.review.rounds import Sampling
from tests.factories import make_user
from tests.review.factories import fill_card
from tests.review.rounds import ask, fresh, review
from tests.review.test_views_saving import form_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def pair(card: Card, reviewer: User, colleague: User, lead: User, now: datetime) -> tuple[Card, Card]:
    """Two reviews that differ in A-R, B1 and B2; notes and evidence differ too, which is no difference."""
    review(card, by=reviewer, now=now, points={"A-R": 0, "B1": 2, "B2": 1}, note="First.")
    [seat] = ask(colleague, by=lead, card=card, now=now)
    review(seat, by=colleague, now=now, points={"A-R": 1, "B1": 1, "B2": 0}, note="Second.")
    return fresh(card), fresh(seat)


def take(made: Card, code: str, review_: Card | None, *, by: User, now: datetime, own: str = "") -> Card:
    return choose(
        card=made, kind=ItemKind.CRITERION, target=code, review=review_,
        own=OwnValue(points=Decimal(own)) if own else None,
        reason=f"{code}: read again.", version=made.version, by=by, now=now,
    )  # fmt: skip


def points_of(card: Card, code: str) -> Decimal | None:
    return card.scores.get(criterion=code).decided


def test_only_what_differs_is_laid_side_by_side(pair: tuple[Card, Card]) -> None:
    assert [(item.kind, item.name) for item in differing(pair)] == [
        (ItemKind.CRITERION, code) for code in ("A-R", "B1", "B2")
    ]


def reviewed_for(card: Card, codes: list[str], points: int, *, by: User, now: datetime) -> Card:
    """Approved with these points for A1, given for these elements of the rubric; [] where none is named."""
    card = fill_card(fresh(card), by=by, now=now)
    card = decide_score(
        card=card, criterion="A1", points=Decimal(points), evidence="Read.", reason="Read.",
        details={"elements": codes} if codes else {}, version=card.version, by=by, now=now,
    )  # fmt: skip
    return approve_card(card=card, version=card.version, confirm_unchecked=True, by=by, now=now)


@pytest.mark.parametrize(
    ("first", "second", "shown"),
    [
        ((["R1", "R2"], 2), ([], 2), []),
        (([], 0), ([], 0), []),
        ((["R1", "R2"], 2), (["R1", "R3"], 2), ["2 (R1, R2)", "2 (R1, R3)"]),
        ((["R1", "R2"], 2), ([], 1), ["2 (R1, R2)", "1 (elements not named)"]),
        (([], 0), (["R4"], 1), ["0", "1 (R4)"]),
    ],
)
def test_elements_differ_where_both_reviews_name_them(
    card: Card,
    reviewer: User,
    colleague: User,
    lead: User,
    now: datetime,
    first: tuple[list[str], int],
    second: tuple[list[str], int],
    shown: list[str],
) -> None:
    """A review that gives the same points and names no elements contradicts nobody; what the other names is kept."""
    reviewed_for(card, *second, by=reviewer, now=now)
    [seat] = ask(colleague, by=lead, card=card, now=now)
    reviewed_for(seat, *first, by=colleague, now=now)

    page = AdjudicationPage(fresh(card), user=lead)

    assert [[side.value for side in item.sides] for item in page.differences] == ([shown[::-1]] if shown else [])
    assert fresh(card).state == ("in_adjudication" if shown else "approved")


def test_of_two_that_agree_the_one_that_names_elements_is_taken_over(
    card: Card, reviewer: User, colleague: User, lead: User, now: datetime
) -> None:
    reviewed_for(card, [], 2, by=reviewer, now=now)
    [seat] = ask(colleague, by=lead, card=card, now=now)
    seat = decide_score(
        card=seat, criterion="B1", points=Decimal(2), evidence="Useful.", version=seat.version, by=colleague, now=now
    )
    again = fill_card(seat, by=colleague, now=now)
    again = decide_score(
        card=again, criterion="A1", points=Decimal(2), evidence="Two of them.", details={"elements": ["R1", "R2"]},
        version=again.version, by=colleague, now=now,
    )  # fmt: skip
    approve_card(card=again, version=again.version, confirm_unchecked=True, by=colleague, now=now)

    made = begin_adjudication(card=fresh(card), by=lead, now=now)

    row = made.scores.get(criterion="A1")
    assert (row.decided, row.details, row.decided_by) == (2, {"elements": ["R1", "R2"]}, colleague)


def test_the_result_is_a_record_of_its_own_with_its_reasons(pair: tuple[Card, Card], lead: User, now: datetime) -> None:
    first, second = pair
    before = [(each.version, each.label, points_of(each, "B1")) for each in (second,)]

    made = begin_adjudication(card=first, by=lead, now=now)
    assert [points_of(made, code) for code in ("A-R", "B1", "B2", "A1")] == [None, None, None, points_of(first, "A1")]
    made = take(made, "A-R", first, by=lead, now=now)
    made = take(made, "B1", second, by=lead, now=now)
    made = take(made, "B2", None, own="1", by=lead, now=now)
    made = finish_adjudication(card=made, reason="B1 follows the rule.", version=made.version, by=lead, now=now)

    assert (fresh(first).state, made.state, made.round, made.approved_by) == ("approved", "approved", 3, lead)
    assert [points_of(made, code) for code in ("A-R", "B1", "B2")] == [0, 1, 1]
    assert [row.review for row in made.adjudicated_reviews.order_by("position")] == [first, second]
    choices = {row.target: (row.taken_from, row.reason) for row in made.choices.all()}
    assert choices == {
        "A-R": (first, "A-R: read again."), "B1": (second, "B1: read again."), "B2": (None, "B2: read again."),
    }  # fmt: skip
    assert [(each.version, each.label, points_of(each, "B1")) for each in (fresh(second),)] == before
    events = [event.verb for event in Event.objects.about("card", made.ledger_id).in_order()]
    assert events == ["begin_adjudication", "choose", "choose", "choose", "approve"]
    assert list(Card.objects.filter(answer=first.answer).counting()) == [made]


def test_nothing_counts_while_reviews_stand_against_each_other(pair: tuple[Card, Card]) -> None:
    assert not Card.objects.filter(answer=pair[0].answer).counting().exists()


def test_every_difference_needs_a_decision_and_a_reason(pair: tuple[Card, Card], lead: User, now: datetime) -> None:
    made = begin_adjudication(card=pair[0], by=lead, now=now)

    with pytest.raises(RoundRefused, match="3 differences are not decided"):
        finish_adjudication(card=made, reason="Done.", version=made.version, by=lead, now=now)
    with pytest.raises(RoundRefused, match="why"):
        choose(
            card=made, kind=ItemKind.CRITERION, target="B1", review=pair[0], reason=" ", version=made.version,
            by=lead, now=now,
        )  # fmt: skip
    assert not made.choices.exists()


def test_nobody_adjudicates_a_card_they_reviewed(
    card: Card, reviewer: User, colleague: User, lead: User, now: datetime
) -> None:
    second_lead = make_user("luis", roles=(Role.LEAD,))
    review(card, by=reviewer, now=now, points={"B1": 2})
    [seat] = ask(second_lead, by=lead, card=card, now=now)
    review(seat, by=second_lead, now=now, points={"B1": 1})

    with pytest.raises(TransitionRefused, match="somebody else"):
        begin_adjudication(card=fresh(card), by=second_lead, now=now)
    with pytest.raises(NotAllowed):
        begin_adjudication(card=fresh(card), by=colleague, now=now)


def test_c6_merging_again_keeps_what_was_chosen(
    pair: tuple[Card, Card], colleague: User, lead: User, now: datetime
) -> None:
    first, second = pair
    made = begin_adjudication(card=first, by=lead, now=now)
    for code, side in (("A-R", first), ("B1", second)):
        made = take(made, code, side, by=lead, now=now)
    made = take(made, "B2", None, own="1", by=lead, now=now)
    again = revise_card(card=second, reason="A3 was wrong.", version=second.version, by=colleague, now=now)
    review(again, by=colleague, now=now, points={"A3": 1, "B1": 2})

    with pytest.raises(RoundRefused, match="changed since"):
        finish_adjudication(card=made, reason="Done.", version=made.version, by=lead, now=now)
    made = merge_again(card=made, version=made.version, by=lead, now=now)

    assert [points_of(made, code) for code in ("A-R", "B1", "B2")] == [0, 1, 1]
    assert points_of(made, "A3") is None, "what differs now is open"
    assert made.choices.count() == 3


def test_c7_an_adjudicated_card_is_not_called_into_question_again(
    pair: tuple[Card, Card], colleague: User, lead: User, now: datetime
) -> None:
    first, second = pair
    made = begin_adjudication(card=first, by=lead, now=now)
    for code in ("A-R", "B1", "B2"):
        made = take(made, code, first, by=lead, now=now)
    finish_adjudication(card=made, reason="Done.", version=made.version, by=lead, now=now)

    sampling = Sampling(size=1, reviewers=(make_user("nina", roles=(Role.REVIEWER,)),))
    with pytest.raises(RoundRefused, match="No card can be chosen"):
        select_for_second_review(benchmark=first.benchmark, sampling=sampling, by=lead, now=now)
    with pytest.raises(NotAllowed, match="was adjudicated"):
        revise_card(card=fresh(second), reason="Again.", version=fresh(second).version, by=colleague, now=now)


def test_reopened_the_answer_counts_nowhere_until_it_is_settled_again(
    pair: tuple[Card, Card], lead: User, now: datetime
) -> None:
    first = pair[0]
    made = begin_adjudication(card=first, by=lead, now=now)
    for code in ("A-R", "B1", "B2"):
        made = take(made, code, first, by=lead, now=now)
    made = finish_adjudication(card=made, reason="Done.", version=made.version, by=lead, now=now)

    made = reopen_adjudication(card=made, reason="B2 again.", version=made.version, by=lead, now=now)
    assert fresh(first).state == "in_adjudication"
    assert not Card.objects.filter(answer=first.answer).counting().exists()
    made = take(made, "B2", pair[1], by=lead, now=now)
    made = finish_adjudication(card=made, reason="B2 changed.", version=made.version, by=lead, now=now)

    assert (made.revision, points_of(made, "B2")) == (2, 0)
    assert list(Card.objects.filter(answer=first.answer).counting()) == [made]


def test_an_adjudicated_card_is_not_changed_as_a_review(pair: tuple[Card, Card], lead: User, now: datetime) -> None:
    made = begin_adjudication(card=pair[0], by=lead, now=now)

    with pytest.raises(NotAllowed, match="adjudication"):
        decide_score(
            card=made, criterion="B1", points=Decimal(0), evidence="No.", version=made.version, by=lead, now=now
        )  # fmt: skip


def test_c8_a_judge_named_like_a_criterion_changes_no_card(pair: tuple[Card, Card], now: datetime) -> None:
    """Neither does its verdict, which gives points for that very criterion, an error and another label."""

    def rows(card: Card) -> tuple[Any, ...]:
        card = fresh(card)
        parts = [list(each.order_by("pk").values()) for each in (card.scores, card.findings, card.citations)]
        return card.version, card.state, card.label, card.a_points, *parts

    card = pair[0]
    before = [rows(each) for each in pair]
    judge = save_judge(
        benchmark=card.benchmark, code="B1",
        fields={"name": "B1", "provider": "Noble", "family": "argon", "model_identifier": "argon-4",
                "variant": "plain", "search": False, "instructions_version": "1", "position": 1},
        by=None, now=now,
    )  # fmt: skip
    verdict = VerdictDraft(
        answer=card.answer, specification_version=card.specification.version, judged_at=now,
        hallucinated=card.label != "hallucinated", criteria={"B1": 0, "A-R": 2},
        findings=[{"class": "F", "claim": "Art. 22 CPA", "explanation": "Made up."}],
    )  # fmt: skip
    assert len(store_verdicts(judge=judge, drafts=[verdict], by=None, now=now)) == 1

    assert [rows(each) for each in pair] == before


class TestPage:
    def test_the_lead_settles_a_card_through_plain_forms(
        self, client: Client, pair: tuple[Card, Card], lead: User
    ) -> None:
        first = pair[0]
        client.force_login(lead)
        address = reverse("rounds:adjudication", args=[first.pk])
        assert "Begin the adjudication" in client.get(address).content.decode()
        assert client.post(reverse("rounds:begin_adjudication", args=[first.pk])).status_code == 302
        for code in ("A-R", "B1", "B2"):
            made = Card.objects.get(answer=first.answer, round=3)
            sent = {"version": made.version, "kind": "criterion", "target": code, "take": first.pk, "reason": "Right."}
            assert client.post(reverse("rounds:choose", args=[first.pk]), sent).status_code == 302
        made.refresh_from_db()
        page = client.get(address).content.decode()
        assert "3 of 3 differences decided" in page

        sent = {"version": made.version, "reason": "As the first has it."}
        assert client.post(reverse("rounds:finish_adjudication", args=[first.pk]), sent).status_code == 302

        assert fresh(first).state == "approved"
        assert "This card counts in results" in client.get(address).content.decode()

    def test_c6_reading_discards_nothing_and_merging_again_is_asked_for_first(
        self, client: Client, pair: tuple[Card, Card], colleague: User, lead: User, now: datetime
    ) -> None:
        first, second = pair
        client.force_login(lead)
        client.post(reverse("rounds:begin_adjudication", args=[first.pk]))
        address = reverse("rounds:adjudication", args=[first.pk])
        for code, taken in (("A-R", first.pk), ("B1", second.pk), ("B2", first.pk)):
            made = Card.objects.get(answer=first.answer, round=3)
            sent = {"version": made.version, "kind": "criterion", "target": code, "take": taken, "reason": f"{code}."}
            assert client.post(reverse("rounds:choose", args=[first.pk]), sent).status_code == 302
        assert 'id="merge"' not in client.get(address).content.decode()
        again = revise_card(card=second, reason="A3 was wrong.", version=second.version, by=colleague, now=now)
        review(again, by=colleague, now=now, points={"A3": 1, "B1": 2})
        chosen = list(made.choices.order_by("pk").values())

        for _reading in range(2):
            page = form_of(client.get(address).content, "form-merge")
        assert fresh(made).version == made.version + 1, "nothing is merged before it is asked for"
        assert client.post(page.address, page.fields).status_code == 302

        assert list(made.choices.order_by("pk").values()) == chosen
        page_now = client.get(address).content.decode()
        assert 'id="merge"' not in page_now
        assert "3 of 4 differences decided" in page_now

    def test_evidence_of_both_is_shown_and_what_they_agree_on_is_not(
        self, client: Client, pair: tuple[Card, Card], lead: User
    ) -> None:
        client.force_login(lead)

        page = client.get(reverse("rounds:adjudication", args=[pair[0].pk])).content.decode()

        assert "Evidence of rita for B1." in page
        assert "Evidence of karl for B1." in page
        assert "item-criterion-A1" not in page

    def test_c10_names_can_be_hidden(self, client: Client, pair: tuple[Card, Card], lead: User, now: datetime) -> None:
        plan = PlanDraft(blind_share=Decimal(0), repeat_share=Decimal(0), names_hidden=True)
        save_review_plan(benchmark=pair[0].benchmark, draft=plan, by=lead, now=now)
        client.force_login(lead)

        page = client.get(reverse("rounds:adjudication", args=[pair[0].pk])).content.decode()

        head = page[page.index('class="side-head"') : page.index('class="differences"')]
        assert "Rita" not in head
        assert "Karl" not in head
        assert f'href="{reverse("review:card", args=[pair[1].pk])}"' not in page

    def test_a_choice_on_an_older_version_is_refused(
        self, client: Client, pair: tuple[Card, Card], lead: User, now: datetime
    ) -> None:
        made = begin_adjudication(card=pair[0], by=lead, now=now)
        client.force_login(lead)
        sent = {"version": made.version - 1, "kind": "criterion", "target": "B1", "take": pair[0].pk, "reason": "x"}

        reply = client.post(reverse("rounds:choose", args=[pair[0].pk]), sent)

        assert reply.status_code == 409
        assert not made.choices.exists()

    def test_two_leads_at_once_the_second_sees_both_and_loses_nothing(
        self, client: Client, pair: tuple[Card, Card], lead: User, now: datetime
    ) -> None:
        first, second = pair
        begun = begin_adjudication(card=first, by=lead, now=now)
        take(begun, "B1", first, by=lead, now=now)
        client.force_login(make_user("luis", roles=(Role.LEAD,)))
        sent = {"version": begun.version, "kind": "criterion", "target": "B1", "take": second.pk, "reason": "By luis."}

        reply = client.post(reverse("rounds:choose", args=[first.pk]), sent)

        assert reply.status_code == 409
        item = fromstring(reply.content).get_element_by_id("item-criterion-B1")
        assert "Decided by lena: A 2. Reason: B1: read again." in item.text_content()
        form = dict(item.xpath(".//form")[0].form_values())
        assert (form["take"], form["reason"]) == (str(second.pk), "By luis.")
        assert client.post(reverse("rounds:choose", args=[first.pk]), form).status_code == 302
        assert fresh(begun).choices.get(target="B1").taken_from == second

    @pytest.mark.parametrize(
        ("sent", "shown"),
        [
            ({"target": "B1", "take": "own", "own": "9", "reason": "Nine."}, {"take": "own", "own": "9"}),
            ({"target": "B1", "take": "{second}", "reason": ""}, {"take": "{second}"}),
            ({"target": "A-R", "take": "own", "own": "", "reason": "None."}, {"take": "own", "reason": "None."}),
        ],
    )
    def test_what_was_entered_stays_after_a_refusal(
        self, client: Client, pair: tuple[Card, Card], lead: User, now: datetime, sent: dict[str, str],
        shown: dict[str, str],
    ) -> None:  # fmt: skip
        made = begin_adjudication(card=pair[0], by=lead, now=now)
        client.force_login(lead)
        sent, shown = ({key: text.format(second=pair[1].pk) for key, text in each.items()} for each in (sent, shown))

        reply = client.post(
            reverse("rounds:choose", args=[pair[0].pk]), {"version": made.version, "kind": "criterion", **sent}
        )

        assert reply.status_code == 422
        item = fromstring(reply.content).get_element_by_id(f"item-criterion-{sent['target']}")
        assert shown.items() <= dict(item.xpath(".//form")[0].form_values()).items()

    def test_a_reason_whose_form_is_gone_is_shown(
        self, client: Client, pair: tuple[Card, Card], lead: User, now: datetime
    ) -> None:
        made = begin_adjudication(card=pair[0], by=lead, now=now)
        client.force_login(lead)

        reply = client.post(
            reverse("rounds:finish_adjudication", args=[pair[0].pk]),
            {"version": made.version, "reason": "As I read it."},
        )

        assert reply.status_code == 422
        assert "You had typed: <q>As I read it.</q>" in reply.content.decode()

    def test_an_own_value_stays_chosen_when_the_page_comes_back(
        self, client: Client, pair: tuple[Card, Card], lead: User, now: datetime
    ) -> None:
        made = begin_adjudication(card=pair[0], by=lead, now=now)
        take(made, "B1", None, own="0", by=lead, now=now)
        client.force_login(lead)

        page = client.get(reverse("rounds:adjudication", args=[pair[0].pk])).content

        form = dict(fromstring(page).get_element_by_id("item-criterion-B1").xpath(".//form")[0].form_values())
        assert (form["take"], form["own"], form["reason"]) == ("own", "0", "B1: read again.")

    @pytest.mark.parametrize(("who", "status"), [("reviewer", 403), ("colleague", 403), ("operator", 404)])
    def test_who_may_not_adjudicate_changes_nothing(
        self, request: pytest.FixtureRequest, client: Client, pair: tuple[Card, Card], lead: User, now: datetime,
        who: str, status: int,
    ) -> None:  # fmt: skip
        made = begin_adjudication(card=pair[0], by=lead, now=now)
        client.force_login(request.getfixturevalue(who))
        sent = {"version": made.version, "kind": "criterion", "target": "B1", "take": pair[0].pk, "reason": "x"}

        for name in ("choose", "merge_again", "finish_adjudication", "reopen_adjudication"):
            assert client.post(reverse(f"rounds:{name}", args=[pair[0].pk]), sent).status_code == status, name
        assert not made.choices.exists()
