"""Cards under rules that no longer count: what a recompute would do, what it does, and that nothing is mixed."""

from copy import deepcopy
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from lxml.html import fromstring

from lexreview.accounts.models import User
from lexreview.accounts.rules import NotAllowed
from lexreview.core.workflow import CardState, Role
from lexreview.jobs.actions import start_job
from lexreview.jobs.models import Job
from lexreview.ledger.models import Event
from lexreview.methodology.actions import load_specification
from lexreview.methodology.models import Specification
from lexreview.questions.actions import AdoptionRefused, adopt_specification, approve_key, draft_of_key, write_key
from lexreview.questions.models import Benchmark, Question
from lexreview.reports.actions import CannotPublish, checked_pages
from lexreview.reports.gather import gather
from lexreview.review.actions import (
    InvalidFinding,
    accept_finding,
    accept_proposals,
    approve_card,
    decide_score,
    open_citation,
    recompute_card,
    revise_card,
    set_note,
)
from lexreview.review.models import Card, FindingState
from lexreview.review.recompute_job import RECOMPUTE, pending, process
from lexreview.review.staleness import outdated, plan_of, rules_of
from tests.factories import LONG_AGO, make_user
from tests.review.factories import CITATIONS, SLUG, fill_card, make_card, specification_content
from tests.review.rounds import ask
from tests.visiting import check_sign_in, visit

pytestmark = pytest.mark.django_db
NOW = datetime.fromisoformat("2026-10-20T09:00:00+00:00")
PAGE = f"/review/recompute/{SLUG}/"


def next_version(
    version: str = "1.1.0", *, rules_changed: bool = True, **criteria: dict[str, Any] | None
) -> Specification:
    """The specification with criteria changed, added, or (None) left out."""
    content = deepcopy(specification_content())
    content |= {"version": version, "date": "2026-10-19", "rules_changed": rules_changed}
    rows = {each["code"]: each for each in content["criteria"]}
    for code, changes in criteria.items():
        code = code.replace("_", "-")
        if changes is None:
            del rows[code]
        else:
            rows[code] = {**rows.get(code, {"code": code}), **changes}
    content["criteria"] = list(rows.values())
    return load_specification(content=content, by=None, now=LONG_AGO)


B3 = {"block": "B", "name": {"en": "Tone"}, "minimum": 0, "maximum": 1, "step": 1, "enters": "separate", "help": {}}


def adopt(specification: Specification) -> Benchmark:
    benchmark = Benchmark.objects.get(slug=SLUG)
    return adopt_specification(benchmark=benchmark, specification=specification, by=None, now=NOW)


def approved_card(by: User, **options: Any) -> Card:
    card = make_card(assigned_to=by, **options)
    for citation in card.citations.in_text_order():
        open_citation(card=card, number=citation.number, by=by, now=NOW)
    card = fill_card(card, by=by, now=NOW)
    card = decide_score(
        card=card, criterion="A-R", points=Decimal(2), evidence="Full core.", version=card.version, by=by, now=NOW
    )
    return approve_card(card=card, version=card.version, confirm_unchecked=True, by=by, now=NOW)


def fresh(card: Card) -> Card:
    return Card.objects.with_answer().get(pk=card.pk)


def recomputed(card: Card, by: User | None = None) -> Card:
    card = fresh(card)
    return recompute_card(card=card, rules=rules_of(Benchmark.objects.get(slug=SLUG)), by=by, now=NOW)


def new_key(question: Question, **changes: Any) -> None:
    old = question.key_versions.approved().get()
    draft = replace(draft_of_key(old), decision=None, departure=True, reason="A ruling was found.", **changes)
    key = write_key(question=question, number=old.number + 1, draft=draft, by=None, now=NOW)
    approve_key(key=key, on=date(2026, 10, 19), by=None, now=NOW)


def test_recompute_makes_the_card_stale_and_carries_decisions_over_as_proposals(reviewer: User, lead: User) -> None:
    card = approved_card(reviewer)
    label, revision = card.label, card.revisions.get()
    adopt(next_version(B3=B3))

    card = recomputed(card, lead)

    row = card.scores.get(criterion="A-R")
    assert (card.state, card.specification.version, card.a_points) == (CardState.STALE, "1.1.0", None)
    assert (row.decided, row.proposed, row.proposed_evidence) == (None, 2, "Full core.")
    assert card.scores.get(criterion="B3").proposed is None
    assert card.findings.standing().exists()
    assert (card.revisions.get().snapshot, card.revisions.get().snapshot["label"]) == (revision.snapshot, label)
    event = Event.objects.about("card", card.ledger_id).newest_first()[0]
    assert (event.actor, event.verb) == ("lena", "mark_stale")
    assert event.reason == "Specification 1.0.1 was followed by 1.1.0."
    assert event.before["rows"]["scores"]["A-R"]["decided"] == "2"


def test_person_confirms_a_stale_card_and_the_next_revision_says_why(reviewer: User) -> None:
    card = approved_card(reviewer)
    adopt(next_version())
    card = recomputed(card)

    card = accept_proposals(card=fresh(card), version=card.version, by=reviewer, now=NOW)
    card = approve_card(card=card, version=card.version, confirm_unchecked=True, by=reviewer, now=NOW)

    assert (card.state, card.revision) == (CardState.APPROVED, 2)
    assert card.revisions.get(number=2).reason == "Specification 1.0.1 was followed by 1.1.0."


def test_recompute_twice_is_once(reviewer: User) -> None:
    card = approved_card(reviewer)
    adopt(next_version())
    recomputed(card)
    before = (Event.objects.count(), fresh(card).version)

    recomputed(card)

    assert (Event.objects.count(), fresh(card).version) == before


def test_version_that_changed_no_rule_makes_nothing_stale(reviewer: User) -> None:
    card = approved_card(reviewer)
    benchmark = adopt(next_version(rules_changed=False))

    assert list(outdated(benchmark, rules_of(benchmark))) == []
    assert list(pending({"benchmark": SLUG})) == []
    assert fresh(card).state == CardState.APPROVED


def test_value_that_the_new_rules_do_not_allow_waits_for_a_person(reviewer: User) -> None:
    card = approved_card(reviewer)
    adopt(next_version(B1={"maximum": 4, "step": 4, "full": None}, A_R={"maximum": 1, "full": 1}))

    row = recomputed(card).scores.get(criterion="A-R")

    assert (row.proposed, row.decided) == (None, None)
    assert row.proposed_evidence != ""


def test_criterion_that_is_no_more_stays_on_record_and_counts_for_nothing(reviewer: User) -> None:
    card = approved_card(reviewer)
    adopt(next_version(B2=None))

    row = recomputed(card).scores.get(criterion="B2")

    assert (row.decided, row.not_applicable) == (None, True)


def test_finding_of_a_class_that_is_no_more_is_proposed_again(reviewer: User) -> None:
    card = approved_card(reviewer)
    lost = card.findings.standing().in_order()[0]
    content = deepcopy(specification_content()) | {"version": "1.1.0", "date": "2026-10-19"}
    content["error_classes"] = [each for each in content["error_classes"] if each["code"] != lost.error_class]
    specification = load_specification(content=content, by=None, now=LONG_AGO)

    plan = plan_of(card.benchmark, rules_of(card.benchmark, specification), shown=Card.objects.all())
    adopt(specification)
    recomputed(card)

    lost.refresh_from_db()
    assert lost.number in plan.rows[0].lost
    assert lost.state == FindingState.PROPOSED
    with pytest.raises(InvalidFinding, match="not an error class of this specification"):
        accept_finding(card=fresh(card), number=lost.number, version=fresh(card).version, by=reviewer, now=NOW)


def test_points_of_ticked_elements_follow_the_new_key(reviewer: User) -> None:
    card = make_card(assigned_to=reviewer)
    card = decide_score(
        card=card,
        criterion="A1",
        points=Decimal(2),
        evidence="Both.",
        details={"elements": ["R1", "R2"]},
        version=card.version,
        by=reviewer,
        now=NOW,
    )
    new_key(card.answer.question, rubric=[{"code": "R1", "text": "Seven days.", "points": 3}])

    row = recomputed(card).scores.get(criterion="A1")

    assert (row.proposed, row.details) == (3, {"elements": ["R1"]})


RUBRIC = [{"code": f"R{number}", "text": f"Element {number}.", "points": 1} for number in (1, 2, 3, 4)]


@pytest.mark.parametrize(
    ("changes", "criterion", "points"),
    [
        ({"rubric": [*RUBRIC, {"code": "R5", "text": "Names the authority.", "points": 1}]}, "A1", None),
        ({"rubric": RUBRIC[:3]}, "A1", 0),
        ({"penalties": [{"code": "K1", "text": "Fourteen."}, {"code": "K2", "text": "Thirty."}]}, "P", None),
        ({"core_answer": "Yes, it was in time."}, "A-R", None),
        ({"core_answer": "Yes, it was in time."}, "B1", 0),
    ],
)
def test_what_nobody_held_the_answer_against_waits_for_a_person(
    reviewer: User, changes: dict[str, Any], criterion: str, points: int | None
) -> None:
    """Points are no proposal for an element that the key did not have, nor for another core answer; what was ticked and
    written for them stays to be seen."""
    card = approved_card(reviewer)
    evidence = card.scores.get(criterion=criterion).evidence
    new_key(card.answer.question, **changes)
    plan = plan_of(card.benchmark, rules_of(card.benchmark), shown=Card.objects.all())

    card = recomputed(card)
    card = accept_proposals(card=fresh(card), version=card.version, by=reviewer, now=NOW)

    row = card.scores.get(criterion=criterion)
    assert (row.decided, row.proposed) == (points, points)
    assert evidence in (row.evidence or row.proposed_evidence)
    assert (criterion in plan.rows[0].open) is (points is None)


@pytest.mark.parametrize("worked_on", ["approved", "begun"])
def test_the_page_of_a_stale_card_says_what_changed(client: Client, reviewer: User, worked_on: str) -> None:
    if worked_on == "approved":
        card = approved_card(reviewer)
    else:
        card = make_card(assigned_to=reviewer)
        card = set_note(card=card, note="Begun.", version=card.version, by=reviewer, now=NOW)
    adopt(next_version(B3=B3))
    new_key(card.answer.question, rubric=[*RUBRIC, {"code": "R5", "text": "Names the authority.", "points": 1}])
    card = recomputed(card)
    client.force_login(reviewer)

    def why() -> Any:
        return fromstring(client.get(reverse("review:card", args=[card.pk])).content).get_element_by_id("why-again")

    assert "Key version 1 was followed by 2." in why().text_content()
    assert "Rubric element R5" in why().text_content()
    links = why().xpath(".//a/@href")
    assert links == [
        reverse("questions:key_versions", args=[SLUG, card.answer.question.code]) + "?left=1&right=2",
        reverse("methodology:specification", args=["reference-card", "1.1.0"]),
    ]
    assert [client.get(link).status_code for link in links] == [200, 200]


def test_a_card_says_all_that_changed_since_its_approval_and_nothing_from_before(
    client: Client, reviewer: User
) -> None:
    card = approved_card(reviewer)
    question = card.answer.question
    more = [*RUBRIC, {"code": "R5", "text": "Names the authority.", "points": 1}]
    for rubric in (more, [*more, {"code": "R6", "text": "Names the fee.", "points": 1}]):
        new_key(question, rubric=rubric)
        card = recomputed(card)
    client.force_login(reviewer)

    def why() -> Any:
        return fromstring(client.get(reverse("review:card", args=[card.pk])).content).get_element_by_id("why-again")

    assert "Rubric element R5, Rubric element R6" in why().text_content()
    assert why().xpath(".//a/@href") == [
        reverse("questions:key_versions", args=[SLUG, question.code]) + "?left=1&right=3"
    ]

    stamp: dict[str, Any] = {"by": reviewer, "now": NOW}
    done = fill_card(fresh(card), **stamp)
    done = approve_card(card=done, version=done.version, confirm_unchecked=True, **stamp)
    revise_card(card=fresh(card), reason="A slip.", version=done.version, **stamp)

    assert "A slip." in why().text_content() and not why().xpath(".//a")


def test_key_that_changed_in_a_note_only_makes_nothing_stale(reviewer: User) -> None:
    card = approved_card(reviewer)
    new_key(card.answer.question, verification_note="Nothing was left out.")

    assert list(outdated(card.benchmark, rules_of(card.benchmark))) == []


def test_card_on_which_nobody_has_worked_is_only_prefilled_anew() -> None:
    card = make_card()
    adopt(next_version(B3=B3))

    card = recomputed(card)

    assert (card.state, card.specification.version) == (CardState.PREFILLED, "1.1.0")
    assert card.scores.filter(criterion="B3").exists()


def test_only_the_newest_scoring_pass_is_recomputed(reviewer: User) -> None:
    card = approved_card(reviewer)
    later = Card.objects.create(
        answer=card.answer, scoring_pass=2, specification=card.specification, key_version=card.key_version
    )
    benchmark = adopt(next_version())

    assert [each.pk for each in outdated(benchmark, rules_of(benchmark))] == [later.pk]


def test_plan_names_what_changes_and_writes_nothing(reviewer: User) -> None:
    card = approved_card(reviewer)
    other = make_card(system="dune-2")
    before = Event.objects.count()
    specification = next_version(B3=B3, A_R={"maximum": 4, "full": 4})

    plan = plan_of(card.benchmark, rules_of(card.benchmark, specification), shown=Card.objects.all())

    row = plan.rows[0]
    assert (len(plan.rows), plan.untouched, plan.whole) == (1, 1, True)
    assert row.card.identifier == card.identifier
    assert row.points_before.endswith(f"/ {int(card.a_available or 0)}")
    assert row.points_after.endswith(f"/ {int(card.a_available or 0) + 2}")
    assert (row.changes, list(row.open), list(row.reasons)) == (True, ["B3"], ["specification"])
    assert Event.objects.count() == before + 1
    assert fresh(other).specification.version == "1.0.1"


def test_plan_and_recompute_agree(reviewer: User) -> None:
    card = approved_card(reviewer)
    specification = next_version(A_R={"maximum": 4, "full": 4})
    plan = plan_of(card.benchmark, rules_of(card.benchmark, specification), shown=Card.objects.all())
    adopt(specification)

    card = recomputed(card)
    card = accept_proposals(card=fresh(card), version=card.version, by=reviewer, now=NOW)

    row = plan.rows[0]
    assert f"{int(card.a_points or 0)} / {int(card.a_available or 0)}" == row.points_after
    assert card.label == row.label_after


def test_job_recomputes_what_is_pending_and_a_lead_starts_it(reviewer: User, lead: User, operator: User) -> None:
    card = approved_card(reviewer)
    make_card(system="dune-2")
    adopt(next_version())
    for user in (reviewer, operator):
        with pytest.raises(NotAllowed):
            start_job(kind=RECOMPUTE, benchmark_slug=SLUG, params={"benchmark": SLUG}, by=user, now=NOW)

    job = start_job(kind=RECOMPUTE, benchmark_slug=SLUG, params={"benchmark": SLUG}, by=lead, now=NOW)
    for item in job.items.in_order():
        process(item.key, job.params, job)

    assert fresh(card).state == CardState.STALE
    assert set(Card.objects.values_list("specification__minor", flat=True)) == {1}
    assert list(pending({"benchmark": SLUG})) == []


def test_g4_old_and_new_rules_are_never_mixed_and_the_cards_are_named(reviewer: User) -> None:
    first, second = approved_card(reviewer), approved_card(reviewer, system="dune-2")
    Question.objects.update(disclosure="published")
    adopt(next_version())
    card = recomputed(first)
    card = accept_proposals(card=fresh(card), version=card.version, by=reviewer, now=NOW)
    approve_card(card=card, version=card.version, confirm_unchecked=True, by=reviewer, now=NOW)

    with pytest.raises(CannotPublish, match=r"1\.0\.1, 1\.1\.0 cannot be compared") as refusal:
        checked_pages(gather(Benchmark.objects.get(slug=SLUG)))

    assert f"To be scored again: {second.identifier}." in str(refusal.value)


def test_g4_cards_under_two_keys_of_a_question_are_never_mixed_and_are_named(reviewer: User) -> None:
    first, second = approved_card(reviewer), approved_card(reviewer, system="dune-2")
    Question.objects.update(disclosure="published")
    new_key(Question.objects.get(), core_answer="It depends.")
    card = recomputed(first)
    card = accept_proposals(card=fresh(card), version=card.version, by=reviewer, now=NOW)
    card = decide_score(
        card=card, criterion="A-R", points=Decimal(1), evidence="Half.", version=card.version, by=reviewer, now=NOW
    )
    approve_card(card=card, version=card.version, confirm_unchecked=True, by=reviewer, now=NOW)

    with pytest.raises(CannotPublish, match="P04") as refusal:
        checked_pages(gather(Benchmark.objects.get(slug=SLUG)))

    assert second.identifier in str(refusal.value)
    assert first.identifier not in str(refusal.value)


def test_g5_old_cards_are_kept_through_every_recompute(reviewer: User) -> None:
    card = approved_card(reviewer)
    for version in ("1.1.0", "1.2.0"):
        adopt(next_version(version))
        card = recomputed(card)
        card = accept_proposals(card=fresh(card), version=card.version, by=reviewer, now=NOW)
        card = approve_card(card=card, version=card.version, confirm_unchecked=True, by=reviewer, now=NOW)

    kept = [row.snapshot["specification"] for row in card.revisions.order_by("number")]
    assert kept == ["1.0.1", "1.1.0", "1.2.0"]


def test_benchmark_adopts_later_versions_of_its_own_specification_only(lead: User, reviewer: User) -> None:
    make_card()
    later = next_version("1.1.0")
    benchmark = Benchmark.objects.get(slug=SLUG)
    with pytest.raises(NotAllowed):
        adopt_specification(benchmark=benchmark, specification=later, by=reviewer, now=NOW)

    adopt_specification(benchmark=benchmark, specification=later, by=lead, now=NOW)

    content = deepcopy(specification_content()) | {"name": "another", "version": "2.0.0"}
    other = load_specification(content=content, by=None, now=LONG_AGO)
    for refused in (Specification.objects.get(name="reference-card", minor=0), other):
        with pytest.raises(AdoptionRefused):
            adopt_specification(benchmark=benchmark, specification=refused, by=lead, now=NOW)


def test_page_shows_the_plan_and_starts_the_job(client: Client, reviewer: User, lead: User) -> None:
    card = approved_card(reviewer)
    next_version(B3=B3)

    page = visit(client, lead, f"{PAGE}?to=1.1.0")
    reply = client.post(PAGE, {"to": "1.1.0"})

    job = Job.objects.get()
    assert card.identifier in page
    assert "Adopt 1.1.0 and recompute" in page
    assert ">B3<" in page
    assert reply["Location"] == f"/jobs/{job.pk}/"
    assert Benchmark.objects.get(slug=SLUG).specification.version == "1.1.0"
    assert client.post(PAGE, {"to": ""}).status_code == 302
    assert client.get(f"{PAGE}?to=9.9.9").status_code == 404


def test_page_is_for_leads(client: Client, reviewer: User, operator: User, outsider: User) -> None:
    make_card()
    stranger = make_user("far", roles=(Role.LEAD,), benchmark="elsewhere-01")
    for user, expected in ((reviewer, 403), (operator, 403), (outsider, 404), (stranger, 404)):
        client.force_login(user)
        assert client.get(PAGE).status_code == expected
        assert client.post(PAGE).status_code == expected

    check_sign_in(client, PAGE)
    assert not Job.objects.exists()


def test_leads_are_told_of_cards_under_old_rules(client: Client, reviewer: User, lead: User) -> None:
    card = approved_card(reviewer)
    new_key(card.answer.question, core_answer="It depends.")

    for address in (f"/benchmarks/{SLUG}/", f"/benchmarks/{SLUG}/questions/P04/"):
        assert "1 card was scored under rules that no longer count." in visit(client, lead, address)
        assert "rules that no longer count" not in visit(client, reviewer, address)


def test_a_lead_in_a_blind_round_is_told_nothing_of_the_other_review(client: Client, reviewer: User) -> None:
    lena, luis = (make_user(name, roles=(Role.LEAD,)) for name in ("lena", "luis"))
    card = approved_card(reviewer)
    ask(luis, by=lena, card=card, now=NOW)
    next_version(A_R={"maximum": 4, "full": 4})
    address = f"/review/recompute/{SLUG}/?to=1.1.0"

    pages = {person: visit(client, person, address) for person in (lena, luis)}

    for page in pages.values():
        assert "1 card becomes stale" in page
    assert f"/review/cards/{card.pk}/" in pages[lena]
    assert f"/review/cards/{card.pk}/" not in pages[luis]
    assert "Nothing more is said of 1 card" in pages[luis]


def test_the_plan_says_which_totals_change(client: Client, reviewer: User, lead: User) -> None:
    """By system and condition, as the headline has them: how many are correctly grounded, and A %."""
    for system, points in (("argon-4", 2), ("dune-2", 0)):
        for code in ("P04", "P05"):
            card = make_card(code=code, system=system, citations=CITATIONS[1:2], assigned_to=reviewer)
            card = fill_card(card, by=reviewer, now=NOW)
            card = decide_score(
                card=card, criterion="A-R", points=Decimal(points), evidence="Read.", version=card.version, by=reviewer,
                now=NOW,
            )  # fmt: skip
            approve_card(card=card, version=card.version, confirm_unchecked=True, by=reviewer, now=NOW)
    make_card(code="P06", system="dune-2", assigned_to=reviewer)
    specification = next_version(A_R={"maximum": 4, "full": 4})

    plan = plan_of(card.benchmark, rules_of(card.benchmark, specification), shown=Card.objects.all())
    client.force_login(lead)
    shown = fromstring(client.get(PAGE, {"to": "1.1.0"}).content).xpath("//tr[th='Argon-4']//text()[normalize-space()]")
    adopt(specification)
    for one in Card.objects.filter(state=CardState.APPROVED):
        one = recomputed(one)
        accept_proposals(card=fresh(one), version=one.version, by=reviewer, now=NOW)

    argon, dune = plan.totals
    assert [(each.system, each.condition, each.cards) for each in plan.totals] == [
        ("Argon-4", "W0", 2),
        ("Dune-2", "W0", 2),
    ]
    assert shown == ["Argon-4", "W0", "2", "2", "0", "30 %", "25 %"]
    assert (argon.grounded_before, argon.grounded_after) == (2, 0)
    assert (dune.grounded_before, dune.grounded_after, dune.changes) == (0, 0, True)
    cards = Card.objects.filter(queue_system__code="argon-4")
    assert argon.a_before.value == Fraction(3, 10)
    assert {Fraction(each.a_points) / Fraction(each.a_available) for each in cards} == {argon.a_after.value}


@pytest.mark.parametrize(("points", "below_zero", "value"), [(-1, False, 0), (-1, True, Fraction(-1, 8))])
def test_a_percent_before_is_what_the_cards_own_rules_make_of_it(
    reviewer: User, points: int, below_zero: bool, value: Fraction
) -> None:
    card = approved_card(reviewer)
    content = specification_content() | {"version": "1.0.2", "a_percent_below_zero": below_zero}
    own = load_specification(content=content, by=None, now=LONG_AGO)
    Card.objects.filter(pk=card.pk).update(specification=own, a_points=points, a_available=8)

    [row] = plan_of(card.benchmark, rules_of(card.benchmark, next_version()), shown=Card.objects.all()).rows

    assert row.a_before == value
