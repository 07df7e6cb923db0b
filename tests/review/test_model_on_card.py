"""A model's opinion on the card page and on the lead's pages: who sees what of it, and when."""

from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from lexreview.accounts.models import User
from lexreview.jobs.models import Job
from lexreview.ledger.models import Event
from lexreview.questions.models import Benchmark
from lexreview.review.actions import approve_card, decide_score, prefill_card
from lexreview.review.actions.planning import PlanDraft, fingerprint_of, save_review_plan
from lexreview.review.actions.restoring import CardDiffers, restore_card
from lexreview.review.agreement import AgreementPage
from lexreview.review.automation_bias import LEAST_DECISIONS, changes_of
from lexreview.review.models import PROPOSED_BY_MODEL, Card, ModelProposal, ReviewPlan
from lexreview.review.recording import state_of
from lexreview.review.snapshot import record_of
from tests.factories import offered_to_nobody
from tests.review.factories import fill_card, make_card
from tests.review.model_prefilling import GOOD, criterion, finding, propose
from tests.review.test_recomputing import adopt, next_version, recomputed
from tests.review.test_views_card import page_of, text_of

pytestmark = pytest.mark.django_db
XSS = "<script>alert(1)</script><img src=x onerror=alert(2)>"
MIXED = {
    "criteria": [
        criterion("A-R", 0, "Old law.", quotes_from_answer=["within fourteen days of service", "never said"]),
        criterion("A2", 1, "Only one.", elements=["B1"]),
        criterion("A6", 0, "A new time limit is invented."),
        criterion("B1", 7),
        criterion("Z9", 1),
    ],
    "findings": [
        finding(source_says="no such words"), finding(claim="it never says this"), finding("F", "Art. 22 CPA"),
    ],
}  # fmt: skip


@pytest.fixture
def proposed(card: Card, now: datetime) -> Card:
    Benchmark.objects.update(masks_systems=False)
    return propose(card, MIXED, now=now)


def approve(card: Card, *, by: User, now: datetime) -> Card:
    card = fill_card(card, by=by, now=now)
    return approve_card(card=card, version=card.version, confirm_unchecked=True, by=by, now=now)


def line(page: Any, code: str) -> str:
    return text_of(page.get_element_by_id(f"model-{code}"))


def test_the_card_says_who_proposed_and_what_was_dropped(reviewers_client: Client, proposed: Card) -> None:
    page = page_of(reviewers_client, proposed)

    assert "0 by oracle-9-2026-09" in line(page, "A-R")
    assert "1 quotation dropped" in line(page, "A-R")
    assert "never said quotation not found in the answer" in line(page, "A-R")
    assert "oracle-9-2026-09 says 1; not applied" in line(page, "A2")
    assert "proposed 2 by code" in text_of(page.get_element_by_id("evidence-A2"))
    assert "oracle-9-2026-09 says 0; not applied" in line(page, "A6")
    assert "gave 7; dropped: points that the criterion does not have" in line(page, "B1")
    left_out = text_of(page.get_element_by_id("model-findings"))
    assert left_out.startswith("3 points of oracle-9-2026-09 that are not on the card")
    assert "it never says this dropped: the claim was not found in the answer" in left_out
    assert "Art. 22 CPA beside what is decided or proposed there; not applied" in left_out
    assert "Z9: 1 no criterion of this specification" in left_out
    laid = proposed.findings.get(proposed_by=PROPOSED_BY_MODEL)
    row = text_of(page.get_element_by_id(f"finding-row-{laid.number}"))
    assert "proposed by oracle-9-2026-09" in row
    assert "no such words quotation not found in the source" in row
    assert "local:oracle-9, served by oracle-9-2026-09, prompt 1" in text_of(page.get_element_by_id("model-asked"))


def test_reviewers_of_masked_systems_do_not_learn_which_model_it_was(
    client: Client, reviewer: User, lead: User, operator: User, card: Card, now: datetime
) -> None:
    Benchmark.objects.update(masks_systems=True)
    propose(card, GOOD, now=now)
    history = reverse("ledger:history", args=["card", card.pk])

    client.force_login(reviewer)
    for address in (reverse("review:card", args=[card.pk]), history, reverse("api:card-detail", args=[card.pk])):
        assert "oracle" not in client.get(address).content.decode(), address
    assert "0 by a model" in line(page_of(client, card), "A-R")
    for person in (lead, operator):
        client.force_login(person)
        assert "oracle-9" in client.get(reverse("review:card", args=[card.pk])).content.decode()


def test_m1_words_of_a_model_are_shown_as_words(reviewers_client: Client, card: Card, now: datetime) -> None:
    hostile = criterion("A-R", 1, XSS, quotes_from_answer=[XSS], quotes_from_sources=[{"source": XSS, "words": XSS}])
    findings = [finding(XSS, XSS, reason=XSS, source_says=XSS), finding(reason=XSS, source_says=XSS, source=XSS)]
    propose(card, {"criteria": [hostile, criterion(XSS, 1, XSS)], "findings": findings}, now=now)

    content = reviewers_client.get(reverse("review:card", args=[card.pk])).content.decode()

    assert "&lt;script&gt;alert(1)" in content
    assert "<script>alert(1)" not in content
    assert "<img src=x" not in content


def test_a_blind_card_shows_nothing_of_a_model_before_it_is_approved(
    reviewers_client: Client, reviewer: User, card: Card, now: datetime
) -> None:
    Card.objects.update(blind=True)
    prefill_card(card=card, by=None, now=now)
    blind = propose(card, GOOD, now=now)

    content = reviewers_client.get(reverse("review:card", args=[card.pk])).content.decode()
    assert "oracle" not in content
    assert "It takes the old time limit" not in content
    blind = decide_score(
        card=blind, criterion="A-R", points=Decimal(0), evidence="e", version=blind.version, by=reviewer, now=now
    )
    assert "oracle" not in reviewers_client.get(reverse("review:card", args=[card.pk])).content.decode()
    history = reviewers_client.get(reverse("ledger:history", args=["card", card.pk])).content.decode()
    assert "It takes the old time limit" not in history
    approve(blind, by=reviewer, now=now)
    assert "had proposed 0" in line(page_of(reviewers_client, card), "A-R")


@pytest.fixture
def hidden(card: Card, lead: User, now: datetime) -> Card:
    plan = PlanDraft(blind_share=Decimal(0), repeat_share=Decimal(0), model_hidden=True)
    save_review_plan(benchmark=card.benchmark, draft=plan, by=lead, now=now)
    return propose(card, GOOD, now=now)


def test_c12_a_hidden_proposal_is_shown_once_its_criterion_is_decided(
    reviewers_client: Client, reviewer: User, hidden: Card, now: datetime
) -> None:
    before = page_of(reviewers_client, hidden)
    assert not before.xpath("//*[starts-with(@id, 'model-A-R') or @id='model-findings']")
    assert "It takes the old time limit" not in before.text_content()
    assert "proposed 2 by code" in text_of(before.get_element_by_id("evidence-A2"))
    for address in (reverse("ledger:history", args=["card", hidden.pk]), reverse("api:card-detail", args=[hidden.pk])):
        assert "It takes the old time limit" not in reviewers_client.get(address).content.decode()

    card = decide_score(
        card=hidden, criterion="A-R", points=Decimal(1), evidence="e", version=hidden.version, by=reviewer, now=now
    )
    card = decide_score(
        card=card, criterion="A3", points=Decimal(0), evidence="e", version=card.version, by=reviewer, now=now
    )

    after = page_of(reviewers_client, card)
    assert "had proposed 0, hidden until you decided: another" in line(after, "A-R")
    assert "had proposed 0, hidden until you decided: the same" in line(after, "A3")
    assert not after.xpath("//*[@id='model-B1' or @id='model-findings']")
    whole = fill_card(card, by=reviewer, now=now)
    assert "you have no finding on these words" in text_of(
        page_of(reviewers_client, whole).get_element_by_id("model-findings")
    )


def test_the_page_asks_no_more_than_once_more_and_only_with_a_model(
    reviewers_client: Client, card: Card, now: datetime
) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            reviewers_client.get(reverse("review:card", args=[card.pk]))
        return len(captured)

    reviewers_client.get(reverse("review:card", args=[card.pk]))
    plain = queries()
    propose(card, {**GOOD, "findings": []}, now=now)
    assert queries() <= plain + 1


def approved(benchmark: Benchmark, number: int, *, points: int, by: User, now: datetime) -> Card:
    card = make_card(benchmark, code=f"Q{number:02}", citations=(), assigned_to=by)
    card = propose(card, {"criteria": [criterion("A-R", 0)], "findings": []}, now=now)
    card = decide_score(
        card=card, criterion="A-R", points=Decimal(points), evidence="e", reason="r", version=card.version, by=by,
        now=now,
    )  # fmt: skip
    return approve(card, by=by, now=now)


def test_automation_bias_is_on_the_card_once_enough_was_decided(
    reviewers_client: Client, reviewer: User, card: Card, now: datetime
) -> None:
    card = propose(card, GOOD, now=now)
    for number in range(LEAST_DECISIONS - 1):
        approved(card.benchmark, number, points=1 if number < 3 else 0, by=reviewer, now=now)
    assert "people changed" not in line(page_of(reviewers_client, card), "A-R")

    approved(card.benchmark, 50, points=0, by=reviewer, now=now)

    assert "people changed 30 % 3 of 10" in line(page_of(reviewers_client, card), "A-R")
    shares = changes_of(card.model_proposal, card.benchmark)
    assert {code: (each.successes, each.n) for code, each in shares.items()} == {"A-R": (3, 10)}
    # Another model has a record of its own, and an open card none.
    other = propose(card, {**GOOD, "criteria": [criterion("A-R", 2)]}, now=now, model="other")
    assert changes_of(other.model_proposal, card.benchmark) == {}


def test_leads_see_agreement_with_each_model_seen_and_hidden(
    client: Client, lead: User, reviewer: User, card: Card, now: datetime
) -> None:
    approved(card.benchmark, 1, points=0, by=reviewer, now=now)
    approved(card.benchmark, 2, points=1, by=reviewer, now=now)
    plan = PlanDraft(blind_share=Decimal(0), repeat_share=Decimal(0), model_hidden=True)
    save_review_plan(benchmark=card.benchmark, draft=plan, by=lead, now=now)
    approved(card.benchmark, 3, points=1, by=reviewer, now=now)

    page = AgreementPage(card.benchmark)
    assert [(name, [row.name for row in rows]) for name, rows in page.with_models] == [("local:oracle-9", ["A-R"])]
    row = page.with_models[0][1][0]
    assert (row.shown.successes, row.shown.n, row.hidden.successes, row.hidden.n) == (1, 2, 0, 1)
    # What a model proposed is no agreement with code.
    assert "A-R" not in {each.name for each in page.with_prefill}
    client.force_login(lead)
    content = client.get(reverse("rounds:agreement", args=[card.benchmark.slug])).content.decode()
    assert "People with the model local:oracle-9" in content
    client.force_login(reviewer)
    assert client.get(reverse("rounds:agreement", args=[card.benchmark.slug])).status_code == 403


def test_a_lead_hides_the_model_by_the_plan(client: Client, lead: User, card: Card) -> None:
    client.force_login(lead)
    address = reverse("rounds:plan", args=[card.benchmark.slug])
    sent = {"blind_share": "0", "repeat_share": "0", "repeat_after": "20", "seed": "1", "model_hidden": "on"}
    shown = ReviewPlan.of(card.benchmark)

    client.post(address, {**sent, "base": fingerprint_of(shown)})

    assert card.benchmark.review_plan.model_hidden
    event = Event.objects.filter(verb="plan_reviews").order_by("-number").first()
    assert event is not None
    assert (event.actor, event.after["model_hidden"]) == (lead.username, True)


def test_g2_g3_an_export_holds_every_proposal_and_comes_back_the_same(proposed: Card, now: datetime) -> None:
    record = record_of(proposed)
    assert {row["criterion"]: row.get("proposed_by") for row in record["scores"]}["A-R"] == PROPOSED_BY_MODEL
    assert [(row["served_model"], row["is_laid"]) for row in record["model_proposals"]] == [("oracle-9-2026-09", True)]

    before, answer = state_of(proposed), proposed.answer
    proposed.findings.all().delete()
    proposed.delete()
    people = {person.username: person for person in User.objects.all()}
    restored = restore_card(
        answer=answer, record=record, person=lambda name: people[name] if name else None, by=None, now=now
    )

    assert record_of(restored) == record
    after = state_of(restored)
    assert {**after, "fields": None} == {**before, "fields": None}
    restore_card(answer=answer, record=record, person=lambda name: people[name] if name else None, by=None, now=now)
    other = {**record, "model_proposals": []}
    with pytest.raises(CardDiffers):
        restore_card(answer=answer, record=other, person=lambda name: people[name] if name else None, by=None, now=now)


def test_a_card_that_no_model_was_asked_about_exports_as_before(card: Card) -> None:
    record = record_of(card)
    assert "model_proposals" not in record
    assert all("proposed_by" not in row for row in record["scores"])


def test_operators_start_both_jobs_from_the_benchmark(
    client: Client, operator: User, reviewer: User, card: Card, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lexreview.jobs.queue.current_app.send_task", offered_to_nobody)
    settings.PROVIDERS = {**settings.PROVIDERS, "local": {"api_key": "", "base_url": "http://127.0.0.1:9/v1"}}
    settings.PREFILL_MODEL = "local:oracle-9"
    slug = card.benchmark.slug
    page, by_model = reverse("questions:benchmark", args=[slug]), reverse("review:prefill_by_model", args=[slug])
    client.force_login(reviewer)
    assert "form-prefill" not in client.get(page).content.decode()
    assert client.post(by_model, {"model": "local:oracle-9"}).status_code == 403
    assert client.post(reverse("review:prefill", args=[slug])).status_code == 403
    assert client.get(by_model).status_code == 405

    client.force_login(operator)
    assert 'value="local:oracle-9"' in client.get(page).content.decode()
    refused = client.post(by_model, {"model": "local:oracle-9"}, follow=True).content.decode()
    assert "Nobody knows what this run costs" in refused
    refused = client.post(by_model, {"model": "nobody:x", "confirmed": "on"}, follow=True).content.decode()
    assert "is no provider that can be called" in refused
    refused = client.post(by_model, {"model": "local:x", "budget_usd": "-1"}, follow=True).content.decode()
    assert "Stop before more USD" in refused
    assert not Job.objects.exists()
    started = client.post(by_model, {"model": "local:oracle-9", "confirmed": "on", "budget_usd": "2.5"})
    job = Job.objects.get()
    assert started.url == reverse("jobs:page", args=[job.pk])
    assert (job.kind, job.params["budget_usd"]) == ("prefill_model", "2.5")
    assert client.post(by_model, {"model": "local:oracle-9", "confirmed": "on"}).url == started.url
    again = client.post(reverse("review:prefill", args=[slug]), follow=True).content.decode()
    assert "There is nothing to do" in again


def test_outsiders_find_no_benchmark_to_start_in(client: Client, outsider: User, card: Card) -> None:
    address = reverse("review:prefill_by_model", args=[card.benchmark.slug])
    assert client.post(address).status_code == 302
    client.force_login(outsider)
    assert client.post(address, {"model": "local:x"}).status_code == 404


def test_rules_that_change_take_the_opinion_off_the_card(proposed: Card, reviewer: User, now: datetime) -> None:
    card = decide_score(
        card=proposed, criterion="A-R", points=Decimal(0), evidence="e", version=proposed.version, by=reviewer, now=now
    )
    adopt(next_version())
    stale = recomputed(card)

    assert stale.model_proposal is None
    assert not stale.scores.filter(proposed_by=PROPOSED_BY_MODEL).exists()
    assert ModelProposal.objects.count() == 1
