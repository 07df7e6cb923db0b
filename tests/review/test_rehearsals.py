"""Rehearsals: what is prepared, who gets it, who learns what was planted, and that nothing of it is counted."""

import csv
import io
import json
from collections.abc import Callable, Iterable
from copy import deepcopy
from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from lexreview.accounts.actions import grant_role
from lexreview.accounts.models import User
from lexreview.accounts.rules import NotAllowed
from lexreview.core.methods.reference_card.facts import Origin, Scope
from lexreview.core.workflow import CardState, CitationState, Role, Round
from lexreview.ledger.models import Event
from lexreview.reports.actions import CannotPublish, publish
from lexreview.reports.bundle.writing import CannotExport, export_files
from lexreview.review.actions import (
    accept_finding,
    approve_card,
    assign_card,
    assign_cards,
    decide_score,
    open_cards,
    open_citation,
)
from lexreview.review.actions.rehearsing import RehearsalRefused, give_rehearsal, prepare_rehearsal
from lexreview.review.agreement import AgreementPage
from lexreview.review.blinding import sees_planted
from lexreview.review.models import Attendance, Card, Rehearsal, RehearsalItem
from lexreview.review.page_sections import card_marks
from lexreview.review.quality import checkable
from lexreview.review.rehearsal_set import FaultyRehearsal, read_set
from lexreview.review.rehearsals import RehearsalReport
from lexreview.review.rounds import candidates_for_second_review
from lexreview.review.rules import can_review_card
from lexreview.review.verdicts import call_not_wrong, call_wrong, set_aspect
from tests.factories import LONG_AGO
from tests.review.factories import (
    CITATIONS,
    SLUG,
    make_answer,
    make_benchmark,
    make_card,
    make_question,
    make_verification,
)
from tests.review.rehearsing import ERROR, NAME, SET, prepared, the_set
from tests.review.rounds import fresh

pytestmark = pytest.mark.django_db

TWICE = {**SET["answers"][NAME], "said": [SET["answers"][NAME]["said"][0]] * 2}


@pytest.fixture
def rehearsal(now: datetime) -> Rehearsal:
    return prepared(the_set(), now)


@pytest.fixture
def given(rehearsal: Rehearsal, reviewer: User, lead: User, now: datetime) -> Card:
    [card] = give_rehearsal(rehearsal=rehearsal, to=reviewer, by=lead, now=now)
    return fresh(card)


@pytest.fixture
def blind(reviewer: User, lead: User, now: datetime) -> Card:
    [card] = give_rehearsal(rehearsal=prepared(the_set(blind_share="1"), now), to=reviewer, by=lead, now=now)
    return fresh(card)


Change = Callable[[Card, dict[str, Any]], Card]


def work(card: Card, *, by: User, points: dict[str, int], changes: Iterable[Change] = ()) -> Card:
    """Approve with these points, everything else as `changes` leave it."""
    stamp: dict[str, Any] = {"by": by, "now": timezone.now()}
    for change in changes:
        card = change(fresh(card), stamp)
    for code, number in points.items():
        version, words = fresh(card).version, {"evidence": "Read.", "reason": "Read."}
        card = decide_score(card=card, criterion=code, points=Decimal(number), version=version, **words, **stamp)
    for row in fresh(card).citations.filter(opened_at=None):
        open_citation(card=card, number=row.number, **stamp)
    for row in fresh(card).findings.filter(state="proposed"):
        card = accept_finding(card=card, number=row.number, version=fresh(card).version, **stamp)
    fresh(card).findings.filter(source_says="").update(source_says="Otherwise.")
    fresh(card).findings.filter(checked_source="").update(checked_source="Civil Procedure Act")
    return approve_card(card=fresh(card), version=fresh(card).version, confirm_unchecked=True, **stamp)


RIGHT_POINTS = {"A-R": 1, "A1": 1, "A2": 2, "A3": 0, "P": 1, "B1": 1, "B2": 1}
AS_PROPOSED = {**RIGHT_POINTS, "B1": 2}


def right_class(card: Card, stamp: dict[str, Any]) -> Card:
    return call_wrong(card=card, number=1, error_class="T", version=card.version, **stamp)


def missed_error(card: Card, stamp: dict[str, Any]) -> Card:
    return call_wrong(card=card, number=2, error_class="T", version=card.version, **stamp)


def no_alarm(card: Card, stamp: dict[str, Any]) -> Card:
    state = CitationState.CONFIRMED
    return call_not_wrong(card=card, number=4, state=state, reason="It is so.", version=card.version, **stamp)


def test_a_set_is_prepared_and_given_with_its_planted_errors_in_the_pre_fill(given: Card, rehearsal: Rehearsal) -> None:
    proposed = {row.criterion: row.proposed for row in given.scores.exclude(proposed=None)}
    findings = {
        row.citation.number: (row.error_class, row.proposed_by) for row in given.findings.select_related("citation")
    }

    assert (given.round, given.state, given.blind, given.seat) == (Round.REHEARSAL, CardState.PREFILLED, False, 1)
    assert {code: int(points) for code, points in proposed.items() if code != "A6"} == AS_PROPOSED
    assert findings == {1: ("W", "code"), 3: ("F", "code"), 4: ("T", "model:prefill")}
    assert [(row.answer.identifier, row.right["points"]["B1"]) for row in RehearsalItem.objects.all()] == [(NAME, "1")]
    verbs = list(Event.objects.about("benchmark", SLUG).in_order().values_list("verb", flat=True))
    assert verbs[-2:] == ["prepare_rehearsal", "give_rehearsal"]
    assert Event.objects.filter(verb="prepare_rehearsal").get().after["sha256"] == rehearsal.sha256
    call_command("verify_ledger")


def test_preparing_writes_no_card_and_the_same_set_again_nothing(rehearsal: Rehearsal, now: datetime) -> None:
    events = Event.objects.count()

    again = prepare_rehearsal(benchmark=rehearsal.benchmark, record=read_set(the_set()), by=None, now=now)

    assert (again, Card.objects.count(), Event.objects.count()) == (rehearsal, 0, events)
    with pytest.raises(FaultyRehearsal, match="another set"):
        prepare_rehearsal(benchmark=rehearsal.benchmark, record=read_set(the_set(seed=8)), by=None, now=now)
    otherwise = read_set(changed("points/B1/reason", "Read otherwise."))
    with pytest.raises(FaultyRehearsal, match="another set"):
        prepare_rehearsal(benchmark=rehearsal.benchmark, record=otherwise, by=None, now=now)


def test_a_pre_fill_that_is_no_longer_that_of_the_set_is_given_to_nobody(
    rehearsal: Rehearsal, reviewer: User, lead: User, now: datetime
) -> None:
    item = RehearsalItem.objects.get()
    item.proposed["points"]["B1"] = "0"
    item.save()

    with pytest.raises(FaultyRehearsal, match="points of B1 is proposed as 2, expected 0"):
        give_rehearsal(rehearsal=rehearsal, to=reviewer, by=lead, now=now)

    assert not Card.objects.exists()
    assert not Event.objects.filter(verb="give_rehearsal").exists()


def test_a_set_leaves_out_no_answer_of_its_benchmark(now: datetime) -> None:
    benchmark = make_benchmark(SLUG)
    for code in ("P04", "P05"):
        make_verification(make_answer(make_question(benchmark, code)), CITATIONS)

    with pytest.raises(FaultyRehearsal, match="P05_argon-4_W0_r1 is not in the set"):
        prepare_rehearsal(benchmark=benchmark, record=read_set(the_set()), by=None, now=now)


def changed(path: str, value: Any) -> str:
    record = deepcopy(SET)
    *way, last = path.split("/")
    place: Any = record["answers"][NAME]
    for step in way:
        place = place[int(step)] if isinstance(place, list) else place[step]
    place[last] = value
    return json.dumps(record)


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("citations", 8, "7 citations were found, expected 8"),
        ("said/0/raw", "Art. 18 CPA", "citation 1 is “Art. 17 § 1 CPA” and not “Art. 18 CPA”"),
        ("points/A2", {"right": 1}, "points of A2 is proposed as 2, expected 1"),
        ("points/A1", {"right": 1, "elements": ["R1", "R2"], "reason": "Both."}, "points of A1 is proposed as –"),
        ("said/4/proposed", "right", "verdict of 6 is proposed as open, expected right"),
        ("said/3/proposed", {**ERROR, "error_class": "W"}, "verdict of 4 is proposed as right, expected wrong"),
    ],
)  # fmt: skip
def test_a_set_whose_proposals_would_be_others_is_refused_with_the_place(
    path: str, value: Any, said: str, now: datetime
) -> None:
    with pytest.raises(FaultyRehearsal, match=said.replace("(", r"\(")):
        prepared(changed(path, value), now)

    assert (Rehearsal.objects.count(), Card.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: [", "expected"),
        (the_set(colour="red"), "colour"),
        (the_set(blind_share="2"), "blind_share"),
        (the_set(answers={"P99_x_W0_r1": SET["answers"][NAME]}), "P99_x_W0_r1 is not an answer"),
        (the_set(answers={NAME: TWICE}), f"{NAME}.said: .*citation 1 stands there twice"),
    ],
)
def test_a_faulty_file_is_refused_with_the_field(text: str, said: str, now: datetime) -> None:
    with pytest.raises(FaultyRehearsal, match=said):
        prepared(text, now)


def test_a_set_without_an_error_and_a_benchmark_with_cards_are_refused(card: Card, now: datetime) -> None:
    record = {
        "name": "none", "blind_share": 0, "seed": 1,
        "answers": {NAME: {"citations": 1, "points": {"B1": {"right": 1, "reason": "So."}}}},
    }  # fmt: skip

    with pytest.raises(FaultyRehearsal, match="No error is planted"):
        prepare_rehearsal(benchmark=card.benchmark, record=read_set(json.dumps(record)), by=None, now=now)
    with pytest.raises(FaultyRehearsal, match="has cards already"):
        prepare_rehearsal(benchmark=card.benchmark, record=read_set(the_set()), by=None, now=now)


def fresh_person(person: User) -> User:
    return User.objects.get(pk=person.pk)


def test_who_can_be_given_a_set(
    rehearsal: Rehearsal, reviewer: User, colleague: User, lead: User, operator: User, outsider: User, now: datetime
) -> None:
    grant_role(user=operator, benchmark_slug=SLUG, role=Role.REVIEWER, by=None, now=LONG_AGO)

    for person in (lead, operator, outsider):
        with pytest.raises(RehearsalRefused, match=person.username):
            give_rehearsal(rehearsal=rehearsal, to=person, by=lead, now=now)
    with pytest.raises(NotAllowed):
        give_rehearsal(rehearsal=rehearsal, to=reviewer, by=reviewer, now=now)
    assert RehearsalReport(rehearsal, lead).candidates == [colleague, reviewer]
    User.objects.filter(pk=colleague.pk).update(is_active=False)
    assert RehearsalReport(rehearsal, lead).candidates == [reviewer]
    with pytest.raises(RehearsalRefused, match=colleague.username):
        give_rehearsal(rehearsal=rehearsal, to=fresh_person(colleague), by=lead, now=now)
    give_rehearsal(rehearsal=rehearsal, to=reviewer, by=lead, now=now)
    with pytest.raises(RehearsalRefused, match="before"):
        give_rehearsal(rehearsal=rehearsal, to=reviewer, by=lead, now=now)
    assert Card.objects.count() == 1


def test_the_database_refuses_a_person_two_rehearsals_of_an_answer(given: Card) -> None:
    given.pk, given.seat = None, 2
    given._state.adding = True

    with pytest.raises(IntegrityError), transaction.atomic():
        given.save()


def test_a_card_of_a_rehearsal_stays_with_its_person(given: Card, colleague: User, lead: User, now: datetime) -> None:
    with pytest.raises(NotAllowed, match="stays with"):
        assign_card(card=given, to=colleague, by=lead, now=now)
    assert assign_cards(cards={given.pk: colleague}, by=lead, now=now) == 0
    assert not can_review_card(lead, given)
    assert fresh(given).assigned_to_id == given.assigned_to_id


@pytest.mark.parametrize(("share", "is_blind"), [("0.5", True), ("0.499", False)])
def test_the_share_of_blind_cards_is_rounded_to_the_nearest_whole(
    share: str, is_blind: bool, reviewer: User, lead: User, now: datetime
) -> None:
    [card] = give_rehearsal(rehearsal=prepared(the_set(blind_share=share), now), to=reviewer, by=lead, now=now)

    assert card.blind == is_blind


def test_what_is_planted_is_told_once_every_card_is_approved(reviewer: User) -> None:
    one, other = (make_card(code=code, assigned_to=reviewer) for code in ("P05", "P06"))
    Card.objects.update(round=Round.REHEARSAL)
    cards = Card.objects.rehearsed()

    told = []
    for approved in ([], [one.pk], [one.pk, other.pk]):
        Card.objects.filter(pk__in=approved).update(revision=1)
        told.append(sees_planted(reviewer, SLUG, cards))

    assert told == [False, False, True]


def test_each_colleague_has_a_card_of_their_own_that_the_other_does_not_see(
    given: Card, rehearsal: Rehearsal, colleague: User, lead: User, operator: User, now: datetime
) -> None:
    [other] = give_rehearsal(rehearsal=rehearsal, to=colleague, by=lead, now=now)

    def seen(person: User) -> set[int]:
        return set(Card.objects.visible_to(person).values_list("pk", flat=True))

    assert (other.seat, other.identifier) == (2, f"{NAME}.round5.2")
    assert [seen(each) for each in (given.assigned_to, colleague, operator, lead)] == [
        {given.pk}, {other.pk}, set(), {given.pk, other.pk},
    ]  # fmt: skip


def test_the_place_of_an_answer_is_counted_once_however_many_do_the_set(
    client: Client, rehearsal: Rehearsal, given: Card, reviewer: User, colleague: User, lead: User, now: datetime
) -> None:
    give_rehearsal(rehearsal=rehearsal, to=colleague, by=lead, now=now)
    client.force_login(reviewer)

    for address in (f"/review/cards/{given.pk}/", "/review/?pile=mine"):
        assert "answer 1 of 1" in client.get(address).content.decode()


def test_the_report_counts_what_was_put_right_left_in_and_spoiled(given: Card, reviewer: User, lead: User) -> None:
    def spoils(card: Card, stamp: dict[str, Any]) -> Card:
        return set_aspect(card=card, number=3, scope=Scope.CORE, origin=Origin.MEMORY, version=card.version, **stamp)

    work(given, by=reviewer, points=AS_PROPOSED, changes=[right_class, missed_error, spoils])
    Attendance.objects.create(
        card=given, person=reviewer, active_seconds=95, open_until=timezone.now(), beat_at=timezone.now()
    )

    report = RehearsalReport(given.benchmark.rehearsal, lead)
    [result] = report.results

    assert (result.given, len(result.handed), result.is_through) == (1, 1, True)
    assert (result.prefilled.found.successes, result.prefilled.found.n, result.prefilled.left_in) == (2, 4, 2)
    assert (result.blind.cards, result.blind.found.n) == (0, 0)
    assert (result.prefilled.spoiled.successes, result.prefilled.seconds) == (1, 95)
    assert {(line.planted.kind, each.fate) for line in report.planted for each in line.outcomes} == {
        ("points", "left_in"), ("error_class", "found"), ("missed_error", "found"), ("false_alarm", "left_in"),
    }  # fmt: skip
    assert [(line.place.target, line.decided, line.right) for line in report.spoiled] == [("3", "core", "peripheral")]


def test_every_error_put_right_is_found_and_a_card_that_nobody_timed_has_no_seconds(
    given: Card, reviewer: User, lead: User
) -> None:
    """A finding that was rejected no longer calls its citation wrong."""
    work(given, by=reviewer, points=RIGHT_POINTS, changes=[right_class, missed_error, no_alarm])
    Attendance.objects.create(
        card=given, person=reviewer, active_seconds=0, open_until=timezone.now(), beat_at=timezone.now()
    )

    [result] = RehearsalReport(given.benchmark.rehearsal, lead).results

    assert (result.prefilled.found.successes, result.prefilled.found.n) == (4, 4)
    assert result.prefilled.seconds is None


def test_what_was_approved_first_counts_and_no_later_revision(given: Card, reviewer: User, lead: User) -> None:
    from lexreview.review.actions import revise_card

    work(given, by=reviewer, points=AS_PROPOSED)
    stamp: dict[str, Any] = {"by": reviewer, "now": timezone.now()}
    again = revise_card(card=fresh(given), reason="Having seen it.", version=fresh(given).version, **stamp)
    work(again, by=reviewer, points=RIGHT_POINTS, changes=[right_class])

    [result] = RehearsalReport(given.benchmark.rehearsal, lead).results

    assert (fresh(given).revision, result.prefilled.found.successes) == (2, 0)


def test_a_blind_card_shows_nothing_planted_and_counts_apart(blind: Card, reviewer: User, lead: User) -> None:
    assert (blind.scores.exclude(proposed=None).count(), blind.findings.count()) == (0, 0)
    assert Decimal(blind.withheld["model"]["scores"]["B1"]["points"]) == 2

    work(blind, by=reviewer, points=RIGHT_POINTS, changes=[right_class, no_alarm])
    [result] = RehearsalReport(blind.benchmark.rehearsal, lead).results

    assert result.prefilled.found.n == 0
    assert (result.blind.found.successes, result.blind.found.n) == (3, 4)


ADDRESSES = ("rehearsal", "rehearsal_csv", "rehearsal_json")


@pytest.mark.parametrize("is_blind", [False, True])
def test_no_surface_tells_a_reviewer_what_is_planted_before_they_are_through(
    is_blind: bool, reviewer: User, lead: User, client: Client, now: datetime
) -> None:
    """Every address that a reviewer has, searched for words that only the set and what it holds back contain."""
    rehearsal = prepared(the_set(blind_share="1" if is_blind else "0"), now)
    [card] = give_rehearsal(rehearsal=rehearsal, to=reviewer, by=lead, now=now)
    client.force_login(reviewer)
    addresses = {
        "card": reverse("review:card", args=[card.pk]),
        "queue": f"{reverse('review:queue')}?benchmark={SLUG}",
        "benchmark": reverse("questions:benchmark", args=[SLUG]),
        "question": reverse("questions:question", args=[SLUG, "P04"]),
        "report": reverse("rounds:rehearsal", args=[SLUG]),
        "history": reverse("ledger:history", args=["benchmark", SLUG]),
        "card history": reverse("ledger:history", args=["card", str(card.pk)]),
        "progress": reverse("review:progress"),
        "api": "/api/cards/",
    }

    for name, address in addresses.items():
        response = client.get(address)
        assert response.status_code == 200, (name, response.status_code)
        page = response.content.decode()
        assert rehearsal.sha256 not in page or name == "history"
        assert "planted-title" not in page and "set-one" not in page, name
        if is_blind:
            assert "Planted reason" not in page, name
    for name in ADDRESSES[1:]:
        assert client.get(reverse(f"rounds:{name}", args=[SLUG])).status_code == 404
    assert not RehearsalItem.objects.visible_to(reviewer, rehearsal.benchmark).exists()
    assert RehearsalItem.objects.visible_to(lead, rehearsal.benchmark).count() == 1


def test_a_reviewer_who_is_through_sees_their_own_and_a_lead_all(
    given: Card, rehearsal: Rehearsal, reviewer: User, colleague: User, lead: User, client: Client, now: datetime
) -> None:
    give_rehearsal(rehearsal=rehearsal, to=colleague, by=lead, now=now)
    work(given, by=reviewer, points=AS_PROPOSED)

    def page(person: User) -> str:
        client.force_login(person)
        return client.get(reverse("rounds:rehearsal", args=[SLUG])).content.decode()

    assert "Rita" in page(reviewer) and "Karl" not in page(reviewer)
    assert "left in" in page(reviewer)
    assert "Not all cards are approved yet" in page(colleague)
    assert "left in" not in page(colleague)
    assert "Rita" in page(lead) and "Karl" in page(lead)
    client.force_login(reviewer)
    record = client.get(reverse("rounds:rehearsal_json", args=[SLUG])).json()
    assert [each["reviewer"] for each in record["reviewers"]] == ["rita"]
    assert {each["answer"] for each in record["planted"]} == {None}
    client.force_login(lead)
    record = client.get(reverse("rounds:rehearsal_json", args=[SLUG])).json()
    assert [each["reviewer"] for each in record["reviewers"]] == ["karl", "rita"]
    assert len(record["planted"]) == 4
    lines = list(csv.DictReader(io.StringIO(client.get(reverse("rounds:rehearsal_csv", args=[SLUG])).content.decode())))
    [found] = [
        line for line in lines
        if (line["reviewer"], line["prefill"], line["measure"], line["kind"]) == ("rita", "prefilled", "found", "")
    ]  # fmt: skip
    assert (found["successes"], found["n"], found["share"]) == ("0", "4", "0.000000")


def test_who_may_open_the_page_and_give(
    rehearsal: Rehearsal, reviewer: User, lead: User, operator: User, outsider: User, client: Client
) -> None:
    address, give = (reverse(f"rounds:{name}", args=[SLUG]) for name in ("rehearsal", "give_rehearsal"))
    for person, status in ((outsider, 404), (operator, 403), (reviewer, 200), (lead, 200)):
        client.force_login(person)
        assert client.get(address).status_code == status, person
    client.force_login(reviewer)
    assert client.post(give, {"reviewer": reviewer.pk, "form_key": "a"}).status_code == 403
    client.force_login(lead)
    assert client.get(give).status_code == 405
    for _twice in range(2):
        assert client.post(give, {"reviewer": reviewer.pk, "form_key": "b"}).status_code == 302
    assert client.post(give, {"reviewer": reviewer.pk, "form_key": "c"}).status_code == 422
    assert client.post(give, {"reviewer": lead.pk, "form_key": "d"}).status_code == 422
    assert Card.objects.filter(assigned_to=reviewer).count() == 1
    assert client.get(reverse("rounds:rehearsal", args=["none"])).status_code == 404


def test_nothing_of_a_rehearsal_is_counted_published_drawn_or_exported(
    given: Card, reviewer: User, lead: User, operator: User, now: datetime, tmp_path: Any
) -> None:
    benchmark = given.benchmark
    work(given, by=reviewer, points=AS_PROPOSED)

    assert not Card.objects.of_benchmark(benchmark).counting().exists()
    assert not checkable(benchmark, by=lead).exists()
    assert not candidates_for_second_review(benchmark).exists()
    page = AgreementPage(benchmark)
    assert not any((page.rows, page.self_agreement, page.with_prefill, page.with_models))
    assert open_cards(benchmark=benchmark, by=operator, now=now) == 0
    assert not Card.objects.of_benchmark(benchmark).open_to_a_model().exists()
    assert card_marks([given.answer], user=lead) == {}
    with pytest.raises(CannotPublish, match="rehearsal"):
        publish(benchmark=benchmark, note="", by=lead, now=now)
    with pytest.raises(CannotExport, match="prepare_rehearsal"):
        export_files(benchmark=benchmark, by=operator, now=now)
    with pytest.raises(CommandError, match="prepare_rehearsal"):
        call_command("export_benchmark", SLUG, str(tmp_path / "bundle.zip"))


def test_cards_of_a_rehearsal_are_in_the_queue_of_their_person_and_not_in_the_api(
    given: Card, reviewer: User, client: Client
) -> None:
    client.force_login(reviewer)

    assert str(given.pk) in client.get(f"{reverse('review:queue')}?benchmark={SLUG}").content.decode()
    assert client.get("/api/cards/").json()["count"] == 0
