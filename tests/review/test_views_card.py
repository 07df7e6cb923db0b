"""The card page as it is read."""

import re
from datetime import datetime
from decimal import Decimal
from typing import Any
from urllib.parse import quote

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from lexreview.accounts.models import User
from lexreview.accounts.rules import keep_memberships_in_mind
from lexreview.answers.trace_line import trace_steps
from lexreview.core.methods.reference_card.facts import CheckResult
from lexreview.core.workflow import AnswerState, CardState, CitationState
from lexreview.methodology.actions import DecisionDraft, publish_decision, write_decision
from lexreview.review.actions import (
    accept_proposals,
    add_citation,
    approve_card,
    decide_citation,
    decide_score,
    set_note,
)
from lexreview.review.models import Card, CardCitation
from lexreview.review.rules import check_can_review_card
from lexreview.review.verdicts import agree_with_proposal, call_not_wrong, call_wrong
from lexreview.verification.models import Citation, Support
from tests.review.factories import ANSWER, CITATIONS, Checked, fill_card, long_answer, make_card
from tests.review.swapping import Element, parsed
from tests.verification.advising import make_advice

pytestmark = pytest.mark.django_db


def page_of(client: Client, card: Card, query: str = "") -> Element:
    response = client.get(reverse("review:card", args=[card.pk]) + query)
    assert response.status_code == 200
    return parsed(response.content)


def text_of(element: Element) -> str:
    return " ".join(element.text_content().split())


def test_citations_come_flagged_first_then_content_checks_then_exact_ones(reviewers_client: Client, card: Card) -> None:
    page = page_of(reviewers_client, card)

    assert page.xpath("//*[@class='cite']/b/text()") == [
        "Art. 17 § 1 CPA",
        "Art. 94 § 6 CPA",
        "II Civ 44/24",
        "Art. 21^1 § 2 CPA",
        "Art. 3 FA",
        "OJ 2024, 118",
        "Art. 22 CPA",
    ]
    assert page.xpath("//*[@class='cite'][@aria-current]/@data-number") == ["1"]


def test_the_chosen_citation_has_its_source_on_the_page_without_script(reviewers_client: Client, card: Card) -> None:
    page = page_of(reviewers_client, card, "?citation=1")

    source = text_of(page.get_element_by_id("source"))
    assert "Civil Procedure Act" in source
    assert "The fee is payable within" in source
    assert "seven" in source
    assert page.get_element_by_id("citation").get("data-number") == "1"
    assert page.xpath("//a[@data-citation='1']/@class") == ["hl w on"]


def test_two_provisions_cited_by_the_same_words_are_told_apart(reviewers_client: Client, card: Card) -> None:
    first = card.citations.get(number=4)
    first.checked.unit_key = "art=3/par=1"
    first.checked.save()
    other = Citation.objects.get(pk=first.checked.pk)
    other.pk, other.number, other.unit_key = None, 8, "art=3/par=2"
    other.save()
    CardCitation.objects.create(card=card, number=8, checked=other, start=first.start, end=first.end, raw=first.raw)

    page = page_of(reviewers_client, card)

    lines = [text_of(line) for line in page.xpath("//*[@class='cite'][b='Art. 3 FA']")]
    assert ["§ 1" in lines[0], "§ 2" in lines[1]] == [True, True]


@pytest.mark.parametrize("query", ["?citation=99", "?citation=-1", "?citation=abc", "?citation=" + "9" * 400, ""])
def test_an_unknown_citation_shows_the_first_to_do(reviewers_client: Client, card: Card, query: str) -> None:
    assert page_of(reviewers_client, card, query).get_element_by_id("citation").get("data-number") == "1"


def test_answer_is_highlighted_with_colour_sign_and_words(reviewers_client: Client, card: Card) -> None:
    page = page_of(reviewers_client, card)

    marks = page.xpath("//article[@id='answer-text']//a[@data-citation]")
    assert [(mark.text_content(), mark.get("data-sign")) for mark in marks] == [
        ("Art. 17 § 1 CPA", "W"),
        ("Art. 21^1 § 2 CPA", "✓"),
        ("Art. 94 § 6 CPA", "F"),
        ("Art. 3 FA", "✓"),
        ("OJ 2024, 118", "✓"),
        ("II Civ 44/24", "?"),
        ("Art. 22 CPA", "✓"),
    ]
    assert marks[0].get("title") == "Citation 1: wording differs"


def test_stored_text_is_one_click_away_and_exact(reviewers_client: Client, card: Card) -> None:
    page = page_of(reviewers_client, card, "?raw=1")

    assert page.get_element_by_id("answer-text").text_content() == ANSWER
    assert page.xpath("//a[@id='stored']/@href") == [f"/review/cards/{card.pk}/?citation=1"]


def test_question_key_and_trace_can_be_unfolded(reviewers_client: Client, reviewer: User) -> None:
    card = make_card(condition="W1", assigned_to=reviewer)

    page = page_of(reviewers_client, card)

    assert "Was the payment in time?" in text_of(page.get_element_by_id("fold-question"))
    assert "seven days" in text_of(page.get_element_by_id("fold-key"))
    trace = text_of(page.get_element_by_id("fold-trace"))
    assert "fee written reasons time limit" in trace
    assert "official" in trace
    assert page.xpath("//select[@name='official_source']/option[@selected]/@value") == ["opened"]


def test_system_stays_masked_until_the_card_is_approved(
    reviewers_client: Client, card: Card, reviewer: User, now: datetime
) -> None:
    address = reverse("review:card", args=[card.pk])
    page = reviewers_client.get(address).content.decode()
    assert "argon" not in page.lower()
    assert "system masked" in page

    card = fill_card(card, by=reviewer, now=now)
    approve_card(card=card, version=card.version, confirm_unchecked=True, by=reviewer, now=now)

    assert "Argon-4" in reviewers_client.get(address).content.decode()


def test_label_says_by_which_rule_and_what_was_checked(
    reviewers_client: Client, card: Card, reviewer: User, now: datetime
) -> None:
    fill_card(card, by=reviewer, now=now)

    verdict = text_of(page_of(reviewers_client, card).get_element_by_id("verdict"))

    assert verdict == (
        "hallucinated 2 findings · A 20 % (2 of 10) · checked 7 of 7 rule: one finding of a hallucination is enough"
    )


def test_what_blocks_approval_is_listed_with_links(reviewers_client: Client, card: Card) -> None:
    foot = page_of(reviewers_client, card).get_element_by_id("foot")

    links = {link.text_content(): link.get("href") for link in foot.xpath(".//details[@id='blocked']//a")}
    assert links["A-R has no points yet."] == "#criterion-A-R"
    assert links["Finding 1 is proposed and neither accepted nor rejected."] == "#finding-row-1"
    assert links["Citation 3 (Art. 94 § 6 CPA) is flagged and was not opened."].endswith("?citation=3")
    assert foot.xpath(".//summary/text()")[0].startswith("7 criteria without points · 3 flagged citations not opened")
    page = page_of(reviewers_client, card)
    assert all(page.xpath(f"//*[@id='{anchor[1:]}']") for anchor in links.values() if anchor.startswith("#"))


def test_what_core_says_is_said_in_the_language_of_the_page(
    reviewers_client: Client, card: Card, reviewer: User, now: datetime
) -> None:
    polish = {"accept-language": "pl"}
    page = parsed(reviewers_client.get(reverse("review:card", args=[card.pk]), headers=polish).content)

    obstacles = [link.text_content() for link in page.get_element_by_id("blocked").xpath(".//a")]
    assert "A-R nie ma jeszcze punktów." in obstacles
    assert "Przywołanie 3 (Art. 94 § 6 CPA) jest oznaczone i nie zostało otwarte." in obstacles
    assert "jeszcze nierozstrzygnięte: A-R, A1" in text_of(page.get_element_by_id("verdict"))
    assert not [words for words in obstacles if re.search(r"\b(has|is|was|not|no)\b", words)]
    address = reverse("review:decide_score", args=[card.pk, "A-R"])
    response = reviewers_client.post(address, {"version": card.version, "points": "9", "evidence": "x"}, headers=polish)
    assert response.status_code == 422
    assert "A-R przyjmuje od 0 do 2 punktów, nie 9." in response.content.decode()


def test_proposals_are_marked_and_decisions_chosen(reviewers_client: Client, card: Card) -> None:
    form = page_of(reviewers_client, card).get_element_by_id("criterion-A2")

    assert form.xpath(".//label[@class='was']/input/@value") == ["2"]
    assert not form.xpath(".//input[@type='radio'][@checked]")
    assert form.xpath(".//input[@type='checkbox'][@checked]/@value") == ["B1", "B2"]


def test_decisions_that_govern_the_card_are_named(
    reviewers_client: Client, card: Card, lead: User, now: datetime
) -> None:
    for number, question in [(1, "P04"), (2, "P05")]:
        draft = DecisionDraft(
            decided_on=now.date(),
            question=f"Question {number}?",
            decision="Yes.",
            reason="Because.",
            touches={"questions": [question]},
        )
        entry = write_decision(benchmark_slug="kestria-01", draft=draft, by=lead, now=now)
        publish_decision(decision=entry, by=lead, now=now)

    page = page_of(reviewers_client, card)

    assert page.xpath("//details[starts-with(@id, 'decision-')]/@id") == ["decision-1"]


def test_history_names_who_did_what(reviewers_client: Client, card: Card, reviewer: User, now: datetime) -> None:
    fill_card(card, by=reviewer, now=now)

    history = text_of(page_of(reviewers_client, card).get_element_by_id("history"))

    assert "rita decided A-R – → 0" in history
    assert "rita accepted finding 1 W" in history
    assert "system pre-filled the card" in history


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (AnswerState.PROVIDER_BLOCK, "The provider blocked this answer"),
        (AnswerState.EMPTY, "The answer is empty"),
    ],
)
def test_answers_without_text_have_a_page_and_can_be_approved(
    reviewers_client: Client, reviewer: User, now: datetime, state: AnswerState, words: str
) -> None:
    card = make_card(state=state, assigned_to=reviewer)
    assert words in text_of(page_of(reviewers_client, card).get_element_by_id("answer"))
    if state is AnswerState.EMPTY:
        card = fill_card(card, by=reviewer, now=now)

    reply = reviewers_client.post(reverse("review:approve", args=[card.pk]), {"version": card.version})

    assert reply.status_code == 302


def test_advice_of_a_model_stands_below_the_source_and_hides_nothing(reviewers_client: Client, card: Card) -> None:
    checked = card.citations.get(number=1).checked
    sentence = "The fee is payable within seven days of service of the demand."
    before = text_of(page_of(reviewers_client, card, "?citation=1").get_element_by_id("card"))

    make_advice(checked, Support.CONTRADICTS, sentence=sentence)

    page = page_of(reviewers_client, card, "?citation=1")
    (advice,) = page.xpath("//*[@id='source-pane']//aside")
    assert all(
        words in text_of(advice) for words in ("contradicts the claim", sentence, "plain-2026-09", "19 Oct 2026")
    )
    assert text_of(page.get_element_by_id("card")) == before
    assert not page_of(reviewers_client, card, "?citation=2").xpath("//*[@id='source-pane']//aside")


def test_advice_is_withheld_while_a_card_is_reviewed_without_proposals(
    client: Client, card: Card, reviewer: User, lead: User, now: datetime
) -> None:
    checked = card.citations.get(number=1).checked
    make_advice(checked, Support.CONTRADICTS)
    Card.objects.filter(pk=card.pk).update(blind=True)
    pages = [
        reverse("review:card", args=[card.pk]) + "?citation=1",
        reverse("verification:source", args=[checked.pk]),
        reverse("verification:report", args=[card.answer_id]),
    ]

    def seen_by(person: User) -> list[bool]:
        client.force_login(person)
        return ["contradicts the claim" in client.get(page).content.decode() for page in pages]

    assert seen_by(reviewer) == [False, False, False]
    assert seen_by(lead)[1:] == [True, True]
    Card.objects.filter(pk=card.pk).update(assigned_to=lead)
    assert seen_by(lead) == [False, False, False]
    Card.objects.filter(pk=card.pk).update(state=CardState.APPROVED, approved_by=reviewer, approved_at=now, revision=1)
    assert seen_by(reviewer) == [True, True, True]


def test_the_report_of_citations_opens_after_a_review_without_proposals(
    client: Client, card: Card, reviewer: User, lead: User, now: datetime
) -> None:
    """What the layer found is a proposal of code."""
    found = "The wording in force says seven days."
    Citation.objects.filter(pk=card.citations.get(number=2).checked_id).update(explanation=found)
    Card.objects.filter(pk=card.pk).update(blind=True)

    def report_for(person: User) -> str:
        client.force_login(person)
        return client.get(reverse("verification:report", args=[card.answer_id])).content.decode()

    closed = report_for(reviewer)
    assert "The report opens once the card is approved." in closed
    assert found not in closed
    assert found in report_for(lead)
    Card.objects.filter(pk=card.pk).update(state=CardState.APPROVED, approved_by=reviewer, approved_at=now, revision=1)
    assert found in report_for(reviewer)


def test_what_the_layer_found_is_neither_shown_nor_counted_before_a_review_without_proposals(
    client: Client, card: Card, reviewer: User, lead: User, now: datetime
) -> None:
    other = make_card(
        code="P05", text="The fee is set by Art. 3 FA.", citations=[Checked(raw="Art. 3 FA", unit="art=3")]
    )
    checked = card.citations.get(number=1).checked
    Card.objects.filter(pk=card.pk).update(blind=True)
    unit = f"{reverse('law:unit', args=[checked.act.eli])}?unit={quote(checked.unit_key)}&on=2026-10-01&lang=en"

    def shown_to(person: User) -> tuple[str, str]:
        client.force_login(person)
        counts = parsed(client.get(reverse("verification:benchmark", args=[card.benchmark.slug])).content)
        citing = parsed(client.get(unit).content).xpath("//section[@aria-labelledby='citing-title']")
        return text_of(counts.get_element_by_id("main")), text_of(citing[0])

    counts, citing = shown_to(reviewer)
    assert "Checked 1 of 1 citation" in counts and counts.count("shown after the review") == 1
    assert "1 answer is not counted here" in counts
    assert "shown after the review" in citing and "wording differs" not in citing
    whole, citing = shown_to(lead)
    assert f"of {len(CITATIONS) + 1} citations" in whole and "shown after the review" not in whole + citing
    assert "wording differs" in citing
    Card.objects.filter(pk=other.pk).update(blind=True)
    assert "citations" not in shown_to(reviewer)[0].split("answers are not counted")[0]
    Card.objects.update(state=CardState.APPROVED, approved_by=reviewer, approved_at=now, revision=1)
    assert shown_to(reviewer)[0] == shown_to(lead)[0]


def test_f6_number_of_queries_does_not_grow_with_answer_and_citations(reviewers_client: Client, reviewer: User) -> None:
    text, citations = long_answer()
    cards = [
        make_card(code="P05", text=text[:10_000], citations=citations[:2], assigned_to=reviewer),
        make_card(text=text, citations=citations, assigned_to=reviewer),
    ]
    counts = []
    page_of(reviewers_client, cards[0])
    for card in cards:
        with CaptureQueriesContext(connection) as captured:
            page_of(reviewers_client, card, "?citation=1")
        counts.append(len(captured))

    assert counts[0] == counts[1] <= 13


@pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite says which index it takes without having counted")
def test_no_query_of_a_card_page_goes_through_what_thousands_of_cards_have_in_common(reviewers_client: Client) -> None:
    """A free card, so that it is asked who has the answer's other reviews."""
    card = make_card()
    with CaptureQueriesContext(connection) as captured:
        page_of(reviewers_client, card, "?citation=1")

    plans = []
    with connection.cursor() as cursor:
        for each in captured:
            if each["sql"].startswith("SELECT"):
                cursor.execute("EXPLAIN QUERY PLAN " + each["sql"].replace("%", "%%"), [])
                plans += [row[-1] for row in cursor.fetchall()]
    assert any("citation_of_unit" in plan for plan in plans)
    assert any("COVERING INDEX card_counted_by_person" in plan for plan in plans), "cards that a person has are read"
    by_card = [plan for plan in plans if "review_card " in plan]
    assert by_card
    assert not [plan for plan in by_card if plan.startswith("SCAN") or "specification" in plan or "key_version" in plan]


def test_a_save_takes_nine_queries_whatever_the_size_of_the_card(reviewer: User, now: datetime) -> None:
    cards = [make_card(code="P05", citations=CITATIONS[:2], assigned_to=reviewer), make_card(assigned_to=reviewer)]
    saves = [
        lambda card: set_note(card=card, note="Read § 2.", version=card.version, by=reviewer, now=now),
        lambda card: agree_with_proposal(card=card, number=1, version=card.version, by=reviewer, now=now),
        lambda card: accept_proposals(card=card, version=card.version, by=reviewer, now=now),
        lambda card: decide_score(
            card=card, criterion="A-R", points=Decimal(1), evidence="x", version=card.version, by=reviewer, now=now
        ),
    ]
    keep_memberships_in_mind(reviewer)
    check_can_review_card(reviewer, cards[0])

    for save in saves:
        counts = []
        for place, card in enumerate(cards):
            with CaptureQueriesContext(connection) as captured:
                cards[place] = save(card)
            counts.append(len([each for each in captured if "SAVEPOINT" not in each["sql"]]))
        assert counts[0] == counts[1] <= 9


def test_the_same_provision_on_other_cards_is_counted_by_judgement(
    reviewers_client: Client, card: Card, reviewer: User, lead: User, now: datetime
) -> None:
    others = [make_card(code=code, assigned_to=reviewer) for code in ("P01", "P02", "P03")]
    for other in others[:2]:
        call_wrong(card=other, number=1, error_class="W", version=other.version, by=reviewer, now=now)
    call_not_wrong(
        card=others[2], number=1, state=CitationState.CONFIRMED, reason="Old.", version=others[2].version,
        by=reviewer, now=now,
    )  # fmt: skip

    lines = [
        text_of(line) for line in page_of(reviewers_client, card, "?citation=1").xpath("//ul[@class='elsewhere']/li")
    ]

    assert lines == ["W class W: P02, P01", "✓ confirmed: P03"]
    titles = page_of(reviewers_client, card, "?citation=1").xpath("//ul[@class='elsewhere']//a/@title")
    assert titles == [f"Art. 17 § 1 CPA, {reviewer.username}, 18 Oct 2026"] * 3
    assert not page_of(reviewers_client, card, "?citation=4").xpath("//*[@id='elsewhere']")
    Card.objects.filter(pk=others[0].pk).update(state="second_review", assigned_to=lead, approved_by=None)
    lines = [
        text_of(line) for line in page_of(reviewers_client, card, "?citation=1").xpath("//ul[@class='elsewhere']/li")
    ]
    assert "P01" not in " ".join(lines)


def test_trace_is_a_time_line_with_official_sources_marked(reviewers_client: Client, reviewer: User) -> None:
    card = make_card(condition="W1", assigned_to=reviewer)

    steps = page_of(reviewers_client, card).xpath("//ol[@class='trace']/li")

    assert [step.xpath("./span[1]/text()") for step in steps] == [["+0 s"], ["+4 s"], ["+10 s"]]
    assert [text_of(step).endswith("not official") for step in steps] == [False, False, True]
    assert [step.get("class") for step in steps] == [None, "official", None]


@pytest.mark.parametrize("at", ["yesterday", "2026-99-99T00:00:00Z", 7, None, "2026-10-12T09:29:05"])
def test_a_trace_with_odd_times_is_still_shown(at: Any) -> None:
    steps = trace_steps([{"kind": "search", "query": "q", "at": "2026-10-12T09:29:01Z"}, {"kind": "open", "at": at}])

    assert [step.after for step in steps] == [0, None]


def test_d8_rule_boundary_cases_and_decisions_stand_with_the_criterion(
    reviewers_client: Client, card: Card, lead: User, now: datetime
) -> None:
    draft = DecisionDraft(
        decided_on=now.date(), question="B1?", decision="At most 1.", reason="Rule.", touches={"criteria": ["B1"]}
    )
    entry = write_decision(benchmark_slug="kestria-01", draft=draft, by=lead, now=now)
    publish_decision(decision=entry, by=lead, now=now)

    page = page_of(reviewers_client, card)

    assert "At most 1." in text_of(page.get_element_by_id("criterion-B1"))
    assert "At most 1." not in text_of(page.get_element_by_id("criterion-B2"))
    assert "An answer without any citation has A6 = 1." in text_of(page.get_element_by_id("rule-citation"))


def test_the_reason_of_a_change_can_be_chosen_among_cases_and_decisions(
    reviewers_client: Client, card: Card, reviewer: User, lead: User, now: datetime
) -> None:
    draft = DecisionDraft(
        decided_on=now.date(),
        question="A2?",
        decision="Half a base is none.",
        reason="Rule.",
        touches={"criteria": ["A2"]},
    )
    publish_decision(
        decision=write_decision(benchmark_slug="kestria-01", draft=draft, by=lead, now=now), by=lead, now=now
    )
    assert not page_of(reviewers_client, card).xpath("//datalist")
    decide_score(
        card=card, criterion="A2", points=Decimal(1), evidence="Read.", version=card.version, by=reviewer, now=now
    )

    page = page_of(reviewers_client, card)

    [offered] = page.xpath("//datalist")
    assert page.get_element_by_id("reason-A2").get("list") == offered.get("id")
    values = offered.xpath("./option/@value")
    assert values[0] == "Decision 1: Half a base is none."
    assert "A document that is not binding is never required; giving it binding force is class T." in values
    assert not [value for value in values if "A6" in value]


def test_citations_in_text_order_for_the_rest_of_the_session(reviewers_client: Client, card: Card) -> None:
    address = reverse("review:citation_order", args=[card.pk])

    reply = reviewers_client.post(address, {"order": "text", "selected": "3"})

    assert reply["Location"].endswith("?citation=3")
    numbers = page_of(reviewers_client, card).xpath("//*[@class='cite']/@data-number")
    assert numbers == ["1", "2", "3", "4", "5", "6", "7"]
    fragment = reviewers_client.post(address, {"order": "need"}, headers={"HX-Request": "true"})
    assert parsed(fragment.content).xpath("//*[@class='cite']/@data-number")[:3] == ["1", "3", "6"]


def test_citation_order_is_closed_to_outsiders(client: Client, card: Card, outsider: User) -> None:
    address = reverse("review:citation_order", args=[card.pk])
    assert client.post(address).status_code == 302
    client.force_login(outsider)

    assert client.post(address, {"order": "text"}).status_code == 404


def test_unchecked_citations_are_listed_beside_the_question(
    reviewers_client: Client, card: Card, reviewer: User, now: datetime
) -> None:
    card = fill_card(card, by=reviewer, now=now)
    decide_citation(card=card, number=4, state=CitationState.UNCHECKED, version=card.version, by=reviewer, now=now)

    foot = page_of(reviewers_client, card).get_element_by_id("foot")

    assert [text_of(link) for link in foot.xpath(".//details[@id='unchecked']//a")] == [
        "Citation 4 (Art. 3 FA) was not checked."
    ]


def test_e2_overlapping_citations_are_nested_marks_and_the_text_stays(
    reviewers_client: Client, card: Card, reviewer: User, now: datetime
) -> None:
    before = page_of(reviewers_client, card).get_element_by_id("answer-text").text_content()
    start = ANSWER.index("service (Art. 17")
    add_citation(
        card=card, start=start, end=start + len("service (Art. 17"), version=card.version, by=reviewer, now=now
    )

    page = page_of(reviewers_client, card)

    assert page.get_element_by_id("answer-text").text_content() == before
    inner = page.xpath(
        "//*[@data-citation='8']//*[@data-citation='1'] | //*[@data-citation='1']//*[@data-citation='8']"
    )
    assert [mark.text_content() for mark in inner] == ["Art. 17"]
    stored = page_of(reviewers_client, card, "?raw=1").get_element_by_id("answer-text")
    assert stored.text_content() == card.answer.text
    assert stored.xpath(".//*[@data-citation='8']")


def test_g7_an_override_keeps_the_earlier_evidence_on_the_card(
    reviewers_client: Client, card: Card, reviewer: User, now: datetime
) -> None:
    for points, evidence, reason in [
        (2, "Both are cited.", ""),
        (1, "Art. 22 is cited for another point.", "B2 only."),
    ]:
        card = decide_score(
            card=card, criterion="A2", points=Decimal(points), evidence=evidence, reason=reason,
            version=card.version, by=reviewer, now=now,
        )  # fmt: skip

    page = page_of(reviewers_client, card)

    criterion, history = (text_of(page.get_element_by_id(name)) for name in ("criterion-A2", "history"))
    assert "Art. 22 is cited for another point." in criterion
    assert "proposed 2: Art. 17 § 1 CPA" in criterion
    assert "Both are cited." in history


HOSTILE = """\
<script>alert(1)</script> [click](javascript:alert(1)) ![x](http://tracker.example/p.png)
<img src=x onerror=alert(1)> <!-- hidden --> <p style="position:fixed">Art. 5 X & <b>"Art. 6 Y"</b></p>
</article></main><form action="/account/logout/" method="post">

    </textarea><script>alert(2)</script>

| a | b |
|---|---|
| `<svg onload=alert(3)>` | {{ settings.SECRET_KEY }} {% load i18n %} |
"""


def test_m1_hostile_answer_does_nothing_on_any_part_of_the_page(reviewers_client: Client, reviewer: User) -> None:
    evil = "<script>alert('citation')</script>"
    citations = [
        Checked(raw="<img src=x onerror=alert(1)>", result=CheckResult.NOT_FOUND, fields={"proposed_class": "F"}),
        Checked(raw="Art. 5 X & <b>", fields={"explanation": evil, "suggestion": evil, "quotation": evil}),
    ]
    card = make_card(text=HOSTILE, citations=citations, assigned_to=reviewer)

    for query in ("?citation=1", "?citation=2", "?raw=1", "?citation=1&raw=1"):
        response = reviewers_client.get(reverse("review:card", args=[card.pk]) + query)
        page = parsed(response.content)
        assert not page.xpath("//script[not(@src)] | //img | //svg[@onload] | //iframe | //object | //b[@onclick]")
        assert all(address.startswith("/static/") for address in page.xpath("//script/@src"))
        assert not [
            name for element in page.iter() for name in element.attrib if name.startswith("on") or name == "style"
        ]
        assert not page.xpath("//a[starts-with(@href, 'javascript')]")
        assert len(page.xpath("//main")) == len(page.xpath("//article[@id='answer-text']")) == 1
        assert page.xpath("//form[@action='/account/logout/']") == []
        policy = response["Content-Security-Policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy
    assert parsed(response.content).get_element_by_id("answer-text").text_content() == HOSTILE


def test_a_finding_that_quotes_hostile_words_is_harmless(reviewers_client: Client, reviewer: User) -> None:
    card = make_card(text=HOSTILE, citations=(), assigned_to=reviewer)
    fields = {
        "version": card.version,
        "finding_class": "T",
        "claim": "<script>alert(1)</script>",
        "source_says": "</textarea><script>alert(4)</script>",
        "checked_source": '"><script>alert(5)</script>',
        "origin": "memory",
        "scope": "core",
    }

    reply = reviewers_client.post(reverse("review:add_finding", args=[card.pk]), fields, follow=True)

    page = parsed(reply.content)
    assert not page.xpath("//script[not(@src)]")
    assert page.xpath("//mark[@data-finding='1']")[0].text_content() == "<script>alert(1)</script>"


def test_j1_going_back_gets_the_whole_page(reviewers_client: Client, card: Card) -> None:
    address = reverse("review:card", args=[card.pk])
    both = {"HX-Request": "true", "HX-History-Restore-Request": "true"}

    bodies = [
        reviewers_client.get(address, headers=headers).content.lstrip()[:15]
        for headers in ({}, {"HX-Request": "true"}, both)
    ]

    assert bodies == [b"<!doctype html>", b'<div id="card">', b"<!doctype html>"]
    assert {"HX-Request", "HX-History-Restore-Request"} <= set(reviewers_client.get(address)["Vary"].split(", "))


def test_j4_session_that_ended_leads_to_signing_in_and_back(reviewers_client: Client, card: Card) -> None:
    reviewers_client.logout()
    address = reverse("review:card", args=[card.pk])

    reply = reviewers_client.post(
        reverse("review:note", args=[card.pk]),
        {"version": card.version, "note": "n"},
        headers={"HX-Request": "true", "HX-Current-URL": f"http://testserver{address}"},
    )

    assert reply["HX-Redirect"] == f"/account/login/?next={address.replace('/', '%2F')}"


def test_neighbours_follow_the_order_of_the_queue(reviewers_client: Client, reviewer: User) -> None:
    cards = [make_card(code=code, assigned_to=reviewer) for code in ("P01", "P02", "P03")]

    def goes_to(name: str, card: Card) -> str:
        return reviewers_client.get(reverse(f"review:{name}", args=[card.pk]))["Location"]

    addresses = [f"/review/cards/{card.pk}/" for card in cards]
    assert [goes_to("next_card", card) for card in cards] == [addresses[1], addresses[2], addresses[2]]
    assert [goes_to("previous_card", card) for card in cards] == [addresses[0], addresses[0], addresses[1]]


def test_every_form_field_and_control_has_an_id_of_its_own(reviewers_client: Client, card: Card) -> None:
    """htmx finds the focus again by the id."""
    page = page_of(reviewers_client, card)
    ids = page.xpath("//@id")

    assert len(ids) == len(set(ids))
    screen = page.xpath("//div[contains(@class, 'screen')]")[0]
    assert not screen.xpath(".//input[@type!='hidden'][not(@id)] | .//textarea[not(@id)] | .//select[not(@id)]")
    assert not screen.xpath(".//form[@hx-post][not(@id)]")


@pytest.mark.parametrize(("number", "buttons"), [(1, ["cannot-tell"]), (4, ["cannot-tell"]), (6, ["agree"])])
def test_one_button_and_one_word_say_that_it_cannot_be_established(
    reviewers_client: Client, card: Card, number: int, buttons: list[str]
) -> None:
    """Where code proposes it, agreeing is that button and has both keys; elsewhere it has a button of its own."""
    page = parsed(reviewers_client.get(f"/review/cards/{card.pk}/?citation={number}").content.decode())

    named = page.xpath("//form[@id='form-citation']//button[contains(., 'Cannot be established')]")
    assert [button.get("id") for button in named] == buttons
    assert "u" in named[0].xpath("kbd/text()")
    assert named[0].get("data-also") == ("cannot-tell" if buttons == ["agree"] else None)


def test_what_was_decided_otherwise_than_proposed_can_still_be_said_not_to_be_established(
    reviewers_client: Client, card: Card, reviewer: User, now: datetime
) -> None:
    said = {"state": CitationState.CONFIRMED, "reason": "It is so."}
    call_not_wrong(card=card, number=6, version=card.version, by=reviewer, now=now, **said)

    page = parsed(reviewers_client.get(f"/review/cards/{card.pk}/?citation=6").content.decode())

    assert [button.get("id") for button in page.xpath("//button[@value='state:undetermined']")] == ["cannot-tell"]
    assert not page.xpath("//button[@id='agree']")
