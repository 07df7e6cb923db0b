"""Pages of the lead over the reviews of a benchmark: who may read and write them, and what they show."""

import csv
import io
from datetime import datetime
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse
from lxml import html

from lexreview.accounts.models import User
from lexreview.core.workflow import CitationState, Role
from lexreview.ledger.models import Event
from lexreview.methodology.actions import DecisionDraft, write_decision
from lexreview.review.actions import approve_card, ask_ruling, decide_citation, remove_finding
from lexreview.review.actions.adjudicating import begin_adjudication
from lexreview.review.actions.planning import PlanDraft, save_review_plan
from lexreview.review.actions.quality import draw_checks
from lexreview.review.actions.second_review import take_seat
from lexreview.review.models import Card, QualityCheck, ReviewPlan
from lexreview.review.quality import Draw
from tests.factories import make_user
from tests.review.factories import CITATIONS, SLUG, fill_card, make_card
from tests.review.rounds import adjudicating, ask, fresh, review

pytestmark = pytest.mark.django_db
LEADS_ONLY = ("second_review", "agreement", "agreement_csv", "agreement_cards")


@pytest.fixture
def approved(card: Card, reviewer: User, now: datetime) -> Card:
    return review(card, by=reviewer, now=now)


def values_in(history: str) -> set[str]:
    """What the lines say became of what; not the whole page, whose times and tokens may have any short number."""
    return {cell.text_content().strip() for cell in html.fromstring(history).xpath("//ol[@reversed]//td")}


def sent_by(page: str, form: str) -> dict[str, list[str]]:
    """What the form of that id sends when its button is pressed."""
    values = html.fromstring(page).get_element_by_id(form).form_values()
    sent: dict[str, list[str]] = {}
    for name, value in values:
        sent.setdefault(name, []).append(value)
    return sent


@pytest.mark.parametrize("name", [*LEADS_ONLY, "quality"])
def test_pages_are_closed_to_outsiders_and_to_other_roles(
    client: Client, approved: Card, lead: User, operator: User, reviewer: User, outsider: User, name: str
) -> None:
    address = reverse(f"rounds:{name}", args=[SLUG])
    assert client.get(address).status_code == 302
    if name == "agreement_cards":
        address += "?group=all&measure=label&cell=differ"
    expected = [(outsider, 404), (operator, 403), (reviewer, 200 if name == "quality" else 403), (lead, 200)]
    for person, status in expected:
        client.force_login(person)
        assert client.get(address).status_code == status, person.username
        assert client.post(address).status_code == 405


@pytest.mark.parametrize("name", ["ask_second_review", "plan", "bring_back", "draw", "add_fast"])
def test_only_a_lead_writes(
    client: Client, approved: Card, operator: User, reviewer: User, outsider: User, name: str
) -> None:
    address = reverse(f"rounds:{name}", args=[SLUG])
    events = Event.objects.count()
    for person, status in ((outsider, 404), (operator, 403), (reviewer, 403)):
        client.force_login(person)
        assert client.post(address, {"seats": 1, "seed": 1, "size": 1}).status_code == status, person.username
        assert client.get(address).status_code == 405
    assert Event.objects.count() == events


def test_a_sample_is_shown_first_and_asked_for_then(
    client: Client, approved: Card, colleague: User, lead: User
) -> None:
    client.force_login(lead)
    asked = {"size": 1, "seats": 1, "seed": 4, "reviewers": [colleague.pk]}

    page = client.get(reverse("rounds:second_review", args=[SLUG]), asked).content.decode()

    assert "1 card of 1" in page
    assert "karl: 1" in page
    assert fresh(approved).state == "approved"
    sent = sent_by(page, "form-ask")
    assert sent["reviewers"] == [str(colleague.pk)]
    assert client.post(reverse("rounds:ask_second_review", args=[SLUG]), sent).status_code == 302
    assert fresh(approved).state == "second_review"
    assert Card.objects.get(round=2).assigned_to == colleague


@pytest.fixture
def three(reviewer: User, now: datetime) -> list[Card]:
    """Three approved cards of one question."""
    return [review(make_card(repetition=each, assigned_to=reviewer), by=reviewer, now=now) for each in (1, 2, 3)]


@pytest.mark.parametrize(
    ("page", "form", "send", "verb"),
    [
        ("second_review", "form-ask", "ask_second_review", "select_for_second_review"),
        ("quality", "form-draw", "draw", "draw_check"),
    ],
)
def test_a_form_that_is_sent_twice_makes_one_sample(
    client: Client, three: list[Card], lead: User, page: str, form: str, send: str, verb: str
) -> None:
    client.force_login(lead)
    shown = client.get(reverse(f"rounds:{page}", args=[SLUG]), {"size": 1, "seats": 1, "seed": 1}).content.decode()
    sent = {**sent_by(shown, form), "size": "1"}

    replies = [client.post(reverse(f"rounds:{send}", args=[SLUG]), sent, follow=True) for _click in range(2)]

    assert Event.objects.filter(verb=verb).count() == 1
    for reply in replies:
        assert reply.redirect_chain == [(reverse(f"rounds:{page}", args=[SLUG]), 302)]
        assert "1 card " in " ".join(str(each) for each in reply.context["messages"])
    # The page as it is now holds another form, and that one is done again.
    again = {**sent_by(client.get(reverse(f"rounds:{page}", args=[SLUG]), {"size": 1, "seats": 1, "seed": 1})
                       .content.decode(), form), "size": "1"}  # fmt: skip
    client.post(reverse(f"rounds:{send}", args=[SLUG]), again)
    assert Event.objects.filter(verb=verb).count() == 2


def test_asking_does_what_was_shown_or_shows_anew(client: Client, three: list[Card], lead: User, now: datetime) -> None:
    client.force_login(lead)
    asked = {"size": 2, "seats": 1, "seed": 1}
    shown = client.get(reverse("rounds:second_review", args=[SLUG]), asked).content.decode()
    sent = sent_by(shown, "form-ask")
    ask(by=lead, card=three[0], now=now, size=1, seed=1)

    refused = client.post(reverse("rounds:ask_second_review", args=[SLUG]), sent)

    assert refused.status_code == 409
    assert "Meanwhile other cards can be chosen" in refused.content.decode()
    assert Card.objects.filter(round=2).count() == 1
    now_shown = sent_by(refused.content.decode(), "form-ask")
    assert client.post(reverse("rounds:ask_second_review", args=[SLUG]), now_shown).status_code == 302
    assert Card.objects.filter(round=2).count() == 3


def test_who_was_asked_and_how_many_were_drawn_is_in_the_history_for_leads_only(
    client: Client, three: list[Card], lead: User, reviewer: User, colleague: User, now: datetime
) -> None:
    ask(colleague, by=lead, card=three[0], now=now, size=1, seed=424242)
    draw_checks(benchmark=three[0].benchmark, draw=Draw(size=2, seed=424242), by=lead, now=now)
    history = reverse("ledger:history", args=["benchmark", SLUG])

    read = {}
    for person in (lead, reviewer):
        client.force_login(person)
        read[person] = values_in(client.get(history).content.decode())

    assert "424242" in read[lead]
    assert not {"424242", "karl"} & read[reviewer]


@pytest.mark.parametrize(
    "sent",
    [{"seats": 1, "seed": 1}, {"seats": 1, "seed": 1, "size": 1, "share": 5}, {"seats": 9, "seed": 1, "size": 1}],
)
def test_a_sample_that_makes_no_sense_is_refused(
    client: Client, approved: Card, lead: User, sent: dict[str, int]
) -> None:
    client.force_login(lead)

    assert client.post(reverse("rounds:ask_second_review", args=[SLUG]), sent).status_code == 422
    assert fresh(approved).state == "approved"


def test_a_free_seat_is_taken_from_the_page(
    client: Client, approved: Card, colleague: User, lead: User, now: datetime
) -> None:
    [seat] = ask(by=lead, card=approved, now=now)
    client.force_login(colleague)

    reply = client.post(reverse("rounds:take_seat", args=[seat.pk]))

    assert (reply.status_code, fresh(seat).assigned_to) == (302, colleague)


def test_the_plan_is_saved_in_per_cent(client: Client, approved: Card, lead: User) -> None:
    client.force_login(lead)
    sent = {"blind_share": "12.5", "repeat_share": "0", "repeat_after": 3, "seed": 9, "names_hidden": "on"}

    page = client.get(reverse("rounds:second_review", args=[SLUG])).content.decode()
    sent["base"] = sent_by(page, "form-plan")["base"][0]
    assert client.post(reverse("rounds:plan", args=[SLUG]), sent).status_code == 302

    plan = ReviewPlan.objects.get(benchmark=approved.benchmark)
    assert (float(plan.blind_share), plan.repeat_after, plan.names_hidden) == (0.125, 3, True)
    assert client.post(reverse("rounds:plan", args=[SLUG]), {**sent, "blind_share": "101"}).status_code == 422


def test_of_two_leads_who_change_the_plan_the_second_sees_both(
    client: Client, approved: Card, lead: User, now: datetime
) -> None:
    client.force_login(lead)
    address = reverse("rounds:plan", args=[SLUG])
    shown = sent_by(client.get(reverse("rounds:second_review", args=[SLUG])).content.decode(), "form-plan")
    other = PlanDraft(blind_share=Decimal("0.2"), repeat_share=Decimal(0), model_hidden=True)
    save_review_plan(benchmark=approved.benchmark, draft=other, by=lead, now=now)

    reply = client.post(address, {**shown, "blind_share": "12.5"})

    assert reply.status_code == 409
    rows = [[cell.text_content() for cell in row] for row in html.fromstring(reply.content).find_class("differs")]
    assert ["Cards without pre-fill, per cent", "20", "12.5"] in rows
    assert ["Hide what a model proposes until the reviewer has decided the criterion", "yes", "no"] in rows
    assert ReviewPlan.of(approved.benchmark).blind_share == Decimal("0.2")
    kept = sent_by(reply.content.decode(), "form-plan")
    assert client.post(address, kept).status_code == 302
    assert ReviewPlan.of(approved.benchmark).blind_share == Decimal("0.125")


def test_a_second_click_on_a_lead_s_form_does_nothing_more_and_says_nothing_wrong(
    client: Client, card: Card, reviewer: User, colleague: User, lead: User, now: datetime
) -> None:
    """Every form of the pages of adjudication, checks, rulings and second reviews, each sent twice as it stands."""
    other = review(make_card(repetition=2, assigned_to=reviewer), by=reviewer, now=now)
    third = review(make_card(repetition=3, assigned_to=reviewer), by=reviewer, now=now)
    asking = make_card(repetition=4, assigned_to=reviewer)
    ask_ruling(card=asking, question="Why?", version=asking.version, by=reviewer, now=now)
    first, _second = adjudicating(card, first=reviewer, second=colleague, lead=lead, now=now)
    [check] = draw_checks(benchmark=card.benchmark, draw=Draw(size=1), by=lead, now=now)
    checked = check.card_id
    waiting = next(each for each in (other, third) if each.pk != checked)
    ask(colleague, by=lead, card=card, now=now)
    begin_adjudication(card=first, by=lead, now=now)
    client.force_login(lead)
    side_by_side = reverse("rounds:adjudication", args=[first.pk])
    second_review = reverse("rounds:second_review", args=[SLUG])
    steps = [
        (side_by_side, reverse("rounds:choose", args=[first.pk]), {"take": str(first.pk), "reason": "Right."}),
        (side_by_side, reverse("rounds:finish_adjudication", args=[first.pk]), {"reason": "Right."}),
        (side_by_side, reverse("rounds:reopen_adjudication", args=[first.pk]), {"reason": "Wrong."}),
        (second_review, None, {"reason": "Too early."}),
        (reverse("rounds:check", args=[check.pk]), reverse("rounds:settle_check", args=[check.pk]),
         {"outcome": "overturned", "reason": "A2 is 1."}),
        (reverse("rounds:answer_ruling", args=[asking.pk]), reverse("rounds:give_answer", args=[asking.pk]),
         {"question": "Why?", "decision": "So.", "reason": "By law."}),
        (reverse("review:card", args=[waiting.pk]), reverse("rounds:return_card", args=[waiting.pk]),
         {"reason": "Again."}),
    ]  # fmt: skip

    for page, address, typed in steps:
        forms = html.fromstring(client.get(page).content).xpath("//form[@method='post']")
        wanted = address or "/second-review/cancel/"
        form = next(each for each in forms if each.get("action").endswith(wanted))
        sent = {**dict(form.form_values()), **typed}
        before = Event.objects.count()
        replies = []
        for _click in range(2):
            replies.append(client.post(form.get("action"), sent))
            done = done if _click else Event.objects.count()  # noqa: F821
        assert [reply.status_code for reply in replies] == [302, 302], form.get("action")
        assert before < done == Event.objects.count(), form.get("action")


def test_what_was_chosen_and_typed_stays_after_a_refusal(
    client: Client, approved: Card, reviewer: User, colleague: User, lead: User, now: datetime
) -> None:
    neighbour = review(make_card(repetition=2, assigned_to=reviewer), by=reviewer, now=now)
    ask(colleague, by=lead, card=approved, now=now, size=1, seed=1)
    waiting = Card.objects.get(state="second_review")
    settled = approved if waiting == neighbour else neighbour
    draft = DecisionDraft(
        decided_on=now.date(), question="?", decision="No.", reason="No.", touches={"questions": ["P04"]}
    )
    decision = write_decision(benchmark_slug=SLUG, draft=draft, by=lead, now=now)
    client.force_login(lead)
    too_long = "Read it again. " * 200
    recheck = reverse("rounds:mark_recheck", args=[SLUG, decision.number])

    marked = client.post(recheck, {"cards": [neighbour.pk]})
    unsaid = client.post(recheck, {"reason": "The day decides."})
    cancelled = client.post(reverse("rounds:cancel_second_review", args=[waiting.pk]), {"reason": too_long})
    returned = client.post(
        reverse("rounds:return_card", args=[settled.pk]), {"version": settled.version, "reason": too_long}
    )

    assert {reply.status_code for reply in (marked, unsaid, cancelled, returned)} == {422}
    assert sent_by(marked.content.decode(), "form-recheck")["cards"] == [str(neighbour.pk)]
    assert sent_by(unsaid.content.decode(), "form-recheck")["reason"] == ["The day decides."]
    assert too_long in cancelled.content.decode()
    assert sent_by(returned.content.decode(), "form-return")["reason"] == [too_long]


def test_agreement_shows_figures_and_the_file_the_same(
    client: Client, card: Card, reviewer: User, colleague: User, lead: User, now: datetime
) -> None:
    adjudicating(card, first=reviewer, second=colleague, lead=lead, now=now)
    client.force_login(lead)

    page = client.get(reverse("rounds:agreement", args=[SLUG])).content.decode()
    rows = list(csv.DictReader(io.StringIO(client.get(reverse("rounds:agreement_csv", args=[SLUG])).content.decode())))

    assert "Both with pre-fill" in page
    by_measure = {(row["measure"], row["positive"]): row for row in rows}
    assert by_measure["B1", ""]["agreeing"] == "0"
    assert by_measure["A1", ""]["agreeing"] == "1"
    assert by_measure["label", ""]["n"] == "1"


def judged(card: Card, *, wrong: bool, by: User, now: datetime) -> Card:
    """Approved with the error that code proposes for its one citation, or with that citation confirmed."""
    card = fill_card(fresh(card), by=by, now=now)
    if not wrong:
        card = remove_finding(card=card, number=1, reason="Quoted as past law.", version=card.version, by=by, now=now)
        card = decide_citation(card=card, number=1, state=CitationState.CONFIRMED, version=card.version, by=by, now=now)
    return approve_card(card=card, version=card.version, confirm_unchecked=True, by=by, now=now)


def test_c3_page_and_file_give_the_table_worked_by_hand(
    client: Client, reviewer: User, colleague: User, lead: User, now: datetime
) -> None:
    """Hallucinated: both say so twice, only the first once, only the second once, neither twice. Agreement 4 of 6; by
    chance 3/6 * 3/6 + 3/6 * 3/6 = 0.50; kappa (0.667 - 0.50) / (1 - 0.50) = 0.33. Of twelve words six are yes."""
    table = [(True, True)] * 2 + [(True, False)] + [(False, True)] + [(False, False)] * 2
    for repetition, (first, second) in enumerate(table, start=1):
        code = "P04" if repetition % 2 else "P05"
        card = make_card(code=code, repetition=repetition, citations=CITATIONS[:1], assigned_to=reviewer)
        card = judged(card, wrong=first, by=reviewer, now=now)
        [seat] = ask(colleague, by=lead, card=card, now=now)
        judged(seat, wrong=second, by=colleague, now=now)
    client.force_login(lead)

    page = html.fromstring(client.get(reverse("rounds:agreement", args=[SLUG])).content)
    rows = list(csv.DictReader(io.StringIO(client.get(reverse("rounds:agreement_csv", args=[SLUG])).content.decode())))

    [line] = page.xpath("//tr[th='label: hallucinated or not']")
    cells = [" ".join(cell.text_content().split()) for cell in line.xpath("td")]
    assert cells[:3] == ["67 % 4 of 6", "2", "0.33"]
    assert cells[-1] == "2 both 1 first only 1 second only 2 neither"
    assert cells[-2].endswith(" 50 %")
    [drawn] = line.xpath(".//svg[@class='ci']")
    # Two questions: of one alone kappa is (0.667 - 0.444) / (1 - 0.444) = 0.40, of both together 0.33.
    assert drawn.get("aria-label") == "κ 0.33, 0.33 – 0.40"
    # On a scale that begins at -0.25 and ends at 1: (0.333 + 0.25) / 1.25.
    assert (drawn.xpath("circle/@cx"), drawn.xpath("line[@class='zero']/@x1")) == (["46.67%"], ["20%"])
    assert [drawn.xpath(f"line[@class='span']/@{end}") for end in ("x1", "x2")] == [["46.67%"], ["52%"]]
    [written] = [row for row in rows if (row["measure"], row["positive"]) == ("label", "hallucinated")]
    assert (written["n"], written["agreeing"], round(float(written["kappa"]), 2)) == ("6", "4", 0.33)
    assert [written[name] for name in ("both_yes", "first_only", "second_only", "both_no")] == ["2", "1", "1", "2"]


def test_every_count_of_the_agreement_opens_the_cards_behind_it(
    client: Client, card: Card, reviewer: User, colleague: User, lead: User, now: datetime
) -> None:
    adjudicating(card, first=reviewer, second=colleague, lead=lead, now=now)
    same = review(make_card(repetition=2, assigned_to=reviewer), by=reviewer, now=now)
    [seat] = ask(colleague, by=lead, card=same, now=now)
    review(seat, by=colleague, now=now)
    client.force_login(lead)
    page = html.fromstring(client.get(reverse("rounds:agreement", args=[SLUG])).content)
    links = page.xpath("//td//a[contains(@href, '/agreement/cards/')]")
    assert len(links) >= 4

    for link in links:
        listed = html.fromstring(client.get(link.get("href")).content).xpath("//tbody/tr")
        assert len(listed) == int(link.text), link.get("href")
    [differing] = [link for link in links if "measure=B1" in link.get("href")]
    [row] = html.fromstring(client.get(differing.get("href")).content).xpath("//tbody/tr")
    assert [cell.text_content() for cell in row.xpath("td")] == ["2", "1"]
    assert row.xpath("td/a/@href") == [
        reverse("review:card", args=[each.pk]) for each in Card.objects.filter(answer=card.answer).order_by("round")
    ]


@pytest.mark.parametrize("wrong", [{"cell": "x"}, {"measure": "x"}, {"group": "x"}, {"positive": "x"}])
def test_a_cell_that_no_table_has_is_not_found(client: Client, card: Card, lead: User, wrong: dict[str, str]) -> None:
    client.force_login(lead)
    asked = {"group": "all", "measure": "label", "positive": "hallucinated", "cell": "both", **wrong}

    assert client.get(reverse("rounds:agreement_cards", args=[SLUG]), asked).status_code == 404


def test_an_open_round_is_in_no_figure(
    client: Client, approved: Card, colleague: User, lead: User, now: datetime
) -> None:
    nina = make_user("nina", roles=(Role.REVIEWER,))
    first, _other = ask(colleague, nina, by=lead, card=approved, now=now, seats=2)
    review(first, by=first.assigned_to or lead, now=now)
    client.force_login(lead)

    assert "No pair yet" in client.get(reverse("rounds:agreement", args=[SLUG])).content.decode()


def test_a_lead_draws_checks_and_overturns_one(client: Client, approved: Card, reviewer: User, lead: User) -> None:
    client.force_login(lead)
    assert client.post(reverse("rounds:draw", args=[SLUG]), {"size": 2, "seed": 1}).status_code == 302
    row = QualityCheck.objects.get()
    address = reverse("rounds:check", args=[row.pk])
    assert "Overturn and send back" in client.get(address).content.decode()
    settle = reverse("rounds:settle_check", args=[row.pk])
    assert client.post(settle, {"outcome": "overturned", "reason": " "}).status_code == 422

    assert client.post(settle, {"outcome": "overturned", "reason": "A2 is 1."}).status_code == 302

    assert fresh(approved).state == "in_review"
    assert "1 of 1" in client.get(reverse("rounds:quality", args=[SLUG])).content.decode()
    client.force_login(reviewer)
    own = client.get(reverse("rounds:quality", args=[SLUG])).content.decode()
    assert "A2 is 1." in own
    assert client.get(address).status_code == 403


def test_a_reviewer_sees_no_figures_of_others(
    client: Client, approved: Card, colleague: User, lead: User, now: datetime
) -> None:
    draw_checks(benchmark=approved.benchmark, draw=Draw(size=1), by=lead, now=now)
    client.force_login(colleague)

    assert "Rita" not in client.get(reverse("rounds:quality", args=[SLUG])).content.decode()


def test_a_round_is_called_off_from_the_page(
    client: Client, approved: Card, colleague: User, lead: User, now: datetime
) -> None:
    ask(colleague, by=lead, card=approved, now=now)
    client.force_login(lead)

    client.post(reverse("rounds:cancel_second_review", args=[approved.pk]), {"reason": "Too early."})

    assert fresh(approved).state == "approved"


def test_the_benchmark_page_leads_to_them(
    client: Client, approved: Card, reviewer: User, lead: User, operator: User
) -> None:
    address = reverse("questions:benchmark", args=[SLUG])
    links = {"lead": ("second_review", "agreement", "quality"), "reviewer": ("quality",), "operator": ()}
    for person, role in ((lead, "lead"), (reviewer, "reviewer"), (operator, "operator")):
        client.force_login(person)
        page = client.get(address).content.decode()
        shown = tuple(name for name in links["lead"] if reverse(f"rounds:{name}", args=[SLUG]) in page)
        assert shown == links[role]


def test_take_seat_refuses_the_first_reviewer(
    approved: Card, reviewer: User, client: Client, lead: User, now: datetime
) -> None:
    ask(by=lead, card=approved, now=now)
    client.force_login(reviewer)

    assert client.post(reverse("rounds:take_seat", args=[approved.pk])).status_code == 403
    assert take_seat(card=approved, by=make_user("nina", roles=(Role.REVIEWER,)), now=now).assigned_to is not None


def test_numbers_that_no_database_holds_are_refused_with_a_reason(
    client: Client, approved: Card, lead: User, reviewer: User
) -> None:
    client.force_login(lead)

    sample = client.get(reverse("rounds:second_review", args=[SLUG]), {"seats": 1, "size": 1, "reviewers": "9" * 30})
    call = client.get(reverse("providers:raw", args=[int("9" * 30)]))
    decided = client.get(reverse("review:my_decisions"), {"until": "9999-12-31"})

    assert (sample.status_code, call.status_code, decided.status_code) == (200, 404, 200)
    assert "not one of the available choices" in sample.content.decode()
    client.force_login(reviewer)
    address = reverse("review:card", args=[approved.pk])
    assert address in client.get(reverse("review:my_decisions"), {"until": "9999-12-31"}).content.decode()


def test_how_cards_are_drawn_is_in_the_history_for_leads_only(
    client: Client, approved: Card, lead: User, reviewer: User
) -> None:
    form = {"blind_share": "12.5", "repeat_share": "7.5", "repeat_after": "33", "seed": "424242"}
    history = reverse("ledger:history", args=["benchmark", SLUG])
    client.force_login(lead)
    shown = sent_by(client.get(reverse("rounds:second_review", args=[SLUG])).content.decode(), "form-plan")
    client.post(reverse("rounds:plan", args=[SLUG]), {**shown, **form})
    planned = {"424242", "0.125", "0.075", "33"}
    assert planned <= values_in(client.get(history).content.decode())

    client.force_login(reviewer)
    page = client.get(history).content.decode()
    assert "changed the plan of reviews" in page
    assert not planned & values_in(page)


def test_a_nul_finds_nothing_in_addresses_and_forms(client: Client, approved: Card, lead: User) -> None:
    client.force_login(lead)

    for address in (f"/benchmarks/{SLUG}/questions/%00/", "/history/benchmark/%00/", f"/reports/{SLUG}/1/%00"):
        assert client.get(address).status_code == 404, address
    for name, status in (("take_next", 302), ("forget_view", 302), ("release_claims", 404), ("set_masking", 404)):
        form = {"benchmark": "a\0", "name": "a\0", "person": "a\0"}
        assert client.post(reverse(f"review:{name}"), form).status_code == status, name


def test_the_key_of_a_form_may_be_anything(client: Client, approved: Card, lead: User) -> None:
    """It is looked for in the ledger, whose JSON holds no NUL."""
    client.force_login(lead)
    form = {"form_key": "a\0b", "size": 1, "seed": 1, "fingerprint": "x"}

    for name in ("rounds:draw", "rounds:add_fast", "rounds:ask_second_review", "rounds:bring_back"):
        assert client.post(reverse(name, args=[SLUG]), form).status_code in (302, 409, 422), name


def test_numbers_beyond_all_measure_are_refused_where_they_are_entered(
    client: Client, approved: Card, lead: User
) -> None:
    client.force_login(lead)
    entry = {"number": 2**31, "decided_on": "2026-01-01", "question": "q", "decision": "d", "reason": "r"}

    assert client.post(reverse("methodology:new_decision", args=[SLUG]), entry).status_code == 422
    question = client.post(reverse("questions:new_question", args=[SLUG]), {"type": "calculation", "value": "1e999999"})
    assert question.status_code == 422
    assert 'aria-describedby="id_value_error"' in question.content.decode() or "30 digits" in question.content.decode()
