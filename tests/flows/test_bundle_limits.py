"""What no column can hold is a named fault of the bundle: SQLite would take it, PostgreSQL would end in an error."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import CommandError, call_command

from lexreview.questions.models import Benchmark
from tests.flows.bundles import Asked, Bundle, Given, write_bundle

pytestmark = pytest.mark.django_db

Edit = Callable[[Any], None]
LONG = "x" * 250
FAULTS: dict[str, tuple[str, Edit]] = {
    "questions/P01.yaml: code: expected at most 20": ("questions/P01.yaml", lambda r: r.update(code=LONG[:21])),
    "questions/P01.yaml: area: expected a text of at most 120": ("questions/P01.yaml", lambda r: r.update(area=LONG)),
    "benchmark.yaml: sets[0].code: expected at most 40": (
        "benchmark.yaml",
        lambda r: r["sets"][0].update(code=LONG[:41]),
    ),
    "benchmark.yaml: conditions[0].code: expected at most 20": (
        "benchmark.yaml",
        lambda r: r["conditions"][0].update(code=LONG[:21]),
    ),
    "benchmark.yaml: systems[0].name: expected a text of at most 120": (
        "benchmark.yaml",
        lambda r: r["systems"][0].update(name=LONG),
    ),
    "block_reason: expected a text of at most 200": (
        "answers/P01_alpha_W0_r1.json",
        lambda r: r.update(state="provider_block", block_reason=LONG),
    ),
    "served_model: expected a text of at most 200": (
        "answers/P01_alpha_W0_r1.json",
        lambda r: r.update(served_model=LONG),
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_text_that_no_column_holds_is_a_named_fault(tmp_path: Path, fault: str) -> None:
    folder = write_bundle(smallest(), tmp_path / "bundle")
    name, edit = FAULTS[fault]
    load, dump = (json.loads, json.dumps) if name.endswith(".json") else (yaml.safe_load, yaml.safe_dump)
    record = load((folder / name).read_text())
    edit(record)
    (folder / name).write_text(dump(record))

    with pytest.raises(CommandError) as caught:
        call_command("import_benchmark", str(folder))

    assert fault in str(caught.value)
    assert not Benchmark.objects.exists()


def smallest() -> Bundle:
    question = Asked(
        code="P01",
        language="en",
        text="Is it?",
        expected={"answer": "no", "condition": None},
        core="No.",
        rubric=["No."],
        bases=[("Art. 1 X", "eli/x", "art=1", "https://law.example/x", "No.")],
    )
    answer = Given(question="P01", system="alpha", text="No.\n")
    return Bundle(
        slug="small-01",
        jurisdiction="QK",
        language="en",
        legal_state_on="2026-09-01",
        title="Small",
        questions=[question],
        answers=[answer],
        systems=["alpha"],
    )
