"""A question to the lead, its answer in the decision log, and the cards that the same decision may touch."""

from datetime import date, datetime

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from lxml.html import fromstring

from lexreview.accounts.models import User
from lexreview.accounts.rules import NotAllowed
from lexreview.core.workflow import Role, Round
from lexreview.ledger.models import Event
from lexreview.methodology.actions import DecisionDraft, publish_decision, write_decision
from lexreview.methodology.models import Decision
from lexreview.questions.models import Question
from lexreview.reports.actions import publish
from lexreview.review.actions import CannotApprove, approve_card, ask_ruling, give_ruling
from lexreview.review.actions.rulings import mark_for_recheck
from lexreview.review.models import Card, RecheckMark
from lexreview.review.rulings import recheck_candidates
from tests.factories import make_user
from tests.review.factories import SLUG, fill_card, make_card
from tests.review.rounds import ask, fresh, review

pytestmark = pytest.mark.django_db
QUESTION = "Does an older wording count when it is quoted as such?"


def entry(lead: User, now: datetime, *, published: bool = False, **touches: list[str]) -> Decision:
    draft = DecisionDraft(
        decided_on=date(2026, 10, 18), question=QUESTION, decision="No.", reason="The day decides.", touches=touches
    )
    decision = write_decision(benchmark_slug=SLUG, draft=draft, by=lead, now=now)
    return publish_decision(decision=decision, by=lead, now=now) if published else decision


@pytest.fixture
def asking(card: Card, reviewer: User, now: datetime) -> Card:
    card = fill_card(card, by=reviewer, now=now)
    return ask_ruling(card=card, question=QUESTION, version=card.version, by=reviewer, now=now)


def test_a13_the_card_waits_until_the_entry_is_published(
    asking: Card, reviewer: User, lead: User, now: datetime
) -> None:
    decision = entry(lead, now)

    card = give_ruling(card=asking, decision=decision, version=asking.version, by=lead, now=now)
    assert (card.state, card.assigned_to) == ("in_review", reviewer)
    with pytest.raises(CannotApprove, match="Decision 1, which answers"):
        approve_card(card=card, version=card.version, confirm_unchecked=True, by=reviewer, now=now)
    publish_decision(decision=decision, by=lead, now=now)
    card = approve_card(card=card, version=card.version, confirm_unchecked=True, by=reviewer, now=now)

    assert card.state == "approved"
    [row] = card.ruling_requests.all()
    assert (row.question, row.asked_by, row.decision, row.answered_by) == (QUESTION, reviewer, decision, lead)
    assert card.revisions.get().snapshot["rulings"][0]["decision"] == 1


def test_a13_the_page_of_the_card_says_what_it_waits_for(
    client: Client, asking: Card, reviewer: User, lead: User, now: datetime
) -> None:
    give_ruling(card=asking, decision=entry(lead, now), version=asking.version, by=lead, now=now)
    client.force_login(reviewer)

    page = client.get(reverse("review:card", args=[asking.pk])).content.decode()

    assert "1 decision not published" in page
    assert 'id="rulings"' in page


def test_the_lead_answers_with_a_new_entry_that_names_the_card(client: Client, asking: Card, lead: User) -> None:
    client.force_login(lead)
    address = reverse("rounds:answer_ruling", args=[asking.pk])
    assert QUESTION in client.get(address).content.decode()
    sent = {"version": asking.version, "question": QUESTION, "decision": "No.", "reason": "The day.", "criteria": "A16"}
    refused = client.post(reverse("rounds:give_answer", args=[asking.pk]), sent)
    assert "No specification has the criterion A16; there are: A-R, A1," in refused.content.decode()
    sent["criteria"] = "A6"

    reply = client.post(reverse("rounds:give_answer", args=[asking.pk]), sent)

    decision = Decision.objects.get()
    assert reply["Location"] == reverse("rounds:recheck", args=[SLUG, decision.number])
    assert (decision.state, decision.author) == ("draft", lead)
    assert (decision.touches["cards"], decision.touches["criteria"]) == ([asking.answer.identifier], ["A6"])
    assert fresh(asking).state == "in_review"


def test_the_lead_answers_with_an_entry_of_the_log(client: Client, asking: Card, lead: User, now: datetime) -> None:
    decision = entry(lead, now, published=True)
    client.force_login(lead)

    reply = client.post(
        reverse("rounds:give_answer", args=[asking.pk]), {"version": asking.version, "entry": decision.pk}
    )

    assert reply.status_code == 302
    assert asking.ruling_requests.get().decision == decision


def test_an_answer_without_words_is_refused(client: Client, asking: Card, lead: User) -> None:
    client.force_login(lead)

    reply = client.post(reverse("rounds:give_answer", args=[asking.pk]), {"version": asking.version, "question": "?"})

    assert reply.status_code == 422
    assert not Decision.objects.exists()
    assert fresh(asking).state == "needs_ruling"


@pytest.mark.parametrize(("who", "status"), [("reviewer", 403), ("operator", 403), ("outsider", 404)])
def test_only_a_lead_answers(
    request: pytest.FixtureRequest, client: Client, asking: Card, who: str, status: int
) -> None:
    client.force_login(request.getfixturevalue(who))
    sent = {"version": asking.version, "question": "?", "decision": "No.", "reason": "No."}

    assert client.get(reverse("rounds:answer_ruling", args=[asking.pk])).status_code == status
    assert client.post(reverse("rounds:give_answer", args=[asking.pk]), sent).status_code == status
    assert fresh(asking).state == "needs_ruling"


def test_an_entry_of_another_benchmark_answers_nothing(asking: Card, lead: User, now: datetime) -> None:
    draft = DecisionDraft(decided_on=date(2026, 10, 1), question="?", decision="No.", reason="No.")
    foreign = write_decision(benchmark_slug="elsewhere-01", draft=draft, by=None, now=now)

    with pytest.raises(NotAllowed, match="another benchmark"):
        give_ruling(card=asking, decision=foreign, version=asking.version, by=lead, now=now)


def test_a_lead_who_takes_part_in_the_round_does_not_rule_on_the_other_review(
    card: Card, reviewer: User, colleague: User, lead: User, now: datetime
) -> None:
    taking_part = make_user("luis", roles=(Role.LEAD,))
    review(card, by=reviewer, now=now)
    seats = ask(colleague, taking_part, by=lead, card=card, now=now, seats=2)
    seat = next(each for each in seats if each.assigned_to == colleague)
    seat = ask_ruling(card=seat, question=QUESTION, version=seat.version, by=colleague, now=now)

    with pytest.raises(NotAllowed):
        give_ruling(card=seat, decision=entry(lead, now), version=seat.version, by=taking_part, now=now)
    assert (
        give_ruling(card=seat, decision=entry(lead, now), version=seat.version, by=lead, now=now).state == "in_review"
    )


@pytest.fixture
def others(asking: Card, colleague: User, now: datetime) -> dict[str, Card]:
    """A card of the same question, one of another that cites the same, one that has nothing in common but B1."""
    alone = "Nothing is cited here, and the fee is due."
    made = {
        "question": make_card(repetition=2, text=alone, citations=(), assigned_to=colleague),
        "citation": make_card(code="P09", assigned_to=colleague),
        "criterion": make_card(code="P11", text=alone, citations=(), assigned_to=colleague),
        "nothing": make_card(code="P12", text=alone, citations=(), assigned_to=colleague),
    }
    review(made["criterion"], by=colleague, now=now)
    review(made["question"], by=colleague, now=now)
    return made


def test_cards_with_the_same_question_citation_or_criterion_are_offered(
    asking: Card, others: dict[str, Card], lead: User, now: datetime
) -> None:
    decision = entry(lead, now, criteria=["B1"])
    give_ruling(card=asking, decision=decision, version=asking.version, by=lead, now=now)

    offered = {each.card.pk: list(each.reasons) for each in recheck_candidates(decision, user=lead)}

    assert offered == {
        others["question"].pk: ["same question", "scored by B1"],
        others["citation"].pk: ["cites the same provision"],
        others["criterion"].pk: ["scored by B1"],
    }


def test_chosen_cards_are_looked_at_again_one_event_each(
    client: Client, asking: Card, others: dict[str, Card], colleague: User, lead: User, now: datetime
) -> None:
    decision = entry(lead, now, criteria=["B1"])
    events = Event.objects.count()
    chosen = [fresh(others["criterion"]), fresh(others["citation"])]

    mark_for_recheck(decision=decision, cards=chosen, reason="B1 is read otherwise.", by=lead, now=now)
    again = mark_for_recheck(decision=decision, cards=chosen, reason="B1 is read otherwise.", by=lead, now=now)

    assert again == []
    written = Event.objects.in_order()[events:]
    assert [(event.verb, event.reason) for event in written] == [
        ("return", "B1 is read otherwise."), ("mark_for_recheck", "B1 is read otherwise."),
    ] or [(event.verb, event.reason) for event in written] == [
        ("mark_for_recheck", "B1 is read otherwise."), ("return", "B1 is read otherwise."),
    ]  # fmt: skip
    card = fresh(others["criterion"])
    assert (card.state, card.assigned_to, card.revision_reason) == ("in_review", colleague, "B1 is read otherwise.")
    card = approve_card(card=card, version=card.version, confirm_unchecked=True, by=colleague, now=now)
    assert not RecheckMark.objects.standing().filter(card=card).exists()
    assert RecheckMark.objects.standing().count() == 1
    client.force_login(colleague)
    marked = client.get(reverse("review:card", args=[others["citation"].pk])).content.decode()
    assert "B1 is read otherwise." in marked


def test_cards_are_chosen_on_the_page(
    client: Client, asking: Card, others: dict[str, Card], lead: User, reviewer: User, now: datetime
) -> None:
    decision = entry(lead, now, criteria=["B1"])
    page, mark = (reverse(f"rounds:{name}", args=[SLUG, decision.number]) for name in ("recheck", "mark_recheck"))
    client.force_login(reviewer)
    assert client.get(page).status_code == 403
    client.force_login(lead)
    assert "scored by B1" in client.get(page).content.decode()
    assert client.post(mark, {"cards": [others["criterion"].pk], "reason": ""}).status_code == 422
    assert client.post(mark, {"cards": [others["nothing"].pk], "reason": "x"}).status_code == 422

    assert client.post(mark, {"cards": [others["criterion"].pk], "reason": "Read again."}).status_code == 302

    assert fresh(others["criterion"]).state == "in_review"
    assert "marked" in client.get(page).content.decode()


def test_a_request_is_answered_whole_or_not_at_all(asking: Card, lead: User, now: datetime) -> None:
    decision = entry(lead, now)

    with pytest.raises(IntegrityError), transaction.atomic():
        asking.ruling_requests.update(decision=decision)


def test_the_page_of_an_entry_lists_its_cards(
    client: Client, asking: Card, reviewer: User, colleague: User, lead: User, now: datetime
) -> None:
    """Those on which it was asked for and those looked at again because of it, each with the words; for a reviewer
    without the names of masked systems and without what a blind round keeps from them."""
    decision = entry(lead, now, published=True)
    card = give_ruling(card=asking, decision=decision, version=asking.version, by=lead, now=now)
    neighbour = review(make_card(repetition=2, assigned_to=reviewer), by=reviewer, now=now)
    open_card = make_card(repetition=3, assigned_to=reviewer)
    mark_for_recheck(decision=decision, cards=[neighbour, open_card], reason="The day decides.", by=lead, now=now)
    neighbour = fresh(neighbour)
    approve_card(card=neighbour, version=neighbour.version, confirm_unchecked=True, by=reviewer, now=now)
    address = reverse("methodology:decision", args=[SLUG, decision.number])

    def listed() -> list[tuple[str, str]]:
        page = fromstring(client.get(address).content)
        [section] = page.xpath("//section[@aria-labelledby='ruled-title']")
        return [
            (head.text, line.xpath("a/@href")[0] + " " + line.xpath("q")[0].text)
            for head in section.xpath("h3")
            for line in head.getnext().xpath("li")
        ]

    def line(one: Card, words: str) -> str:
        return f"{reverse('review:card', args=[one.pk])} {words}"

    client.force_login(lead)
    assert listed() == [
        ("Asked for on", line(card, QUESTION)),
        ("To be looked at again", line(open_card, "The day decides.")),
        ("Looked at again", line(neighbour, "The day decides.")),
    ]
    assert (
        "argon-4" in fromstring(client.get(address).content).get_element_by_id("ruled-title").getparent().text_content()
    )
    assert reverse("rounds:recheck", args=[SLUG, decision.number]) in client.get(address).content.decode()
    client.force_login(colleague)
    text = fromstring(client.get(address).content).get_element_by_id("ruled-title").getparent().text_content()
    assert len(listed()) == 3
    assert text.count("argon-4") == 1, "the approved one"
    assert reverse("rounds:recheck", args=[SLUG, decision.number]) not in client.get(address).content.decode()
    ask(make_user("nina", roles=(Role.REVIEWER,)), by=lead, card=fresh(neighbour), now=now)
    assert [head for head, _words in listed()] == ["Asked for on", "To be looked at again"]
    Card.objects.filter(pk=card.pk).update(round=Round.REPEAT)
    assert [head for head, _words in listed()] == ["To be looked at again"]


def test_the_page_of_an_entry_lists_the_cards_that_link_it_for_their_question(
    client: Client, card: Card, reviewer: User, lead: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every card whose page names the entry stands on the page of the entry, as far as the person may see it."""
    decision = entry(lead, now, published=True, questions=["P04"])
    second = make_card(repetition=2, assigned_to=lead)
    other = make_card(code="P05", assigned_to=reviewer)
    done = review(second, by=lead, now=now)
    [seat] = ask(make_user("nina", roles=(Role.REVIEWER,)), by=lead, card=done, now=now)
    address = reverse("methodology:decision", args=[SLUG, decision.number])

    def listed() -> set[str]:
        page = fromstring(client.get(address).content)
        return set(page.xpath("//section[@aria-labelledby='ruled-title']//li/a/@href"))

    client.force_login(lead)
    names = {one.pk: reverse("review:card", args=[one.pk]) for one in (card, second, other, seat)}
    linking = {
        pk for pk, at in names.items() if fromstring(client.get(at).content).xpath("//details[@id='decision-1']")
    }
    assert linking == {card.pk, second.pk}, "a lead who takes part does not see the other review"
    assert listed() == {names[pk] for pk in linking}
    client.force_login(reviewer)
    assert listed() == {names[card.pk]}, "the other one is reviewed blind"
    assert "argon-4" not in client.get(address).content.decode()
    client.force_login(lead)
    monkeypatch.setattr("lexreview.review.ruled_cards.AT_MOST", 1)
    page = fromstring(client.get(address).content)
    assert len(listed()) == 1
    [rest] = page.xpath("//section[@aria-labelledby='ruled-title']//p/a[.='P04']/@href")
    assert names[card.pk] in client.get(rest).content.decode()


def test_a_published_card_and_the_entry_that_answered_its_question_lead_to_each_other(
    client: Client, asking: Card, reviewer: User, lead: User, now: datetime
) -> None:
    """Also where the entry names no card; one that is about undisclosed questions alone is nowhere."""
    make_card(code="P09")
    Question.objects.exclude(code="P09").update(disclosure="published")
    told, kept_back = entry(lead, now, published=True), entry(lead, now, published=True, questions=["P09"])
    card = give_ruling(card=asking, decision=kept_back, version=asking.version, by=lead, now=now)
    card = ask_ruling(card=card, question=QUESTION, version=card.version, by=reviewer, now=now)
    card = give_ruling(card=card, decision=told, version=card.version, by=lead, now=now)
    approve_card(card=card, version=card.version, confirm_unchecked=True, by=reviewer, now=now)

    publication = publish(benchmark=card.benchmark, note="First.", by=lead, now=now)

    frozen = publication.pages.get(kind="card", key=card.identifier).content
    assert [each["number"] for each in frozen["decisions"]] == [told.number]
    log = reverse("public:decisions", args=[SLUG])
    page = fromstring(client.get(log).content)
    [shown] = page.xpath("//article/@id")
    assert shown == f"decision-{told.number}"
    [leads_to] = page.xpath("//article//a[contains(@class, 'tag')]/@href")
    assert leads_to.endswith(f"/{card.identifier}/")
    back = fromstring(client.get(leads_to).content).xpath("//a[contains(@href, '#decision-')]/@href")
    assert back == [f"{log}#decision-{told.number}"]


def test_the_page_of_an_entry_without_cards_leads_a_lead_to_those_it_may_touch(
    client: Client, card: Card, reviewer: User, lead: User, now: datetime
) -> None:
    decision = entry(lead, now, criteria=["A6"])
    address = reverse("methodology:decision", args=[SLUG, decision.number])

    client.force_login(lead)
    assert reverse("rounds:recheck", args=[SLUG, decision.number]) in client.get(address).content.decode()
    client.force_login(reviewer)
    assert "ruled-title" not in client.get(address).content.decode()
