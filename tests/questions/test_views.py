from dataclasses import replace
from datetime import date, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from lexreview.accounts.actions import grant_role
from lexreview.accounts.models import User
from lexreview.core.methods.reference_card.label import Label
from lexreview.core.workflow import AnswerState, Role
from lexreview.law.models import Ruling
from lexreview.questions.actions import KeyDraft, approve_key, pair_mirrors, save_benchmark, save_question, write_key
from lexreview.questions.models import Benchmark, KeyVersion, Question
from lexreview.review.actions import approve_card, open_citation
from lexreview.review.models import LABEL_LABELS, Card
from tests.factories import LONG_AGO, make_user
from tests.questions.test_actions import a_benchmark, draft_of
from tests.review.factories import (
    SLUG,
    fill_card,
    make_act,
    make_answer,
    make_benchmark,
    make_card,
    make_question,
)
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
LIST = "/benchmarks/"
PAGE = f"/benchmarks/{SLUG}/"
QUESTION = f"/benchmarks/{SLUG}/questions/P04/"


def approved(card: Card, by: User) -> Card:
    for citation in card.citations.in_text_order():
        open_citation(card=card, number=citation.number, by=by, now=NOW)
    card = fill_card(card, by=by, now=NOW)
    return approve_card(card=card, version=card.version, confirm_unchecked=True, by=by, now=NOW)


def depart(question: Question, **changes: Any) -> KeyVersion:
    old = question.key_versions.approved().get()
    fields = {name: getattr(old, name) for name in KeyDraft.__dataclass_fields__ if name != "decision"}
    draft = KeyDraft(**{**fields, "departure": True, "reason": "A ruling was found.", **changes})
    key = write_key(question=question, number=old.number + 1, draft=draft, by=None, now=NOW)
    return approve_key(key=key, on=date(2026, 10, 19), by=None, now=NOW)


@pytest.mark.parametrize("address", [LIST, PAGE, QUESTION])
def test_pages_ask_for_sign_in(client: Client, address: str) -> None:
    make_question(make_benchmark())

    check_sign_in(client, address)


@pytest.mark.parametrize("address", [PAGE, QUESTION])
def test_members_read_and_others_learn_of_nothing(client: Client, outsider: User, address: str) -> None:
    make_question(make_benchmark())

    check_members_read(client, address, outsider=outsider)


@pytest.mark.parametrize("address", [LIST, PAGE, QUESTION])
def test_pages_are_read_only(client: Client, lead: User, address: str) -> None:
    make_question(make_benchmark())

    check_only_reading(client, lead, address)


def test_question_of_another_benchmark_is_not_found_under_this_one(client: Client, lead: User) -> None:
    make_question(make_benchmark())
    make_question(make_benchmark("other-01"), "P99")
    client.force_login(lead)

    assert client.get(f"/benchmarks/{SLUG}/questions/P99/").status_code == 404
    assert client.get("/benchmarks/other-01/questions/P99/").status_code == 404


def test_list_shows_own_benchmarks_only(client: Client, lead: User) -> None:
    make_benchmark()
    other = make_benchmark("other-01")
    save_benchmark(draft=a_benchmark(slug=other.slug, titles={"en": "Somebody else's"}), by=None, now=NOW)

    page = visit(client, lead, LIST)

    assert "Fees and time limits in Kestria" in page
    assert "Somebody else" not in page


def test_list_of_somebody_without_a_role_says_what_to_do(client: Client, outsider: User) -> None:
    make_benchmark()

    assert "You are in no benchmark yet" in visit(client, outsider, LIST)


def test_list_counts_questions_runs_answers_and_approved_cards(client: Client, reviewer: User) -> None:
    approved(make_card(assigned_to=reviewer), reviewer)
    make_card(system="dune-2", assigned_to=reviewer)

    page = " ".join(visit(client, reviewer, LIST).split())

    assert '<dt>question</dt><dd class="figure">1</dd><dd>1 with an approved key</dd>' in page
    assert '<dt>runs</dt><dd class="figure">2</dd>' in page
    assert '<dt>answers</dt><dd class="figure">2</dd>' in page
    assert '<dt>card approved</dt><dd class="figure">1</dd>' in page
    assert "1 of 2" in page


def test_list_takes_the_same_queries_for_three_benchmarks(client: Client, lead: User) -> None:
    make_question(make_benchmark())
    one = queries_of(client, lead, LIST)
    for slug in ("other-01", "other-02"):
        make_answer(make_question(make_benchmark(slug)))
        grant_role(user=lead, benchmark_slug=slug, role=Role.LEAD, by=None, now=NOW)

    assert queries_of(client, lead, LIST) == one


def test_overview_names_law_day_specification_systems_and_conditions(client: Client, reviewer: User) -> None:
    benchmark = make_benchmark()
    answer = make_answer(make_question(benchmark), condition="W1")
    answer.run.condition.preambles = {"en": "You are asked by a lawyer."}
    answer.run.condition.save()

    page = visit(client, reviewer, PAGE)

    assert "law of 1 Oct 2026" in page
    assert reverse("methodology:specification", args=["reference-card", "1.0.1"]) in page
    assert str(benchmark.canary) in page
    for words in ("Argon-4", "web search", "You are asked by a lawyer.", "you are: reviewer", "undisclosed", "trap"):
        assert words in page


def test_overview_shows_the_question_as_it_was_asked(client: Client, lead: User) -> None:
    make_question(make_benchmark())

    page = visit(client, lead, PAGE)

    assert "The demand was served on 14 September 2026" in page
    assert "thats inside the fourteen days" not in page


def test_overview_marks_a_departure_and_a_question_without_a_key(client: Client, lead: User) -> None:
    question = make_question(make_benchmark())
    make_answer(question)
    depart(question, core_answer="It depends.")
    bare = make_question(question.benchmark, "P05")
    bare.key_versions.all().delete()

    page = visit(client, lead, PAGE)

    assert "departure" in page
    assert "v2" in page
    assert "no key" in page


def test_draft_departure_is_not_yet_one(client: Client, lead: User) -> None:
    question = make_question(make_benchmark())
    make_answer(question)
    depart(question)
    KeyVersion.objects.filter(number=2).update(state="draft", approved_on=None)
    KeyVersion.objects.filter(number=1).update(state="approved")

    assert "departure" not in visit(client, lead, PAGE)


def test_overview_of_an_empty_benchmark_says_where_questions_come_from(client: Client, lead: User) -> None:
    make_benchmark()

    page = visit(client, lead, PAGE)

    assert "No question yet" in page
    assert "Systems under test" not in page


def test_overview_takes_the_same_queries_for_three_questions_systems_and_keys(client: Client, lead: User) -> None:
    benchmark = make_benchmark()
    make_answer(make_question(benchmark))
    one = queries_of(client, lead, PAGE)
    for code, system in (("P05", "dune-2"), ("P06", "cedar")):
        question = make_question(benchmark, code)
        make_answer(question, system=system, condition="W1")
        depart(question)

    assert queries_of(client, lead, PAGE) == one


def test_question_page_shows_both_texts_and_which_was_asked(client: Client, reviewer: User) -> None:
    make_question(make_benchmark())

    page = " ".join(visit(client, reviewer, QUESTION).split())

    assert "thats inside the fourteen days" in page
    assert "The demand was served on 14 September 2026" in page
    assert page.count(">asked<") == 1
    assert page.index("Completed before the run") < page.index(">asked<")


def test_question_page_shows_key_trap_and_mirror(client: Client, reviewer: User) -> None:
    question = make_question(make_benchmark())
    mirror = make_question(question.benchmark, "P05", trap=False)
    pair_mirrors(question=question, mirror=mirror, by=None, now=LONG_AGO)

    page = visit(client, reviewer, QUESTION)
    other = visit(client, reviewer, f"/benchmarks/{SLUG}/questions/P05/")

    for words in (
        "Article 17 § 1 gives fourteen days.",
        "the time ended on 21 September 2026",
        "The new wording applies to this demand.",
        "Says that fourteen days apply.",
        "The fee is payable within seven days of service of the demand.",
        "Expected form: categorical.",
    ):
        assert words in page
    assert reverse("questions:question", args=[SLUG, "P05"]) in page
    assert "Mirrored by" in other
    assert reverse("questions:question", args=[SLUG, "P04"]) in other


def test_basis_leads_to_the_corpus_where_the_act_is_stored(client: Client, reviewer: User) -> None:
    make_question(make_benchmark())
    address = f"{reverse('law:unit', args=['eli/qk/act/2011/9'])}?unit=art%3D17%2Fpar%3D1&amp;on=2026-10-01&amp;lang=en"

    without = visit(client, reviewer, QUESTION)
    make_act()
    stored = visit(client, reviewer, QUESTION)

    assert address not in without
    assert address in stored
    assert 'href="https://law.kestria.example/act/2011/9/2026-09-01/en" rel="noopener noreferrer external"' in stored


def ruling(**changes: Any) -> Ruling:
    fields = {
        "jurisdiction": "QK",
        "court": "Supreme Court",
        "docket": "II Civ 71/25",
        "decided_on": date(2025, 6, 4),
        "language": "en",
        "sha256": "0" * 64,
    }
    return Ruling.objects.create(**{**fields, **changes})


def test_basis_leads_to_a_ruling_only_where_docket_court_and_day_name_one(client: Client, reviewer: User) -> None:
    question = make_question(make_benchmark())
    base = {
        "code": "B1",
        "citation": "II Civ 71/25",
        "kind": "ruling",
        "court": "Supreme Court",
        "docket": "II Civ 71/25",
        "source": "javascript:alert(1)",
        "quotation": "It is a matter of interpretation.",
    }
    KeyVersion.objects.update(bases=[base])
    meant = ruling()

    assert reverse("law:ruling", args=[meant.pk]) in visit(client, reviewer, QUESTION)

    ruling(decided_on=date(2024, 1, 1))
    page = visit(client, reviewer, QUESTION)
    assert reverse("law:ruling", args=[meant.pk]) not in page
    assert 'href="javascript:' not in page

    KeyVersion.objects.update(bases=[base | {"decided_on": "2025-06-04"}])
    assert reverse("law:ruling", args=[meant.pk]) in visit(client, reviewer, QUESTION)
    assert question.code == "P04"


def test_departure_is_marked_with_reason_decision_and_differences(client: Client, reviewer: User) -> None:
    question = make_question(make_benchmark())
    make_answer(question)
    depart(question, core_answer="No. The fee is payable within ten days; the time ended on 24 September 2026.")

    page = visit(client, reviewer, QUESTION)

    assert "departure: changed after answers were collected" in page
    assert "A ruling was found." in page
    assert reverse("methodology:decision", args=[SLUG, 1]) in page
    assert "</span>seven</del>" in page
    assert "</span>ten</ins>" in page
    assert 'id="v2"' in page


def test_question_with_one_version_shows_no_history(client: Client, reviewer: User) -> None:
    make_question(make_benchmark())

    assert "How the key changed" not in visit(client, reviewer, QUESTION)


def test_answers_are_listed_with_state_card_and_label(client: Client, reviewer: User, lead: User) -> None:
    done = approved(make_card(assigned_to=reviewer), reviewer)
    blocked = make_card(system="cedar", state=AnswerState.PROVIDER_BLOCK).answer
    failed = make_answer(Question.objects.get(), system="dune-2", state=AnswerState.FAILED)

    page = visit(client, reviewer, QUESTION)

    assert reverse("answers:answer", args=[SLUG, "P04_argon-4_W0_r1"]) in page
    for answer in (blocked, failed):
        assert reverse("answers:masked_answer", args=[answer.pk]) in page
        assert answer.identifier not in page
    assert reverse("review:card", args=[done.pk]) in page
    assert f">{LABEL_LABELS[Label(done.label)]}</span>" in page
    assert "content policy" not in page
    assert "not opened" in page
    assert "content policy" in visit(client, lead, QUESTION)


def test_label_of_a_card_that_is_not_approved_is_not_told(client: Client, reviewer: User) -> None:
    card = make_card()
    assert card.label != ""

    page = visit(client, reviewer, QUESTION)

    assert "pre-filled" in page
    assert 'class="label ' not in page


@pytest.mark.parametrize("state", ["second_review", "in_adjudication"])
def test_label_is_kept_from_members_while_a_second_review_is_open(client: Client, reviewer: User, state: str) -> None:
    card = approved(make_card(assigned_to=reviewer), reviewer)
    colleague = make_user("cora", roles=(Role.REVIEWER,))
    assert 'class="label ' in visit(client, colleague, QUESTION)

    type(card).objects.filter(pk=card.pk).update(state=state)

    assert 'class="label ' not in visit(client, colleague, QUESTION)


def test_question_page_takes_the_same_queries_for_three_answers_and_versions(client: Client, lead: User) -> None:
    make_act()
    card = make_card()
    question = card.answer.question
    depart(question)
    one = queries_of(client, lead, QUESTION)
    for system in ("dune-2", "cedar"):
        make_card(system=system)
        depart(question)

    assert queries_of(client, lead, QUESTION) == one


@pytest.mark.parametrize("address", [LIST, PAGE, QUESTION])
def test_hostile_texts_are_shown_as_text(client: Client, lead: User, address: str) -> None:
    benchmark = make_benchmark()
    question = make_question(benchmark)
    save_question(
        benchmark=benchmark,
        draft=replace(
            draft_of(question),
            original_text=HOSTILE,
            benchmark_text=HOSTILE,
            area=HOSTILE,
            trap={"premise": HOSTILE, "direction": HOSTILE},
        ),
        by=None,
        now=NOW,
    )
    hostile = [{"code": "R1", "text": HOSTILE, "points": 1}]
    KeyVersion.objects.update(core_answer=HOSTILE, rubric=hostile, penalties=hostile, verification_note=HOSTILE)
    Benchmark.objects.update(titles={"en": HOSTILE}, summaries={"en": HOSTILE}, limitations=[{"en": HOSTILE}])
    answer = make_answer(Question.objects.get())
    answer.run.system.__class__.objects.update(name=HOSTILE, settings={HOSTILE: HOSTILE})
    answer.run.condition.__class__.objects.update(titles={"en": HOSTILE}, preambles={"en": HOSTILE})
    depart(Question.objects.get(), core_answer="No.", reason=HOSTILE)

    check_harmless(visit(client, lead, address), times=2)
