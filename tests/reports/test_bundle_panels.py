"""What panels came to, and what people said of it, goes through a bundle and stands on its votes, without a call."""

import copy
import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from lexreview.accounts.models import User
from lexreview.answers.models import Condition
from lexreview.core.workflow import Role
from lexreview.judging.actions import override_result
from lexreview.judging.models import PanelOverride, PanelResult, PanelVote
from lexreview.judging.planning import make_plan
from lexreview.ledger.models import Event
from lexreview.methodology.actions import load_specification
from lexreview.providers.models import Call
from lexreview.questions.models import Benchmark
from lexreview.reports.bundle.files import read_files, write_files
from lexreview.reports.bundle.loading import import_bundle, read_bundle
from lexreview.reports.bundle.records import FaultyBundle
from lexreview.reports.bundle.writing import export_files
from tests.factories import make_user
from tests.judging.bench import Bench, bench, model_server, running_server
from tests.providers.server import ModelServer
from tests.remembering import remembered
from tests.reports.test_bundle import _empty_database

__all__ = ["bench", "model_server", "running_server"]
pytestmark = pytest.mark.django_db
FILE = "panels/panel.jsonl"


@pytest.fixture
def lead(bench: Bench) -> User:
    return make_user("lena", roles=(Role.LEAD,), benchmark=bench.benchmark.slug)


@pytest.fixture
def judged(bench: Bench, lead: User) -> Bench:
    judge_two_answers(bench.benchmark, lead, bench.now)
    return bench


@remembered
def judge_two_answers(benchmark: Benchmark, lead: User, now: datetime) -> None:
    """Two answers; A says yes, B no and C no on the first: a lead says yes, then no again. The second is as it was."""
    bench = Bench(benchmark, now)
    first = bench.answer()
    bench.answer("boron", text="Seven days, the court says.")
    bench.panel("adaptive_majority", "judgeyes", "judgeno", "judgeno")
    bench.run(panel="panel")
    say(bench, "yes", "The base says so.", by=lead, now=bench.now)
    say(bench, "no", "Read once more.\nIt does not.", by=lead, now=bench.now + timedelta(hours=1))
    assert bench.result(answer=first).override.number == 2


def say(bench: Bench, value: str, reason: str, *, by: User, now: datetime) -> PanelOverride:
    result = PanelResult.objects.get(answer__identifier="P04_argon-4_W0_r1")
    return override_result(result=result, value=value, reason=reason, by=by, now=now)


def exported(bench: Bench) -> dict[str, bytes]:
    Benchmark.objects.update(summaries={"en": "A small one."})
    Condition.objects.update(preambles={"en": "Answer."})
    benchmark = Benchmark.objects.get(slug=bench.benchmark.slug)
    return export_files(benchmark=benchmark, by=None, now=bench.now)


def imported(files: dict[str, bytes], folder: Path, now: datetime) -> int:
    write_files(files, folder)
    return import_bundle(bundle=read_bundle(folder), by=None, now=now).events


def test_overrides_survive_export_and_import_byte_for_byte_without_a_call(judged: Bench, tmp_path: Path) -> None:
    first = exported(judged)
    lines = [json.loads(line) for line in first[FILE].splitlines()]
    assert [(line["answer"], line["value"], len(line["votes"]), len(line["overrides"])) for line in lines] == [
        ("P04_argon-4_W0_r1", "no", 3, 2), ("P04_boron_W0_r1", "no", 3, 0),
    ]  # fmt: skip
    assert [(each["value"], each["by"]) for each in lines[0]["overrides"]] == [("yes", "lena"), ("no", "lena")]

    _empty_database()
    imported(first, tmp_path, judged.now)

    assert exported(judged) == first
    result = PanelResult.objects.with_votes().get(answer__identifier="P04_argon-4_W0_r1")
    assert (result.state, result.value, result.consensus) == ("resolved", "no", "tie_breaker")
    assert [(row.number, row.value, row.by.username) for row in result.overrides.all()] == [
        (1, "yes", "lena"), (2, "no", "lena"),
    ]  # fmt: skip
    assert result.override.decided_at == judged.now + timedelta(hours=1)
    assert [(vote.seat, vote.value) for vote in result.votes.all()] == [("A", "yes"), ("B", "no"), ("C", "no")]
    assert not Call.objects.exists()
    assert [event.object_id.partition("/panel/")[2] for event in Event.objects.filter(verb="restore_panel_result")] == [
        "P04_argon-4_W0_r1/hallucinated/r1", "P04_boron_W0_r1/hallucinated/r1",
    ]  # fmt: skip


def test_override_of_what_no_vote_could_resolve_survives(bench: Bench, lead: User, tmp_path: Path) -> None:
    bench.answer()
    bench.panel("single", "judgeno.talking")
    bench.run(panel="panel")
    say(bench, "yes", "No judge would say.", by=lead, now=bench.now)
    first = exported(bench)

    _empty_database()
    imported(first, tmp_path, bench.now)

    assert exported(bench) == first
    result = PanelResult.objects.with_votes().get()
    assert (result.state, result.value, result.standing_value) == ("unresolved", "", "yes")


def test_second_import_changes_nothing(judged: Bench, tmp_path: Path) -> None:
    files = exported(judged)
    _empty_database()
    imported(files, tmp_path, judged.now)
    counts = PanelResult.objects.count(), PanelVote.objects.count(), PanelOverride.objects.count()

    events = imported(files, tmp_path, judged.now)

    assert events == 0
    assert (PanelResult.objects.count(), PanelVote.objects.count(), PanelOverride.objects.count()) == counts


def test_result_of_which_nobody_said_otherwise_is_restored_and_found_by_the_next_job(
    bench: Bench, model_server: ModelServer, tmp_path: Path
) -> None:
    bench.answer()
    bench.panel("majority", "judgeno", "judgeyes", "judgeyes", items=("hallucinated", "A6"))
    bench.run(panel="panel")
    first = exported(bench)
    at = {result.item: result.settled_at for result in PanelResult.objects.all()}
    _empty_database()
    model_server.forget()

    imported(first, tmp_path, bench.now)

    assert exported(bench) == first
    assert {result.item: result.settled_at for result in PanelResult.objects.all()} == at
    assert sorted(PanelResult.objects.values_list("item", "value", "consensus", "state")) == [
        ("A6", "0", "majority", "resolved"), ("hallucinated", "yes", "majority", "resolved"),
    ]  # fmt: skip
    benchmark = Benchmark.objects.select_related("specification").get(slug=bench.benchmark.slug)
    assert make_plan(benchmark=benchmark, panel="panel").missing == []
    assert model_server.seen == []


def test_panel_at_work_has_no_result_to_write(bench: Bench) -> None:
    bench.answer()
    bench.panel("adaptive_majority", "quota", "judgeno", "judgeno")
    bench.run(panel="panel")
    assert bench.result().state == "ab_running"

    assert [name for name in exported(bench) if name.startswith("panels/")] == []


@pytest.fixture
def pointed(bench: Bench, lead: User) -> Bench:
    judge_points(bench.benchmark, lead, bench.now)
    return bench


@remembered
def judge_points(benchmark: Benchmark, lead: User, now: datetime) -> None:
    """A panel on points of a criterion, A-R of 0 to 2 in whole steps; a lead says 1."""
    bench = Bench(benchmark, now)
    bench.answer()
    bench.panel("single", "judgeno", items=("A-R",))
    bench.run(panel="panel")
    say(bench, "1", "Half of it is there.", by=lead, now=now)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("3", "A-R takes 0 to 2 points, not 3"),
        ("-1", "A-R takes 0 to 2 points, not -1"),
        ("0.5", "A-R goes up from 0 by 1"),
        ("NaN", "A-R takes 0 to 2 points"),
        ("yes", "A-R takes 0 to 2 points"),
        (" ", "Give a value."),
    ],
)
def test_override_of_points_that_the_form_would_refuse_is_refused(
    pointed: Bench, tmp_path: Path, value: str, expected: str
) -> None:
    files = with_change(exported(pointed), {"overrides": [{**WORD, "value": value}]})
    _empty_database()

    faults = faults_of(files, tmp_path, pointed.now)

    assert faults[0].startswith(f"{FILE}: ")
    assert expected in faults[0]
    assert not PanelOverride.objects.exists()


def test_points_are_kept_as_verdicts_write_them_and_once(pointed: Bench, tmp_path: Path) -> None:
    files = with_change(exported(pointed), {"overrides": [{**WORD, "value": "1.0"}]})
    _empty_database()

    imported(files, tmp_path, pointed.now)

    assert PanelOverride.objects.get().value == "1"
    assert imported(files, tmp_path, pointed.now) == 0


def test_points_are_held_against_the_rules_of_their_result(pointed: Bench, lead: User) -> None:
    """The benchmark goes by rules by now that give one point at most; the result and the word are from before."""
    result = PanelResult.objects.get()
    benchmark = result.panel.benchmark
    content = copy.deepcopy(benchmark.specification.content)
    content["version"] = "9.0.0"
    next(each for each in content["criteria"] if each["code"] == "A-R").update(maximum=1, full=1)
    benchmark.specification = load_specification(content=content, by=None, now=pointed.now)
    benchmark.save()

    say(pointed, "2", "All of it is there.", by=lead, now=pointed.now)

    assert PanelResult.objects.with_votes().get().standing_value == "2"


def test_later_override_is_added_and_an_earlier_bundle_takes_none_away(
    judged: Bench, lead: User, tmp_path: Path
) -> None:
    earlier = exported(judged)
    say(judged, "yes", "A third look.", by=lead, now=judged.now + timedelta(hours=2))
    later = exported(judged)

    imported(earlier, tmp_path / "a", judged.now)
    assert exported(judged) == later

    _empty_database()
    imported(earlier, tmp_path / "b", judged.now)
    imported(later, tmp_path / "c", judged.now)
    assert exported(judged) == later


def faults_of(files: dict[str, bytes], folder: Path, now: datetime) -> list[str]:
    with pytest.raises(FaultyBundle) as caught:
        imported(files, folder, now)
    connection.check_constraints()
    return [str(fault) for fault in caught.value.faults]


def with_change(files: dict[str, bytes], change: dict[str, Any]) -> dict[str, bytes]:
    """The first line of the file changed, the others as they are."""
    first, *others = files[FILE].splitlines(keepends=True)
    return {**files, FILE: b"".join([json.dumps({**json.loads(first), **change}).encode() + b"\n", *others])}


WORD = {"value": "yes", "reason": "So.", "by": "lena", "decided_at": "2026-10-20T09:00:00Z"}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"answer": "P09_argon-4_W0_r1"}, "answer: P09_argon-4_W0_r1 is not in the bundle"),
        ({"item": "A-R"}, "item: expected one of hallucinated, found A-R"),
        ({"key": 9}, "key: P04.v9 is not in the bundle"),
        ({"value": ""}, "value: expected a value, the panel has resolved it"),
        ({"votes": [{"seat": "A", "judge": "judge-a", "request_sha256": "0" * 64, "attempt": 1}]},
         "votes[0]: no verdict of judge-a on P04_argon-4_W0_r1 was asked for so"),
        ({"votes": [{"seat": "D", "judge": "judge-a", "request_sha256": "0" * 64, "attempt": 1}]},
         "votes[0].seat: expected one of A, B, C, found \"D\""),
        ({"overrides": [{**WORD, "reason": ""}]}, "overrides[0].reason: expected something, not nothing"),
        ({"overrides": [{**WORD, "by": "x" * 151}]}, "overrides[0].by: expected a text of at most 150 characters"),
        ({"value": "yes"}, "do not lead to what is said that the panel found"),
        ({"votes": []}, "do not lead to what is said that the panel found"),
        ({"state": "unresolved", "value": "", "consensus": "unresolved", "supporting": [], "tie_breaker_used": False},
         "do not lead to what is said that the panel found"),
        ({"overrides": [{**WORD, "value": "perhaps"}]}, "The value has to be yes or no."),
        ({"overrides": [WORD, WORD]}, "This was said already."),
        ({"surprise": 1}, "surprise: unknown field"),
    ],
)  # fmt: skip
def test_planted_fault_is_refused_with_file_and_field(
    judged: Bench, tmp_path: Path, change: dict[str, Any], expected: str
) -> None:
    files = with_change(exported(judged), change)
    _empty_database()

    faults = faults_of(files, tmp_path, judged.now)

    assert faults[0].startswith(f"{FILE}: ")
    assert any(expected in fault for fault in faults)
    assert not PanelResult.objects.exists()


def test_file_of_no_panel_is_refused(judged: Bench, tmp_path: Path) -> None:
    files = exported(judged)
    files["panels/other.jsonl"] = files.pop(FILE)

    assert faults_of(files, tmp_path, judged.now) == [
        "panels/other.jsonl: the name is that of no panel: expected one of panel, found other"
    ]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"overrides": [{**WORD, "reason": "Another reason."}]}, "override 1 on P04_argon-4_W0_r1"),
        ({"begun_at": "2026-01-01T00:00:00Z"}, "is stored and differs in: begun_at"),
    ],
)
def test_what_is_stored_is_never_overwritten(
    judged: Bench, tmp_path: Path, change: dict[str, Any], expected: str
) -> None:
    files = exported(judged)

    faults = faults_of(with_change(files, change), tmp_path, judged.now)

    assert faults[0].startswith(f"{FILE}: ")
    assert expected in faults[0]
    assert exported(judged) == files


def test_export_of_the_demo_has_no_file_of_panels() -> None:
    assert not [name for name in read_files(Path("fixtures/demo/bundle")) if name.startswith("panels/")]
