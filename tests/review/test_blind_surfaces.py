"""In a blind round no page, fragment, list, route of the API, export or history holds the other reviewer's words."""

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from lxml import html as lxml_html

from lexreview.accounts.models import User
from lexreview.core.methods.reference_card.facts import Scope
from lexreview.core.workflow import Role
from lexreview.methodology.actions import DecisionDraft, write_decision
from lexreview.review.actions import FindingDraft, add_finding, approve_card, decide_citation, decide_score, set_note
from lexreview.review.actions.adjudicating import begin_adjudication, choose
from lexreview.review.actions.quality import check_card, draw_checks
from lexreview.review.models import Card, CheckOutcome, ItemKind, QualityCheck
from lexreview.review.quality import Draw
from tests.factories import make_user
from tests.remembering import remembered
from tests.review.factories import ANSWER, SLUG, fill_card, make_card
from tests.review.rounds import ask, fresh

pytestmark = pytest.mark.django_db
# Words of which each reviewer writes their own; the claim is the answer's, so what is looked for is where it is marked.
PLACES = ("note", "evidence", "reason", "source", "citation")
CLAIMS = {
    "rita": "a request filed without it is returned",
    "karl": "the time limit runs anew from that call",
    "luis": "name the demand's file number",
}
ADDRESSES = 60
IN_FRAGMENTS = ("/review/", "/verification/", "/law/", "/reports/")


def sentinel(person: User, place: str) -> str:
    return f"SENTINEL-{person.username}-{place}"


def write(card: Card, *, by: User, now: datetime, points: int) -> Card:
    """Fill the card and leave a word of one's own in everything that a person can write."""
    card = fill_card(fresh(card), by=by, now=now)
    card = decide_score(
        card=card, criterion="B1", points=Decimal(points), evidence=sentinel(by, "evidence"),
        reason=sentinel(by, "reason"), version=card.version, by=by, now=now,
    )  # fmt: skip
    card = set_note(card=card, note=sentinel(by, "note"), version=card.version, by=by, now=now)
    start = ANSWER.index(CLAIMS[by.username])
    draft = FindingDraft(
        error_class="T", claim=CLAIMS[by.username], claim_start=start, claim_end=start + len(CLAIMS[by.username]),
        source_says=sentinel(by, "source"), checked_source="Act", scope=Scope.PERIPHERAL,
    )  # fmt: skip
    card = add_finding(card=card, draft=draft, version=card.version, by=by, now=now)
    citation = card.citations.get(number=2)
    return decide_citation(
        card=card, number=2, state=citation.state, note=sentinel(by, "citation"), version=card.version, by=by, now=now
    )  # fmt: skip


@remembered
def three_reviews(people: tuple[User, User, User, User], *, now: datetime) -> list[Card]:
    """Rita's review is approved and was overturned once; Karl's is written and not handed in, Luis's is handed in."""
    rita, karl, luis, lena = people
    first = make_card(assigned_to=rita)
    first = write(first, by=rita, now=now, points=2)
    first = approve_card(card=first, version=first.version, confirm_unchecked=True, by=rita, now=now)
    for outcome in (CheckOutcome.OVERTURNED, CheckOutcome.OPEN):
        [check] = draw_checks(benchmark=first.benchmark, draw=Draw(size=1), by=lena, now=now)
        if outcome != CheckOutcome.OPEN:
            check_card(check=check, outcome=outcome, reason=sentinel(rita, "check"), by=lena, now=now)
            first = fresh(first)
            first = approve_card(card=first, version=first.version, confirm_unchecked=True, by=rita, now=now)
    seats = ask(karl, luis, by=lena, card=first, seats=2, now=now)
    by_person = {seat.assigned_to_id: seat for seat in seats}
    second = write(by_person[karl.pk], by=karl, now=now, points=1)
    third = write(by_person[luis.pk], by=luis, now=now, points=0)
    third = approve_card(card=third, version=third.version, confirm_unchecked=True, by=luis, now=now)
    write_decision(
        benchmark_slug=SLUG, by=lena, now=now,
        draft=DecisionDraft(decided_on=now.date(), question="?", decision="No.", reason="No."),
    )  # fmt: skip
    return [fresh(first), fresh(second), fresh(third)]


@remembered
def adjudicated(reviews: list[Card], *, karl: User, lena: User, now: datetime) -> list[Card]:
    """Karl has handed in too; Lena has begun to decide, and given a reason."""
    second = reviews[1]
    approve_card(card=second, version=second.version, confirm_unchecked=True, by=karl, now=now)
    made = begin_adjudication(card=fresh(reviews[0]), by=lena, now=now)
    choose(
        card=made, kind=ItemKind.CRITERION, target="B1", review=reviews[0], reason=sentinel(lena, "reason"),
        version=made.version, by=lena, now=now,
    )  # fmt: skip
    return [*map(fresh, reviews), fresh(made)]


@pytest.fixture
def luis(db: None) -> User:
    return make_user("luis", roles=(Role.LEAD,))


@pytest.fixture
def blind_round(reviewer: User, colleague: User, luis: User, lead: User, now: datetime) -> list[Card]:
    return three_reviews((reviewer, colleague, luis, lead), now=now)


def addresses_of(patterns: Iterable[Any], arguments: dict[str, list[Any]], prefix: str = "") -> list[str]:
    """Every address of the site that can be made with these arguments, whatever room it belongs to."""
    found = []
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            found += addresses_of(pattern.url_patterns, arguments, route)
        elif isinstance(pattern, URLPattern):
            found += _filled(route, pattern, arguments)
    return found


def _filled(route: str, pattern: URLPattern, arguments: dict[str, list[Any]]) -> list[str]:
    import itertools
    import re

    names = re.findall(r"<(?:\w+:)?(\w+)>", route)
    if "(?P" in route or any(name not in arguments for name in names):
        return []
    filled = []
    for values in itertools.product(*(arguments[name] for name in names)):
        address = route
        for value in values:
            address = re.sub(r"<(?:\w+:)?\w+>", str(value), address, count=1)
        filled.append("/" + address)
    return filled


def links_in(page: str) -> set[str]:
    tree = lxml_html.document_fromstring(page)
    return {
        link.split("#")[0] for link in tree.xpath("//a/@href") if link.startswith(("/", "?")) and "logout" not in link
    }


def crawl(client: Client, person: User, starts: Iterable[str]) -> dict[str, str]:
    """Everything that the person can read: all addresses and what they link to, whole and as fragments, and headers."""
    client.force_login(person)
    waiting, read = list(dict.fromkeys(starts)), {}
    while waiting:
        address = waiting.pop()
        if address in read or not address.startswith("/") or address.startswith("/account"):
            continue
        read[address] = ""
        for headers in ({}, {"HX-Request": "true"}) if address.startswith(IN_FRAGMENTS) else ({},):
            reply = client.get(address, headers=headers)
            body = b"".join(reply.streaming_content) if reply.streaming else reply.content  # type: ignore[union-attr]
            text = body.decode(errors="replace")
            read[address] += text + "".join(f"{name}: {value}\n" for name, value in reply.headers.items())
            if reply.status_code == 200 and "html" in reply.get("Content-Type", "") and text.strip():
                new = [link for link in links_in(text) if link.startswith("/")]
                if len(read) < ADDRESSES * 2:
                    waiting += new
    return read


def starts_for(cards: Iterable[Card]) -> list[str]:
    cards = list(cards)
    answer = cards[0].answer
    decision = 1
    arguments = {
        "pk": [card.pk for card in cards],
        "slug": [SLUG],
        "code": [answer.question.code],
        "identifier": [answer.identifier],
        "number": [decision, 2],
        "finding": [1],
        "name": ["reference-card", *(str(card.pk) for card in cards), SLUG, f"{SLUG}/{answer.identifier}"],
        "kind": ["card", "benchmark", "answer", "quality_check"],
        "version": [cards[0].specification.version],
    }
    made = addresses_of(get_resolver().url_patterns, arguments)
    checks = [str(number) for number in QualityCheck.objects.values_list("pk", flat=True)]
    made += [reverse("rounds:check", args=[number]) for number in checks]
    queue = reverse("review:queue")
    piles = [
        f"{queue}?pile={pile}&{extra}"
        for pile in ("mine", "unassigned", "ruling", "second", "adjudication", "approved", "all")
        for extra in ("", "label=hallucinated", "finding_class=T", "text=SENTINEL")
    ]
    api = ["/api/cards/", "/api/cards/?label=hallucinated", *(f"/api/cards/{card.pk}/" for card in cards)]
    return [*made, *piles, *api]


def words_of(read: dict[str, str], *people: str) -> set[str]:
    """The addresses whose replies hold words of one of these people."""
    return {address for address, text in read.items() if any(f"SENTINEL-{name}" in text for name in people)}


@pytest.mark.parametrize("who", ["rita", "karl", "luis"])
def test_c1_nothing_that_one_reviewer_reads_holds_the_words_of_the_others(
    client: Client, blind_round: list[Card], who: str
) -> None:
    """Rita and Luis have handed in and Karl has not; Luis is a lead."""
    person = User.objects.get(username=who)
    own = next(card for card in blind_round if card.assigned_to == person)

    read = crawl(client, person, starts_for(blind_round))

    assert words_of(read, *CLAIMS.keys() - {who}) == set()
    # The crawl would have found them: one's own words are there, on the card, in its history and in the API.
    mine = words_of(read, who)
    history = reverse("ledger:history", args=["card", own.pk])
    assert {reverse("review:card", args=[own.pk]), history, f"/api/cards/{own.pk}/"} <= mine
    for place in ("note", "evidence", "source"):
        assert any(sentinel(person, place) in text for text in read.values()), place
    assert len(read) > ADDRESSES


@pytest.mark.parametrize("role", [Role.REVIEWER, Role.OPERATOR])
def test_c1_members_who_take_no_part_read_nothing_of_it(client: Client, blind_round: list[Card], role: Role) -> None:
    bystander = make_user("nina", roles=(role,))

    read = crawl(client, bystander, starts_for(blind_round))

    assert words_of(read, *CLAIMS) == set()


def test_c1_a_lead_who_takes_no_part_reads_all_of_it(client: Client, blind_round: list[Card], lead: User) -> None:
    client.force_login(lead)
    checks = [reverse("rounds:check", args=[row.pk]) for row in QualityCheck.objects.order_by("pk")]
    cards = [reverse("review:card", args=[card.pk]) for card in blind_round]

    for address in (reverse("rounds:quality", args=[SLUG]), *checks, *cards):
        assert "SENTINEL-" in client.get(address).content.decode(), address


def test_c1_nothing_that_a_lead_in_the_round_sends_is_answered_with_the_words_of_the_others(
    client: Client, blind_round: list[Card], luis: User
) -> None:
    client.force_login(luis)
    own = next(card for card in blind_round if card.assigned_to == luis)
    sent = {"version": own.version, "reason": "Why?", "outcome": "agreed", "seats": 1, "size": 1, "seed": 1}

    replies = {}
    for address in starts_for(blind_round):
        if address.startswith("/review/") and "?" not in address:
            with transaction.atomic():
                reply = client.post(address, sent, follow=True)
                transaction.set_rollback(True)
            replies[address] = reply.content.decode()

    assert words_of(replies, "rita", "karl") == set()
    assert words_of(replies, "luis")


@pytest.mark.parametrize(("who", "hidden"), [("rita", ["lena"]), ("nina", ["rita", "karl", "luis", "lena"])])
def test_c1_while_it_is_adjudicated_reviewers_read_each_other_and_not_what_is_chosen(
    client: Client, blind_round: list[Card], colleague: User, lead: User, now: datetime, who: str, hidden: list[str]
) -> None:
    cards = adjudicated(blind_round, karl=colleague, lena=lead, now=now)
    person = User.objects.filter(username=who).first() or make_user(who, roles=(Role.REVIEWER,))

    read = crawl(client, person, starts_for(cards))

    assert words_of(read, *hidden) == set()
    side_by_side = reverse("rounds:adjudication", args=[cards[0].pk])
    assert (side_by_side in words_of(read, "rita", "karl", "luis")) is (who != "nina")


def test_c1_the_label_of_the_other_is_in_no_list(client: Client, blind_round: list[Card], colleague: User) -> None:
    first = blind_round[0]
    client.force_login(colleague)

    assert first.label == "hallucinated"
    question = client.get(reverse("questions:question", args=[SLUG, first.answer.question.code])).content.decode()
    answer = client.get(reverse("answers:answer", args=[SLUG, first.answer.identifier])).content.decode()
    for page in (question, answer):
        assert reverse("review:card", args=[first.pk]) not in page
    assert client.get(reverse("review:card", args=[first.pk])).status_code == 404
    assert client.get(f"/api/cards/{first.pk}/").status_code == 404
    assert [row["id"] for row in client.get("/api/cards/").json()["results"]] == [blind_round[1].pk]


def test_both_read_both_once_both_are_handed_in(
    client: Client, blind_round: list[Card], reviewer: User, colleague: User, now: datetime
) -> None:
    first, second, _third = blind_round
    approve_card(card=second, version=second.version, confirm_unchecked=True, by=colleague, now=now)

    for person, other, card in ((reviewer, colleague, second), (colleague, reviewer, first)):
        client.force_login(person)
        assert sentinel(other, "note") in client.get(reverse("review:card", args=[card.pk])).content.decode()


def test_other_answers_of_the_question_say_nothing_of_the_blind_card(
    client: Client, blind_round: list[Card], colleague: User
) -> None:
    """What was judged before is shown beside a citation: never what is blind."""
    neighbour = make_card(repetition=2, assigned_to=colleague)
    client.force_login(colleague)

    for number in range(1, 8):
        page = client.get(reverse("review:card", args=[neighbour.pk]) + f"?citation={number}").content.decode()
        assert "SENTINEL-rita" not in page
