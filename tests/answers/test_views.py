from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from lexreview.accounts.models import User
from lexreview.answers.actions import store_answer
from lexreview.answers.models import Answer
from lexreview.core.workflow import AnswerState, Role
from tests.answers.test_actions import DRAFT
from tests.factories import make_user
from tests.review.factories import OFFICIAL, SLUG, make_answer, make_benchmark, make_card, make_question
from tests.visiting import (
    HOSTILE,
    check_harmless,
    check_members_read,
    check_only_reading,
    check_sign_in,
    queries_of,
    visit,
)

pytestmark = pytest.mark.django_db
NOW = datetime.fromisoformat("2026-10-18T12:03:22+00:00")


def address_of(answer: Answer) -> str:
    return reverse("answers:answer", args=[SLUG, answer.identifier])


def a_stored_answer(**changes: Any) -> Answer:
    """An answer with web search in its second run; `changes` are fields of the draft."""
    first = make_answer(make_question(make_benchmark()), condition="W1")
    run = make_answer(first.question, condition="W1", repetition=2, state=AnswerState.FAILED).run
    fields = {**DRAFT.__dict__, **changes}
    return store_answer(question=first.question, run=run, draft=type(DRAFT)(**fields), by=None, now=NOW)


def test_page_asks_for_sign_in(client: Client) -> None:
    check_sign_in(client, address_of(make_answer(make_question(make_benchmark()))))


def test_members_read_and_others_learn_of_nothing(client: Client, outsider: User) -> None:
    answer = make_answer(make_question(make_benchmark()))

    check_members_read(client, reverse("answers:masked_answer", args=[answer.pk]), outsider=outsider)


def test_page_is_read_only(client: Client, operator: User) -> None:
    check_only_reading(client, operator, address_of(make_answer(make_question(make_benchmark()))))


def test_same_identifier_in_two_benchmarks_is_two_pages(client: Client) -> None:
    here = make_answer(make_question(make_benchmark()), text="The answer of this benchmark.")
    there = make_answer(make_question(make_benchmark("other-01")), text="The answer of the other one.")
    user = make_user("una", roles=tuple(Role))
    assert here.identifier == there.identifier

    assert "The answer of this benchmark." in visit(client, user, address_of(here))
    assert client.get(reverse("answers:answer", args=["other-01", there.identifier])).status_code == 404


def test_address_of_something_else_is_not_taken_for_an_answer(client: Client, operator: User) -> None:
    client.force_login(operator)

    assert client.get(f"/answers/{SLUG}/report/").status_code == 404


def test_text_is_rendered_and_one_link_away_as_stored(client: Client, lead: User) -> None:
    answer = make_answer(make_question(make_benchmark()), text="## Yes\n\nWithin **seven** days & not later.")

    page = visit(client, lead, address_of(answer))
    stored = visit(client, lead, f"{address_of(answer)}?view=stored")

    assert "<h3>Yes</h3>" in page
    assert "<strong>seven</strong>" in page
    assert "## Yes\n\nWithin **seven** days &amp; not later." in stored


def test_integrity_is_told(client: Client, lead: User) -> None:
    answer = make_answer(make_question(make_benchmark()))

    before = visit(client, lead, address_of(answer))
    Answer.objects.update(text="Another text.")
    after = visit(client, lead, address_of(answer))

    assert answer.sha256 in before
    assert "The text is the one that was stored." in before
    assert "The text is not the one that was stored." in after


def test_trace_is_a_time_line_with_official_pages_marked_and_inert_addresses(client: Client, lead: User) -> None:
    answer = make_answer(make_question(make_benchmark()), condition="W1")

    page = " ".join(visit(client, lead, address_of(answer)).split())

    assert page.index("fee written reasons time limit") < page.index(OFFICIAL) < page.index("https://blog.example/fees")
    assert page.count(">official source</span>") == 1
    assert page.count(">other page</span>") == 1
    assert "1 of an official source" in page
    assert "1 search" in page
    assert "09:29:05" in page
    assert f'href="{OFFICIAL}"' not in page
    assert 'href="https://blog.example' not in page


def test_answer_without_tools_has_no_trace_section(client: Client, lead: User) -> None:
    answer = make_answer(make_question(make_benchmark()))

    assert "What was searched and opened" not in visit(client, lead, address_of(answer))


def test_answer_with_tools_and_no_trace_says_so(client: Client, lead: User) -> None:
    answer = a_stored_answer(trace=[])

    assert "The provider reported no search and no page." in visit(client, lead, address_of(answer))


@pytest.mark.parametrize(
    ("changes", "shown"),
    [
        ({"cost_usd": Decimal("0.0123")}, '<dd class="figure">0.0123</dd>'),
        ({"cost_usd": Decimal("0.0123"), "cost_is_lower_bound": True}, '<dd class="figure lower">0.0123</dd>'),
        ({"cost_usd": None}, '<dd class="figure">n/a</dd><dd>not known</dd>'),
    ],
    ids=["known", "lower bound", "unknown"],
)
def test_cost_is_exact_a_lower_bound_or_unknown(
    client: Client, lead: User, changes: dict[str, Any], shown: str
) -> None:
    assert shown in visit(client, lead, address_of(a_stored_answer(**changes)))


def test_usage_settings_model_and_run_are_listed(client: Client, lead: User) -> None:
    answer = a_stored_answer(usage={"input": 13831, "output": 376, "audio": 5}, served_model="somebody-else-1")

    page = " ".join(visit(client, lead, address_of(answer)).split())

    assert '<th scope="row">tokens read</th><td class="n">13,831</td>' in page
    assert '<th scope="row">audio</th><td class="n">5</td>' in page
    assert "<dt>temperature</dt>" in page
    assert "another one" in page
    assert "2, 12 Oct 2026" in page


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (AnswerState.EMPTY, "The answer is empty."),
        (AnswerState.PROVIDER_BLOCK, "The provider refused to answer."),
        (AnswerState.FAILED, "The call failed for a technical reason."),
    ],
)
def test_state_without_text_is_explained(client: Client, lead: User, state: AnswerState, words: str) -> None:
    answer = make_answer(make_question(make_benchmark()), state=state)

    page = visit(client, lead, address_of(answer))

    assert words in page
    assert "as it is stored" not in page


def test_page_leads_to_card_verification_and_question(client: Client, lead: User) -> None:
    card = make_card(assigned_to=lead)

    page = visit(client, lead, address_of(card.answer))

    assert reverse("review:card", args=[card.pk]) in page
    assert reverse("verification:report", args=[card.answer.pk]) in page
    assert reverse("questions:question", args=[SLUG, "P04"]) in page
    assert "with Lena" in page


def test_page_takes_the_same_queries_whatever_else_is_stored(client: Client, operator: User) -> None:
    card = make_card()
    one = queries_of(client, operator, address_of(card.answer))
    for system in ("dune-2", "cedar"):
        make_card(system=system)

    assert queries_of(client, operator, address_of(card.answer)) == one


def test_hostile_answer_is_shown_as_text(client: Client, lead: User) -> None:
    answer = a_stored_answer(
        text=f"{HOSTILE}\n\n[click](javascript:alert(1)) ![x](javascript:alert(1)) <javascript:alert(1)>",
        served_model=HOSTILE,
        settings={HOSTILE: HOSTILE},
        usage={HOSTILE: 1},
        trace=[
            {"order": 2, "kind": "open", "address": "javascript:alert(1)", "title": HOSTILE, "official": True},
            {"order": 1, "kind": "search", "query": HOSTILE, "at": "no time at all"},
        ],
    )

    for address in (address_of(answer), f"{address_of(answer)}?view=stored"):
        check_harmless(visit(client, lead, address), times=6)


def test_hostile_reason_of_a_block_is_shown_as_text(client: Client, lead: User) -> None:
    answer = a_stored_answer(text="", state=AnswerState.PROVIDER_BLOCK, block_reason=HOSTILE)

    check_harmless(visit(client, lead, address_of(answer)))
