"""Which verdict counts, and what marks it: newest of the current specification, approved cards only, kin, helpers."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from lexreview.accounts.models import User
from lexreview.answers.models import Answer, System
from lexreview.jobs.models import Job
from lexreview.judging.actions import VerdictDraft, save_judge, store_verdicts
from lexreview.judging.assisting import also_assisted, assisting_models
from lexreview.judging.models import Judge, Verdict
from lexreview.providers.models import Call, Role
from lexreview.questions.models import Disclosure, KeyVersion, Question
from lexreview.reports.freezing.judges import judges_page
from lexreview.reports.gather import gather
from lexreview.reports.records import verdict_rows
from lexreview.review.actions import open_cards, prefill_card
from lexreview.review.models import Card
from tests.judging.bench import Bench, bench, model_server, running_server
from tests.providers.server import ModelServer
from tests.review.factories import fill_card, make_verification

__all__ = ["bench", "model_server", "running_server"]
pytestmark = pytest.mark.django_db


def stored(bench: Bench, judge: Judge, answer: Answer, *, version: str, days: int, **more: Any) -> Verdict:
    """A verdict that a job elsewhere asked for, of a prompt of its own."""
    draft = VerdictDraft(
        answer=answer,
        specification_version=version,
        judged_at=bench.now + timedelta(days=days),
        key_version=KeyVersion.objects.get(question=answer.question),
        request_sha256=f"{days:064d}",
        prompt_version="verdict-1",
        prompt_sha256="a" * 64,
        **{"hallucinated": True, **more},
    )
    return store_verdicts(judge=judge, drafts=[draft], by=None, now=bench.now)[0]


def counted(version: str = "1.0.1") -> list[Verdict]:
    return list(Verdict.objects.counting(version).in_order())


def test_newest_verdict_of_the_current_specification_counts(bench: Bench) -> None:
    judge, answer = bench.judge("lynx"), bench.answer()
    stored(bench, judge, answer, version="1.0.1", days=1)
    newest = stored(bench, judge, answer, version="1.0.1", days=2)
    stored(bench, judge, answer, version="1.1.0", days=3)

    assert counted() == [newest]


def test_without_one_of_the_current_specification_the_newest_of_all_counts(bench: Bench) -> None:
    judge, answer = bench.judge("lynx"), bench.answer()
    stored(bench, judge, answer, version="1.0.0", days=1)
    newest = stored(bench, judge, answer, version="0.9.0", days=2)

    assert counted() == [newest]


def test_failed_vote_counts_as_failed_until_a_valid_one_follows(bench: Bench) -> None:
    judge, answer = bench.judge("lynx"), bench.answer()
    failed = stored(bench, judge, answer, version="1.0.1", days=1, hallucinated=None, failure="no JSON")
    assert counted() == [failed]

    valid = stored(bench, judge, answer, version="1.0.1", days=2, attempt=2)

    assert counted() == [valid]


def test_each_judge_and_answer_has_one_and_repeats_none(bench: Bench) -> None:
    first, second = bench.judge("lynx"), bench.judge("meridian")
    answers = [bench.answer(system) for system in ("argon-4", "boron")]
    for judge in (first, second):
        for answer in answers:
            stored(bench, judge, answer, version="1.0.1", days=1)
            stored(bench, judge, answer, version="1.0.1", days=9, repeat=2)

    pairs = {(judge, answer.identifier) for judge in ("lynx", "meridian") for answer in answers}
    assert {(each.judge.code, each.answer.identifier) for each in counted()} == pairs
    assert [each.repeat for each in counted()] == [1] * 4


def disclosed(bench: Bench) -> None:
    Question.objects.update(disclosure=Disclosure.PUBLISHED)


def test_h8_agreement_uses_cards_that_a_person_approved_and_no_prefilled_ones(bench: Bench, reviewer: User) -> None:
    judge = bench.judge("lynx")
    approved, prefilled = bench.answer("argon-4"), bench.answer("boron")
    for answer in (approved, prefilled):
        make_verification(answer)
        stored(bench, judge, answer, version="1.0.1", days=1)
    open_cards(benchmark=bench.benchmark, by=None, now=bench.now)
    cards = {card.answer_id: prefill_card(card=card, by=None, now=bench.now) for card in Card.objects.with_answer()}
    Card.objects.filter(pk=cards[prefilled.pk].pk).update(label="hallucinated")
    fill_card(Card.objects.with_answer().get(answer=approved), by=reviewer, now=bench.now)
    Card.objects.filter(answer=approved).update(
        state="approved", label="hallucinated", approved_by=reviewer, approved_at=bench.now, revision=1
    )
    disclosed(bench)

    rows = {row.answer: row.card for row in verdict_rows(gather(bench.benchmark))}

    assert rows == {approved.identifier: True, prefilled.identifier: None}


def test_h8_judges_of_the_family_and_the_model_of_the_answer_are_marked(bench: Bench) -> None:
    answer = bench.answer("argon-4")
    system = System.objects.get(code="argon-4")
    kin = bench.judge("kin", family="ARGON")
    own = bench.judge("own", "argon-4")
    served = bench.judge("served", answer.served_model.upper())
    other = bench.judge("other")

    assert [judge.is_of_family_of(system) for judge in (kin, own, served, other)] == [True, False, False, False]
    assert [judge.gave(answer) for judge in (kin, own, served, other)] == [False, True, True, False]


@pytest.mark.parametrize("role", [Role.PREFILL, Role.VERIFICATION])
def test_h15_judge_whose_model_pre_filled_or_checked_is_marked(bench: Bench, role: Role) -> None:
    answer = bench.answer()
    helper, other = bench.judge("helper", "lynx-5"), bench.judge("other", "meridian")
    for judge in (helper, other):
        stored(bench, judge, answer, version="1.0.1", days=1)
    disclosed(bench)
    Call.objects.create(
        benchmark_slug=bench.benchmark.slug, role=role, provider="local", model="Lynx-5", served_model="lynx-5-2026-09",
        request_sha256="a" * 64, started_at=bench.now,
    )  # fmt: skip

    page = judges_page(gather(bench.benchmark))

    assert {each["code"]: each["assisted"] for each in page["judges"]} == {"helper": True, "other": False}
    assert assisting_models("elsewhere-01") == frozenset()
    assert also_assisted(bench.judge("third", "lynx-5-2026-09"), assisting_models(bench.benchmark.slug))


def test_h15_judging_and_answering_are_no_help(bench: Bench) -> None:
    for role in (Role.JUDGE, Role.ANSWER):
        Call.objects.create(
            benchmark_slug=bench.benchmark.slug, role=role, provider="local", model="lynx-5",
            request_sha256="a" * 64, started_at=bench.now,
        )  # fmt: skip

    assert assisting_models(bench.benchmark.slug) == frozenset()


def test_command_prints_calls_and_cost_and_calls_nothing(
    bench: Bench, model_server: ModelServer, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.answer()
    bench.panel("adaptive_majority", "judgeno", "judgeyes", "judgeno")
    bench.price("judgeno")

    call_command("judge", benchmark="kestria-01", panel="panel", dry_run=True)

    printed = capsys.readouterr().out
    assert "judge-a: 1 call," in printed
    assert "judge-c: at most 1 call," in printed
    assert "In all at most 3 calls, ≥ " in printed
    assert model_server.seen == []
    assert not Job.objects.exists()


def test_command_leaves_the_job_to_the_workers_where_it_is_told_so(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.answer()
    bench.judge("lynx")
    with pytest.raises(CommandError, match="--yes"):
        call_command("judge", benchmark="kestria-01", judges=["lynx"])

    call_command("judge", benchmark="kestria-01", judges=["lynx"], repeat=2, no_wait=True, yes=True)

    assert "is queued" in capsys.readouterr().out
    assert Job.objects.get().total == 2


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"benchmark": "nowhere", "judges": ["lynx"]}, "no benchmark nowhere"),
        ({"benchmark": "kestria-01", "judges": ["nobody"]}, "no judge nobody"),
        ({"benchmark": "kestria-01", "panel": "none"}, "no panel none"),
    ],
)
def test_command_names_what_is_wrong(bench: Bench, options: dict[str, Any], words: str) -> None:
    with pytest.raises(CommandError, match=words):
        call_command("judge", **options)


def test_judge_made_elsewhere_keeps_its_settings_empty(bench: Bench) -> None:
    judge = save_judge(
        benchmark=bench.benchmark, code="x",
        fields={
            "name": "X", "provider": "Sable", "family": "x", "model_identifier": "x", "variant": "plain",
            "search": False, "instructions_version": "1", "position": 1,
        },
        by=None, now=bench.now,
    )  # fmt: skip

    assert (judge.settings, judge.endpoint) == ({}, "sable")
