"""The pages of judges, panels and verdicts: who sees them, what they say, and what stays hidden."""

import csv
import io
from decimal import Decimal
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from lxml import html

from lexreview.accounts.models import User
from lexreview.answers.models import Answer
from lexreview.core.workflow import CardState, Role
from lexreview.jobs.models import Job
from lexreview.judging.models import Panel, PanelOverride
from lexreview.judging.verdict_table import HEAD
from lexreview.ledger.models import Event
from lexreview.providers.models import Call
from lexreview.questions.models import Benchmark
from lexreview.review.models import Card
from tests.factories import make_user
from tests.judging.factories import NOW, make_judge, make_panel, make_result, make_verdict
from tests.review.factories import SLUG, make_answer, make_benchmark, make_card, make_question
from tests.visiting import HOSTILE, check_harmless, check_only_reading, check_sign_in, queries_of, visit

pytestmark = pytest.mark.django_db
JUDGES, CSV, ASK = (f"/judges/{SLUG}/{end}" for end in ("", "verdicts.csv", "ask/"))
PANEL = f"/judges/{SLUG}/panels/three/"
SYSTEMS = ("argon-4", "boron", "dune-2", "ember")


@pytest.fixture(autouse=True)
def _fresh() -> None:
    cache.clear()


@pytest.fixture
def study(db: None) -> Benchmark:
    return make_benchmark()


def answers_of(study: Benchmark, count: int = 4) -> list[Answer]:
    question = make_question(study)
    return [make_answer(question, system=system) for system in SYSTEMS[:count]]


def text_of(page: str) -> str:
    return " ".join(html.fromstring(page).text_content().split())


def rows_of(page: str, title: str) -> list[str]:
    found = html.fromstring(page).xpath(f"//*[@id='{title}']/..//tbody/tr")
    return [" ".join(row.text_content().split()) for row in found]


def reviewing(user: User, answer: Answer) -> Card:
    """A card of the answer that the person has still to do."""
    card = make_card(answer.question.benchmark, code=answer.question.code, system=answer.run.system.code)
    Card.objects.filter(pk=card.pk).update(state=CardState.IN_REVIEW, assigned_to=user)
    return card


def pages_of(study: Benchmark) -> list[str]:
    """An address of every page that only reads."""
    first, *_others = answers_of(study)
    result = make_result(make_panel(study), first, {"A": True, "B": True})
    verdict = result.votes.get(seat="A").verdict
    return [JUDGES, CSV, PANEL, reverse("judging:verdict", args=[SLUG, verdict.pk])]


def test_leads_and_operators_read_and_nobody_else_learns_of_judges(
    study: Benchmark, client: Client, lead: User, operator: User, reviewer: User, outsider: User
) -> None:
    stranger = make_user("stranger", roles=tuple(Role), benchmark="elsewhere-01")
    for address in pages_of(study):
        for user in (lead, operator):
            client.force_login(user)
            assert client.get(address).status_code == 200, address
        for user in (reviewer, outsider, stranger):
            client.force_login(user)
            assert client.get(address).status_code == 404, address
        check_sign_in(client, address)
        check_only_reading(client, operator, address)


def test_reviewers_page_of_the_benchmark_does_not_tell_of_judges(
    study: Benchmark, client: Client, lead: User, reviewer: User
) -> None:
    make_judge(study)
    address = reverse("questions:benchmark", args=[SLUG])

    assert JUDGES in visit(client, lead, address)
    assert JUDGES not in visit(client, reviewer, address)


def test_judges_are_listed_with_what_they_judged_and_what_failed(study: Benchmark, client: Client, lead: User) -> None:
    judge = make_judge(study)
    first, second, third, _fourth = answers_of(study)
    make_verdict(judge, first, True)
    make_verdict(judge, second, None, failure="no JSON")
    make_verdict(judge, third, None, attempt=1)
    make_verdict(judge, third, False, attempt=2)

    (row,) = rows_of(visit(client, lead, JUDGES), "judges-title")

    # Two of four have a verdict; one has failed votes alone, one had a second try.
    assert "2 of 4 1 n/a" in row
    assert "judged elsewhere" in row


def test_costs_are_those_of_every_call_of_the_judge(study: Benchmark, client: Client, lead: User) -> None:
    make_judge(study, "lynx")
    make_judge(study, "lynx-5")
    job = Job.objects.create(kind="judge", benchmark_slug=SLUG, total=3, created_at=NOW, heartbeat_at=NOW)
    for number, (code, usd) in enumerate([("lynx", "0.5"), ("lynx", "0.25"), ("lynx-5", "9")]):
        Call.objects.create(
            job=job,
            item_key=f"{code}/r1/P04_x",
            benchmark_slug=SLUG,
            role="judge",
            provider="local",
            model=code,
            subject=str(number),
            request_sha256="a" * 64,
            cost_usd=Decimal(usd),
            state="answered",
            started_at=NOW,
            finished_at=NOW,
        )

    rows = rows_of(visit(client, lead, JUDGES), "judges-title")

    assert ["0.7500" in row for row in rows] == [True, False]
    assert ["9.0000" in row for row in rows] == [False, True]


def test_h7_agreement_of_a_judge_with_itself_is_shown_where_there_are_repeats(
    study: Benchmark, client: Client, lead: User
) -> None:
    judge, other = make_judge(study), make_judge(study, "other")
    first, second, third, _fourth = answers_of(study)
    for answer, votes in ((first, (True, True)), (second, (True, False)), (third, (False, None))):
        for repeat, vote in enumerate(votes, start=1):
            make_verdict(judge, answer, vote, repeat=repeat)
    make_verdict(other, first, True)

    rows = rows_of(visit(client, lead, JUDGES), "judges-title")

    # Of two answers with two valid verdicts one got the same twice; the third has one valid verdict.
    assert "50 % 1 of 2" in next(row for row in rows if row.startswith("Lynx-5"))
    assert "n/a" in next(row for row in rows if row.startswith("Other"))


def test_a_benchmark_without_judges_says_so(study: Benchmark, client: Client, lead: User) -> None:
    assert "No judge yet" in visit(client, lead, JUDGES)


def test_judges_page_takes_the_same_number_of_queries_for_more_answers(
    study: Benchmark, client: Client, lead: User
) -> None:
    judge, answers = make_judge(study), answers_of(study)
    make_verdict(judge, answers[0])
    make_verdict(judge, answers[0], repeat=2)
    before = queries_of(client, lead, JUDGES)
    for answer in answers[1:]:
        make_verdict(judge, answer)
        make_verdict(judge, answer, repeat=2)

    assert queries_of(client, lead, JUDGES) == before


def test_panel_lists_unresolved_answers_first_with_every_vote(study: Benchmark, client: Client, lead: User) -> None:
    first, second, third, _fourth = answers_of(study)
    panel = make_panel(study)
    make_result(panel, first, {"A": True, "B": True})
    make_result(panel, second, {"A": True, "B": False, "C": False})
    make_result(panel, third, {"A": None, "B": None})

    page = visit(client, lead, PANEL)

    unresolved, agreed, tied = rows_of(page, "results-title")
    assert unresolved.startswith(third.identifier)
    assert "failed" in unresolved and "unresolved" in unresolved and "not asked" in unresolved
    assert "both agreed" in agreed
    assert "the third judge decided" in tied
    assert "1 of 3" in text_of(page)


def test_panel_shows_kappa_of_a_and_b_and_votes_together(study: Benchmark, client: Client, lead: User) -> None:
    panel = make_panel(study)
    for answer, votes in zip(
        answers_of(study), [(True, True), (True, False), (False, False), (False, False)], strict=True
    ):
        third = {} if votes[0] == votes[1] else {"C": True}
        make_result(panel, answer, {"A": votes[0], "B": votes[1], **third})

    page = text_of(visit(client, lead, PANEL))

    # agreement 3/4, by chance 2/4 * 1/4 + 2/4 * 3/4 = 1/2: (3/4 - 1/2) / (1/2) = 0.5
    assert "0.50n = 4" in page.replace(" n", "n") or "n = 4" in page
    assert "0.50" in page
    assert "hallucinated hallucinated not asked 1" in page.replace("C How often ", "")


def test_items_of_a_panel_have_their_own_lists(study: Benchmark, client: Client, lead: User) -> None:
    panel = make_panel(study, items=["hallucinated", "A-R"])
    (answer,) = answers_of(study, 1)
    for code in "ab":
        make_verdict(make_judge(study, f"judge-{code}"), answer, True, criteria={"A-R": 2 if code == "a" else 1})
    make_result(panel, answer, {"A": True, "B": True})
    make_result(panel, answer, {"A": True, "B": True}, item="A-R")

    assert "both agreed" in rows_of(visit(client, lead, PANEL), "results-title")[0]
    other = visit(client, lead, PANEL + "?item=A-R")
    assert "third judge at work" in rows_of(other, "results-title")[0]
    assert "both agreed" in rows_of(visit(client, lead, PANEL + "?item=nothing"), "results-title")[0]


def test_panel_page_takes_the_same_number_of_queries_for_more_answers(
    study: Benchmark, client: Client, lead: User
) -> None:
    panel, answers = make_panel(study), answers_of(study)
    make_result(panel, answers[0], {"A": True, "B": True})
    before = queries_of(client, lead, PANEL)
    for answer in answers[1:]:
        make_result(panel, answer, {"A": True, "B": False, "C": False})
    cache.clear()

    assert queries_of(client, lead, PANEL) == before


def test_an_empty_panel_says_so(study: Benchmark, client: Client, lead: User) -> None:
    make_panel(study)
    assert "Nothing decided yet" in visit(client, lead, PANEL)


@pytest.fixture
def unresolved(study: Benchmark) -> Any:
    (answer,) = answers_of(study, 1)
    return make_result(make_panel(study), answer, {"A": None, "B": None})


def overriding(result: Any) -> str:
    return reverse("judging:override", args=[SLUG, result.pk])


def entered(result: Any, value: str = "yes", reason: str = "Both failed; the card says so.") -> dict[str, str]:
    return {f"{result.pk}-value": value, f"{result.pk}-reason": reason}


def test_lead_decides_beside_the_panel_with_a_reason(unresolved: Any, client: Client, lead: User) -> None:
    client.force_login(lead)

    reply = client.post(overriding(unresolved), entered(unresolved))

    assert reply["Location"] == f"{PANEL}?item=hallucinated#result-{unresolved.pk}"
    row = PanelOverride.objects.get()
    assert (row.value, row.reason, row.by) == ("yes", "Both failed; the card says so.", lead)
    unresolved.refresh_from_db()
    assert (unresolved.state, unresolved.value) == ("unresolved", "")
    assert Event.objects.filter(verb="override_panel").count() == 1
    assert "Both failed; the card says so." in visit(client, lead, PANEL)


@pytest.mark.parametrize(("value", "reason"), [("yes", "  "), ("perhaps", "So."), ("", "So.")])
def test_decision_without_reason_or_value_is_refused_with_what_was_entered(
    unresolved: Any, client: Client, lead: User, value: str, reason: str
) -> None:
    client.force_login(lead)

    reply = client.post(overriding(unresolved), entered(unresolved, value, reason))

    assert reply.status_code == 422
    assert not PanelOverride.objects.exists()
    page = html.fromstring(reply.content)
    assert page.xpath("//details[@open]//*[@role='alert'] | //details[@open]//*[contains(@class, 'invalid')]")


def test_only_leads_decide_beside_a_panel(
    unresolved: Any, client: Client, operator: User, reviewer: User, outsider: User
) -> None:
    assert "Decide otherwise" not in visit(client, operator, PANEL)
    for user, status in ((operator, 403), (reviewer, 404), (outsider, 404)):
        client.force_login(user)
        assert client.post(overriding(unresolved), entered(unresolved)).status_code == status
    assert client.get(overriding(unresolved)).status_code == 405
    assert not PanelOverride.objects.exists()


def test_a_lead_who_has_still_to_review_an_answer_sees_no_verdict_on_it(
    study: Benchmark, client: Client, lead: User
) -> None:
    (answer,) = answers_of(study, 1)
    result = make_result(make_panel(study), answer, {"A": True, "B": True})
    verdict = result.votes.get(seat="A").verdict
    address = reverse("judging:verdict", args=[SLUG, verdict.pk])
    card = reviewing(lead, answer)
    client.force_login(lead)

    (row,) = rows_of(visit(client, lead, PANEL), "results-title")
    assert "once you have handed in your own review" in row
    assert "both agreed" not in row
    assert client.get(address).status_code == 404
    assert client.post(overriding(result), entered(result, "no")).status_code == 404
    assert not any(answer.identifier in line for line in table_of(client)[1:])

    Card.objects.filter(pk=card.pk).update(assigned_to=None)
    assert client.get(address).status_code == 200
    assert any(answer.identifier in line for line in table_of(client)[1:])


def test_verdict_is_shown_with_everything_it_rests_on(study: Benchmark, client: Client, lead: User) -> None:
    (answer,) = answers_of(study, 1)
    verdict = make_verdict(
        make_judge(study),
        answer,
        True,
        criteria={"A-R": 1, "B1": 0.5},
        findings=[{"class": "W", "claim": "within fourteen days", "source_says": "within seven days"}],
        dropped=[{"class": "F", "claim": "never written", "source_says": "", "reason": "not_in_the_answer"}],
        citations_checked=["Art. 17 § 1 CPA"],
        flags=["instruction"],
        served_model="lynx-5-2026-09",
    )

    page = text_of(visit(client, lead, reverse("judging:verdict", args=[SLUG, verdict.pk])))

    for words in ("within fourteen days", "within seven days", "never written", "Dropped", "Art. 17 § 1 CPA"):
        assert words in page
    for words in ("gives orders to a model", "verdict-1", "lynx-5-2026-09", "0.5"):
        assert words in page


def test_failed_vote_is_no_verdict_and_says_why(study: Benchmark, client: Client, lead: User) -> None:
    (answer,) = answers_of(study, 1)
    verdict = make_verdict(make_judge(study), answer, None, failure="criteria: Field required")

    page = text_of(visit(client, lead, reverse("judging:verdict", args=[SLUG, verdict.pk])))

    assert "No verdict criteria: Field required" in page
    assert "not hallucinated" not in page


def test_hostile_words_of_a_judge_are_shown_as_words(study: Benchmark, client: Client, lead: User) -> None:
    (answer,) = answers_of(study, 1)
    verdict = make_verdict(
        make_judge(study, name=HOSTILE),
        answer,
        True,
        criteria={HOSTILE: 1},
        findings=[{"class": HOSTILE, "claim": HOSTILE, "source_says": HOSTILE}],
        dropped=[{"class": "T", "claim": HOSTILE, "source_says": HOSTILE, "reason": HOSTILE}],
        citations_checked=[HOSTILE],
        flags=[HOSTILE],
        served_model=HOSTILE,
    )

    check_harmless(visit(client, lead, reverse("judging:verdict", args=[SLUG, verdict.pk])), times=6)
    check_harmless(visit(client, lead, JUDGES))


def test_verdict_of_another_benchmark_is_not_found(study: Benchmark, client: Client) -> None:
    (answer,) = answers_of(study, 1)
    verdict = make_verdict(make_judge(study), answer)
    make_benchmark("other-01")
    user = make_user("una", roles=(Role.LEAD,), benchmark="other-01")
    client.force_login(user)

    assert client.get(f"/judges/other-01/verdicts/{verdict.pk}/").status_code == 404


def table_of(client: Client) -> list[str]:
    reply = client.get(CSV)
    assert reply["Content-Type"] == "text/csv; charset=utf-8"
    return b"".join(reply.streaming_content).decode().splitlines()  # type: ignore[attr-defined]


def test_table_of_verdicts_has_a_row_for_each_failed_ones_too(study: Benchmark, client: Client, lead: User) -> None:
    first, second = answers_of(study, 2)
    judge = make_judge(study, family="argon")
    make_verdict(judge, first, True, findings=[{"class": "W", "claim": "x", "source_says": "y"}], criteria={"A-R": 1})
    make_verdict(judge, second, None, failure='=HYPERLINK("https://evil.example")')
    client.force_login(lead)

    lines = table_of(client)

    head, *rows = csv.reader(io.StringIO("\n".join(lines)))
    assert tuple(head) == HEAD
    found = {row[HEAD.index("answer")]: dict(zip(HEAD, row, strict=True)) for row in rows}
    assert found[first.identifier]["hallucinated"] == "yes"
    assert found[first.identifier]["classes"] == "W"
    assert found[first.identifier]["family"] == "yes"
    assert found[first.identifier]["canary"] == str(study.canary)
    assert found[second.identifier]["hallucinated"] == ""
    assert found[second.identifier]["failure"].startswith("'=HYPERLINK")


def test_operators_are_led_to_asking_and_leads_are_not(
    study: Benchmark, client: Client, lead: User, operator: User
) -> None:
    make_judge(study, instructions_version="verdict-1")

    assert ASK in visit(client, operator, JUDGES)
    assert ASK not in visit(client, lead, JUDGES)


def test_operator_sets_up_a_panel(study: Benchmark, client: Client, operator: User) -> None:
    judges = [make_judge(study, code) for code in ("lynx", "otter", "heron")]
    address = f"/judges/{SLUG}/panels/"
    chosen = {
        "name": "Two and one", "code": "adaptive", "strategy": "adaptive_majority", "items": ["hallucinated", "A-R"],
        **{f"judge_{seat}": judge.pk for seat, judge in zip("abc", judges, strict=True)},
    }  # fmt: skip
    assert address in visit(client, operator, JUDGES)

    assert client.post(address, chosen)["Location"] == f"{address}adaptive/"

    panel = Panel.objects.get()
    assert (panel.items, [each.code for each in panel.judges.values()]) == (
        ["hallucinated", "A-R"], ["lynx", "otter", "heron"],
    )  # fmt: skip
    for wrong in ({}, {"code": "other", "judge_c": ""}, {"code": "other", "judge_c": judges[0].pk}, {"code": "a b"}):
        reply = client.post(address, {**chosen, **wrong})
        assert reply.status_code == 422
        assert 'role="alert"' in reply.content.decode() or "invalid-feedback" in reply.content.decode()
    assert Panel.objects.count() == 1


def test_only_operators_set_up_panels(study: Benchmark, client: Client, lead: User, reviewer: User) -> None:
    for user, status in ((lead, 403), (reviewer, 404)):
        client.force_login(user)
        assert client.get(f"/judges/{SLUG}/panels/").status_code == status
        assert client.post(f"/judges/{SLUG}/panels/", {}).status_code == status


def test_history_of_verdicts_is_kept_from_a_lead_who_has_still_to_review(
    study: Benchmark, client: Client, lead: User
) -> None:
    (answer,) = answers_of(study, 1)
    make_verdict(make_judge(study), answer)
    address = reverse("ledger:history", args=["verdict", f"{SLUG}/{answer.identifier}"])
    visit(client, lead, address)

    reviewing(lead, answer)

    assert client.get(address).status_code == 404
