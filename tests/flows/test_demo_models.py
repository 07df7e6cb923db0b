"""`make demo-models` with one system and one set of questions, as a process of its own with a database of its own."""

import os
import re
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest
from django.conf import settings

PATIENCE = 600


@pytest.fixture(scope="module")
def demonstration(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Its folder and what it printed."""
    var = tmp_path_factory.mktemp("var")
    ended = subprocess.run(
        [sys.executable, "-m", "tests.flows.demo_models", "--systems", "argon-4", "--sets", "pilot"],
        cwd=settings.BASE_DIR, env={"PATH": os.environ["PATH"], "LEXREVIEW_VAR": str(var)}, capture_output=True,
        text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stdout[-2000:] + ended.stderr[-4000:]
    return var / "demo-models", ended.stdout


def test_it_ends_with_a_report_and_a_ledger_that_holds(demonstration: tuple[Path, str]) -> None:
    folder, printed = demonstration

    assert (folder / "report.pdf").read_bytes().startswith(b"%PDF-")
    assert "Argon 4" in (folder / "report.html").read_text(encoding="utf-8")
    assert int(re.findall(r"(\d+) cards approved", printed)[0]) >= 5
    assert "== prove" in printed
    assert re.search(r"^  lead +\S{10,}$", printed, re.MULTILINE)
    assert printed.endswith(f"LEXREVIEW_VAR={folder} .venv/bin/python manage.py serve\n")


def test_it_says_that_no_model_spoke(demonstration: tuple[Path, str]) -> None:
    assert "recorded or made by rule" in demonstration[1]


def test_dry_run_on_recorded_usage_named_the_bill(demonstration: tuple[Path, str]) -> None:
    again = demonstration[1].partition("== collect again")[2].partition("== verify")[0]

    ((expected, billed),) = re.findall(r"expected (\S+) USD, billed (\S+) USD", again)
    assert Decimal(expected) == Decimal(billed) > 0


def test_the_panel_asked_its_third_judge_only_where_the_two_differed(demonstration: tuple[Path, str]) -> None:
    judged = demonstration[1].partition("== judge")[2].partition("== approve")[0]

    ((settled, of, third),) = re.findall(r"panel: (\d+) of (\d+) settled, (\d+) by the third judge", judged)
    assert int(settled) == int(of) > int(third)


def test_every_role_has_cost_something(demonstration: tuple[Path, str]) -> None:
    spent = dict(re.findall(r"spent on (\S+): (\S+) USD", demonstration[1]))

    assert set(spent) == {"answers", "verification", "pre-filling", "judges"}
    assert all(Decimal(amount) > 0 for amount in spent.values())
