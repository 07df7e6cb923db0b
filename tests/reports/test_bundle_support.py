"""What models said of citations goes through a bundle and is found again by what it is about, without a call."""

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from lexreview.answers.models import Answer
from lexreview.providers.models import Call
from lexreview.questions.models import Benchmark
from lexreview.reports.bundle.writing import export_files
from lexreview.verification.actions import verify_answer
from lexreview.verification.advice import advice_on
from lexreview.verification.models import Citation, Support, SupportCheck, Verification
from tests.remembering import remembered
from tests.reports.test_bundle import SLUG, _empty_database, loaded_demo
from tests.reports.test_bundle_panels import faults_of, imported
from tests.verification.advising import make_advice

pytestmark = pytest.mark.django_db
IDENTIFIER = "P01_argon-4_W0_r1"
FILE = f"support/{IDENTIFIER}.jsonl"


@pytest.fixture
def files(db: None, now: datetime) -> dict[str, bytes]:
    return with_opinions(now)


@remembered
def with_opinions(now: datetime) -> dict[str, bytes]:
    """An answer without a card, checked twice, with two opinions on the first check and one on the second."""
    loaded_demo()
    answer = Answer.objects.with_run().get(identifier=IDENTIFIER)
    old, new = (verify_answer(answer=answer, by=None, now=now + timedelta(days=day), force=True) for day in (0, 1))
    first = old.citations.exclude(source_text="").order_by("number").first()
    assert first is not None
    make_advice(first, Support.SUPPORTS)
    make_advice(first, Support.UNSURE, model="other")
    make_advice(new.citations.exclude(source_text="").order_by("number").last(), model="third")
    return exported(now)


def exported(now: datetime) -> dict[str, bytes]:
    return export_files(benchmark=Benchmark.objects.get(slug=SLUG), by=None, now=now)


def lines(files: dict[str, bytes]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in files[FILE].splitlines()]


def test_opinions_survive_export_and_import_byte_for_byte_without_a_call(
    files: dict[str, bytes], tmp_path: Path, now: datetime
) -> None:
    assert [[each["model"] for each in line["opinions"]] for line in lines(files)] == [["third"], ["plain", "other"]]

    _empty_database()
    imported(files, tmp_path, now)

    assert exported(now) == files
    assert (Call.objects.count(), SupportCheck.objects.filter(call=None).count()) == (0, 3)
    current = Verification.objects.current().get(answer__identifier=IDENTIFIER)
    advice = advice_on(Citation.objects.filter(verification=current).select_related("verification"))
    assert {row.model for row in advice.values()} >= {"third"}


def test_second_import_changes_nothing(files: dict[str, bytes], tmp_path: Path, now: datetime) -> None:
    assert imported(files, tmp_path, now) == 0
    assert exported(now) == files


def test_benchmark_without_opinions_is_written_as_before(now: datetime) -> None:
    loaded_demo()

    assert [name for name in exported(now) if name.startswith("support/")] == []


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"citation": 99}, "opinions[0].citation: expected one of"),
        ({"support": "proven"}, "opinions[0].support: expected one of supports, contradicts"),
        ({"model": "x" * 201}, "opinions[0].model: expected a text of at most 200 characters"),
        ({"request_sha256": "short"}, "opinions[0].request_sha256: expected a SHA-256 in hexadecimal"),
        ({"raw": "{}"}, "opinions[0].raw: unknown field"),
        ({"sentence": "Another one."}, "is stored and differs in: sentence"),
    ],
)
def test_planted_fault_is_refused_with_file_and_field(
    files: dict[str, bytes], tmp_path: Path, now: datetime, change: dict[str, Any], expected: str
) -> None:
    line = lines(files)[0]
    line["opinions"][0].update(change)

    faults = faults_of({**files, FILE: json.dumps(line).encode()}, tmp_path, now)

    assert faults[0].startswith(f"{FILE}: ")
    assert expected in faults[0]
    assert SupportCheck.objects.count() == 3


def test_file_of_no_answer_is_refused(files: dict[str, bytes], tmp_path: Path, now: datetime) -> None:
    files["support/P99_argon-4_W0_r1.jsonl"] = files.pop(FILE)

    assert "the name is that of no answer" in faults_of(files, tmp_path, now)[0]
